"""ERP: prune a decision tree where risk falls most for each error added; leaves are classes.

Yang, Wang, Hu, Li (2019).

cells ──inducer──▶ leaves ──risk──▶ node risks ──prune──▶ outcome ──▶ classes ──▶ labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ppdt_db.coded import Wants
from ppdt_db.effort import Effort
from ppdt_db.error_risk import ErrorRiskPruning
from ppdt_db.errors import GuaranteeError
from ppdt_db.guard import Guarded
from ppdt_db.inducer import fill_leaves, find_tree, tree_faults
from ppdt_db.label import make_labels
from ppdt_db.learn.trees import C45
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.outline import outline
from ppdt_db.policy import Roles
from ppdt_db.risk import broken_nodes, measure, node_risks, parents_of
from ppdt_db.tiers import GUARANTEE, WEAKER, make_tiers, tier_faults
from ppdt_db.tree import Tree

DEFAULT_MIN_ROWS = 2


@dataclass(frozen=True, kw_only=True)
class Erp(Guarded):
    """Error-risk pruning of an unpruned tree that predicts the target.

    With `tiered`, rows show what their own leaf before pruning holds, and what it must borrow.

    >>> Erp(k=20).guarantee, Erp(k=20, tiered=True).guarantee
    ('k-anonymity', '(k,k)-anonymity')
    """

    tree: Tree | None = None
    min_rows: int | None = None
    tiered: bool = False

    name = "erp"
    effort = MappingProxyType(
        {
            "grow": Effort(per_level=20, levels_per_halving=1.1, piece=1, cell_micros=0.5),
            "prune": Effort(once=50, cell_micros=0.2),
        }
    )
    is_global = False
    no_rules = ""
    has_own_shapes = False

    @property
    def grain(self) -> Grain:
        """Whether `ppdt_member` speaks of cells or of rows: tiers lend single rows."""
        return "row" if self.tiered else "cell"

    @property
    def guarantee(self) -> str:
        """The exact name of what is kept."""
        return GUARANTEE if self.tiered else self.guard.guarantee

    @property
    def required(self) -> Mapping[str, float | str]:
        """What the audit of a release must find."""
        return {"kk": self.k} if self.tiered else self.guard.required

    @property
    def weaker(self) -> Mapping[str, str]:
        """What the user must accept by name."""
        return WEAKER if self.tiered else {}

    @property
    def learner(self) -> C45:
        """The inducer, where no tree is given."""
        min_rows = DEFAULT_MIN_ROWS if self.min_rows is None else self.min_rows
        return C45(min_rows=min_rows, unpruned=True, missing="branch")

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **self.guard.parameters,
            "tree": "given" if self.tree else "C4.5",
            "min_rows": None if self.tree else self.learner.min_rows,
            "tiered": self.tiered,
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found = list(self.learner.faults)
        if roles.target is None:
            found.append("erp needs a target (--target): errors about it are weighed against risk.")
        if self.tree is not None:
            if self.min_rows is not None:
                found.append("--min-rows is for growing a tree, and one is given. Leave it out.")
            found += tree_faults(self.tree, [a.name for a in roles.quasi], columns)
        if self.tiered:
            found += tier_faults(self.guard, roles)
        return found

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(distinct=self.guard.asks_of_sensitive, target=True, rows=self.tiered)

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Grow the tree, prune it, and describe every leaf that is left."""
        engine = task.engine
        induced = find_tree(task, self.tree, self.learner)
        tree, sizes = induced.tree, fill_leaves(task, induced)
        task.keep_tree(tree)
        task.progress("prune", 0.0)
        measure(engine, task.encoded, tree)
        self._prune(task, tree, sizes)
        engine.drop("ppdt_way", "ppdt_node_risk")
        if self.tiered:
            return make_tiers(task, self.k)
        engine.make("erp/member")
        engine.drop("ppdt_leaf", "ppdt_above", "ppdt_outcome")
        return make_labels(engine, task.encoded, self.grain)

    def _prune(self, task: Task, tree: Tree, sizes: Mapping[int, int]) -> None:
        """Prune; leaves `ppdt_outcome` behind."""
        engine = task.engine
        broken = broken_nodes(engine, task.encoded, self.guard)
        leaf_of = ErrorRiskPruning(parents_of(tree), node_risks(engine), broken).run()
        leaves = [number for number, node in enumerate(tree.nodes) if not node.branches]
        classes = [leaf_of[leaf] for leaf in leaves]
        if broken & set(classes):
            raise GuaranteeError(
                "the tree is pruned down to its root, and all rows together do not keep what is "
                "asked for. Ask for less."
            )
        engine.make("erp/outcome", {"leaf_ids": leaves, "class_ids": classes})
        held: dict[int, int] = {}
        for leaf, n_rows in sizes.items():
            held[leaf_of[leaf]] = held.get(leaf_of[leaf], 0) + n_rows
        task.figures["leaves_unpruned"] = len(sizes)
        task.figures["leaves"] = len(held)
        if not any(thing.is_entity for thing in task.encoded.things):
            task.figures["tree"] = outline(_cut(tree, set(classes)), held, self.k)


def _cut(tree: Tree, leaves: set[int]) -> Tree:
    """A tree whose branches end at the leaves given; its nodes keep their numbers."""
    nodes = tuple(
        replace(node, attribute=None, branches=()) if number in leaves else node
        for number, node in enumerate(tree.nodes)
    )
    return replace(tree, nodes=nodes)
