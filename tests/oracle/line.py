"""The least loss of one number in groups of at least k, by trying every division there is."""

from collections.abc import Iterator, Sequence
from fractions import Fraction


def loss(values: Sequence[int]) -> Fraction:
    """The squares of what the values are off their mean."""
    mean = Fraction(sum(values), len(values)) if values else Fraction(0)
    return sum(((value - mean) ** 2 for value in values), Fraction(0))


def divisions(values: list[int], k: int) -> Iterator[list[list[int]]]:
    """All ways to cut a sorted list into runs of at least k."""
    if len(values) >= k:
        yield [values]
    for size in range(k, len(values) - k + 1):
        for rest in divisions(values[size:], k):
            yield [values[:size], *rest]


def least(rows: Sequence[int | None], k: int) -> Fraction:
    """The loss of the best division; missing numbers are apart if they are k, else with others."""
    finite = sorted(row for row in rows if row is not None)
    n_missing = len(rows) - len(finite)
    joined = n_missing if n_missing < k or len(finite) < k else 0
    far = Fraction((finite[-1] - finite[0]) ** 2 if finite else 0)
    found = [sum(map(loss, division), Fraction(0)) for division in divisions(finite, k)]
    return min(found, default=loss(finite)) + joined * far
