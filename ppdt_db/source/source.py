"""Finds what is to be anonymized: a table, a view, a file, a frame, a relation."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import escape, glob
from pathlib import Path
from typing import Literal, TypeAlias

import duckdb

from ppdt_db.connection import check_connection
from ppdt_db.csv_dialect import CsvGiven, Dialect
from ppdt_db.csv_source import read_csv
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.frames import registered
from ppdt_db.names import Sql, fold, ident, is_reserved, parts_of, spelled
from ppdt_db.policy import raise_all
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
    n_counted: int | None = None
    """The rows of a CSV file, as counted twice when it was opened."""
    read_as: str | None = None
    """The dialect of a CSV file."""
    table: tuple[str, ...] | None = None
    is_named: bool = True
    """Whether the title says which source it is: a frame's type does not."""

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
    check_connection(engine)
    if isinstance(given, CsvGiven):
        yield _by_name(engine, given.name, given.dialect)
        return
    if isinstance(given, str | Path):
        yield _by_name(engine, str(given), Dialect())
        return
    with registered(engine, frame, given):
        relation = ident(frame)
        yield Source(
            kind="frame",
            title=f"{type(given).__name__} frame",
            relation=relation,
            columns=_columns(engine, relation, "the frame"),
            is_named=False,
        )


def stage(engine: DuckEngine, source: Source) -> Source:
    """Read a source once into a temporary table, unless it can be read in place."""
    if source.is_at_rest:
        return source
    names = {"source": source.relation, "columns": list(source.columns)}
    engine.make("encode/source", names=names)
    staged = replace(source, relation=ident(STAGED))
    if source.n_counted is not None:
        check_count(source, engine.count("encode/size", names={"source": staged.relation}))
    return staged


def check_count(source: Source, n_rows: int) -> None:
    """Refuse rows of a CSV file that are not those which were counted when it was opened."""
    if source.n_counted not in (None, n_rows):
        raise RequestError(
            f"source {source.title}: {source.n_counted:,} rows were counted, and then {n_rows:,} "
            "were read. It changes while it is read: copy it first."
        )


def _check_endless(
    engine: DuckEngine, relation: Sql, columns: Iterable[str], path: str, title: str
) -> None:
    """Refuse Parquet with infinite moments in milliseconds, which DuckDB 1 cannot read."""
    version = duckdb.__version__
    if int(version.partition(".")[0]) >= 2:
        return
    try:
        engine.count("engine/footers", {"path": path})
    except EngineError:
        raise_all(
            [
                f'source "{title}", column "{column}": it holds infinite moments in milliseconds, '
                f"which DuckDB {version} cannot read from Parquet. Cast it to TIMESTAMP where the "
                "file is written, or use DuckDB 2."
                for column in columns
                if not _is_readable(engine, relation, column)
            ]
        )


def _is_readable(engine: DuckEngine, relation: Sql, column: str) -> bool:
    try:
        engine.count("engine/readable", names={"relation": relation, "column": column})
    except EngineError:
        return False
    return True


def _by_name(engine: DuckEngine, name: str, dialect: Dialect) -> Source:
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
        if kind == "csv":
            raise RequestError(
                f'source "{shown}": CSV is counted a second time from its bytes, which needs the '
                "file here. Download it first, or give Parquet."
            )
        relation = read_files(kind, name)
        # What follows the question mark may be a key of its own.
        columns = _columns(engine, relation, f'"{shown}"')
        _check_endless(engine, relation, columns, name, shown)
        title = shown.rpartition("/")[2]
        return Source(kind=kind, title=title, relation=relation, columns=columns, path=name)
    path = str(Path(name).absolute())
    is_one = Path(name).exists()
    if not files_of(name):
        raise RequestError(f'source "{name}": there is no such file.')
    title, counted, read_as = Path(name).name, None, None
    if kind == "csv":
        if dialect.delim == "," and fold(name).endswith((".tsv", ".tsv.gz")):
            dialect = replace(dialect, delim="\t")
        read = read_csv(engine, files_of(name), dialect)
        relation, counted, read_as = read.relation, read.n_rows, read.dialect.told
    else:
        relation = read_file(kind, path) if is_one else read_files(kind, path)
        _check_alike(engine, files_of(name), f'"{name}"')
    columns = _columns(engine, relation, f'"{name}"')
    if kind == "parquet":
        _check_endless(engine, relation, columns, escape(path) if is_one else path, name)
    return Source(
        kind=kind,
        title=title,
        relation=relation,
        columns=columns,
        path=path,
        n_counted=counted,
        read_as=read_as,
    )


def _check_alike(engine: DuckEngine, files: Sequence[Path], title: str) -> None:
    """Refuse Parquet files that differ in their columns: a glob would cast, or leave some out."""
    if len(files) < 2:
        return
    try:
        shapes = engine.rows("engine/shapes", names={"paths": [escape(str(f)) for f in files]})
    except EngineError as error:
        raise RequestError(
            f"source {title} cannot be read: {error} Is every file of it whole?"
        ) from None
    (first, known), *others = [(str(file), _shape(shape)) for file, shape in shapes]
    raise_all(
        [
            f"{file}: its columns are not those of {first}: {_differing(known, shape)}. All files "
            "of a glob must have the same columns."
            for file, shape in others
            if shape != known
        ]
    )


def _differing(first: Sequence[str], names: Sequence[str]) -> str:
    """How the columns of one file differ from those of another."""
    missing = [name for name in first if name not in names]
    extra = [name for name in names if name not in first]
    told = [f"it lacks {', '.join(missing)}"] if missing else []
    told += [f"it has {', '.join(extra)} besides"] if extra else []
    return "; ".join(told or ["they stand in another order"])


def _shape(shape: object) -> Sequence[str]:
    assert isinstance(shape, list)
    return [str(column) for column in shape]


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


def read_files(kind: str, pattern: str) -> Sql:
    """The files of a glob as a relation."""
    return Sql(render(f"form/read_{kind}", {"path": pattern}).text)


def read_text(engine: DuckEngine, path: Path) -> Sql:
    """A CSV file of ours or of a user's hand, such as a hierarchy: strictly, and all of it text."""
    return read_csv(engine, [path.absolute()], Dialect(), as_text=True).relation
