"""What must not be in a connection that a run takes place on."""

from ppdt_db.catalog import SCHEMA
from ppdt_db.engine import DuckEngine
from ppdt_db.names import fold
from ppdt_db.request.request import Request

# What each setting must be, or what statements would mean or say something else.
WANTED = {
    "default_collation": ("", "under it, different values count as one"),
    "preserve_identifier_case": ("preserve_case", "it changes the names of columns"),
    "enable_macro_dependencies": ("false", "under it, our macros cannot be brought up to date"),
}
# What older versions of DuckDB call the same.
SAME = {"preserve_case": ("true",)}


def connection_faults(engine: DuckEngine) -> list[str]:
    """Return what the session has set under which statements would mean something else."""
    found = {str(name): str(value or "").lower() for name, value in engine.rows("engine/settings")}
    return [
        f"this connection has set {name}: {why}. RESET {name} first."
        for name, (wanted, why) in WANTED.items()
        if found.get(name, wanted) not in (wanted, *SAME.get(wanted, ()))
    ]


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
