"""Register Python frames on a connection, or say why DuckDB cannot read them."""

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
    """Register a frame under a name while the block lasts."""
    kind = type(given).__name__
    if kind in ONE_PASS:
        raise RequestError(
            f"a {kind} can be read only once. Read it into a table first (.read_all())."
        )
    # A statement discards a pending result, and fails clearly if it cannot, or if the connection is
    # closed.
    engine.row("lib/engine/here")
    try:
        engine.con.register(name, given)
    except REFUSED as error:
        raise RequestError(_why(engine, name, given, error)) from None
    try:
        yield
    finally:
        engine.con.unregister(name)


def _why(engine: DuckEngine, name: str, given: object, error: Exception) -> str:
    """Return why DuckDB cannot read a frame, without quoting a value."""
    kind, text = type(given).__name__, str(error)
    start = f"the source, a {kind}, cannot be read: "
    if "another Connection" in text or "The relation reads" in text:
        return (
            start
            + "it belongs to another connection. Pass a relation of this connection, or a frame."
        )
    if isinstance(error, duckdb.CatalogException):
        return start + "the object that it was made from no longer exists. Create it again."
    if isinstance(error, duckdb.Error) and (cause := cause_of(error)):
        return f"{start}{cause}."
    if columns := _unreadable(engine, name, given):
        listed = ", ".join(f'"{column}" ({type_name})' for column, type_name in columns)
        return f"{start}DuckDB has no type for {listed}. Cast or drop these columns first."
    return (
        f"a source of type {kind} cannot be read. Pass the name of a table or view, a path to "
        "Parquet or CSV, a DuckDB relation of the same connection, or an Arrow, pandas or Polars "
        "frame."
    )


def _unreadable(engine: DuckEngine, name: str, given: object) -> list[tuple[str, str]]:
    """Return the columns of a frame whose types DuckDB cannot read, with these types."""
    unreadable: list[tuple[str, str]] = []
    for column, type_name, empty in _columns_of(given):
        try:
            engine.con.register(name, empty)
        except REFUSED:
            unreadable.append((column, type_name))
        else:
            with suppress(duckdb.Error):
                engine.con.unregister(name)
    return unreadable


def _columns_of(given: object) -> Iterator[tuple[str, str, object]]:
    """Yield name, type and empty slice of every column of an Arrow, pandas or Polars frame."""
    if hasattr(given, "iloc") and hasattr(given, "dtypes"):
        for place, (column, type_name) in enumerate(given.dtypes.items()):
            yield str(column), str(type_name), given.iloc[:0, [place]]
    elif hasattr(given, "slice") and hasattr(given, "select") and hasattr(given, "schema"):
        schema = given.schema
        types = schema.types if hasattr(schema, "types") else list(schema.values())
        names = schema.names if callable(getattr(schema, "get_field_index", None)) else list(schema)
        for column, type_name in zip(names, types, strict=True):
            yield str(column), str(type_name), given.slice(0, 0).select([column])
