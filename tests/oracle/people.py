"""What needs a second relation, naively: rows of labels, and people of values, row by row.

A label is a list of parts as in `oracle.utility`, or None for NULL, which fits only NULL; a row of
NULLs alone fits everybody.
"""

from collections.abc import Sequence
from fractions import Fraction

from oracle.utility import Label, Value, covers

NULL = ((None, None),)
Shown = Sequence[Label]
Person = Sequence[Value]


def fits(shown: Shown, person: Person) -> bool:
    if all(label is None for label in shown):
        return True
    return all(covers(label or NULL, value) for label, value in zip(shown, person, strict=True))


def kk(released: Sequence[Shown], original: Sequence[Person]) -> tuple[int, int]:
    """The fewest original rows that fit a released row, and the other way round."""
    return (
        min(sum(fits(shown, person) for person in original) for shown in released),
        min(sum(fits(shown, person) for shown in released) for person in original),
    )


def journalist(released: Sequence[Shown], people: Sequence[Person]) -> dict[str, float]:
    """Risks and presence: a class has at least as many people behind it as it has rows."""
    sizes: dict[str, int] = {}
    behind: dict[str, int] = {}
    for shown in released:
        sizes[repr(shown)] = sizes.get(repr(shown), 0) + 1
        behind[repr(shown)] = sum(fits(shown, person) for person in people)
    chances = [Fraction(n, max(n, behind[shown])) for shown, n in sizes.items()]
    absent = [p for p in people if not any(fits(shown, p) for shown in released)]
    return {
        "journalist_risk_max": max(1 / max(n, behind[shown]) for shown, n in sizes.items()),
        "journalist_risk_mean": float(sum(chances) / len(released)),
        "rows_population_unique": sum(max(n, behind[s]) == 1 for s, n in sizes.items()),
        "classes_beyond_population": sum(behind[s] < n for s, n in sizes.items()),
        "delta_presence_min": 0 if absent else float(min(chances)),
        "delta_presence_max": float(max(chances)),
    }
