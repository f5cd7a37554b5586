"""Micro: clusters of near rows, in all parts at once.

A part is the whole table, or a class that another method formed. Each turn asks one query of each
kind for all open parts together, and forms one cluster, or a pair of them, in every one:

    tally ─▶ centre ─▶ far ─▶ ring ─▶ pair ─▶ member
      ▲      (the row farthest from the centre, and its nearest rows;   │
      │       around the row farthest from that one, a second cluster)  │
      └──────────────────────────── what is left ───────────────────────┘
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from ppdt_db.axis import Axis, Loss, fineness
from ppdt_db.engine import Engine
from ppdt_db.guard import Guard, broken_groups
from ppdt_db.methods.contract import Task
from ppdt_db.template import Statement, render

Form = Literal["mdav", "vmdav", "mdav2k"]
TURNS_UNTIL_TIDY = 64


class Clustering:
    """Divides the parts of `ppdt_coarse` into the classes of `ppdt_member`."""

    def __init__(
        self, task: Task, axes: Sequence[Axis], guard: Guard, form: Form, gain: float
    ) -> None:
        self.task = task
        self.engine: Engine = task.engine
        self.guard = guard
        self.form = form
        self.params: Mapping[str, object] = {"k": guard.k, "gain": gain}
        self.names: Mapping[str, object] = {"axes": axes}
        self._fine = fineness(axes)
        self._ready: dict[tuple[str, str], Statement] = {}
        self._n_first = 0
        self._n_turns = 0

    def run(self) -> None:
        """Form the clusters, and let those that break the guard join their nearest."""
        self.engine.make("micro/none", to="ppdt_member")
        self._start("ppdt_coarse")
        self._n_first = max(1, self._largest())
        if self.form == "mdav":
            self._pairs()
        elif self.form == "mdav2k":
            self._growing_pairs()
        else:
            self._growing_ones()
        self._house()
        self.merge()
        self.engine.drop(*WORKING)

    def centres(self, place: str) -> None:
        """The centre of every class of a relation of rows."""
        self._start(place)
        self._make("centre")

    def loss(self) -> Loss:
        """What the classes lose, over all rows that are released."""
        sums: list[float] = []
        self.engine.make("micro/everyone")
        for place in ("ppdt_member", "ppdt_everyone"):
            self.centres(place)
            total = self.engine.row("micro/loss", {"fine": self._fine}, self.names)[0]
            sums.append(float(str(total)) / self._fine)
        self.engine.drop(*WORKING)
        return Loss(sse=round(sums[0], 9), sst=round(sums[1], 9))

    # -- forms ---------------------------------------------------------------------------------

    def _pairs(self) -> None:
        """MDAV: two clusters a turn while 3k rows are left, then one of k, then the rest."""
        k = self.guard.k
        left = self._largest()
        while left >= 3 * k:
            self._seed("ppdt_centre", least=3 * k)
            self._make("ring")
            self._make("pair", to="ppdt_taken")
            self._leave()
            left -= 2 * k
            self._report(left)
        self._rest()

    def _growing_pairs(self) -> None:
        """MDAV2k: the clusters of a pair grow before the next one is formed."""
        k = self.guard.k
        while (left := self._largest()) >= 3 * k:
            self._report(left)
            self._seed("ppdt_centre", least=3 * k)
            self._take_and_grow()
            self._seed("ppdt_seed", least=k)
            self._take_and_grow()
        self._rest()

    def _growing_ones(self) -> None:
        """V-MDAV: one cluster a turn, around the row farthest from the first centre."""
        self._make("centre")
        self.engine.rename("ppdt_centre", "ppdt_origin")
        while (left := self._largest()) >= self.guard.k:
            self._report(left)
            self._seed("ppdt_origin", least=self.guard.k)
            self._take_and_grow()

    def _rest(self) -> None:
        """A part of 2k rows or more gives one cluster of k; what is left then is the last one."""
        if self._largest() >= 2 * self.guard.k:
            self._seed("ppdt_centre", least=2 * self.guard.k)
            self._make("ring")
            self._make("taken")
            self._leave()
        self._make("rest", to="ppdt_taken")
        self._leave()

    # -- one turn ------------------------------------------------------------------------------

    def _seed(self, reference: str, *, least: int) -> None:
        """In every part of enough rows the row farthest from its centre, or from another seed."""
        if reference == "ppdt_centre":
            self._make("centre")
        is_seed = reference == "ppdt_seed"
        to = "ppdt_far" if is_seed else "ppdt_seed"
        self._make("far", {"reference": reference}, to=to, least=least)
        if is_seed:
            self.engine.rename("ppdt_far", "ppdt_seed")

    def _take_and_grow(self) -> None:
        """The cluster of every seed, and up to k - 1 rows that it takes in besides."""
        self._make("ring")
        self._make("taken")
        for number in range(self.guard.k - 1):
            self._make("joiner", {"again": number > 0}, to="ppdt_joined")
            self.engine.rename("ppdt_joined", "ppdt_joiner")
            if self.engine.count("micro/grew") == 0:
                break
            self.engine.append(self._statement("joining"), "ppdt_taken")
        self._leave()

    def _leave(self) -> None:
        """Give the rows that were taken their class, and go on without them."""
        self.engine.append(self._statement("member"), "ppdt_member")
        self.engine.append(self._statement("spent"), "ppdt_tally")
        self.engine.delete(self._statement("gone"), "ppdt_point", "row_id")
        self._n_turns += 1
        if self._n_turns % TURNS_UNTIL_TIDY == 0:
            self._make("balance")
            self.engine.rename("ppdt_balance", "ppdt_tally")
            self._make("left")
            self.engine.rename("ppdt_left", "ppdt_point")

    def _start(self, place: str) -> None:
        """The rows of the parts as points, and what their centres follow from."""
        self._make("point", {"place": place})
        self._make("tally")

    # -- afterwards ----------------------------------------------------------------------------

    def _house(self) -> None:
        """Fewer than k rows that are left over join their nearest classes; those of 2k divide."""
        if self._largest() == 0:
            return
        self.engine.rename("ppdt_point", "ppdt_stray")
        self.centres("ppdt_member")
        self._make("home")
        self.engine.append(self._statement("housed"), "ppdt_member")
        self._make("large", k=self.guard.k)
        self.engine.delete(self._statement("parted"), "ppdt_member", "row_id")
        self._start("ppdt_large")
        self._pairs()

    def merge(self) -> None:
        """Classes that break the guard become one with their nearest, until none breaks it."""
        if not self.task.encoded.things:
            return
        while True:
            broken = broken_classes(self.task, self.guard, "ppdt_member")
            if not broken:
                break
            self.centres("ppdt_member")
            self._make("home")
            found = self.engine.rows("micro/neighbour", {"class_ids": sorted(broken)}, self.names)
            merges = _apart([(int(str(one)), int(str(other))) for one, other in found])
            if not merges:
                break
            params = {"class_ids": list(merges), "to_ids": list(merges.values())}
            self.engine.make("micro/merged", params)
            self.engine.rename("ppdt_merged", "ppdt_member")

    # -- execution -----------------------------------------------------------------------------

    def _make(
        self,
        step: str,
        names: Mapping[str, object] | None = None,
        *,
        to: str | None = None,
        **params: object,
    ) -> None:
        statement = self._statement(step, names or {})
        self.engine.make(statement, {**self.params, **params}, to=to)

    def _statement(self, step: str, names: Mapping[str, object] | None = None) -> Statement:
        """A step, rendered once for all turns."""
        key = (step, str(names or {}))
        if key not in self._ready:
            self._ready[key] = render(f"micro/{step}", {**self.names, **(names or {})})
        return self._ready[key]

    def _largest(self) -> int:
        return self.engine.count("micro/size")

    def _report(self, left: int) -> None:
        self.task.progress("cluster", min(0.99, 1 - left / self._n_first))


def broken_classes(task: Task, guard: Guard, place: str) -> set[int]:
    """The classes of a relation of rows that do not keep the guard."""
    names = {"place": place}
    task.engine.make("micro/class_size", names=names, to="ppdt_group")
    if task.encoded.things:
        task.engine.make("micro/class_thing", names=names, to="ppdt_group_thing")
    found = broken_groups(task.engine, task.encoded, guard)
    task.engine.drop("ppdt_group", "ppdt_group_thing")
    return found


def _apart(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The merges of one round: nearest first, and no class in two of them."""
    merges: dict[int, int] = {}
    touched: set[int] = set()
    for one, other in pairs:
        if one not in touched and other not in touched:
            merges[one] = other
            touched |= {one, other}
    return merges


WORKING = [
    "ppdt_point", "ppdt_tally", "ppdt_centre", "ppdt_origin", "ppdt_seed", "ppdt_ring",
    "ppdt_taken", "ppdt_joiner", "ppdt_stray", "ppdt_home", "ppdt_large",
    "ppdt_everyone",
]  # fmt: skip
