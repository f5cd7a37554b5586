"""Microaggregation: clusters of at least k near rows, each shown by its means and modes.

Domingo-Ferrer, Torra (2005): MDAV; Solanas, Martinez-Balleste (2006): V-MDAV; Chettri, Borah
(2012): MDAV2k; Hansen, Mukherjee (2003): the least loss for one number.

rows ──(partition)──▶ parts ──cluster──▶ classes ──▶ means and modes
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.axis import drop_axes, make_axes
from ppdt_db.effort import Effort
from ppdt_db.families import ORDERED, family_of, told
from ppdt_db.label import label_centres
from ppdt_db.line import divide_line
from ppdt_db.measured import Measured
from ppdt_db.methods.contract import LabelColumn, Task
from ppdt_db.micro import Clustering, Form
from ppdt_db.partition import Criterion, Cutting, Partition
from ppdt_db.policy import Roles


@dataclass(frozen=True, kw_only=True)
class Mdav(Measured):
    """Clusters of k to 2k - 1 rows, around the rows farthest from the centre of what is left.

    >>> Mdav(k=10).guarantee
    'k-anonymity'
    """

    name = "mdav"
    form: ClassVar[Form] = "mdav"
    gain: ClassVar[float] = 0.0
    per_class: ClassVar[float] = 3.7
    """How many statements a class takes, for plans."""

    @property
    def effort(self) -> Mapping[str, Effort]:
        """What each stage of its own runs: some statements for every class."""
        return {"cluster": Effort(once=40, per_class=self.per_class, pair_micros=0.02)}

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Divide the rows into parts, the parts into clusters, and describe every cluster."""
        self._divide(task)
        axes = make_axes(task.engine, task.encoded, self.measure)
        clustering = Clustering(task, axes, self.guard, self.form, self.gain)
        clustering.run()
        task.figures.update(clustering.loss().figures)
        drop_axes(task.engine, axes)
        task.engine.drop("ppdt_coarse")
        return label_centres(task.engine, task.encoded, self.grain)

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
    """V-MDAV: one cluster at a time, around the row farthest from the first centre; it may grow."""

    name = "vmdav"
    per_class = 11.8
    form = "vmdav"


@dataclass(frozen=True, kw_only=True)
class Mdav2k(Growing):
    """MDAV2k in our reading: the pairs of MDAV, and each cluster of a pair may grow."""

    name = "mdav2k"
    per_class = 13
    form = "mdav2k"


# Foresight weighs every cut in all attributes: its work grows with their square. Above so many,
# parts are cut at the balanced cuts of the widest, which lose as little there.
WIDE = 16


@dataclass(frozen=True, kw_only=True)
class Microaggregate(Mdav):
    """The fast form: Mondrian's parts first, then MDAV in all parts at once."""

    name = "microaggregate"
    part_rows: int = 500

    @property
    def effort(self) -> Mapping[str, Effort]:
        """What each stage of its own runs: parts are clustered at once, a class of each a turn."""
        piece = round(0.8 * self.part_rows)
        return {
            "partition": Effort(
                once=60, per_level=16, levels_per_halving=3.0, piece=piece, level_micros=0.035
            ),
            "cluster": Effort(once=20 + 4 * self.part_rows / self.k, row_micros=0.9),
        }

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
        """Cut until no part can be cut in two halves, then deal the rows of parts too large."""
        guard = replace(self.guard, k=max(self.k, self.part_rows // 2))
        is_wide = len(task.encoded.attributes) > WIDE
        criterion: Criterion = "balanced" if is_wide else "foresight"
        Partition(Cutting(guard=guard, criterion=criterion, by_row=True), task).grow()
        task.engine.rename("ppdt_member", "ppdt_coarse")
        if task.engine.count("micro/largest") > self.part_rows:
            Partition(Cutting(guard=guard, relaxed=True), task).grow(start="grouped")
            task.engine.rename("ppdt_member", "ppdt_coarse")


@dataclass(frozen=True, kw_only=True)
class Univariate(Measured):
    """One number, in the groups of k to 2k - 1 neighbours that lose least of all there are.

    >>> Univariate(k=10).guarantee
    'k-anonymity'
    """

    name = "univariate"
    effort = MappingProxyType(
        {"cluster": Effort(once=40, per_level=5, levels_per_halving=1.0, row_micros=14)}
    )

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found = list(super().faults(roles, columns))
        if len(roles.quasi) != 1:
            found.append(
                f"univariate takes one quasi-identifier, a number or a time, and here are "
                f"{len(roles.quasi)}. Take mdav or microaggregate for several."
            )
        for attribute in roles.quasi:
            type_name = columns.get(attribute.name, "")
            family = family_of(type_name)
            if family is not None and family not in ORDERED:
                found.append(
                    f'univariate: quasi-identifier "{attribute.name}" is of type '
                    f"{told(type_name)}, which has no means. Take mdav, or cast it to a number."
                )
        return found

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Find the shortest way along the number, and describe its groups."""
        engine = task.engine
        engine.make("micro/whole", to="ppdt_coarse")
        axes = make_axes(engine, task.encoded, self.measure)
        divide_line(task, axes[0], self.k)
        clustering = Clustering(task, axes, self.guard, "mdav", 0.0)
        clustering.merge()
        task.figures.update(clustering.loss().figures)
        drop_axes(engine, axes)
        engine.drop("ppdt_coarse")
        return label_centres(engine, task.encoded, self.grain)
