"""The options of methods that compare rows by distance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.methods.algorithms.distance import DistanceMeasure, Scale
from ppdt_db.methods.base import Grain, LabelColumn, Method, Task
from ppdt_db.methods.labels import label_centres
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import did_you_mean


@dataclass(frozen=True, kw_only=True)
class DistanceBased(Method):
    """The options that all forms of microaggregation share: how rows are compared."""

    scale: Scale = field(
        default="deviation",
        metadata=option(help="Microaggregation: scale of distances. Default: deviation."),
    )
    gamma: float = field(
        default=1.0,
        metadata=option(
            help="Microaggregation: weight of a differing category. Default: 1.", least=0
        ),
    )
    weight: Mapping[str, float] = field(
        default_factory=dict,
        metadata=option(help="Microaggregation: COLUMN=NUMBER; may be repeated."),
    )

    stage_words = MappingProxyType({"cluster": "clustering"})
    grain: ClassVar[Grain] = "row"
    is_global: ClassVar[bool] = False
    controls_recoding: ClassVar[bool] = True
    why_not_applicable = (
        "it groups rows by their distance to each other, which its labels do not show"
    )

    @property
    def measure(self) -> DistanceMeasure:
        """The weights and scales of the distance."""
        return DistanceMeasure(scale=self.scale, gamma=self.gamma, weights=self.weight)

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {**super().parameters, "weight": dict(sorted(self.weight.items()))}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        quasi = [attribute.name for attribute in roles.quasi]
        found = [
            f'recode "{a.name}": {self.name} shows means of numbers and the most frequent of '
            "other values. Remove it."
            for a in roles.quasi
            if a.recode is not None
        ]
        for name, weight in self.weight.items():
            if name not in quasi:
                found.append(
                    f'weight "{name}": not a quasi-identifier of this '
                    f"run.{did_you_mean(name, quasi)}"
                )
            if not isfinite(weight) or weight < 0:
                found.append(f'weight "{name}"={weight:g}: must be at least 0.')
        return found

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(sensitive=self.guard.asks_of_sensitive, row_ids=True)

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        """Label every class by the means and modes of its rows."""
        return label_centres(task.engine, task.encoded, self.grain)
