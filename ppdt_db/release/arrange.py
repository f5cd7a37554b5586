"""Arrange: what is released, in which columns, and the rows sorted by what they will show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.encode.columns import EncodedTable
from ppdt_db.engine import Engine
from ppdt_db.methods.base import Grain, LabelColumn
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import Sql


@dataclass(frozen=True, kw_only=True)
class OutputColumn:
    """One released column: its origin and its name."""

    table: Literal["shown", "sorted"]
    inside: str
    released: str
    as_type: Sql | None = None
    """Another type to release it in."""


@dataclass(frozen=True, kw_only=True)
class ReleaseInputs:
    """The relations and columns that a release is made from."""

    source: Source
    encoded: EncodedTable
    labels: Sequence[LabelColumn]
    columns: Sequence[OutputColumn]
    grain: Grain

    @property
    def names(self) -> dict[str, object]:
        """The names that the recode templates may use."""
        return {
            **self.encoded.names,
            "labels": self.labels,
            "columns": self.columns,
            "unit": "row_id" if self.grain == "row" else "cell_id",
        }


def release_columns(
    source: Source, encoded: EncodedTable, labels: Sequence[LabelColumn]
) -> list[OutputColumn]:
    """Return the released columns in the source's order."""
    columns: list[OutputColumn] = []
    for name in source.columns:
        columns += [
            OutputColumn(table="shown", inside=label.name, released=label.released)
            for label in labels
            if label.attribute == name
        ]
        if name in encoded.released:
            columns.append(
                OutputColumn(table="sorted", inside=encoded.released[name], released=name)
            )
    return columns


def sort_rows(engine: Engine, parts: ReleaseInputs) -> None:
    """Sort the rows by what they will show, so that their order reveals nothing else."""
    engine.make("recode/rank", names=parts.names)
    engine.make("recode/sorted", names=parts.names)
    engine.make("recode/shown", names=parts.names)
