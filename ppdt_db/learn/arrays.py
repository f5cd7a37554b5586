"""Rows in memory as columns of intervals or sets, and the share of a row that meets a condition."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

import numpy as np

from ppdt_db.learn.dataset import Codes, DistinctRows, Numbers
from ppdt_db.learn.feature_types import Feature


@dataclass(frozen=True, kw_only=True)
class Ordered:
    """An interval feature: the code of each midpoint (-1 if missing), midpoints, ends."""

    codes: Codes
    values: Numbers
    lows: Numbers
    highs: Numbers
    has_width: bool

    @property
    def n_codes(self) -> int:
        """The number of distinct midpoints."""
        return len(self.values)


@dataclass(frozen=True, kw_only=True)
class Nominal:
    """A set feature: the code of each form (-1 if missing), and the members of each form.

    There is one entry per member of a form, in the order of members: each of r members counts 1 /
    r. If no form has two members, a form's code is that of its member.
    """

    codes: Codes
    members: tuple[str, ...]
    n_codes: int
    is_plain: bool
    form_of: Codes
    member_of: Codes
    share_of: Numbers

    def shares(self, branch: int) -> Numbers:
        """Return the share of each form that is a member."""
        first, last = np.searchsorted(self.member_of, [branch, branch + 1])
        found = np.zeros(self.n_codes)
        found[self.form_of[first:last]] = self.share_of[first:last]
        return found

    def by_member(self, codes: Codes, counts: Numbers) -> tuple[Codes, Numbers]:
        """Return counts by form as counts by the members of the forms."""
        if self.is_plain:
            return codes, counts
        by_form = np.zeros((self.n_codes, len(counts)))
        by_form[codes] = counts.T
        found = np.zeros((len(self.members), len(counts)))
        np.add.at(found, self.member_of, by_form[self.form_of] * self.share_of[:, None])
        members = np.flatnonzero(found.any(axis=1))
        return members, found[members].T


Column: TypeAlias = Ordered | Nominal


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One branch of a split; a missing value takes it with `share` of its weight."""

    feature: int
    branch: int
    share: float
    threshold: float | Fraction | None = None


def fractions(columns: Sequence[Column], condition: Condition, rows: Codes) -> Numbers:
    """Return the share of each row that meets a condition."""
    column = columns[condition.feature]
    codes = column.codes[rows]
    part: Numbers
    if isinstance(column, Ordered):
        part = _share_on_side(column, condition, rows)
    elif column.is_plain:
        part = (codes == condition.branch).astype(np.float64)
    elif column.n_codes:
        # Missing values have no code; their share follows below.
        part = column.shares(condition.branch)[codes]
    else:
        part = np.zeros(len(rows))
    return np.where(codes < 0, condition.share, part)


def _share_on_side(column: Ordered, condition: Condition, rows: Codes) -> Numbers:
    """Return the share of each interval on the condition's side of the threshold."""
    assert condition.threshold is not None
    # If the numbers of the column are fractions, so is the threshold.
    threshold = cast("float", condition.threshold)
    lows = column.lows[rows]
    part = np.asarray(lows <= threshold, dtype=np.float64)
    if column.has_width:
        highs = column.highs[rows]
        is_cut = part.astype(np.bool_) & (highs > threshold).astype(np.bool_)
        inside = (threshold - lows[is_cut]) / (highs[is_cut] - lows[is_cut])
        part[is_cut] = inside.astype(np.float64)
    return 1.0 - part if condition.branch else part


def cover(columns: Sequence[Column], conditions: Sequence[Condition], rows: Codes) -> Numbers:
    """Return the share of each row that meets all conditions."""
    covered = np.ones(len(rows))
    left = np.arange(len(rows))
    for condition in conditions:
        covered[left] *= fractions(columns, condition, rows[left])
        left = left[covered[left] > 1e-9]
    return np.where(covered > 1e-9, covered, 0.0)


# -- from rows that were fetched -------------------------------------------------------------------


def members_of(held: DistinctRows, feature: Feature) -> tuple[str, ...]:
    """Return the members of a nominal feature, in order."""
    if feature.kind == "ordered":
        return ()
    return tuple(sorted({m for shown in set(held.sets[feature.position]) for m in shown or ()}))


def make_columns(
    features: Sequence[Feature], held: DistinctRows, members: Sequence[Sequence[str]]
) -> list[Column]:
    """Return rows as codes; members that the model does not know count as missing."""
    return [
        _ordered(held.lows[feature.position], held.highs[feature.position])
        if feature.kind == "ordered"
        else _nominal(held.sets[feature.position], members[feature.position])
        for feature in features
    ]


def _ordered(lows: Numbers, highs: Numbers) -> Ordered:
    middles = (lows + highs) / 2
    is_known = middles == middles
    values, known_codes = np.unique(middles[is_known], return_inverse=True)
    codes = np.full(len(lows), -1)
    codes[is_known] = known_codes
    has_width = bool((highs[is_known] > lows[is_known]).any())
    return Ordered(codes=codes, values=values, lows=lows, highs=highs, has_width=has_width)


def _nominal(sets: Sequence[tuple[str, ...] | None], members: Sequence[str]) -> Nominal:
    place_of = {member: place for place, member in enumerate(members)}
    places_of = {
        shown: tuple(place_of[m] for m in shown or () if m in place_of)
        for shown in dict.fromkeys(sets)
    }
    is_plain = all(len(places) < 2 for places in places_of.values())
    forms: dict[tuple[int, ...], int]
    if is_plain:
        forms = {(place,): place for place in range(len(members))}
    else:
        known = dict.fromkeys(places for places in places_of.values() if places)
        forms = {places: code for code, places in enumerate(known)}
    code_of = {shown: forms.get(places, -1) for shown, places in places_of.items()}
    entries = sorted((place, form) for places, form in forms.items() for place in places)
    sizes = np.array([len(places) for places in forms], dtype=np.float64)
    form_of = np.array([form for _, form in entries], dtype=np.int64)
    return Nominal(
        codes=np.array([code_of[shown] for shown in sets], dtype=np.int64),
        members=tuple(members), n_codes=len(forms), is_plain=is_plain, form_of=form_of,
        member_of=np.array([place for place, _ in entries], dtype=np.int64),
        share_of=1 / sizes[form_of],
    )  # fmt: skip
