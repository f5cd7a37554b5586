"""The queue of splits of a k-anonymous tree: which are made now, and which ahead of their turn.

A split that divides no span changes nothing for other nodes: it may be made as soon as it is
known, with all that follow from it, and is undone if it is not the best any more when its turn
comes. Splits that divide spans go in order, one at a time of all nodes that share a span.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ppdt_db.learn.trees.node import GrowingNode

Place = tuple[float, int, tuple[int, ...], int]


@dataclass(frozen=True, kw_only=True)
class Split:
    """The best split of a node that keeps the guarantee, as far as spans are divided."""

    attribute: int
    at_code: int | None
    next_code: int | None
    ratio: float
    divides: bool
    """True if it would divide a span; a split on a private attribute never does."""

    @property
    def test(self) -> tuple[int, int | None]:
        """The attribute that the node would test, and its threshold."""
        return self.attribute, self.at_code


class SplitQueue:
    """The nodes that may still be split, in the order of one queue for the whole tree."""

    def __init__(self, nodes: dict[int, GrowingNode]) -> None:
        self.nodes = nodes
        self.paths: dict[int, tuple[int, ...]] = {0: ()}
        """The branches that lead to every node; of equal splits the leftmost goes first."""
        self.scopes: dict[int, int] = {0: 0}
        """The scope of every node that may still be split, also below splits made ahead."""
        self.best: dict[int, Split] = {}
        self.waiting: set[int] = {0}
        """The nodes in the queue."""
        self.linked: dict[int, int] = {0: 0}
        """For every scope one of those that it shares spans with, the same for all of them."""

    def take(self) -> list[int]:
        """Settle splits up to the next that divides spans, of every set of linked scopes.

        Return the nodes of these, which are to be split now.
        """
        queues: dict[int, list[Place]] = {}
        for node_id in self.waiting & self.best.keys():
            own = self.linked[self.scopes[node_id]]
            queues.setdefault(own, []).append(self._place(node_id))
        taken = []
        for queue in queues.values():
            heapify(queue)
            while queue:
                node_id = heappop(queue)[-1]
                if self.best[node_id].divides:
                    taken.append(node_id)
                    break
                if not self.nodes[node_id].children:
                    # It is split in this turn; only then is it known what follows.
                    break
                self.settle(node_id)
                for child in self.nodes[node_id].below:
                    if child.node_id in self.best:
                        heappush(queue, self._place(child.node_id))
        return sorted(taken)

    def ahead(self) -> list[int]:
        """Return the nodes to split ahead of their turn."""
        return sorted(
            node_id
            for node_id, split in self.best.items()
            if not split.divides and not self.nodes[node_id].children
        )

    def _place(self, node_id: int) -> Place:
        """Return the place of a node in the queue: the best first."""
        split = self.best[node_id]
        return -split.ratio, split.attribute, self.paths[node_id], node_id

    def settle(self, node_id: int) -> None:
        """Take a node off the queue, and put its children there."""
        self.waiting.discard(node_id)
        del self.best[node_id], self.scopes[node_id]
        self.waiting |= {c.node_id for c in self.nodes[node_id].below if c.node_id in self.scopes}

    def add(self, parent: GrowingNode, branch: int, child: GrowingNode, *, is_public: bool) -> None:
        """Add a child; below a test on a public attribute it starts a scope of its own."""
        parent.children[branch] = child
        self.nodes[child.node_id] = child
        self.paths[child.node_id] = (*self.paths[parent.node_id], branch)
        scope_id = self.scopes[parent.node_id]
        if is_public:
            self.linked[child.node_id] = self.linked[scope_id]
            scope_id = child.node_id
        self.scopes[child.node_id] = scope_id

    def note(self, asked: Iterable[int], found: Mapping[int, Split]) -> None:
        """Note the best splits of nodes asked about; undo those made ahead that are not."""
        for node_id in sorted(asked, key=lambda one: len(self.paths[one])):
            if node_id not in self.scopes:
                continue
            split, node = found.get(node_id), self.nodes[node_id]
            if node.children and (split is None or split.test != (node.attribute, node.at_code)):
                self._undo(node)
            if split is None:
                self.best.pop(node_id, None)
            else:
                self.best[node_id] = split

    def _undo(self, node: GrowingNode) -> None:
        """Forget a split that was made ahead, and everything below."""
        for below in list(node.walk())[1:]:
            self.scopes.pop(below.node_id, None)
            self.best.pop(below.node_id, None)
            del self.nodes[below.node_id]
        node.children = {}
        node.attribute = node.at_code = node.next_code = None

    def of_scopes(self, scope_ids: Collection[int]) -> set[int]:
        """Return the nodes of scopes."""
        return {node_id for node_id, scope_id in self.scopes.items() if scope_id in scope_ids}

    def link(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Note which scopes share spans that may still be divided."""
        group = {scope_id: scope_id for scope_id in self.scopes.values()}

        def head(scope_id: int) -> int:
            while group[scope_id] != scope_id:
                group[scope_id] = group[group[scope_id]]
                scope_id = group[scope_id]
            return scope_id

        for one, other in pairs:
            group[head(one)] = head(other)
        self.linked = {scope_id: head(scope_id) for scope_id in group}
