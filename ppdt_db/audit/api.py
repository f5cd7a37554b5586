"""The audit of any table that says it is anonymous, whoever made it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.asked import (
    Asked,
    overlap_faults,
    people_faults,
    read_hierarchies,
    read_nodes,
    requirement_faults,
)
from ppdt_db.audit import (
    Audit,
    Released,
    Requirement,
    Wish,
    c_avg,
    check_columns,
    explain,
    find_shown,
    judge,
    measure,
    parse_required,
    requirement,
)
from ppdt_db.audit.finding import number
from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.given import list_faults, name_faults, plain
from ppdt_db.names import fold
from ppdt_db.policy import raise_all
from ppdt_db.source import Given, Source, opened


def audit(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    entity: str | None = None,
    original: Given | None = None,
    population: Given | None = None,
    hierarchies: Mapping[str, str | Path] | None = None,
    sampling: float | None = None,
    with_others: bool | None = None,
    explained: bool = False,
    require: str | Mapping[str, float | str] = "",
    sql_log: TextIO | None = None,
    csv: CsvWish = None,
) -> Audit:
    """Measure any table that says it is anonymous, whoever made it.

    >>> con = duckdb.connect()
    >>> people = con.sql("SELECT i % 7 AS age, 'cold' AS illness FROM range(50) r(i)")
    >>> audit(con, people, quasi=["age"], require="k=5").passed
    True
    """
    faults = list_faults(quasi=quasi, sensitive=sensitive) + name_faults(entity=entity)
    if sampling is not None and not isinstance(plain(sampling), int | float):
        faults.append(f"sampling: pass a number, not a {type(sampling).__name__}.")
    raise_all(faults)
    required = _required(require)
    engine = DuckEngine(con, sql_log)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())

        def open_(given: Given | None, name: str) -> Source | None:
            return (
                None
                if given is None
                else stack.enter_context(opened(engine, with_csv(given, csv), name))
            )

        found = stack.enter_context(opened(engine, with_csv(source, csv)))
        asked = Asked(
            quasi=quasi,
            sensitive=sensitive,
            entity=entity,
            original=open_(original, "ppdt_original"),
            population=open_(population, "ppdt_population"),
            hierarchies=hierarchies or {},
            sampling=sampling,
            required=required,
        )
        stack.enter_context(engine.unordered())
        released, wish = _meet(engine, found, asked, with_others=with_others)
        measures = measure(engine, released, wish=wish)
        k = next((entry.bound for entry in required if entry.name == "k"), number(measures["k"]))
        measures["c_avg"] = c_avg(measures, k)
        measures["c_avg_with_suppressed"] = c_avg(measures, k, with_suppressed=True)
        return Audit(
            measures=measures,
            findings=judge(measures, required),
            worst=explain(engine, released, measures) if explained else (),
        )


def _required(require: str | Mapping[str, float | str]) -> list[Requirement]:
    if isinstance(require, str):
        return parse_required(require)
    return [requirement(name, value) for name, value in require.items()]


def _meet(
    engine: DuckEngine, found: Source, asked: Asked, *, with_others: bool | None
) -> tuple[Released, Wish]:
    """The request met by the columns, or one error with all faults."""
    faults = asked.faults
    entity = [asked.entity] if asked.entity else []
    roles = {"quasi-identifier": asked.quasi, "sensitive": asked.sensitive, "entity": entity}
    faults += check_columns(found.columns, roles)
    faults += overlap_faults(roles)
    faults += requirement_faults(found, asked)
    if not asked.quasi:
        faults.append("no quasi-identifier: name the columns that an outsider may know (--qi).")
    if asked.sampling is not None and not 0 < asked.sampling <= 1:
        faults.append("--sampling: a fraction above 0 and at most 1.")
    if faults:
        raise RequestError(*faults)
    spelled = {fold(column): column for column in found.columns}
    trees = read_hierarchies(engine, found, asked, spelled)
    nodes = read_nodes(engine, asked, spelled)
    released = Released(
        relation=found.relation,
        columns=found.columns,
        shown=find_shown(
            engine,
            found.relation,
            found.columns,
            [spelled[fold(name)] for name in asked.quasi],
            nodes,
        ),
        sensitive=[spelled[fold(name)] for name in asked.sensitive],
        original=asked.original.relation if asked.original else None,
        original_columns=asked.original.columns if asked.original else {},
        entities=found.relation if asked.entity else None,
        entity=spelled[fold(asked.entity)] if asked.entity else None,
    )
    faults += people_faults(released, asked)
    if faults:
        raise RequestError(*faults)
    return released, Wish(
        recursive_l=next((r.level for r in asked.required if r.level is not None), None),
        hierarchies=trees,
        with_others=True if any(r.with_others for r in asked.required) else with_others,
        population=asked.population.relation if asked.population else None,
        population_columns=asked.population.columns if asked.population else {},
        sampling=asked.sampling,
        with_utility=asked.original is not None,
        with_fit=any(r.name == "kk" for r in asked.required),
    )
