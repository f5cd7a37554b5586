"""Frames: what is handed over from Python, readable under a name, or why it is not."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.duckdb_errors import cause_of
from ppdt_db.errors import RequestError

ONE_PASS = ("RecordBatchReader", "Scanner")
REFUSED = (duckdb.Error, TypeError, AttributeError, ValueError)


@contextmanager
def registered(engine: DuckEngine, name: str, given: object) -> Iterator[None]:
    """A frame under a name, for as long as the block lasts."""
    kind = type(given).__name__
    if kind in ONE_PASS:
        raise RequestError(
            f"a {kind} can be read only once. Read it into a table first (.read_all())."
        )
    # A statement takes the place of a result that nobody has fetched; where the connection is
    # closed, or the result cannot be let go, it says so.
    engine.row("engine/here")
    try:
        engine.con.register(name, given)
    except REFUSED as error:
        raise RequestError(_why(engine, name, given, error)) from None
    try:
        yield
    finally:
        engine.con.unregister(name)


def _why(engine: DuckEngine, name: str, given: object, error: Exception) -> str:
    """Why DuckDB does not take a frame, in words that quote no value of it."""
    kind, text = type(given).__name__, str(error)
    start = f"the source, a {kind}, cannot be read: "
    if "another Connection" in text or "The relation reads" in text:
        return start + "it belongs to another connection. Give one of this connection, or a frame."
    if isinstance(error, duckdb.CatalogException):
        return start + "what it was made from is not there any more. Make it again."
    if isinstance(error, duckdb.Error) and (cause := cause_of(error)):
        return f"{start}{cause}."
    if columns := _unreadable(engine, name, given):
        listed = ", ".join(f'"{column}" ({of_type})' for column, of_type in columns)
        return f"{start}DuckDB knows no type for {listed}. Cast first, or leave the columns out."
    return (
        f"a source of type {kind} cannot be read. Give the name of a table or view, a path to "
        "Parquet or CSV, a DuckDB relation of the same connection, or an Arrow, pandas or Polars "
        "frame."
    )


def _unreadable(engine: DuckEngine, name: str, given: object) -> list[tuple[str, str]]:
    """The columns of a frame that DuckDB does not take even without a row, and their types."""
    found: list[tuple[str, str]] = []
    for column, of_type, alone in _columns_of(given):
        try:
            engine.con.register(name, alone)
        except REFUSED:
            found.append((column, of_type))
        else:
            with suppress(duckdb.Error):
                engine.con.unregister(name)
    return found


def _columns_of(given: object) -> Iterator[tuple[str, str, object]]:
    """The columns of an Arrow table, a pandas or Polars frame: name, type, itself without rows."""
    if hasattr(given, "iloc") and hasattr(given, "dtypes"):
        for place, (column, of_type) in enumerate(given.dtypes.items()):
            yield str(column), str(of_type), given.iloc[:0, [place]]
    elif hasattr(given, "slice") and hasattr(given, "select") and hasattr(given, "schema"):
        schema = given.schema
        types = schema.types if hasattr(schema, "types") else list(schema.values())
        names = schema.names if callable(getattr(schema, "get_field_index", None)) else list(schema)
        for column, of_type in zip(names, types, strict=True):
            yield str(column), str(of_type), given.slice(0, 0).select([column])
