"""Utility against the original, naively: one column; a label is a list of parts (lo, hi).

A part (None, None) covers NULL; a label that is None is a suppressed cell, which covers everything.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log2

Value = float | str | None
Label = Sequence[tuple[Value, Value]] | None


def covers(label: Label, value: Value) -> bool:
    if label is None:
        return True
    if value is None:
        return (None, None) in label
    return any(lo is not None and lo <= value <= hi for lo, hi in label)  # type: ignore[operator]


def entropy(original: Sequence[Value], labels: Sequence[Label]) -> float:
    """The mean number of bits that a label leaves open."""
    total = 0.0
    for label in labels:
        behind = [value for value in original if covers(label, value)]
        shares = [n / len(behind) for n in Counter(behind).values()]
        total -= sum(share * log2(share) for share in shares)
    return total / len(labels)


def squares(values: Sequence[float]) -> float:
    mean = sum(values) / len(values) if values else 0.0
    return sum((value - mean) ** 2 for value in values)


def errors(original: Sequence[Value], labels: Sequence[Label]) -> float:
    """Squared errors of numbers about the mean of what their label covers, each by its chance."""
    total = 0.0
    for label in labels:
        behind = [value for value in original if covers(label, value)]
        numbers = [value for value in behind if value is not None]
        total += squares(numbers) / len(behind)  # type: ignore[arg-type]
    return total


def spread(original: Sequence[Value], labels: Sequence[Label]) -> Counter[Value]:
    """Released rows by value: a label in equal parts for each different value that it covers."""
    found: Counter[Value] = Counter()
    for label in labels:
        behind = {value for value in original if covers(label, value)}
        if not behind:
            behind = {min(label)[0]}  # type: ignore[type-var]
        for value in behind:
            found[value] += 1 / len(behind)  # type: ignore[assignment]
    return found


def total_variation(original: Sequence[Value], labels: Sequence[Label]) -> float:
    after, before = spread(original, labels), Counter(original)
    values = after.keys() | before.keys()
    return sum(abs(after[v] / len(labels) - before[v] / len(original)) for v in values) / 2


def wasserstein(original: Sequence[Value], labels: Sequence[Label]) -> float:
    """The area between the two running shares of the numbers."""
    after, before = spread(original, labels), Counter(original)
    axis = sorted({v for v in after.keys() | before.keys() if v is not None})  # type: ignore[type-var]
    n_after, n_before = (sum(counts[v] for v in axis) for counts in (after, before))
    ahead = area = 0.0
    for here, there in pairwise(axis):
        ahead += after[here] / n_after - before[here] / n_before
        area += abs(ahead) * (there - here)  # type: ignore[operator]
    return area
