"""Write a release as CSV that any reader reads alike, and read it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError
from ppdt_db.source.csv.relation import count_written, read_written
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.sqltext.quoting import Sql, ident

LEAD = "ppdt_lead"
# Integers that a type-guessing reader does not recognize as such at first.
WIDE = ("HUGEINT", "UHUGEINT", "UBIGINT")
# The digits of a number that every JSON reader keeps.
JSON_DIGITS = 15


class Placed(Protocol):
    """A released column: where it comes from and its released name."""

    @property
    def table(self) -> str: ...
    @property
    def inside(self) -> str: ...
    @property
    def released(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Written:
    """A released column and how it is written."""

    table: str
    inside: str
    released: str
    type_name: str
    position: int

    @property
    def alias(self) -> str:
        """The name of the column while leading rows are searched for."""
        return f"v{self.position}"

    @property
    def is_set(self) -> bool:
        """Return whether it shows sets."""
        return self.table == "shown" and self.type_name.endswith("[]")

    @property
    def of(self) -> str:
        """The type of a set's members."""
        return self.type_name.removesuffix("[]")

    @property
    def of_number(self) -> str | None:
        """The JSON form of a member: as an exact number, as a float, or in quotes."""
        family = family_of(self.of)
        if family == "decimal":
            digits = int(self.of.removeprefix("DECIMAL(").partition(",")[0])
            return "exact" if digits <= JSON_DIGITS else None
        if family == "float":
            return "float"
        return "exact" if self.of in ("HUGEINT", "UHUGEINT") or family in EXACT else None

    @property
    def back(self) -> str | None:
        """The type in which it is read back, or None if it stays text."""
        family = family_of(self.of if self.is_set else self.type_name)
        if family in ("text", "enum"):
            return "VARCHAR[]" if self.is_set else None
        return self.type_name if family is not None else None

    @property
    def is_text(self) -> bool:
        """Return whether a type-guessing reader could take it for numbers or dates."""
        return not self.is_set and family_of(self.type_name) in ("text", "enum", None)


EXACT = ("integer", "boolean")


def types_of(engine: DuckEngine) -> dict[tuple[str, str], str]:
    """Return the types of the released columns, by table and column."""
    return {
        (table, name): type_name
        for table in ("shown", "sorted")
        for name, type_name in engine.describe(ident(f"ppdt_{table}"))
    }


def write_csv(engine: DuckEngine, placed: Sequence[Placed], path: Path) -> Sql:
    """Write the release; return the file as a relation in the types that were written."""
    types = types_of(engine)
    columns = [
        Written(
            table=column.table,
            inside=column.inside,
            released=column.released,
            type_name=types[column.table, column.inside],
            position=position,
        )
        for position, column in enumerate(placed)
    ]
    texts = [column for column in columns if column.is_text]
    wide = [column for column in columns if column.type_name in WIDE]
    engine.make("source/lead", names={"texts": texts, "wide": wide})
    engine.copy("source/written", path, "csv", names={"columns": columns})
    engine.drop(LEAD)
    n_written = engine.count("encode/size", names={"source": ident("ppdt_sorted")})
    if count_written(path) != n_written:
        raise EngineError("the CSV file does not contain the rows that were written to it.")
    return read_written(path, {c.released: c.back for c in columns if c.back is not None})
