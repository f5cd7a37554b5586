"""The outline of a tree: the part of it that the record of a release may contain.

The whole tree contains values of the source and counts of a few rows. An outline has the tested
columns and the counts of k rows or more. Thresholds and categories are left out, and so is a step
that would reveal a count of fewer than k rows.
"""

from collections.abc import Mapping

from ppdt_db.tree.tree import Tree


def outline(tree: Tree, sizes: Mapping[int, int], k: int) -> dict[str, object]:
    """Return the outline of a tree; `sizes` are the row counts of its leaves."""
    n_rows = _counted(tree, sizes)
    kept, waiting = [0], [0]
    while waiting:
        children = tree.nodes[waiting.pop()].children
        if children and all(n_rows[child] >= k for child in children):
            kept += children
            waiting += children
    kept.sort()
    number_of = {node: number for number, node in enumerate(kept)}
    nodes: list[dict[str, object]] = []
    for number in kept:
        node = tree.nodes[number]
        entry: dict[str, object] = {"weights": [n_rows[number]]}
        if node.children and node.children[0] in number_of:
            entry["attribute"] = node.attribute
            entry["branches"] = [
                {"test": way.test, "value": None, "node": number_of[way.child]} for way in node.ways
            ]
        nodes.append(entry)
    return {"target": tree.target, "nodes": nodes, "is_outline": True}


def _counted(tree: Tree, sizes: Mapping[int, int]) -> list[int]:
    """Return the number of rows in and below every node."""
    n_rows = [sizes.get(number, 0) for number in range(len(tree.nodes))]
    for number in range(len(tree.nodes) - 1, -1, -1):
        n_rows[number] += sum(n_rows[child] for child in tree.nodes[number].children)
    return n_rows
