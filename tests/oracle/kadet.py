"""kADET naively: one queue for the whole tree, and what an attacker cannot rule out."""

from collections import Counter
from dataclasses import replace
from math import log2

from oracle.tree_growth import Node, best_split, counted
from oracle.tree_split import spread, total, xlog


def reach(node, values, public):
    """The bins that an attacker cannot rule out; a test that cannot be passed is a bin."""
    if not node.children:
        return frozenset([id(node)])
    if node.attribute not in public:
        return frozenset().union(*(reach(c, values, public) for c in node.children.values()))
    value = values[node.attribute]
    branch = int(value > node.at) if node.at is not None and value is not None else value
    child = node.children.get(branch)
    return reach(child, values, public) if child else frozenset([id(node)])


def holds(part, k, l):  # noqa: E741
    counts = [w * 1e6 for w in Counter(part).values()]
    n = len(part)
    bits = round((xlog(n * 1e6) - sum(map(xlog, counts))) / n, 12)
    return n >= k and (l is None or bits >= round(log2(l), 12))


def grow(units, plan, public, k, l, public_class):  # noqa: E741
    """Take the best split that holds, one after the other; units are (values, class, weight)."""
    root = Node(counted(units, plan), units)
    people = [(v, c) for v, c, w in units for _ in range(w // 10**6)]
    waiting = {(): root}
    while True:
        groups, found = {}, []
        for values, c in people:
            key = (reach(root, values, public), c if public_class else 0)
            groups.setdefault(key, []).append((values, c))
        for path, node in waiting.items():
            of_node = [p for (bins, _), p in groups.items() if id(node) in bins]
            for a, split in candidates(node, plan, public, of_node, k, l):
                found.append((-split[1], a, path, split[2]))
        if not found:
            return root
        _, a, path, at = min(found)
        node = waiting.pop(path)
        node.attribute, node.at = a, at
        for branch, bag in spread(node.units, a, at, replace(plan, missing="branch")).items():
            node.children[branch] = Node(counted(bag, plan), bag)
            waiting[*path, (branch is not None, branch)] = node.children[branch]


def candidates(node, plan, public, groups, k, l):  # noqa: E741
    if total(node.units) < 2 * plan.min_weight or max(node.counts) == total(node.units):
        return []
    found = {}
    for a in range(len(plan.kinds)):

        def allowed(at, a=a):
            if a not in public:
                return plan.kinds[a] == "text" or at is not None
            parts = {}
            for number, people in enumerate(groups):
                for values, c in people:
                    side = values[a] if at is None or values[a] is None else values[a] > at
                    parts.setdefault((number, side is None, side), []).append(c)
            return all(holds(part, k, l) for part in parts.values())

        if split := best_split(node.units, a, plan, allowed):
            found[a] = split
    if plan.criterion == "ratio" and found:
        few = [
            a
            for a, kind in enumerate(plan.kinds)
            if kind == "number" or len(plan.table[a]) < 0.3 * plan.n_rows
        ]
        gains = [found[a][0] for a in found if a in few or not few]
        least = round(sum(gains) / len(gains), 12) - 0.001 if gains else 0
        found = {a: s for a, s in found.items() if s[0] >= least and s[1] > 1e-6}
    return [(a, s) for a, s in found.items() if s[1] > 0]
