"""Outline: what a record may tell of the tree behind a release.

The whole tree holds values of the source and counts of a few rows. An outline has the questions,
the counts of k rows or more, and the categories that the release shows; thresholds are left out,
and a step that would tell of fewer than k rows is not told at all.
"""

from collections.abc import Collection, Mapping

from ppdt_db.tree import Tree


def outline(
    tree: Tree, sizes: Mapping[int, int], k: int, shown: Collection[int]
) -> dict[str, object]:
    """The outline of a tree: `sizes` are the rows of its leaves, `shown` the released nodes."""
    n_rows, on_the_way = _counted(tree, sizes, shown)
    kept, waiting = [0], [0]
    while waiting:
        children = [branch.child for branch in tree.nodes[waiting.pop()].branches]
        if children and all(n_rows[child] >= k for child in children):
            kept += children
            waiting += children
    kept.sort()
    number_of = {node: number for number, node in enumerate(kept)}
    nodes: list[dict[str, object]] = []
    for number in kept:
        node = tree.nodes[number]
        told: dict[str, object] = {"weights": [n_rows[number]]}
        if node.branches and node.branches[0].child in number_of:
            told["attribute"] = node.attribute
            told["branches"] = [
                {
                    "test": branch.test,
                    "value": branch.value
                    if branch.test == "=" and branch.child in on_the_way
                    else None,
                    "node": number_of[branch.child],
                }
                for branch in node.branches
            ]
        nodes.append(told)
    return {"target": tree.target, "nodes": nodes, "is_outline": True}


def _counted(
    tree: Tree, sizes: Mapping[int, int], shown: Collection[int]
) -> tuple[list[int], set[int]]:
    """The rows below every node, and the nodes on the way to those that are shown."""
    n_rows = [sizes.get(number, 0) for number in range(len(tree.nodes))]
    on_the_way = set(shown)
    for number in range(len(tree.nodes) - 1, -1, -1):
        for branch in tree.nodes[number].branches:
            n_rows[number] += n_rows[branch.child]
            if branch.child in on_the_way:
                on_the_way.add(number)
    return n_rows, on_the_way
