"""The paper's protocol for test rows: the tree leads them to groups, each shown by itself.

Yang et al.: "the anonymized testing set is formed by using the decision tree built from the
original data to partition the original testing set into groups and then generalizing the groups."
Nobody is withheld, and nothing is promised of the test rows: a group may hold one of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from ppdt_db.learn.trees.decode import finish
from ppdt_db.learn.trees.node import GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.methods.algorithms.node_risk import measure
from ppdt_db.methods.algorithms.partition import Cutting, Partition
from ppdt_db.methods.algorithms.tree_partition import TreePartition, fill_leaves, take_over
from ppdt_db.methods.base import Task
from ppdt_db.methods.erp import Erp, cut_tree, load_outcome
from ppdt_db.methods.mondrian import Mondrian
from ppdt_db.tree.tree import Tree


@dataclass(frozen=True, kw_only=True)
class Groups:
    """A tree, and for each of its nodes the node whose rows form its group."""

    tree: Tree
    group_of: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class TracedErp(Erp):
    """ERP that tells its groups."""

    found: list[Groups] = field(default_factory=list)

    def find_groups(self, task: Task, tree: Tree) -> tuple[Sequence[int], set[int]]:
        """Return what the tree is pruned to, and take it down."""
        group_of, broken = super().find_groups(task, tree)
        self.found.append(Groups(tree=tree, group_of=group_of))
        return group_of, broken


@dataclass(frozen=True, kw_only=True)
class TracedMondrian(Mondrian):
    """Mondrian that tells its cuts, as a tree whose leaves are its groups."""

    found: list[Groups] = field(default_factory=list)

    def form_classes(self, task: Task) -> None:
        """Cut until nothing can be cut, and take the cuts down."""
        target = task.encoded.target
        assert target is not None
        partition = TracedPartition(Cutting(guard=self.guard, criterion=self.criterion), task)
        partition.grow()
        lesson = TrainingSet(
            attributes=task.encoded.attributes, target=target, classes=("",), n_rows=0
        )
        root = partition.root
        tree = finish(task.engine, lesson, root, "branch")
        self.found.append(Groups(tree=tree, group_of=range(len(tree.nodes))))


class TracedPartition(Partition):
    """A partition that keeps its cuts as a growing tree, without counts of classes."""

    def __init__(self, cutting: Cutting, task: Task) -> None:
        super().__init__(cutting, task)
        self.root = GrowingNode(0, (0,))
        self._numbers = count(1)
        self._open = {0: self.root}

    def end_turn(self) -> None:
        """Add the cuts of a level."""
        below: dict[int, GrowingNode] = {}
        codes = {attribute.position: attribute for attribute in self.attributes}
        for node_id, attribute_id, at_code, left_id in self.engine.rows("tools/bench/turned"):
            node, at, left = self._open[as_int(node_id)], as_int(at_code), as_int(left_id)
            sides = [GrowingNode(next(self._numbers), (0,)) for _ in range(2)]
            below[left], below[left + 1] = sides
            node.attribute = as_int(attribute_id)
            attribute = codes[node.attribute]
            if attribute.kind == "ordered":
                node.at_code = at
                node.children = dict(enumerate(sides))
            else:
                node.children = {code: sides[code > at] for code in range(attribute.n_codes)}
        self._open = below


@dataclass(frozen=True, kw_only=True)
class Grouped(Erp):
    """Rows in the groups that other rows formed; a group of fewer than k rows has no tiers."""

    groups: Groups

    @property
    def required(self) -> Mapping[str, float | str]:
        """Nothing: test rows keep no guarantee."""
        return {}

    def form_classes(self, task: Task) -> None:
        """Put every row into its group, and show the groups."""
        tree, group_of = self.groups.tree, self.groups.group_of
        held: dict[int, int] = {}
        for leaf, n_rows in self._fill(task, tree).items():
            held[group_of[leaf]] = held.get(group_of[leaf], 0) + n_rows
        if self.tiered:
            # What has too few rows to lend is shown as one.
            tree = cut_tree(tree, {group for group, n_rows in held.items() if n_rows < self.k})
            self._fill(task, tree)
        measure(task.engine, task.encoded, tree)
        task.engine.drop("ppdt_way", "ppdt_node_risk")
        leaves = [number for number, node in enumerate(tree.nodes) if not node.branches]
        load_outcome(task.engine, [(leaf, group_of[leaf]) for leaf in leaves])
        self.place_rows(task)

    def _fill(self, task: Task, tree: Tree) -> dict[int, int]:
        """Lead every row to a leaf; a value without a branch goes with most of the rows."""
        taken = take_over(task.engine, task.encoded, tree)
        kinds = {attribute.position: attribute for attribute in task.encoded.attributes}
        for node in taken.nodes:
            if node.attribute is not None and kinds[node.attribute].kind == "categorical":
                known = tree.nodes[node.node_id].branches
                heaviest = max((b.child for b in known), key=lambda n: (tree.nodes[n].total, -n))
                for code in range(kinds[node.attribute].n_codes):
                    node.children.setdefault(code, taken.nodes[heaviest])
        return fill_leaves(task, TreePartition(tree=tree, nodes=taken.nodes))
