"""Specialize: one recoding for the whole table, opened node by node from the top down.

    tally ─▶ candidates with gains ─▶ smallest classes ─▶ best that keeps the guard ─▶ step
                       ▲                                                                │
                       └────────────── the node's children, the divided classes ◀───────┘

What a step tells of the target concerns all rows below a node and never changes. The smallest class
that it would make only shrinks, and only where classes were divided; so a candidate that breaks the
guard once breaks it for good, and a step costs what it divides.
"""

from collections.abc import Mapping

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.guard import Guard, broken_groups
from ppdt_db.methods.contract import Task
from ppdt_db.names import listed
from ppdt_db.openings import Candidate, Cut, Openings, kind_of

MAX_TARGET_CLASSES = 1000


class Specialization:
    """The state of one run; leaves `ppdt_state`, `ppdt_fork` and the cuts behind."""

    def __init__(self, task: Task, guard: Guard, *, suppresses: bool) -> None:
        self.task = task
        self.guard = guard
        self.suppresses = suppresses
        self.engine: Engine = task.engine
        self.attributes = task.encoded.attributes
        self.cuts = {
            a.position: Cut(attribute=a, kind=kind_of(a, suppresses=suppresses))
            for a in self.attributes
        }
        self.openings = Openings(self.engine, self.cuts, guard.k)
        self.names: dict[str, object] = {"attributes": self.attributes}
        self.n_classes = 1
        self.n_written = 0
        self.smallest = task.encoded.n_rows
        self.turn = 0

    def run(self) -> None:
        """Open nodes until none can be opened without breaking the guard."""
        self._check_target()
        self._begin()
        while (best := self._best()) is not None:
            if self._step(best):
                self.turn += 1
                self.task.progress("specialize", 1 - 1 / (1 + self.turn / 20))
            else:
                self._close(best)
        self.engine.drop(*WORKING, *(cut.child for cut in self.cuts.values()))

    # -- the beginning -------------------------------------------------------------------------

    def _check_target(self) -> None:
        target = self.task.encoded.target
        assert target is not None
        if target.n_codes == 1:
            raise RequestError(
                f'target "{target.name}": it has one value in the whole table, so nothing can be '
                "told of it. Choose another target."
            )
        if target.n_codes > MAX_TARGET_CLASSES:
            raise RequestError(
                f'target "{target.name}": {target.n_codes:,} different values are too many classes '
                f"(at most {MAX_TARGET_CLASSES:,}). Group them first."
            )

    def _begin(self) -> None:
        engine = self.engine
        engine.make("specialize/tally_code", names=self.names)
        self.openings.begin()
        engine.make("specialize/state", names=self.names, to="ppdt_touched")
        self._count()
        engine.rename("ppdt_touched", "ppdt_state")

    # -- a step --------------------------------------------------------------------------------

    def _best(self) -> Candidate | None:
        """The candidate with the best score of those that leave no class below k."""
        for cut in self.cuts.values():
            for found in [c for c in cut.open.values() if c.least < self.guard.k]:
                self._close(found)
        allowed = [found for cut in self.cuts.values() for found in cut.open.values()]
        return min(
            allowed,
            key=lambda c: (-self._score(c), c.attribute.position, c.first_code),
            default=None,
        )

    def _score(self, candidate: Candidate) -> float:
        """What it tells of the target for each row that the smallest class loses.

        Gains are rounded already: one gain and one loss make one score, whatever the threads.
        """
        loss = self.smallest - min(self.smallest, candidate.least)
        if self.suppresses:
            return candidate.gain / (loss + 1)
        return candidate.gain / loss if loss else candidate.gain

    def _close(self, candidate: Candidate) -> None:
        del self.cuts[candidate.attribute.position].open[candidate.node_id]

    def _step(self, candidate: Candidate) -> bool:
        """Open a node, unless that breaks the guard."""
        cut = self.cuts[candidate.attribute.position]
        names = {
            **self.names,
            "attribute": candidate.attribute,
            "child": cut.child,
            "is_value": cut.kind == "hidden",
        }
        params = {"node_id": candidate.node_id, "n_classes": self.n_classes}
        self.engine.make("specialize/group", params, names)
        self.engine.make("specialize/touched", {"node_id": candidate.node_id}, names)
        if self.task.encoded.things and self._breaks():
            return False
        n_groups, n_rows = (int(str(n)) for n in self.engine.row("specialize/group_size"))
        self.n_classes += n_groups
        self.smallest = min(self.smallest, candidate.least)
        self._open(cut, candidate)
        self.openings.place(cut)
        self._count()
        self._write(n_rows)
        return True

    def _breaks(self) -> bool:
        self.engine.make("specialize/group_thing")
        broken = broken_groups(self.engine, self.task.encoded, self.guard)
        self.engine.drop("ppdt_group_thing")
        return bool(broken)

    def _open(self, cut: Cut, candidate: Candidate) -> None:
        """What may be opened next in the attribute."""
        node = candidate.node_id
        self._close(candidate)
        cut.n_nodes += candidate.n_children - 1
        if cut.kind == "hidden":
            cut.disclosed.append(node)
            cut.n_nodes = len(cut.disclosed) + (len(cut.disclosed) < cut.attribute.n_codes)
            self.openings.weigh_values(cut)
            return
        cut.turns[node] = self.turn
        if cut.kind == "tree":
            cut.open |= {found.node_id: found for found in cut.below.get(node, [])}
            return
        assert candidate.left_id is not None
        self.openings.cut_intervals([(cut, candidate.left_id), (cut, candidate.left_id + 1)])

    def _count(self) -> None:
        """The smallest classes that candidates would make of the classes just divided."""
        live = [cut for cut in self.cuts.values() if cut.open]
        if not live:
            return
        names = {
            "live": [cut.attribute for cut in live],
            "hidden": [cut.attribute.position for cut in live if cut.kind == "hidden"],
        }
        for row in self.engine.rows("specialize/smallest", names=names):
            position, node_id, n_rows = (int(str(number)) for number in row)
            found = self.cuts[position].open.get(node_id)
            if found is not None:
                found.smallest = n_rows if found.smallest is None else min(found.smallest, n_rows)

    def _write(self, n_rows: int) -> None:
        """The divided classes in the place of those that they were made of."""
        if n_rows == self.task.encoded.n_rows:
            self.engine.rename("ppdt_touched", "ppdt_state")
            self.n_written = 0
            return
        self.engine.delete("specialize/divided", "ppdt_state", "class_id")
        names = {**self.names, "table": "ppdt_touched"}
        self.engine.append("specialize/moved", "ppdt_state", {}, names)
        self.n_written += n_rows
        if self.n_written > 2 * self.task.encoded.n_rows:
            # What was deleted still takes its place and is passed over by every scan.
            names = {**self.names, "table": "ppdt_state"}
            self.engine.make("specialize/moved", names=names)
            self.engine.rename("ppdt_moved", "ppdt_state")
            self.n_written = 0


def describe(task: Task, cuts: Mapping[int, Cut]) -> None:
    """The class of every cell, and what classes show, in codes and in words' stead."""
    engine, names = task.engine, {"attributes": task.encoded.attributes}
    engine.make("specialize/member")
    engine.drop("ppdt_state")
    engine.make("specialize/face", names=names)
    helpers = []
    for position, cut in cuts.items():
        one = {"attribute": cut.attribute, "lot": f"ppdt_lot_{position}"}
        to, held = f"ppdt_lot_{position}", f"ppdt_held_{position}"
        if cut.kind == "hidden":
            engine.make("specialize/hidden_lot", listed({"disclosed": cut.disclosed}), one, to=to)
        else:
            turns = listed({"node_ids": list(cut.turns), "turns": list(cut.turns.values())})
            engine.make("specialize/lot", turns, one, to=to)
        engine.make("specialize/held", names=one, to=held)
        helpers += [to, held]
    engine.make("specialize/extent", names=names)
    engine.drop(*helpers, "ppdt_fork")


def disclose(task: Task, cuts: Mapping[int, Cut]) -> list[str]:
    """The values that classes show of attributes that were suppressed value by value."""
    return [
        task.engine.make(
            "specialize/disclosed",
            listed({"disclosed": cut.disclosed}),
            {"attribute": cut.attribute},
            to=f"ppdt_centre_{position}",
        )
        for position, cut in cuts.items()
        if cut.kind == "hidden"
    ]


WORKING = (
    "ppdt_tally_code", "ppdt_edge", "ppdt_best_cut", "ppdt_touched", "ppdt_group",
)  # fmt: skip
