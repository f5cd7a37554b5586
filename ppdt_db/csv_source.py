"""CSV files as a relation: read strictly, counted twice, with types that hold for every row."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from glob import escape
from itertools import compress
from pathlib import Path

from ppdt_db.csv_dialect import Dialect, as_dialect
from ppdt_db.csv_scan import CsvFile, differing, encoding_of
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.names import Sql, fold, ident, nearest
from ppdt_db.policy import raise_all
from ppdt_db.template import render

# The first that all values of a column have; else they are text.
KINDS = (
    "BOOLEAN", "BIGINT", "HUGEINT", "DOUBLE", "DATE", "TIMESTAMP",
    "TIMESTAMP WITH TIME ZONE", "TIME",
)  # fmt: skip
SET = "set"
# How many rows are looked at first: they can strike a type, never prove one.
N_LOOKED_AT = 20_000


@dataclass(frozen=True, kw_only=True)
class CsvColumn:
    """A column of CSV, and the type that its texts are read as."""

    name: str
    type_name: str = "VARCHAR"
    position: int = 0
    kinds: Sequence[str] = ()
    is_empty_null: bool = False
    """Whether a text in quotes with nothing in them is NULL too."""

    @property
    def alias(self) -> str:
        """What the column is called while its type is asked for."""
        return f"v{self.position}"

    @property
    def spelled(self) -> Sql:
        """The type as a statement says it: made of words and numbers alone."""
        return Sql(self.type_name)

    @property
    def is_set(self) -> bool:
        """Whether its texts are lists in JSON."""
        return self.type_name.endswith("[]")


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
    columns = _columns(names, dialect, as_text=as_text)
    try:
        folders = [name for name, _ in engine.describe(raw) if name not in names]
        columns, n_rows = _guessed(engine, raw, columns)
    except EngineError:
        raise _unread(scans, len(names)) from None
    if n_rows != n_counted:
        raise RequestError(
            f"{_listed(files)}: DuckDB reads {n_rows:,} rows, and counting the records in another "
            f"way gives {n_counted:,}. Does a file change while it is read? Else please report it."
        )
    _check_types(engine, raw, [column for column in columns if not column.kinds])
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
            f"{differing(first, names)}. All files of a glob must have the same columns."
            for scan in scans[1:]
            if (names := scan.header()) != first
        ]
    )
    return first


def _unread(scans: Sequence[CsvFile], n_columns: int) -> RequestError:
    """Why the engine does not read files that were counted."""
    faults = [scan.fault(n_columns) for scan in scans]
    return next((fault for fault in faults if ", line " in str(fault)), faults[0])


def _listed(files: Sequence[Path]) -> str:
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return ", ".join(file.name for file in files[:3]) + more


# -- types ---------------------------------------------------------------------------------------


def _columns(names: Sequence[str], dialect: Dialect, *, as_text: bool) -> list[CsvColumn]:
    """The columns with the types that were given; what is asked of the others."""
    given = {fold(name): kind for name, kind in dialect.types.items()}
    known = [fold(name) for name in names]
    raise_all(
        [
            f'csv: types: "{name}": there is no such column.{nearest(name, names)}'
            for name in dialect.types
            if fold(name) not in known
        ]
    )
    is_text = as_text or dialect.all_text
    return [
        CsvColumn(
            name=name,
            position=position,
            type_name=given.get(fold(name), "VARCHAR"),
            kinds=() if is_text or fold(name) in given else (*KINDS, SET),
            is_empty_null=as_text,
        )
        for position, name in enumerate(names)
    ]


def _guessed(
    engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn]
) -> tuple[list[CsvColumn], int]:
    """The columns with types that all of their values have, and the number of rows."""
    if any(column.kinds for column in columns):
        _, columns = _asked(engine, raw, columns, is_part=True)
    n_rows, columns = _asked(engine, raw, columns, is_part=False)
    sets = [column for column in columns if column.kinds[:1] == (SET,)]
    of_sets: dict[object, str] = {}
    if sets:
        names = {"source": raw, "columns": sets, "kinds": KINDS, "is_part": False}
        for position, *answers in engine.rows("csv/member", names=names):
            of_sets[position] = next(compress(KINDS, answers), "VARCHAR")
    found: list[CsvColumn] = []
    for column in columns:
        kind = next(iter(column.kinds), column.type_name)
        if kind == SET:
            kind = of_sets.get(column.position, "VARCHAR") + "[]"
        found.append(replace(column, type_name=kind))
    return found, n_rows


def _asked(
    engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn], *, is_part: bool
) -> tuple[int, list[CsvColumn]]:
    """The columns with the types that are still possible, and the number of rows."""
    names = {"source": raw, "columns": columns, "is_part": is_part}
    n_rows, *answers = engine.row("csv/guess", {"n_looked_at": N_LOOKED_AT}, names)
    assert isinstance(n_rows, int)
    held = iter(answers)
    left = [
        replace(column, kinds=tuple(kind for kind in column.kinds if next(held)))
        for column in columns
    ]
    return n_rows, left


def _check_types(engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn]) -> None:
    """Values that do not have the type that was given for their column, as counts."""
    given = [column for column in columns if column.type_name != "VARCHAR"]
    if not given:
        return
    try:
        counts = engine.row("csv/misfit", names={"source": raw, "columns": given})
    except EngineError:
        listed = ", ".join(column.type_name for column in given)
        raise RequestError(f"csv: types: these are not all types of DuckDB: {listed}.") from None
    raise_all(
        [
            f'csv: types: "{column.name}": {n_values:,} values are no {column.type_name}.'
            for column, n_values in zip(given, counts, strict=True)
            if isinstance(n_values, int) and n_values
        ]
    )


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
