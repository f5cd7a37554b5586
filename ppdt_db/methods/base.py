"""The interface of methods: who belongs to which class, and what each class shows.

A method leaves two relations behind; nothing else of its work is released:

    ppdt_member (cell_id | row_id, class_id)    who belongs to which class
    ppdt_label  (class_id, <label columns>)     what each class shows

A method for (k,k)-anonymity also leaves hints for the proof, which does not trust them:

    ppdt_hint   (class_id, cell_id)             which rows should match

`sql/README.md` explains the two, with an example for each family of methods.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from ppdt_db.cost.effort import Effort
from ppdt_db.encode.columns import EncodedTable, EncodeOptions
from ppdt_db.engine import Engine
from ppdt_db.methods.guard import Guard, GuardTerms
from ppdt_db.methods.options import options_of
from ppdt_db.policy.roles import Roles
from ppdt_db.progress import Progress, no_progress
from ppdt_db.recodings import Recoding
from ppdt_db.tree.tree import Tree

Grain = Literal["cell", "row"]
Example = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class LabelColumn:
    """One column that the classes show for a quasi-identifier."""

    name: str
    released: str
    attribute: str
    shape: Recoding


@dataclass(frozen=True, kw_only=True)
class Task:
    """One run, as seen by a method."""

    engine: Engine
    encoded: EncodedTable
    run_key: str
    progress: Progress = no_progress
    figures: dict[str, object] = field(default_factory=dict)
    """Figures of the method's own work for the certificate; the method may add to them."""
    wants_rules: bool = False
    """True if the release is to be applied to new rows later."""
    trees: list[Tree] = field(default_factory=list)
    """The tree by which new rows find their classes; none if the labels alone decide."""
    walked: list[Tree] = field(default_factory=list)
    """The tree whose paths the guarantee speaks of; none if it speaks of classes."""

    pruned: list[Tree] = field(default_factory=list)
    """The tree whose leaves are the classes, where a method prunes one."""

    def keep_tree(self, tree: Tree) -> None:
        """Keep the tree that leads rows to their classes, once every cell has its `ppdt_leaf`.

        This is all that a tree-based method must do to be applied later; members and labels are
        known from the relations that every method leaves behind. A new row goes to its leaf, and
        there to the class whose label covers it and that has most of the leaf's rows.
        """
        if self.wants_rules:
            self.trees.append(tree)
            self.engine.make("apply/reached")


@dataclass(frozen=True, kw_only=True)
class Method(GuardTerms, ABC):
    """A method to form classes; its fields are its parameters, the guard's conditions first.

    A parameter that users may set has an `Option`. The rest follows from the class: its name on the
    command line, its place in plans and in `ppdt show`, what it does on Spark.
    """

    name: ClassVar[str]
    """The name on the command line."""
    is_global: ClassVar[bool]
    """True if each original value of an attribute has one label in the whole release."""
    uses_hierarchies: ClassVar[bool] = False
    """True if attributes may have a hierarchy, whose nodes the method then uses."""
    uses_bins: ClassVar[bool] = False
    """True if numbers and dates may be cut into bins before classes are formed."""
    prunes_tree: ClassVar[bool] = False
    """True if its classes are the leaves of a tree that it prunes."""
    why_not_applicable: ClassVar[str] = (
        "its classes have neither a tree nor boxes by which a new row could be assigned"
    )
    """The reason why a release cannot be applied to new rows; empty if it can."""
    stage_words: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The words that people read while one of its own stages runs."""
    runs_on_spark: ClassVar[bool] = False
    """True if its steps run on Spark too."""

    @property
    @abstractmethod
    def grain(self) -> Grain:
        """The grain of `ppdt_member`: cells or rows."""

    @property
    @abstractmethod
    def controls_recoding(self) -> bool:
        """Return whether the method decides by itself in what shape columns are shown."""

    @property
    @abstractmethod
    def effort(self) -> Mapping[str, Effort]:
        """Return the work of each of its stages, by name and in order, for plans."""

    @property
    def boxes_decide(self) -> bool:
        """Return whether rows of one leaf go to several classes by their values.

        If so, new rows go by the classes' boxes where possible, even if labels show means.
        """
        return False

    @cached_property
    def guard(self) -> Guard:
        """The guard that every class must keep."""
        return Guard(**{term.name: getattr(self, term.name) for term in fields(GuardTerms)})

    @property
    def guarantee(self) -> str:
        """The exact name of the guarantee of a release by this method."""
        return self.guard.guarantee

    @property
    def required(self) -> Mapping[str, float | str]:
        """The findings that the audit of a release requires, with their bounds."""
        return self.guard.required

    @property
    def requires_accept(self) -> Mapping[str, str]:
        """The names that the user must accept, each with the weaker guarantee as its reason."""
        return {}

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate: those of the guard, and the method's own."""
        terms = {term.name for term in fields(GuardTerms)}
        own = [name for name in options_of(type(self)) if name not in terms]
        return {**self.guard.parameters, **{name: getattr(self, name) for name in own}}

    @property
    def spark_faults(self) -> Sequence[str]:
        """Return what is not supported on Spark of these parameters, if the method runs there."""
        return []

    @classmethod
    def examples(cls, k: int) -> Mapping[str, Example]:
        """Return runs on the demo's patients in which all of its steps occur, each with its title.

        A title continues "anonymize by <name>"; an example overrides what the runs share.
        """
        return {"": {"method": cls(k=k)}}

    @abstractmethod
    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """Return every fault of the request, before any work."""

    @abstractmethod
    def wants(self, roles: Roles) -> EncodeOptions:
        """Return what encoding must prepare."""

    @abstractmethod
    def form_classes(self, task: Task) -> object:
        """Form the classes; leave `ppdt_member` behind, and return what `label` must know of them.

        A method drops only relations that it has created.
        """

    @abstractmethod
    def label(self, task: Task, formed: Any) -> Sequence[LabelColumn]:
        """Label every class; leave `ppdt_label` behind, and return its columns."""
