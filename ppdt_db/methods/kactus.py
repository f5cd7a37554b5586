"""kACTUS: suppress along a decision tree what matters least for the target, only where it must be.

Kisilevich, Rokach, Elovici, Shapira (2010).

cells ──inducer──▶ leaves ──suppress──▶ pools ──▶ classes (──partition──▶ finer classes) ──▶ labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.coded import Coded, Wants
from ppdt_db.effort import Effort
from ppdt_db.guard import Guarded
from ppdt_db.inducer import fill_leaves, find_tree, tree_faults
from ppdt_db.label import label_columns, make_centres, make_extents, make_labels
from ppdt_db.learn.trees import C45
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.names import fold, listed
from ppdt_db.outline import outline
from ppdt_db.partition import CRITERIA, Criterion, Cutting, Partition, attribute_faults
from ppdt_db.policy import Roles
from ppdt_db.suppress import Suppression
from ppdt_db.tree import Tree


@dataclass(frozen=True, kw_only=True)
class Kactus(Guarded):
    """Multi-dimensional suppression along a tree that predicts the target.

    With `refine`, groups are divided further on all attributes, and show ranges and sets; with
    `plain` beside it, single values or NULL, for tools that take nothing else.

    >>> Kactus(k=100).guarantee
    'k-anonymity'
    """

    tree: Tree | None = None
    min_rows: int | None = None
    refine: bool = False
    plain: bool = False
    criterion: Criterion | None = None

    name = "kactus"
    effort = MappingProxyType(
        {
            "grow": Effort(per_level=16, levels_per_halving=1.1, piece=1, cell_micros=0.5),
            "prune": Effort(per_level=12, levels_per_halving=1.0, cell_micros=1.1),
            "suppress": Effort(once=20, per_level=6, levels_per_halving=1.0, cell_micros=0.2),
        }
    )
    grain: ClassVar[Grain] = "row"
    is_global = False
    no_rules = ""

    @property
    def learner(self) -> C45:
        """The inducer that is wrapped where no tree is given."""
        return C45(
            min_rows=DEFAULT_MIN_ROWS if self.min_rows is None else self.min_rows, missing="branch"
        )

    @property
    def cuts_leaves(self) -> bool:
        """Whether rows of one leaf come to several classes by their values."""
        return self.refine

    @property
    def has_own_shapes(self) -> bool:
        """Whether the release shows means, values and NULL, and not ranges and sets."""
        return self.plain or not self.refine

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **self.guard.parameters,
            "tree": "given" if self.tree else "C4.5",
            "min_rows": None if self.tree else self.learner.min_rows,
            "refine": self.refine,
            "plain": self.plain,
            "criterion": (self.criterion or DEFAULT_CRITERION) if self.refine else None,
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found = list(self.learner.faults)
        if self.tree is None and roles.target is None:
            found.append("kactus needs a target (--target), or a tree (--tree).")
        if self.tree is not None:
            if self.min_rows is not None:
                found.append("--min-rows is for growing a tree, and one is given. Leave it out.")
            found += tree_faults(self.tree, [a.name for a in roles.quasi], columns)
        if self.plain and not self.refine:
            found.append(
                "--plain goes with --refine: without it kactus shows single values anyway."
            )
        if self.criterion is not None and not self.refine:
            found.append("--criterion goes with --refine: without it kactus cuts nothing.")
        if self.criterion is not None and self.criterion not in CRITERIA:
            found.append(f"criterion {self.criterion}: choose one of {', '.join(CRITERIA)}.")
        if self.criterion == "infogain" and roles.target is None:
            found.append("criterion infogain needs a target (--target).")
        if self.refine:
            found += attribute_faults(roles)
        if self.has_own_shapes:
            found += [
                f'recode "{a.name}": kactus shows a mean, the value, or NULL. Leave it out, or '
                "take --refine, which shows ranges and sets."
                for a in roles.quasi
                if a.recode is not None
            ]
        return found

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        gains = self.criterion == "infogain"
        return Wants(
            distinct=self.guard.asks_of_sensitive,
            target=self.tree is None or gains,
            target_of_units=gains,
            rows=True,
        )

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Grow the tree, suppress along it, and describe every group."""
        induced = find_tree(task, self.tree, self.learner)
        tree, sizes = induced.tree, fill_leaves(task, induced)
        task.keep_tree(tree)
        task.progress("suppress", 0.0)
        suppression = Suppression(task, tree, self.guard, sizes)
        suppression.run()
        task.engine.drop("ppdt_leaf_thing", "ppdt_pool_thing", "ppdt_group", "ppdt_group_thing")
        classes = self._settle(task, suppression)
        if not suppression.has_entity:
            task.figures["tree"] = outline(tree, sizes, self.k)
        if self.refine:
            task.engine.rename("ppdt_member", "ppdt_coarse")
            cutting = Cutting(
                guard=self.guard, criterion=self.criterion or DEFAULT_CRITERION, by_row=True
            )
            Partition(cutting, task).grow(start="grouped")
        if self.has_own_shapes:
            return self._label(task, tree, classes)
        return make_labels(task.engine, task.encoded, self.grain)

    def _settle(self, task: Task, suppression: Suppression) -> dict[int, int | None]:
        """Give the released pools their classes; returns the node that each class shows."""
        released = sorted(suppression.released, key=lambda pool: pool.node_id)
        apart = [pool for pool in released if not pool.is_joined]
        numbers = {pool.node_id: number for number, pool in enumerate(apart)}
        params = listed(
            {
                "pool_ids": [pool.node_id for pool in released],
                "class_ids": [numbers.get(pool.node_id, len(apart)) for pool in released],
            }
        )
        task.engine.make("kactus/outcome", params)
        task.engine.make("kactus/member")
        task.engine.drop("ppdt_leaf", "ppdt_pool", "ppdt_lent", "ppdt_outcome")
        nodes: dict[int, int | None] = {number: node_id for node_id, number in numbers.items()}
        return nodes | {len(apart): None}

    def _label(
        self, task: Task, tree: Tree, classes: Mapping[int, int | None]
    ) -> Sequence[LabelColumn]:
        """Show what the path to each class tested: the value, or the mean of a number."""
        engine = task.engine
        attributes = [_single(attribute) for attribute in task.encoded.attributes]
        position_of = {fold(attribute.name): attribute.position for attribute in attributes}
        on_path = _tested_above(tree)
        tested = [
            (class_id, position_of[fold(name)])
            for class_id, node in classes.items()
            if node is not None
            for name in on_path[node]
        ]
        engine.make("kactus/parent" if self.refine else "kactus/self_parent", to="ppdt_parent")
        params = listed(
            {
                "class_ids": [class_id for class_id, _ in tested],
                "attribute_ids": [position for _, position in tested],
            }
        )
        engine.make("kactus/tested", params)
        make_extents(engine, replace(task.encoded, attributes=attributes), self.grain)
        centres = make_centres(engine, attributes)
        engine.make("kactus/label", names={"attributes": attributes})
        engine.drop(*centres, "ppdt_part", "ppdt_parent", "ppdt_tested", "ppdt_coarse")
        return label_columns(attributes)


DEFAULT_CRITERION: Criterion = "ncp"
DEFAULT_MIN_ROWS = 2


def _single(attribute: Coded) -> Coded:
    """An attribute that is shown by single values."""
    return replace(attribute, recode="mean" if attribute.kind == "ordered" else "mode")


def _tested_above(tree: Tree) -> list[set[str]]:
    """The attributes that are tested on the way to every node."""
    found: list[set[str]] = [set() for _ in tree.nodes]
    for number, node in enumerate(tree.nodes):
        for branch in node.branches:
            found[branch.child] = found[number] | {str(node.attribute)}
    return found
