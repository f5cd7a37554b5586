"""Bins, cut by cut: equal counts, edges, and the class in view; k rows in each."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from oracle.mdl import parts

Number = int | Fraction


def low_of(below: Number, above: Number, step: Fraction) -> Fraction:
    """The lower end above a cut: halfway in whole steps, halves up."""
    n_steps = (Fraction(above) - Fraction(below)) / step
    assert n_steps.denominator == 1
    return Fraction(above) - (n_steps.numerator // 2) * step


def large_enough(cuts: Sequence[Number], values: Sequence[Number], k: int) -> list[Number]:
    """The cuts that close a bin of k values, upwards, and leave k above; a cut is a lower end."""
    kept: list[Number] = []
    for cut in cuts:
        inside = [v for v in values if v < cut and (not kept or v >= kept[-1])]
        if len(inside) >= k and sum(v >= cut for v in values) >= k:
            kept.append(cut)
    return kept


def equal_counts(values: Sequence[Number], n: int, k: int, step: Fraction) -> list[Number]:
    """The lower ends of n parts with about equally many values; a value lies in one part."""
    ordered = sorted(values)
    different = sorted(set(values))
    part_of = {v: ordered.index(v) * n // len(ordered) for v in different}
    cuts = [
        (below, above) for below, above in pairwise(different) if part_of[below] != part_of[above]
    ]
    lows = {above: low_of(below, above, step) for below, above in cuts}
    kept = large_enough([above for _, above in cuts], values, k)
    return [lows[above] for above in kept]


def by_class(pairs: Sequence[tuple[Number, object]], k: int, step: Fraction) -> list[Number]:
    """The lower ends by Fayyad and Irani, among the cuts that leave k on both sides."""
    found = parts(pairs, k)  # type: ignore[arg-type]
    ends = [(min(v for v, _ in p), max(v for v, _ in p)) for p in found]
    return [
        low_of(below, above, step)  # type: ignore[arg-type]
        for (_, below), (above, _) in pairwise(ends)
    ]


def bin_of(lows: Sequence[Number], value: Number) -> int:
    """The number of a value's bin."""
    return bisect_right(list(lows), value)
