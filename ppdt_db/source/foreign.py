"""Check a database from an untrusted origin before it is read: it must hold data, not code.

A database can contain views, macros, generated columns, defaults and triggers: SQL by its author,
which would run with the reader's rights. So it may contain only tables that compute nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ppdt_db.engine import DuckEngine

# Each table with its columns and the types that each may have, in order; no types: any type.
Tables: TypeAlias = Mapping[str, Sequence[tuple[str, Sequence[str]]]]
TRIGGERS = "duckdb_triggers"
_with_triggers: dict[str, bool] = {}


@dataclass(frozen=True, kw_only=True)
class ForeignObject:
    """One object in a database."""

    kind: str
    schema: str
    name: str
    column: str
    type_name: str
    formula: str


def objects_of(engine: DuckEngine, database: str) -> list[ForeignObject]:
    """Return all objects of a database from its catalog, without running any of them."""
    macros = _read(engine, "lib/engine/macros_of", database)
    return [*objects_beside_macros(engine, database), *macros]


def objects_beside_macros(engine: DuckEngine, database: str) -> list[ForeignObject]:
    """Return what is soon listed: all objects of a database but its macros."""
    found = _read(engine, "lib/engine/objects", database)
    if _has_triggers(engine):
        found += _read(engine, "lib/engine/triggers", database)
    return found


def _read(engine: DuckEngine, step: str, database: str) -> list[ForeignObject]:
    return [
        ForeignObject(
            kind=kind, schema=schema, name=name, column=column, type_name=of, formula=formula
        )
        for kind, schema, name, column, of, formula in (
            map(str, row) for row in engine.rows(step, {"name": database})
        )
    ]


def _has_triggers(engine: DuckEngine) -> bool:
    """Return whether this DuckDB has triggers; cached, as it takes long to find out."""
    version = engine.versions["duckdb"]
    if version not in _with_triggers:
        names = {row[0] for row in engine.rows("lib/engine/functions")}
        _with_triggers[version] = TRIGGERS in names
    return _with_triggers[version]


def table_faults(objects: Sequence[ForeignObject], schema: str, tables: Tables) -> list[str]:
    """Return what keeps tables of a schema from being plain data with the expected columns."""
    inside = [each for each in objects if each.schema == schema and each.name in tables]
    columns: dict[str, list[ForeignObject]] = {name: [] for name in tables}
    for each in inside:
        if each.kind == "column":
            columns[each.name].append(each)
    existing = {each.name for each in inside if each.kind == "table"}
    faults = [f'"{name}" is not a table' for name in tables if name not in existing]
    faults += [
        f'"{name}" has other columns than expected'
        for name, wanted in tables.items()
        if name in existing and not _are_expected(columns[name], wanted)
    ]
    computed = {each.name for each in inside if each.formula or each.kind in ("check", "trigger")}
    return faults + [f'"{name}" computes something' for name in sorted(computed & existing)]


def more_faults(objects: Sequence[ForeignObject], tables: Tables) -> list[str]:
    """Return what a database contains besides some tables of its schema main."""
    kinds = {
        each.kind
        for each in objects
        if (each.schema, each.kind) not in (("main", "table"), ("main", "column"))
        or each.name not in tables
    }
    return [f"it contains an unexpected {kind}" for kind in sorted(kinds)]


def _are_expected(
    found: Sequence[ForeignObject], wanted: Sequence[tuple[str, Sequence[str]]]
) -> bool:
    return [each.column for each in found] == [name for name, _ in wanted] and all(
        not types or each.type_name in types for each, (_, types) in zip(found, wanted, strict=True)
    )
