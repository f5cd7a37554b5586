"""Splits of C4.5 in two, naively: rows are (values, class), None is a missing value."""

from fractions import Fraction
from itertools import pairwise
from math import log2

ORDERS = 3


def counted(rows, n_classes):
    return [sum(c == k for _, c in rows) for k in range(n_classes)]


def xlog(n):
    return n * log2(n) if n else 0.0


def mess(rows, n_classes):
    return xlog(len(rows)) - sum(map(xlog, counted(rows, n_classes)))


def gain_of(rows, parts, n_classes):
    return round((mess(rows, n_classes) - sum(mess(p, n_classes) for p in parts)) / len(rows), 12)


def divided(rows, a, low):
    """The rows by side, where `low` says which values go to the first; missing values third."""
    known = [row for row in rows if row[0][a] is not None]
    sides = [[row for row in known if low(row[0][a]) == is_low] for is_low in (True, False)]
    return [*sides, [row for row in rows if row[0][a] is None]]


def prefixes(rows, a, n_classes):
    """The subsets that are tried: first parts of the values by their share of a heavy class."""
    whole = counted(rows, n_classes)
    heavy = sorted((k for k in range(n_classes) if whole[k]), key=lambda k: (-whole[k], k))
    bags = {}
    for values, c in rows:
        if values[a] is not None:
            bags.setdefault(values[a], []).append(c)
    for k in heavy[: 1 if n_classes == 2 else ORDERS]:
        order = sorted(bags, key=lambda v: (Fraction(bags[v].count(k), len(bags[v])), v))
        for n in range(1, len(order)):
            yield frozenset(order[:n])


def width(values, kind, table):
    if kind == "text":
        return len(values) / len(table) if len(values) > 1 else 0
    return (max(values) - min(values)) / (max(table) - min(table)) if len(table) > 1 else 0


def narrowing(rows, parts, a, kind, table):
    def total(part):
        return len(part) * width({row[0][a] for row in part}, kind, table)

    return round((total(parts[0] + parts[1]) - total(parts[0]) - total(parts[1])) / len(rows), 12)


def best_split(rows, a, kind, n_classes, min_rows):
    values = sorted({row[0][a] for row in rows} - {None})
    pairs = list(pairwise(values)) if kind == "number" else []
    tests = [(at, lambda v, at=at: v <= at) for at, _ in pairs]
    if kind == "text":
        tests = [(low, lambda v, low=low: v in low) for low in prefixes(rows, a, n_classes)]
    found = []  # (gain, the first side, the sides)
    for at, low in tests:
        parts = divided(rows, a, low)
        n_known = len(parts[0]) + len(parts[1])
        least = max(min_rows, min(25, n_known / (10 * n_classes))) if kind == "number" else min_rows
        if min(len(parts[0]), len(parts[1])) >= least:
            found.append((gain_of(rows, parts, n_classes), at, parts))
    if not found or (best := max(found, key=lambda f: f[0]))[0] <= 0:  # the first of equals
        return None
    charge = log2(len(found)) / len(rows) if kind == "number" else 0
    gain = round(best[0] - charge, 12)
    info = (xlog(len(rows)) - sum(xlog(len(part)) for part in best[2])) / len(rows)
    if kind == "number" and gain <= 1e-6:
        return None
    return gain, round((gain if kind == "text" else best[0] - charge) / info, 12), *best[1:]
