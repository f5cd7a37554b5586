"""How learners read releases: each feature as intervals on an axis, or as sets of members.

A model remembers its features' names, kinds and types (`Trait`); whatever it is asked of later is
read in its terms, be it a release or original values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.coded import Coded, Other
from ppdt_db.engine import Engine
from ppdt_db.exact import Exact, own_axis
from ppdt_db.families import Family, family_of
from ppdt_db.source import Source

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

    @property
    def family(self) -> Family:
        """The family of its type."""
        return family_of(self.type_name) or "text"

    @property
    def axis(self) -> Axis:
        """What its numbers count, where it is ordered."""
        return AXES[family_of(self.type_name) or "float"]


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


def make_reading(
    engine: Engine,
    source: Source,
    features: Sequence[Feature],
    *,
    target: Coded | None = None,
    truth: str | None = None,
    weight: str | None = None,
    carried: Sequence[str] = (),
) -> str:
    """Every row in terms of its features, in `ppdt_reading`; returns its name.

    `target` is the code under a dictionary, `truth` the text of any column, `weight` its number;
    columns that are carried along are `column_<i>`.
    """
    make_forms(engine, source, features)
    others: list[Other] = []
    if target is not None:
        alias = target.dictionary_alias
        others.append(Other(name="target", form="code", column=target.name, alias=alias))
    if truth is not None:
        others.append(Other(name="truth", form="text", column=truth))
    if weight is not None:
        others.append(Other(name="weight", form="column", column=weight))
    others += [
        Other(name=f"column_{number}", form="column", column=column)
        for number, column in enumerate(carried)
    ]
    names = {
        "source": source.relation,
        "features": features,
        "others": others,
        "dictionaries": [target] if target is not None else [],
    }
    made = engine.make("reading/row", names=names, to="ppdt_reading")
    engine.drop(*(feature.table for feature in features))
    return made


def make_forms(engine: Engine, source: Source, features: Sequence[Feature]) -> None:
    """The distinct forms of every feature, with what each may stand for."""
    for feature in features:
        names = {"source": source.relation, "feature": feature}
        engine.make(f"reading/{feature.kind}", names=names, to=feature.table)
