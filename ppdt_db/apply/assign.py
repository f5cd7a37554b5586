"""Assign every new combination to a class, out of those that rows of its leaf are in.

ppdt_new_cell, ppdt_ranked, ppdt_reach ──▶ ppdt_fitting_class ──▶ ppdt_member
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppdt_db.encode.columns import EncodedColumn, EncodedTable
from ppdt_db.engine import DuckEngine
from ppdt_db.release.rules_file import rules_attached, shaped
from ppdt_db.release.rules_header import About
from ppdt_db.sqltext.quoting import ident

# At most this many pairs of a class and a value of one quasi-identifier are compared.
MOST_COMPARED = 20_000_000


@dataclass(frozen=True, kw_only=True)
class ExtentColumn:
    """The extent of classes in one quasi-identifier: its columns in the templates."""

    attribute: EncodedColumn
    by_code: bool = False
    """True if classes and combinations are joined on the codes of the values that fit."""

    @property
    def is_set(self) -> bool:
        """Return whether a class holds single values instead of all between two ends."""
        return not self.attribute.has_ends

    @property
    def is_hard(self) -> bool:
        """Return whether the label shows the extent; means and modes do not."""
        return not self.attribute.recoding.is_single

    @property
    def low(self) -> str:
        """The column of the lower end."""
        return f"low_{self.attribute.position}"

    @property
    def high(self) -> str:
        """The column of the upper end."""
        return f"high_{self.attribute.position}"

    @property
    def words(self) -> str:
        """The column of the class's values that lie in no range."""
        return f"words_{self.attribute.position}"

    @property
    def members(self) -> str:
        """The column of the members of a set."""
        return f"members_{self.attribute.position}"

    @property
    def value(self) -> str:
        """The column of a new combination's value."""
        return f"value_{self.attribute.position}"

    @property
    def word(self) -> str:
        """The column of its value if that lies in no range."""
        return f"word_{self.attribute.position}"

    @property
    def meets(self) -> str:
        """The relation of the codes that lie in each class."""
        return f"ppdt_meets_{self.attribute.position}"


def place_cells(engine: DuckEngine, encoded: EncodedTable, about: About, path: Path) -> None:
    """Assign the new combinations to classes; leaves `ppdt_member` and `ppdt_label` behind.

    Means and modes do not show the extent of their class. If classes have boxes, one that
    covers a combination in all attributes comes first; boxes are ignored only if there is none.
    """
    labels = about.labels
    reaches = [ExtentColumn(attribute=a) for a in shaped(encoded.attributes, labels)]
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
    engine.make("apply/new_cell", names=names)
    if not about.has_boxes:
        reaches = [reach for reach in reaches if reach.is_hard and about.shows_reach]
    reaches = _with_meets(engine, reaches)
    hard = [reach for reach in reaches if reach.is_hard and about.shows_reach]
    engine.make("apply/fitting_class", names=_wanted(reaches))
    if len(hard) < len(reaches):
        engine.make("apply/unplaced", names=names)
        engine.rename("ppdt_unplaced", "ppdt_new_cell")
        engine.append("apply/fitting_class", "ppdt_fitting_class", names=_wanted(hard))
    engine.make("apply/member")
    engine.drop(
        "ppdt_new_cell",
        "ppdt_fitting_class",
        "ppdt_reach",
        *(r.meets for r in reaches if r.by_code),
    )


def _wanted(reaches: Sequence[ExtentColumn]) -> dict[str, object]:
    return {"reaches": reaches, "by_range": any(not reach.by_code for reach in reaches)}


def _with_meets(engine: DuckEngine, reaches: Sequence[ExtentColumn]) -> list[ExtentColumn]:
    """Compare sets by code, and the range that leaves the fewest pairs.

    Without one such attribute, every class of a leaf would be compared with each combination.
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
