"""A file that may come from somebody else, opened where it can reach nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ppdt_db.engine.duckdb import DuckEngine
from ppdt_db.engine.duckdb_errors import DEBUG, unopened
from ppdt_db.engine.limits import connect
from ppdt_db.template import render


@contextmanager
def apart(path: Path, name: str) -> Iterator[DuckEngine]:
    """Open a file for reading in a DuckDB of its own, without other files and without network."""
    with connect(None) as con:
        names = {"path": str(path), "name": name, "read_only": True}
        try:
            con.execute(render("engine/attach", names).text)
        except duckdb.Error as error:
            raise unopened(error, path) from (error if DEBUG else None)
        engine = DuckEngine(con)
        engine.run("engine/set", {"name": "enable_external_access", "value": False})
        engine.run("engine/set", {"name": "lock_configuration", "value": True})
        yield engine
