"""Partition units: cut nodes in two, level by level, until no cut would keep the guarantee.

Mondrian is exactly this; other methods use it to divide the groups that they have formed.
Each turn asks one query of each kind for all open nodes together:

    span ─▶ node ─▶ pick ─▶ histogram ─▶ candidate ─▶ allowed ─▶ cut ─▶ split
             ▲        (the widest attribute first; the next one       │
             │         only where it has no allowed cut)              │
             └────────────────────────────────────────────────────────┘
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import log2
from typing import Literal

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_LEVELS
from ppdt_db.encode.columns import EncodedTable, Word, packed
from ppdt_db.engine import Engine
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard, judge_far
from ppdt_db.methods.options import option
from ppdt_db.methods.target import check_target, is_numeric
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.templates import Statement, render

Criterion = Literal["balanced", "median", "median-left", "ncp", "foresight", "infogain"]
AT_THE_MEDIAN: tuple[Criterion, ...] = ("median", "median-left")
CUTTING = Effort(law=BY_LEVELS, per_level=19, levels_per_halving=1.4, level_micros=0.006)
CRITERION = option(
    help="mondrian, kactus --refine: how to choose cuts. Default: balanced; kactus: ncp."
)
# A node tries one attribute after the other, as often as the engine says, and all the rest at once
# when no more codes than these are left: one more statement would take longer.
FEW_CODES = 1_000_000
MAX_ATTRIBUTES = 100


def attribute_faults(roles: Roles) -> list[str]:
    """Return a fault if there are more quasi-identifiers than one statement can handle."""
    if len(roles.quasi) <= MAX_ATTRIBUTES:
        return []
    return [
        (
            f"{len(roles.quasi)} quasi-identifiers are too many for partitioning (at most "
            f"{MAX_ATTRIBUTES}). Drop some, or keep them."
        )
    ]


@dataclass(frozen=True, kw_only=True)
class Cutting:
    """The options of cutting: the guard, the criterion, whether rows are split."""

    guard: Guard
    criterion: Criterion = "balanced"
    relaxed: bool = False
    by_row: bool = False


class Partition:
    """The state of one run: the existing relations, and the number of finished classes."""

    def __init__(self, cutting: Cutting, task: Task) -> None:
        self.cutting = cutting
        self.engine: Engine = task.engine
        self.encoded: EncodedTable = task.encoded
        self.progress = task.progress
        self.unit = "row_id" if cutting.relaxed or cutting.by_row else "cell_id"
        words, carried = _words(task.encoded, self.unit)
        attributes = [attribute for word in words for attribute in word.attributes]
        attributes.sort(key=lambda attribute: attribute.position)
        self.attributes = attributes
        self.names: dict[str, object] = {
            "attributes": attributes,
            "listed": [a for a in attributes if a.kind == "ordered" and a.is_listed],
            "words": words,
            "carried": carried,
            **cutting.guard.names(task.encoded.protected_keys),
            "target": task.encoded.target,
            "unit": self.unit,
            "foresight": cutting.criterion == "foresight",
            "only_median": cutting.criterion in AT_THE_MEDIAN,
            "either_side": cutting.criterion == "median",
            "attribute_bits": max(1, len(attributes).bit_length()),
            "code_bits": max(attribute.bits for attribute in attributes),
        }
        self.params: dict[str, object] = {**cutting.guard.params, "n_classes": 0}
        self.n_classes = 0
        self._statements: dict[str, Statement] = {}
        self.has_hierarchies = any(attribute.has_hierarchy for attribute in attributes)

    def grow(self, *, start: str = "open") -> None:
        """Cut level by level until nothing can be cut; the step `start` creates the nodes."""
        check_target(self.encoded.target)
        self._make(start, to="ppdt_open")
        self._make("field")
        if self.names["listed"]:
            self._make("position")
        if self.has_hierarchies:
            self._make("node_above")
        depth = max(1.0, log2(max(2.0, self.encoded.n_rows / self.cutting.guard.k)))
        level = 0
        is_first = True
        while True:
            self.progress("partition", min(0.99, level / (depth + 6)))
            self._make("span")
            self._choose_cuts()
            self._make("turn")
            self.end_turn()
            n_nodes, n_cuts = self.engine.row("methods/mondrian/level")
            assert isinstance(n_nodes, int) and isinstance(n_cuts, int)
            if is_first or n_nodes > n_cuts:
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

    def end_turn(self) -> None:
        """Look at the cuts of a level (`ppdt_turn`); nothing to do for most."""

    def _settle(self, is_first: bool) -> None:
        params = {**self.params, "n_classes": self.n_classes}
        settled = self._statement("methods/mondrian/settled")
        if is_first:
            self.engine.make(settled, params, to="ppdt_member")
        else:
            self.engine.append(settled, "ppdt_member", params)

    def _choose_cuts(self) -> None:
        self._make("node")
        if self.cutting.criterion == "ncp":
            self._find_allowed_cuts("untried")
            self._make("balance", inline=True)
            self._make("side", inline=not self.has_hierarchies)
            self._cut_for_least_loss()
        elif self.cutting.criterion == "foresight":
            self._find_allowed_cuts("untried")
            self._make("bucket")
            self._make("slice")
            self._make("both_sides", to="ppdt_side")
            self._cut_for_least_loss()
        elif self.cutting.criterion == "infogain":
            self._find_allowed_cuts("untried")
            self._make("target")
            self._make(
                "variance_gain" if is_numeric(self.encoded.target) else "gain", to="ppdt_gain"
            )
            self._make("most_gain", to="ppdt_cut")
        else:
            self._cut_the_widest()

    def _cut_for_least_loss(self) -> None:
        """Choose cuts by the loss of their sides; under a hierarchy, by the loss of their nodes."""
        under = [a for a in self.encoded.attributes if a.has_hierarchy]
        helpers = [f"ppdt_branch_{attribute.position}" for attribute in under]
        for attribute, to in zip(under, helpers, strict=True):
            self.engine.make("methods/mondrian/branch", names={"attribute": attribute}, to=to)
        self._make("loss", inline=True)
        self._make("least_loss", to="ppdt_cut")
        self.engine.drop(*helpers)

    def _cut_the_widest(self) -> None:
        """Try the widest attribute, then the next one, and finally all the rest at once."""
        is_rest = False
        for number in count():
            self._find_allowed_cuts("untried" if is_rest else "widest")
            self._add("balanced", to="ppdt_cut", is_first=number == 0)
            if self.cutting.relaxed:
                self._add("kept_deal", to="ppdt_kept_deal", is_first=number == 0)
            n_nodes, n_rows = self.engine.row("methods/mondrian/remaining")
            assert isinstance(n_nodes, int) and isinstance(n_rows, int)
            if is_rest or n_nodes == 0:
                break
            self._make("tried")
            self.engine.rename("ppdt_tried", "ppdt_node")
            n_codes = n_rows * (len(self.attributes) - number - 1)
            is_rest = number + 1 == self.engine.tries or n_codes <= FEW_CODES

    def _find_allowed_cuts(self, which: str) -> None:
        """Compute, for the attributes to try, the cuts that the guard allows."""
        asks_for_more = bool(self.names["protected_keys"]) or self.cutting.guard.has_models
        is_plain = not asks_for_more and not self.has_hierarchies
        self._make(which, to="ppdt_pick", light=True)
        is_foresight = self.cutting.criterion == "foresight"
        self._make("histogram", inline=is_plain and not self.cutting.relaxed and not is_foresight)
        if self.cutting.relaxed:
            self._make("median")
            self._make("dealt")
            self._make("dealt_candidate", to="ppdt_candidate")
            if self.names["protected_keys"]:
                self._make("dealt_distinct", to="ppdt_distinct")
            if self.cutting.guard.has_models:
                self._make("dealt_share", to="ppdt_share")
        else:
            self._make("candidate", inline=is_plain)
            if self.has_hierarchies:
                self._make("child_candidate")
                self.engine.rename("ppdt_child_candidate", "ppdt_candidate")
            if self.names["protected_keys"]:
                self._guard("protected_range")
                self._guard("distinct")
            if self.cutting.guard.has_models:
                self._guard("protected_code")
                self._guard("share")
        if self.cutting.guard.has_models:
            self._guard("side_share")
            self._guard("unfit")
            judge_far(self.engine, self.params, self.names)
        self._guard("allowed", inline=not is_foresight)

    def _make(
        self, step: str, *, to: str | None = None, inline: bool = False, light: bool = False
    ) -> None:
        statement = self._statement(f"methods/mondrian/{step}")
        self.engine.make(statement, self.params, to=to, inline=inline, light=light)

    def _add(self, step: str, *, to: str, is_first: bool) -> None:
        """Create a relation, or append the results of a later try."""
        if is_first:
            self._make(step, to=to)
        else:
            self.engine.append(self._statement(f"methods/mondrian/{step}"), to, self.params)

    def _guard(self, step: str, *, inline: bool = False) -> None:
        self.engine.make(self._statement(f"guard/{step}"), self.params, inline=inline)

    def _statement(self, step: str) -> Statement:
        """Return a step, rendered once for all levels."""
        if step not in self._statements:
            self._statements[step] = render(step, self.names)
        return self._statements[step]


def _words(encoded: EncodedTable, unit: str) -> tuple[Sequence[Word], Sequence[Word]]:
    """Return where the codes of a unit are, and the columns that it carries for them."""
    if unit == "cell_id" and [str(word.type) for word in encoded.words] == ["BIGINT"]:
        (word,) = encoded.words
        in_id = [replace(attribute, word="unit_id") for attribute in word.attributes]
        return [replace(word, name="unit_id", attributes=in_id)], []
    words = packed(encoded.attributes, is_narrow=True)
    return words, words


WORKING = [
    "ppdt_open", "ppdt_span", "ppdt_node", "ppdt_pick", "ppdt_histogram", "ppdt_candidate",
    "ppdt_protected_range", "ppdt_distinct", "ppdt_allowed", "ppdt_cut", "ppdt_turn", "ppdt_median",
    "ppdt_dealt", "ppdt_kept_deal", "ppdt_balance", "ppdt_bucket", "ppdt_slice", "ppdt_side",
    "ppdt_loss", "ppdt_target", "ppdt_gain", "ppdt_protected_code", "ppdt_share", "ppdt_side_share",
    "ppdt_unfit", "ppdt_far", "ppdt_node_above", "ppdt_field", "ppdt_position",
]  # fmt: skip
