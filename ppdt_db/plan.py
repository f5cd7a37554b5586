"""Plan: what a run would take, before it is started."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.estimate import Plan, Room, planned
from ppdt_db.gauge import Taken
from ppdt_db.methods import Method, Mondrian
from ppdt_db.policy import Attribute, Policy, Roles, raise_all, resolve, sensitive_wishes
from ppdt_db.request import hidden_functions, quasi_faults, unread_collation
from ppdt_db.source import Given, Source, opened
from ppdt_db.trial import EXACT_ROWS, LOOKED_AT, counted, samples, tried

UNITS = {
    "": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
    "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40,
}  # fmt: skip


def plan(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    quasi: Iterable[str | Attribute],
    identifiers: Sequence[str] = (),
    sensitive: Iterable[str | Attribute] = (),
    target: str | None = None,
    entity: str | None = None,
    pseudonymize: Sequence[str] = (),
    keep: Sequence[str] | Literal["rest"] = (),
    method: Method | None = None,
) -> Plan:
    """Estimate what a run would take: cells, levels, time, memory and temporary disk.

    >>> con = duckdb.connect()
    >>> people = con.sql("SELECT i % 7 AS age, 'cold' AS illness FROM range(500) r(i)")
    >>> found = plan(con, people, quasi=["age"], sensitive=["illness"], method=Mondrian(k=5))
    >>> found.rows, found.cells
    (500, 7)
    """
    names, hierarchies = sensitive_wishes(sensitive)
    policy = Policy(
        quasi=tuple(q if isinstance(q, Attribute) else Attribute(q) for q in quasi),
        sensitive=names,
        target=target,
        identifiers=identifiers,
        pseudonymize=pseudonymize,
        entity=entity,
        keep=keep,
        hierarchies=hierarchies,
    )
    method = method or Mondrian()
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, source) as found, engine.unordered():
        roles, n_rows = _checked(engine, found, policy, method)
        return plan_of(engine, found, roles, method, n_rows)


def plan_faults(method: Method) -> list[str]:
    """What keeps a run from being planned."""
    if method.name == "mondrian":
        return []
    return [
        f"there is no plan for method {method.name} yet: no law of its time is known. Plan "
        "mondrian, or run it without a plan."
    ]


def plan_of(engine: DuckEngine, read: Source, roles: Roles, method: Method, n_rows: int) -> Plan:
    """The plan of a run whose request was checked."""
    n_cells, values = counted(engine, read, roles, n_rows)
    tables = samples(engine, read, roles, n_rows, method.guard.k)
    trials = [tried(engine, read, roles, method, table) for table in tables]
    engine.drop(*tables)
    small, large = trials[0][0], trials[-1][0]
    held = max(large.held_bytes.values(), default=0)
    return planned(
        small,
        large,
        n_rows=n_rows,
        n_cells=n_cells,
        values=values,
        k=method.guard.k,
        room=_room(engine, trials[-1][1].memory_bytes - held),
        how={
            "counts": "exact" if n_rows <= EXACT_ROWS else "approximate",
            "tried_rows": [trial.n_rows for trial, _ in trials],
            "tried_from": "all rows" if n_rows <= LOOKED_AT else f"the first {LOOKED_AT:,} rows",
        },
    )


def fact_of(taken: Taken, n_rows: int, n_cells: int) -> dict[str, object]:
    """What a run took, in the words of its estimate."""
    return {
        "rows": n_rows,
        "cells": n_cells,
        "levels": taken.turns,
        "seconds": {stage: spent for stage, spent in taken.seconds.items() if stage != "plan"},
        "seconds_total": round(sum(s for n, s in taken.seconds.items() if n != "plan"), 3),
        "memory_bytes": taken.memory_bytes,
        "temp_disk_bytes": taken.disk_bytes,
    }


def _checked(
    engine: DuckEngine, found: Source, policy: Policy, method: Method
) -> tuple[Roles, int]:
    """The roles and the number of rows, or one error with all faults."""
    roles, faults, open_columns = resolve(policy, found.columns)
    faults += plan_faults(method)
    faults += unread_collation(engine)
    faults += hidden_functions(engine)
    faults += quasi_faults(found, roles)
    faults += method.faults(roles, found.columns)
    faults += [
        f'"{column}": no role. Give it one, or keep it on purpose (--keep).'
        for column in open_columns
    ]
    n_rows = engine.count("encode/size", names={"source": found.relation})
    faults += method.guard.faults(roles, n_rows)
    if n_rows == 0:
        faults.append("the source has no rows.")
    raise_all(faults)
    return roles, n_rows


def _room(engine: DuckEngine, own_bytes: int) -> Room:
    limit = bytes_of(str(engine.row("engine/setting", {"name": "memory_limit"})[0]))
    place = engine.temp_directory
    while place is not None and not place.exists():
        place = place.parent
    free = shutil.disk_usage(place or Path(tempfile.gettempdir())).free
    return Room(memory_limit=limit, own_bytes=max(0, own_bytes), disk_free=free)


def bytes_of(text: str) -> int:
    """A size as DuckDB writes it, such as `18.8 GiB`."""
    found = re.fullmatch(r"([0-9.]+) ?([KMGT]?I?)B(?:YTES?)?", text.upper())
    if found is None:
        raise RequestError("the memory limit of this connection cannot be read. Set memory_limit.")
    return int(float(found.group(1)) * UNITS[found.group(2)])
