"""The request of an audit, and its checks, which report every fault at once, and never a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ppdt_db.audit import AuditedRelation, Hierarchy, Nodes, Requirement, find_parts
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.encode.hierarchy import given_relation
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.policy.hierarchy_specs import HierarchyTable, as_hierarchy
from ppdt_db.policy.roles import Attribute
from ppdt_db.source.source import Source, read_text
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import by_normal_name, did_you_mean, normalize_name
from ppdt_db.tree.tree import Tree

NEEDS_POPULATION = (
    "journalist_risk_max", "journalist_risk_mean", "delta_presence_min", "delta_presence_max",
)  # fmt: skip
NEEDS_ORIGINAL = ("kk", "tidi")
NEEDS_TREE = ("path", "leaf")


@dataclass(frozen=True, kw_only=True)
class AuditRequest:
    """The request of an audit, before it is checked against the columns."""

    quasi: Sequence[str]
    sensitive: Sequence[str]
    entity: str | None
    original: Source | None
    population: Source | None
    hierarchies: Mapping[str, str | Path]
    tree: Tree | None
    sampling: float | None
    required: Sequence[Requirement]
    faults: list[str] = field(default_factory=list)


def overlap_faults(roles: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a fault for every column with two roles."""
    taken: dict[str, list[str]] = {}
    for role, names in roles.items():
        for name in names:
            taken.setdefault(normalize_name(name), []).append(role)
    return [
        f'"{name}": given as {" and ".join(given_roles)}. Give it one role.'
        for name, given_roles in taken.items()
        if len(given_roles) > 1
    ]


def requirement_faults(data: Source, request: AuditRequest) -> list[str]:
    """Return a fault for every requirement that cannot be measured."""
    faults: list[str] = []
    ordered = {
        normalize_name(column)
        for column, type_name in data.columns.items()
        if family_of(type_name) in ORDERED
    }
    with_hierarchy = {normalize_name(name) for name in request.hierarchies}
    for entry in request.required:
        name = entry.name
        if entry.model.of_sensitive and not request.sensitive:
            faults.append(f"requirement {name} needs a sensitive column (--sensitive).")
        if entry.with_others and len(request.sensitive) == 1:
            faults.append(f"requirement {name} needs a second sensitive column (--sensitive).")
        if entry.model.measure == "t_ordered":
            faults += [
                f'requirement {name}: "{column}" has no order. Use t_equal or t_hierarchical.'
                for column in request.sensitive
                if normalize_name(column) not in ordered
            ]
        if entry.model.measure == "t_hierarchical":
            faults += [
                f'requirement {name}: "{column}" needs a hierarchy (--hierarchy {column}=FILE).'
                for column in request.sensitive
                if normalize_name(column) not in with_hierarchy
            ]
        if name in NEEDS_POPULATION and request.population is None:
            faults.append(f"requirement {name} needs a population (--population).")
        if name in NEEDS_ORIGINAL and request.original is None:
            faults.append(f"requirement {name} needs the original (--original).")
        if name in NEEDS_TREE and request.tree is None:
            faults.append(f"requirement {name} needs the tree of the release (--tree).")
        if name == "population_uniqueness" and request.sampling is None:
            faults.append(f"requirement {name} needs the sampling fraction (--sampling).")
    return faults


def people_faults(released: AuditedRelation, request: AuditRequest) -> list[str]:
    """Return a fault for every quasi-identifier that the population or original lacks."""
    people = {"population": request.population, "original": request.original}
    compared = ["population"]
    if any(entry.name == "kk" for entry in request.required):
        compared.append("original")
    nodes = [shown.name for shown in released.shown if shown.shape == "node"]
    faults = [
        f'{role}: "{name}" shows hierarchy nodes, which cannot be compared with people.'
        for role in compared
        for name in nodes
        if people[role] is not None
    ]
    return faults + [
        f'{role}: it lacks the quasi-identifier "{name}".{did_you_mean(name, source.columns)}'
        for role, source in people.items()
        if source is not None
        for name in find_parts(released, source.columns)[1]
    ]


def read_hierarchies(
    engine: DuckEngine, data: Source, request: AuditRequest, by_name: Mapping[str, str]
) -> dict[str, Hierarchy]:
    """Read the hierarchies of sensitive columns from files; faults are counts."""
    sensitive = {normalize_name(name) for name in request.sensitive}
    quasi = {normalize_name(name) for name in request.quasi}
    read: dict[str, Hierarchy] = {}
    for name, path in request.hierarchies.items():
        if normalize_name(name) in quasi:
            continue
        if normalize_name(name) not in sensitive:
            request.faults.append(
                f'hierarchy "{name}": not a quasi-identifier or sensitive column of this audit.'
                f"{did_you_mean(name, [*request.quasi, *request.sensitive])}"
            )
            continue
        if not Path(path).is_file():
            request.faults.append(f'hierarchy "{name}": the file {path} does not exist.')
            continue
        relation = read_text(engine, Path(path))
        *levels, root = [column for column, _ in engine.describe(relation)]
        if not levels:
            request.faults.append(
                f'hierarchy "{name}": the file has only one column. Give leaf to root.'
            )
            continue
        column = by_name[normalize_name(name)]
        read[column] = Hierarchy(relation=relation, levels=levels)
        request.faults.extend(_hierarchy_faults(engine, data, column, read[column], root))
    return read


def read_nodes(
    engine: DuckEngine, request: AuditRequest, by_name: Mapping[str, str]
) -> dict[str, Nodes]:
    """Read the quasi-identifiers' hierarchies: over the original's values, else all leaves."""
    read: dict[str, Nodes] = {}
    quasi = {normalize_name(name) for name in request.quasi}
    specs = {
        name: spec for name, spec in request.hierarchies.items() if normalize_name(name) in quasi
    }
    for position, (name, spec) in enumerate(specs.items()):
        column = by_name[normalize_name(name)]
        try:
            source, source_column = _domain(engine, request, column, spec)
            dictionaries = Dictionaries(engine, source)
            named = Attribute(source_column, hierarchy=spec)
            if faults := dictionaries.hierarchy_faults(named):
                prefix = f'hierarchy "{source_column}"'
                request.faults.extend(
                    fault.replace(prefix, f'hierarchy "{name}"') for fault in faults
                )
                continue
            coded = dictionaries.make(source_column, position, "leaf", named, every_word=True)
        except RequestError as error:
            request.faults.extend(f'hierarchy "{name}": {fault}' for fault in error.faults)
            continue
        is_ordered = coded.family in ORDERED
        read[column] = Nodes(node=coded.node, dictionary=coded.table, is_ordered=is_ordered)
    return read


def _domain(
    engine: DuckEngine, request: AuditRequest, column: str, spec: str | Path
) -> tuple[Source, str]:
    """Return the relation and the column whose values a hierarchy covers."""
    if request.original is not None:
        source_column = by_normal_name(request.original.columns).get(normalize_name(column))
        if source_column is not None:
            return request.original, source_column
    hierarchy = as_hierarchy(spec)
    if not isinstance(hierarchy, HierarchyTable):
        raise RequestError("it must be a file or a relation, unless --original is given.")
    relation, types = given_relation(engine, hierarchy.place)
    source = Source(kind="table", title=hierarchy.place, relation=relation, columns=dict(types))
    return source, next(iter(types))


def _hierarchy_faults(
    engine: DuckEngine, data: Source, column: str, hierarchy: Hierarchy, root: str
) -> list[str]:
    names = {
        "release": data.relation, "column": column, "hierarchy": hierarchy.relation,
        "levels": hierarchy.levels, "root": root, "type_name": data.columns[column],
    }  # fmt: skip
    n_missing, n_twice, n_roots, n_torn = engine.row("audit/hierarchy", names=names)
    start = f'hierarchy "{column}": '
    faults: list[str] = []
    if n_missing:
        faults.append(f"{start}{n_missing} values of the column are missing from it. Add them.")
    if n_twice:
        faults.append(f"{start}{n_twice} leaves are listed twice. List each once.")
    if n_roots != 1:
        faults.append(f"{start}it has {n_roots} roots. The last column must have one value.")
    if n_torn:
        faults.append(f"{start}{n_torn} nodes have two parents.")
    return faults
