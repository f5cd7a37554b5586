"""MiCT: a decision tree groups the rows, microaggregation makes each group alike.

Chettri, Ray (2015).

cells ──inducer──▶ leaves ──pool──▶ parts ──cluster──▶ classes ──▶ means and modes
          (mode paper: levels of groups that share their paths' attributes)
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_PAIRS
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.learn.trees.learners import C45
from ppdt_db.methods.algorithms.cluster import GAIN, Clustering, broken_classes
from ppdt_db.methods.algorithms.distance import drop_axes, make_axes
from ppdt_db.methods.algorithms.tree_partition import (
    GROWING,
    MIN_ROWS,
    TREE,
    fill_leaves,
    find_tree,
    tree_faults,
)
from ppdt_db.methods.algorithms.virtual_quasi import divide_by_paths
from ppdt_db.methods.base import Example, Task
from ppdt_db.methods.distance_options import DistanceBased
from ppdt_db.methods.options import option
from ppdt_db.policy.accept import LEAF, PATH
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import listed
from ppdt_db.tree.tree import Tree

Mode = Literal["safe", "leaf", "paper"]
POOL = -1
# The modes that show rows as they are: the guarantee of each, its measure, and what it leaves open.
WEAKER = {
    "leaf": (
        LEAF,
        "leaf",
        "mode leaf shows rows of complying leaves unchanged: k rows share the outcomes of the "
        "tests on their path, and no set of attributes is k-anonymous.",
    ),
    "paper": (
        PATH,
        "path",
        "mode paper shows rows unchanged if k rows share the attributes that their path in the "
        "tree tests: whoever knows another attribute of them can single them out.",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Mict(DistanceBased):
    """Microaggregation along a tree that predicts the target.

    `paper` is the method as published: rows keep their values if k rows of their leaf share those
    of the attributes on its path. In `leaf` they keep them if their leaf has k rows.

    >>> [Mict(k=5, mode=mode).guarantee for mode in ("safe", "paper", "leaf")]
    ['k-anonymity', 'path-anonymity', 'leaf-anonymity']
    """

    mode: Mode = field(
        default="safe",
        metadata=option(
            help="mict: who keeps the guarantee: safe (each class), paper (each path's attributes) "
            "or leaf (each leaf). Default: safe."
        ),
    )
    tree: Tree | None = field(default=None, metadata=TREE)
    min_rows: int = field(default=2, metadata=MIN_ROWS)
    gain: float = field(default=0.2, metadata=GAIN)

    name = "mict"
    effort = MappingProxyType(
        {
            **GROWING,
            "cluster": Effort(law=BY_PAIRS, per_class=6, pair_micros=0.02),
        }
    )

    @property
    def learner(self) -> C45:
        """The learner of the tree, if none is given."""
        return C45(min_rows=self.min_rows, missing="branch")

    @property
    def guarantee(self) -> str:
        """The exact name of the guarantee."""
        return self.guard.guarantee if self.mode == "safe" else WEAKER[self.mode][0]

    @property
    def required(self) -> Mapping[str, float | str]:
        """The findings that the audit requires; but in mode safe, none over all attributes."""
        if self.mode == "safe":
            return self.guard.required
        return {WEAKER[self.mode][1]: float(self.guard.k)}

    @property
    def requires_accept(self) -> Mapping[str, str]:
        """The names that the user must accept."""
        if self.mode == "safe":
            return {}
        name, _, why = WEAKER[self.mode]
        return {name: why}

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **super().parameters,
            "tree": "given" if self.tree else "C4.5",
            "min_rows": None if self.tree else self.min_rows,
        }

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {
            "": {"method": cls(k=k)},
            ", as published": {
                "method": cls(k=3 * k, mode="paper"),
                "accept": [PATH],
            },
            ", by leaves": {"method": cls(k=3 * k, mode="leaf"), "accept": [LEAF]},
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found = [*super().faults(roles, columns), *self.learner.faults]
        if self.tree is None and roles.target is None:
            found.append("mict needs a target (--target), or a tree (--tree).")
        if self.tree is not None:
            found += tree_faults(self.tree, [a.name for a in roles.quasi], columns)
        return found

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(
            sensitive=self.guard.asks_of_sensitive, target=self.tree is None, row_ids=True
        )

    def form_classes(self, task: Task) -> None:
        """Grow the tree, pool the leaves that do not comply, and cluster."""
        engine = task.engine
        induced = find_tree(task, self.tree, self.learner)
        if self.mode != "safe":
            task.walked.append(induced.tree)
        sizes = fill_leaves(task, induced)
        axes = make_axes(engine, task.encoded, self.measure)
        clustering = Clustering(task, axes, self.guard, "mdav2k", self.gain)
        if self.mode == "paper":
            engine.drop("ppdt_leaf")
            task.figures["rows_pooled_by_level"] = divide_by_paths(task, induced, self.guard)
            self._fill_pool(task, clustering)
        else:
            engine.make("methods/mict/leaf_row", to="ppdt_coarse")
            engine.drop("ppdt_leaf")
            complying = self._pool_leaves(task, clustering, sizes)
            task.figures["leaves_complying"] = len(complying)
            task.figures["smallest_complying_leaf"] = min(complying.values(), default=None)
        task.figures["rows_pooled"] = engine.count("methods/mict/n_pooled")
        if self.mode != "safe":
            engine.make("methods/mict/only_pooled")
            engine.make("methods/mict/own")
            engine.rename("ppdt_only_pooled", "ppdt_coarse")
        clustering.run()
        if self.mode != "safe":
            engine.append("methods/mict/kept", "ppdt_member")
        task.figures.update(clustering.loss().figures)
        drop_axes(engine, axes)
        engine.drop("ppdt_coarse", "ppdt_own")

    def _pool_leaves(
        self, task: Task, clustering: Clustering, sizes: Mapping[int, int]
    ) -> dict[int, int]:
        """Pool the rows of leaves that break the guard; return the leaves that comply."""
        apart = broken_classes(task, self.guard, "ppdt_coarse")
        if not apart:
            return dict(sizes)
        self._pool(task, apart)
        joined = self._fill_pool(task, clustering)
        return {leaf: n for leaf, n in sizes.items() if leaf not in apart and leaf not in joined}

    def _fill_pool(self, task: Task, clustering: Clustering) -> list[int]:
        """Let the nearest part join a pool that breaks the guard, until it keeps it."""
        joined: list[int] = []
        while POOL in broken_classes(task, self.guard, "ppdt_coarse"):
            clustering.centres("ppdt_coarse")
            # The whole table keeps the guard, so a pool that breaks it has other parts to join.
            joined.append(task.engine.count("methods/mict/nearest", names=clustering.names))
            self._pool(task, joined[-1:])
        return joined

    def _pool(self, task: Task, parts: Iterable[int]) -> None:
        task.engine.make("methods/mict/pooled", listed({"leaf_ids": sorted(parts)}))
        task.engine.rename("ppdt_pooled", "ppdt_coarse")
