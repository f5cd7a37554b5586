"""MiCT's complying rows, naively and by levels, as the paper's table 1; and what a release shares.

A row of keys walks down the tree alone. At every level its group are the rows of its node with the
same values of all attributes tested above: the node's virtual quasi-identifier.
"""

from collections import Counter
from collections.abc import Sequence

from oracle.kactus_tree import Node, Row, attributes_above

POOL = -1


def depth_of(nodes: Sequence[Node], number: int) -> int:
    parents = [i for i, node in enumerate(nodes) if number in node.children.values()]
    return 1 + depth_of(nodes, parents[0]) if parents else 0


def node_at(nodes: Sequence[Node], row: Row, level: int) -> int:
    """The node that a row is in at a level, or the leaf that it came to before."""
    number = 0
    for _ in range(level):
        if nodes[number].children:
            number = nodes[number].children[nodes[number].branch(row)]
    return number


def shared(nodes: Sequence[Node], row: Row, level: int) -> tuple[object, ...]:
    """The node of a level, and the row's values of its virtual quasi-identifier."""
    number = node_at(nodes, row, level)
    return (number, *((a, row[a]) for a in sorted(attributes_above(nodes, number))))


def sets(nodes: Sequence[Node], rows: Sequence[Row], k: int) -> tuple[set[int], list[int]]:
    """The rows that stay (S), and how many leave at each level (Q)."""
    stay, left = set(range(len(rows))), []
    for level in range(1, 1 + max(depth_of(nodes, number) for number in range(len(nodes)))):
        groups = Counter(shared(nodes, rows[r], level) for r in stay)
        gone = {r for r in stay if groups[shared(nodes, rows[r], level)] < k}
        left.append(len(gone))
        stay -= gone
    return stay, left


def in_one_step(nodes: Sequence[Node], rows: Sequence[Row], k: int) -> set[int]:
    """The rows of S by the leaves alone: deeper groups lie within those of higher levels."""
    deepest = max(depth_of(nodes, number) for number in range(len(nodes)))
    of_row = [shared(nodes, row, deepest) for row in rows]
    groups = Counter(of_row)
    return {r for r, group in enumerate(of_row) if groups[group] >= k}
