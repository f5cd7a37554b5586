"""Datafly: the attribute with the most values goes one level up, until few rows are left to drop.

Sweeney (2002).

cells ──group──▶ classes ──too many rows in small ones──▶ one attribute up ──▶ ... ──▶ labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_CELLS
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.methods.algorithms.specialize import hold_buckets, recoding_faults
from ppdt_db.methods.base import Example, Grain, LabelColumn, Method, Task
from ppdt_db.methods.examples import NODES
from ppdt_db.methods.guard import judge_groups
from ppdt_db.methods.labels import describe_extents, label_columns
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles


@dataclass(frozen=True, kw_only=True)
class Datafly(Method):
    """Full-domain generalization, and suppression of the few rows that are still in small classes.

    Categories and numbers climb their hierarchy; without one, all values of an attribute are
    generalized at once.

    >>> Datafly(k=50, suppress=0).guarantee
    'k-anonymity'
    """

    suppress: float = field(
        default=0.01,
        metadata=option(
            help="datafly: maximum share of rows to drop. Default: 0.01.", least=0, below=1
        ),
    )

    name = "datafly"
    effort: ClassVar[Mapping[str, Effort]] = MappingProxyType(
        {"generalize": Effort(law=BY_CELLS, once=20, per_attribute=12, cell_micros=0.4)}
    )
    stage_words = MappingProxyType({"generalize": "generalizing"})
    grain: ClassVar[Grain] = "cell"
    is_global = True
    controls_recoding = True
    uses_hierarchies = True
    why_not_applicable = "its recoding of the table is not kept for new values"

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {", with hierarchies and l": {"method": cls(k=k, l=2, suppress=0.1), "quasi": NODES}}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found = recoding_faults(self.name, roles)
        if self.guard.is_relative and self.suppress > 0:
            found.append(
                "t, beta, enhanced beta and delta compare classes with the whole release, which "
                "changes with every row that datafly drops. Add --suppress 0, or remove them."
            )
        return found

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(sensitive=self.guard.asks_of_sensitive)

    def form_classes(self, task: Task) -> None:
        """Generalize until few enough rows are left, and drop these."""
        engine, attributes = task.engine, task.encoded.attributes
        names: dict[str, object] = {"attributes": attributes}
        n_buckets = self._climb(task)
        levels = dict.fromkeys(n_buckets, 0)
        n_most = Fraction(str(self.suppress)) * task.encoded.n_rows
        engine.make("methods/datafly/generalized", names=names)
        while self._n_below(task) > n_most:
            # At the top all rows are one class, which was checked beforehand.
            widest = max(levels, key=lambda i: (n_buckets[i][levels[i]], -i))
            levels[widest] += 1
            step = {"attribute_id": widest, "level": levels[widest]}
            engine.make("methods/datafly/risen", step, {**names, "attribute": attributes[widest]})
            engine.rename("ppdt_risen", "ppdt_generalized")
            task.progress("generalize", 1 - 1 / (1 + sum(levels.values()) / 4))
        engine.make("methods/datafly/placed", names=names)
        engine.make("methods/datafly/member")
        buckets = [
            engine.make(
                "methods/datafly/bucket",
                {"attribute_id": attribute.position, "level": levels[attribute.position]},
                {"attribute": attribute},
                to=f"ppdt_bucket_{attribute.position}",
            )
            for attribute in attributes
        ]
        engine.drop(
            "ppdt_generalized", "ppdt_group", "ppdt_placed", "ppdt_broken", "ppdt_generalization"
        )
        task.figures["levels"] = {a.name: levels[a.position] for a in attributes}
        hold_buckets(task, buckets)

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        """Label every class by the level of each attribute."""
        describe_extents(task.engine, task.encoded, ["ppdt_class_cell"])
        return label_columns(task.encoded.attributes)

    def _climb(self, task: Task) -> dict[int, list[int]]:
        """Make `ppdt_generalization`; return how many values each attribute has at each level."""
        engine = task.engine
        task.progress("generalize", 0.0)
        engine.make("methods/datafly/no_generalization", to="ppdt_generalization")
        for attribute in task.encoded.attributes:
            step = "generalization" if attribute.has_hierarchy else "flat_generalization"
            names = {"attribute": attribute}
            engine.append(f"methods/datafly/{step}", "ppdt_generalization", {}, names)
        found: dict[int, list[int]] = {}
        for position, _, n_buckets in engine.rows("methods/datafly/n_buckets"):
            found.setdefault(int(str(position)), []).append(int(str(n_buckets)))
        return found

    def _n_below(self, task: Task) -> int:
        """Return the number of rows in classes that break the guarantee; leave `ppdt_broken`."""
        engine, names = task.engine, {"attributes": task.encoded.attributes}
        engine.make("methods/datafly/group", names=names)
        if task.encoded.protected_keys:
            engine.make("methods/datafly/placed", names=names)
            engine.make("methods/datafly/group_protected")
        judge_groups(engine, task.encoded, self.guard)
        if task.encoded.protected_keys:
            engine.drop("ppdt_group_protected", "ppdt_placed")
        return engine.count("methods/datafly/n_below")
