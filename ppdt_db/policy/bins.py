"""The bins that a user may ask for: a rule by which numbers and dates are cut into ranges.

A rule is stored as the user wrote it; `encode.bins` learns the cuts from the rows of a run.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal, TypeAlias

from ppdt_db.errors import RequestError
from ppdt_db.sqltext.quoting import normalize_name

Rule = Literal["mdl", "quantiles", "widths", "edges"]
WORDS = "mdl, quantiles:N, widths:W, a CSV file with the columns column and edge, or a map of edges"


@dataclass(frozen=True, kw_only=True)
class Bins:
    """A rule for bins: by the target, by equal counts, by equal widths, or at given edges."""

    rule: Rule
    count: int = 0
    width: Decimal = Decimal(0)
    edges: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The edges of each column, by its name in lower case."""

    @property
    def title(self) -> str:
        """The rule for the certificate, without edges."""
        if self.rule == "quantiles":
            return f"quantiles:{self.count}"
        return f"widths:{self.width}" if self.rule == "widths" else self.rule

    def edges_of(self, column: str) -> Sequence[str] | None:
        """Return the edges given for a column, if it has any."""
        return self.edges.get(normalize_name(column))


BinsSpec: TypeAlias = Bins | str | Path | Mapping[str, Sequence[object]]
MDL = Bins(rule="mdl")


def as_bins(spec: BinsSpec) -> Bins:
    """Return the rule that a user wrote as a word, a file, or a map from column to edges.

    >>> as_bins("quantiles:4").count, as_bins({"age": [18, 65]}).edges_of("age")
    (4, ('18', '65'))
    """
    if isinstance(spec, Bins):
        return spec
    if isinstance(spec, Mapping):
        return _given(spec)
    if not isinstance(spec, str | Path):
        raise RequestError(f"bins: pass {WORDS}, not a {type(spec).__name__}.")
    name, sign, value = str(spec).partition(":")
    if str(spec) == "mdl":
        return MDL
    if sign and name == "quantiles":
        if not value.isdecimal() or int(value) < 2:
            raise RequestError("bins quantiles: give a whole number of at least 2.")
        return Bins(rule="quantiles", count=int(value))
    if sign and name == "widths":
        return Bins(rule="widths", width=_width(value))
    return _from_file(Path(spec))


def _width(text: str) -> Decimal:
    try:
        width = Decimal(text)
    except InvalidOperation:
        width = Decimal(0)
    if not width.is_finite() or width <= 0:
        raise RequestError("bins widths: give a number above 0.")
    return width


def _given(spec: Mapping[str, Sequence[object]]) -> Bins:
    wrong = [n for n, e in spec.items() if isinstance(e, str) or not isinstance(e, Sequence)]
    if wrong or not spec or not all(spec.values()):
        raise RequestError("bins: write edges as `column: [edge, edge]`, one or more for each.")
    edges = {normalize_name(str(name)): tuple(map(str, given)) for name, given in spec.items()}
    return Bins(rule="edges", edges=edges)


def _from_file(path: Path) -> Bins:
    """Return the edges of a CSV file with the columns `column` and `edge`."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise RequestError(
            f"bins {path}: no such rule, and no file that can be read. Use {WORDS}."
        ) from None
    if not rows or rows[0] != ["column", "edge"] or any(len(row) != 2 for row in rows):
        raise RequestError(f"bins {path}: the file must have the two columns column and edge.")
    edges: dict[str, list[object]] = {}
    for column, edge in rows[1:]:
        edges.setdefault(column, []).append(edge)
    return _given(edges)
