"""Releases that stand in a database: list them, drop them, bring their catalog up to date."""

import duckdb

from ppdt_db import recode
from ppdt_db.catalog import Catalog, Entry
from ppdt_db.engine import DuckEngine
from ppdt_db.names import view_path


def releases(con: duckdb.DuckDBPyConnection) -> list[Entry]:
    """All releases on record, newest first."""
    return Catalog(DuckEngine(con)).releases()


def drop(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Remove a release and all that belongs to it from the database."""
    engine = DuckEngine(con)
    catalog = Catalog(engine)
    with engine.transaction():
        catalog.check()
        entry = catalog.find(name)
        recode.drop_parts(engine, entry.run_id, view_path(entry.name))
        catalog.end(entry)


def migrate(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Bring an existing catalog, or a new one, up to this version; returns what was applied."""
    engine = DuckEngine(con)
    with engine.transaction():
        return Catalog(engine).migrate()
