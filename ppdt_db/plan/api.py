"""Plan: what a run would take, before it is started."""

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import duckdb

from ppdt_db.allowance import Allowance
from ppdt_db.coded import Encoded
from ppdt_db.csv_dialect import CsvWish, unread_faults, with_csv
from ppdt_db.engine import DuckEngine, Engine, only_duckdb
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.estimate import Plan, Room, planned
from ppdt_db.gauge import Gauge, Report
from ppdt_db.laws import Size, off_by
from ppdt_db.methods import Method, as_method, method_faults
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.policy import Attribute, Policy, Roles, raise_all
from ppdt_db.request import Request, checked, hierarchy_faults
from ppdt_db.samples import EXACT_ROWS, counted, looked_at_of
from ppdt_db.source import Given, Source, opened
from ppdt_db.trial import Trials

UNITS = {
    "": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
    "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40,
}  # fmt: skip


def plan(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    quasi: Iterable[str | Attribute],
    identifiers: Sequence[str] | Literal["rest"] = (),
    sensitive: Iterable[str | Attribute] = (),
    target: str | None = None,
    entity: str | None = None,
    pseudonymize: Sequence[str] = (),
    keep: Sequence[str] | Literal["rest"] = (),
    method: Method | str | None = None,
    csv: CsvWish = None,
    progress: Progress = no_progress,
) -> Plan:
    """Estimate what a run would take: cells, levels, time, memory and temporary disk.

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
        more_faults=[*method_faults(method)],
    )
    method = as_method(method)
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
        roles, n_rows = _checked(engine, found, policy, method)
        return plan_of(engine, found, roles, method, n_rows, budget)


def plan_of(
    engine: DuckEngine, read: Source, roles: Roles, method: Method, n_rows: int, budget: Allowance
) -> Plan:
    """The plan of a run whose request was checked."""
    n_cells, values = counted(engine, read, roles, n_rows)
    budget.report()
    whole = Size(n_rows=n_rows, n_cells=n_cells, by_row=method.grain == "row")
    trials = Trials(engine, read, roles, method, whole, budget)
    trials.run()
    known = trials.known()
    n_looked_at = looked_at_of(n_rows)
    return planned(
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


class Foresight:
    """Holds the estimate of a run beside what it takes; costs nothing where no plan is asked."""

    def __init__(self, engine: Engine, wish: bool | Plan, report: Report) -> None:
        self._engine = engine
        self.wish = wish
        self.report = report
        self.plan = wish if isinstance(wish, Plan) else None
        self._gauge: Gauge | None = None
        self._faults: RequestError | None = None

    @contextmanager
    def watched(self) -> Iterator[Report]:
        """The reports to make, which are passed on."""
        if self.wish is False:
            yield self.report
            return
        with Gauge(self.report, self._duck.temp_directory) as self._gauge:
            yield self._gauge

    @property
    def _duck(self) -> DuckEngine:
        return only_duckdb(self._engine, "a plan")

    def estimate(self, found: Source, policy: Policy, method: Method) -> None:
        """Make the plan, unless there is one: before the run's transaction, which keeps all alive.

        Faults wait, since the check of the whole request finds these and more.
        """
        if self.wish is False or self.plan is not None:
            return
        report = self._gauge or self.report
        budget = Allowance(report)
        budget.report()
        try:
            roles, n_rows = _checked(self._duck, found, policy, method)
            self.plan = plan_of(self._duck, found, roles, method, n_rows, budget)
        except RequestError as error:
            self._faults = error

    def confirm(self) -> None:
        """Raise what kept the plan from being made, once the request itself was found right."""
        if self._faults is not None:
            raise self._faults

    def figures(self, encoded: Encoded) -> dict[str, object]:
        """Estimate and fact, for the certificate: the fact up to the end of the audit."""
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


def _checked(
    engine: DuckEngine, found: Source, policy: Policy, method: Method
) -> tuple[Roles, int]:
    """The roles and the number of rows, or one error with all faults."""

    def own_faults(roles: Roles) -> list[str]:
        return hierarchy_faults(engine, found, roles, method)

    # Nothing is released, so there is no place to check, no key, and nothing to accept.
    request = Request(accept=frozenset(method.weaker))
    return checked(engine, found, policy, method, request, own_faults)


def _room(engine: DuckEngine) -> Room:
    def setting(name: str) -> str:
        return str(engine.row("engine/setting", {"name": name})[0])

    place = engine.temp_directory
    while place is not None and not place.exists():
        place = place.parent
    # A connection without a place for them has no room for temporary files at all.
    free = 0 if place is None else shutil.disk_usage(place).free
    return Room(
        threads=int(setting("threads")),
        memory_limit=bytes_of(setting("memory_limit")),
        disk_free=free,
    )


def bytes_of(text: str) -> int:
    """A size as DuckDB writes it, such as `18.8 GiB`."""
    found = re.fullmatch(r"([0-9.]+) ?([KMGT]?I?)B(?:YTES?)?", text.upper())
    if found is None:
        raise RequestError("the memory limit of this connection cannot be read. Set memory_limit.")
    return int(float(found.group(1)) * UNITS[found.group(2)])
