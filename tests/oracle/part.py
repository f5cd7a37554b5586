"""PART, the slow way: rows are (values, class, weight), weights are fractions."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import log2


@dataclass
class Plan:
    known: list  # the sorted values of each attribute in the whole table
    classes: list
    min_rows: int

    def is_number(self, a):
        return all(isinstance(value, int) for value in self.known[a])


def counts(rows, plan):
    return [sum((w for _, c, w in rows if c == k), Fraction(0)) for k in plan.classes]


def mess(weights):
    n = sum(weights)
    return -sum(float(w) * log2(w / n) for w in weights if w)


def way(row, a, branch, at, share):
    """How much of a row goes along a branch."""
    value = row[0][a]
    if value is None:
        return share
    return Fraction((value > at) == branch if at is not None else value == branch)


def split_at(rows, a, branches, at, plan, least):
    """(gain, ratio, weights by branch) of a test, or None."""
    known = [row for row in rows if row[0][a] is not None]
    bags = [[row for row in known if way(row, a, b, at, 0)] for b in branches]
    sizes, n = [sum(w for *_, w in bag) for bag in bags], sum(w for *_, w in rows)
    if sum(size >= least for size in sizes) < 2:
        return None
    after = sum(mess(counts(bag, plan)) for bag in bags)
    gain = (mess(counts(known, plan)) - after) / n
    return gain, mess([*sizes, n - sum(sizes)]) / n, sizes


def best_test(rows, a, plan):
    """(gain, ratio, attribute, threshold, branches, weights) or None."""
    n = float(sum(w for *_, w in rows))
    if not plan.is_number(a):
        found = split_at(rows, a, plan.known[a], None, plan, plan.min_rows)
        if found is None or found[0] <= 1e-6:
            return None
        return found[0], found[0] / found[1], a, None, plan.known[a], found[2]
    n_known = sum(w for values, _, w in rows if values[a] is not None)
    least = min(max(n_known / 10 / len(plan.classes), plan.min_rows), 25)
    tried = []
    for low, high in pairwise(sorted({v[a] for v, *_ in rows} - {None})):
        at = max(v for v in plan.known[a] if v <= (low + high) / 2)
        if found := split_at(rows, a, [False, True], at, plan, least):
            tried.append((-round(found[0], 12), at, found))
    if not tried:
        return None
    _, at, (gain, spread, sizes) = min(tried, key=lambda one: one[:2])
    charged = gain - log2(len(tried)) / n
    return (charged, charged / spread, a, at, [False, True], sizes) if charged > 1e-6 else None


def choose(rows, plan):
    n, places = sum(w for *_, w in rows), range(len(plan.known))
    found = [test for a in places if (test := best_test(rows, a, plan))]
    wide = {a for a in places if not plan.is_number(a) and len(plan.known[a]) >= 0.3 * n}
    heard = [test[0] for test in found if test[2] not in wide or len(wide) == len(places)]
    mean, best = sum(heard) / len(heard) if heard else 0, None
    for test in found:
        if test[0] >= mean - 1e-3 and test[1] > (best[1] if best else 0) + 1e-11:
            best = test
    return best
