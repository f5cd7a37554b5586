"""Measures that link a release to its population or its original."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import AuditedRelation, ReleasedColumn, ShownColumn
from ppdt_db.engine import Engine
from ppdt_db.sqltext.column_types import NUMBERS, ORDERED, family_of
from ppdt_db.sqltext.exact import Exact
from ppdt_db.sqltext.quoting import Sql, by_normal_name, ident, normalize_name

# The most pairs of labels and values of one quasi-identifier to compare.
MOST_COMPARED = 20_000_000
# If no label has two ends, a column of ranges looks like one of values: `37 or NULL`, `37`.
TEXTS = ("range", "value")
RISKS = (
    "journalist_risk_max", "journalist_risk_mean", "rows_at_journalist_risk",
    "rows_population_unique", "classes_beyond_population", "delta_presence_min",
    "delta_presence_max",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LinkedColumn:
    """One quasi-identifier on both sides: the label of the class, and the person's value."""

    how: Literal["same", "set", "bounds", "range"]
    place: int
    column: str
    is_text: bool
    as_text: bool
    group: str
    high: str = ""
    has_null: str = ""
    has_nonfinite: str = ""
    type_name: str = ""
    """The type of the person's value."""
    as_type: Sql | None = None
    """The type in which the person's value is compared, if it is another number than shown."""
    axis: Exact | None = None
    """The exact type in which both sides are compared as numbers."""

    @property
    def own_type(self) -> Sql:
        """The type of the person's value, where it is a number."""
        assert self.as_type is not None
        return Sql(self.type_name)

    @property
    def by_number(self) -> bool:
        """Return whether both ends are numbers: of ranges, and of bounds of another type."""
        return self.how == "range" or (self.how == "bounds" and self.as_type is not None)

    @property
    def person(self) -> str:
        """The person's value."""
        return f"p{self.place}"

    @property
    def number(self) -> str:
        """The person's value as a number."""
        return f"number_{self.place}"

    @property
    def lo(self) -> str:
        """The lower end of the class's range."""
        return f"lo_{self.place}"

    @property
    def hi(self) -> str:
        """The upper end of the class's range."""
        return f"hi_{self.place}"

    @property
    def lo_text(self) -> str:
        """The lower end as text."""
        return f"lo_text_{self.place}"

    @property
    def hi_text(self) -> str:
        """The upper end as text."""
        return f"hi_text_{self.place}"

    @property
    def label(self) -> list[str]:
        """The columns of the class's label."""
        names = (self.group, self.high, self.has_null, self.has_nonfinite)
        return [name for name in names if name]

    @property
    def ends(self) -> list[str]:
        """The columns that hold the ends of the class's label."""
        return [name for name in (self.group, self.high) if name]

    @property
    def lead(self) -> str:
        """The relation of the values that fit each class."""
        return f"ppdt_lead_{self.place}"

    @property
    def text(self) -> str:
        """The person's value as text."""
        return f"text_{self.place}"


def find_parts(
    released: AuditedRelation, columns: Mapping[str, str]
) -> tuple[list[LinkedColumn], list[str]]:
    """Return how each quasi-identifier is compared with people, and the columns they lack."""
    by_name = by_normal_name(columns)
    groups = {column.name: column for column in released.quasi}
    parts: list[LinkedColumn] = []
    missing: list[str] = []
    for shown in released.shown:
        column = by_name.get(normalize_name(shown.original or shown.name))
        if shown.shape == "bounds" and column is None:
            # People with bounds of their own are compared bound by bound.
            missing += [name for name in shown.columns if normalize_name(name) not in by_name]
            parts += [
                _same(groups[name], by_name[normalize_name(name)], columns, len(parts) + place)
                for place, name in enumerate(shown.columns)
                if normalize_name(name) in by_name
            ]
        elif column is None:
            missing.append(shown.name)
        else:
            parts.append(_part(shown, groups, column, columns[column], len(parts)))
    return parts, missing


def of_population(
    engine: Engine,
    released: AuditedRelation,
    population: Sql,
    columns: Mapping[str, str],
    threshold: float,
) -> dict[str, object]:
    """Return journalist risk, population uniqueness and delta-presence."""
    if not _fit(engine, released, population, columns):
        return dict.fromkeys(RISKS)
    row = engine.row("audit/journalist", {"risk_threshold": threshold})
    engine.drop("ppdt_fit", "ppdt_person", "ppdt_bound")
    return dict(zip(RISKS, row, strict=True))


def of_original(engine: Engine, released: AuditedRelation) -> dict[str, object]:
    """Return the measures of (k, k)-anonymity."""
    assert released.original is not None
    if not _fit(engine, released, released.original, released.original_columns):
        return dict.fromkeys(("kk", "kk_released", "kk_original"))
    kk_released, kk_original = engine.row("audit/kk")
    engine.drop("ppdt_fit", "ppdt_person", "ppdt_bound")
    both = [int(str(value or 0)) for value in (kk_released, kk_original)]
    return {"kk": min(both), "kk_released": both[0], "kk_original": both[1]}


def _fit(
    engine: Engine, released: AuditedRelation, people: Sql, columns: Mapping[str, str]
) -> bool:
    """Make the matching pairs; return False if labels and values cannot be compared exactly."""
    parts = with_axes(engine, find_parts(released, columns)[0])
    if any(part.by_number and part.axis is None for part in parts):
        return False
    names: dict[str, object] = {"parts": parts, "people": people, "quasi": released.quasi}
    for step in ("person", "bound"):
        engine.make(f"audit/{step}", names=names)
    names["leads"] = leads = _leads(engine, parts)
    if leads:
        engine.make("audit/met", names=names)
    engine.make("audit/fit", names=names)
    engine.drop("ppdt_met", *(part.lead for part in parts))
    return True


def with_axes(engine: Engine, parts: Sequence[LinkedColumn]) -> list[LinkedColumn]:
    """Return the parts with the types in which ranges and values are compared."""
    return [
        replace(part, axis=axis_of(engine, ident("ppdt_class"), part.ends, [part.type_name]))
        if part.by_number
        else part
        for part in parts
    ]


def _leads(engine: Engine, parts: Sequence[LinkedColumn]) -> list[LinkedColumn]:
    """Choose the quasi-identifiers to join classes and people by, fewest pairs first.

    Each costs a row per class and fitting value, and saves the pairs that do not match.
    """
    sizes = engine.rows("audit/lead_size", names={"parts": parts})
    fitting: dict[str, tuple[float, float]] = {}
    n_classes = n_people = 1
    for number, *counts in sizes:
        n_classes, n_people, n_labels, n_values = (max(1, int(str(count))) for count in counts)
        if n_labels * n_values <= MOST_COMPARED:
            part = parts[int(str(number))]
            engine.make("audit/lead", names={"part": part}, to=part.lead)
            n_fitting = engine.count("encode/size", names={"source": ident(part.lead)}) / n_classes
            fitting[part.lead] = (n_fitting, n_fitting / n_values)
    chosen: list[str] = []
    wanted, pairs = float(n_classes), float(n_classes * n_people)
    while rest := [name for name in fitting if name not in chosen]:
        costs = {n: wanted * fitting[n][0] + pairs * fitting[n][1] for n in rest}
        best = min(rest, key=lambda name: costs[name])
        if costs[best] >= wanted + pairs:
            break
        chosen.append(best)
        wanted, pairs = wanted * fitting[best][0], pairs * fitting[best][1]
    return [part for part in parts if part.lead in chosen]


def _part(
    shown: ShownColumn,
    groups: Mapping[str, ReleasedColumn],
    column: str,
    type_name: str,
    place: int,
) -> LinkedColumn:
    first = groups[shown.columns[0]]
    is_same_type = type_name == first.type_name
    how: Literal["same", "set", "bounds", "range"] = "same"
    if shown.shape == "bounds":
        how = "bounds"
    elif shown.shape == "set" and not type_name.endswith("[]"):
        how = "set"
    elif shown.shape in TEXTS and first.is_text and family_of(type_name) in ORDERED:
        how = "range"
    null = next((name for name in shown.columns if name.endswith("_has_null")), None)
    nonfinite = next((name for name in shown.columns if name.endswith("_has_nonfinite")), None)
    is_special = family_of(type_name) in ("float", "date", "timestamp", "timestamptz")
    is_text_inside = first.type_name in ("VARCHAR", "VARCHAR[]")
    return LinkedColumn(
        how=how,
        place=place,
        column=column,
        is_text=type_name == "VARCHAR",
        as_text=how in ("same", "set") and not is_same_type and is_text_inside,
        group=first.group,
        high=groups[shown.columns[1]].group if how == "bounds" else "",
        has_null=groups[null].group if null else "",
        has_nonfinite=groups[nonfinite].group if nonfinite and is_special else "",
        type_name=type_name,
        as_type=_other_number(first.type_name, type_name),
    )


def _other_number(shown: str, type_name: str) -> Sql | None:
    """Return the numeric type of a label if the person's value has another numeric type."""
    member = shown.removesuffix("[]")
    is_number = family_of(member) in NUMBERS and family_of(type_name) in NUMBERS
    return Sql(member) if is_number and member != type_name else None


def _same(
    shown: ReleasedColumn, column: str, columns: Mapping[str, str], place: int
) -> LinkedColumn:
    return LinkedColumn(
        how="same",
        place=place,
        column=column,
        is_text=columns[column] == "VARCHAR",
        as_text=shown.is_text and columns[column] != "VARCHAR",
        group=shown.group,
        type_name=columns[column],
        as_type=_other_number(shown.type_name, columns[column]),
    )
