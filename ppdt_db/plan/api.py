"""Plan a run: estimate what it would take before it is started."""

import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import duckdb

from ppdt_db.cost.monitor import Report, ResourceMonitor
from ppdt_db.cost.scaling import off_by
from ppdt_db.encode.columns import EncodedTable
from ppdt_db.engine import DuckEngine, Engine, only_duckdb
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.methods import Method, as_method, method_faults
from ppdt_db.plan.allowance import Allowance
from ppdt_db.plan.estimate import Plan, Room, extrapolate
from ppdt_db.plan.samples import EXACT_ROWS, count_cells, rows_to_read
from ppdt_db.plan.trials import Trials, size_of
from ppdt_db.policy.bins import BinsSpec
from ppdt_db.policy.roles import Attribute, Policy, Roles, raise_all
from ppdt_db.progress import Progress, no_progress
from ppdt_db.release.request import Keys, Order, Request, checked, hierarchy_faults
from ppdt_db.source.csv.dialect import CsvOptions, unread_faults, with_csv
from ppdt_db.source.source import Source, SourceLike, opened

UNITS = {
    "": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
    "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40,
}  # fmt: skip


def plan(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    *,
    quasi: Iterable[str | Attribute],
    identifiers: Sequence[str] | Literal["rest"] = (),
    sensitive: Iterable[str | Attribute] = (),
    target: str | None = None,
    entity: str | None = None,
    pseudonymize: Sequence[str] = (),
    keep: Sequence[str] | Literal["rest"] = (),
    bins: BinsSpec | None = None,
    method: Method | str | None = None,
    csv: CsvOptions = None,
    progress: Progress = no_progress,
) -> Plan:
    """Estimate the cells, levels, time, memory and temporary disk space of a run.

    >>> from ppdt_db import Mondrian
    >>> con = duckdb.connect()
    >>> people = con.sql("SELECT i % 7 AS age, 'cold' AS illness FROM range(500) r(i)")
    >>> found = plan(con, people, quasi=["age"], sensitive=["illness"], method=Mondrian(k=5))
    >>> found.rows, found.cells
    (500, 7)
    """
    policy = Policy.of(
        quasi=quasi,
        sensitive=sensitive,
        target=target,
        identifiers=identifiers,
        pseudonymize=pseudonymize,
        entity=entity,
        keep=keep,
        bins=bins,
        more_faults=[*method_faults(method)],
    )
    engine = DuckEngine(con)
    budget = Allowance(progress)
    budget.report()
    with (
        interruptible(con),
        engine.cleared(),
        opened(engine, with_csv(source, csv)) as found,
        engine.unordered(),
    ):
        raise_all(unread_faults(csv, found.kind))
        return _plan_of(engine, found, _trial_order(policy, as_method(method)), budget)


def _plan_of(engine: DuckEngine, read: Source, order: Order, budget: Allowance) -> Plan:
    """Return the plan of a run; raise one error that lists every fault of it."""
    roles, n_rows = _checked(engine, read, order)
    method = order.method
    n_cells, values = count_cells(engine, read, roles, n_rows)
    budget.report()
    whole = size_of(method, n_rows, n_cells)
    trials = Trials(engine, read, roles, order, whole, budget)
    trials.run()
    known = trials.known()
    n_looked_at = rows_to_read(n_rows)
    return extrapolate(
        known,
        whole,
        values=values,
        k=method.guard.k,
        room=_room(engine),
        how={
            "counts": "exact" if n_rows <= EXACT_ROWS else "approximate",
            "tried_rows": [trial.size.n_rows for trial in trials.done],
            "tried_from": "all rows"
            if n_looked_at == n_rows
            else f"the first {n_looked_at:,} rows",
            "off_by": off_by(trials.done, whole),
            "plan_seconds": round(budget.spent, 3),
        },
    )


class PlanRecorder:
    """The estimate of a run beside its measured figures; free unless a plan is requested."""

    def __init__(self, engine: Engine, requested: bool | Plan, report: Report) -> None:
        self._engine = engine
        self.requested = requested
        self.report = report
        self.plan = requested if isinstance(requested, Plan) else None
        self._gauge: ResourceMonitor | None = None
        self._faults: RequestError | None = None

    @contextmanager
    def watched(self) -> Iterator[Report]:
        """Yield the progress report to call, which measures the run if a plan is requested."""
        if self.requested is False:
            yield self.report
            return
        with ResourceMonitor(self.report, self._duck.temp_directory) as self._gauge:
            yield self._gauge

    @property
    def _duck(self) -> DuckEngine:
        return only_duckdb(self._engine, "a plan")

    def estimate(self, found: Source, order: Order) -> None:
        """Make the plan, unless one is given; call it before the run's transaction.

        Dropped tables use memory until a transaction ends. Faults are kept for `confirm`, since the
        check of the whole request finds these and more.
        """
        if self.requested is False or self.plan is not None:
            return
        report = self._gauge or self.report
        budget = Allowance(report)
        budget.report()
        try:
            self.plan = _plan_of(
                self._duck, found, _trial_order(order.policy, order.method), budget
            )
        except RequestError as error:
            self._faults = error

    def confirm(self) -> None:
        """Raise the faults that prevented the plan, once the request itself has passed."""
        if self._faults is not None:
            raise self._faults

    def figures(self, encoded: EncodedTable) -> dict[str, object]:
        """Return estimate and measured figures for the certificate, up to the end of the audit."""
        if self._gauge is None or self.plan is None:
            return {}
        taken = self._gauge.taken
        seconds = {name: spent for name, spent in taken.seconds.items() if name != "plan"}
        fact = {
            "rows": encoded.n_rows,
            "cells": encoded.n_cells,
            "levels": taken.levels,
            "seconds": seconds,
            "seconds_total": round(sum(seconds.values()), 3),
            "work_seconds_total": round(
                sum(spent for name, spent in taken.work_seconds.items() if name != "plan"), 3
            ),
            "memory_bytes": taken.memory_bytes,
            "temp_disk_bytes": taken.disk_bytes,
        }
        return {"plan": {"estimate": self.plan.figures(), "fact": fact}}


def _trial_order(policy: Policy, method: Method) -> Order:
    """Return the order of a plan's trials, which release nothing.

    There is no destination to check, no key of the user's, and nothing to accept.
    """
    request = Request(accept=frozenset(method.requires_accept))
    keys = Keys.of(None, secrets.token_hex(16), links=True)
    return Order(policy=policy, method=method, request=request, keys=keys)


def _checked(engine: DuckEngine, found: Source, order: Order) -> tuple[Roles, int]:
    """Return the roles and the number of rows; raise one error that lists every fault."""

    def own_faults(roles: Roles) -> list[str]:
        return hierarchy_faults(engine, found, roles, order.method)

    return checked(engine, found, order, own_faults)


def _room(engine: DuckEngine) -> Room:
    settings = {str(name): str(value or "") for name, value in engine.rows("lib/engine/settings")}
    place = Path(settings["temp_directory"]) if settings["temp_directory"] else None
    while place is not None and not place.exists():
        place = place.parent
    # A connection without a temporary directory has no space for temporary files.
    free = 0 if place is None else shutil.disk_usage(place).free
    return Room(
        threads=int(settings["threads"]),
        memory_limit=bytes_of(settings["memory_limit"]),
        disk_free=free,
    )


def bytes_of(text: str) -> int:
    """Return the bytes of a size that DuckDB writes, such as `18.8 GiB`."""
    found = re.fullmatch(r"([0-9.]+) ?([KMGT]?I?)B(?:YTES?)?", text.upper())
    if found is None:
        raise RequestError("the memory limit of this connection cannot be read. Set memory_limit.")
    return int(float(found.group(1)) * UNITS[found.group(2)])
