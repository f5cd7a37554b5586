"""What keeps a release out of the databases that are open on a connection."""

from ppdt_db.catalog import SCHEMA
from ppdt_db.engine import DuckEngine
from ppdt_db.names import fold
from ppdt_db.request.request import Request


def database_faults(engine: DuckEngine, request: Request) -> list[str]:
    """What keeps a release out of the databases that are open."""
    faults: list[str] = []
    if any(fold(str(row[0])) == SCHEMA for row in engine.rows("engine/database")):
        faults.append(
            f'a database is open under the name "{SCHEMA}", which is our schema\'s: DuckDB could '
            "not tell them apart. Open it under another name (copy the file, or ATTACH ... AS)."
        )
    is_database = request.file is not None and fold(request.file.suffix) == ".duckdb"
    if engine.is_inside_transaction and is_database:
        faults.append(
            "--out: a DuckDB file cannot be written inside an open transaction. Commit it first, "
            "or write Parquet."
        )
    return faults
