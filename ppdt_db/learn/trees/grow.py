"""Grow a tree, one level a turn: one query of each kind for all open nodes together.

count ─▶ node ─▶ histogram ─▶ known, running ─▶ cut_score, branch_score ─▶ cut ─▶ branch ─▶ split
  ▲                                                                                        │
  └────────────────────────────────────────────────────────────────────────────────────────┘
"""

from dataclasses import dataclass
from typing import Literal

from ppdt_db.encode.columns import BITS_OF_WORD
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.generalized import spread_names
from ppdt_db.learn.trees.node import GrowingNode, as_int, counts_of
from ppdt_db.learn.trees.subsets import place_unseen
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.progress import Progress
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.tree.tree import ONE_ROW, Missing

SplitCriterion = Literal["ratio", "gain"]
MANY_VALUES = 0.3
# Of more than two classes, values are ordered by the shares of this many.
MOST_ORDERS = 3
NODE_BITS = 31
WORKING = (
    "ppdt_growing", "ppdt_count", "ppdt_splittable", "ppdt_class_count", "ppdt_known",
    "ppdt_running", "ppdt_cut_score", "ppdt_branch_score", "ppdt_choice", "ppdt_branch",
    "ppdt_value_order", "ppdt_subset_running", "ppdt_subset_score", "ppdt_narrowing",
    "ppdt_side_extent",
    "ppdt_close", "ppdt_form_count", "ppdt_event", "ppdt_stop",
)  # fmt: skip

# Codes below n_special are missing values; attributes of very many values have no say in the
# average gain.
ATTRIBUTE = {
    "attribute_id": "INTEGER", "is_ordered": "BOOLEAN", "n_special": "INTEGER",
    "is_averaged": "BOOLEAN", "n_values": "INTEGER",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class GrowthOptions:
    """The options of growing a tree."""

    criterion: SplitCriterion
    min_rows: int
    missing: Missing
    keep_places: bool
    binary: bool = False
    """Divide the values of a category in two, instead of a branch for each."""
    narrow: bool = False
    """Of the splits that gain enough, take the one that narrows labels most."""


class Growth:
    """The state of one growth: the nodes so far, and the relations of the current level."""

    def __init__(
        self, engine: Engine, lesson: TrainingSet, rules: GrowthOptions, progress: Progress
    ) -> None:
        self.engine = engine
        self.lesson = lesson
        self.rules = rules
        self.progress = progress
        code_bits = max(attribute.bits for attribute in lesson.attributes)
        class_bits = max(1, (len(lesson.classes) - 1).bit_length())
        is_wide = NODE_BITS + code_bits + class_bits > BITS_OF_WORD["BIGINT"]
        if is_wide and engine.widest_word < BITS_OF_WORD["HUGEINT"]:
            raise RequestError(
                f"a column has too many distinct values for {engine.dialect}, together with the "
                "classes of the target. Group some of them first, or leave the column out."
            )
        has_branch = rules.missing == "branch"
        self.names: dict[str, object] = {
            "attributes": lesson.attributes,
            "criterion": rules.criterion,
            "has_branch": has_branch,
            "has_fractions": lesson.has_missing and not has_branch,
            "code_bits": code_bits,
            "class_bits": class_bits,
            "is_binary": rules.binary,
            "is_narrow": rules.narrow,
            "ordered": [a for a in lesson.attributes if a.kind == "ordered"],
            "key_type": Sql("HUGEINT" if is_wide else "BIGINT"),
            **spread_names(lesson.attributes, is_walk=False),
        }
        self.params: dict[str, object] = {
            "min_weight": rules.min_rows * ONE_ROW,
            "n_classes": len(lesson.classes),
            "n_nodes": 1,
            "n_orders": 1 if len(lesson.classes) == 2 else MOST_ORDERS,
        }
        self.nodes: dict[int, GrowingNode] = {}

    def grow(self) -> GrowingNode:
        """Split level by level until no node has a split with a gain."""
        self._describe_attributes()
        self._make("growing")
        self._make("count")
        self._note_counts()
        level = 0
        while True:
            self.progress("grow", min(0.99, level / 24))
            n_cuts = self._choose()
            if self.rules.keep_places:
                self._settle(is_first=level == 0)
            if n_cuts == 0:
                break
            if self.lesson.is_spread:
                self._make("learn/generalized/piece")
                self.engine.rename("ppdt_piece", "ppdt_growing")
            self._make("descended")
            self.engine.rename("ppdt_descended", "ppdt_growing")
            self._make("count")
            self._note_counts()
            level += 1
        self.engine.drop(*WORKING)
        if self.rules.binary:
            place_unseen(self.nodes[0], self.lesson.attributes)
        return self.nodes[0]

    def _choose(self) -> int:
        """Choose the splits of this level; return their number."""
        self._make("splittable")
        self.fill_histogram()
        self._make("known")
        self.fill_running()
        self._make("cut_score")
        if self.rules.binary:
            self._make("value_order")
            self._make("subset_running", inline=True)
            self._make("subset_score")
        else:
            self._make("branch_score")
        if self.rules.narrow:
            self._make("subset_extent", to="ppdt_side_extent")
            if self.names["ordered"]:
                step = "learn/trees/cut_extent"
                self.engine.append(step, "ppdt_side_extent", self.params, self.names)
            self._make("narrowing")
        self._make("choice", to="ppdt_choice")
        self.fill_branches()
        cuts = self.engine.rows("learn/trees/cut")
        for node_id, attribute_id, at_code, next_code in cuts:
            node = self.nodes[as_int(node_id)]
            node.attribute = as_int(attribute_id)
            node.at_code = None if at_code is None else as_int(at_code)
            node.next_code = None if next_code is None else as_int(next_code)
        for node_id, branch, child_id in self.engine.rows("learn/trees/edge"):
            number = as_int(child_id)
            if number not in self.nodes:
                self.nodes[number] = GrowingNode(number, (0,) * len(self.lesson.classes))
            self.nodes[as_int(node_id)].children[as_int(branch)] = self.nodes[number]
        self.params["n_nodes"] = len(self.nodes)
        return len(cuts)

    def fill_histogram(self) -> None:
        """Count the classes at every code; a generalized value counts for all that it may be."""
        if not self.lesson.is_spread:
            self._make("class_count")
            return
        self._make("class_count", to="ppdt_form_count")
        if self.names["spans"]:
            self._make("learn/generalized/event")
        self._make("learn/generalized/class_count")

    def fill_running(self) -> None:
        """Score the cuts; none is tried between the ends of ranges."""
        self._make("running", inline=not self.names["spans"])
        if self.names["spans"]:
            self._make("learn/generalized/stop")
            self.engine.append("learn/generalized/running", "ppdt_running", self.params, self.names)

    def fill_branches(self) -> None:
        """Number the branches of the chosen splits."""
        if self.names["spans"]:
            self._make("learn/generalized/side_weight")
            self.engine.rename("ppdt_side_weight", "ppdt_class_count")
        self._make("side_branch" if self.rules.binary else "branch", to="ppdt_branch")

    def _note_counts(self) -> None:
        rows = self.engine.rows("learn/trees/counts")
        for node_id, counts in counts_of(rows, len(self.lesson.classes)).items():
            if node_id in self.nodes:
                self.nodes[node_id].counts = counts
            else:
                self.nodes[node_id] = GrowingNode(node_id, counts)

    def _settle(self, *, is_first: bool) -> None:
        if is_first:
            self._make("settled", to="ppdt_place")
        else:
            self.engine.append("learn/trees/settled", "ppdt_place", self.params, self.names)

    def _describe_attributes(self) -> None:
        attributes = self.lesson.attributes
        limit = MANY_VALUES * self.lesson.n_rows
        has_say = [a.kind == "ordered" or a.n_codes - a.has_null < limit for a in attributes]
        is_averaged = has_say if any(has_say) else [True] * len(attributes)
        rows = [
            (
                attribute.position,
                attribute.kind == "ordered",
                attribute.n_special,
                has_part,
                attribute.n_codes - attribute.n_special,
            )
            for attribute, has_part in zip(attributes, is_averaged, strict=True)
        ]
        self.engine.load("ppdt_attribute", ATTRIBUTE, rows, is_logged=True)
        fractional = [a for a in attributes if a.is_fractional and not a.spread]
        self.engine.make("learn/trees/close", names={"fractional": fractional})

    def _make(self, step: str, *, to: str | None = None, inline: bool = False) -> None:
        path = step if "/" in step else f"learn/trees/{step}"
        self.engine.make(path, self.params, self.names, to=to, inline=inline)
