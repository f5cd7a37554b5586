"""Mondrian: cut the table at medians, one level a turn, while cuts keep the guarantee.

LeFevre, DeWitt, Ramakrishnan (2006, 2008), with the set-based generalization of Shao and Beckford.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.cost.effort import Effort
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.methods.algorithms.partition import (
    CRITERION,
    CUTTING,
    Criterion,
    Cutting,
    Partition,
    attribute_faults,
)
from ppdt_db.methods.base import Example, Grain, LabelColumn, Method, Task
from ppdt_db.methods.examples import NODES, SECRET, SHAPED
from ppdt_db.methods.labels import make_labels
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles

ON_SPARK: tuple[Criterion, ...] = ("balanced", "median", "median-left", "ncp")


@dataclass(frozen=True, kw_only=True)
class Mondrian(Method):
    """Multidimensional partitioning into classes of at least k rows.

    >>> Mondrian(k=10, criterion="ncp").guarantee
    'k-anonymity'
    """

    relaxed: bool = field(
        default=False, metadata=option(help="mondrian: split rows equal to the median.")
    )
    criterion: Criterion = field(default="balanced", metadata=CRITERION)

    name = "mondrian"
    stage_words = MappingProxyType({"partition": "partitioning"})
    effort: ClassVar[Mapping[str, Effort]] = MappingProxyType({"partition": CUTTING})
    is_global = False
    controls_recoding = False
    uses_hierarchies = True
    why_not_applicable = ""
    runs_on_spark = True

    @property
    def boxes_decide(self) -> bool:
        """Return True: all rows are in one leaf, and go to classes by their values."""
        return True

    @property
    def grain(self) -> Grain:
        """The grain: rows in relaxed Mondrian, which splits equal rows, otherwise cells."""
        return "row" if self.relaxed else "cell"

    @property
    def spark_faults(self) -> Sequence[str]:
        """Return what is not supported on Spark of these parameters."""
        found: list[str] = []
        if self.relaxed:
            found.append("--relaxed is not supported on Spark; remove it or use DuckDB.")
        if self.criterion not in ON_SPARK:
            found.append(
                f"criterion {self.criterion} is not supported on Spark; use "
                f"{', '.join(ON_SPARK)}, or DuckDB."
            )
        return found

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {
            ", with l": {"method": cls(k=k, l=2)},
            ", criterion ncp, with a plan": {
                "method": cls(k=k, criterion="ncp"),
                "plan": True,
            },
            ", criterion foresight": {"method": cls(k=k, criterion="foresight")},
            ", criterion infogain": {"method": cls(k=k, criterion="infogain")},
            ", relaxed": {"method": cls(k=k, l=2, relaxed=True)},
            ", with means, modes, bounds and an entity; learn from the release": {
                "method": cls(k=k),
                "quasi": SHAPED,
                "entity": "patient_id",
                "identifiers": ["name"],
            },
            ", with hierarchies and t": {
                "method": cls(k=k, t=0.5),
                "quasi": NODES,
                "sensitive": SECRET,
            },
            ", criterion foresight, with hierarchies": {
                "method": cls(k=k, criterion="foresight"),
                "quasi": NODES,
            },
            ", as a live view": {
                "method": cls(k=k),
                "live": True,
                "accept": ["state-by-state", "reader-side-channels"],
            },
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found: list[str] = []
        if self.relaxed and self.criterion not in ("balanced", "median"):
            found.append(
                f"criterion {self.criterion} does not apply to relaxed Mondrian, which splits "
                "rows at the median. Use balanced or median, or remove --relaxed."
            )
        if self.relaxed and any(attribute.hierarchy is not None for attribute in roles.quasi):
            found.append(
                "relaxed Mondrian splits rows at the median and does not support hierarchies. "
                "Remove --relaxed."
            )
        if self.criterion == "infogain" and roles.target is None:
            found.append("criterion infogain needs a target (--target).")
        return [*found, *attribute_faults(roles)]

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(
            sensitive=self.guard.asks_of_sensitive,
            target=self.criterion == "infogain",
            target_of_units=self.criterion == "infogain",
            row_ids=self.relaxed,
        )

    def form_classes(self, task: Task) -> None:
        """Cut until nothing can be cut; leave `ppdt_member` behind."""
        cutting = Cutting(guard=self.guard, criterion=self.criterion, relaxed=self.relaxed)
        Partition(cutting, task).grow()

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        """Label every class by its tight box."""
        return make_labels(task.engine, task.encoded, self.grain)
