"""Specialize: one recoding for the whole table, opened node by node from the top down.

    tally ─▶ candidates with gains ─▶ smallest classes ─▶ best that keeps the guard ─▶ step
                       ▲                                                                │
                       └────────────── the node's children, the divided classes ◀───────┘

What a step tells of the target concerns all rows below a node and never changes. The smallest class
that it would make only shrinks, and only where classes were divided; so a candidate that breaks the
guard once breaks it for good, and a step costs what it divides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppdt_db.encode import Coded
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.guard import Guard, broken_groups
from ppdt_db.methods.contract import Task
from ppdt_db.names import listed

Kind = Literal["tree", "interval", "hidden"]
MAX_TARGET_CLASSES = 1000
DIGITS = 12


@dataclass(kw_only=True)
class Candidate:
    """A node that may be opened next: in a tree, an interval, or a suppressed value."""

    attribute: Coded
    node_id: int
    first_code: int
    gain: float
    n_children: int = 2
    left_id: int | None = None
    smallest: int | None = None
    """The smallest class that opening it would make, as far as classes were counted."""


@dataclass(kw_only=True)
class Cut:
    """How far one attribute is specialized: what was opened, and what may be opened."""

    attribute: Coded
    kind: Kind
    open: dict[int, Candidate] = field(default_factory=dict)
    below: dict[int, list[Candidate]] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    """In a tree or among intervals: the turn at which each node was opened."""
    disclosed: list[int] = field(default_factory=list)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The first and last code of every interval."""
    n_nodes: int = 1

    @property
    def child(self) -> str:
        """The relation of where candidates would send codes."""
        return f"ppdt_child_{self.attribute.position}"


def kind_of(attribute: Coded, *, suppresses: bool) -> Kind:
    """How an attribute is specialized."""
    if attribute.has_hierarchy:
        return "tree"
    if attribute.kind == "ordered":
        return "interval"
    return "hidden" if suppresses else "tree"


class Specialization:
    """The state of one run; leaves `ppdt_state`, `ppdt_fork` and the cuts behind."""

    def __init__(self, task: Task, guard: Guard, *, suppresses: bool) -> None:
        self.task = task
        self.guard = guard
        self.suppresses = suppresses
        self.engine: DuckEngine = task.engine
        self.attributes = task.encoded.attributes
        self.cuts = {
            a.position: Cut(attribute=a, kind=kind_of(a, suppresses=suppresses))
            for a in self.attributes
        }
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
        engine.make("specialize/no_fork", to="ppdt_fork")
        for attribute in self.attributes:
            if self.cuts[attribute.position].kind == "tree" and attribute.n_codes > 1:
                step = "fork" if attribute.has_hierarchy else "flat_fork"
                engine.append(f"specialize/{step}", "ppdt_fork", {}, {"attribute": attribute})
        self._plant()
        whole = [cut for cut in self.cuts.values() if cut.kind == "interval"]
        for cut in whole:
            cut.spans[0] = (0, cut.attribute.n_codes - 1)
        self._cut_intervals([(cut, 0) for cut in whole])
        for cut in self.cuts.values():
            if cut.kind == "hidden":
                self._weigh_values(cut)
        engine.make("specialize/state", names=self.names, to="ppdt_touched")
        for cut in self.cuts.values():
            self._place(cut)
        self._count()
        engine.rename("ppdt_touched", "ppdt_state")

    def _plant(self) -> None:
        """The gains of all inner nodes, and the roots as candidates."""
        for row in self.engine.rows("specialize/gain"):
            position, node_id, parent_id, first_code, n_children = (
                None if number is None else int(str(number)) for number in row[:5]
            )
            assert position is not None and node_id is not None
            assert first_code is not None and n_children is not None
            cut = self.cuts[position]
            found = Candidate(
                attribute=cut.attribute,
                node_id=node_id,
                first_code=first_code,
                gain=_number(row[5]),
                n_children=n_children,
            )
            if parent_id is None:
                cut.open[node_id] = found
            else:
                cut.below.setdefault(parent_id, []).append(found)

    def _cut_intervals(self, wanted: Sequence[tuple[Cut, int]]) -> None:
        """The best binary cuts of some intervals, as candidates."""
        wanted = [(cut, node) for cut, node in wanted if cut.spans[node][0] < cut.spans[node][1]]
        if not wanted:
            return
        lefts = {}
        for cut, node in wanted:
            lefts[cut.attribute.position, node] = len(cut.spans)
            cut.spans |= {len(cut.spans): (0, 0), len(cut.spans) + 1: (0, 0)}
        params = listed(
            {
                "attribute_ids": [cut.attribute.position for cut, _ in wanted],
                "node_ids": [node for _, node in wanted],
                "left_ids": list(lefts.values()),
                "first_codes": [cut.spans[node][0] for cut, node in wanted],
                "last_codes": [cut.spans[node][1] for cut, node in wanted],
            }
        )
        self.engine.make("specialize/edge", params)
        self.engine.make("specialize/best_cut")
        self.engine.append("specialize/cut_fork", "ppdt_fork")
        for row in self.engine.rows("specialize/found_cut"):
            position, node, left, at_code = (int(str(number)) for number in row[:4])
            cut = self.cuts[position]
            first, last = cut.spans[node]
            cut.spans |= {left: (first, at_code), left + 1: (at_code + 1, last)}
            cut.open[node] = Candidate(
                attribute=cut.attribute,
                node_id=node,
                first_code=first,
                gain=_number(row[4]),
                left_id=left,
            )

    def _weigh_values(self, cut: Cut) -> None:
        """What each suppressed value would tell now; what was counted of it stays true."""
        params = {
            "attribute_id": cut.attribute.position,
            "k": self.guard.k,
            **listed({"disclosed": cut.disclosed}),
        }
        is_first = not cut.disclosed
        for row in self.engine.rows("specialize/value_gain", params):
            code, gain = int(str(row[0])), _number(row[2])
            if is_first:
                cut.open[code] = Candidate(
                    attribute=cut.attribute, node_id=code, first_code=code, gain=gain
                )
            elif code in cut.open:
                cut.open[code].gain = gain

    # -- a step --------------------------------------------------------------------------------

    def _best(self) -> Candidate | None:
        """The candidate with the best score of those that leave no class below k."""
        for cut in self.cuts.values():
            for found in [c for c in cut.open.values() if _least(c) < self.guard.k]:
                self._close(found)
        allowed = [found for cut in self.cuts.values() for found in cut.open.values()]
        return min(
            allowed,
            key=lambda c: (-self._score(c), c.attribute.position, c.first_code),
            default=None,
        )

    def _score(self, candidate: Candidate) -> float:
        """What it tells of the target for each row that the smallest class loses."""
        loss = self.smallest - min(self.smallest, _least(candidate))
        if self.suppresses:
            return round(candidate.gain / (loss + 1), DIGITS)
        return round(candidate.gain / loss if loss else candidate.gain, DIGITS)

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
        self.smallest = min(self.smallest, _least(candidate))
        self._open(cut, candidate)
        self._place(cut)
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
            self._weigh_values(cut)
            return
        cut.turns[node] = self.turn
        if cut.kind == "tree":
            cut.open |= {found.node_id: found for found in cut.below.get(node, [])}
            return
        assert candidate.left_id is not None
        self._cut_intervals([(cut, candidate.left_id), (cut, candidate.left_id + 1)])

    def _place(self, cut: Cut) -> None:
        """Where the attribute's candidates would send its codes."""
        if not cut.open:
            self.engine.drop(cut.child)
            return
        step = "specialize/child_value" if cut.kind == "hidden" else "specialize/child"
        params = listed({"node_ids": list(cut.open)})
        self.engine.make(step, params, {"attribute": cut.attribute}, to=cut.child)

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


def _least(candidate: Candidate) -> int:
    assert candidate.smallest is not None
    return candidate.smallest


def _number(value: object) -> float:
    assert isinstance(value, float)
    return value


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
    "ppdt_whole_share",
)  # fmt: skip
