"""MiCT: a decision tree says which rows belong together, microaggregation makes them alike.

Chettri, Ray (2015).

cells ──inducer──▶ leaves ──pool──▶ parts ──cluster──▶ classes ──▶ means and modes
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from ppdt_db.accept import LEAF
from ppdt_db.axis import drop_axes, make_axes
from ppdt_db.coded import Wants
from ppdt_db.effort import Effort
from ppdt_db.inducer import fill_leaves, find_tree, tree_faults
from ppdt_db.label import label_centres
from ppdt_db.learn.trees import C45
from ppdt_db.measured import Measured
from ppdt_db.methods.contract import LabelColumn, Task
from ppdt_db.micro import Clustering, broken_classes
from ppdt_db.names import listed
from ppdt_db.policy import Roles
from ppdt_db.tree import Tree

Mode = Literal["safe", "paper"]
MODES: tuple[str, ...] = get_args(Mode)
POOL = -1


@dataclass(frozen=True, kw_only=True)
class Mict(Measured):
    """Microaggregation along a tree that predicts the target.

    `paper` is the method as it was published: rows of leaves that comply keep all that they hold.

    >>> Mict(k=5).guarantee, Mict(k=5, mode="paper").guarantee
    ('k-anonymity', 'leaf-anonymity')
    """

    mode: Mode = "safe"
    tree: Tree | None = None
    min_rows: int = 2
    gain: float = 0.2

    name = "mict"
    effort = MappingProxyType(
        {
            "grow": Effort(per_level=16, levels_per_halving=1.1, piece=1, cell_micros=0.5),
            "prune": Effort(per_level=12, levels_per_halving=1.0, cell_micros=1.1),
            "cluster": Effort(per_class=6, pair_micros=0.02),
        }
    )

    @property
    def learner(self) -> C45:
        """The inducer, where no tree is given."""
        return C45(min_rows=self.min_rows, missing="branch")

    @property
    def guarantee(self) -> str:
        """The exact name of what is kept."""
        return self.guard.guarantee if self.mode == "safe" else LEAF

    @property
    def required(self) -> Mapping[str, float | str]:
        """What the audit of a release must find: as published, nothing over all attributes."""
        return self.guard.required if self.mode == "safe" else {}

    @property
    def weaker(self) -> Mapping[str, str]:
        """What the user must accept by name."""
        if self.mode == "safe":
            return {}
        return {
            LEAF: "mode paper shows rows of complying leaves as they are: k rows share "
            "the outcomes of the tests on their path, and no set of attributes is k-anonymous."
        }

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **super().parameters,
            "mode": self.mode,
            "tree": "given" if self.tree else "C4.5",
            "min_rows": None if self.tree else self.min_rows,
            "gain": self.gain,
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found = [*super().faults(roles, columns), *self.learner.faults]
        if self.mode not in MODES:
            found.append(f"mode {self.mode}: choose one of {', '.join(MODES)}.")
        if self.tree is None and roles.target is None:
            found.append("mict needs a target (--target), or a tree (--tree).")
        if self.tree is not None:
            found += tree_faults(self.tree, [a.name for a in roles.quasi], columns)
        return found

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(distinct=self.guard.asks_of_sensitive, target=self.tree is None, rows=True)

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Grow the tree, pool what does not comply, and cluster."""
        engine = task.engine
        induced = find_tree(task, self.tree, self.learner)
        sizes = fill_leaves(task, induced)
        engine.make("mict/leaf_row", to="ppdt_coarse")
        engine.drop("ppdt_leaf")
        axes = make_axes(engine, task.encoded, self.measure)
        clustering = Clustering(task, axes, self.guard, "mdav2k", self.gain)
        complying = self._pool(task, clustering, sizes)
        if self.mode == "paper":
            engine.make("mict/only_pooled")
            engine.make("mict/own")
            engine.rename("ppdt_only_pooled", "ppdt_coarse")
        clustering.run()
        if self.mode == "paper":
            engine.append("mict/kept", "ppdt_member")
        task.figures.update(clustering.loss().figures)
        task.figures["leaves_complying"] = len(complying)
        task.figures["smallest_complying_leaf"] = min(complying.values(), default=None)
        drop_axes(engine, axes)
        engine.drop("ppdt_coarse", "ppdt_own")
        return label_centres(engine, task.encoded, self.grain)

    def _pool(self, task: Task, clustering: Clustering, sizes: Mapping[int, int]) -> dict[int, int]:
        """Pool the rows of leaves that break the guard; returns the leaves that comply."""
        engine = task.engine
        apart = broken_classes(task, self.guard, "ppdt_coarse")
        complying = {leaf: n_rows for leaf, n_rows in sizes.items() if leaf not in apart}
        while apart:
            engine.make("mict/pooled", listed({"leaf_ids": sorted(apart)}))
            engine.rename("ppdt_pooled", "ppdt_coarse")
            if POOL not in broken_classes(task, self.guard, "ppdt_coarse"):
                break
            clustering.centres("ppdt_coarse")
            # The whole table keeps the guard, so a pool that breaks it has leaves beside it.
            joined = engine.count("mict/nearest", names=clustering.names)
            complying.pop(joined)
            apart = {joined}
        return complying
