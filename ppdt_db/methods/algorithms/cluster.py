"""Form clusters of rows that are close to each other, in all parts at once.

A part is the whole table, or a class that another method formed. Each turn asks one query of each
kind for all open parts together, and forms one cluster, or a pair of them, in every one:

    tally ─▶ centre ─▶ far ─▶ ring ─▶ pair ─▶ member
      ▲      (the row farthest from the centre, and its nearest rows;   │
      │       around the row farthest from that one, a second cluster)  │
      └──────────────────────────── what is left ───────────────────────┘
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from ppdt_db.engine import Engine
from ppdt_db.methods.algorithms.distance import DistanceColumn, InformationLoss, fineness
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard, broken_groups
from ppdt_db.methods.options import option
from ppdt_db.sqltext.templates import Statement, render

ClusterForm = Literal["mdav", "vmdav", "mdav2k"]
TURNS_UNTIL_TIDY = 64
GAIN = option(help="vmdav, mdav2k, mict: how far to extend clusters. Default: 0.2.", least=0)


class Clustering:
    """The state of a clustering; it divides the parts of `ppdt_coarse` into `ppdt_member`."""

    def __init__(
        self,
        task: Task,
        axes: Sequence[DistanceColumn],
        guard: Guard,
        form: ClusterForm,
        gain: float,
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
        """Form the clusters; merge those that break the guard with their nearest."""
        self.engine.make("methods/microaggregate/none", to="ppdt_member")
        self._make_points("ppdt_coarse")
        self._n_first = max(1, self._largest())
        if self.form == "mdav":
            self._run_mdav()
        elif self.form == "mdav2k":
            self._run_mdav2k()
        else:
            self._run_vmdav()
        self._assign_strays()
        self.merge()
        self.engine.drop(*WORKING)

    def centres(self, place: str) -> None:
        """Return the centre of every class of a relation of rows."""
        self._make_points(place)
        self._make("centre")

    def loss(self) -> InformationLoss:
        """Return the information loss of the classes, over all released rows."""
        sums: list[float] = []
        self.engine.make("methods/microaggregate/everyone")
        for place in ("ppdt_member", "ppdt_everyone"):
            self.centres(place)
            total = self.engine.row(
                "methods/microaggregate/loss", {"fine": self._fine}, self.names
            )[0]
            sums.append(float(str(total)) / self._fine)
        self.engine.drop(*WORKING)
        return InformationLoss(sse=round(sums[0], 9), sst=round(sums[1], 9))

    # -- forms ---------------------------------------------------------------------------------

    def _run_mdav(self) -> None:
        """Run MDAV: two clusters a turn while 3k rows are left, then one of k, then the rest."""
        k = self.guard.k
        left = self._largest()
        while left >= 3 * k:
            self._choose_seeds("ppdt_centre", least=3 * k)
            self._make("ring")
            self._make("pair", to="ppdt_taken")
            self._assign_and_remove()
            left -= 2 * k
            self._report(left)
        self._cluster_rest()

    def _run_mdav2k(self) -> None:
        """Run MDAV2k: the clusters of a pair grow before the next pair is formed."""
        k = self.guard.k
        while (left := self._largest()) >= 3 * k:
            self._report(left)
            self._choose_seeds("ppdt_centre", least=3 * k)
            self._take_and_grow()
            self._choose_seeds("ppdt_seed", least=k)
            self._take_and_grow()
        self._cluster_rest()

    def _run_vmdav(self) -> None:
        """Run V-MDAV: one cluster a turn, around the row farthest from the first centre."""
        self._make("centre")
        self.engine.rename("ppdt_centre", "ppdt_origin")
        while (left := self._largest()) >= self.guard.k:
            self._report(left)
            self._choose_seeds("ppdt_origin", least=self.guard.k)
            self._take_and_grow()

    def _cluster_rest(self) -> None:
        """Cut a last cluster of k rows from parts of 2k or more, and put the rest into one."""
        if self._largest() >= 2 * self.guard.k:
            self._choose_seeds("ppdt_centre", least=2 * self.guard.k)
            self._make("ring")
            self._make("taken")
            self._assign_and_remove()
        self._make("rest", to="ppdt_taken")
        self._assign_and_remove()

    # -- one turn ------------------------------------------------------------------------------

    def _choose_seeds(self, reference: str, *, least: int) -> None:
        """Choose the row farthest from the centre of each large part, or from another seed."""
        if reference == "ppdt_centre":
            self._make("centre")
        is_seed = reference == "ppdt_seed"
        to = "ppdt_farthest" if is_seed else "ppdt_seed"
        self._make("farthest", {"reference": reference}, to=to, least=least)
        if is_seed:
            self.engine.rename("ppdt_farthest", "ppdt_seed")

    def _take_and_grow(self) -> None:
        """Form the cluster of every seed, and let it take in up to k - 1 more rows."""
        self._make("ring")
        self._make("taken")
        for number in range(self.guard.k - 1):
            self._make("joiner", {"again": number > 0}, to="ppdt_joined")
            self.engine.rename("ppdt_joined", "ppdt_joiner")
            if self.engine.count("methods/microaggregate/grew") == 0:
                break
            self.engine.append(self._statement("joining"), "ppdt_taken")
        self._assign_and_remove()

    def _assign_and_remove(self) -> None:
        """Assign the rows taken to their class, and go on without them."""
        self.engine.append(self._statement("member"), "ppdt_member")
        self.engine.append(self._statement("spent"), "ppdt_tally")
        self.engine.delete(self._statement("gone"), "ppdt_point", "row_id")
        self._n_turns += 1
        if self._n_turns % TURNS_UNTIL_TIDY == 0:
            self._make("net_tally")
            self.engine.rename("ppdt_net_tally", "ppdt_tally")
            self._make("left")
            self.engine.rename("ppdt_left", "ppdt_point")

    def _make_points(self, place: str) -> None:
        """Turn the rows of the parts into points, with the sums that their centres follow from."""
        self._make("point", {"place": place})
        self._make("tally")

    # -- afterwards ----------------------------------------------------------------------------

    def _assign_strays(self) -> None:
        """Put fewer than k leftover rows into their nearest classes; divide those of 2k rows."""
        if self._largest() == 0:
            return
        self.engine.rename("ppdt_point", "ppdt_stray")
        self.centres("ppdt_member")
        self._make("home")
        self.engine.append(self._statement("housed"), "ppdt_member")
        self._make("large", k=self.guard.k)
        self.engine.delete(self._statement("parted"), "ppdt_member", "row_id")
        self._make_points("ppdt_large")
        self._run_mdav()

    def merge(self) -> None:
        """Merge classes that break the guard with their nearest, until none breaks it."""
        if not self.task.encoded.protected_keys:
            return
        while True:
            broken = broken_classes(self.task, self.guard, "ppdt_member")
            if not broken:
                break
            self.centres("ppdt_member")
            self._make("home")
            found = self.engine.rows(
                "methods/microaggregate/neighbour", {"class_ids": sorted(broken)}, self.names
            )
            merges = _disjoint_merges([(int(str(one)), int(str(other))) for one, other in found])
            if not merges:
                break
            params = {"class_ids": list(merges), "to_ids": list(merges.values())}
            self.engine.make("methods/microaggregate/merged", params)
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
        """Return a step, rendered once for all turns."""
        key = (step, str(names or {}))
        if key not in self._ready:
            self._ready[key] = render(
                f"methods/microaggregate/{step}", {**self.names, **(names or {})}
            )
        return self._ready[key]

    def _largest(self) -> int:
        return self.engine.count("methods/microaggregate/size")

    def _report(self, left: int) -> None:
        self.task.progress("cluster", min(0.99, 1 - left / self._n_first))


def broken_classes(task: Task, guard: Guard, place: str) -> set[int]:
    """Return the classes of a relation of rows that do not keep the guard."""
    size_groups(task, place)
    found = broken_groups(task.engine, task.encoded, guard)
    task.engine.drop("ppdt_group", "ppdt_group_protected")
    return found


def size_groups(task: Task, place: str) -> None:
    """Count the rows and the protected values of every class of a relation of rows."""
    names = {"place": place}
    task.engine.make("methods/microaggregate/class_size", names=names, to="ppdt_group")
    if task.encoded.protected_keys:
        task.engine.make(
            "methods/microaggregate/class_protected", names=names, to="ppdt_group_protected"
        )


def _disjoint_merges(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the merges of one round: nearest first, and no class in two of them."""
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
