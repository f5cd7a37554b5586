"""Apply a hierarchy to the values of a column: check it, and make codes and nodes of it.

hierarchy ──▶ ppdt_path (rows) ──▶ ppdt_hierarchy_level (nodes above each value)
          ──▶ codes, ppdt_node_<i>
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.level_expressions import Judged, over_column
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.policy.hierarchy_specs import (
    Dates,
    Grouping,
    Hierarchy,
    HierarchyTable,
    Intervals,
    Levels,
    Prefixes,
    Quantiles,
)
from ppdt_db.source.resolve import table_of
from ppdt_db.source.source import opened, read_text
from ppdt_db.sqltext.column_types import DATES, NUMBERS, ORDERED
from ppdt_db.sqltext.quoting import Sql

FORMS = {Levels: "expression", Prefixes: "prefix", Intervals: "interval", Dates: "date"}
WORKING = (
    "ppdt_hierarchy_row",
    "ppdt_grouped",
    "ppdt_path",
    "ppdt_computed",
    "ppdt_quantile",
    "ppdt_hierarchy_level",
)


class UnreadableError(RequestError):
    """A hierarchy on which a statement failed: its transaction is aborted."""


@dataclass(frozen=True, kw_only=True)
class ComputedLevel:
    """One computed level: its expression, width, length or unit."""

    expression: Sql = field(default_factory=Sql)
    length: int = 0
    unit: str = ""
    digits: int = 0
    factor: int = 1
    width: int | float = 1
    start: int | float = 0


def shape_faults(engine: Engine, hierarchy: Hierarchy, column: EncodedColumn) -> list[str]:
    """Return the faults of a hierarchy for a column of this type, before anything is read."""
    start = f'hierarchy "{column.name}": '
    if isinstance(hierarchy, Levels):
        return [
            f'{start}level "{name}" must be one deterministic SQL expression over the column '
            f'"{column.name}" alone: {judged.fault}.'
            for name, judged in zip(
                hierarchy.expressions, _judged(engine, hierarchy, column), strict=True
            )
            if judged.fault
        ] or ([] if hierarchy.expressions else [f"{start}it has no levels. Add one."])
    if isinstance(hierarchy, Intervals) and column.family == "huge" and column.is_scaled:
        return [f"{start}intervals need numbers with less than 28 digits. Divide the column first."]
    if isinstance(hierarchy, Grouping) and not hierarchy.paths:
        return [f"{start}it is empty."]
    for kind, families, wanted in (
        (Intervals, NUMBERS, "numbers"),
        (Quantiles, ORDERED, "numbers, dates or times"),
        (Dates, DATES, "dates or timestamps"),
    ):
        if isinstance(hierarchy, kind) and column.family not in families:
            name = kind.__name__.lower()
            return [f"{start}{name} need {wanted}, but the column is of type {column.family}."]
    return []


def _judged(engine: Engine, hierarchy: Levels, column: EncodedColumn) -> list[Judged]:
    """Check the expressions of the levels; instants are in UTC, whatever the session's zone."""
    value = "instant" if column.family == "timestamptz" else "value"
    return over_column(engine, list(hierarchy.expressions.values()), column.name, value)


def given_relation(engine: DuckEngine, place: str) -> tuple[Sql, Mapping[str, str]]:
    """Return the file or relation of a hierarchy and its column types; CSV stays text."""
    is_file = Path(place).suffix.lower() == ".csv" and Path(place).is_file()
    if is_file and table_of(engine, place) is None:
        relation = read_text(engine, Path(place))
        return relation, dict(engine.describe(relation))
    with opened(engine, place) as source:
        return source.relation, source.columns


class Taxonomy:
    """The hierarchy of one column; `ppdt_base` holds the values in their own order."""

    def __init__(self, engine: DuckEngine, column: EncodedColumn, hierarchy: Hierarchy) -> None:
        self.engine = engine
        self.column = column
        self.hierarchy = hierarchy
        self.levels: list[str] = []
        self.names: dict[str, object] = {"attribute": column}

    def read(self) -> list[str]:
        """Apply the hierarchy to the values; return the faults, as counts."""
        try:
            path, n_levels = self._paths()
        except EngineError:
            raise UnreadableError(
                f'hierarchy "{self.column.name}": it cannot be read or computed for a column of '
                f"type {self.column.family}. Check the file or the expressions."
            ) from None
        self.levels = [f"word_{i}" for i in range(n_levels)]
        self.names |= {"path": path, "levels": self.levels}
        if n_levels == 0:
            return [f'hierarchy "{self.column.name}": it has only one column. Give leaf to root.']
        self.engine.make("encode/hierarchy/hierarchy_level", names=self.names)
        return self._faults()

    def arrange(self, dictionary: str, node: str, *, every_word: bool = False) -> None:
        """Make the dictionary in depth-first order, and the nodes, or every word with its codes."""
        self.engine.make("encode/hierarchy/hierarchy_code")
        self.engine.make("encode/hierarchy/dictionary", to=dictionary)
        names = {"attribute": {"dictionary": dictionary}}
        step = "word" if every_word else "node"
        self.engine.make(f"encode/hierarchy/{step}", names=names, to=node)
        self.engine.drop("ppdt_hierarchy_code")
        self.clear()

    def climb(self, relation: str) -> list[str]:
        """Make a relation of every value with its words; return the levels below the root."""
        self.engine.make("encode/hierarchy/value_words", names=self.names, to=relation)
        self.clear()
        *inner, _ = self.levels
        return ["leaf", *inner]

    def write(self, path: Path) -> int:
        """Write the hierarchy to a CSV file; return the number of its values."""
        self.engine.make("encode/hierarchy/hierarchy_code")
        self.engine.copy("encode/hierarchy/written", path, "csv", names=self.names)
        n_values = self.engine.count("encode/size", names={"source": Sql("ppdt_hierarchy_code")})
        self.engine.drop("ppdt_hierarchy_code")
        self.clear()
        return n_values

    def clear(self) -> None:
        """Remove the working relations."""
        self.engine.drop(*WORKING)

    def _paths(self) -> tuple[str, int]:
        hierarchy = self.hierarchy
        if isinstance(hierarchy, Quantiles):
            counts = list(hierarchy.counts)
            made = self.engine.make(
                "encode/hierarchy/quantile", names={**self.names, "steps": counts}
            )
            return made, len(counts) + 1
        if isinstance(hierarchy, Grouping):
            levels = [f"word_{i}" for i in range(len(hierarchy.paths[0]) - 1)]
            paths = {"paths": [list(path) for path in hierarchy.paths]}
            self.engine.make("encode/hierarchy/grouped", paths, {"levels": levels})
            return self._found(Sql("ppdt_grouped"), dict.fromkeys(["leaf", *levels], "VARCHAR"))
        if isinstance(hierarchy, HierarchyTable):
            relation, columns = given_relation(self.engine, hierarchy.place)
            return self._found(relation, columns)
        steps = self._steps(hierarchy)
        names = {**self.names, "steps": steps, "form": FORMS[type(hierarchy)]}
        return self.engine.make("encode/hierarchy/computed", names=names), len(steps) + 1

    def _found(self, relation: Sql, columns: Mapping[str, str]) -> tuple[str, int]:
        leaf, *levels = columns
        if not levels:
            return "", 0
        names: Mapping[str, object] = {
            "hierarchy": relation, "leaf": leaf, "levels": levels, "types": columns
        }  # fmt: skip
        self.engine.make("encode/hierarchy/hierarchy_row", names=names)
        # The type of an enum would list its values: compare enums as text.
        type_name = Sql("VARCHAR" if self.column.family == "enum" else self.column.type_name)
        names = {**self.names, "levels": levels, "type_name": type_name}
        return self.engine.make("encode/hierarchy/found", names=names, to="ppdt_path"), len(levels)

    def _steps(self, hierarchy: Hierarchy) -> list[ComputedLevel]:
        if isinstance(hierarchy, Levels):
            checked = _judged(self.engine, hierarchy, self.column)
            return [
                ComputedLevel(expression=judged.text)
                for judged in checked
                if judged.text is not None
            ]
        if isinstance(hierarchy, Prefixes):
            return [ComputedLevel(length=length) for length in hierarchy.lengths]
        if isinstance(hierarchy, Dates):
            return [ComputedLevel(unit=unit) for unit in hierarchy.units]
        assert isinstance(hierarchy, Intervals)
        if self.column.is_scaled:
            start = float(hierarchy.start)
            return [ComputedLevel(width=float(width), start=start) for width in hierarchy.widths]
        numbers = [*hierarchy.widths, hierarchy.start]
        exponents = [-int(number.normalize().as_tuple().exponent) for number in numbers]
        digits = max(0, self.column.decimals, *exponents)
        scale = 10**digits
        return [
            ComputedLevel(
                digits=digits,
                factor=10 ** (digits - self.column.decimals),
                width=int(width * scale),
                start=int(hierarchy.start * scale),
            )
            for width in hierarchy.widths
        ]

    def _faults(self) -> list[str]:
        row = self.engine.row("encode/hierarchy/fault", names=self.names)
        n_paths, n_missing, n_twice, n_roots, n_torn, n_empty = (int(str(n)) for n in row)
        start = f'hierarchy "{self.column.name}": '
        if n_paths == 0:
            return [f"{start}it is empty."]
        faults: list[str] = []
        if n_missing:
            faults.append(f"{start}{n_missing} values of the column are missing from it. Add them.")
        if n_twice:
            faults.append(f"{start}{n_twice} leaves are listed twice, with different parents.")
        if n_roots != 1:
            faults.append(f"{start}it has {n_roots} roots. The last column must have one value.")
        if n_torn:
            faults.append(f"{start}{n_torn} nodes have two parents, or are below themselves.")
        if isinstance(self.hierarchy, Levels) and n_empty:
            faults.append(
                f"{start}{n_empty} values have no node at some level (NULL, or an error)."
            )
        return faults
