"""TDS and TDR: from the most general table down, one global recoding that serves a target.

Fung, Wang, Yu (2005, 2007).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from ppdt_db.coded import Coded, Wants
from ppdt_db.effort import Effort
from ppdt_db.families import ORDERED, family_of
from ppdt_db.guard import Guarded
from ppdt_db.label import describe_extents, label_columns
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.openings import Cut
from ppdt_db.policy import Attribute, Roles
from ppdt_db.specialize import Specialization, describe, disclose


@dataclass(frozen=True, kw_only=True)
class Tds(Guarded):
    """Top-down specialization: open the node that tells most for what it costs in anonymity.

    Numbers are cut where the target gains most, categories along their hierarchy; without one, all
    values of an attribute are disclosed at once.

    >>> Tds(k=50).guarantee
    'k-anonymity'
    """

    name = "tds"
    effort = MappingProxyType(
        {"specialize": Effort(per_level=25, levels_per_halving=1.0, cell_micros=0.2)}
    )
    suppresses = False
    grain: ClassVar[Grain] = "cell"
    is_global = True
    has_own_shapes = True
    uses_hierarchies = True
    no_rules = "its recoding of the table is not kept for new values"

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return self.guard.parameters

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found: list[str] = []
        if roles.target is None:
            found.append(f"{self.name} needs a target (--target): it weighs gain against loss.")
        for attribute in roles.quasi:
            if attribute.recode in ("mean", "mode"):
                found.append(
                    f'recode "{attribute.name}": {attribute.recode} differs from class to class, '
                    f"and {self.name} recodes the whole table alike. Leave it out, or take range, "
                    "set or node."
                )
            elif attribute.recode is not None and self._hides(attribute, columns):
                found.append(
                    f'recode "{attribute.name}": {self.name} shows its value or NULL, since it has '
                    "no hierarchy. Leave it out, or give one (--hierarchy)."
                )
        return found

    def _hides(self, attribute: Attribute, columns: Mapping[str, str]) -> bool:
        """Whether an attribute is suppressed value by value."""
        if not self.suppresses or attribute.hierarchy is not None:
            return False
        type_name = columns.get(attribute.name)
        return type_name is not None and family_of(type_name) not in ORDERED

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(distinct=self.guard.asks_of_sensitive, target=True, target_of_units=True)

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Specialize, then describe every class by the nodes that it shows."""
        specialization = Specialization(task, self.guard, suppresses=self.suppresses)
        specialization.run()
        cuts = specialization.cuts
        task.figures["steps"] = specialization.turn
        task.figures["cuts"] = {cut.attribute.name: cut.n_nodes for cut in cuts.values()}
        describe(task, cuts)
        attributes = [_shown(cut) for cut in cuts.values()]
        encoded = replace(task.encoded, attributes=attributes)
        describe_extents(task.engine, encoded, [*disclose(task, cuts), "ppdt_face"])
        return label_columns(attributes)


@dataclass(frozen=True, kw_only=True)
class Tdr(Tds):
    """Top-down refinement: as TDS, with suppression of attributes that have no hierarchy.

    A value of such an attribute is disclosed everywhere or nowhere; the others show NULL.

    >>> Tdr(k=50).guarantee
    'k-anonymity'
    """

    name = "tdr"
    suppresses = True


def _shown(cut: Cut) -> Coded:
    """An attribute in the shape that it is shown in: suppressed values leave single ones."""
    return replace(cut.attribute, recode="mode") if cut.kind == "hidden" else cut.attribute
