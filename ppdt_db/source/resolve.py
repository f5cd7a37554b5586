"""Resolve names to full names on a connection, for sources and for targets.

DuckDB itself resolves them, because of search paths, temporary tables, and databases and schemas of
the same name. Statements contain only the full name.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Row
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.sqltext.quoting import (
    RESERVED,
    Sql,
    did_you_mean,
    ident,
    join_path,
    normalize_name,
    parts_of,
)

Path = tuple[str, ...]
# Errors that still mean that DuckDB bound the name: it cannot serialize plans of frames and files.
BOUND = (None, "not implemented", "serialization")
UNWRITTEN = "does not support serialization"
OWN = ("temp", "system")


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table or view under its full name: database, schema, name."""

    path: Path
    kind: Literal["table", "view"]

    @property
    def relation(self) -> Sql:
        """The quoted full name."""
        return ident(self.path)


def table_of(engine: DuckEngine, name: str) -> Table | None:
    """Return the table or view that DuckDB reads under a name, or None.

    Files and Python variables do not count: without a table of that name nothing is looked up.
    """
    parts = parts_of(name)
    alike = _alike(engine, parts[-1])
    if not alike:
        return None
    path = ident(parts)
    fault, message = engine.row("lib/engine/binds", {"path": path})
    if not _is_bound(fault, message):
        _refuse_ambiguous(name, parts, alike, str(message))
        return None
    column = ident(engine.describe(path)[0][0])
    full = {ident(row[:3]): row for row in alike}
    # DuckDB 2 has nested schemas, and its catalog shows only the innermost one.
    nested = {ident((str(row[0]), *parts[:-1], str(row[2]))): row for row in alike}
    known = {**nested, **full} if len(parts) > 2 else full
    params = {"paths": list(map(str, known)), "column": column, "path": path}
    bound = [Sql(p) for p, *why in engine.rows("lib/engine/meant", params) if _is_bound(*why)]
    matches = [p for p in bound if p in full] or bound
    if len(matches) > 1:
        listed = ", ".join(join_path(_path_of(p)) for p in matches)
        raise RequestError(f'"{name}" is ambiguous: {listed}. Write the full name.')
    if not matches:
        return None
    kind: Literal["table", "view"] = "table" if known[matches[0]][3] == "table" else "view"
    return Table(path=_path_of(matches[0]), kind=kind)


def hint_of(engine: DuckEngine, name: str) -> str:
    """Return a hint for a name that cannot be resolved."""
    alike = _alike(engine, parts_of(name)[-1])
    if alike:
        listed = ", ".join(sorted(join_path(row[:3]) for row in alike))
        is_view = any(row[3] == "view" for row in alike)
        broken = " (a view cannot be read if its tables are gone)" if is_view else ""
        return f" There is {listed}{broken}: write the full name, or USE its schema."
    known = [str(row[2]) for row in engine.rows("lib/engine/tables")]
    return did_you_mean(parts_of(name)[-1], known)


def place_of(engine: DuckEngine, name: str) -> Path:
    """Return the full name under which DuckDB would create a view or table; raise if it cannot."""
    parts = parts_of(name)
    start = f'"{name}": '
    if len(parts) > 3:
        raise RequestError(f"{start}write NAME, SCHEMA.NAME or DATABASE.SCHEMA.NAME.")
    if len(parts) == 1:
        database, schema = map(str, engine.row("lib/engine/here"))
        path: Path = (database, schema, parts[0])
    else:
        _check_parts(engine, start, parts)
        path = (*_probe_place(engine, start, parts), parts[-1])
    check_database(engine, start, path[0])
    return path


def _alike(engine: DuckEngine, name: str) -> list[Row]:
    rows = engine.rows("lib/engine/alike", {"name": name})
    return [row for row in rows if normalize_name(str(row[2])) == normalize_name(name)]


def _is_bound(fault: object, message: object) -> bool:
    """Return whether DuckDB could plan a query, even if the plan cannot be serialized."""
    is_unwritten = fault == "invalid input" and str(message).endswith(UNWRITTEN)
    return fault in BOUND or is_unwritten


def _path_of(path: Sql) -> Path:
    return parts_of(path)


def _refuse_ambiguous(name: str, parts: Path, alike: Sequence[Row], message: str) -> None:
    """Raise if the first part of a name is both a database and a schema."""
    if "Ambiguous" in message and len(parts) == 2:
        first = normalize_name(parts[0])
        named = [row for row in alike if first in {normalize_name(str(part)) for part in row[:2]}]
        listed = ", ".join(sorted(join_path(row[:3]) for row in named))
        raise RequestError(
            f'"{name}": "{parts[0]}" is both a database and a schema. Write the full name: '
            f"{listed}."
        )


def _check_parts(engine: DuckEngine, start: str, parts: Path) -> None:
    """Raise if the database or the schema of a target does not exist."""
    databases = {normalize_name(str(row[0])) for row in engine.rows("lib/engine/database")} | {*OWN}
    schemas = [(str(row[0]), str(row[1])) for row in engine.rows("lib/engine/schemas")]
    first = normalize_name(parts[0])
    if len(parts) == 3:
        if first not in databases:
            raise RequestError(f'{start}there is no database "{parts[0]}". ATTACH it first.')
        if (first, normalize_name(parts[1])) not in {
            (normalize_name(d), normalize_name(s)) for d, s in schemas
        }:
            raise _no_schema(start, parts[1], [s for d, s in schemas if normalize_name(d) == first])
        return
    if first in databases:
        probe = ident((parts[0], f"{RESERVED}{secrets.token_hex(8)}"))
        if engine.row("lib/engine/binds", {"path": probe})[0] == "binder":
            raise RequestError(
                f'{start}"{parts[0]}" is both a database and a schema. Write the full name: '
                "DATABASE.SCHEMA.NAME."
            )
    elif first not in {normalize_name(schema) for _, schema in schemas}:
        raise _no_schema(start, parts[0], [schema for _, schema in schemas])


def _no_schema(start: str, name: str, known: Sequence[str]) -> RequestError:
    return RequestError(
        f'{start}there is no schema "{name}". Create it first.'
        f"{did_you_mean(name, dict.fromkeys(known))}"
    )


def _probe_place(engine: DuckEngine, start: str, parts: Path) -> tuple[str, str]:
    """Return the database and schema where DuckDB creates such a view, by creating one briefly."""
    check_database(engine, start, parts[0])
    name = f"{RESERVED}{secrets.token_hex(8)}"
    # Not through the run's engine: this view is not part of the script of the run.
    probing = DuckEngine(engine.con)
    try:
        with probing.undone((*parts[:-1], name)):
            rows = probing.rows("lib/engine/alike", {"name": name})
    except EngineError as error:
        raise RequestError(
            f"{start}DuckDB cannot create it there on this connection. Write DATABASE.SCHEMA.NAME. "
            f"({error})"
        ) from None
    ((database, schema, *_),) = rows
    return str(database), str(schema)


def check_database(engine: DuckEngine, start: str, name: str) -> None:
    """Raise if a release cannot be kept in a database."""
    if normalize_name(name) in OWN:
        raise RequestError(
            f"{start}nothing is kept in database {normalize_name(name)}. Choose another one."
        )
    for database, _, is_read_only, _, _, kind in engine.rows("lib/engine/database"):
        if normalize_name(str(database)) != normalize_name(name):
            continue
        if kind != "duckdb":
            raise RequestError(
                f"{start}{database} is a {kind} database, which cannot hold a release. Choose a "
                "DuckDB database (DATABASE.SCHEMA.NAME), or write a file with --out."
            )
        if is_read_only:
            raise RequestError(
                f"{start}the database is open for reading only. Open it for writing, or use --out."
            )
