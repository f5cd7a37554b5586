"""Releases that stand in a database: list them, drop them, bring their catalog up to date."""

import duckdb

from ppdt_db import recode
from ppdt_db.catalog import Catalog, Entry
from ppdt_db.connection import check_connection
from ppdt_db.engine import DuckEngine, alone
from ppdt_db.errors import RequestError
from ppdt_db.resolve import check_database, place_of, table_of


def releases(con: duckdb.DuckDBPyConnection) -> list[Entry]:
    """All releases on record, newest first."""
    engine = DuckEngine(con)
    check_connection(engine)
    return Catalog(engine).releases()


def drop(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Remove a release and all that belongs to it from the database."""
    engine = DuckEngine(con)
    check_connection(engine)
    found = table_of(engine, name)
    # Where somebody removed the view, or hides it, its record still says what stands at this place.
    path = _place_of(engine, name)
    if found is not None and Catalog(engine, found.path[0]).standing(found.path):
        path = found.path
    catalog = Catalog(engine, path[0])
    with alone(catalog.place), engine.transaction():
        catalog.check()
        entry = catalog.find(name, path)
        recode.drop_parts(engine, path[0], entry.run_id, entry.view)
        catalog.end(entry)


def _place_of(engine: DuckEngine, name: str) -> tuple[str, ...]:
    """Return where a release of this name would stand; a name of no such place is told later."""
    try:
        return place_of(engine, name)
    except RequestError:
        return (engine.database, "main", name)


def migrate(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Bring an existing catalog, or a new one, up to this version; returns what was applied."""
    engine = DuckEngine(con)
    check_connection(engine)
    catalog = Catalog(engine)
    check_database(engine, "the catalog: ", catalog.database)
    with alone(catalog.place), engine.transaction():
        return catalog.migrate()
