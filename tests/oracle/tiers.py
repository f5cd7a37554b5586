"""Tiered generalization, naively: lists of rows, part after part, as the paper tells it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

Key = tuple[int, object]
Row = Sequence[Key]
FULL = 2**30


def finite(keys: Sequence[Key]) -> list[Fraction]:
    return [Fraction(key[1]) for key in keys if key[0] == 4]


class Space:
    """How far rows lie apart: standardized numbers, and 1 for each category that differs."""

    def __init__(self, rows: Sequence[Row], is_number: Sequence[bool]) -> None:
        self.rows, self.is_number = rows, is_number
        self.stretch, self.far = [], []
        for i, number in enumerate(is_number):
            values = finite([row[i] for row in rows]) if number else []
            mean = sum(values, Fraction()) / max(1, len(values))
            deviation = sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values)))
            self.stretch.append(1 / deviation if deviation else 0.0)
            self.far.append(float(max(values) - min(values)) * self.stretch[i] if values else 0.0)
        longest = sqrt(sum(f * f for f in self.far)) + sum(not number for number in is_number)
        self.unit = FULL / longest if longest else 1.0

    def centre(self, part: Sequence[int]) -> list[Fraction | Key | None]:
        found: list[Fraction | Key | None] = []
        for i, number in enumerate(self.is_number):
            keys = [self.rows[r][i] for r in part]
            if number:
                values = finite(keys)
                found.append(sum(values, Fraction()) / len(values) if values else None)
                continue
            known = [key for key in keys if key[0] == 4] or keys
            found.append(min(set(known), key=lambda key: (-known.count(key), key)))
        return found

    def gap(self, row: int, centre: Sequence[Fraction | Key | None]) -> float:
        square, cost = 0.0, 0
        for i, (number, at) in enumerate(zip(self.is_number, centre, strict=True)):
            key = self.rows[row][i]
            if not number:
                cost += key != at
            elif at is None or key[0] != 4:
                square += 0 if at is None and key[0] != 4 else self.far[i] ** 2
            else:
                square += (float(Fraction(key[1]) - at) * self.stretch[i]) ** 2
        return (sqrt(square) + cost) * self.unit


def tiers(
    space: Space,
    k: int,
    leaf: Sequence[int],
    group: Mapping[int, int],
    above: Mapping[int, Sequence[int]],
    draw: Sequence[int],
) -> list[list[set[Key]]]:
    """What every row shows for every attribute: a set of values, whose hull is a range.

    `leaf` is of every row, `above` the way up from a leaf, itself first; `draw` orders equals.
    """
    rows = range(len(space.rows))
    parts = {at: [r for r in rows if leaf[r] == at] for at in set(leaf)}
    members = {at: list(own) for at, own in parts.items()}
    for at, own in parts.items():
        if len(own) >= k:
            continue
        for node in above[at][: above[at].index(group[at]) + 1]:
            under = [r for r in rows if node in above[leaf[r]] and leaf[r] != at]
            if len(under) >= k - len(own):
                break
        centre = space.centre(own)
        # Distances count in whole 2^-30ths of the longest; what is told apart by less is a tie.
        under.sort(key=lambda r: (round(space.gap(r, centre)), draw[r]))
        members[at] += under[: k - len(own)]
    return [
        [
            {space.rows[other][i] for part in members.values() if r in part for other in part}
            for i in range(len(space.is_number))
        ]
        for r in rows
    ]
