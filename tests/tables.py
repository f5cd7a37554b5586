"""Random tables: few rows, few values, every type that can be a quasi-identifier."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

import duckdb
from hypothesis import strategies as st

POOLS: dict[str, list[str]] = {
    "TINYINT": ["-128", "-1", "0", "1", "2", "127"],
    "INTEGER": ["-5", "0", "1", "2", "3", "7", "2147483647"],
    "UBIGINT": ["0", "1", "18446744073709551615"],
    "HUGEINT": ["-170141183460469231731687303715884105727", "0", "5", "99999999999999999999"],
    "DECIMAL(5, 2)": ["-1.25", "0.00", "1.25", "1.26", "3.50", "999.99"],
    "DECIMAL(38, 10)": ["-1.0000000001", "0", "12345678901234567890.5"],
    "DOUBLE": ["nan", "inf", "-inf", "-0.0", "0.0", "1.5", "2.5", "-2.25", "7"],
    "FLOAT": ["nan", "inf", "-0.0", "0.0", "0.5", "4"],
    "DATE": ["infinity", "-infinity", "1970-01-01", "2020-02-29", "2020-03-01", "1492-01-01"],
    "TIMESTAMP": ["infinity", "1969-12-31 23:59:59.5", "2020-01-01 00:00:00", "2020-01-01 12:00"],
    "TIMESTAMPTZ": ["2020-01-01 00:00:00+00", "2020-01-01 00:00:00+05", "1960-06-01 00:00:00+00"],
    "TIME": ["00:00:00", "12:30:00", "23:59:59.999999"],
    "VARCHAR": ["", "a", "A", "b", "é", "Z", "NULL", "it's", "[1, 2]", "a,b", "😀"],
    "ENUM('low', 'mid', 'high')": ["low", "mid", "high"],
    "BOOLEAN": ["true", "false"],
    "UUID": [
        "00000000-0000-0000-0000-000000000001",
        "80000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
}
SIMPLE = ["INTEGER", "VARCHAR", "DOUBLE", "DATE"]
NAMES = ["age", "a b", 'q"uote', "select", "x;--", "ключ", "'", "😀", "n_rows", "cell_id"]


@dataclass(frozen=True)
class Column:
    """A column: its name, its type, and the text of every row's value."""

    name: str
    type: str
    texts: tuple[str | None, ...]

    @property
    def is_ordered(self) -> bool:
        return not self.type.startswith(("VARCHAR", "ENUM", "BOOLEAN", "UUID"))

    def keys(self) -> list[tuple[int, object]]:
        """What each row's value is sorted by: NULL, NaN and the infinities are lowest."""
        return [_key(self.type, text) for text in self.texts]


@dataclass(frozen=True)
class Table:
    """A random table; a column `rid` numbers its rows from 0."""

    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].texts)

    def make(
        self, con: duckdb.DuckDBPyConnection, name: str = "t", order: Sequence[int] | None = None
    ) -> None:
        """Create the table, its rows in some order."""
        defined = ", ".join(f"{_quoted(c.name)} {c.type}" for c in self.columns)
        con.execute(f"CREATE TABLE {name} ({defined}, rid INTEGER)")
        rows = [
            "(" + ", ".join([*(_literal(c.texts[i]) for c in self.columns), str(i)]) + ")"
            for i in (order if order is not None else range(self.n_rows))
        ]
        con.execute(f"INSERT INTO {name} VALUES {', '.join(rows)}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


def _key(type_name: str, text: str | None) -> tuple[int, object]:
    special = {None: 0, "nan": 1, "-inf": 2, "-infinity": 2, "inf": 3, "infinity": 3}
    if text is None or (text in special and type_name != "VARCHAR"):
        return special[text], 0
    return 4, _value(type_name, text)


def _value(type_name: str, text: str) -> object:
    if type_name == "DATE":
        return Fraction(date.fromisoformat(text).toordinal())
    if type_name in ("TIMESTAMP", "TIMESTAMPTZ"):
        moment = datetime.fromisoformat(text).replace(tzinfo=None)
        offset = 5 * 3600 if text.endswith("+05") else 0
        return Fraction((moment - datetime(1970, 1, 1)).total_seconds()) - offset
    if type_name == "TIME":
        hours, minutes, seconds = text.split(":")
        return Fraction(hours) * 3600 + Fraction(minutes) * 60 + Fraction(seconds)
    if type_name.startswith("ENUM"):
        return ["low", "mid", "high"].index(text)
    if type_name == "VARCHAR":
        return text.encode()
    if type_name in ("BOOLEAN", "UUID"):
        return text != "false" if type_name == "BOOLEAN" else text
    return Fraction(text)


@st.composite
def tables(
    draw: st.DrawFn, types: Sequence[str] = tuple(POOLS), max_rows: int = 40, max_columns: int = 3
) -> Table:
    """A table with one to three columns, of few values each."""
    n_rows = draw(st.integers(4, max_rows))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=max_columns, unique=True))
    columns = []
    for name in names:
        type_name = draw(st.sampled_from(list(types)))
        known: list[str | None] = [*POOLS[type_name], None]
        few = draw(st.lists(st.sampled_from(known), min_size=1, max_size=5, unique=True))
        texts = draw(st.lists(st.sampled_from(few), min_size=n_rows, max_size=n_rows))
        columns.append(Column(name, type_name, tuple(texts)))
    return Table(tuple(columns))
