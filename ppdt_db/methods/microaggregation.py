"""Microaggregation: clusters of at least k near rows, each shown by its means and modes.

Domingo-Ferrer, Torra (2005): MDAV; Solanas, Martinez-Balleste (2006): V-MDAV; Chettri, Borah (2012):
MDAV2k.

rows ──(partition)──▶ parts ──cluster──▶ classes ──▶ means and modes
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import ClassVar

from ppdt_db.axis import SCALES, Measure, Scale, drop_axes, make_axes
from ppdt_db.encode import Wants
from ppdt_db.guard import Guarded
from ppdt_db.label import centred, label_columns, make_labels
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.micro import Clustering, Form
from ppdt_db.names import nearest
from ppdt_db.partition import Cutting, Partition
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


@dataclass(frozen=True, kw_only=True)
class Mdav(Measured):
    """Clusters of k to 2k - 1 rows, around the rows farthest from the centre of what is left.

    >>> Mdav(k=10).guarantee
    'k-anonymity'
    """

    name = "mdav"
    form: ClassVar[Form] = "mdav"
    gain: ClassVar[float] = 0.0

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Divide the rows into parts, the parts into clusters, and describe every cluster."""
        self._divide(task)
        axes = make_axes(task.engine, task.encoded, self.measure)
        clustering = Clustering(task, axes, self.guard, self.form, self.gain)
        clustering.run()
        task.figures.update(clustering.loss().figures)
        drop_axes(task.engine, axes)
        task.engine.drop("ppdt_coarse")
        encoded = centred(task.encoded)
        columns = label_columns(encoded.attributes)
        make_labels(task.engine, encoded, columns, self.grain)
        return columns

    def _divide(self, task: Task) -> None:
        """All rows are one part."""
        task.engine.make("micro/whole", to="ppdt_coarse")


@dataclass(frozen=True, kw_only=True)
class Growing(Mdav):
    """Clusters that take in near rows, up to 2k - 1."""

    gain: float = 0.2  # type: ignore[misc]

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {**super().parameters, "gain": self.gain}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found = list(super().faults(roles, columns))
        if not isfinite(self.gain) or self.gain < 0:
            found.append(f"gain={self.gain:g}: take a number of at least 0.")
        return found


@dataclass(frozen=True, kw_only=True)
class Vmdav(Growing):
    """V-MDAV: one cluster at a time around the row farthest from the first centre; each may grow."""

    name = "vmdav"
    form = "vmdav"


@dataclass(frozen=True, kw_only=True)
class Mdav2k(Growing):
    """MDAV2k in our reading: the pairs of MDAV, and each cluster of a pair may grow."""

    name = "mdav2k"
    form = "mdav2k"


@dataclass(frozen=True, kw_only=True)
class Microaggregate(Mdav):
    """The fast form: Mondrian's parts first, then MDAV in all parts at once."""

    name = "microaggregate"
    part_rows: int = 500

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {**super().parameters, "part_rows": self.part_rows}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found = list(super().faults(roles, columns))
        if self.part_rows < 2 * self.k:
            found.append(f"part_rows={self.part_rows}: take at least 2 k, here {2 * self.k}.")
        return found

    def _divide(self, task: Task) -> None:
        """Deal the rows at medians until parts have at most `part_rows` rows."""
        guard = replace(self.guard, k=max(self.k, (self.part_rows + 1) // 2))
        Partition(Cutting(guard=guard, relaxed=True), task).grow()
        task.engine.rename("ppdt_member", "ppdt_coarse")
