"""The guard: what every class must keep, whatever the method that forms the classes."""

from collections.abc import Mapping
from dataclasses import dataclass

from ppdt_db.encode import Encoded
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import GuaranteeError
from ppdt_db.policy import Roles


@dataclass(frozen=True, kw_only=True)
class Guard:
    """What every class must keep: k rows (or entities) and l different sensitive values."""

    k: int
    l: int = 1  # noqa: E741

    @property
    def params(self) -> Mapping[str, object]:
        """The parameters of the guard's room."""
        return {"k": self.k, "l": self.l}

    @property
    def required(self) -> Mapping[str, float | str]:
        """What the audit of a release must find."""
        return {"k": self.k, **({"l": self.l} if self.l > 1 else {})}


def check_feasible(engine: DuckEngine, encoded: Encoded, guard: Guard, roles: Roles) -> None:
    """Raise when the whole table does not satisfy the guard, so that no class can."""
    if not encoded.things:
        return
    of_kind = {row[0]: row[1] for row in engine.rows("guard/whole")}
    faults: list[str] = []
    for thing in encoded.things:
        n_things = of_kind[thing.kind]
        assert isinstance(n_things, int)
        if thing.is_entity and n_things < guard.k:
            faults.append(
                f'k={guard.k}, but the column "{roles.entity}" has {n_things:,} different '
                "entities. Lower k."
            )
        if not thing.is_entity and n_things < guard.l:
            faults.append(
                f'l={guard.l}, but the column "{roles.sensitive[thing.kind - 1]}" has '
                f"{n_things:,} different values. Lower l."
            )
    if faults:
        raise GuaranteeError("\n".join(faults))
