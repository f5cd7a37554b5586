"""The table that is equivalent to a k-anonymous tree: each row shows its span's public values.

cells ──walk, by every branch of a private test──▶ bins ──▶ spans as classes ──▶ labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.coded import Wants
from ppdt_db.effort import Effort
from ppdt_db.guard import Guarded
from ppdt_db.inducer import Induced, take_over, tree_faults
from ppdt_db.label import make_labels
from ppdt_db.learn.finish import make_inner
from ppdt_db.learn.verify import walk_all
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.names import fold, listed
from ppdt_db.policy import Roles
from ppdt_db.tree import Tree


@dataclass(frozen=True, kw_only=True)
class Spans(Guarded):
    """The spans of a tree as classes; the quasi-identifiers are what an outsider knows."""

    tree: Tree

    name = "spans"
    effort: ClassVar[Mapping[str, Effort]] = MappingProxyType({})
    grain: ClassVar[Grain] = "cell"
    is_global = False
    has_own_shapes = False

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {**self.guard.parameters, "tree": "given"}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        public = self._public([attribute.name for attribute in roles.quasi])
        return tree_faults(public, [attribute.name for attribute in roles.quasi], columns)

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(distinct=self.guard.asks_of_sensitive)

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Let every cell go wherever its public values allow."""
        engine, attributes = task.engine, task.encoded.attributes
        induced = take_over(
            task.engine, task.encoded, self._public([attribute.name for attribute in attributes])
        )
        self._describe(task, induced)
        engine.make("kadet/person", names={"attributes": attributes})
        walk_all(engine, {"public": attributes, "is_shared_out": False})
        engine.make("kadet/member")
        engine.drop("ppdt_person", "ppdt_inner", "ppdt_leads", "ppdt_at", "ppdt_reached")
        return make_labels(engine, task.encoded, self.grain)

    def _public(self, names: Sequence[str]) -> Tree:
        """The tree with private tests left open."""
        known = {fold(name) for name in names}
        nodes = tuple(
            node if node.attribute is None or fold(node.attribute) in known
            else replace(node, attribute=None)
            for node in self.tree.nodes
        )  # fmt: skip
        tested = tuple(a for a in self.tree.attributes if fold(a.name) in known)
        return replace(self.tree, nodes=nodes, attributes=tested)

    def _describe(self, task: Task, induced: Induced) -> None:
        """The tests and their branches as relations; a private test may be passed by any."""
        nodes = [
            (grown, branch.child)
            for grown, node in zip(induced.nodes, induced.tree.nodes, strict=True)
            for branch in node.branches
            if node.attribute is None
        ]
        ways = [
            (grown.node_id, code, child.node_id)
            for grown in induced.nodes
            for code, child in grown.children.items()
        ]
        ways += [(grown.node_id, -2 - child, child) for grown, child in dict.fromkeys(nodes)]
        tree = induced.tree
        inner = [g for g, node in zip(induced.nodes, tree.nodes, strict=True) if node.branches]
        make_inner(task.engine, inner)
        params = {
            "node_ids": [row[0] for row in ways],
            "branches": [row[1] for row in ways],
            "child_ids": [row[2] for row in ways],
            "weights": [0] * len(ways),
        }
        task.engine.make("tree/leads", listed(params))
