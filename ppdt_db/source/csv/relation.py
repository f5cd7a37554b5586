"""CSV files as a relation: read strictly, counted twice, with types that hold for every row."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

from ppdt_db.csv_bytes import encoding_of
from ppdt_db.csv_dialect import Dialect, as_dialect
from ppdt_db.csv_scan import CsvFile
from ppdt_db.csv_types import CsvColumn, check_types, columns_of, guessed
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.names import Sql, ident
from ppdt_db.policy import raise_all
from ppdt_db.template import render


@dataclass(frozen=True, kw_only=True)
class CsvRead:
    """What was found in CSV files."""

    relation: Sql
    n_rows: int
    dialect: Dialect


def read_csv(
    engine: DuckEngine, files: Sequence[Path], dialect: Dialect, *, as_text: bool = False
) -> CsvRead:
    """The rows of all files as one relation; raises where one is not whole, or they differ."""
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
        raise _unread(scans, len(names)) from None
    if n_rows != n_counted:
        raise RequestError(
            f"{_listed(files)}: DuckDB reads {n_rows:,} rows, and counting the records in another "
            f"way gives {n_counted:,}. Does a file change while it is read? Else please report it."
        )
    check_types(engine, raw, [column for column in columns if not column.kinds])
    if dialect.is_sniffed:
        _show(files, dialect, columns)
    return CsvRead(relation=_typed(raw, columns, folders), n_rows=n_rows, dialect=dialect)


def read_written(path: Path, types: Mapping[str, str]) -> Sql:
    """A file that we wrote, in the types that were written; raises where it is not whole."""
    scan = CsvFile(path, Dialect())
    names = scan.header()
    raw = _raw([path], names, Dialect(), hive=False)
    columns = [CsvColumn(name=name, type_name=types.get(name, "VARCHAR")) for name in names]
    return _typed(raw, columns)


def count_written(path: Path) -> int:
    """The records of a file that we wrote, counted without the engine."""
    scan = CsvFile(path, Dialect())
    return scan.count(len(scan.header()))


# -- relations -----------------------------------------------------------------------------------


def _raw(files: Sequence[Path], names: Sequence[str], dialect: Dialect, *, hive: bool) -> Sql:
    """Files as a relation of text; brackets and stars in a path are only letters."""
    paths = [escape(str(file.absolute())) for file in files]
    given = {"paths": paths, "names": names, "dialect": dialect, "hive": hive}
    return Sql(render("form/read_csv", given).text)


def _typed(raw: Sql, columns: Sequence[CsvColumn], folders: Sequence[str] = ()) -> Sql:
    """A relation of text with every column in its type."""
    names = {"source": raw, "columns": columns, "folders": folders}
    return Sql(render("form/typed_csv", names).text)


def _one_header(scans: Sequence[CsvFile]) -> tuple[str, ...]:
    """The columns of all files; they must be the same ones."""
    first = scans[0].header()
    raise_all(
        [
            f"{scan.path}: its columns are not those of {scans[0].path.name}: "
            f"{_other(first, names)}. All files of a glob must have the same columns."
            for scan in scans[1:]
            if (names := scan.header()) != first
        ]
    )
    return first


def _other(first: Sequence[str], names: Sequence[str]) -> str:
    """How headers differ, by places: where a file has no header, these would be values."""
    if len(first) != len(names):
        return f"it has {len(names)}, where that has {len(first)}"
    places = [place for place, (a, b) in enumerate(zip(first, names, strict=True), 1) if a != b]
    return f"the name of column {', '.join(map(str, places))} is another"


def _unread(scans: Sequence[CsvFile], n_columns: int) -> RequestError:
    """Why the engine does not read files that were counted."""
    faults = [scan.fault(n_columns) for scan in scans]
    return next((fault for fault in faults if ", line " in str(fault)), faults[0])


def _listed(files: Sequence[Path]) -> str:
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return ", ".join(file.name for file in files[:3]) + more


# -- sniffing ------------------------------------------------------------------------------------


def _sniffed(engine: DuckEngine, file: Path) -> Dialect:
    """The dialect that DuckDB's sniffer takes a file to be in, where it is one that we read."""
    encoding = encoding_of(file)
    names = {"path": escape(str(file.absolute())), "encoding": encoding}
    try:
        found = engine.row("engine/sniffed", names=names)
    except EngineError:
        raise RequestError(f"{file.name}: DuckDB's sniffer finds no dialect. Say it.") from None
    delim, quote, escaped, comment, n_skipped, has_header = found
    delim, quote, escaped, comment = (
        "" if sign in (None, "(empty)", "\0") else str(sign)
        for sign in (delim, quote, escaped, comment)
    )
    faults = [f"a quote is escaped by {escaped}"] if escaped not in ("", quote) else []
    faults += ["there are comments"] if comment else []
    faults += [f"{n_skipped} lines stand before the header"] if n_skipped else []
    if faults:
        raise RequestError(
            f"{file.name}: the sniffer finds what is not read here: {'; '.join(faults)}. "
            "Write the file anew, or read it into a table."
        )
    dialect = as_dialect({"delim": delim or ",", "quote": quote, "encoding": encoding})
    return replace(dialect, header=bool(has_header), is_given=False, is_sniffed=True)


def _show(files: Sequence[Path], dialect: Dialect, columns: Sequence[CsvColumn]) -> None:
    """What was found, and never a value, as the option would say it."""
    types = ",".join(
        f"{name if name.replace('_', '').isalnum() else ident(name)}:{column.type_name}"
        for column in columns
        for name in [column.name]
    )
    sys.stderr.write(f'{_listed(files)}: --csv "{dialect.told},types={types}"\n')
