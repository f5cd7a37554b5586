"""Trial: every stage of a run on small samples of its own source, with time and memory taken.

Nothing of a trial is released or kept, not even outside of the database.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import duckdb

from ppdt_db.allowance import Allowance, TooLongError
from ppdt_db.effort import corrected, guessed
from ppdt_db.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import deadline
from ppdt_db.errors import GuaranteeError
from ppdt_db.gauge import Gauge, Held
from ppdt_db.guard import check_feasible
from ppdt_db.laws import Size, Trial, levels_of, work_of
from ppdt_db.methods import Method
from ppdt_db.methods.contract import Progress, Task
from ppdt_db.names import Private, ident
from ppdt_db.policy import Roles
from ppdt_db.prove import Prover
from ppdt_db.pseudonym import pseudonym_params
from ppdt_db.recode import Parts, arrange, sort_rows
from ppdt_db.samples import LARGEST_ROWS, SAMPLE, Samples
from ppdt_db.source import Source

# How much every trial is larger than the one before at least, and how many sizes there are at most.
LARGER = 4
N_SIZES = 6
# A trial of fewer rows tells little but what each takes whatever its size.
FEW_ROWS = 1_000
# The first of two trials is so much smaller.
APART = 16
# The run may turn out so much shorter than counts alone say, and a trial so much longer: one that
# has to be ended tells nothing.
CAUTION, MARGIN = 2, 1.5
SHOWN = "ppdt_tried"


class Trials:
    """What is known of a run beforehand: by counts alone, corrected by what samples of it take.

    Trials are made for as long as they fit into what the plan may take. A part may be too small for
    what is asked of each class: then the larger ones tell, or none.
    """

    def __init__(
        self,
        engine: DuckEngine,
        read: Source,
        roles: Roles,
        method: Method,
        whole: Size,
        budget: Allowance,
    ) -> None:
        self.engine = engine
        self.read = read
        self.roles = roles
        self.method = method
        self.whole = whole
        self.budget = budget
        self.done: list[Trial] = []

    def run(self) -> None:
        """Make the trials that fit."""
        least = max(FEW_ROWS, 2 * self.method.guard.k)
        largest = min(LARGEST_ROWS, self.whole.n_rows // 2)
        sizes = [n for power in range(N_SIZES) if (n := largest // LARGER**power) >= least]
        if self._next(sizes) is None:
            return
        samples = Samples(self.engine, self.read, self.roles, least=2 * self.method.guard.k)
        n_largest = samples.begin(self.whole.n_rows, largest)
        while (n_wanted := self._next(sizes)) is not None:
            sizes = [n for n in sizes if n >= LARGER * n_wanted]
            n_drawn = samples.draw(min(1.0, n_wanted / n_largest))
            if not n_drawn and not self.done and not sizes:
                # Few cells with many rows each: all of them or none are in a part.
                n_drawn = samples.draw(1.0)
            if n_drawn < samples.least or (self.done and n_drawn <= self.done[-1].size.n_rows):
                continue
            try:
                self.done.append(self._tried())
            except GuaranteeError:
                continue
            except TooLongError:
                break
        samples.end()

    def known(self, at: Size | None = None) -> list[Trial]:
        """What the laws go by: two trials or more; or else a guess, corrected by one trial."""
        if len(self.done) > 1 and at is None:
            return self.done
        size = at or self.whole
        guess = self._guess(size)
        if not self.done:
            return [guess]
        return [corrected(guess, self._guess(self.done[-1].size), self.done[-1])]

    def _guess(self, size: Size) -> Trial:
        return guessed(
            self.method.effort, size, k=self.method.guard.k,
            n_attributes=len(self.roles.quasi), n_columns=len(self.read.columns),
        )  # fmt: skip

    def _seconds(self, n_rows: int) -> float:
        """The work that a trial of so many rows takes at most."""
        share = n_rows / max(1, self.whole.n_rows)
        n_cells = max(1, round(self.whole.n_cells * share))
        size = replace(self.whole, n_rows=n_rows, n_cells=n_cells)
        return MARGIN * sum(self.known(size)[0].work_seconds.values())

    @property
    def _allowed(self) -> float:
        """What the plan may take altogether, as far as is known of the run."""
        known = self.known()
        levels = levels_of(known[-1], self.whole, self.method.guard.k)
        run_seconds = sum(work_of(known, self.whole, levels).values())
        return self.budget.allowed(run_seconds if self.done else run_seconds / CAUTION)

    def _next(self, sizes: Sequence[int]) -> int | None:
        """How many rows the next trial has; None where no more fit.

        Two trials tell more than one: the first is much smaller, where both fit.
        """
        room = self._allowed - self.budget.spent
        for n_rows in sizes:
            smaller = n_rows // APART
            is_pair = not self.done and smaller >= FEW_ROWS
            if is_pair and self._seconds(n_rows) + self._seconds(smaller) <= room:
                return smaller
            if self._seconds(n_rows) <= room and (self.done or not is_pair):
                return n_rows
        return None if self.done else next((n for n in sizes if self._seconds(n) <= room), None)

    def _tried(self) -> Trial:
        """One trial; it is ended where it takes more than is left."""
        allowed = self._allowed

        def is_over() -> bool:
            return self.budget.spent > allowed

        def watch(stage: str, share: float) -> None:
            if is_over():
                raise TooLongError
            self.budget.report()

        if self.engine.is_inside():
            # To stop a statement would abort the caller's transaction.
            return self._measured(watch)
        with deadline(self.engine.con, is_over, TooLongError):
            return self._measured(watch)

    def _measured(self, watch: Progress) -> Trial:
        """What one trial takes."""
        sample = replace(self.read, kind="table", relation=ident(SAMPLE))
        with closing(self.engine.con.cursor()) as cursor:
            held = _held(DuckEngine(cursor))
            own = DuckEngine(self.engine.con)
            with own.cleared(), Gauge(watch, None, held) as gauge:
                size, shown = _run(own, sample, self.roles, self.method, gauge, held)
        taken = gauge.taken
        of_engine = _without_shown(taken.held_bytes, shown)
        most = max((held.total for held in of_engine.values()), default=0)
        return Trial(
            size=size,
            n_levels=taken.levels,
            row_bytes=shown / size.n_rows,
            seconds=_with_showing(taken.seconds),
            work_seconds=_with_showing(taken.work_seconds),
            held_bytes=of_engine,
            own_bytes=max(0, taken.memory_bytes - most),
        )


def _with_showing(seconds: Mapping[str, float]) -> dict[str, float]:
    """The seconds of the stages; to write the release is a part of recoding."""
    spent = dict(seconds)
    spent["recode"] = spent.get("recode", 0.0) + spent.pop("show", 0.0)
    return spent


def _without_shown(held: Mapping[str, Held], shown: int) -> dict[str, Held]:
    """What is held in the stages without the release, which a run writes to its place."""
    audit = held.get("audit", Held())
    kept = {stage: of_stage for stage, of_stage in held.items() if stage != "show"}
    return {**kept, "audit": Held(tables=max(0, audit.tables - shown), others=audit.others)}


def _held(engine: DuckEngine) -> Callable[[], Held]:
    """What the engine holds more than it does now; may be asked by several threads."""
    before = engine.held_bytes()
    lock = threading.Lock()

    def more() -> Held:
        try:
            with lock:
                now = engine.held_bytes()
        except duckdb.Error:
            # An engine that has failed says so to the thread that works.
            return Held()
        tables, others = (max(0, a - b) for a, b in zip(now, before, strict=True))
        return Held(tables=tables, others=others)

    return more


def _run(
    engine: DuckEngine,
    sample: Source,
    roles: Roles,
    method: Method,
    progress: Progress,
    held: Callable[[], Held],
) -> tuple[Size, int]:
    """The stages of a run; returns what it was of, and the bytes of the release."""
    key = Private(secrets.token_hex(16))
    params: Mapping[str, object] = {"run_key": key, **pseudonym_params(key, "")}
    prover = Prover(engine=engine, method=method, roles=roles, read=sample, digest_key=key)
    encoded = encode(engine, sample, roles, method.wants(roles), params, progress)
    prover.fingerprint(sample.relation, sample.columns)
    check_feasible(engine, encoded, method.guard, roles)
    task = Task(engine=engine, encoded=encoded, run_key=key, progress=progress)
    labels = method.run(task)
    progress("recode", 0.0)
    columns = arrange(sample, encoded, labels)
    parts = Parts(
        source=sample, encoded=encoded, labels=labels, columns=columns, grain=method.grain
    )
    sort_rows(engine, parts)
    progress("show", 0.0)
    before = held().tables
    engine.make("recode/release", names=parts.names, to=SHOWN)
    shown = held().tables - before
    progress("audit", 0.0)
    prover.prove(ident(SHOWN), parts)
    size = Size(n_rows=encoded.n_rows, n_cells=encoded.n_cells, by_row=method.grain == "row")
    return size, shown
