"""Fayyad and Irani's cuts, value by value, from their paper."""

from collections import Counter
from collections.abc import Sequence
from math import log2

Pair = tuple[float, object]


def entropy(pairs: Sequence[Pair]) -> float:
    """The entropy of the classes."""
    counts = Counter(label for _, label in pairs).values()
    return -sum(n / len(pairs) * log2(n / len(pairs)) for n in counts)


def parts(pairs: Sequence[Pair], k: int = 1) -> list[list[Pair]]:
    """The parts of (value, class) pairs, from the lowest values to the highest; k pairs in each."""
    best: tuple[float, list[Pair], list[Pair]] | None = None
    before = entropy(pairs)
    for value in sorted({value for value, _ in pairs})[:-1]:
        left = [pair for pair in pairs if pair[0] <= value]
        right = [pair for pair in pairs if pair[0] > value]
        if min(len(left), len(right)) < k:
            continue
        after = (len(left) * entropy(left) + len(right) * entropy(right)) / len(pairs)
        if best is None or round(before - after, 12) > best[0]:
            best = round(before - after, 12), left, right
    if best is None:
        return [list(pairs)]
    gain, left, right = best
    n_classes, n_left, n_right = (len({c for _, c in some}) for some in (pairs, left, right))
    told = log2(3**n_classes - 2)
    told -= n_classes * before - n_left * entropy(left) - n_right * entropy(right)
    if gain <= round((log2(len(pairs) - 1) + told) / len(pairs), 12):
        return [list(pairs)]
    return parts(left, k) + parts(right, k)
