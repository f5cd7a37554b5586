"""Measured: how a method that compares rows is asked to compare them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import ClassVar

from ppdt_db.axis import SCALES, Measure, Scale
from ppdt_db.coded import Wants
from ppdt_db.guard import Guarded
from ppdt_db.methods.contract import Grain
from ppdt_db.names import nearest
from ppdt_db.policy import Roles


@dataclass(frozen=True, kw_only=True)
class Measured(Guarded):
    """What all forms of microaggregation are asked: how rows are compared."""

    scale: Scale = "deviation"
    gamma: float = 1.0
    weight: Mapping[str, float] = field(default_factory=dict)

    name: ClassVar[str]
    grain: ClassVar[Grain] = "row"
    is_global: ClassVar[bool] = False
    has_own_shapes: ClassVar[bool] = True
    no_rules = "it groups rows by nearness to each other, which its labels do not tell"

    @property
    def measure(self) -> Measure:
        """What counts how much in a distance."""
        return Measure(scale=self.scale, gamma=self.gamma, weights=self.weight)

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        weights = dict(sorted(self.weight.items()))
        return {
            **self.guard.parameters,
            "scale": self.scale,
            "gamma": self.gamma,
            "weight": weights,
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        quasi = [attribute.name for attribute in roles.quasi]
        found = [
            f'recode "{a.name}": {self.name} shows means of numbers and the most frequent of '
            "other values. Leave it out."
            for a in roles.quasi
            if a.recode is not None
        ]
        if self.scale not in SCALES:
            found.append(f"scale {self.scale}: choose one of {', '.join(SCALES)}.")
        if not isfinite(self.gamma) or self.gamma < 0:
            found.append(f"gamma={self.gamma:g}: take a number of at least 0.")
        for name, weight in self.weight.items():
            if name not in quasi:
                found.append(
                    f'weight "{name}": it is not a quasi-identifier of this run.'
                    f"{nearest(name, quasi)}"
                )
            if not isfinite(weight) or weight < 0:
                found.append(f'weight "{name}"={weight:g}: take a number of at least 0.')
        return found

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(distinct=self.guard.asks_of_sensitive, rows=True)
