"""Run every stage on small samples of the source, and measure time and memory.

Nothing of a trial is released or kept, inside the database or outside.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import duckdb

from ppdt_db.cost.effort import corrected, guessed
from ppdt_db.cost.monitor import EngineBytes, ResourceMonitor
from ppdt_db.cost.scaling import Size, Trial, levels_of, work_of
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import deadline
from ppdt_db.errors import GuaranteeError
from ppdt_db.methods import Method
from ppdt_db.plan.allowance import Allowance, TooLongError
from ppdt_db.plan.samples import LARGEST_ROWS, SAMPLE, Samples
from ppdt_db.policy.roles import Roles
from ppdt_db.progress import Progress
from ppdt_db.release.prove import prove
from ppdt_db.release.record import Record
from ppdt_db.release.request import Order
from ppdt_db.release.stages import Run, arrange, encode, form_classes, label
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import ident

# The least growth from one trial to the next, and the number of possible sizes.
LARGER = 4
N_SIZES = 6
# A trial of fewer rows measures little more than the fixed costs.
FEW_ROWS = 1_000
# The first of two trials is smaller by this factor.
APART = 16
# The run may be shorter than guessed from counts by the first factor, and a trial longer by the
# second; a trial that has to be stopped measures nothing.
CAUTION, MARGIN = 2, 1.5
SHOWN = "ppdt_tried"


class Trials:
    """The measurements of a run before it starts: a guess from counts, corrected by trials.

    Trials are made as long as the plan's time allows. A sample may be too small for the guarantee;
    then only larger ones count, or none.
    """

    def __init__(
        self,
        engine: DuckEngine,
        read: Source,
        roles: Roles,
        order: Order,
        whole: Size,
        budget: Allowance,
    ) -> None:
        self.engine = engine
        self.read = read
        self.roles = roles
        self.order = order
        self.method = order.method
        self.whole = whole
        self.budget = budget
        self.done: list[Trial] = []

    def run(self) -> None:
        """Run the trials that fit into the time."""
        least = max(FEW_ROWS, 2 * self.method.guard.k)
        largest = min(LARGEST_ROWS, self.whole.n_rows // 2)
        sizes = [n for power in range(N_SIZES) if (n := largest // LARGER**power) >= least]
        if self._next_size(sizes) is None:
            return
        samples = Samples(self.engine, self.read, self.roles, least=2 * self.method.guard.k)
        n_largest = samples.begin(self.whole.n_rows, largest)
        while (n_wanted := self._next_size(sizes)) is not None:
            sizes = [n for n in sizes if n >= LARGER * n_wanted]
            n_drawn = samples.draw(min(1.0, n_wanted / n_largest))
            if not n_drawn and not self.done and not sizes:
                # If there are few cells with many rows each, a part may contain none of them.
                n_drawn = samples.draw(1.0)
            if n_drawn < samples.least or (self.done and n_drawn <= self.done[-1].size.n_rows):
                continue
            try:
                self.done.append(self._run_trial(n_drawn))
            except GuaranteeError:
                continue
            except TooLongError:
                break
        samples.end()

    def known(self, at: Size | None = None) -> list[Trial]:
        """Return the data to extrapolate from: two or more trials, or a corrected guess."""
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
        """Return the work that a trial of this many rows takes at most."""
        share = n_rows / max(1, self.whole.n_rows)
        n_cells = max(1, round(self.whole.n_cells * share))
        size = replace(self.whole, n_rows=n_rows, n_cells=n_cells)
        return MARGIN * sum(self.known(size)[0].work_seconds.values())

    @property
    def _allowed(self) -> float:
        """The time for the whole plan, as far as the run is known."""
        known = self.known()
        levels = levels_of(known[-1], self.whole, self.method.guard.k)
        run_seconds = sum(work_of(known, self.whole, levels).values())
        return self.budget.allowed(run_seconds if self.done else run_seconds / CAUTION)

    def _next_size(self, sizes: Sequence[int]) -> int | None:
        """Return the number of rows of the next trial; None if no more fit.

        Two trials measure more than one: if both fit, the first is much smaller.
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

    def _run_trial(self, n_rows: int) -> Trial:
        """Run one trial; stop it if it takes more time than is left."""
        allowed = self._allowed

        def is_over() -> bool:
            return self.budget.spent > allowed

        def watch(stage: str, share: float) -> None:
            if is_over():
                raise TooLongError
            self.budget.report()

        if self.engine.is_inside():
            # Stopping a statement would abort the caller's transaction.
            return self._measure_trial(n_rows, watch)
        with deadline(self.engine.con, is_over, TooLongError):
            return self._measure_trial(n_rows, watch)

    def _measure_trial(self, n_rows: int, watch: Progress) -> Trial:
        """Run one trial, and return its measurements."""
        with closing(self.engine.con.cursor()) as cursor:
            held = _memory_growth(DuckEngine(cursor))
            own = DuckEngine(self.engine.con)
            with own.cleared(), ResourceMonitor(watch, None, held) as gauge:
                size, shown = self._run_stages(own, n_rows, gauge, held)
        taken = gauge.taken
        of_engine = _without_release(taken.held_bytes, shown)
        most = max((held.total for held in of_engine.values()), default=0)
        return Trial(
            size=size,
            n_levels=taken.levels,
            row_bytes=shown / size.n_rows,
            seconds=_with_writing(taken.seconds),
            work_seconds=_with_writing(taken.work_seconds),
            held_bytes=of_engine,
            own_bytes=max(0, taken.memory_bytes - most),
        )

    def _run_stages(
        self, engine: DuckEngine, n_rows: int, progress: Progress, held: Callable[[], EngineBytes]
    ) -> tuple[Size, int]:
        """Run the stages on the sample; return its size, and the bytes of the release."""
        sample = replace(self.read, kind="table", relation=ident(SAMPLE))
        run = Run(order=self.order, engine=engine, source=sample, progress=progress)
        run.staged, run.roles, run.n_rows = sample, self.roles, n_rows
        run.record = Record(engine)
        for stage in (encode, form_classes, label, arrange):
            stage(run)
        progress("show", 0.0)
        before = held().tables
        engine.make("recode/release", names=run.inputs.names, to=SHOWN)
        shown = held().tables - before
        progress("audit", 0.0)
        prove(run, ident(SHOWN))
        return size_of(self.method, run.encoded.n_rows, run.encoded.n_cells), shown


def size_of(method: Method, n_rows: int, n_cells: int) -> Size:
    """Return the size of a run by a method, with the laws of its stages."""
    laws = {stage: effort.law for stage, effort in method.effort.items()}
    return Size(n_rows=n_rows, n_cells=n_cells, by_row=method.grain == "row", laws=laws)


def _with_writing(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return the seconds of the stages; writing the release is part of recoding."""
    spent = dict(seconds)
    spent["recode"] = spent.get("recode", 0.0) + spent.pop("show", 0.0)
    return spent


def _without_release(held: Mapping[str, EngineBytes], shown: int) -> dict[str, EngineBytes]:
    """Return the memory of the stages without the release, which a run writes elsewhere."""
    audit = held.get("audit", EngineBytes())
    kept = {stage: of_stage for stage, of_stage in held.items() if stage != "show"}
    return {**kept, "audit": EngineBytes(tables=max(0, audit.tables - shown), others=audit.others)}


def _memory_growth(engine: DuckEngine) -> Callable[[], EngineBytes]:
    """Return a function for the engine's memory above the present level; it is thread-safe."""
    before = engine.held_bytes()
    lock = threading.Lock()

    def more() -> EngineBytes:
        try:
            with lock:
                now = engine.held_bytes()
        except duckdb.Error:
            # A failed engine raises its error in the working thread.
            return EngineBytes()
        tables, others = (max(0, a - b) for a, b in zip(now, before, strict=True))
        return EngineBytes(tables=tables, others=others)

    return more
