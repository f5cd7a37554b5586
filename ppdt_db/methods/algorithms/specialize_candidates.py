"""The candidates of each attribute: the nodes that may be opened next, with their gains.

A tree's nodes come from a hierarchy, or are the root and its values. An interval of numbers is cut
in two where the gain is largest. A suppressed value may be disclosed on its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.sqltext.quoting import listed

CandidateKind = Literal["tree", "interval", "hidden"]


@dataclass(kw_only=True)
class Candidate:
    """A node that may be opened next: of a tree, an interval, or a suppressed value."""

    attribute: EncodedColumn
    node_id: int
    first_code: int
    gain: float
    n_children: int = 2
    left_id: int | None = None
    smallest: int | None = None
    """The smallest class that opening it would create, if classes were counted."""

    @property
    def least(self) -> int:
        """Return the smallest class that opening it would create."""
        assert self.smallest is not None
        return self.smallest


@dataclass(kw_only=True)
class Cut:
    """The state of one attribute: what has been opened, and what may be opened."""

    attribute: EncodedColumn
    kind: CandidateKind
    open: dict[int, Candidate] = field(default_factory=dict)
    below: dict[int, list[Candidate]] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    """In a tree or among intervals, the turn at which each node was opened."""
    disclosed: list[int] = field(default_factory=list)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The first and last code of every interval."""
    n_nodes: int = 1

    @property
    def child(self) -> str:
        """The relation of the children to which candidates would send codes."""
        return f"ppdt_child_{self.attribute.position}"


def kind_of(attribute: EncodedColumn, *, suppresses: bool) -> CandidateKind:
    """Return how an attribute is specialized."""
    if attribute.has_hierarchy:
        return "tree"
    if attribute.kind == "ordered" or attribute.recode == "bins":
        return "interval"
    return "hidden" if suppresses else "tree"


class CandidatePool:
    """The candidates of all attributes; keeps `ppdt_fork` and the `ppdt_child_<i>`."""

    def __init__(self, engine: Engine, cuts: Mapping[int, Cut], k: int) -> None:
        self.engine = engine
        self.cuts = cuts
        self.k = k

    def begin(self) -> None:
        """Create the roots of all attributes, and the gain of opening each node of a tree."""
        engine = self.engine
        engine.make("methods/specialize/no_fork", to="ppdt_fork")
        for cut in self.cuts.values():
            if cut.kind == "tree" and cut.attribute.n_codes > 1:
                step = "fork" if cut.attribute.has_hierarchy else "flat_fork"
                names = {"attribute": cut.attribute}
                engine.append(f"methods/specialize/{step}", "ppdt_fork", {}, names)
        self._make_tree_candidates()
        whole = [cut for cut in self.cuts.values() if cut.kind == "interval"]
        for cut in whole:
            cut.spans[0] = (0, cut.attribute.n_codes - 1)
        self.cut_intervals([(cut, 0) for cut in whole])
        for cut in self.cuts.values():
            if cut.kind == "hidden":
                self.weigh_values(cut)
            self.place(cut)

    def _make_tree_candidates(self) -> None:
        """Store the gains of all inner nodes, and the roots as candidates."""
        for row in self.engine.rows("methods/specialize/gain"):
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

    def cut_intervals(self, wanted: Sequence[tuple[Cut, int]]) -> None:
        """Return the best binary cuts of intervals, as candidates."""
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
        self.engine.make("methods/specialize/edge", params)
        self.engine.make("methods/specialize/best_cut")
        self.engine.append("methods/specialize/cut_fork", "ppdt_fork")
        for row in self.engine.rows("methods/specialize/found_cut"):
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

    def weigh_values(self, cut: Cut) -> None:
        """Compute the present gain of each suppressed value; earlier counts stay valid."""
        params = {
            "attribute_id": cut.attribute.position,
            "k": self.k,
            **listed({"disclosed": cut.disclosed}),
        }
        is_first = not cut.disclosed
        for row in self.engine.rows("methods/specialize/value_gain", params):
            code, gain = int(str(row[0])), _number(row[2])
            if is_first:
                cut.open[code] = Candidate(
                    attribute=cut.attribute, node_id=code, first_code=code, gain=gain
                )
            elif code in cut.open:
                cut.open[code].gain = gain

    def place(self, cut: Cut) -> None:
        """Store the children to which the attribute's candidates would send its codes."""
        if not cut.open:
            self.engine.drop(cut.child)
            return
        step = (
            "methods/specialize/child_value" if cut.kind == "hidden" else "methods/specialize/child"
        )
        params = listed({"node_ids": list(cut.open)})
        self.engine.make(step, params, {"attribute": cut.attribute}, to=cut.child)


def _number(value: object) -> float:
    assert isinstance(value, float)
    return value
