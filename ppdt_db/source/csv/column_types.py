"""The types of CSV columns: given ones, and inferred ones that fit every value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.csv.dialect import Dialect
from ppdt_db.sqltext.quoting import Sql, did_you_mean, normalize_name

# A column gets the first type that fits all of its values, else text.
KINDS = (
    "BOOLEAN", "BIGINT", "HUGEINT", "DOUBLE", "DATE", "TIMESTAMP",
    "TIMESTAMP WITH TIME ZONE", "TIME",
)  # fmt: skip
SET = "set"
# The rows read first: they can rule a type out, but never prove one.
N_LOOKED_AT = 20_000


@dataclass(frozen=True, kw_only=True)
class CsvColumn:
    """A CSV column, and the type that its texts are read as."""

    name: str
    type_name: str = "VARCHAR"
    position: int = 0
    kinds: Sequence[str] = ()
    is_empty_null: bool = False
    """True if an empty text in quotes is NULL too."""

    @property
    def alias(self) -> str:
        """The name of the column while its type is inferred."""
        return f"v{self.position}"

    @property
    def type_sql(self) -> Sql:
        """The type as SQL; it consists of words and numbers alone."""
        return Sql(self.type_name)

    @property
    def is_set(self) -> bool:
        """Return whether its texts are lists in JSON."""
        return self.type_name.endswith("[]")


def columns_of(names: Sequence[str], dialect: Dialect, *, as_text: bool) -> list[CsvColumn]:
    """Return the columns with the given types, and candidate types for the others."""
    given = {normalize_name(name): kind for name, kind in dialect.types.items()}
    known = [normalize_name(name) for name in names]
    raise_all(
        [
            f'--csv: types: "{name}": there is no such column.{did_you_mean(name, names)}'
            for name in dialect.types
            if normalize_name(name) not in known
        ]
    )
    is_text = as_text or dialect.all_text
    return [
        CsvColumn(
            name=name,
            position=position,
            type_name=given.get(normalize_name(name), "VARCHAR"),
            kinds=() if is_text or normalize_name(name) in given else (*KINDS, SET),
            is_empty_null=as_text,
        )
        for position, name in enumerate(names)
    ]


def guessed(
    engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn]
) -> tuple[list[CsvColumn], int]:
    """Return the columns with types that fit all of their values, and the number of rows."""
    if any(column.kinds for column in columns):
        _, columns = _still_possible(engine, raw, columns, is_part=True)
    n_rows, columns = _still_possible(engine, raw, columns, is_part=False)
    sets = [column for column in columns if column.kinds[:1] == (SET,)]
    of_sets: dict[object, str] = {}
    if sets:
        names = {"source": raw, "columns": sets, "kinds": KINDS, "is_part": False}
        for position, *answers in engine.rows("source/member", names=names):
            of_sets[position] = next(compress(KINDS, answers), "VARCHAR")
    typed: list[CsvColumn] = []
    for column in columns:
        kind = next(iter(column.kinds), column.type_name)
        if kind == SET:
            kind = of_sets.get(column.position, "VARCHAR") + "[]"
        typed.append(replace(column, type_name=kind))
    return typed, n_rows


def _still_possible(
    engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn], *, is_part: bool
) -> tuple[int, list[CsvColumn]]:
    """Return the columns with the types that are still possible, and the number of rows."""
    names = {"source": raw, "columns": columns, "is_part": is_part}
    n_rows, *answers = engine.row("source/guess", {"n_looked_at": N_LOOKED_AT}, names)
    assert isinstance(n_rows, int)
    held = iter(answers)
    left = [
        replace(column, kinds=tuple(kind for kind in column.kinds if next(held)))
        for column in columns
    ]
    return n_rows, left


def check_types(engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn]) -> None:
    """Raise if values do not have the given type of their column; report counts only."""
    given = [column for column in columns if column.type_name != "VARCHAR"]
    if not given:
        return
    try:
        counts = engine.row("source/misfit", names={"source": raw, "columns": given})
    except EngineError:
        listed = ", ".join(column.type_name for column in given)
        raise RequestError(f"--csv: types: not all of these are DuckDB types: {listed}.") from None
    raise_all(
        [
            f'--csv: types: "{column.name}": {n_values:,} values are not '
            f"of type {column.type_name}."
            for column, n_values in zip(given, counts, strict=True)
            if isinstance(n_values, int) and n_values
        ]
    )
