"""Pessimistic pruning of a naive tree, with subtree replacement and raising, as J48 does it."""

from math import sqrt
from statistics import NormalDist

from oracle.tree_growth import Node
from oracle.tree_split import counted, spread


def wrong(counts):
    return sum(counts) - max(counts)


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
    last = max(node.children, key=lambda b: (sum(node.children[b].counts), b is not None, b))
    heaviest = node.children[last]
    as_branch, raised = float("inf"), None
    if raising:
        raised = with_units(heaviest, node.units, plan)
        as_branch = sum(errors(x.counts, cf) for x in raised.leaves())
    if as_leaf <= as_tree + 0.1 and as_leaf <= as_branch + 0.1:
        return Node(node.counts, node.units)
    return prune(raised, plan, cf, raising) if as_branch <= as_tree + 0.1 else node
