"""ERP: prune a decision tree by the most risk removed per added error; its leaves are classes.

Yang, Wang, Hu, Li (2019).

cells ──inducer──▶ leaves ──risk──▶ node risks ──prune──▶ outcome ──▶ classes ──▶ labels
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_CELLS
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.learn.trees.learners import C45
from ppdt_db.methods.algorithms.node_risk import broken_nodes, measure, node_risks, parents_of
from ppdt_db.methods.algorithms.risk_pruning import ErrorRiskPruning
from ppdt_db.methods.algorithms.tiers import GUARANTEE, WEAKER, label_tiers, make_tiers, tier_faults
from ppdt_db.methods.algorithms.tree_partition import (
    BINARY,
    MIN_ROWS,
    NARROW,
    TREE,
    fill_leaves,
    find_tree,
    tree_faults,
)
from ppdt_db.methods.base import Example, Grain, LabelColumn, Method, Task
from ppdt_db.methods.examples import DIAGNOSED
from ppdt_db.methods.labels import make_labels
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles
from ppdt_db.tree.outline import outline
from ppdt_db.tree.tree import Tree

DEFAULT_MIN_ROWS = 2


@dataclass(frozen=True, kw_only=True)
class Erp(Method):
    """Error-risk pruning of an unpruned tree that predicts the target.

    With `tiered`, rows show what their own leaf holds before pruning, and what it must borrow.

    >>> Erp(k=20).guarantee, Erp(k=20, tiered=True).guarantee
    ('k-anonymity', '(k,k)-anonymity')
    """

    tree: Tree | None = field(default=None, metadata=TREE)
    min_rows: int | None = field(default=None, metadata=MIN_ROWS)
    binary: bool = field(default=False, metadata=BINARY)
    narrow: bool = field(default=False, metadata=NARROW)
    tiered: bool = field(
        default=False,
        metadata=option(help="erp: show rows by their own leaves; needs --accept kk-anonymity."),
    )

    name = "erp"
    effort = MappingProxyType(
        {
            "grow": Effort(
                law=BY_CELLS, per_level=20, levels_per_halving=1.1, piece=1, cell_micros=0.5
            ),
            "prune": Effort(law=BY_CELLS, once=50, cell_micros=0.2),
        }
    )
    is_global = False
    why_not_applicable = ""
    controls_recoding = False
    uses_bins = True
    prunes_tree = True

    @property
    def grain(self) -> Grain:
        """The grain of `ppdt_member`: cells, or rows if tiered, since single rows are lent."""
        return "row" if self.tiered else "cell"

    @property
    def guarantee(self) -> str:
        """The exact name of the guarantee."""
        return GUARANTEE if self.tiered else self.guard.guarantee

    @property
    def required(self) -> Mapping[str, float | str]:
        """The findings that the audit of a release requires, with their bounds."""
        return {"kk": self.k} if self.tiered else self.guard.required

    @property
    def requires_accept(self) -> Mapping[str, str]:
        """The names that the user must accept."""
        return WEAKER if self.tiered else {}

    @property
    def learner(self) -> C45:
        """The learner of the tree, if none is given."""
        # Both sides of a binary split can be leaves, so nothing need be pruned. Tiers lend rows to
        # smaller ones: half of k loses least. A split in many would hardly ever be made.
        default = (self.k + 1) // 2 if self.tiered else self.k
        default = max(1, default) if self.binary else DEFAULT_MIN_ROWS
        return C45(
            min_rows=default if self.min_rows is None else self.min_rows,
            unpruned=True,
            missing="branch",
            binary=self.binary,
            narrow=self.narrow,
        )

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **super().parameters,
            "tree": "given" if self.tree else "C4.5",
            "min_rows": None if self.tree else self.learner.min_rows,
            "binary": None if self.tree else self.binary,
            "narrow": None if self.tree else self.narrow,
        }

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {
            ", with l": {"method": cls(k=k, l=2), **DIAGNOSED},
            ", in two": {"method": cls(k=k, binary=True, narrow=True), **DIAGNOSED},
            ", tiered": {
                "method": cls(k=k, tiered=True),
                "accept": ["kk-anonymity"],
                **DIAGNOSED,
            },
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found = list(self.learner.faults)
        if roles.target is None:
            found.append("erp needs a target (--target), to weigh errors against risk.")
        if self.tree is not None:
            if self.min_rows is not None:
                found.append(
                    "--min-rows applies only when a tree is grown, not to a given one; remove it."
                )
            found += [
                f"--{name} applies only when a tree is grown, not to a given one; remove it."
                for name in ("binary", "narrow")
                if getattr(self, name)
            ]
            found += tree_faults(self.tree, [a.name for a in roles.quasi], columns)
        if self.tiered:
            found += tier_faults(self.guard, roles)
        return found

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(
            sensitive=self.guard.asks_of_sensitive, target=True, row_ids=self.tiered
        )

    def form_classes(self, task: Task) -> None:
        """Grow the tree and prune it; every remaining leaf is a class, unless tiers lend rows."""
        engine = task.engine
        induced = find_tree(task, self.tree, self.learner)
        tree, sizes = induced.tree, fill_leaves(task, induced)
        task.keep_tree(tree)
        task.progress("prune", 0.0)
        measure(engine, task.encoded, tree)
        self._prune(task, tree, sizes)
        engine.drop("ppdt_way", "ppdt_node_risk")
        self.place_rows(task)

    def place_rows(self, task: Task) -> None:
        """Make classes of the leaves (`ppdt_leaf`, `ppdt_outcome`); tiers need `ppdt_above` too."""
        if self.tiered:
            make_tiers(task, self.k)
            return
        task.engine.make("methods/erp/member")
        task.engine.drop("ppdt_leaf", "ppdt_above", "ppdt_outcome")

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        """Label every class by its tight box, or by that of its rows and those it borrows."""
        if self.tiered:
            return label_tiers(task)
        return make_labels(task.engine, task.encoded, self.grain)

    def find_groups(self, task: Task, tree: Tree) -> tuple[Sequence[int], set[int]]:
        """Return the leaf that each node of a measured tree is pruned to, and the broken nodes."""
        broken = broken_nodes(task.engine, task.encoded, self.guard)
        risks = node_risks(task.engine)
        return ErrorRiskPruning(parents_of(tree), risks, broken).run(), broken

    def _prune(self, task: Task, tree: Tree, sizes: Mapping[int, int]) -> None:
        """Prune; leave `ppdt_outcome` behind."""
        leaf_of, broken = self.find_groups(task, tree)
        leaves = [number for number, node in enumerate(tree.nodes) if not node.branches]
        classes = [leaf_of[leaf] for leaf in leaves]
        if broken & set(classes):
            raise GuaranteeError(
                "the tree is pruned to its root, and even all rows together do not keep the "
                "guarantee. Weaken it (such as a smaller --k)."
            )
        load_outcome(task.engine, zip(leaves, classes, strict=True))
        held: dict[int, int] = {}
        for leaf, n_rows in sizes.items():
            held[leaf_of[leaf]] = held.get(leaf_of[leaf], 0) + n_rows
        cut = cut_tree(tree, set(classes))
        task.pruned.append(cut.without_orphans())
        task.figures["leaves_unpruned"] = len(sizes)
        task.figures["leaves"] = len(held)
        if not any(protected_key.is_entity for protected_key in task.encoded.protected_keys):
            task.figures["tree"] = outline(cut, held, self.k)


def load_outcome(engine: Engine, groups: Iterable[tuple[int, int]]) -> None:
    """Store the leaf that each leaf was pruned to."""
    columns = {"leaf_id": "INTEGER", "class_id": "INTEGER"}
    engine.load("ppdt_outcome", columns, groups, is_logged=True)


def cut_tree(tree: Tree, leaves: set[int]) -> Tree:
    """Return the tree cut off at the leaves given; its nodes keep their numbers."""
    nodes = tuple(
        replace(node, attribute=None, branches=()) if number in leaves else node
        for number, node in enumerate(tree.nodes)
    )
    return replace(tree, nodes=nodes)
