"""Open an untrusted database file in a DuckDB without file or network access."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ppdt_db.engine.connection import connect
from ppdt_db.engine.duckdb import DuckEngine
from ppdt_db.engine.duckdb_errors import unopened
from ppdt_db.errors import DEBUG
from ppdt_db.sqltext.templates import render


@contextmanager
def apart(path: Path, name: str) -> Iterator[DuckEngine]:
    """Open a file read-only in its own DuckDB, without access to other files or the network."""
    with connect(None) as con:
        names = {"path": str(path), "name": name, "read_only": True}
        try:
            con.execute(render("lib/engine/attach", names).text)
        except duckdb.Error as error:
            raise unopened(error, path) from (error if DEBUG else None)
        engine = DuckEngine(con)
        engine.run("lib/engine/set", {"name": "enable_external_access", "value": False})
        engine.run("lib/engine/set", {"name": "lock_configuration", "value": True})
        yield engine
