"""CSV files as a relation: read strictly, counted twice, with types that fit every row."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.csv.bytes import encoding_of
from ppdt_db.source.csv.column_types import CsvColumn, check_types, columns_of, guessed
from ppdt_db.source.csv.dialect import Dialect, as_dialect
from ppdt_db.source.csv.scan import CsvFile
from ppdt_db.sqltext.quoting import Sql, ident
from ppdt_db.sqltext.templates import render


@dataclass(frozen=True, kw_only=True)
class CsvRead:
    """The relation of CSV files, with the number of rows and the dialect."""

    relation: Sql
    n_rows: int
    dialect: Dialect


def read_csv(
    engine: DuckEngine, files: Sequence[Path], dialect: Dialect, *, as_text: bool = False
) -> CsvRead:
    """Return the rows of all files as one relation; raise if one is broken, or they differ."""
    files = sorted(files)
    if dialect.is_sniffed:
        dialect = _sniffed(engine, files[0])
    scans = [CsvFile(file, dialect) for file in files]
    names = _one_header(scans)
    n_counted = sum(scan.count(len(names)) for scan in scans)
    raw = _raw(files, names, dialect, hive=not as_text)
    columns = columns_of(names, dialect, as_text=as_text)
    try:
        folders = [name for name, _ in engine.describe(raw) if name not in names]
        columns, n_rows = guessed(engine, raw, columns)
    except EngineError:
        raise _parse_error(scans, len(names)) from None
    if n_rows != n_counted:
        raise RequestError(
            f"{_listed(files)}: DuckDB reads {n_rows:,} rows, but an independent count finds "
            f"{n_counted:,}. Check that no file changes during the run; else please report it."
        )
    check_types(engine, raw, [column for column in columns if not column.kinds])
    if dialect.is_sniffed:
        _print_dialect(files, dialect, columns)
    return CsvRead(relation=_typed(raw, columns, folders), n_rows=n_rows, dialect=dialect)


def read_written(path: Path, types: Mapping[str, str]) -> Sql:
    """Return a file that we wrote as a relation in the given types."""
    scan = CsvFile(path, Dialect())
    names = scan.header()
    raw = _raw([path], names, Dialect(), hive=False)
    columns = [CsvColumn(name=name, type_name=types.get(name, "VARCHAR")) for name in names]
    return _typed(raw, columns)


def count_written(path: Path) -> int:
    """Return the number of records of a file that we wrote, counted without the engine."""
    scan = CsvFile(path, Dialect())
    return scan.count(len(scan.header()))


# -- relations -----------------------------------------------------------------------------------


def _raw(files: Sequence[Path], names: Sequence[str], dialect: Dialect, *, hive: bool) -> Sql:
    """Return files as a relation of text; glob characters in their paths are literal."""
    paths = [escape(str(file.absolute())) for file in files]
    given = {"paths": paths, "names": names, "dialect": dialect, "hive": hive}
    return Sql(render("lib/fragments/read_csv", given).text)


def _typed(raw: Sql, columns: Sequence[CsvColumn], folders: Sequence[str] = ()) -> Sql:
    """Return a relation of text with every column in its type."""
    names = {"source": raw, "columns": columns, "folders": folders}
    return Sql(render("lib/fragments/typed_csv", names).text)


def _one_header(scans: Sequence[CsvFile]) -> tuple[str, ...]:
    """Return the columns of all files; raise if they differ."""
    first = scans[0].header()
    raise_all(
        [
            f"{scan.path}: its columns differ from those of {scans[0].path.name}: "
            f"{_header_difference(first, names)}. All files of a glob must have the same columns."
            for scan in scans[1:]
            if (names := scan.header()) != first
        ]
    )
    return first


def _header_difference(first: Sequence[str], names: Sequence[str]) -> str:
    """Return how headers differ, by position: without a header the names would be values."""
    if len(first) != len(names):
        return f"{len(names)} instead of {len(first)} columns"
    places = [place for place, (a, b) in enumerate(zip(first, names, strict=True), 1) if a != b]
    return f"the names of columns {', '.join(map(str, places))} differ"


def _parse_error(scans: Sequence[CsvFile], n_columns: int) -> RequestError:
    """Return why the engine cannot read files that were counted."""
    faults = [scan.fault(n_columns) for scan in scans]
    return next((fault for fault in faults if ", line " in str(fault)), faults[0])


def _listed(files: Sequence[Path]) -> str:
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return ", ".join(file.name for file in files[:3]) + more


# -- sniffing ------------------------------------------------------------------------------------


def _sniffed(engine: DuckEngine, file: Path) -> Dialect:
    """Return the dialect that DuckDB's sniffer detects, if it is one that we read."""
    encoding = encoding_of(file)
    names = {"path": escape(str(file.absolute())), "encoding": encoding}
    try:
        found = engine.row("lib/engine/sniffed", names=names)
    except EngineError:
        raise RequestError(
            f"{file.name}: DuckDB's sniffer detects no dialect. Give it with --csv."
        ) from None
    delim, quote, escaped, comment, n_skipped, has_header = found
    delim, quote, escaped, comment = (
        "" if sign in (None, "(empty)", "\0") else str(sign)
        for sign in (delim, quote, escaped, comment)
    )
    faults = [f"quotes are escaped by {escaped}"] if escaped not in ("", quote) else []
    faults += ["there are comments"] if comment else []
    faults += [f"{n_skipped} lines come before the header"] if n_skipped else []
    if faults:
        raise RequestError(
            f"{file.name}: the sniffer detects an unsupported dialect: {'; '.join(faults)}. "
            "Rewrite the file, or load it into a table."
        )
    dialect = as_dialect({"delim": delim or ",", "quote": quote, "encoding": encoding})
    return replace(dialect, header=bool(has_header), is_given=False, is_sniffed=True)


def _print_dialect(files: Sequence[Path], dialect: Dialect, columns: Sequence[CsvColumn]) -> None:
    """Write the detected dialect and types to stderr, in the notation of --csv."""
    types = ",".join(
        f"{name if name.replace('_', '').isalnum() else ident(name)}:{column.type_name}"
        for column in columns
        for name in [column.name]
    )
    sys.stderr.write(f'{_listed(files)}: --csv "{dialect.as_option},types={types}"\n')
