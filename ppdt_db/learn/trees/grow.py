"""Grow a tree, one level a turn: one query of each kind for all open nodes together.

count ─▶ node ─▶ histogram ─▶ known, running ─▶ cut_score, branch_score ─▶ cut ─▶ branch ─▶ split
  ▲                                                                                        │
  └────────────────────────────────────────────────────────────────────────────────────────┘
"""

from dataclasses import dataclass
from typing import Literal

from ppdt_db.coded import BITS_OF_WORD
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.grown import Grown, counts_of, whole
from ppdt_db.learn.lesson import Lesson
from ppdt_db.learn.spread import spread_names
from ppdt_db.methods.contract import Progress
from ppdt_db.names import Sql, listed
from ppdt_db.tree import ONE_ROW, Missing

Criterion = Literal["ratio", "gain"]
MANY_VALUES = 0.3
NODE_BITS = 31
WORKING = (
    "ppdt_open", "ppdt_count", "ppdt_node", "ppdt_histogram", "ppdt_known", "ppdt_running",
    "ppdt_cut_score", "ppdt_branch_score", "ppdt_cut", "ppdt_branch", "ppdt_close",
    "ppdt_form_count", "ppdt_event", "ppdt_stop",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a tree grows."""

    criterion: Criterion
    min_rows: int
    missing: Missing
    keep_places: bool


class Growth:
    """The state of one growth: the nodes so far, and the relations of the level at hand."""

    def __init__(self, engine: Engine, lesson: Lesson, rules: Rules, progress: Progress) -> None:
        self.engine = engine
        self.lesson = lesson
        self.rules = rules
        self.progress = progress
        code_bits = max(attribute.bits for attribute in lesson.attributes)
        class_bits = max(1, (len(lesson.classes) - 1).bit_length())
        is_wide = NODE_BITS + code_bits + class_bits > BITS_OF_WORD["BIGINT"]
        if is_wide and engine.widest_word < BITS_OF_WORD["HUGEINT"]:
            raise RequestError(
                f"a column has too many different values for {engine.dialect}, beside the classes "
                "of the target. Group some of them first, or leave the column out."
            )
        has_branch = rules.missing == "branch"
        self.names: dict[str, object] = {
            "attributes": lesson.attributes,
            "criterion": rules.criterion,
            "has_branch": has_branch,
            "has_fractions": lesson.has_missing and not has_branch,
            "code_bits": code_bits,
            "class_bits": class_bits,
            "key_type": Sql("HUGEINT" if is_wide else "BIGINT"),
            **spread_names(lesson.attributes, is_walk=False),
        }
        self.params: dict[str, object] = {
            "min_weight": rules.min_rows * ONE_ROW,
            "n_classes": len(lesson.classes),
            "n_nodes": 1,
        }
        self.nodes: dict[int, Grown] = {}

    def grow(self) -> Grown:
        """Split level by level until no node gains."""
        self._describe_attributes()
        self._make("open")
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
                self._make("spread/piece")
                self.engine.rename("ppdt_piece", "ppdt_open")
            self._make("split")
            self.engine.rename("ppdt_split", "ppdt_open")
            self._make("count")
            self._note_counts()
            level += 1
        self.engine.drop(*WORKING)
        return self.nodes[0]

    def _choose(self) -> int:
        """Choose the splits of this level; returns how many there are."""
        self._make("node")
        self.fill_histogram()
        self._make("known")
        self.fill_running()
        self._make("cut_score")
        self._make("branch_score")
        self._make("choose", to="ppdt_cut")
        self.fill_branches()
        cuts = self.engine.rows("tree/cut")
        for node_id, attribute_id, at_code, next_code in cuts:
            node = self.nodes[whole(node_id)]
            node.attribute = whole(attribute_id)
            node.at_code = None if at_code is None else whole(at_code)
            node.next_code = None if next_code is None else whole(next_code)
        for node_id, branch, child_id in self.engine.rows("tree/edge"):
            child = Grown(whole(child_id), (0,) * len(self.lesson.classes))
            self.nodes[whole(node_id)].children[whole(branch)] = child
            self.nodes[child.node_id] = child
        self.params["n_nodes"] = len(self.nodes)
        return len(cuts)

    def fill_histogram(self) -> None:
        """Count the classes at every code; a generalized value counts for all that it may be."""
        if not self.lesson.is_spread:
            self._make("histogram")
            return
        self._make("histogram", to="ppdt_form_count")
        if self.names["spans"]:
            self._make("spread/event")
        self._make("spread/histogram")

    def fill_running(self) -> None:
        """Measure the cuts; between the ends of ranges none needs to be tried."""
        self._make("running", once=not self.names["spans"])
        if self.names["spans"]:
            self._make("spread/stop")
            self.engine.append("spread/running", "ppdt_running", self.params, self.names)

    def fill_branches(self) -> None:
        """Number the branches of the chosen splits."""
        if self.names["spans"]:
            self._make("spread/side")
            self.engine.rename("ppdt_side", "ppdt_histogram")
        self._make("branch")

    def _note_counts(self) -> None:
        rows = self.engine.rows("tree/counts")
        for node_id, counts in counts_of(rows, len(self.lesson.classes)).items():
            if node_id in self.nodes:
                self.nodes[node_id].counts = counts
            else:
                self.nodes[node_id] = Grown(node_id, counts)

    def _settle(self, *, is_first: bool) -> None:
        if is_first:
            self._make("settled", to="ppdt_place")
        else:
            self.engine.append("tree/settled", "ppdt_place", self.params, self.names)

    def _describe_attributes(self) -> None:
        attributes = self.lesson.attributes
        limit = MANY_VALUES * self.lesson.n_rows
        has_say = [a.kind == "ordered" or a.n_codes - a.has_null < limit for a in attributes]
        params = listed(
            {
                "attribute_ids": [attribute.position for attribute in attributes],
                "is_ordered": [attribute.kind == "ordered" for attribute in attributes],
                "n_special": [attribute.n_special for attribute in attributes],
                "is_averaged": has_say if any(has_say) else [True] * len(attributes),
            }
        )
        self.engine.make("tree/attribute", params)
        fractional = [a for a in attributes if a.is_fractional and not a.spread]
        self.engine.make("tree/close", names={"fractional": fractional})

    def _make(self, step: str, *, to: str | None = None, once: bool = False) -> None:
        path = step if "/" in step else f"tree/{step}"
        self.engine.make(path, self.params, self.names, to=to, once=once)
