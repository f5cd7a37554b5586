"""Partition: cut nodes of units in two, level by level, until no cut would keep the guarantee.

Mondrian is this and nothing else; other methods divide with it what they formed themselves.
Each turn asks one query of each kind for all open nodes together:

    span ─▶ node ─▶ pick ─▶ histogram ─▶ candidate ─▶ allowed ─▶ cut ─▶ split
             ▲        (the widest attribute first; the next one       │
             │         only where it has no allowed cut)              │
             └────────────────────────────────────────────────────────┘
"""

from dataclasses import dataclass
from math import log2
from typing import Literal, get_args

from ppdt_db.coded import Encoded, family_of
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.guard import Guard, judge_far
from ppdt_db.methods.contract import Task
from ppdt_db.policy import Roles

Criterion = Literal["balanced", "median", "ncp", "foresight", "infogain"]
CRITERIA: tuple[str, ...] = get_args(Criterion)
MAX_TARGET_CLASSES = 1000
MAX_INTEGER_CLASSES = 20
MAX_ATTRIBUTES = 100


def attribute_faults(roles: Roles) -> list[str]:
    """What keeps a table from being cut: more attributes than one statement can look at."""
    if len(roles.quasi) <= MAX_ATTRIBUTES:
        return []
    return [
        f"{len(roles.quasi)} quasi-identifiers are too many to cut by (at most {MAX_ATTRIBUTES})."
    ]


@dataclass(frozen=True, kw_only=True)
class Cutting:
    """How nodes are cut: what both sides must keep, which cut is best, whether rows are dealt."""

    guard: Guard
    criterion: Criterion = "balanced"
    relaxed: bool = False
    by_row: bool = False


class Partition:
    """The state of one run: which relations stand, and how many classes are settled."""

    def __init__(self, cutting: Cutting, task: Task) -> None:
        self.cutting = cutting
        self.engine: Engine = task.engine
        self.encoded: Encoded = task.encoded
        self.progress = task.progress
        self.unit = "row_id" if cutting.relaxed or cutting.by_row else "cell_id"
        attributes = task.encoded.attributes
        self.names: dict[str, object] = {
            "attributes": attributes,
            **cutting.guard.names(task.encoded.things),
            "target": task.encoded.target,
            "unit": self.unit,
            "foresight": cutting.criterion == "foresight",
            "only_median": cutting.criterion == "median",
            "attribute_bits": max(1, len(attributes).bit_length()),
            "code_bits": max(attribute.bits for attribute in attributes),
        }
        self.params: dict[str, object] = {**cutting.guard.params, "n_classes": 0}
        self.n_classes = 0
        self.has_hierarchies = any(attribute.has_hierarchy for attribute in attributes)

    def grow(self, *, start: str = "open") -> None:
        """Cut level by level until nothing can be cut; `start` is the step that makes the nodes."""
        self._check_target()
        self._make(start, to="ppdt_open")
        if self.has_hierarchies:
            self._make("above")
        depth = max(1.0, log2(max(2.0, self.encoded.n_rows / self.cutting.guard.k)))
        level = 0
        is_first = True
        while True:
            self.progress("partition", min(0.99, level / (depth + 6)))
            self._make("span")
            self._choose_cuts()
            self._make("turn")
            n_nodes, n_cuts = self.engine.row("mondrian/level")
            assert isinstance(n_nodes, int) and isinstance(n_cuts, int)
            self._settle(is_first)
            is_first = False
            self.n_classes += n_nodes - n_cuts
            if n_cuts == 0:
                break
            self._make("split_deal" if self.cutting.relaxed else "split")
            self.engine.rename(
                "ppdt_split_deal" if self.cutting.relaxed else "ppdt_split", "ppdt_open"
            )
            level += 1
        self.engine.drop(*WORKING)

    def _settle(self, is_first: bool) -> None:
        params = {**self.params, "n_classes": self.n_classes}
        if is_first:
            self.engine.make("mondrian/settled", params, self.names, to="ppdt_member")
        else:
            self.engine.append("mondrian/settled", "ppdt_member", params, self.names)

    def _choose_cuts(self) -> None:
        self._make("node")
        if self.cutting.criterion == "ncp":
            self._look_at("untried")
            self._make("balance", once=True)
            self._make("side", once=True)
            self._lose()
            self._make("least_loss", to="ppdt_cut")
        elif self.cutting.criterion == "foresight":
            self._look_at("untried")
            self._make("slice")
            self._make("both_sides", to="ppdt_side")
            self._lose()
            self._make("least_loss", to="ppdt_cut")
        elif self.cutting.criterion == "infogain":
            self._look_at("untried")
            self._make("target")
            self._make("variance_gain" if self._is_numeric_target() else "gain", to="ppdt_gain")
            self._make("most_gain", to="ppdt_cut")
        else:
            self._cut_the_widest()

    def _lose(self) -> None:
        """What the sides of the cuts would lose; under a hierarchy, what their nodes stand for."""
        under = [a for a in self.encoded.attributes if a.has_hierarchy]
        helpers = [f"ppdt_branch_{attribute.position}" for attribute in under]
        for attribute, to in zip(under, helpers, strict=True):
            self.engine.make("mondrian/branch", names={"attribute": attribute}, to=to)
        self._make("loss", once=True)
        self.engine.drop(*helpers)

    def _cut_the_widest(self) -> None:
        self._make("no_cut", to="ppdt_cut", once=True)
        self.engine.drop("ppdt_kept_deal")
        n_single = self.engine.tries
        for number in range(n_single + 1):
            self._look_at("widest" if number < n_single else "untried")
            self.engine.append("mondrian/balanced", "ppdt_cut", self.params, self.names)
            if self.cutting.relaxed and number == 0:
                self._make("kept_deal")
            elif self.cutting.relaxed:
                self.engine.append("mondrian/kept_deal", "ppdt_kept_deal", {}, self.names)
            if number < n_single:
                self._make("tried")
                self.engine.rename("ppdt_tried", "ppdt_node")
                if self.engine.count("mondrian/remaining") == 0:
                    break

    def _look_at(self, which: str) -> None:
        """From the attributes to look at, to the cuts that the guard allows on them."""
        is_plain = not self.names["things"] and not self.has_hierarchies
        self._make(which, to="ppdt_pick", once=True)
        self._make("histogram", once=is_plain)
        if self.cutting.relaxed:
            self._make("median")
            self._make("dealt")
            self._make("dealt_candidate", to="ppdt_candidate")
            if self.names["things"]:
                self._make("dealt_distinct", to="ppdt_distinct")
            if self.cutting.guard.has_models:
                self._make("dealt_share", to="ppdt_share")
        else:
            self._make("candidate", once=is_plain)
            if self.has_hierarchies:
                self._make("child_candidate")
                self.engine.rename("ppdt_child_candidate", "ppdt_candidate")
            if self.names["things"]:
                self._guard("reach")
                self._guard("distinct")
            if self.cutting.guard.has_models:
                self._guard("thing_code")
                self._guard("share")
        if self.cutting.guard.has_models:
            self._guard("side_share")
            self._guard("unfit")
            judge_far(self.engine, self.params, self.names)
        self._guard("allowed", once=True)

    def _check_target(self) -> None:
        target = self.encoded.target
        if target is None:
            return
        if target.n_codes == 1:
            raise RequestError(
                f'target "{target.name}": it has one value in the whole table, so no cut can gain '
                "information. Choose another target or criterion."
            )
        if not self._is_numeric_target() and target.n_codes > MAX_TARGET_CLASSES:
            raise RequestError(
                f'target "{target.name}": {target.n_codes:,} different values are too many classes '
                f"(at most {MAX_TARGET_CLASSES:,}). Group them first."
            )

    def _is_numeric_target(self) -> bool:
        """Whether the target's variance counts; whole numbers of few values are class labels."""
        target = self.encoded.target
        assert target is not None
        family = family_of(target.type_name)
        if family == "integer":
            return target.n_codes > MAX_INTEGER_CLASSES
        return family in ("float", "decimal", "huge")

    def _make(self, step: str, *, to: str | None = None, once: bool = False) -> None:
        self.engine.make(f"mondrian/{step}", self.params, self.names, to=to, once=once)

    def _guard(self, step: str, *, once: bool = False) -> None:
        self.engine.make(f"guard/{step}", self.params, self.names, once=once)


WORKING = [
    "ppdt_open", "ppdt_span", "ppdt_node", "ppdt_pick", "ppdt_histogram", "ppdt_candidate",
    "ppdt_reach", "ppdt_distinct", "ppdt_allowed", "ppdt_cut", "ppdt_turn", "ppdt_median",
    "ppdt_dealt", "ppdt_kept_deal", "ppdt_balance", "ppdt_slice", "ppdt_side", "ppdt_loss",
    "ppdt_target", "ppdt_gain", "ppdt_thing_code", "ppdt_share", "ppdt_side_share", "ppdt_unfit",
    "ppdt_far", "ppdt_whole_share", "ppdt_above",
]  # fmt: skip
