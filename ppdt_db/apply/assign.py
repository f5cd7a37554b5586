"""Placing: the class of every new combination, of those that its leaf's rows went to.

ppdt_asked, ppdt_ranked, ppdt_reach ──▶ ppdt_fit ──▶ ppdt_member
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppdt_db.coded import Coded, Encoded
from ppdt_db.engine import DuckEngine
from ppdt_db.names import ident
from ppdt_db.rules import rules_attached, shaped
from ppdt_db.rules_head import About

# Classes and values of one quasi-identifier that are compared each with each.
MOST_COMPARED = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How far classes reach in one quasi-identifier: its columns in the templates."""

    attribute: Coded
    by_code: bool = False
    """Whether classes and combinations meet through the codes of the values that fit."""

    @property
    def is_set(self) -> bool:
        """Whether a class holds single values, not all between two ends."""
        return self.attribute.kind == "categorical" or self.attribute.recode == "set"

    @property
    def is_hard(self) -> bool:
        """Whether the label tells the extent: a mean or a mode tells none."""
        return self.attribute.recode in ("range", "set", "bounds")

    @property
    def low(self) -> str:
        """The lower end."""
        return f"low_{self.attribute.position}"

    @property
    def high(self) -> str:
        """The upper end."""
        return f"high_{self.attribute.position}"

    @property
    def words(self) -> str:
        """The values of the class that lie in no range, in words."""
        return f"words_{self.attribute.position}"

    @property
    def members(self) -> str:
        """The values of a set."""
        return f"members_{self.attribute.position}"

    @property
    def value(self) -> str:
        """The value of a new combination."""
        return f"value_{self.attribute.position}"

    @property
    def word(self) -> str:
        """Its word, where it lies in no range."""
        return f"word_{self.attribute.position}"

    @property
    def meets(self) -> str:
        """The relation of the codes that lie in each class."""
        return f"ppdt_meets_{self.attribute.position}"


def place_cells(engine: DuckEngine, encoded: Encoded, about: About, path: Path) -> None:
    """Give the new combinations their classes; leaves `ppdt_member` and `ppdt_label` behind.

    Means and modes say nothing of what lies outside. Where classes have boxes, one that holds a
    combination by all of its attributes comes first, and only where there is none they are let be.
    """
    labels = about.labels
    reaches = [Reach(attribute=a) for a in shaped(encoded.attributes, labels)]
    names: dict[str, object] = {
        "attributes": encoded.attributes,
        "ranged": [reach.attribute for reach in reaches if not reach.is_set],
        "reaches": reaches,
        "labels": labels,
    }
    with rules_attached(engine, about, path) as file:
        at = {of: {**names, "kept": (file, "main", of)} for of in ("place", "extent", "label")}
        engine.make("apply/read_place", names=at["place"], to="ppdt_ranked")
        engine.make("apply/read_extent", names=at["extent"], to="ppdt_reach")
        engine.make("apply/shown", names=at["label"], to="ppdt_label")
    engine.make("apply/asked", names=names)
    if not about.has_boxes:
        reaches = [reach for reach in reaches if reach.is_hard]
    reaches = _with_meets(engine, reaches)
    hard = [reach for reach in reaches if reach.is_hard]
    engine.make("apply/fit", names=_wanted(reaches))
    if len(hard) < len(reaches):
        engine.make("apply/unfit", names=names)
        engine.rename("ppdt_unfit", "ppdt_asked")
        engine.append("apply/fit", "ppdt_fit", names=_wanted(hard))
    engine.make("apply/member")
    engine.drop("ppdt_asked", "ppdt_fit", "ppdt_reach", *(r.meets for r in reaches if r.by_code))


def _wanted(reaches: Sequence[Reach]) -> dict[str, object]:
    return {"reaches": reaches, "by_range": any(not reach.by_code for reach in reaches)}


def _with_meets(engine: DuckEngine, reaches: Sequence[Reach]) -> list[Reach]:
    """Let sets, and the range that leaves the fewest pairs, be compared by codes.

    Without one that leads, every class of a leaf would be looked at for each of its combinations.
    """
    by_code = {reach.meets for reach in reaches if reach.is_set}
    ranged: list[tuple[int, str]] = []
    n_classes = engine.count("encode/size", names={"source": ident("ppdt_reach")})
    for reach in reaches:
        if reach.is_set:
            engine.make("apply/meets", names={"reach": reach}, to=reach.meets)
        elif n_classes * reach.attribute.n_codes <= MOST_COMPARED:
            engine.make("apply/reach", names={"reach": reach}, to=reach.meets)
            n_pairs = engine.count("apply/n_pairs", names={"reach": reach})
            ranged.append((n_pairs, reach.meets))
    for place, (_, meets) in enumerate(sorted(ranged)):
        if place == 0:
            by_code.add(meets)
        else:
            engine.drop(meets)
    return [replace(reach, by_code=reach.meets in by_code) for reach in reaches]
