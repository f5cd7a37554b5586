"""Grow a k-anonymous tree: like C4.5 and ID3, without splits that would separate too few rows.

population, meeting ─▶ tally ─▶ breach ─▶ forbidden ─▶ (scores) ─▶ best ─▶ cut ─▶ divided, met
       ▲                                                                              │
       └──────────────────────────────────────────────────────────────────────────────┘

Splits of two nodes are independent unless some span reaches both, so every turn makes the best
split of each component of nodes. The result is the same as with one queue for the whole tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.learn.trees.decode import USED, find_thresholds, make_inner
from ppdt_db.learn.trees.grow import WORKING, Growth, GrowthOptions, SplitCriterion
from ppdt_db.learn.trees.node import GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.progress import Progress
from ppdt_db.tree.tree import ONE_ROW


@dataclass(frozen=True, kw_only=True)
class Promise:
    """The guarantee of every span, and the public knowledge."""

    k: int
    l: float | None  # noqa: E741
    public: Sequence[int]
    """Positions of the public attributes."""
    is_class_public: bool


class KadetGrowth(Growth):
    """The state of one growth: the spans besides the nodes."""

    def __init__(
        self,
        engine: Engine,
        lesson: TrainingSet,
        promise: Promise,
        criterion: SplitCriterion,
        min_rows: int,
        progress: Progress,
    ) -> None:
        rules = GrowthOptions(
            criterion=criterion, min_rows=min_rows, missing="branch", keep_places=False
        )
        super().__init__(engine, lesson, rules, progress)
        self.promise = promise
        self.paths: dict[int, tuple[int, ...]] = {0: ()}
        """The branches that lead to every node; of equal splits the leftmost goes first."""
        public = [a for a in lesson.attributes if a.position in promise.public]
        self.names |= {
            "is_class_public": promise.is_class_public,
            "has_entropy": promise.l is not None,
            "public": public,
            "ordered": [attribute for attribute in public if attribute.kind == "ordered"],
        }
        self.guard: Mapping[str, object] = {
            "min_weight": promise.k * ONE_ROW,
            "least_entropy": round(log2(promise.l or 1.0), 12),
        }
        if len(public) == len(lesson.attributes):
            # Every span is in one node then: nodes too small for the guarantee need no scores.
            self.params["min_weight"] = max(min_rows, promise.k) * ONE_ROW
        # With a private class as well, the only span of a node is its own rows.
        self.is_apart = (
            len(public) == len(lesson.attributes)
            and promise.l is None
            and not promise.is_class_public
        )
        self.names["is_apart"] = self.is_apart
        self.params["public_ids"] = list(promise.public)

    def grow(self) -> GrowingNode:
        """Split in turns until no split is left that has a gain and keeps the guarantee."""
        self._describe_attributes()
        if not self.is_apart:
            self._make_borders()
            self._make("learn/kadet/population")
            self._make("learn/kadet/meeting")
        self._make("growing")
        self._make("count")
        self._note_counts()
        n_turns = 0
        while self._split_best():
            n_turns += 1
            self.progress("grow", min(0.99, n_turns / 24))
        self.engine.drop(*WORKING, *OWN)
        if self.is_apart:
            find_thresholds(self.engine, self.lesson, self.nodes[0])
        return self.nodes[0]

    def _split_best(self) -> bool:
        """Run one turn; return whether anything was split."""
        best = self._best_of_nodes()
        if not best:
            return False
        chosen = sorted(best) if self.is_apart else self._best_of_components(best)
        splits = [self.nodes[node_id] for node_id in chosen]
        make_inner(self.engine, splits, to="ppdt_choice")
        waiting = [node_id for node_id in best if node_id not in set(chosen)]
        node_ids = [(node_id,) for node_id in waiting]
        self.engine.load("ppdt_waiting", {"node_id": "INTEGER"}, node_ids, is_logged=True)
        self._make("branch")
        for node_id, branch, child_id in self.engine.rows("learn/trees/edge"):
            child = GrowingNode(as_int(child_id), (0,) * len(self.lesson.classes))
            self.nodes[as_int(node_id)].children[as_int(branch)] = child
            self.nodes[child.node_id] = child
            self.paths[child.node_id] = (*self.paths[as_int(node_id)], as_int(branch))
        self.params["n_nodes"] = len(self.nodes)
        if not self.is_apart:
            self._divide_spans()
        self._make("descended")
        self.engine.append("learn/kadet/kept", "ppdt_descended", names=self.names)
        self.engine.rename("ppdt_descended", "ppdt_growing")
        self._make("count")
        self._note_counts()
        return True

    def _best_of_nodes(self) -> dict[int, float]:
        """Return the score of the best allowed split of each open node that has one."""
        self._make("splittable")
        self._make("class_count")
        self._make("known")
        self._make("running")
        if not self.is_apart:
            self._make("learn/kadet/stand")
        self._find_forbidden()
        if not self.is_apart:
            self._make("learn/kadet/safe_threshold")
            self.engine.rename("ppdt_safe_threshold", "ppdt_running")
        self._make("cut_score")
        self._make("branch_score")
        scores: dict[int, float] = {}
        for node_id, attribute_id, at_code, next_code, ratio in self._rows("learn/kadet/best"):
            node = self.nodes[as_int(node_id)]
            node.attribute = as_int(attribute_id)
            node.at_code = None if at_code is None else as_int(at_code)
            node.next_code = None if next_code is None else as_int(next_code)
            assert isinstance(ratio, float)
            scores[node.node_id] = ratio
        return scores

    def _find_forbidden(self) -> None:
        if not self.promise.public:
            self._make("learn/kadet/nothing_forbidden", to="ppdt_forbidden")
            return
        if self.is_apart:
            self._make("learn/kadet/own_meeting", to="ppdt_meeting")
            self._make("learn/kadet/own_span_count", to="ppdt_span_count")
        else:
            self._make("learn/kadet/span_count")
            self._make("learn/kadet/flank")
        self.engine.make("learn/kadet/breach", self.guard, self.names)
        self._make("learn/kadet/forbidden")

    def _best_of_components(self, scores: Mapping[int, float]) -> list[int]:
        """Return the node with the best score of every component; the others have to wait."""
        group = {node_id: node_id for node_id in scores}

        def head(node_id: int) -> int:
            while group[node_id] != node_id:
                group[node_id] = group[group[node_id]]
                node_id = group[node_id]
            return node_id

        last_span, first = None, 0
        for span_id, node_id in self._rows("learn/kadet/pairs"):
            node_id = as_int(node_id)
            if node_id not in group:
                continue
            if span_id != last_span:
                last_span, first = span_id, node_id
            group[head(node_id)] = head(first)
        best: dict[int, int] = {}
        in_order = sorted(
            scores, key=lambda n: (-scores[n], self.nodes[n].attribute or 0, self.paths[n])
        )
        for node_id in in_order:
            best.setdefault(head(node_id), node_id)
        for node_id in scores.keys() - best.values():
            node = self.nodes[node_id]
            node.attribute = node.at_code = node.next_code = None
        return sorted(best.values())

    def _divide_spans(self) -> None:
        self._make("learn/kadet/divided")
        self.engine.rename("ppdt_divided", "ppdt_population")
        self._make("learn/kadet/span_node")
        self.engine.rename("ppdt_span_node", "ppdt_meeting")

    def _make_borders(self) -> None:
        """Store the possible thresholds on private numbers: between groups of at least k rows."""
        private = private_numbers(self.lesson, self.promise)
        borders: list[tuple[int, int]] = []
        if private:
            rows = self.engine.rows("learn/kadet/code_rows", names={"private": private})
            for attribute in private:
                own = [(as_int(c), as_int(n)) for p, c, n in rows if p == attribute.position]
                borders += [(attribute.position, code) for code in borders_of(own, self.promise.k)]
        self.engine.load("ppdt_border", USED, borders, is_logged=True)

    def _rows(self, step: str) -> Sequence[tuple[object, ...]]:
        return self.engine.rows(step, self.params, self.names)


OWN = (
    "ppdt_population", "ppdt_meeting", "ppdt_span_count", "ppdt_flank", "ppdt_breach",
    "ppdt_forbidden", "ppdt_stand", "ppdt_border", "ppdt_waiting", "ppdt_attribute",
)  # fmt: skip


def private_numbers(lesson: TrainingSet, promise: Promise) -> list[EncodedColumn]:
    """Return the private attributes that are tested by thresholds."""
    return [
        attribute
        for attribute in lesson.attributes
        if attribute.position not in promise.public and attribute.kind == "ordered"
    ]


def borders_of(rows_of_codes: Sequence[tuple[int, int]], k: int) -> list[int]:
    """Return the last code of each group of at least k rows, except the last group.

    >>> borders_of([(1, 2), (2, 1), (3, 4), (4, 2)], 3)
    [2]
    """
    found: list[int] = []
    n_rows = 0
    for code, n_more in rows_of_codes:
        n_rows += n_more
        if n_rows >= k:
            found.append(code)
            n_rows = 0
    return found[:-1]
