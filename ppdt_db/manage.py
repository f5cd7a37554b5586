"""Releases that stand in a database: list them, drop them, bring their catalog up to date."""

import duckdb

from ppdt_db import recode
from ppdt_db.catalog import Catalog, Entry
from ppdt_db.engine import DuckEngine, alone
from ppdt_db.resolve import check_database, place_of, table_of


def releases(con: duckdb.DuckDBPyConnection) -> list[Entry]:
    """All releases on record, newest first."""
    return Catalog(DuckEngine(con)).releases()


def drop(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Remove a release and all that belongs to it from the database."""
    engine = DuckEngine(con)
    found = table_of(engine, name)
    # Where somebody removed the view, its record still says what stood at this place.
    path = place_of(engine, name) if found is None else found.path
    catalog = Catalog(engine, path[0])
    with alone(catalog.place), engine.transaction():
        catalog.check()
        entry = catalog.find(name, path)
        recode.drop_parts(engine, path[0], entry.run_id, entry.view)
        catalog.end(entry)


def migrate(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Bring an existing catalog, or a new one, up to this version; returns what was applied."""
    engine = DuckEngine(con)
    catalog = Catalog(engine)
    check_database(engine, "the catalog: ", catalog.database)
    with alone(catalog.place), engine.transaction():
        return catalog.migrate()
