"""What a method is: it answers who belongs to which class, and what each class shows.

A method leaves two relations behind, and nothing else of it is ever released:

    ppdt_member (cell_id | row_id, class_id)    who belongs to which class
    ppdt_label  (class_id, <label columns>)     what each class shows

One whose guarantee is (k,k)-anonymity also says where its proof may look, and is not trusted:

    ppdt_hint   (class_id, cell_id)             who ought to agree with whom

`sql/README.md` explains the two, with an example for each family of methods.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ppdt_db.coded import Encoded, Wants
from ppdt_db.effort import Effort
from ppdt_db.engine import Engine
from ppdt_db.guard import Guard
from ppdt_db.policy import Roles
from ppdt_db.tree import Tree

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

    engine: Engine
    encoded: Encoded
    run_key: str
    progress: Progress = no_progress
    figures: dict[str, object] = field(default_factory=dict)
    """What the method measured of its own work, for the certificate; it may add to this."""
    wants_rules: bool = False
    """Whether the release is to be applied to new rows later on."""
    trees: list[Tree] = field(default_factory=list)
    """The tree by which new rows find their classes; none, where their labels alone decide."""

    def keep_tree(self, tree: Tree) -> None:
        """Note the tree that leads rows to their classes, once every cell has its `ppdt_leaf`.

        All that a method by a tree must do to be applied later: who is in which class, and what it
        shows, is known from what every method leaves behind. A new row comes to its leaf, and to
        that of the leaf's classes whose label holds it and that has most of the leaf's rows.
        """
        if self.wants_rules:
            self.trees.append(tree)
            self.engine.make("apply/reached")


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
    def no_rules(self) -> str:
        """Why a release cannot be applied to new rows; empty where it can."""
        ...

    @property
    def cuts_leaves(self) -> bool:
        """Whether rows of one leaf come to several classes by their values.

        Then new rows keep to the classes' boxes as far as they can, also where labels show means.
        """
        ...

    @property
    def effort(self) -> Mapping[str, Effort]:
        """What each stage of its own runs, by the stages' names in order, for plans."""
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
        """Form the classes; leaves `ppdt_member` and `ppdt_label` behind.

        What stood before stays: only relations of its own are a method's to drop.
        """
        ...
