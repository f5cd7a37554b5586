"""Faults of the open databases: those that keep a release from being written."""

from ppdt_db.engine import DuckEngine
from ppdt_db.release.catalog import SCHEMA
from ppdt_db.release.request.request import Request
from ppdt_db.sqltext.quoting import normalize_name


def database_faults(engine: DuckEngine, request: Request) -> list[str]:
    """Return the faults of the open databases that keep a release from being written."""
    faults: list[str] = []
    if any(normalize_name(str(row[0])) == SCHEMA for row in engine.rows("lib/engine/database")):
        faults.append(
            f'a database is attached under the name "{SCHEMA}", the name of ppdt\'s own schema, '
            "so DuckDB could not tell them apart. Attach it under another name (ATTACH ... AS, "
            "or copy the file)."
        )
    is_database = request.file is not None and normalize_name(request.file.suffix) == ".duckdb"
    if engine.is_inside_transaction and is_database:
        faults.append(
            "--out: a DuckDB file cannot be written inside an open transaction. Commit it "
            "first, or write Parquet."
        )
    return faults
