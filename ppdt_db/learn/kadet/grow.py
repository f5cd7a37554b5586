"""Grow a k-anonymous tree: as C4.5 and ID3 grow, but for what would tell too few rows apart.

population, meeting ─▶ tally ─▶ breach ─▶ forbidden ─▶ (scores) ─▶ best ─▶ cut ─▶ divided, met
       ▲                                                                              │
       └──────────────────────────────────────────────────────────────────────────────┘

Splits of nodes that no span reaches both of do not touch each other, so every turn makes one split
in each such component: the best of it. That is the order of one queue for the whole tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from ppdt_db.coded import Coded
from ppdt_db.engine import Engine
from ppdt_db.learn.finish import find_thresholds
from ppdt_db.learn.grow import WORKING, Criterion, Growth, Rules
from ppdt_db.learn.grown import Grown, whole
from ppdt_db.learn.lesson import Lesson
from ppdt_db.methods.contract import Progress
from ppdt_db.names import listed
from ppdt_db.tree import ONE_ROW


@dataclass(frozen=True, kw_only=True)
class Promise:
    """What must hold in every span, and what an outsider may know."""

    k: int
    l: float | None  # noqa: E741
    public: Sequence[int]
    """Positions of the public attributes."""
    is_class_public: bool


class KadetGrowth(Growth):
    """The state of one growth: the spans beside the nodes."""

    def __init__(
        self,
        engine: Engine,
        lesson: Lesson,
        promise: Promise,
        criterion: Criterion,
        min_rows: int,
        progress: Progress,
    ) -> None:
        rules = Rules(criterion=criterion, min_rows=min_rows, missing="branch", keep_places=False)
        super().__init__(engine, lesson, rules, progress)
        self.promise = promise
        self.paths: dict[int, tuple[int, ...]] = {0: ()}
        """The branches that lead to every node: of equal splits the one on the left goes first."""
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
            # Every span lies in one node then: what is too small for the promise needs no look.
            self.params["min_weight"] = max(min_rows, promise.k) * ONE_ROW
        # With a private class as well every node has one span, its own rows: no more to keep.
        self.is_apart = (
            len(public) == len(lesson.attributes)
            and promise.l is None
            and not promise.is_class_public
        )
        self.names["is_apart"] = self.is_apart
        self.params["public_ids"] = list(promise.public)

    def grow(self) -> Grown:
        """Split in turns until no split is left that gains and keeps the promise."""
        self._describe_attributes()
        if not self.is_apart:
            self._make_borders()
            self._make("kadet/population")
            self._make("kadet/meeting")
        self._make("open")
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
        """One turn; tells whether anything was split."""
        best = self._best_of_nodes()
        if not best:
            return False
        chosen = sorted(best) if self.is_apart else self._best_of_components(best)
        splits = [self.nodes[node_id] for node_id in chosen]
        params = listed(
            {
                "node_ids": [node.node_id for node in splits],
                "attribute_ids": [node.attribute for node in splits],
                "at_codes": [node.at_code for node in splits],
                "next_codes": [node.next_code for node in splits],
            }
        )
        self.engine.make("tree/inner", params, to="ppdt_cut")
        waiting = [node_id for node_id in best if node_id not in set(chosen)]
        self.engine.make("kadet/waiting", listed({"node_ids": waiting}))
        self._make("branch")
        for node_id, branch, child_id in self.engine.rows("tree/edge"):
            child = Grown(whole(child_id), (0,) * len(self.lesson.classes))
            self.nodes[whole(node_id)].children[whole(branch)] = child
            self.nodes[child.node_id] = child
            self.paths[child.node_id] = (*self.paths[whole(node_id)], whole(branch))
        self.params["n_nodes"] = len(self.nodes)
        if not self.is_apart:
            self._divide_spans()
        self._make("split")
        self.engine.append("kadet/kept", "ppdt_split", names=self.names)
        self.engine.rename("ppdt_split", "ppdt_open")
        self._make("count")
        self._note_counts()
        return True

    def _best_of_nodes(self) -> dict[int, float]:
        """The score of the best allowed split of each open node that has one."""
        self._make("node")
        self._make("histogram")
        self._make("known")
        self._make("running")
        if not self.is_apart:
            self._make("kadet/stand")
        self._find_forbidden()
        if not self.is_apart:
            self._make("kadet/allowed")
            self.engine.rename("ppdt_allowed", "ppdt_running")
        self._make("cut_score")
        self._make("branch_score")
        scores: dict[int, float] = {}
        for node_id, attribute_id, at_code, next_code, ratio in self._rows("kadet/best"):
            node = self.nodes[whole(node_id)]
            node.attribute = whole(attribute_id)
            node.at_code = None if at_code is None else whole(at_code)
            node.next_code = None if next_code is None else whole(next_code)
            assert isinstance(ratio, float)
            scores[node.node_id] = ratio
        return scores

    def _find_forbidden(self) -> None:
        if not self.promise.public:
            self._make("kadet/nothing_forbidden", to="ppdt_forbidden")
            return
        if self.is_apart:
            self._make("kadet/own_meeting", to="ppdt_meeting")
            self._make("kadet/own_tally", to="ppdt_tally")
        else:
            self._make("kadet/tally")
            self._make("kadet/flank")
        self.engine.make("kadet/breach", self.guard, self.names)
        self._make("kadet/forbidden")

    def _best_of_components(self, scores: Mapping[int, float]) -> list[int]:
        """The node with the best score of every component; the others must wait."""
        group = {node_id: node_id for node_id in scores}

        def head(node_id: int) -> int:
            while group[node_id] != node_id:
                group[node_id] = group[group[node_id]]
                node_id = group[node_id]
            return node_id

        last_span, first = None, 0
        for span_id, node_id in self._rows("kadet/pairs"):
            node_id = whole(node_id)
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
        self._make("kadet/divided")
        self.engine.rename("ppdt_divided", "ppdt_population")
        self._make("kadet/met")
        self.engine.rename("ppdt_met", "ppdt_meeting")

    def _make_borders(self) -> None:
        """Where thresholds on private numbers may stand: between groups of at least k rows."""
        private = private_numbers(self.lesson, self.promise)
        borders: list[tuple[int, int]] = []
        if private:
            rows = self.engine.rows("kadet/code_rows", names={"private": private})
            for attribute in private:
                own = [(whole(c), whole(n)) for p, c, n in rows if p == attribute.position]
                borders += [(attribute.position, code) for code in borders_of(own, self.promise.k)]
        params = listed(
            {"attribute_ids": [a for a, _ in borders], "codes": [c for _, c in borders]}
        )
        self.engine.make("tree/used", params, to="ppdt_border")

    def _rows(self, step: str) -> Sequence[tuple[object, ...]]:
        return self.engine.rows(step, self.params, self.names)


OWN = (
    "ppdt_population", "ppdt_meeting", "ppdt_tally", "ppdt_flank", "ppdt_breach",
    "ppdt_forbidden", "ppdt_stand", "ppdt_border", "ppdt_waiting", "ppdt_attribute",
)  # fmt: skip


def private_numbers(lesson: Lesson, promise: Promise) -> list[Coded]:
    """The private attributes that are tested by thresholds."""
    return [
        attribute
        for attribute in lesson.attributes
        if attribute.position not in promise.public and attribute.kind == "ordered"
    ]


def borders_of(rows_of_codes: Sequence[tuple[int, int]], k: int) -> list[int]:
    """The last codes of groups of at least k rows, but the last group's.

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
