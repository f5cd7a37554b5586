"""Mondrian: cut the table at medians, one level a turn, until no cut would keep the guarantee.

LeFevre, DeWitt, Ramakrishnan (2006, 2008), with the set-based generalization of Shao and Beckford.
Each turn asks one query of each kind for all open nodes together:

    span ─▶ node ─▶ pick ─▶ histogram ─▶ candidate ─▶ allowed ─▶ cut ─▶ split
             ▲        (the widest attribute first; the next one       │
             │         only where it has no allowed cut)              │
             └────────────────────────────────────────────────────────┘
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal, get_args

from ppdt_db.encode import Encoded, Wants, family_of
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.guard import Guard
from ppdt_db.label import label_columns, make_labels
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.policy import Roles

Criterion = Literal["balanced", "median", "ncp", "foresight", "infogain"]
CRITERIA: tuple[str, ...] = get_args(Criterion)
SINGLE_TRIES = 4
MAX_ATTRIBUTES = 100
MAX_TARGET_CLASSES = 1000
MAX_INTEGER_CLASSES = 20


@dataclass(frozen=True, kw_only=True)
class Mondrian:
    """Multidimensional partitioning into classes of at least k rows.

    >>> Mondrian(k=10, criterion="ncp").guarantee
    'k-anonymity'
    """

    k: int = 10
    l: int = 1  # noqa: E741
    entropy: float | None = None
    recursive: tuple[float, int] | None = None
    t: float | None = None
    alpha: float | None = None
    beta: float | None = None
    enhanced_beta: float | None = None
    delta: float | None = None
    relaxed: bool = False
    criterion: Criterion = "balanced"

    name = "mondrian"
    is_global = False

    @property
    def guarantee(self) -> str:
        """The exact name of what is kept."""
        return self.guard.guarantee

    @property
    def grain(self) -> Grain:
        """Relaxed Mondrian divides equal rows; strict Mondrian goes by values alone."""
        return "row" if self.relaxed else "cell"

    @property
    def guard(self) -> Guard:
        """What every class must keep."""
        return Guard(
            k=self.k,
            l=self.l,
            entropy=self.entropy,
            recursive=self.recursive,
            t=self.t,
            alpha=self.alpha,
            beta=self.beta,
            enhanced_beta=self.enhanced_beta,
            delta=self.delta,
        )

    @property
    def parameters(self) -> Mapping[str, object]:
        """All parameters, for the certificate."""
        return {
            **self.guard.parameters,
            "relaxed": self.relaxed,
            "criterion": self.criterion,
        }

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        """What is wrong with the request, before any work."""
        found: list[str] = []
        if self.criterion not in CRITERIA:
            found.append(f"criterion {self.criterion}: choose one of {', '.join(CRITERIA)}.")
        if self.relaxed and self.criterion not in ("balanced", "median"):
            found.append(
                f"relaxed Mondrian deals rows at the median; criterion {self.criterion} has no "
                "meaning there. Take balanced or median, or leave out --relaxed."
            )
        if self.criterion == "infogain" and roles.target is None:
            found.append("criterion infogain needs a target (--target).")
        if len(roles.quasi) > MAX_ATTRIBUTES:
            found.append(
                f"{len(roles.quasi)} quasi-identifiers: Mondrian takes at most {MAX_ATTRIBUTES}."
            )
        return found

    def wants(self, roles: Roles) -> Wants:
        """What encoding must prepare."""
        return Wants(
            distinct=self.guard.asks_of_sensitive,
            target=self.criterion == "infogain",
            rows=self.relaxed,
        )

    def partition(self, task: Task) -> None:
        """Cut until nothing can be cut; leaves `ppdt_member` behind."""
        _Partition(self, task).grow()

    def run(self, task: Task) -> Sequence[LabelColumn]:
        """Partition, then describe every class by its tight box."""
        self.partition(task)
        columns = label_columns(task.encoded.attributes)
        make_labels(task.engine, task.encoded, columns, self.grain)
        return columns


class _Partition:
    """The state of one run: which relations stand, and how many classes are settled."""

    def __init__(self, method: Mondrian, task: Task) -> None:
        self.method = method
        self.engine: DuckEngine = task.engine
        self.encoded: Encoded = task.encoded
        self.progress = task.progress
        self.unit = "row_id" if method.relaxed else "cell_id"
        attributes = task.encoded.attributes
        self.names: dict[str, object] = {
            "attributes": attributes,
            **method.guard.names(task.encoded.things),
            "target": task.encoded.target,
            "unit": self.unit,
            "foresight": method.criterion == "foresight",
            "only_median": method.criterion == "median",
            "attribute_bits": max(1, len(attributes).bit_length()),
            "code_bits": max(attribute.bits for attribute in attributes),
        }
        self.params: dict[str, object] = {**method.guard.params, "n_classes": 0}
        self.n_classes = 0

    def grow(self) -> None:
        """Cut level by level until nothing can be cut."""
        self._check_target()
        self._make("open")
        depth = max(1.0, log2(max(2.0, self.encoded.n_rows / self.method.k)))
        level = 0
        is_first = True
        while True:
            self.progress("partition", min(0.99, level / (depth + 6)))
            self._make("span")
            self._choose_cuts()
            self._make("turn")
            n_nodes, n_cuts = self.engine.row("mondrian/level")
            assert isinstance(n_nodes, int) and isinstance(n_cuts, int)
            self._settle(is_first)
            is_first = False
            self.n_classes += n_nodes - n_cuts
            if n_cuts == 0:
                break
            self._make("split_deal" if self.method.relaxed else "split")
            self.engine.rename(
                "ppdt_split_deal" if self.method.relaxed else "ppdt_split", "ppdt_open"
            )
            level += 1
        self.engine.drop(*WORKING)

    def _settle(self, is_first: bool) -> None:
        params = {**self.params, "n_classes": self.n_classes}
        if is_first:
            self.engine.make("mondrian/settled", params, self.names, to="ppdt_member")
        else:
            self.engine.append("mondrian/settled", "ppdt_member", params, self.names)

    def _choose_cuts(self) -> None:
        self._make("node")
        if self.method.criterion == "ncp":
            self._look_at("untried")
            self._make("balance")
            self._make("side")
            self._make("loss")
            self._make("least_loss", to="ppdt_cut")
        elif self.method.criterion == "foresight":
            self._look_at("untried")
            self._make("slice")
            self._make("both_sides", to="ppdt_side")
            self._make("loss")
            self._make("least_loss", to="ppdt_cut")
        elif self.method.criterion == "infogain":
            self._look_at("untried")
            self._make("target")
            self._make("variance_gain" if self._is_numeric_target() else "gain", to="ppdt_gain")
            self._make("most_gain", to="ppdt_cut")
        else:
            self._cut_the_widest()

    def _cut_the_widest(self) -> None:
        self._make("no_cut", to="ppdt_cut")
        self.engine.drop("ppdt_kept_deal")
        for number in range(SINGLE_TRIES + 1):
            self._look_at("widest" if number < SINGLE_TRIES else "untried")
            self.engine.append("mondrian/balanced", "ppdt_cut", self.params, self.names)
            if self.method.relaxed and number == 0:
                self._make("kept_deal")
            elif self.method.relaxed:
                self.engine.append("mondrian/kept_deal", "ppdt_kept_deal", {}, self.names)
            if number < SINGLE_TRIES:
                self._make("tried")
                self.engine.rename("ppdt_tried", "ppdt_node")
                if self.engine.count("mondrian/remaining") == 0:
                    break

    def _look_at(self, which: str) -> None:
        """From the attributes to look at, to the cuts that the guard allows on them."""
        self._make(which, to="ppdt_pick")
        self._make("histogram")
        if self.method.relaxed:
            self._make("median")
            self._make("dealt")
            self._make("dealt_candidate", to="ppdt_candidate")
            if self.names["things"]:
                self._make("dealt_distinct", to="ppdt_distinct")
            if self.method.guard.has_models:
                self._make("dealt_share", to="ppdt_share")
        else:
            self._make("candidate")
            if self.names["things"]:
                self._guard("reach")
                self._guard("distinct")
            if self.method.guard.has_models:
                self._guard("thing_code")
                self._guard("share")
        if self.method.guard.has_models:
            self._guard("side_share")
            self._guard("unfit")
            if self.names["ordered_kinds"]:
                self._guard("far")
        self._guard("allowed")

    def _check_target(self) -> None:
        target = self.encoded.target
        if target is None:
            return
        if target.n_codes == 1:
            raise RequestError(
                f'target "{target.name}": it has one value in the whole table, so no cut can gain '
                "information. Choose another target or criterion."
            )
        if not self._is_numeric_target() and target.n_codes > MAX_TARGET_CLASSES:
            raise RequestError(
                f'target "{target.name}": {target.n_codes:,} different values are too many classes '
                f"(at most {MAX_TARGET_CLASSES:,}). Group them first."
            )

    def _is_numeric_target(self) -> bool:
        """Whether the target's variance counts; whole numbers of few values are class labels."""
        target = self.encoded.target
        assert target is not None
        family = family_of(target.type_name)
        if family == "integer":
            return target.n_codes > MAX_INTEGER_CLASSES
        return family in ("float", "decimal", "huge")

    def _make(self, step: str, *, to: str | None = None) -> None:
        self.engine.make(f"mondrian/{step}", self.params, self.names, to=to)

    def _guard(self, step: str) -> None:
        self.engine.make(f"guard/{step}", self.params, self.names)


WORKING = [
    "ppdt_open", "ppdt_span", "ppdt_node", "ppdt_pick", "ppdt_histogram", "ppdt_candidate",
    "ppdt_reach", "ppdt_distinct", "ppdt_allowed", "ppdt_cut", "ppdt_turn", "ppdt_median",
    "ppdt_dealt", "ppdt_kept_deal", "ppdt_balance", "ppdt_slice", "ppdt_side", "ppdt_loss",
    "ppdt_target", "ppdt_gain", "ppdt_thing_code", "ppdt_share", "ppdt_side_share", "ppdt_unfit",
    "ppdt_far", "ppdt_whole_share",
]  # fmt: skip
