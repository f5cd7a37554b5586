"""Mondrian: cut the table at medians, one level a turn, until no cut would keep the guarantee.

LeFevre, DeWitt, Ramakrishnan (2006, 2008), with the set-based generalization of Shao and Beckford.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ppdt_db.coded import Wants
from ppdt_db.effort import Effort
from ppdt_db.guard import Guarded
from ppdt_db.label import make_labels
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.partition import CRITERIA, Criterion, Cutting, Partition, attribute_faults
from ppdt_db.policy import Roles


@dataclass(frozen=True, kw_only=True)
class Mondrian(Guarded):
    """Multidimensional partitioning into classes of at least k rows.

    >>> Mondrian(k=10, criterion="ncp").guarantee
    'k-anonymity'
    """

    relaxed: bool = False
    criterion: Criterion = "balanced"

    name = "mondrian"
    effort = MappingProxyType(
        {"partition": Effort(per_level=19, levels_per_halving=1.4, level_micros=0.006)}
    )
    is_global = False
    has_own_shapes = False
    uses_hierarchies = True
    no_rules = ""

    @property
    def cuts_leaves(self) -> bool:
        """Whether rows of one leaf come to several classes by their values: all are in one leaf."""
        return True

    @property
    def grain(self) -> Grain:
        """Relaxed Mondrian divides equal rows; strict Mondrian goes by values alone."""
        return "row" if self.relaxed else "cell"

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **self.guard.parameters,
            "relaxed": self.relaxed,
            "criterion": self.criterion,
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found: list[str] = []
        if self.criterion not in CRITERIA:
            found.append(f"criterion {self.criterion}: choose one of {', '.join(CRITERIA)}.")
        if self.relaxed and self.criterion not in ("balanced", "median"):
            found.append(
                f"relaxed Mondrian deals rows at the median; criterion {self.criterion} has no "
                "meaning there. Take balanced or median, or leave out --relaxed."
            )
        if self.relaxed and any(attribute.hierarchy is not None for attribute in roles.quasi):
            found.append(
                "relaxed Mondrian deals rows at the median and does not go by hierarchies. Leave "
                "out --relaxed."
            )
        if self.criterion == "infogain" and roles.target is None:
            found.append("criterion infogain needs a target (--target).")
        return [*found, *attribute_faults(roles)]

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(
            distinct=self.guard.asks_of_sensitive,
            target=self.criterion == "infogain",
            target_of_units=self.criterion == "infogain",
            rows=self.relaxed,
        )

    def partition(self, task: Task) -> None:
        """Cut until nothing can be cut; leaves `ppdt_member` behind."""
        cutting = Cutting(guard=self.guard, criterion=self.criterion, relaxed=self.relaxed)
        Partition(cutting, task).grow()

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Partition, then describe every class by its tight box."""
        self.partition(task)
        return make_labels(task.engine, task.encoded, self.grain)
