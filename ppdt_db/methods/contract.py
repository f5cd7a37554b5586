"""What a method is: it answers who belongs to which class, and what each class shows.

A method leaves two relations behind, and nothing else of it is ever read:

    ppdt_member (cell_id | row_id, class_id)    who belongs to which class
    ppdt_label  (class_id, <label columns>)     what each class shows

`sql/README.md` explains both, with an example for each family of methods.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ppdt_db.encode import Encoded, Wants
from ppdt_db.engine import DuckEngine
from ppdt_db.guard import Guard
from ppdt_db.policy import Roles

Grain = Literal["cell", "row"]
Shown = Literal["range", "set", "bounds", "mean", "mode", "node", "value"]
Progress = Callable[[str, float], None]


def no_progress(stage: str, share: float) -> None:
    """Nobody is looking."""


@dataclass(frozen=True, kw_only=True)
class LabelColumn:
    """One column that the classes show for a quasi-identifier."""

    name: str
    released: str
    attribute: str
    shape: Shown


@dataclass(frozen=True, kw_only=True)
class Task:
    """One run, as a method sees it."""

    engine: DuckEngine
    encoded: Encoded
    run_key: str
    progress: Progress = no_progress
    figures: dict[str, object] = field(default_factory=dict)
    """What the method measured of its own work, for the certificate; it may add to this."""


class Method(Protocol):
    """A way to form classes."""

    @property
    def name(self) -> str:
        """The word on the command line."""
        ...

    @property
    def guarantee(self) -> str:
        """The exact name of what a release by this method keeps."""
        ...

    @property
    def grain(self) -> Grain:
        """Whether `ppdt_member` speaks of cells or of rows."""
        ...

    @property
    def is_global(self) -> bool:
        """Whether each original value of an attribute has one label in the whole release."""
        ...

    @property
    def has_own_shapes(self) -> bool:
        """Whether the method itself says in what shape columns are shown."""
        ...

    @property
    def uses_hierarchies(self) -> bool:
        """Whether attributes may have a hierarchy: the method goes by its nodes."""
        ...

    @property
    def guard(self) -> Guard:
        """What every class must keep."""
        ...

    @property
    def required(self) -> Mapping[str, float | str]:
        """What the audit of a release must find."""
        ...

    @property
    def weaker(self) -> Mapping[str, str]:
        """What the user must accept by name, and why: promises weaker than the guard's."""
        ...

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        ...

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        ...

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        ...

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Form the classes; leaves `ppdt_member` and `ppdt_label` behind."""
        ...
