"""The sides of binary splits: where the values go that a node has not seen.

A division in two takes every value of the attribute: one that no row of the node has goes to the
heavier side. While a tree is pruned, rows may come to a node from elsewhere, with any value; in the
finished tree a node lists only the values with which its own path can be taken.
"""

from collections.abc import Mapping, Sequence

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.learn.trees.node import MISSING_BRANCH, GrowingNode


def place_unseen(root: GrowingNode, attributes: Sequence[EncodedColumn]) -> None:
    """Give every value of a divided attribute a side in each node that tests it."""
    categories = _categories(attributes)
    for node in root.walk():
        if node.attribute in categories:
            sides = [side for code, side in sorted(node.children.items()) if code != MISSING_BRANCH]
            heavier = max(sides, key=lambda side: side.total)
            for code in categories[node.attribute]:
                node.children.setdefault(code, heavier)


def drop_impossible(root: GrowingNode, attributes: Sequence[EncodedColumn]) -> None:
    """Drop the values that the tests above a node have sent elsewhere."""
    categories = _categories(attributes)
    waiting: list[tuple[GrowingNode, Mapping[int | None, frozenset[int]]]] = [
        (root, {position: frozenset(codes) for position, codes in categories.items()})
    ]
    while waiting:
        node, possible = waiting.pop()
        if node.attribute in possible:
            left = possible[node.attribute] | {MISSING_BRANCH}
            node.children = {c: child for c, child in node.children.items() if c in left}
        for child in node.below:
            inside = possible
            if node.attribute in possible:
                codes = frozenset(c for c, to in node.children.items() if to is child)
                inside = {**possible, node.attribute: codes - {MISSING_BRANCH}}
            waiting.append((child, inside))


def _categories(attributes: Sequence[EncodedColumn]) -> dict[int | None, range]:
    """Return the codes of the known values of the attributes that are no numbers."""
    return {
        attribute.position: range(attribute.n_special, attribute.n_codes)
        for attribute in attributes
        if attribute.kind != "ordered"
    }
