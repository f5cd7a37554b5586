"""Resolve: what a name means on a connection, and where something would be made under it.

DuckDB is asked, never imitated: search paths, temporary tables, databases and schemas of one name.
What it answers is the full name, and only that goes into statements.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Row
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.names import RESERVED, Sql, fold, ident, nearest, parts_of, spelled

Path = tuple[str, ...]
# DuckDB bound the name: that it cannot write down the plan of a frame or a file is no matter.
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
        """What may stand in a statement."""
        return ident(self.path)


def table_of(engine: DuckEngine, name: str) -> Table | None:
    """The table or view that DuckDB reads under a name; None where it reads none.

    A file, or a variable of Python, is none: what has no table of that name is not looked up.
    """
    parts = parts_of(name)
    alike = _alike(engine, parts[-1])
    if not alike:
        return None
    path = ident(parts)
    fault, message = engine.row("engine/binds", {"path": path})
    if not _is_bound(fault, message):
        _refuse_ambiguous(name, parts, alike, str(message))
        return None
    column = ident(engine.describe(path)[0][0])
    full = {ident(row[:3]): row for row in alike}
    # DuckDB 2 has schemas inside of schemas, and its catalog tells only the innermost one.
    nested = {ident((str(row[0]), *parts[:-1], str(row[2]))): row for row in alike}
    known = {**nested, **full} if len(parts) > 2 else full
    asked = {"paths": list(map(str, known)), "column": column, "path": path}
    meant = [Sql(p) for p, *why in engine.rows("engine/meant", asked) if _is_bound(*why)]
    found = [p for p in meant if p in full] or meant
    if len(found) > 1:
        listed = ", ".join(spelled(_path_of(p)) for p in found)
        raise RequestError(f'"{name}" is ambiguous: {listed}. Write the full name.')
    if not found:
        return None
    kind: Literal["table", "view"] = "table" if known[found[0]][3] == "table" else "view"
    return Table(path=_path_of(found[0]), kind=kind)


def hint_of(engine: DuckEngine, name: str) -> str:
    """What else could have been meant by a name that means nothing here."""
    alike = _alike(engine, parts_of(name)[-1])
    if alike:
        listed = ", ".join(sorted(spelled(row[:3]) for row in alike))
        is_view = any(row[3] == "view" for row in alike)
        broken = " (a view whose own tables are gone cannot be read)" if is_view else ""
        return f" There is {listed}{broken}: write the full name, or USE its schema."
    known = [str(row[2]) for row in engine.rows("engine/tables")]
    return nearest(parts_of(name)[-1], known)


def place_of(engine: DuckEngine, name: str) -> Path:
    """The full name under which DuckDB would make a view or table; raises where it could not."""
    parts = parts_of(name)
    start = f'"{name}": '
    if len(parts) > 3:
        raise RequestError(f"{start}write NAME, SCHEMA.NAME or DATABASE.SCHEMA.NAME.")
    if len(parts) == 1:
        database, schema = map(str, engine.row("engine/here"))
        path: Path = (database, schema, parts[0])
    else:
        _check_parts(engine, start, parts)
        path = (*_asked(engine, start, parts), parts[-1])
    check_database(engine, start, path[0])
    return path


def _alike(engine: DuckEngine, name: str) -> list[Row]:
    rows = engine.rows("engine/alike", {"name": name})
    return [row for row in rows if fold(str(row[2])) == fold(name)]


def _is_bound(fault: object, message: object) -> bool:
    """Whether a plan was made, written down or not."""
    is_unwritten = fault == "invalid input" and str(message).endswith(UNWRITTEN)
    return fault in BOUND or is_unwritten


def _path_of(path: Sql) -> Path:
    return parts_of(path)


def _refuse_ambiguous(name: str, parts: Path, alike: Sequence[Row], message: str) -> None:
    """Raise where the first part of a name is both a database and a schema."""
    if "Ambiguous" in message and len(parts) == 2:
        listed = ", ".join(sorted(
            spelled(row[:3]) for row in alike if fold(parts[0]) in {fold(str(p)) for p in row[:2]}
        ))  # fmt: skip
        raise RequestError(
            f'"{name}": "{parts[0]}" is both a database and a schema here. Write the full name: '
            f"{listed}."
        )


def _check_parts(engine: DuckEngine, start: str, parts: Path) -> None:
    """Raise where the database or the schema of a place is not there, before DuckDB is asked."""
    databases = {fold(str(row[0])) for row in engine.rows("engine/database")} | {*OWN}
    schemas = [(str(row[0]), str(row[1])) for row in engine.rows("engine/schemas")]
    first = fold(parts[0])
    if len(parts) == 3:
        if first not in databases:
            raise RequestError(f'{start}there is no database "{parts[0]}". ATTACH it first.')
        if (first, fold(parts[1])) not in {(fold(d), fold(s)) for d, s in schemas}:
            raise _no_schema(start, parts[1], [s for d, s in schemas if fold(d) == first])
        return
    if first in databases:
        probe = ident((parts[0], f"{RESERVED}{secrets.token_hex(8)}"))
        if engine.row("engine/binds", {"path": probe})[0] == "binder":
            raise RequestError(
                f'{start}"{parts[0]}" is both a database and a schema here. Write the full name: '
                "DATABASE.SCHEMA.NAME."
            )
    elif first not in {fold(schema) for _, schema in schemas}:
        raise _no_schema(start, parts[0], [schema for _, schema in schemas])


def _no_schema(start: str, name: str, known: Sequence[str]) -> RequestError:
    return RequestError(
        f'{start}there is no schema "{name}". Make it first.{nearest(name, dict.fromkeys(known))}'
    )


def _asked(engine: DuckEngine, start: str, parts: Path) -> tuple[str, str]:
    """The database and schema where DuckDB makes a view of such a name: one is made, and undone."""
    check_database(engine, start, parts[0])
    name = f"{RESERVED}{secrets.token_hex(8)}"
    # Not by the run's own engine: what is undone is no part of the script of a run.
    asking = DuckEngine(engine.con)
    try:
        with asking.undone((*parts[:-1], name)):
            rows = asking.rows("engine/alike", {"name": name})
    except EngineError as error:
        raise RequestError(
            f"{start}DuckDB makes nothing there on this connection. Write DATABASE.SCHEMA.NAME. "
            f"({error})"
        ) from None
    ((database, schema, *_),) = rows
    return str(database), str(schema)


def check_database(engine: DuckEngine, start: str, name: str) -> None:
    """Raise where nothing of ours can be kept in a database."""
    if fold(name) in OWN:
        raise RequestError(f"{start}nothing is kept in {fold(name)}. Name a place that stays.")
    for database, _, is_read_only, _, _, kind in engine.rows("engine/database"):
        if fold(str(database)) != fold(name):
            continue
        if kind != "duckdb":
            raise RequestError(
                f"{start}{database} is a database of {kind}, not of DuckDB: no view of ours can "
                "stand there, and no record of it. Name a DuckDB database (DATABASE.SCHEMA.NAME), "
                "or write a file (--out)."
            )
        if is_read_only:
            raise RequestError(
                f"{start}the database is open for reading only. Open it for writing, or use --out."
            )
