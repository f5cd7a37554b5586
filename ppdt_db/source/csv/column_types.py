"""The types of CSV columns: what was given, and what all values of the others can be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

from ppdt_db.csv_dialect import Dialect
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.names import Sql, fold, nearest
from ppdt_db.policy import raise_all

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


def columns_of(names: Sequence[str], dialect: Dialect, *, as_text: bool) -> list[CsvColumn]:
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


def guessed(
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


def check_types(engine: DuckEngine, raw: Sql, columns: Sequence[CsvColumn]) -> None:
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
