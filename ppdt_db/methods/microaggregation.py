"""Microaggregation: clusters of at least k close rows, each shown by its means and modes.

Domingo-Ferrer, Torra (2005): MDAV; Solanas, Martinez-Balleste (2006): V-MDAV; Chettri, Borah
(2012): MDAV2k; Hansen, Mukherjee (2003): the least loss for one number.

rows ──(partition)──▶ parts ──cluster──▶ classes ──▶ means and modes
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_LEVELS, BY_PAIRS
from ppdt_db.methods.algorithms.cluster import GAIN, ClusterForm, Clustering
from ppdt_db.methods.algorithms.distance import drop_axes, make_axes
from ppdt_db.methods.algorithms.partition import Criterion, Cutting, Partition
from ppdt_db.methods.algorithms.univariate import divide_line
from ppdt_db.methods.base import Example, Task
from ppdt_db.methods.distance_options import DistanceBased
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.column_types import ORDERED, display_type, family_of


@dataclass(frozen=True, kw_only=True)
class Mdav(DistanceBased):
    """Clusters of k to 2k - 1 rows, around the rows farthest from the remaining centre.

    >>> Mdav(k=10).guarantee
    'k-anonymity'
    """

    name = "mdav"
    form: ClassVar[ClusterForm] = "mdav"
    gain: ClassVar[float] = 0.0
    per_class: ClassVar[float] = 3.7
    """The number of statements per class, for plans."""

    @property
    def effort(self) -> Mapping[str, Effort]:
        """Return the work of each of its stages: some statements for every class."""
        return {
            "cluster": Effort(law=BY_PAIRS, once=40, per_class=self.per_class, pair_micros=0.02)
        }

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {", with l": {"method": cls(k=k, l=3)}}

    def form_classes(self, task: Task) -> None:
        """Divide the rows into parts, and the parts into clusters."""
        self._divide(task)
        axes = make_axes(task.engine, task.encoded, self.measure)
        clustering = Clustering(task, axes, self.guard, self.form, self.gain)
        clustering.run()
        task.figures.update(clustering.loss().figures)
        drop_axes(task.engine, axes)
        task.engine.drop("ppdt_coarse")

    def _divide(self, task: Task) -> None:
        """Put all rows into one part."""
        task.engine.make("methods/microaggregate/whole", to="ppdt_coarse")


@dataclass(frozen=True, kw_only=True)
class Growing(Mdav):
    """Clusters that take in close rows, up to 2k - 1."""

    gain: float = field(default=0.2, metadata=GAIN)  # type: ignore[misc]

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {"": {"method": cls(k=k, gain=1.1)}}


@dataclass(frozen=True, kw_only=True)
class Vmdav(Growing):
    """V-MDAV: one cluster at a time, around the row farthest from the first centre; it may grow."""

    name = "vmdav"
    per_class = 11.8
    form = "vmdav"


@dataclass(frozen=True, kw_only=True)
class Mdav2k(Growing):
    """MDAV2k as read here: the pairs of MDAV, and each cluster of a pair may grow."""

    name = "mdav2k"
    per_class = 13
    form = "mdav2k"


# Foresight scores every cut in all attributes: its work grows with their square. Above this number,
# parts are cut at the balanced cuts of the widest, which lose as little there.
WIDE = 16


@dataclass(frozen=True, kw_only=True)
class Microaggregate(Mdav):
    """The fast form: Mondrian's parts first, then MDAV in all parts at once."""

    name = "microaggregate"
    part_rows: int = field(
        default=500, metadata=option(help="microaggregate: maximum rows of a part. Default: 500.")
    )

    @property
    def effort(self) -> Mapping[str, Effort]:
        """Return the work of each of its stages: one class of each part per turn."""
        piece = round(0.8 * self.part_rows)
        return {
            "partition": Effort(
                law=BY_LEVELS,
                once=60,
                per_level=16,
                levels_per_halving=3.0,
                piece=piece,
                level_micros=0.035,
            ),
            "cluster": Effort(law=BY_PAIRS, once=20 + 4 * self.part_rows / self.k, row_micros=0.9),
        }

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {"": {"method": cls(k=k, part_rows=10 * k)}}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found = list(super().faults(roles, columns))
        if self.part_rows < 2 * self.k:
            found.append(f"part_rows={self.part_rows}: must be at least 2 k, here {2 * self.k}.")
        return found

    def _divide(self, task: Task) -> None:
        """Cut until no part can be cut in half, then split the rows of parts that are too large."""
        guard = replace(self.guard, k=max(self.k, self.part_rows // 2))
        is_wide = len(task.encoded.attributes) > WIDE
        criterion: Criterion = "balanced" if is_wide else "foresight"
        Partition(Cutting(guard=guard, criterion=criterion, by_row=True), task).grow()
        task.engine.rename("ppdt_member", "ppdt_coarse")
        if task.engine.count("methods/microaggregate/largest") > self.part_rows:
            Partition(Cutting(guard=guard, relaxed=True), task).grow(start="grouped")
            task.engine.rename("ppdt_member", "ppdt_coarse")


@dataclass(frozen=True, kw_only=True)
class Univariate(DistanceBased):
    """One number, in the groups of k to 2k - 1 neighbours with the least total loss.

    >>> Univariate(k=10).guarantee
    'k-anonymity'
    """

    name = "univariate"
    effort = MappingProxyType(
        {
            "cluster": Effort(
                law=BY_PAIRS, once=40, per_level=5, levels_per_halving=1.0, row_micros=14
            )
        }
    )

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {"": {"method": cls(k=k), "quasi": ["age"], "keep": "rest"}}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found = list(super().faults(roles, columns))
        if len(roles.quasi) != 1:
            found.append(
                "univariate takes one quasi-identifier, a number or a time, but "
                f"{len(roles.quasi)} are given. Use mdav or microaggregate for several."
            )
        for attribute in roles.quasi:
            type_name = columns.get(attribute.name, "")
            family = family_of(type_name)
            if family is not None and family not in ORDERED:
                found.append(
                    f'univariate: quasi-identifier "{attribute.name}" is of type '
                    f"{display_type(type_name)}, which has no means. Use mdav, or cast it to a "
                    "number."
                )
        return found

    def form_classes(self, task: Task) -> None:
        """Find the shortest path along the number."""
        engine = task.engine
        engine.make("methods/microaggregate/whole", to="ppdt_coarse")
        axes = make_axes(engine, task.encoded, self.measure)
        divide_line(task, axes[0], self.k)
        clustering = Clustering(task, axes, self.guard, "mdav", 0.0)
        clustering.merge()
        task.figures.update(clustering.loss().figures)
        drop_axes(engine, axes)
        engine.drop("ppdt_coarse")
