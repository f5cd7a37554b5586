"""The recodings: what a class may show for a quasi-identifier, and how each one is treated.

A new recoding is one entry here and its SQL: `sql/label/<name>.sql`, which makes
`ppdt_centre_<i> (class_id, centre)` out of the classes' rows (`ppdt_part`) or of how far they reach
(`ppdt_extent`). Everything else in the
package reads this table; the documents name each recoding (`docs/roles.md`, `docs/glossary.md`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Recoding = Literal["range", "set", "bounds", "mean", "median", "midpoint", "mode", "node", "bins"]


@dataclass(frozen=True, kw_only=True)
class RecodingKind:
    """One recoding: for which columns it is, what it shows, and how that is read."""

    name: Recoding
    plural: str
    """The name for people, of many."""
    needs: Literal["nothing", "order", "hierarchy"] = "nothing"
    """The requirement on a column: an order (numbers, dates, times), or a hierarchy."""
    endings: tuple[str, ...] = ("",)
    """The endings of the names of its columns."""
    ending_of_nonfinite: str = ""
    """The ending of a further column, where NaN or an infinity occurs."""
    holds: Literal["text", "values", "lists", "numbers"]
    """The contents of its columns: text, values of the column itself or lists of them, or numbers
    (or moments) of whichever type holds them."""
    read_as: Literal["range", "set", "bounds", "node", "centre"]
    """The way the audit reads it, and measures its loss (`sql/audit/share_<read_as>.sql`): what a
    centre stands for is not shown, so its loss is that of how far its class reaches."""
    made_of: Literal["rows", "extent"]
    """The origin of its label: how often each value occurs in the class, or only how far the
    class reaches."""
    helper: Literal["", "special", "set", "common", "centre"] = "centre"
    """The relation `ppdt_<helper>_<i>` that its labels are looked up in."""
    shows_ends: bool = False
    """True if it shows the lowest or the highest value of a class, which is some row's own."""
    solved: str = ""
    """The inference about the last row, for whoever knows all others of a class and its label."""

    @property
    def step(self) -> str:
        """The step that makes its helper."""
        return "label/special" if self.helper == "special" else f"label/{self.name}"

    @property
    def all_endings(self) -> tuple[str, ...]:
        """The endings of all columns that it may have."""
        return (*self.endings, *filter(None, (self.ending_of_nonfinite,)))

    @property
    def is_single(self) -> bool:
        """Return whether one value stands for the class, which does not show how far it reaches."""
        return self.read_as == "centre"

    @property
    def lists_values(self) -> bool:
        """Return whether it shows every value of a class, and none that lies between."""
        return self.read_as == "set"

    @property
    def keeps_values(self) -> bool:
        """Return whether values of the column itself are shown, in its own type."""
        return self.holds in ("values", "lists")

    @property
    def is_kept_in_rules(self) -> bool:
        """Return whether new rows can be shown so; a file of rules holds no hierarchy."""
        return self.needs != "hierarchy"

    @property
    def is_one_column(self) -> bool:
        """Return whether it shows a column as one column."""
        return len(self.endings) == 1


_KINDS = (
    RecodingKind(
        name="range", plural="ranges", needs="order", holds="text", read_as="range",
        made_of="extent", helper="special", shows_ends=True,
    ),
    RecodingKind(
        name="set", plural="sets", holds="lists", read_as="set", made_of="extent", helper="set",
    ),
    RecodingKind(
        name="bounds", plural="lower and upper bounds", needs="order", holds="values",
        read_as="bounds", made_of="extent", helper="", endings=("_lo", "_hi", "_has_null"),
        ending_of_nonfinite="_has_nonfinite", shows_ends=True,
    ),
    RecodingKind(
        name="mean", plural="means", needs="order", holds="numbers", read_as="centre",
        made_of="rows", solved="can compute the last",
    ),
    RecodingKind(
        name="median", plural="medians", needs="order", holds="values", read_as="centre",
        made_of="rows",
    ),
    RecodingKind(
        name="midpoint", plural="midpoints", needs="order", holds="numbers", read_as="centre",
        made_of="extent",
        solved="can compute the last where it is the lowest or the highest of its class",
    ),
    RecodingKind(
        name="mode", plural="most frequent values", holds="values", read_as="centre",
        made_of="rows",
    ),
    RecodingKind(
        name="node", plural="nodes of a hierarchy", needs="hierarchy", holds="text", read_as="node",
        made_of="extent", helper="common",
    ),
    RecodingKind(
        name="bins", plural="bins", needs="order", holds="text", read_as="range",
        made_of="extent", helper="set",
    ),
)  # fmt: skip
RECODINGS: Mapping[str, RecodingKind] = {kind.name: kind for kind in _KINDS}
ENDINGS = tuple(dict.fromkeys(end for kind in _KINDS for end in kind.all_endings if end))
