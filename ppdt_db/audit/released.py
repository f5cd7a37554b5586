"""The relation under audit: which columns an outsider would group by, and how they show values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppdt_db.engine import Engine
from ppdt_db.families import ORDERED, family_of
from ppdt_db.names import Sql, fold, nearest

# Types with values that compare as equal and still can be told apart.
LOOSE = ("FLOAT", "DOUBLE", "INTERVAL")
Shape = Literal["range", "set", "bounds", "value", "centre", "node"]


@dataclass(frozen=True, kw_only=True)
class Nodes:
    """A hierarchy as the audit reads it: words over intervals of codes, and what the codes mean."""

    node: str
    dictionary: str
    is_ordered: bool


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A quasi-identifier as a release shows it: one column, or three for bounds."""

    name: str
    columns: Sequence[str]
    shape: Shape
    original: str | None = None
    nodes: Nodes | None = None


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the release, and what the audit calls it."""

    name: str
    type_name: str
    group: str

    @property
    def is_text(self) -> bool:
        """Whether values are told apart by their bytes."""
        return self.type_name == "VARCHAR"

    @property
    def by_text(self) -> bool:
        """Whether values that compare as equal can still be told apart."""
        return any(loose in self.type_name for loose in LOOSE)

    @property
    def is_ordered(self) -> bool:
        """Whether distances between its values go by their order."""
        return family_of(self.type_name) in ORDERED

    @property
    def is_float(self) -> bool:
        """Whether NaN can occur."""
        return family_of(self.type_name) == "float"

    @property
    def has_special(self) -> bool:
        """Whether values can occur that lie on no axis."""
        return family_of(self.type_name) in ("float", "date", "timestamp", "timestamptz")


@dataclass(frozen=True, kw_only=True)
class Released:
    """The relation under audit.

    `entities` is a relation with the quasi-identifiers and the entity, where rows have one: the
    release itself never shows it.
    """

    relation: Sql
    columns: Mapping[str, str]
    shown: Sequence[Shown]
    sensitive: Sequence[str] = ()
    original: Sql | None = None
    original_columns: Mapping[str, str] = field(default_factory=dict)
    entities: Sql | None = None
    entity: str | None = None

    @property
    def quasi(self) -> list[Column]:
        """The columns by which an outsider would group."""
        names = [column for shown in self.shown for column in shown.columns]
        return [
            Column(name=name, type_name=self.columns[name], group=f"g{place}")
            for place, name in enumerate(names)
        ]

    @property
    def sensitive_columns(self) -> list[Column]:
        """The columns of which nothing must be learnt."""
        return [
            Column(name=name, type_name=self.columns[name], group=f"s{place}")
            for place, name in enumerate(self.sensitive)
        ]

    def group_of(self, column: str) -> str:
        """What the audit calls a released quasi-identifier."""
        return next(entry.group for entry in self.quasi if entry.name == column)


def find_shown(
    engine: Engine,
    relation: Sql,
    columns: Mapping[str, str],
    quasi: Sequence[str],
    nodes: Mapping[str, Nodes],
) -> list[Shown]:
    """How a release that anybody made shows its quasi-identifiers."""
    shown: list[Shown] = []
    taken: set[str] = set()
    for name in quasi:
        stem = name.removesuffix("_lo")
        triple = [f"{stem}_lo", f"{stem}_hi"]
        if name.endswith("_lo") and set(triple) <= set(quasi):
            extra = [q for q in quasi if q in (f"{stem}_has_null", f"{stem}_has_nonfinite")]
            shown.append(Shown(name=stem, columns=[*triple, *extra], shape="bounds", original=stem))
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
            Shown(name=name, columns=[name], shape=shape, original=name, nodes=nodes.get(name))
        )
    return shown


def check_columns(columns: Mapping[str, str], asked: Mapping[str, Sequence[str]]) -> list[str]:
    """The faults of an audit's request."""
    by_fold = {fold(column) for column in columns}
    return [
        f'{role} "{name}": the source has no such column.{nearest(name, columns)}'
        for role, names in asked.items()
        for name in names
        if fold(name) not in by_fold
    ]
