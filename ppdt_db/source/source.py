"""Open the source of a run: a table, a view, a file, or a frame."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import escape, glob
from pathlib import Path
from typing import Literal, TypeAlias

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.connection import check_connection
from ppdt_db.source.csv.dialect import CsvSource, Dialect
from ppdt_db.source.csv.relation import read_csv
from ppdt_db.source.frames import registered
from ppdt_db.source.resolve import hint_of, table_of
from ppdt_db.sqltext.quoting import Sql, ident, is_reserved, join_path, normalize_name, parts_of
from ppdt_db.sqltext.templates import render

SourceKind = Literal["table", "view", "parquet", "csv", "frame"]
# A name, a path, or anything that DuckDB can scan: its relations, Arrow, pandas and Polars frames.
SourceLike: TypeAlias = object

FRAME = "ppdt_frame"
STAGED = "ppdt_source"
# URLs that DuckDB reads through an extension, such as https:// and s3://.
REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
FILE_KINDS: dict[str, SourceKind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".csv.gz": "csv",
    ".tsv.gz": "csv",
}


@dataclass(frozen=True, kw_only=True)
class Source:
    """A readable relation, and what is known about it."""

    kind: SourceKind
    title: str
    relation: Sql
    columns: dict[str, str]
    path: str | None = None
    n_counted: int | None = None
    """The number of rows of a CSV file, from two counts when it was opened."""
    read_as: str | None = None
    """The dialect of a CSV file."""
    table: tuple[str, ...] | None = None
    is_named: bool = True
    """True if the title identifies the source; the type of a frame does not."""

    @property
    def is_at_rest(self) -> bool:
        """Return whether a second reading is cheap and sure to return the same rows."""
        return self.kind in ("table", "parquet") and not is_remote(self.path or "")

    @property
    def files(self) -> list[Path]:
        """The files of the source."""
        if self.path is None:
            return []
        return files_of(self.path)


def is_remote(name: str) -> bool:
    """Return whether a name is a URL, which DuckDB reads over the network."""
    return REMOTE.match(name) is not None


def files_of(name: str) -> list[Path]:
    """Return the local files that a path or a glob matches."""
    if is_remote(name):
        return []
    path = Path(name)
    if path.exists():
        return [path]
    return [Path(file) for file in glob(name, recursive=True)]  # noqa: PTH207


@contextmanager
def opened(engine: DuckEngine, given: SourceLike, frame: str = FRAME) -> Iterator[Source]:
    """Yield the source, readable while the block lasts."""
    check_connection(engine)
    if isinstance(given, CsvSource):
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
    """Refuse a CSV file whose number of rows has changed since it was opened."""
    if source.n_counted not in (None, n_rows):
        raise RequestError(
            f"source {source.title}: {source.n_counted:,} rows were counted, then {n_rows:,} read. "
            "The file changes during the run: copy it first."
        )


def _check_endless(
    engine: DuckEngine, relation: Sql, columns: Iterable[str], path: str, title: str
) -> None:
    """Refuse Parquet with infinite timestamps in milliseconds, which DuckDB 1 cannot read."""
    version = duckdb.__version__
    if int(version.partition(".")[0]) >= 2:
        return
    try:
        engine.count("lib/engine/footers", {"path": path})
    except EngineError:
        raise_all(
            [
                f'source "{title}", column "{column}": infinite timestamps in milliseconds, which '
                f"DuckDB {version} cannot read from Parquet. Cast it to TIMESTAMP when "
                "writing the file, or use DuckDB 2."
                for column in columns
                if not _is_readable(engine, relation, column)
            ]
        )


def _is_readable(engine: DuckEngine, relation: Sql, column: str) -> bool:
    try:
        engine.count("lib/engine/readable", names={"relation": relation, "column": column})
    except EngineError:
        return False
    return True


def _by_name(engine: DuckEngine, name: str, dialect: Dialect) -> Source:
    if is_reserved(parts_of(name)[-1]):
        raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Rename it.')
    if table := table_of(engine, name):
        return Source(
            kind=table.kind,
            title=join_path(table.path),
            relation=table.relation,
            columns=_columns(engine, table.relation, f'"{name}"'),
            table=table.path,
        )
    shown = name.partition("?")[0] if is_remote(name) else name
    kind = _file_kind(shown)
    if kind is None:
        raise RequestError(
            f'source "{shown}": there is no such table or view on this connection (pass a Python '
            f"variable itself, not its name), and it is not a file name ending in "
            f"{', '.join(FILE_KINDS)}.{hint_of(engine, name)}"
        )
    if is_remote(name):
        if kind == "csv":
            raise RequestError(
                f'source "{shown}": CSV rows are counted a second time, from the bytes of a '
                "local file. Download it first, or use Parquet."
            )
        relation = read_files(kind, name)
        # The query string may contain a key, so it is never shown.
        columns = _columns(engine, relation, f'"{shown}"')
        _check_endless(engine, relation, columns, name, shown)
        title = shown.rpartition("/")[2]
        return Source(kind=kind, title=title, relation=relation, columns=columns, path=name)
    path = str(Path(name).absolute())
    is_one = Path(name).exists()
    if not files_of(name):
        raise RequestError(f'source "{name}": there is no such file.')
    title, n_counted, read_as = Path(name).name, None, None
    if kind == "csv":
        if dialect.delim == "," and normalize_name(name).endswith((".tsv", ".tsv.gz")):
            dialect = replace(dialect, delim="\t")
        read = read_csv(engine, files_of(name), dialect)
        relation, n_counted, read_as = read.relation, read.n_rows, read.dialect.as_option
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
        n_counted=n_counted,
        read_as=read_as,
    )


def _check_alike(engine: DuckEngine, files: Sequence[Path], title: str) -> None:
    """Refuse Parquet files with different columns: a glob would cast or drop some."""
    if len(files) < 2:
        return
    try:
        shapes = engine.rows("lib/engine/shapes", names={"paths": [escape(str(f)) for f in files]})
    except EngineError as error:
        raise RequestError(
            f"source {title} cannot be read: {error} Check that every file is complete."
        ) from None
    (first, known), *others = [(str(file), _shape(shape)) for file, shape in shapes]
    raise_all(
        [
            f"{file}: its columns differ from those of {first}: {_differing(known, shape)}. All "
            "files of a glob must have the same columns."
            for file, shape in others
            if shape != known
        ]
    )


def _differing(expected: Sequence[str], found: Sequence[str]) -> str:
    """Return how the columns of one file differ from those of another."""
    missing = [name for name in expected if name not in found]
    extra = [name for name in found if name not in expected]
    differences = [f"{', '.join(missing)} missing"] if missing else []
    differences += [f"{', '.join(extra)} added"] if extra else []
    return "; ".join(differences or ["their order differs"])


def _shape(shape: object) -> Sequence[str]:
    assert isinstance(shape, list)
    return [str(column) for column in shape]


def _file_kind(name: str) -> SourceKind | None:
    for ending, kind in FILE_KINDS.items():
        if normalize_name(name).endswith(ending):
            return kind
    return None


def _columns(engine: DuckEngine, relation: Sql, title: str) -> dict[str, str]:
    try:
        columns = dict(engine.describe(relation))
    except EngineError as error:
        raise RequestError(
            f"source {title} cannot be read: {error} Check that the file is complete, and of the "
            "format that its ending says."
        ) from None
    if not columns:
        raise RequestError(f"source {title} has no columns.")
    return columns


def read_file(kind: str, path: str) -> Sql:
    """Return one file as a relation; glob characters in its path are literal."""
    return read_files(kind, escape(path))


def read_files(kind: str, pattern: str) -> Sql:
    """Return the files of a glob as a relation."""
    return Sql(render(f"lib/fragments/read_{kind}", {"path": pattern}).text)


def read_text(engine: DuckEngine, path: Path) -> Sql:
    """Return a CSV file that we or a user wrote as a relation of text, read strictly."""
    return read_csv(engine, [path.absolute()], Dialect(), as_text=True).relation
