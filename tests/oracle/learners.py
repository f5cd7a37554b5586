"""Naive Bayes and nearest neighbours, the slow way: rows are (intervals and sets, class)."""

from fractions import Fraction
from itertools import pairwise
from math import erf, log, sqrt

Interval = tuple[float, float]


def middle(value):
    return (value[0] + value[1]) / 2


def curve(rows, i, label):
    """Step, mean and spread of an ordered feature in a class."""
    known = [row[i] for row, _ in rows if row[i] is not None]
    middles = sorted({middle(v) for v in known})
    gaps = [b - a for a, b in pairwise(middles)]
    step = sum(gaps) / len(gaps) if gaps else 0.01
    mine = [row[i] for row, c in rows if c == label and row[i] is not None]
    if not mine:
        return step, 0.0, step / 6
    at = [round(middle(v) / step) * step for v in mine]
    widths = [round((v[1] - v[0]) / step) * step for v in mine]
    mean = sum(at) / len(at)
    spread = sum((x - mean) ** 2 for x in at) / len(at) + sum(w * w for w in widths) / len(at) / 12
    return step, mean, max(sqrt(spread), step / 6)


def bayes_scores(rows, classes, kinds, asked):
    """The logarithm of every class, up to one number for all."""
    found = []
    for label in classes:
        score = log((sum(c == label for _, c in rows) + 1) / (len(rows) + len(classes)))
        for i, kind in enumerate(kinds):
            if asked[i] is None or all(row[i] is None for row, _ in rows):
                continue
            if kind == "ordered":
                step, mean, spread = curve(rows, i, label)
                low, high = (round(end / step) * step for end in asked[i])
                ends = [(low - step / 2 - mean) / spread, (high + step / 2 - mean) / spread]
                below, above = (erf(z / sqrt(2)) for z in ends)
                chance = (above - below) / 2
            else:
                members = {m for row, _ in rows for m in row[i] or ()}
                mine = [row[i] for row, c in rows if c == label and row[i] is not None]
                seen = [sum(Fraction(m in s, len(s)) for s in mine) for m in asked[i]]
                chance = float(sum(s + 1 for s in seen) / len(seen) / (len(mine) + len(members)))
            score += log(max(chance, 1e-75))
        found.append(score)
    return found


def distance(kinds, spans, one, other):
    """The expected squared distance, in whole millionths of a million."""
    total = 0
    for kind, span, a, b in zip(kinds, spans, one, other, strict=True):
        if kind == "nominal":
            both = 0.0 if not a or not b else len({*a} & {*b}) / (len(a) * len(b))
            total += round((1 - both) * 10**12)
            continue
        low, width = span
        at = [None if v is None else place(middle(v), low, width) for v in (a, b)]
        for v in (a, b):
            if v is not None and width:
                total += round(((v[1] - v[0]) / width) ** 2 / 12 * 1e12)
        known = [x for x in at if x is not None]
        if len(known) == 2:
            total += (known[0] - known[1]) ** 2
        else:
            total += max(abs(known[0]), abs(10**6 - known[0])) ** 2 if known else 10**12
    return total


def place(value, low, width):
    return round((value - low) / width * 1e6) if width else 0


def neighbours(rows, classes, kinds, k, asked):
    """The class that the nearest vote for."""
    spans = []
    for i, kind in enumerate(kinds):
        at = [middle(row[i]) for row, _ in rows if kind == "ordered" and row[i] is not None]
        spans.append((min(at), max(at) - min(at)) if at else (0, 0))
    far = sorted((distance(kinds, spans, row, asked), c) for row, c in rows)
    limit = far[min(k, len(far)) - 1][0]
    votes = [sum(c == label for d, c in far if d <= limit) for label in classes]
    return classes[votes.index(max(votes))]
