"""TDS and TDR: specialize from the most general table down, one global recoding for a target.

Fung, Wang, Yu (2005, 2007).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_CELLS
from ppdt_db.encode.columns import EncodedColumn, EncodeOptions
from ppdt_db.methods.algorithms.specialize import (
    Specialization,
    describe,
    disclose,
    recoding_faults,
)
from ppdt_db.methods.algorithms.specialize_candidates import Cut
from ppdt_db.methods.base import Example, Grain, LabelColumn, Method, Task
from ppdt_db.methods.examples import DIAGNOSED, NODES
from ppdt_db.methods.labels import describe_extents, label_columns
from ppdt_db.policy.roles import Attribute, Roles
from ppdt_db.sqltext.column_types import ORDERED, family_of


@dataclass(frozen=True, kw_only=True)
class Tds(Method):
    """Top-down specialization: open the node with the most information gain per anonymity lost.

    Numbers are cut where the gain is largest, categories along their hierarchy; without one, all
    values of an attribute are disclosed at once.

    >>> Tds(k=50).guarantee
    'k-anonymity'
    """

    name = "tds"
    stage_words = MappingProxyType({"specialize": "specializing"})
    effort = MappingProxyType(
        {"specialize": Effort(law=BY_CELLS, per_level=25, levels_per_halving=1.0, cell_micros=0.2)}
    )
    suppresses = False
    grain: ClassVar[Grain] = "cell"
    is_global = True
    controls_recoding = True
    uses_hierarchies = True
    uses_bins = True
    why_not_applicable = "its recoding of the table is not kept for new values"

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {
            ", with hierarchies and l": {"method": cls(k=k, l=2), "quasi": NODES},
            "": {"method": cls(k=k)},
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""
        found: list[str] = []
        if roles.target is None:
            found.append(f"{self.name} needs a target (--target), to weigh gain against loss.")
        found += recoding_faults(self.name, roles)
        for attribute in roles.quasi:
            is_of_extent = attribute.recoding is not None and attribute.recoding.made_of == "extent"
            if is_of_extent and self._is_suppressed(attribute, columns):
                found.append(
                    f'recode "{attribute.name}": {self.name} shows its value or NULL, since it '
                    "has no hierarchy. Remove it, or add a hierarchy (--hierarchy)."
                )
        return found

    def _is_suppressed(self, attribute: Attribute, columns: Mapping[str, str]) -> bool:
        """Return whether an attribute is suppressed value by value."""
        if not self.suppresses or attribute.hierarchy is not None:
            return False
        type_name = columns.get(attribute.name)
        return type_name is not None and family_of(type_name) not in ORDERED

    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""
        return EncodeOptions(
            sensitive=self.guard.asks_of_sensitive, target=True, target_of_units=True
        )

    def form_classes(self, task: Task) -> Mapping[int, Cut]:
        """Specialize; return how far every attribute was."""
        specialization = Specialization(task, self.guard, suppresses=self.suppresses)
        specialization.run()
        cuts = specialization.cuts
        task.figures["steps"] = specialization.turn
        task.figures["cuts"] = {cut.attribute.name: cut.n_nodes for cut in cuts.values()}
        describe(task, cuts)
        return cuts

    def label(self, task: Task, cuts: Mapping[int, Cut]) -> Sequence[LabelColumn]:
        """Label every class by the nodes that it shows."""
        attributes = [_shown_attribute(cut) for cut in cuts.values()]
        encoded = replace(task.encoded, attributes=attributes)
        describe_extents(task.engine, encoded, [*disclose(task, cuts), "ppdt_class_cell"])
        return label_columns(attributes)


@dataclass(frozen=True, kw_only=True)
class Tdr(Tds):
    """Top-down refinement: like TDS, with suppression of attributes that have no hierarchy.

    A value of such an attribute is disclosed everywhere or nowhere; the others show NULL.

    >>> Tdr(k=50).guarantee
    'k-anonymity'
    """

    name = "tdr"
    suppresses = True

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur."""
        return {"": {"method": cls(k=k), **DIAGNOSED}}


def _shown_attribute(cut: Cut) -> EncodedColumn:
    """Return an attribute in the shape that is shown: suppressed values are single values."""
    return replace(cut.attribute, recode="mode") if cut.kind == "hidden" else cut.attribute
