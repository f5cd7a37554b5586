"""Specialize: one recoding for the whole table, refined node by node from the top down.

    tally ─▶ candidates with gains ─▶ smallest classes ─▶ best that keeps the guard ─▶ step
                       ▲                                                                │
                       └────────────── the node's children, the divided classes ◀───────┘

The gain of a candidate concerns all rows below a node and never changes. The smallest class that it
would create only shrinks, and only where classes were divided. So a candidate that breaks the guard
once always breaks it, and a step costs only what it divides.
"""

from collections.abc import Mapping, Sequence

from ppdt_db.engine import Engine
from ppdt_db.learn.trees.training_set import NOTHING_TO_PREDICT, check_classes
from ppdt_db.methods.algorithms.specialize_candidates import Candidate, CandidatePool, Cut, kind_of
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard, broken_groups
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import listed

ONE_CLASS = f"one value in the whole table, {NOTHING_TO_PREDICT}"


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
        self.openings = CandidatePool(self.engine, self.cuts, guard.k)
        self.names: dict[str, object] = {"attributes": self.attributes}
        self.n_classes = 1
        self.n_written = 0
        self.smallest = task.encoded.n_rows
        self.turn = 0

    def run(self) -> None:
        """Open nodes until no further one can be opened without breaking the guard."""
        target = self.task.encoded.target
        assert target is not None
        check_classes(target, target.n_codes, ONE_CLASS)
        self._begin()
        while (best := self._best()) is not None:
            if self._step(best):
                self.turn += 1
                self.task.progress("specialize", 1 - 1 / (1 + self.turn / 20))
            else:
                self._close(best)
        self.engine.drop(*WORKING, *(cut.child for cut in self.cuts.values()))

    # -- the beginning -------------------------------------------------------------------------

    def _begin(self) -> None:
        engine = self.engine
        engine.make("methods/specialize/tally_code", names=self.names)
        self.openings.begin()
        engine.make("methods/specialize/state", names=self.names, to="ppdt_touched")
        self._count()
        engine.rename("ppdt_touched", "ppdt_state")

    # -- a step --------------------------------------------------------------------------------

    def _best(self) -> Candidate | None:
        """Return the candidate with the best score among those that leave no class below k."""
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
        """Return the information gained on the target per row lost by the smallest class.

        Gains are rounded already, so that the score does not depend on the number of threads.
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
        self.engine.make("methods/specialize/group", params, names)
        self.engine.make("methods/specialize/touched", {"node_id": candidate.node_id}, names)
        if self.task.encoded.protected_keys and self._breaks():
            return False
        n_groups, n_rows = (int(str(n)) for n in self.engine.row("methods/specialize/group_size"))
        self.n_classes += n_groups
        self.smallest = min(self.smallest, candidate.least)
        self._open(cut, candidate)
        self.openings.place(cut)
        self._count()
        self._write(n_rows)
        return True

    def _breaks(self) -> bool:
        self.engine.make("methods/specialize/group_protected")
        broken = broken_groups(self.engine, self.task.encoded, self.guard)
        self.engine.drop("ppdt_group_protected")
        return bool(broken)

    def _open(self, cut: Cut, candidate: Candidate) -> None:
        """Add the candidates that follow in the attribute."""
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
        """Count the smallest classes that candidates would make of the classes just divided."""
        live = [cut for cut in self.cuts.values() if cut.open]
        if not live:
            return
        names = {
            "live": [cut.attribute for cut in live],
            "hidden": [cut.attribute.position for cut in live if cut.kind == "hidden"],
        }
        for row in self.engine.rows("methods/specialize/smallest", names=names):
            position, node_id, n_rows = (int(str(number)) for number in row)
            found = self.cuts[position].open.get(node_id)
            if found is not None:
                found.smallest = n_rows if found.smallest is None else min(found.smallest, n_rows)

    def _write(self, n_rows: int) -> None:
        """Write the divided classes in place of those that they come from."""
        if n_rows == self.task.encoded.n_rows:
            self.engine.rename("ppdt_touched", "ppdt_state")
            self.n_written = 0
            return
        self.engine.delete("methods/specialize/divided", "ppdt_state", "class_id")
        names = {**self.names, "table": "ppdt_touched"}
        self.engine.append("methods/specialize/recoded", "ppdt_state", {}, names)
        self.n_written += n_rows
        if self.n_written > 2 * self.task.encoded.n_rows:
            # Deleted rows still take up space, and every scan passes over them.
            names = {**self.names, "table": "ppdt_state"}
            self.engine.make("methods/specialize/recoded", names=names)
            self.engine.rename("ppdt_recoded", "ppdt_state")
            self.n_written = 0


def describe(task: Task, cuts: Mapping[int, Cut]) -> None:
    """Store the class of every cell, and the labels of the classes as codes."""
    engine = task.engine
    engine.make("methods/specialize/member")
    engine.drop("ppdt_state")
    buckets = []
    for position, cut in cuts.items():
        one, to = {"attribute": cut.attribute}, f"ppdt_bucket_{position}"
        if cut.kind == "hidden":
            engine.make(
                "methods/specialize/hidden_bucket", listed({"disclosed": cut.disclosed}), one, to=to
            )
        else:
            turns = listed({"node_ids": list(cut.turns), "turns": list(cut.turns.values())})
            engine.make("methods/specialize/bucket", turns, one, to=to)
        buckets.append(to)
    hold_buckets(task, buckets)
    engine.drop("ppdt_fork")


def hold_buckets(task: Task, buckets: Sequence[str]) -> None:
    """Store what every class shows, as codes: the bucket of its cells in each attribute."""
    engine, names = task.engine, {"attributes": task.encoded.attributes}
    engine.make("methods/specialize/class_cell", names=names)
    held = [
        engine.make(
            "methods/specialize/held",
            names={"attribute": attribute, "bucket": bucket},
            to=f"ppdt_held_{attribute.position}",
        )
        for attribute, bucket in zip(task.encoded.attributes, buckets, strict=True)
    ]
    engine.make("methods/specialize/extent", names=names)
    engine.drop(*buckets, *held)


def recoding_faults(name: str, roles: Roles) -> list[str]:
    """Return the faults of shapes that a recoding of the whole table cannot show."""
    return [
        f'recode "{attribute.name}": {attribute.recode} differs from class to class, '
        f"but {name} recodes the whole table alike. Remove it, or use range, set or node."
        for attribute in roles.quasi
        if attribute.recoding is not None and attribute.recoding.made_of == "rows"
    ]


def disclose(task: Task, cuts: Mapping[int, Cut]) -> list[str]:
    """Store the values that classes show of attributes suppressed value by value."""
    return [
        task.engine.make(
            "methods/specialize/disclosed",
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
