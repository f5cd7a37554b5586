"""The types of features in learners: intervals on an axis, or sets of members.

A model stores the names, kinds and types of its features (`Trait`); later sources, released or
original, are read in these terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from ppdt_db.encode.columns import MOST_OF_DOUBLE, CarriedColumn, EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.learn.trees.thresholds import base_of, decimal
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import Family, family_of
from ppdt_db.sqltext.exact import DOUBLE_DIGITS, Exact, digits_of, own_axis
from ppdt_db.sqltext.numbered import NumberedName
from ppdt_db.sqltext.quoting import Sql, normalize_name
from ppdt_db.tree.condition import typed

FeatureKind = Literal["ordered", "nominal"]
FeatureForm = Literal["value", "set", "range", "bounds"]
AxisKind = Literal["number", "date", "time"]
AXES: dict[Family, AxisKind] = {
    **dict.fromkeys(("integer", "huge", "decimal", "float"), "number"),
    **dict.fromkeys(("date", "timestamp", "timestamptz"), "date"),
    "time": "time",
}


@dataclass(frozen=True, kw_only=True)
class Trait:
    """The properties of a feature that a model stores."""

    name: str
    kind: FeatureKind
    type_name: str
    origin: str = ""
    """The number from which its numbers count, if DOUBLEs cannot hold them directly."""

    @property
    def family(self) -> Family:
        """The family of its type."""
        return family_of(self.type_name) or "text"

    @property
    def start(self) -> dict[str, str]:
        """Its origin for JSON, if it has one."""
        return {"origin": self.origin} if self.origin else {}

    @property
    def axis(self) -> AxisKind:
        """The unit of its numbers, if it is ordered."""
        return AXES[family_of(self.type_name) or "float"]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The number from which an axis counts: one of its own type, and the remainder."""

    base: Sql
    rest: float


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A feature in a source; for bounds, `column` is their common stem."""

    position: int
    trait: Trait
    form: FeatureForm
    column: str
    type_name: str
    low: str = ""
    high: str = ""
    has_null: str = ""
    written_type: str = ""
    """The type of the values written in a text column, if these are read."""

    # The names of its columns in the steps: intervals, sets, and the terms of distances.
    lo = NumberedName("lo_%d")
    hi = NumberedName("hi_%d")
    set = NumberedName("set_%d")
    null_column = NumberedName("has_null_%d")
    read = NumberedName("read_%d")
    evidence = NumberedName("evidence_%d")
    evidence_relation = NumberedName("ppdt_evidence_%d")
    x = NumberedName("x_%d")
    far = NumberedName("far_%d")
    q = NumberedName("q_%d")
    m = NumberedName("m_%d")
    form_alias = NumberedName("form_%d")
    mismatch = NumberedName("mismatch_%d")
    form_relation = NumberedName("ppdt_form_%d")
    mismatch_relation = NumberedName("ppdt_mismatch_%d")
    axis_relation = NumberedName("ppdt_axis_%d")
    code_relation = NumberedName("ppdt_code_%d")

    @property
    def kind(self) -> FeatureKind:
        """The kind of reading: intervals or sets."""
        return self.trait.kind

    @property
    def shown_type(self) -> str:
        """The type in which its values, or their ends, are compared."""
        if self.form == "value" or self.family != "text":
            return self.type_name
        return self.written_type or self.trait.type_name

    @property
    def axis(self) -> Exact:
        """The axis of its intervals, if it is ordered."""
        return own_axis(self.shown_type)

    @property
    def point(self) -> int:
        """The digits of its numbers, or of its seconds, after the decimal point."""
        if self.axis.kind == "number":
            return digits_of(self.shown_type)[1]
        return len(str(self.axis.per_second)) - 1

    @property
    def may_be_long(self) -> bool:
        """Return whether its axis has numbers that no DOUBLE holds."""
        if self.axis.kind == "number":
            return sum(digits_of(self.shown_type)) > DOUBLE_DIGITS
        return self.family != "date" and self.axis.is_day

    @property
    def axis_origin(self) -> Origin | None:
        """The model's origin on the axis of the source."""
        if not self.trait.origin:
            return None
        origin = Fraction(self.trait.origin) * self.axis.per_second
        base = base_of(origin, self.axis.type_name) or "0"
        return Origin(
            base=typed(base, self.axis.type_name),
            rest=float((origin - Fraction(base)) / self.axis.per_second),
        )

    @property
    def family(self) -> Family:
        """The family of the values, members or bounds in the source."""
        return family_of(self.type_name) or "text"

    @property
    def is_written(self) -> bool:
        """Return whether an interval must be read from text."""
        return self.form == "bounds" or self.family == "text"

    @property
    def table(self) -> str:
        """The relation of its distinct forms."""
        return f"ppdt_read_{self.position}"


def in_text(source: Source, name: str, column: str) -> CarriedColumn:
    """Return a column of a source as text, under another name."""
    types = {normalize_name(known): type_name for known, type_name in source.columns.items()}
    return CarriedColumn(
        name=name, form="text", column=column, source_type=types[normalize_name(column)]
    )


def make_reading(
    engine: Engine,
    source: Source,
    features: Sequence[Feature],
    *,
    truth: str | None = None,
    carried: Sequence[str] = (),
    is_exact: bool = False,
) -> str:
    """Create `ppdt_reading`, every row in terms of the features; return its name.

    `truth` is the text of a column; columns carried along are `column_<i>`.
    """
    make_forms(engine, source, features)
    others = [in_text(source, "truth", truth)] if truth is not None else []
    others += [
        CarriedColumn(name=f"column_{number}", form="column", column=column)
        for number, column in enumerate(carried)
    ]
    return make_rows(engine, source, features, others, is_exact=is_exact)


def make_rows(
    engine: Engine,
    source: Source,
    features: Sequence[Feature],
    others: Sequence[CarriedColumn],
    *,
    target: EncodedColumn | None = None,
    is_exact: bool = False,
) -> str:
    """Create every row once the forms exist; numbers are DOUBLEs counted from the origins.

    If numbers must be exact, those that have an origin keep the type of their axis.
    """
    names = {
        "source": source.relation,
        "features": features,
        "others": others,
        "dictionaries": [target] if target is not None else [],
        "is_exact": is_exact,
    }
    made = engine.make("learn/features/row", names=names, to="ppdt_reading")
    engine.drop(*(feature.table for feature in features))
    return made


def make_forms(engine: Engine, source: Source, features: Sequence[Feature]) -> None:
    """Create the distinct forms of every feature, with the values that each may stand for."""
    for feature in features:
        names = {"source": source.relation, "feature": feature}
        engine.make(f"learn/features/{feature.kind}", names=names, to=feature.table)


def with_origins(engine: Engine, features: Sequence[Feature]) -> list[Feature]:
    """Return the features with origins at their lowest number if DOUBLEs are too short for them."""
    return [
        replace(feature, trait=replace(feature.trait, origin=_origin(engine, feature)))
        for feature in features
    ]


def _origin(engine: Engine, feature: Feature) -> str:
    if feature.kind != "ordered" or feature.axis.is_float or not feature.may_be_long:
        return ""
    least, most, is_held = engine.row("learn/features/reach", names={"feature": feature})
    if least is None or is_held:
        return ""
    point = feature.point
    ends = [Fraction(str(end)) / feature.axis.per_second * 10**point for end in (least, most)]
    if max(map(abs, ends)) < MOST_OF_DOUBLE:
        return ""
    return decimal(int(ends[0]), point)
