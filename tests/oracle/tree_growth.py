"""C4.5 and ID3, grown naively: units in memory, one node after the other."""

from dataclasses import dataclass, field
from itertools import pairwise
from math import log2

from oracle.tree_split import bags, counted, merged, mess, options, spread, total, xlog


@dataclass
class Plan:
    kinds: list  # "number" or "text", for each attribute
    n_classes: int
    n_rows: int
    min_weight: int
    criterion: str
    missing: str
    table: list  # the sorted values of each attribute
    borders: dict = field(default_factory=dict)  # of some numbers: where alone a cut may stand


@dataclass
class Node:
    counts: list
    units: list
    attribute: int | None = None
    at: object = None
    children: dict = field(default_factory=dict)  # branch -> Node

    def leaves(self):
        return [x for c in self.children.values() for x in c.leaves()] if self.children else [self]


def stand(a, low, high, plan):  # the threshold between two neighbours
    if plan.kinds[a] == "text":
        return None
    if a in plan.borders:
        return max((v for v in plan.borders[a] if low <= v < high), default=None)
    return max(v for v in plan.table[a] if v <= (low + high) / 2)


def best_split(units, a, plan, allowed=lambda at: True):  # (gain, ratio, at), or None
    n, alone, is_number = total(units) / 1e6, merged(units, a), plan.kinds[a] == "number"
    values, tried = {o for (value,), *_ in alone for o in options(value)} - {None}, []
    for low, high in pairwise(sorted(values)) if is_number else [(0, 0)] if values else []:
        known = bags(alone, 0, plan.kinds[a], low)
        missing, sides = known.pop(None, []), list(known.values())
        least, n_known = plan.min_weight, sum(map(total, sides))
        if is_number and plan.criterion == "ratio":
            least = max(least, min(25e6, n_known / (10.0 * plan.n_classes)))
        parts = [*sides, missing] if plan.missing == "branch" and missing else sides
        enough = [side for side in (sides if is_number else parts) if total(side) >= least]
        is_close = is_number and plan.criterion == "ratio" and low + 1e-5 >= high
        if len(enough) < 2 or not n_known or is_close or not allowed(stand(a, low, high, plan)):
            continue
        before = mess([unit for part in parts for unit in part], plan)
        gain = round((before - sum(mess(part, plan) for part in parts)) / n, 12)
        info = xlog(n * 1e6) - sum(xlog(total(part)) for part in [*sides, missing])
        tried.append((-gain, low, high, info / n))
    if not tried:
        return None
    gain, low, high, info = min(tried)
    at = stand(a, low, high, plan)
    if plan.criterion == "gain":
        return -gain, -gain, at
    charge = log2(len(tried)) / n if is_number else 0
    worth = round(-gain - charge, 12)
    if is_number and (gain >= 0 or worth <= 1e-6):
        return None
    return worth, round((-gain - charge) / info, 12), at


def grow(units, plan):
    node = Node(counted(units, plan), units)
    if total(units) < 2 * plan.min_weight or max(node.counts) == total(units):
        return node
    found = {a: s for a in range(len(plan.kinds)) if (s := best_split(units, a, plan))}
    if plan.criterion == "ratio":
        few = [a for a, kind in enumerate(plan.kinds)
               if kind == "number" or len(plan.table[a]) < 0.3 * plan.n_rows]  # fmt: skip
        gains = [found[a][0] for a in found if a in few or not few]
        least = round(sum(gains) / len(gains), 12) - 0.001 if gains else float("inf")
        found = {a: s for a, s in found.items() if s[0] >= least and s[1] > 1e-6}
    if found:
        node.attribute = a = min(found, key=lambda a: (-found[a][1], a))
        node.at = found[a][2]
        parts = spread(units, a, node.at, plan)
        node.children = {branch: grow(bag, plan) for branch, bag in parts.items()}
    return node
