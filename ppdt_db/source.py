"""Finds what is to be anonymized: a table, a view, a file, a frame, a relation."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import escape, glob
from pathlib import Path
from typing import Literal, TypeAlias

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.frames import registered
from ppdt_db.names import Sql, fold, ident, is_reserved, parts_of, spelled
from ppdt_db.resolve import hint_of, table_of
from ppdt_db.template import render

Kind = Literal["table", "view", "parquet", "csv", "frame"]
# A frame is anything that DuckDB can scan: its relations, Arrow tables, pandas and Polars frames.
Given: TypeAlias = object

FRAME = "ppdt_frame"
STAGED = "ppdt_source"
# Addresses that DuckDB reads through an extension, such as https:// and s3://.
REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
FILE_KINDS: dict[str, Kind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".csv.gz": "csv",
    ".tsv.gz": "csv",
}


@dataclass(frozen=True, kw_only=True)
class Source:
    """A relation that can be read, and what is known of it."""

    kind: Kind
    title: str
    relation: Sql
    columns: dict[str, str]
    path: str | None = None
    table: tuple[str, ...] | None = None

    @property
    def is_at_rest(self) -> bool:
        """Whether a second reading is cheap and sure to give the same rows."""
        return self.kind in ("table", "parquet") and not is_remote(self.path or "")

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        if self.path is None:
            return []
        return files_of(self.path)


def is_remote(name: str) -> bool:
    """Whether a name is an address, which DuckDB reads over the network."""
    return REMOTE.match(name) is not None


def files_of(name: str) -> list[Path]:
    """The files that a path or a glob means; what is far away is no file here."""
    if is_remote(name):
        return []
    whole = Path(name)
    if whole.exists():
        return [whole]
    return [Path(found) for found in glob(name, recursive=True)]  # noqa: PTH207


@contextmanager
def opened(engine: DuckEngine, given: Given, frame: str = FRAME) -> Iterator[Source]:
    """The source, readable for as long as the block lasts."""
    if isinstance(given, str | Path):
        yield _by_name(engine, str(given))
        return
    with registered(engine, frame, given):
        relation = ident(frame)
        yield Source(
            kind="frame",
            title=f"{type(given).__name__} frame",
            relation=relation,
            columns=_columns(engine, relation, "the frame"),
        )


def stage(engine: DuckEngine, source: Source) -> Source:
    """Read a source once into a temporary table, unless it can be read in place."""
    if source.is_at_rest:
        return source
    names = {"source": source.relation, "columns": list(source.columns)}
    engine.make("encode/source", names=names)
    return replace(source, relation=ident(STAGED))


def _by_name(engine: DuckEngine, name: str) -> Source:
    if is_reserved(parts_of(name)[-1]):
        raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Rename it.')
    if table := table_of(engine, name):
        return Source(
            kind=table.kind,
            title=spelled(table.path),
            relation=table.relation,
            columns=_columns(engine, table.relation, f'"{name}"'),
            table=table.path,
        )
    shown = name.partition("?")[0] if is_remote(name) else name
    kind = _file_kind(shown)
    if kind is None:
        raise RequestError(
            f'source "{shown}": there is no such table or view on this connection (a variable of '
            f"Python is given itself, not by its name), and its ending is none of "
            f"{', '.join(FILE_KINDS)}.{hint_of(engine, name)}"
        )
    if is_remote(name):
        relation = read_files(kind, name)
        # What follows the question mark may be a key of its own.
        columns = _columns(engine, relation, f'"{shown}"')
        title = shown.rpartition("/")[2]
        return Source(kind=kind, title=title, relation=relation, columns=columns, path=name)
    path = str(Path(name).absolute())
    if Path(name).exists():
        relation = read_file(kind, path)
    elif files_of(name):
        relation = read_files(kind, path)
    else:
        raise RequestError(f'source "{name}": there is no such file.')
    columns = _columns(engine, relation, f'"{name}"')
    title = Path(name).name
    return Source(kind=kind, title=title, relation=relation, columns=columns, path=path)


def _file_kind(name: str) -> Kind | None:
    for ending, kind in FILE_KINDS.items():
        if fold(name).endswith(ending):
            return kind
    return None


def _columns(engine: DuckEngine, relation: Sql, title: str) -> dict[str, str]:
    try:
        columns = dict(engine.describe(relation))
    except EngineError as error:
        raise RequestError(
            f"source {title} cannot be read: {error} Is the file whole, and of the type that its "
            "ending says?"
        ) from None
    if not columns:
        raise RequestError(f"source {title} has no columns.")
    return columns


def read_file(kind: str, path: str) -> Sql:
    """One file as a relation: brackets and stars in its path are only letters."""
    return read_files(kind, escape(path))


def read_back(kind: str, path: Path) -> Sql:
    """The file itself and nothing else: folders such as `k=3/` add no column; CSV stays text."""
    return Sql(render(f"form/back_{kind}", {"path": escape(str(path))}).text)


def read_files(kind: str, pattern: str) -> Sql:
    """The files of a glob as a relation."""
    return Sql(render(f"form/read_{kind}", {"path": pattern}).text)
