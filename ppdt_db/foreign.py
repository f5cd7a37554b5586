"""Foreign: what may come from somebody else is looked at before it is read: data, or a program.

A database can hold views, macros, generated columns, defaults and triggers: SQL of its maker, which
would run with the reader's rights. What is to be data must be tables, and nothing that computes.
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
class Thing:
    """One thing that a database holds."""

    kind: str
    schema: str
    name: str
    column: str
    type_name: str
    formula: str


def things_of(engine: DuckEngine, database: str) -> list[Thing]:
    """Return everything that a database holds, by the catalog alone: nothing of it runs."""
    rows = engine.rows("engine/objects", {"name": database})
    if _has_triggers(engine):
        rows += engine.rows("engine/triggers", {"name": database})
    return [
        Thing(kind=kind, schema=schema, name=name, column=column, type_name=of, formula=formula)
        for kind, schema, name, column, of, formula in (map(str, row) for row in rows)
    ]


def _has_triggers(engine: DuckEngine) -> bool:
    """Whether this DuckDB has triggers; it takes long to tell, and is the same for each version."""
    version = engine.versions["duckdb"]
    if version not in _with_triggers:
        names = {row[0] for row in engine.rows("engine/functions")}
        _with_triggers[version] = TRIGGERS in names
    return _with_triggers[version]


def table_faults(things: Sequence[Thing], schema: str, tables: Tables) -> list[str]:
    """Return what keeps tables of a schema from being plain data of the columns expected."""
    inside = [thing for thing in things if thing.schema == schema and thing.name in tables]
    columns: dict[str, list[Thing]] = {name: [] for name in tables}
    for thing in inside:
        if thing.kind == "column":
            columns[thing.name].append(thing)
    stand = {thing.name for thing in inside if thing.kind == "table"}
    faults = [f'"{name}" is no table' for name in tables if name not in stand]
    faults += [
        f'"{name}" has other columns than expected'
        for name, wanted in tables.items()
        if name in stand and not _are_expected(columns[name], wanted)
    ]
    computed = {
        thing.name for thing in inside if thing.formula or thing.kind in ("check", "trigger")
    }
    return faults + [f'"{name}" computes something' for name in sorted(computed & stand)]


def more_faults(things: Sequence[Thing], tables: Tables) -> list[str]:
    """Return what a database holds beside some tables of its schema main."""
    kinds = {
        thing.kind
        for thing in things
        if (thing.schema, thing.kind) not in (("main", "table"), ("main", "column"))
        or thing.name not in tables
    }
    return [f"it holds a {kind} of its own" for kind in sorted(kinds)]


def _are_expected(found: Sequence[Thing], wanted: Sequence[tuple[str, Sequence[str]]]) -> bool:
    return [thing.column for thing in found] == [name for name, _ in wanted] and all(
        not types or thing.type_name in types
        for thing, (_, types) in zip(found, wanted, strict=True)
    )
