"""C4.5 and ID3, naive: rows in memory, one node after the other, as J48 describes itself."""

from dataclasses import dataclass, field
from itertools import pairwise
from math import log2, sqrt
from statistics import NormalDist


@dataclass
class Plan:
    kinds: list  # "number" or "text", for each attribute
    n_classes: int
    n_rows: int
    min_weight: int
    criterion: str = "ratio"
    missing: str = "fractional"
    table: list = field(default_factory=list)  # the sorted values of each attribute


@dataclass
class Node:
    counts: list
    units: dict  # (values, class) -> weight in millionths
    attribute: int | None = None
    at: object = None
    children: dict = field(default_factory=dict)  # branch -> Node

    def leaves(self):
        return [x for c in self.children.values() for x in c.leaves()] if self.children else [self]


def xlog(w): return w / 1e6 * log2(w / 1e6) if w else 0.0  # fmt: skip


def counted(units, plan):
    return [sum(w for (_, c), w in units.items() if c == k) for k in range(plan.n_classes)]


def branch_of(value, kind, at):
    return None if value is None else value if kind == "text" else int(value > at)


def spread(units, a, at, plan):
    """The units by branch; a missing value's weight is shared out, with sums kept exact."""
    bags, loose = {}, []
    for (values, c), w in sorted(units.items(), key=repr):
        branch = branch_of(values[a], plan.kinds[a], at)
        if branch is None and plan.missing == "fractional":
            loose.append(((values, c), w))
        else:
            bags.setdefault(branch, {})[values, c] = w
    weights = {b: sum(bags[b].values()) for b in sorted(bags, key=lambda b: (b is not None, b))}
    for unit, w in loose:
        before, known = 0, sum(weights.values())
        for branch, weight in weights.items():
            part = w * (before + weight) // known - w * before // known
            before += weight
            if part:
                bags[branch][unit] = part
    return {branch: bags[branch] for branch in weights}


def score(units, a, at, plan):
    """The gain and the gain ratio of a split, and the weights of its known bags."""
    known = {u: w for u, w in units.items() if u[0][a] is not None or plan.missing == "branch"}
    bags = spread(known, a, at, plan)
    n, weights = sum(units.values()), [sum(bag.values()) for bag in bags.values()]
    entropy = lambda bag: xlog(sum(bag.values())) - sum(map(xlog, counted(bag, plan)))  # noqa: E731
    gain = round((entropy(known) - sum(map(entropy, bags.values()))) / (n / 1e6), 12)
    info = (xlog(n) - sum(map(xlog, weights)) - xlog(n - sum(weights))) / (n / 1e6)
    return (
        gain,
        info,
        {
            b: w
            for b, w in zip(bags, weights, strict=True)
            if b is not None or plan.kinds[a] == "text"
        },
    )


def best_split(units, a, plan):
    """(gain, ratio, at) of the best split on one attribute, or None."""
    n = sum(units.values())
    if plan.kinds[a] == "text":
        if all(values[a] is None for values, _ in units):
            return None
        gain, info, weights = score(units, a, None, plan)
        enough = sum(w >= plan.min_weight for w in weights.values()) >= 2
        return (
            (gain, round(gain / info, 12) if plan.criterion == "ratio" else gain, None)
            if enough
            else None
        )
    values = sorted({v[a] for v, _ in units if v[a] is not None})
    known = sum(w for (v, _), w in units.items() if v[a] is not None)
    least = plan.min_weight
    if plan.criterion == "ratio":
        least = max(least, min(25e6, known / (10.0 * plan.n_classes)))
    tried = []
    for low, high in pairwise(values):
        gain, info, weights = score(units, a, low, plan)
        if min(weights[0], weights[1]) >= least:
            middle = max(v for v in plan.table[a] if v <= (low + high) / 2)
            tried.append((-gain, low, info, middle))
    if not tried:
        return None
    gain, _, info, middle = min(tried)
    if plan.criterion == "gain":
        return -gain, -gain, middle
    charged = -gain - log2(len(tried)) / (n / 1e6)
    return (
        (round(charged, 12), round(charged / info, 12), middle)
        if -gain > 0 and round(charged, 12) > 1e-6
        else None
    )


def grow(units, plan):
    node = Node(counted(units, plan), units)
    total = sum(node.counts)
    if total < 2 * plan.min_weight or max(node.counts) == total:
        return node
    found = {a: best_split(units, a, plan) for a in range(len(plan.kinds))}
    found = {a: split for a, split in found.items() if split}
    if plan.criterion == "ratio":
        few = [
            a
            for a, k in enumerate(plan.kinds)
            if k == "number" or len(plan.table[a]) < 0.3 * plan.n_rows
        ]
        gains = [found[a][0] for a in found if a in few or not few]
        least = round(sum(gains) / len(gains), 12) - 0.001 if gains else float("inf")
        found = {a: s for a, s in found.items() if s[0] >= least and s[1] > 1e-6}
    if found:
        node.attribute = min(found, key=lambda a: (-found[a][1], a))
        node.at = found[node.attribute][2]
        bags = spread(units, node.attribute, node.at, plan)
        node.children = {branch: grow(bag, plan) for branch, bag in bags.items()}
    return node


def wrong(counts): return sum(counts) - max(counts)  # fmt: skip


def collapse(node):
    if node.children and sum(wrong(x.counts) for x in node.leaves()) >= wrong(node.counts) - 1000:
        node.children = {}
    for child in node.children.values():
        collapse(child)


def added(n, e, cf):
    if e < 1:
        base = n * (1 - cf ** (1 / n))
        return base + e * (added(n, 1.0, cf) - base) if e else base
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z, f = NormalDist().inv_cdf(1 - cf), (e + 0.5) / n
    root = sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e


def errors(counts, cf):
    n, e = sum(counts) / 1e6, wrong(counts) / 1e6
    return e + added(n, e, cf) if n else 0.0


def with_units(node, units, plan):
    """The same tests, other units; values that it has never met get leaves."""
    new = Node(counted(units, plan), units, node.attribute, node.at)
    if node.children:
        for branch, bag in spread(units, node.attribute, node.at, plan).items():
            known = node.children.get(branch)
            new.children[branch] = (
                with_units(known, bag, plan) if known else Node(counted(bag, plan), bag)
            )
    return new


def prune(node, plan, cf=0.25, raising=True):
    if not node.children:
        return node
    node.children = {b: prune(c, plan, cf, raising) for b, c in node.children.items()}
    as_leaf, as_tree = errors(node.counts, cf), sum(errors(x.counts, cf) for x in node.leaves())
    by_weight = sorted(
        node.children, key=lambda b: (sum(node.children[b].counts), b is not None, b)
    )
    heaviest = node.children[by_weight[-1]]
    raised = with_units(heaviest, node.units, plan)
    as_branch = sum(errors(x.counts, cf) for x in raised.leaves()) if raising else float("inf")
    if as_leaf <= as_tree + 0.1 and as_leaf <= as_branch + 0.1:
        return Node(node.counts, node.units)
    return prune(raised, plan, cf, raising) if as_branch <= as_tree + 0.1 else node
