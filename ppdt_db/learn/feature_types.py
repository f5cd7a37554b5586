"""How learners read releases: each feature as intervals on an axis, or as sets of members.

A model remembers its features' names, kinds and types (`Trait`); whatever it is asked of later is
read in its terms, be it a release or original values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from ppdt_db.coded import MOST_OF_DOUBLE, Coded, Other
from ppdt_db.engine import Engine
from ppdt_db.exact import DOUBLE_DIGITS, Exact, digits_of, own_axis
from ppdt_db.families import Family, family_of
from ppdt_db.learn.thresholds import base_of, decimal
from ppdt_db.names import Sql, fold
from ppdt_db.source import Source
from ppdt_db.tree import typed

Kind = Literal["ordered", "nominal"]
Form = Literal["value", "set", "range", "bounds"]
Axis = Literal["number", "date", "time"]
AXES: dict[Family, Axis] = {
    **dict.fromkeys(("integer", "huge", "decimal", "float"), "number"),
    **dict.fromkeys(("date", "timestamp", "timestamptz"), "date"),
    "time": "time",
}


@dataclass(frozen=True, kw_only=True)
class Trait:
    """What a model remembers of a feature."""

    name: str
    kind: Kind
    type_name: str
    origin: str = ""
    """From where on its numbers count, where DOUBLEs cannot hold them as they are."""

    @property
    def family(self) -> Family:
        """The family of its type."""
        return family_of(self.type_name) or "text"

    @property
    def start(self) -> dict[str, str]:
        """Its origin for JSON, where it has one."""
        return {"origin": self.origin} if self.origin else {}

    @property
    def axis(self) -> Axis:
        """What its numbers count, where it is ordered."""
        return AXES[family_of(self.type_name) or "float"]


@dataclass(frozen=True, kw_only=True)
class Ground:
    """Where the numbers of an axis start to count: at a number of its own, less what is left."""

    base: Sql
    rest: float


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A feature as a source has it; of bounds `column` is their common stem."""

    position: int
    trait: Trait
    form: Form
    column: str
    type_name: str
    low: str = ""
    high: str = ""
    has_null: str = ""
    written_type: str = ""
    """The type of the values that a text column shows, where it was read."""

    @property
    def kind(self) -> Kind:
        """Whether it is read as intervals or as sets."""
        return self.trait.kind

    @property
    def shown_type(self) -> str:
        """The type in which its values, or their ends, are compared."""
        if self.form == "value" or self.family != "text":
            return self.type_name
        return self.written_type or self.trait.type_name

    @property
    def axis(self) -> Exact:
        """What holds its intervals, where it is ordered."""
        return own_axis(self.shown_type)

    @property
    def point(self) -> int:
        """How many digits its numbers have after the point; of dates and times, its seconds."""
        if self.axis.kind == "number":
            return digits_of(self.shown_type)[1]
        return len(str(self.axis.per_second)) - 1

    @property
    def may_be_long(self) -> bool:
        """Whether there are numbers on its axis that no DOUBLE holds."""
        if self.axis.kind == "number":
            return sum(digits_of(self.shown_type)) > DOUBLE_DIGITS
        return self.family != "date" and self.axis.is_day

    @property
    def ground(self) -> Ground | None:
        """The model's origin on the axis of the source."""
        if not self.trait.origin:
            return None
        origin = Fraction(self.trait.origin) * self.axis.per_second
        base = base_of(origin, self.axis.type_name) or "0"
        return Ground(
            base=typed(base, self.axis.type_name),
            rest=float((origin - Fraction(base)) / self.axis.per_second),
        )

    @property
    def family(self) -> Family:
        """The family of the values, members or bounds in the source."""
        return family_of(self.type_name) or "text"

    @property
    def is_written(self) -> bool:
        """Whether an interval must be read from text."""
        return self.form == "bounds" or self.family == "text"

    @property
    def table(self) -> str:
        """The relation of its distinct forms."""
        return f"ppdt_read_{self.position}"


def element_type(type_name: str) -> str:
    """The type of a column's members: of a list its elements', else its own."""
    return type_name.removesuffix("[]")


def in_text(source: Source, name: str, column: str) -> Other:
    """A column of a source as text, under another name."""
    types = {fold(known): type_name for known, type_name in source.columns.items()}
    return Other(name=name, form="text", column=column, source_type=types[fold(column)])


def make_reading(
    engine: Engine,
    source: Source,
    features: Sequence[Feature],
    *,
    truth: str | None = None,
    carried: Sequence[str] = (),
    is_exact: bool = False,
) -> str:
    """Every row in terms of its features, in `ppdt_reading`; returns its name.

    `truth` is the text of any column; columns that are carried along are `column_<i>`.
    """
    make_forms(engine, source, features)
    others = [in_text(source, "truth", truth)] if truth is not None else []
    others += [
        Other(name=f"column_{number}", form="column", column=column)
        for number, column in enumerate(carried)
    ]
    return make_rows(engine, source, features, others, is_exact=is_exact)


def make_rows(
    engine: Engine,
    source: Source,
    features: Sequence[Feature],
    others: Sequence[Other],
    *,
    target: Coded | None = None,
    is_exact: bool = False,
) -> str:
    """Every row, once the forms are there; numbers are DOUBLEs from the features' origins on.

    Where all has to be exact, those that have an origin stay in the type of their axis.
    """
    names = {
        "source": source.relation,
        "features": features,
        "others": others,
        "dictionaries": [target] if target is not None else [],
        "is_exact": is_exact,
    }
    made = engine.make("reading/row", names=names, to="ppdt_reading")
    engine.drop(*(feature.table for feature in features))
    return made


def make_forms(engine: Engine, source: Source, features: Sequence[Feature]) -> None:
    """The distinct forms of every feature, with what each may stand for."""
    for feature in features:
        names = {"source": source.relation, "feature": feature}
        engine.make(f"reading/{feature.kind}", names=names, to=feature.table)


def with_origins(engine: Engine, features: Sequence[Feature]) -> list[Feature]:
    """Features whose numbers count from the lowest one on where DOUBLEs are too short for them."""
    return [
        replace(feature, trait=replace(feature.trait, origin=_origin(engine, feature)))
        for feature in features
    ]


def _origin(engine: Engine, feature: Feature) -> str:
    if feature.kind != "ordered" or feature.axis.is_float or not feature.may_be_long:
        return ""
    least, most, is_held = engine.row("reading/reach", names={"feature": feature})
    if least is None or is_held:
        return ""
    point = feature.point
    ends = [Fraction(str(end)) / feature.axis.per_second * 10**point for end in (least, most)]
    if max(map(abs, ends)) < MOST_OF_DOUBLE:
        return ""
    return decimal(int(ends[0]), point)
