"""The relation under audit: its quasi-identifiers, and how they show values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppdt_db.engine import Engine
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import Sql

# Types with values that compare as equal but differ, such as 0.0 and -0.0.
LOOSE = ("FLOAT", "DOUBLE", "INTERVAL")
Shape = Literal["range", "set", "bounds", "value", "centre", "node"]


@dataclass(frozen=True, kw_only=True)
class Nodes:
    """A hierarchy for the audit: its nodes as code intervals, and the dictionary of the codes."""

    node: str
    dictionary: str
    is_ordered: bool


@dataclass(frozen=True, kw_only=True)
class ShownColumn:
    """A quasi-identifier in a release: one column, or several for bounds."""

    name: str
    columns: Sequence[str]
    shape: Shape
    original: str | None = None
    nodes: Nodes | None = None


@dataclass(frozen=True, kw_only=True)
class ReleasedColumn:
    """A column of the release, and its name in the audit's relations."""

    name: str
    type_name: str
    group: str

    @property
    def is_text(self) -> bool:
        """Return whether values are compared by their bytes."""
        return self.type_name == "VARCHAR"

    @property
    def by_text(self) -> bool:
        """Return whether values that compare as equal can still differ."""
        return any(loose in self.type_name for loose in LOOSE)

    @property
    def is_ordered(self) -> bool:
        """Return whether distances between its values follow their order."""
        return family_of(self.type_name) in ORDERED

    @property
    def is_float(self) -> bool:
        """Return whether NaN can occur."""
        return family_of(self.type_name) == "float"

    @property
    def has_special(self) -> bool:
        """Return whether NaN or infinities can occur."""
        return family_of(self.type_name) in ("float", "date", "timestamp", "timestamptz")


@dataclass(frozen=True, kw_only=True)
class AuditedRelation:
    """The relation under audit.

    `entities` is a relation with the quasi-identifiers and the entity, if there is one; the
    release itself never contains it.
    """

    relation: Sql
    columns: Mapping[str, str]
    shown: Sequence[ShownColumn]
    sensitive: Sequence[str] = ()
    original: Sql | None = None
    original_columns: Mapping[str, str] = field(default_factory=dict)
    entities: Sql | None = None
    entity: str | None = None
    original_entity: str | None = None
    """The column of the original that names the entity."""

    @property
    def quasi(self) -> list[ReleasedColumn]:
        """The columns by which an attacker would group."""
        names = [column for shown in self.shown for column in shown.columns]
        return [
            ReleasedColumn(name=name, type_name=self.columns[name], group=f"g{place}")
            for place, name in enumerate(names)
        ]

    @property
    def sensitive_columns(self) -> list[ReleasedColumn]:
        """The columns that an attacker must not be able to infer."""
        return [
            ReleasedColumn(name=name, type_name=self.columns[name], group=f"s{place}")
            for place, name in enumerate(self.sensitive)
        ]

    def group_of(self, column: str) -> str:
        """Return the audit's name of a released quasi-identifier."""
        return next(entry.group for entry in self.quasi if entry.name == column)


def find_shown(
    engine: Engine,
    relation: Sql,
    columns: Mapping[str, str],
    quasi: Sequence[str],
    nodes: Mapping[str, Nodes],
) -> list[ShownColumn]:
    """Return how a release shows its quasi-identifiers, whoever made it."""
    shown: list[ShownColumn] = []
    taken: set[str] = set()
    for name in quasi:
        stem = name.removesuffix("_lo")
        triple = [f"{stem}_lo", f"{stem}_hi"]
        if name.endswith("_lo") and set(triple) <= set(quasi):
            extra = [q for q in quasi if q in (f"{stem}_has_null", f"{stem}_has_nonfinite")]
            shown.append(
                ShownColumn(name=stem, columns=[*triple, *extra], shape="bounds", original=stem)
            )
            taken |= {*triple, *extra}
    for name in quasi:
        if name in taken:
            continue
        shape: Shape = "value"
        if name in nodes:
            shape = "node"
        elif columns[name].endswith("[]"):
            shape = "set"
        elif columns[name] == "VARCHAR":
            names = {"release": relation, "column": name}
            shape = "range" if engine.count("audit/is_range", names=names) else "value"
        shown.append(
            ShownColumn(
                name=name, columns=[name], shape=shape, original=name, nodes=nodes.get(name)
            )
        )
    return shown
