"""ID3 with a branch for every set, by hand: a set is a frozenset, what is not known at all is None.

Gains are compared exactly: n log n adds up as n^n multiplies.
"""

from collections import Counter
from fractions import Fraction
from math import log2, prod


def as_set(value):
    """A cell of a table: a list, or a single value as the set of one."""
    members = frozenset(value if isinstance(value, list) else [value])
    return members if members - {None} else None


def purity(rows, at):
    """The larger, the purer the branches of one attribute."""
    sizes = Counter(values[at] for values, _ in rows)
    classes = Counter((values[at], label) for values, label in rows)
    return Fraction(prod(n**n for n in classes.values()), prod(n**n for n in sizes.values()))


def grow(rows, n_attributes):
    """Return the counts of the classes, the attribute tested or None, and the branches."""
    counts = Counter(label for _, label in rows)
    possible = [a for a in range(n_attributes) if len({values[a] for values, _ in rows}) > 1]
    if len(counts) < 2 or not possible:
        return counts, None, {}
    best = max(possible, key=lambda a: (purity(rows, a), -a))
    parts = {}
    for values, label in rows:
        parts.setdefault(values[best], []).append((values, label))
    return counts, best, {one: grow(part, n_attributes) for one, part in parts.items()}


def entropy(counts):
    total = sum(counts.values())
    return abs(-sum(n / total * log2(n / total) for n in counts.values()))


def may_be(known, asked):
    """What a row's set may be among the sets that a tree knows of a column."""
    if asked is None or asked in known:
        return [asked]
    return [one for one in known if one is not None and asked <= one]
