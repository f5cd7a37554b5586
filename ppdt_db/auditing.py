"""The audit of any table that says it is anonymous, whoever made it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from ppdt_db.audit import (
    Audit,
    Hierarchy,
    Released,
    Requirement,
    Wish,
    c_avg,
    check_columns,
    explain,
    find_parts,
    find_shown,
    judge,
    measure,
    parse_required,
    requirement,
)
from ppdt_db.audit.finding import number
from ppdt_db.encode import ORDERED, family_of
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.names import fold, nearest
from ppdt_db.request import hidden_functions
from ppdt_db.source import Given, Source, opened, read_back

NEEDS_POPULATION = (
    "journalist_risk_max", "journalist_risk_mean", "delta_presence_min", "delta_presence_max",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """An audit's request, before it meets the columns."""

    quasi: Sequence[str]
    sensitive: Sequence[str]
    entity: str | None
    original: Source | None
    population: Source | None
    hierarchies: Mapping[str, str | Path]
    sampling: float | None
    required: Sequence[Requirement]
    faults: list[str] = field(default_factory=list)


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
) -> Audit:
    """Measure any table that says it is anonymous, whoever made it.

    >>> con = duckdb.connect()
    >>> people = con.sql("SELECT i % 7 AS age, 'cold' AS illness FROM range(50) r(i)")
    >>> audit(con, people, quasi=["age"], require="k=5").passed
    True
    """
    required = _required(require)
    engine = DuckEngine(con)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())

        def open_(given: Given | None, name: str) -> Source | None:
            return None if given is None else stack.enter_context(opened(engine, given, name))

        found = stack.enter_context(opened(engine, source))
        asked = _Asked(
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
    engine: DuckEngine, found: Source, asked: _Asked, *, with_others: bool | None
) -> tuple[Released, Wish]:
    """The request met by the columns, or one error with all faults."""
    faults = asked.faults
    entity = [asked.entity] if asked.entity else []
    roles = {"quasi-identifier": asked.quasi, "sensitive": asked.sensitive, "entity": entity}
    faults += hidden_functions(engine)
    faults += check_columns(found.columns, roles)
    faults += _overlap_faults(roles)
    faults += _requirement_faults(found, asked)
    if not asked.quasi:
        faults.append("no quasi-identifier: name the columns that an outsider may know (--qi).")
    if asked.sampling is not None and not 0 < asked.sampling <= 1:
        faults.append("--sampling: a fraction above 0 and at most 1.")
    if faults:
        raise RequestError(*faults)
    spelled = {fold(column): column for column in found.columns}
    hierarchies = _hierarchies(engine, found, asked, spelled)
    released = Released(
        relation=found.relation,
        columns=found.columns,
        shown=find_shown(
            engine, found.relation, found.columns, [spelled[fold(n)] for n in asked.quasi]
        ),
        sensitive=[spelled[fold(name)] for name in asked.sensitive],
        original=asked.original.relation if asked.original else None,
        original_columns=asked.original.columns if asked.original else {},
        entities=found.relation if asked.entity else None,
        entity=spelled[fold(asked.entity)] if asked.entity else None,
    )
    faults += _people_faults(released, asked)
    if faults:
        raise RequestError(*faults)
    return released, Wish(
        recursive_l=next((r.level for r in asked.required if r.level is not None), None),
        hierarchies=hierarchies,
        with_others=True if any(r.with_others for r in asked.required) else with_others,
        population=asked.population.relation if asked.population else None,
        population_columns=asked.population.columns if asked.population else {},
        sampling=asked.sampling,
        with_utility=asked.original is not None,
        with_fit=any(r.name == "kk" for r in asked.required),
    )


def _overlap_faults(roles: Mapping[str, Sequence[str]]) -> list[str]:
    taken: dict[str, list[str]] = {}
    for role, names in roles.items():
        for name in names:
            taken.setdefault(fold(name), []).append(role)
    return [
        f'"{name}": given as {" and ".join(found)}. Give it one role, once.'
        for name, found in taken.items()
        if len(found) > 1
    ]


def _requirement_faults(found: Source, asked: _Asked) -> list[str]:
    faults: list[str] = []
    ordered = {
        fold(column)
        for column, type_name in found.columns.items()
        if family_of(type_name) in ORDERED
    }
    with_hierarchy = {fold(name) for name in asked.hierarchies}
    for entry in asked.required:
        name = entry.name
        if entry.model.of_sensitive and not asked.sensitive:
            faults.append(f"requirement {name} needs a sensitive column (--sensitive).")
        if entry.with_others and len(asked.sensitive) == 1:
            faults.append(f"requirement {name} needs a second sensitive column (--sensitive).")
        if entry.model.measure == "t_ordered":
            faults += [
                f'requirement {name}: "{column}" has no order; take t_equal, or t_hierarchical.'
                for column in asked.sensitive
                if fold(column) not in ordered
            ]
        if entry.model.measure == "t_hierarchical":
            faults += [
                f'requirement {name}: "{column}" needs a hierarchy (--hierarchy {column}=FILE).'
                for column in asked.sensitive
                if fold(column) not in with_hierarchy
            ]
        if name in NEEDS_POPULATION and asked.population is None:
            faults.append(f"requirement {name} needs a population (--population).")
        if name == "kk" and asked.original is None:
            faults.append("requirement kk needs the original (--original).")
        if name == "population_uniqueness" and asked.sampling is None:
            faults.append(f"requirement {name} needs the sampling fraction (--sampling).")
    return faults


def _people_faults(released: Released, asked: _Asked) -> list[str]:
    """Quasi-identifiers that the people to compare with do not have."""
    people = {"population": asked.population}
    if any(entry.name == "kk" for entry in asked.required):
        people["original"] = asked.original
    return [
        f'{role}: it has no column "{name}", which is a quasi-identifier.'
        f"{nearest(name, source.columns)}"
        for role, source in people.items()
        if source is not None
        for name in find_parts(released, source.columns)[1]
    ]


def _hierarchies(
    engine: DuckEngine, found: Source, asked: _Asked, spelled: Mapping[str, str]
) -> dict[str, Hierarchy]:
    """The hierarchies, from their files; every fault as a count, never a value."""
    sensitive = {fold(name) for name in asked.sensitive}
    read: dict[str, Hierarchy] = {}
    for name, path in asked.hierarchies.items():
        if fold(name) not in sensitive:
            asked.faults.append(
                f'hierarchy "{name}": it is not a sensitive column of this audit.'
                f"{nearest(name, asked.sensitive)}"
            )
            continue
        if not Path(path).is_file():
            asked.faults.append(f'hierarchy "{name}": there is no file {path}.')
            continue
        relation = read_back("csv", Path(path).absolute())
        *levels, root = [column for column, _ in engine.describe(relation)]
        if not levels:
            asked.faults.append(f'hierarchy "{name}": the file has one column. Give leaf to root.')
            continue
        column = spelled[fold(name)]
        read[column] = Hierarchy(relation=relation, levels=levels)
        asked.faults.extend(_hierarchy_faults(engine, found, column, read[column], root))
    return read


def _hierarchy_faults(
    engine: DuckEngine, found: Source, column: str, hierarchy: Hierarchy, root: str
) -> list[str]:
    names = {
        "release": found.relation, "column": column, "hierarchy": hierarchy.relation,
        "levels": hierarchy.levels, "root": root,
    }  # fmt: skip
    n_missing, n_twice, n_roots, n_torn = engine.row("audit/hierarchy", names=names)
    start = f'hierarchy "{column}": '
    faults: list[str] = []
    if n_missing:
        faults.append(f"{start}{n_missing} values of the column are missing from it. Add them.")
    if n_twice:
        faults.append(f"{start}{n_twice} leaves are named twice.")
    if n_roots != 1:
        faults.append(f"{start}it has {n_roots} roots; the last column must hold one value.")
    if n_torn:
        faults.append(f"{start}{n_torn} nodes lie below two parents.")
    return faults
