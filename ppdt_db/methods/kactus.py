"""kACTUS: suppress along a decision tree what matters least for the target, only where needed.

Kisilevich, Rokach, Elovici, Shapira (2010).

cells ──inducer──▶ leaves ──suppress──▶ pools ──▶ classes (──partition──▶ finer classes) ──▶ labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from ppdt_db.cost.effort import Effort
from ppdt_db.encode.columns import EncodedColumn, EncodeOptions
from ppdt_db.learn.trees.learners import C45
from ppdt_db.methods.algorithms.partition import (
    CRITERION,
    CUTTING,
    Criterion,
    Cutting,
    Partition,
    attribute_faults,
)
from ppdt_db.methods.algorithms.suppress import Suppression
from ppdt_db.methods.algorithms.tree_partition import (
    GROWING,
    MIN_ROWS,
    TREE,
    fill_leaves,
    find_tree,
    tree_faults,
)
from ppdt_db.methods.base import Example, Grain, LabelColumn, Method, Task
from ppdt_db.methods.examples import DIAGNOSED
from ppdt_db.methods.labels import label_columns, make_centres, make_extents, make_labels
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import normalize_name
from ppdt_db.tree.outline import outline
from ppdt_db.tree.tree import Tree

# The tree, and for every class the node that it shows, if it shows one.
Lend = Literal["random", "greedy"]
Shown: TypeAlias = tuple[Tree, dict[int, int | None]]


@dataclass(frozen=True, kw_only=True)
class Kactus(Method):
    """Multi-dimensional suppression along a tree that predicts the target.

    With `refine`, groups are divided further on all attributes, and show ranges and sets; with
    `plain` beside it, single values or NULL, for tools that take nothing else.

    >>> Kactus(k=100).guarantee
    'k-anonymity'
    """

    tree: Tree | None = field(default=None, metadata=TREE)
    min_rows: int | None = field(default=None, metadata=MIN_ROWS)
    refine: bool = field(default=False, metadata=option(help="kactus: refine each group further."))
    plain: bool = field(
        default=False, metadata=option(help="kactus: release single values or NULL only.")
    )
    criterion: Criterion | None = field(default=None, metadata=CRITERION)
    lend: Lend = field(
        default="random",
        metadata=option(help="kactus: lend rows at random, or those first that cost least."),
    )

    name = "kactus"
    stage_words = MappingProxyType({"suppress": "suppressing"})
    grain: ClassVar[Grain] = "row"
    is_global = False
    uses_bins = True
    why_not_applicable = ""
    runs_on_spark = True

    @property
    def effort(self) -> Mapping[str, Effort]:
        """Return the work of each of its stages, by name and in order, for plans."""
        return {
            **GROWING,
            "suppress": Effort(once=20, per_level=6, levels_per_halving=1.0, cell_micros=0.2),
            **({"partition": CUTTING} if self.refine else {}),
        }

    @property
    def learner(self) -> C45:
        """The learner of the tree, if none is given."""
        return C45(
            min_rows=DEFAULT_MIN_ROWS if self.min_rows is None else self.min_rows, missing="branch"
        )

    @property
    def boxes_decide(self) -> bool:
        """Return whether rows of one leaf go to several classes by their values."""
        return self.refine

    @property
    def controls_recoding(self) -> bool:
        """Return whether the release shows means, values and NULL instead of ranges and sets."""
        return self.plain or not self.refine

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **super().parameters,
            "tree": "given" if self.tree else "C4.5",
            "min_rows": None if self.tree else self.learner.min_rows,
            "criterion": (self.criterion or DEFAULT_CRITERION) if self.refine else None,
        }

    @property
    def spark_faults(self) -> Sequence[str]:
        """Return what is not supported on Spark of these parameters."""
        if not self.refine:
            return []
        return ["--refine is not supported on Spark; remove it or use DuckDB."]

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {
            ", with l and t": {"method": cls(k=k, l=2, t=0.5), **DIAGNOSED},
            ", with bins by the target, and an entity": {
                "method": cls(k=k, lend="greedy"),
                "entity": "patient_id",
                "bins": "mdl",
                **DIAGNOSED,
                "keep": [],
            },
            ", refined, with an entity": {
                "method": cls(k=k, refine=True, plain=True),
                "entity": "patient_id",
                **DIAGNOSED,
                "keep": [],
            },
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found = list(self.learner.faults)
        if self.tree is None and roles.target is None:
            found.append("kactus needs a target (--target), or a tree (--tree).")
        if self.tree is not None:
            if self.min_rows is not None:
                found.append(
                    "--min-rows applies only when a tree is grown, not to a given one; remove it."
                )
            found += tree_faults(self.tree, [a.name for a in roles.quasi], columns)
        if self.lend == "greedy" and roles.target is None:
            found.append("--lend greedy needs a target (--target), to tell what a row costs.")
        if self.plain and not self.refine:
            found.append("--plain needs --refine: without it kactus shows single values anyway.")
        if self.criterion is not None and not self.refine:
            found.append("--criterion needs --refine: without it kactus makes no cuts.")
        if self.criterion == "infogain" and roles.target is None:
            found.append("criterion infogain needs a target (--target).")
        if self.refine:
            found += attribute_faults(roles)
        if self.controls_recoding:
            found += [
                f'recode "{a.name}": kactus shows a mean, the value, or NULL; of numbers, a '
                "median or a bin where you ask for it. Remove it, or add --refine, which shows "
                "ranges and sets."
                for a in roles.quasi
                if a.recode not in (None, "mean", "median", "bins")
            ]
        return found

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        gains = self.criterion == "infogain"
        return EncodeOptions(
            sensitive=self.guard.asks_of_sensitive,
            target=self.tree is None or gains or self.lend == "greedy",
            target_of_units=gains,
            row_ids=True,
        )

    def form_classes(self, task: Task) -> Shown:
        """Grow the tree and suppress along it."""
        induced = find_tree(task, self.tree, self.learner)
        tree, sizes = induced.tree, fill_leaves(task, induced)
        task.keep_tree(tree)
        task.progress("suppress", 0.0)
        suppression = Suppression(task, tree, self.guard, sizes, is_greedy=self.lend == "greedy")
        suppression.run()
        task.engine.drop(
            "ppdt_leaf_protected", "ppdt_pool_protected", "ppdt_group", "ppdt_group_protected"
        )
        classes = self._settle(task, suppression)
        if not suppression.has_entity:
            task.figures["tree"] = outline(tree, sizes, self.k)
        if self.refine:
            task.engine.rename("ppdt_member", "ppdt_coarse")
            cutting = Cutting(
                guard=self.guard, criterion=self.criterion or DEFAULT_CRITERION, by_row=True
            )
            Partition(cutting, task).grow(start="grouped")
        return tree, classes

    def label(self, task: Task, formed: Shown) -> Sequence[LabelColumn]:
        """Label every group: by the tests on its path, or as each attribute is recoded."""
        if self.controls_recoding:
            return self._label(task, *formed)
        return make_labels(task.engine, task.encoded, self.grain)

    def _settle(self, task: Task, suppression: Suppression) -> dict[int, int | None]:
        """Assign classes to the released pools; return the node that each class shows."""
        released = sorted(suppression.released, key=lambda pool: pool.node_id)
        apart = [pool for pool in released if not pool.is_joined]
        numbers = {pool.node_id: number for number, pool in enumerate(apart)}
        outcome = [(pool.node_id, numbers.get(pool.node_id, len(apart))) for pool in released]
        columns = {"pool_id": "INTEGER", "class_id": "INTEGER"}
        task.engine.load("ppdt_outcome", columns, outcome, is_logged=True)
        task.engine.make("methods/kactus/member")
        task.engine.drop("ppdt_leaf", "ppdt_pool", "ppdt_lent", "ppdt_outcome")
        nodes: dict[int, int | None] = {number: node_id for node_id, number in numbers.items()}
        return nodes | {len(apart): None}

    def _label(
        self, task: Task, tree: Tree, classes: Mapping[int, int | None]
    ) -> Sequence[LabelColumn]:
        """Label each class by the tests on its path: the value, or the mean of a number."""
        engine = task.engine
        shown = task.encoded.attributes
        attributes = [_single(attribute) for attribute in shown]
        position_of = {
            normalize_name(attribute.name): attribute.position for attribute in attributes
        }
        on_path = _tested_above(tree)
        tested = [
            (class_id, position_of[normalize_name(name)])
            for class_id, node in classes.items()
            if node is not None
            for name in on_path[node]
        ]
        engine.make(
            "methods/kactus/parent" if self.refine else "methods/kactus/self_parent",
            to="ppdt_parent",
        )
        columns = {"class_id": "INTEGER", "attribute_id": "INTEGER"}
        engine.load("ppdt_tested", columns, tested, is_logged=True)
        make_extents(engine, replace(task.encoded, attributes=attributes), self.grain)
        centres = make_centres(engine, attributes)
        engine.make("methods/kactus/label", names={"attributes": attributes})
        engine.drop(*centres, "ppdt_part", "ppdt_parent", "ppdt_tested", "ppdt_coarse")
        # Rows that a test on bins has brought together have one bin, which their mode is.
        return label_columns(
            [
                own if own.recode == "bins" else single
                for own, single in zip(shown, attributes, strict=True)
            ]
        )


DEFAULT_CRITERION: Criterion = "ncp"
DEFAULT_MIN_ROWS = 2


def _single(attribute: EncodedColumn) -> EncodedColumn:
    """Return an attribute in the shape of single values."""
    if attribute.kind != "ordered":
        return replace(attribute, recode="mode")
    return attribute if attribute.recode == "median" else replace(attribute, recode="mean")


def _tested_above(tree: Tree) -> list[set[str]]:
    """Return the attributes that are tested on the way to every node."""
    found: list[set[str]] = [set() for _ in tree.nodes]
    for number, node in enumerate(tree.nodes):
        for child in node.children:
            found[child] = found[number] | {str(node.attribute)}
    return found
