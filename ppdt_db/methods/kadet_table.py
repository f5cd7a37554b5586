"""The table that is equivalent to a k-anonymous tree: rows show the public values of their span.

cells ──walk, by every branch of a private test──▶ bins ──▶ spans as classes ──▶ labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.cost.effort import Effort
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.learn.kadet.verify import walk_all
from ppdt_db.learn.trees.decode import make_inner
from ppdt_db.learn.trees.reclassify import LEADS
from ppdt_db.methods.algorithms.tree_partition import TreePartition, take_over, tree_faults
from ppdt_db.methods.base import Grain, LabelColumn, Method, Task
from ppdt_db.methods.labels import make_labels
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import normalize_name
from ppdt_db.tree.tree import Tree


@dataclass(frozen=True, kw_only=True)
class Spans(Method):
    """The spans of a tree as classes; the quasi-identifiers are the public columns."""

    tree: Tree

    name = "spans"
    effort: ClassVar[Mapping[str, Effort]] = MappingProxyType({})
    grain: ClassVar[Grain] = "cell"
    is_global = False
    controls_recoding = False

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {**self.guard.parameters, "tree": "given"}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        public = self._public([attribute.name for attribute in roles.quasi])
        return tree_faults(public, [attribute.name for attribute in roles.quasi], columns)

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(sensitive=self.guard.asks_of_sensitive)

    def form_classes(self, task: Task) -> None:
        """Let every cell take each path that its public values allow."""
        engine, attributes = task.engine, task.encoded.attributes
        induced = take_over(
            task.engine, task.encoded, self._public([attribute.name for attribute in attributes])
        )
        self._describe(task, induced)
        engine.make("learn/kadet/known_person", names={"attributes": attributes})
        walk_all(engine, {"public": attributes, "is_shared_out": False})
        engine.make("learn/kadet/member")
        engine.drop("ppdt_known_person", "ppdt_inner", "ppdt_leads", "ppdt_at", "ppdt_reached_bin")

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        """Label every class by its tight box."""
        return make_labels(task.engine, task.encoded, self.grain)

    def _public(self, names: Sequence[str]) -> Tree:
        """Return the tree with private tests left open."""
        known = {normalize_name(name) for name in names}
        nodes = tuple(
            node if node.attribute is None or normalize_name(node.attribute) in known
            else replace(node, attribute=None)
            for node in self.tree.nodes
        )  # fmt: skip
        tested = tuple(a for a in self.tree.attributes if normalize_name(a.name) in known)
        return replace(self.tree, nodes=nodes, attributes=tested)

    def _describe(self, task: Task, induced: TreePartition) -> None:
        """Store the tests and their branches as relations; a private test lets every cell pass."""
        nodes = [
            (grown, child)
            for grown, node in zip(induced.nodes, induced.tree.nodes, strict=True)
            for child in node.children
            if node.attribute is None
        ]
        ways = [
            (grown.node_id, code, child.node_id)
            for grown in induced.nodes
            for code, child in grown.children.items()
        ]
        ways += [(grown.node_id, -2 - child, child) for grown, child in nodes]
        tree = induced.tree
        inner = [g for g, node in zip(induced.nodes, tree.nodes, strict=True) if node.branches]
        make_inner(task.engine, inner)
        task.engine.load("ppdt_leads", LEADS, [(*way, 0) for way in ways], is_logged=True)
