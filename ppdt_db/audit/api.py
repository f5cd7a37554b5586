"""Audit any table that claims to be anonymous, whoever made it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.arguments import list_faults, name_faults, plain
from ppdt_db.audit import (
    Audit,
    AuditedRelation,
    MeasureOptions,
    Requirement,
    c_avg,
    check_requirements,
    explain,
    find_shown,
    measure,
    parse_required,
    path_faults,
    requirement,
)
from ppdt_db.audit.finding import number
from ppdt_db.audit.request import (
    AuditRequest,
    overlap_faults,
    people_faults,
    read_hierarchies,
    read_nodes,
    requirement_faults,
)
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name, unknown_columns
from ppdt_db.tree.tree import Tree


def audit(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    entity: str | None = None,
    original: SourceLike | None = None,
    population: SourceLike | None = None,
    hierarchies: Mapping[str, str | Path] | None = None,
    tree: Tree | None = None,
    sampling: float | None = None,
    with_others: bool | None = None,
    explained: bool = False,
    require: str | Mapping[str, float | str] = "",
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> Audit:
    """Measure any table that claims to be anonymous, whoever made it.

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

        def open_(given: SourceLike | None, name: str) -> Source | None:
            return (
                None
                if given is None
                else stack.enter_context(opened(engine, with_csv(given, csv), name))
            )

        data = stack.enter_context(opened(engine, with_csv(source, csv)))
        request = AuditRequest(
            quasi=quasi,
            sensitive=sensitive,
            entity=entity,
            original=open_(original, "ppdt_original"),
            population=open_(population, "ppdt_population"),
            hierarchies=hierarchies or {},
            tree=tree,
            sampling=sampling,
            required=required,
        )
        stack.enter_context(engine.unordered())
        released, options = _resolve(engine, data, request, with_others=with_others)
        measures = measure(engine, released, options=options)
        k = next((entry.bound for entry in required if entry.name == "k"), number(measures["k"]))
        measures["c_avg"] = c_avg(measures, k)
        measures["c_avg_with_suppressed"] = c_avg(measures, k, with_suppressed=True)
        return Audit(
            measures=measures,
            findings=check_requirements(measures, required),
            worst=explain(engine, released, measures) if explained else (),
        )


def _in_original(original: Source | None, name: str | None) -> str | None:
    """Return the column of the original that has the name given, if there is one."""
    if original is None or name is None:
        return None
    return by_normal_name(original.columns).get(normalize_name(name))


def _required(require: str | Mapping[str, float | str]) -> list[Requirement]:
    if isinstance(require, str):
        return parse_required(require)
    return [requirement(name, value) for name, value in require.items()]


def _resolve(
    engine: DuckEngine, data: Source, request: AuditRequest, *, with_others: bool | None
) -> tuple[AuditedRelation, MeasureOptions]:
    """Check the request against the columns; return what to measure, or raise all faults."""
    faults = request.faults
    entity = [request.entity] if request.entity else []
    roles = {"quasi-identifier": request.quasi, "sensitive": request.sensitive, "entity": entity}
    faults += unknown_columns(roles, data.columns)
    faults += overlap_faults(roles)
    faults += requirement_faults(data, request)
    if not request.quasi:
        faults.append("no quasi-identifiers: name the columns that an attacker may know (--qi).")
    if request.sampling is not None and not 0 < request.sampling <= 1:
        faults.append("--sampling must be above 0 and at most 1.")
    if faults:
        raise RequestError(*faults)
    by_name = by_normal_name(data.columns)
    hierarchies_by_column = read_hierarchies(engine, data, request, by_name)
    nodes = read_nodes(engine, request, by_name)
    released = AuditedRelation(
        relation=data.relation,
        columns=data.columns,
        shown=find_shown(
            engine,
            data.relation,
            data.columns,
            [by_name[normalize_name(name)] for name in request.quasi],
            nodes,
        ),
        sensitive=[by_name[normalize_name(name)] for name in request.sensitive],
        original=request.original.relation if request.original else None,
        original_columns=request.original.columns if request.original else {},
        entities=data.relation if request.entity else None,
        entity=by_name[normalize_name(request.entity)] if request.entity else None,
        original_entity=_in_original(request.original, request.entity),
    )
    faults += people_faults(released, request)
    faults += path_faults(released, request.tree) if request.tree is not None else []
    if faults:
        raise RequestError(*faults)
    return released, MeasureOptions(
        recursive_l=next((r.level for r in request.required if r.level is not None), None),
        hierarchies=hierarchies_by_column,
        with_others=True if any(r.with_others for r in request.required) else with_others,
        population=request.population.relation if request.population else None,
        population_columns=request.population.columns if request.population else {},
        sampling=request.sampling,
        with_utility=request.original is not None,
        with_fit=any(r.name == "kk" for r in request.required),
        tree=request.tree,
    )
