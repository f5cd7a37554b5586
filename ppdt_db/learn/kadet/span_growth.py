"""Grow a k-anonymous tree whose spans reach several nodes, in the order of one queue.

Scores of nodes do not depend on spans, and are found once. What a turn forbids is found in the
spans that it divides; then only nodes where that is more than before choose anew.

way ─▶ entered ─▶ (scores) ─▶ option, branch_score ──────────────────▶ safe_cut ─▶ best
divided ─▶ span_count ─▶ flank ─▶ breach ─▶ span_scope ─▶ forbidden_now ──┘

Nodes with the same public tests above them are reached by the same spans: they are a *scope*.
"""

from collections.abc import Collection, Sequence

from ppdt_db.engine import Engine
from ppdt_db.learn.kadet.grow import KadetGrowth
from ppdt_db.learn.kadet.promise import Promise, borders_of, private_numbers
from ppdt_db.learn.kadet.split_queue import Split, SplitQueue
from ppdt_db.learn.trees.decode import USED, make_inner
from ppdt_db.learn.trees.grow import WORKING, SplitCriterion
from ppdt_db.learn.trees.node import GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.progress import Progress

OF_SCOPE = {"node_id": "INTEGER", "scope_id": "INTEGER"}
SCOPE = {"scope_id": "INTEGER", "is_new": "BOOLEAN"}
OWN = (
    "ppdt_population", "ppdt_meeting", "ppdt_fresh_span", "ppdt_span_count", "ppdt_breach",
    "ppdt_span_extent", "ppdt_forbidden", "ppdt_border", "ppdt_axis", "ppdt_stand", "ppdt_resting",
    "ppdt_option", "ppdt_asked", "ppdt_best", "ppdt_scope", "ppdt_division", "ppdt_opening",
    "ppdt_attribute",
)  # fmt: skip
# The spans of a turn are numbered from its number times this.
SPANS_OF_A_TURN = 2**31


class SpanGrowth(KadetGrowth):
    """The state of one growth: the queue, and the spans."""

    def __init__(
        self,
        engine: Engine,
        lesson: TrainingSet,
        promise: Promise,
        criterion: SplitCriterion,
        min_rows: int,
        progress: Progress,
    ) -> None:
        super().__init__(engine, lesson, promise, criterion, min_rows, progress)
        self.public_ids = frozenset(promise.public)
        self.queue = SplitQueue(self.nodes)
        self.n_divisions = 0
        self.params["first_span"] = 0

    def grow(self) -> GrowingNode:
        """Split in turns until no split is left that has a gain and keeps the guarantee."""
        self._describe_attributes()
        self._make_borders()
        self._make("learn/kadet/axis")
        self._make("learn/kadet/population")
        self._make("learn/kadet/meeting")
        self._make("learn/kadet/nothing_forbidden", to="ppdt_forbidden")
        self._make("growing")
        self._make("count")
        self._note_counts()
        self._keep_scores(is_first=True)
        if self.public_ids:
            self._load_scopes([0])
            self._look_at_spans(is_first=True)
            self._find_forbidden()
        self._find_best([0])
        n_turns = 0
        while True:
            taken = self.queue.take()
            ahead = self.queue.ahead()
            if not taken and not ahead:
                break
            self._split(taken, ahead)
            n_turns += 1
            self.progress("grow", min(0.99, n_turns / 240))
        self.engine.drop(*WORKING, *OWN)
        return self.nodes[0]

    def _split(self, taken: Sequence[int], ahead: Sequence[int]) -> None:
        """Split nodes whose turn it is, and others ahead of their turn."""
        queue = self.queue
        parents = [self.nodes[node_id] for node_id in sorted([*taken, *ahead])]
        for node in parents:
            split = queue.best[node.node_id]
            node.attribute, node.at_code = split.test
            node.next_code = split.next_code
        divisions = [(node_id, queue.scopes[node_id]) for node_id in taken]
        openings = [
            (node_id, queue.scopes[node_id])
            for node_id in ahead
            if queue.best[node_id].attribute in self.public_ids
        ]
        fresh = self._make_children(parents)
        for node_id in taken:
            queue.settle(node_id)
        if fresh:
            self._keep_scores(is_first=False)
        asked = set(fresh)
        if divisions or openings:
            self._load_scopes([i for i in fresh if queue.scopes[i] == i])
            # A split that was to divide spans may divide fewer by now: the others reach one side.
            self._open_scopes([*openings, *divisions])
            self._divide_spans(divisions)
            asked |= queue.of_scopes(self._find_forbidden())
        self._find_best(asked)

    def _make_children(self, parents: Sequence[GrowingNode]) -> list[int]:
        """Carry out splits; return those children that may be split themselves."""
        make_inner(self.engine, parents, to="ppdt_choice")
        self._make("learn/kadet/way", to="ppdt_branch")
        made = []
        for node_id, branch, child_id in self.engine.rows("learn/trees/edge"):
            parent = self.nodes[as_int(node_id)]
            child = GrowingNode(as_int(child_id), (0,) * len(self.lesson.classes))
            is_public = parent.attribute in self.public_ids
            self.queue.add(parent, as_int(branch), child, is_public=is_public)
            made.append(child)
        self.params["n_nodes"] = made[-1].node_id + 1
        self._make("learn/kadet/entered", to="ppdt_growing")
        self._make("count")
        self._note_counts()
        least = 2 * as_int(self.params["min_weight"])
        fresh = []
        for child in made:
            if child.total >= least and child.wrong:
                fresh.append(child.node_id)
            else:
                del self.queue.scopes[child.node_id]
        return fresh

    def _keep_scores(self, *, is_first: bool) -> None:
        """Score what the fresh nodes could test, whatever is forbidden there."""
        self._make("splittable")
        self._make("learn/kadet/class_tally", to="ppdt_class_count")
        self._make("known")
        self._make("running")
        self._make("learn/kadet/stand")
        self._keep("learn/kadet/option", is_first=is_first)
        self._keep("learn/trees/branch_score", is_first=is_first)
        self._keep("learn/kadet/resting", is_first=is_first)

    def _find_best(self, asked: Collection[int]) -> None:
        """Find the best allowed split of nodes anew."""
        if not asked:
            return
        rows = [(node_id, self.queue.scopes[node_id]) for node_id in sorted(asked)]
        self.engine.load("ppdt_asked", OF_SCOPE, rows, is_logged=True)
        self._make("learn/kadet/safe_cut", to="ppdt_cut_score", inline=True)
        self._make("learn/kadet/best")
        found: dict[int, Split] = {}
        for row in self._rows("learn/kadet/best_split"):
            node_id, attribute_id, at_code, next_code, ratio, divides = row
            assert isinstance(ratio, float)
            found[as_int(node_id)] = Split(
                attribute=as_int(attribute_id),
                at_code=None if at_code is None else as_int(at_code),
                next_code=None if next_code is None else as_int(next_code),
                ratio=ratio,
                divides=bool(divides),
            )
        self.queue.note(asked, found)

    def _load_scopes(self, new_ids: Collection[int]) -> None:
        """Store the scopes that have nodes which may be split."""
        found = set(new_ids)
        rows = [(i, i in found) for i in sorted(set(self.queue.scopes.values()))]
        self.engine.load("ppdt_scope", SCOPE, rows, is_logged=True)

    def _open_scopes(self, openings: Sequence[tuple[int, int]]) -> None:
        """Say which spans reach the scopes below public splits that do not divide them."""
        if openings:
            self.engine.load("ppdt_opening", OF_SCOPE, openings, is_logged=True)
            step = "learn/kadet/opened_scope"
            self.engine.append(step, "ppdt_meeting", self.params, self.names)

    def _divide_spans(self, divisions: Sequence[tuple[int, int]]) -> None:
        """Divide the spans of nodes that are split, and look at the parts."""
        if not divisions:
            return
        self.n_divisions += 1
        self.engine.load("ppdt_division", OF_SCOPE, divisions, is_logged=True)
        self.engine.append("learn/kadet/divided", "ppdt_population", self.params, self.names)
        self._make("learn/kadet/fresh_span")
        self.engine.delete("learn/kadet/divided_span", "ppdt_population", "span_id")
        self._make("learn/kadet/span_scope")
        self.engine.rename("ppdt_span_scope", "ppdt_meeting")
        self._look_at_spans(is_first=False)
        pairs = self.engine.rows("learn/kadet/linked")
        self.queue.link((as_int(one), as_int(other)) for one, other in pairs)

    def _look_at_spans(self, *, is_first: bool) -> None:
        """Find what the fresh spans forbid, and how far they reach."""
        self._make("learn/kadet/span_count")
        self._make("learn/kadet/flank", inline=True)
        if is_first:
            self.engine.make("learn/kadet/breach", self.guard, self.names)
        else:
            self.engine.append("learn/kadet/breach", "ppdt_breach", self.guard, self.names)
        self._keep("learn/kadet/span_extent", is_first=is_first)

    def _find_forbidden(self) -> set[int]:
        """Find what scopes forbid; return those where it is more than before."""
        self._make("learn/kadet/forbidden_now")
        changed = {as_int(row[0]) for row in self.engine.rows("learn/kadet/changed_scope")}
        self.engine.rename("ppdt_forbidden_now", "ppdt_forbidden")
        self.params["first_span"] = (self.n_divisions + 1) * SPANS_OF_A_TURN
        return changed

    def _keep(self, step: str, *, is_first: bool) -> None:
        """Add the rows of a step to those of earlier turns."""
        if is_first:
            self._make(step)
        else:
            name = "ppdt_" + step.rpartition("/")[2]
            self.engine.append(step, name, self.params, self.names)

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


def growth_of(promise: Promise, lesson: TrainingSet) -> type[KadetGrowth]:
    """Return the growth that a promise takes."""
    return KadetGrowth if promise.is_apart(lesson) else SpanGrowth
