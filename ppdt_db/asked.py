"""An audit's request, and what is wrong with it: every fault at once, and never a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ppdt_db.audit import Hierarchy, Nodes, Released, Requirement, find_parts
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.families import ORDERED, family_of
from ppdt_db.hierarchies import Given, as_hierarchy
from ppdt_db.names import fold, nearest
from ppdt_db.policy import Attribute
from ppdt_db.source import Source, read_text
from ppdt_db.taxonomy import given_relation

NEEDS_POPULATION = (
    "journalist_risk_max", "journalist_risk_mean", "delta_presence_min", "delta_presence_max",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Asked:
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


def overlap_faults(roles: Mapping[str, Sequence[str]]) -> list[str]:
    """Columns that are given in two roles."""
    taken: dict[str, list[str]] = {}
    for role, names in roles.items():
        for name in names:
            taken.setdefault(fold(name), []).append(role)
    return [
        f'"{name}": given as {" and ".join(found)}. Give it one role, once.'
        for name, found in taken.items()
        if len(found) > 1
    ]


def requirement_faults(found: Source, asked: Asked) -> list[str]:
    """Requirements that lack what they are measured by."""
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


def people_faults(released: Released, asked: Asked) -> list[str]:
    """Quasi-identifiers that the people to compare with do not have."""
    people = {"population": asked.population, "original": asked.original}
    compared = ["population"]
    if any(entry.name == "kk" for entry in asked.required):
        compared.append("original")
    nodes = [shown.name for shown in released.shown if shown.shape == "node"]
    faults = [
        f'{role}: "{name}" shows nodes of a hierarchy, with which people cannot be compared.'
        for role in compared
        for name in nodes
        if people[role] is not None
    ]
    return faults + [
        f'{role}: it has no column "{name}", which is a quasi-identifier.'
        f"{nearest(name, source.columns)}"
        for role, source in people.items()
        if source is not None
        for name in find_parts(released, source.columns)[1]
    ]


def read_hierarchies(
    engine: DuckEngine, found: Source, asked: Asked, spelled: Mapping[str, str]
) -> dict[str, Hierarchy]:
    """The sensitive columns' hierarchies, from their files; faults as counts, never a value."""
    sensitive = {fold(name) for name in asked.sensitive}
    quasi = {fold(name) for name in asked.quasi}
    read: dict[str, Hierarchy] = {}
    for name, path in asked.hierarchies.items():
        if fold(name) in quasi:
            continue
        if fold(name) not in sensitive:
            asked.faults.append(
                f'hierarchy "{name}": it is no quasi-identifier or sensitive column of this audit.'
                f"{nearest(name, [*asked.quasi, *asked.sensitive])}"
            )
            continue
        if not Path(path).is_file():
            asked.faults.append(f'hierarchy "{name}": there is no file {path}.')
            continue
        relation = read_text(engine, Path(path))
        *levels, root = [column for column, _ in engine.describe(relation)]
        if not levels:
            asked.faults.append(f'hierarchy "{name}": the file has one column. Give leaf to root.')
            continue
        column = spelled[fold(name)]
        read[column] = Hierarchy(relation=relation, levels=levels)
        asked.faults.extend(_hierarchy_faults(engine, found, column, read[column], root))
    return read


def read_nodes(engine: DuckEngine, asked: Asked, spelled: Mapping[str, str]) -> dict[str, Nodes]:
    """The quasi-identifiers' hierarchies: over the original's values, or else over all leaves."""
    read: dict[str, Nodes] = {}
    quasi = {fold(name) for name in asked.quasi}
    given = {name: wish for name, wish in asked.hierarchies.items() if fold(name) in quasi}
    for position, (name, wish) in enumerate(given.items()):
        column = spelled[fold(name)]
        try:
            source, own = _domain(engine, asked, column, wish)
            dictionaries = Dictionaries(engine, source)
            named = Attribute(own, hierarchy=wish)
            if faults := dictionaries.hierarchy_faults(named):
                told = f'hierarchy "{own}"'
                asked.faults.extend(fault.replace(told, f'hierarchy "{name}"') for fault in faults)
                continue
            coded = dictionaries.make(own, position, "leaf", named, every_word=True)
        except RequestError as error:
            asked.faults.extend(f'hierarchy "{name}": {fault}' for fault in error.faults)
            continue
        is_ordered = coded.family in ORDERED
        read[column] = Nodes(node=coded.node, dictionary=coded.table, is_ordered=is_ordered)
    return read


def _domain(engine: DuckEngine, asked: Asked, column: str, wish: str | Path) -> tuple[Source, str]:
    """The relation and its column whose values a hierarchy is over."""
    if asked.original is not None:
        own = {fold(known): known for known in asked.original.columns}.get(fold(column))
        if own is not None:
            return asked.original, own
    hierarchy = as_hierarchy(wish)
    if not isinstance(hierarchy, Given):
        raise RequestError("without the original (--original) it must be a file or a relation.")
    relation, types = given_relation(engine, hierarchy.place)
    source = Source(kind="table", title=hierarchy.place, relation=relation, columns=dict(types))
    return source, next(iter(types))


def _hierarchy_faults(
    engine: DuckEngine, found: Source, column: str, hierarchy: Hierarchy, root: str
) -> list[str]:
    names = {
        "release": found.relation, "column": column, "hierarchy": hierarchy.relation,
        "levels": hierarchy.levels, "root": root, "type_name": found.columns[column],
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
