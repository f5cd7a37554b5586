"""Manage the releases of a database: list them, drop them, migrate their catalog."""

import duckdb

from ppdt_db.engine import DuckEngine, alone
from ppdt_db.errors import RequestError
from ppdt_db.release import recode
from ppdt_db.release.catalog import Catalog, CatalogEntry
from ppdt_db.source.connection import check_connection
from ppdt_db.source.resolve import check_database, place_of, table_of


def releases(con: duckdb.DuckDBPyConnection) -> list[CatalogEntry]:
    """Return every release in the catalog, newest first."""
    engine = DuckEngine(con)
    check_connection(engine)
    return Catalog(engine).releases()


def drop(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Drop a release and everything that belongs to it."""
    engine = DuckEngine(con)
    check_connection(engine)
    found = table_of(engine, name)
    # If the view was dropped or is shadowed by another, the catalog still knows the release.
    path = _path_of_release(engine, name)
    if found is not None and Catalog(engine, found.path[0]).standing(found.path):
        path = found.path
    catalog = Catalog(engine, path[0])
    with alone(catalog.place), engine.transaction():
        catalog.check()
        entry = catalog.find(name, path)
        recode.drop_parts(engine, path[0], entry.run_id, entry.view)
        catalog.end(entry)


def _path_of_release(engine: DuckEngine, name: str) -> tuple[str, ...]:
    """Return the path of a release of this name; a name that cannot have one is reported later."""
    try:
        return place_of(engine, name)
    except RequestError:
        return (engine.database, "main", name)


def migrate(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Bring a new or existing catalog up to this version; return the migrations applied."""
    engine = DuckEngine(con)
    check_connection(engine)
    catalog = Catalog(engine)
    check_database(engine, "the catalog: ", catalog.database)
    with alone(catalog.place), engine.transaction():
        return catalog.migrate()
