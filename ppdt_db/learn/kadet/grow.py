"""Grow a k-anonymous tree: like C4.5 and ID3, without splits that would separate too few rows.

Where everything but the class is public, the only span of a node is its own rows: all nodes of a
level are split in one turn. `span_growth` does the rest.

own_span_count ─▶ breach ─▶ own_forbidden ─▶ (scores) ─▶ best ─▶ branch ─▶ descended
"""

from collections.abc import Mapping, Sequence
from math import log2

from ppdt_db.engine import Engine
from ppdt_db.learn.kadet.promise import Promise
from ppdt_db.learn.trees.decode import find_thresholds, make_inner
from ppdt_db.learn.trees.grow import WORKING, Growth, GrowthOptions, SplitCriterion
from ppdt_db.learn.trees.node import GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.progress import Progress
from ppdt_db.tree.tree import ONE_ROW


class KadetGrowth(Growth):
    """The state of one growth under a promise."""

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
        public = [a for a in lesson.attributes if a.position in promise.public]
        self.names |= {
            "is_class_public": promise.is_class_public,
            "has_entropy": promise.l is not None,
            "public": public,
            "ordered": [attribute for attribute in public if attribute.kind == "ordered"],
            "is_apart": promise.is_apart(lesson),
        }
        self.guard: Mapping[str, object] = {
            "min_weight": promise.k * ONE_ROW,
            "least_entropy": round(log2(promise.l or 1.0), 12),
        }
        if len(public) == len(lesson.attributes):
            # Every span is in one node then: nodes too small for the guarantee need no scores.
            self.params["min_weight"] = max(min_rows, promise.k) * ONE_ROW

    def grow(self) -> GrowingNode:
        """Split level by level until no split is left that has a gain and keeps the guarantee."""
        self._describe_attributes()
        self._make("growing")
        self._make("count")
        self._note_counts()
        level = 0
        while self._split_all():
            level += 1
            self.progress("grow", min(0.99, level / 24))
        self.engine.drop(*WORKING, *OWN)
        find_thresholds(self.engine, self.lesson, self.nodes[0])
        return self.nodes[0]

    def _split_all(self) -> bool:
        """Split every node that can be; return whether there was any."""
        chosen = self._find_splits()
        if not chosen:
            return False
        make_inner(self.engine, chosen, to="ppdt_choice")
        self._make("branch")
        for node_id, branch, child_id in self.engine.rows("learn/trees/edge"):
            child = GrowingNode(as_int(child_id), (0,) * len(self.lesson.classes))
            self.nodes[as_int(node_id)].children[as_int(branch)] = child
            self.nodes[child.node_id] = child
        self.params["n_nodes"] = len(self.nodes)
        self._make("descended")
        self.engine.rename("ppdt_descended", "ppdt_growing")
        self._make("count")
        self._note_counts()
        return True

    def _find_splits(self) -> list[GrowingNode]:
        """Give the best allowed split to each open node that has one; return these nodes."""
        self._make("splittable")
        self._make("class_count")
        self._make("known")
        self._make("running")
        self._make("learn/kadet/own_asked", to="ppdt_asked")
        self._make("learn/kadet/own_span_count", to="ppdt_span_count")
        self.engine.make("learn/kadet/breach", self.guard, self.names)
        self._make("learn/kadet/own_forbidden", to="ppdt_forbidden")
        self._make("cut_score")
        self._make("branch_score")
        found = []
        for node_id, attribute_id, at_code, next_code, _ in self._rows("learn/kadet/best"):
            node = self.nodes[as_int(node_id)]
            node.attribute = as_int(attribute_id)
            node.at_code = None if at_code is None else as_int(at_code)
            node.next_code = None if next_code is None else as_int(next_code)
            found.append(node)
        return found

    def _rows(self, step: str) -> Sequence[tuple[object, ...]]:
        return self.engine.rows(step, self.params, self.names)


OWN = ("ppdt_asked", "ppdt_span_count", "ppdt_breach", "ppdt_forbidden", "ppdt_attribute")
