"""PART, the slow way: partial trees and the rules that they leave."""

from oracle.part import choose, counts, mess, way
from oracle.tree_pruning import errors


def expected(weights):
    return errors([round(w * 10**6) for w in weights], 0.25)


def grow(rows, plan):
    """(counts, path) of the leaf that covers most in a partial tree; a leaf has no path."""
    weights = counts(rows, plan)
    leaf, n = (weights, ()), sum(weights)
    test = None if n < 2 * plan.min_rows or max(weights) == n else choose(rows, plan)
    if test is None:
        return leaf
    _, _, a, at, branches, sizes = test
    ways = [(a, b, at, size / sum(sizes)) for b, size in zip(branches, sizes, strict=True)]
    bags = [[(v, c, w * p) for v, c, w in rows if (p := way((v, c, w), *one))] for one in ways]
    large = [i for i, bag in enumerate(bags) if sum(w for *_, w in bag) >= plan.min_rows]
    mixed = {i: mess(counts(bags[i], plan)) / float(sum(w for *_, w in bags[i])) for i in large}
    ends = {}
    for i in sorted(large, key=lambda i: (round(mixed[i], 9), i)):
        ends[i] = grow(bags[i], plan)
        if ends[i][1]:
            return best(ends, ways, large)
    if not ends:
        return leaf
    ends |= {i: (counts(bag, plan), ()) for i, bag in enumerate(bags) if i not in ends}
    if expected(weights) <= sum(expected(end[0]) for end in ends.values()) + 1e-6:
        return leaf
    return best(ends, ways, large)


def best(ends, ways, large):
    chosen = max(sorted(i for i in ends if i in large), key=lambda i: sum(ends[i][0]))
    return ends[chosen][0], (ways[chosen], *ends[chosen][1])


def rules(rows, plan):
    """Rule after rule, until nothing is left: its conditions, and what it covered."""
    found = []
    while sum(w for *_, w in rows) > 1e-6:
        weights, path = grow(rows, plan)
        found.append(([(a, branch, at) for a, branch, at, _ in path], weights))
        left = []
        for row in rows:
            part = 1
            for one in path:
                part *= way(row, *one)
            left.append((*row[:2], row[2] * (1 - part)))
        rows = [row for row in left if row[2] > 1e-6]
    return found
