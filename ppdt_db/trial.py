"""Trial: every stage of a run on small samples of its own source, with time and memory taken.

Nothing of a trial is released or kept, not even outside of the database.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import duckdb

from ppdt_db.allowance import MOST_SECONDS, Allowance, TooLongError
from ppdt_db.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import GuaranteeError, RequestError
from ppdt_db.gauge import Gauge, Held
from ppdt_db.guard import check_feasible
from ppdt_db.laws import Size, Trial, curve, levels_of, work_of
from ppdt_db.methods import Method
from ppdt_db.methods.contract import Progress, Task
from ppdt_db.names import Private, ident
from ppdt_db.policy import Roles
from ppdt_db.prove import Prover
from ppdt_db.pseudonym import pseudonym_params
from ppdt_db.recode import Parts, arrange, sort_rows
from ppdt_db.samples import SAMPLE, Samples
from ppdt_db.source import Source

# How much every trial is larger than the one before, and how many sizes there are at most.
LARGER = 4
N_TRIALS = 5
# A trial of fewer rows tells little but what each takes whatever its size; one that takes less than
# this is followed by one two sizes larger.
FEW_ROWS = 1_000
QUICK_SECONDS = 0.6
SHOWN = "ppdt_tried"


def trials(
    engine: DuckEngine, read: Source, roles: Roles, method: Method, whole: Size, budget: Allowance
) -> list[Trial]:
    """Trials on samples of whole cells, the smallest first; one alone, where the source is small.

    They end with the largest sample, or where the next one would take more than a plan may. A part
    may be too small for what is asked of each class: then the larger ones tell.
    """
    samples = Samples(engine, read, roles, least=2 * method.guard.k)
    n_largest = samples.begin(whole.n_rows)
    least = max(samples.least, min(FEW_ROWS, n_largest // LARGER**2))
    smaller = next(n for n in reversed(range(N_TRIALS)) if n == 0 or n_largest / LARGER**n >= least)
    done: list[Trial] = []
    while smaller >= 0:
        n_drawn = samples.draw(1 / LARGER**smaller)
        is_enough = n_drawn >= samples.least and (not done or n_drawn > done[-1].size.n_rows)
        if is_enough or (smaller == 0 and not done):
            if done and budget.spent + _next_seconds(done, n_drawn) > _allowed(
                done, whole, method, budget
            ):
                break
            try:
                done.append(
                    _tried(engine, read, roles, method, _watch(done, whole, method, budget))
                )
            except GuaranteeError:
                pass
            except TooLongError:
                break
        is_quick = len(done) == 1 and sum(done[0].work_seconds.values()) < QUICK_SECONDS
        smaller -= 2 if is_quick and smaller > 1 else 1
    samples.end()
    if not done:
        raise RequestError(
            "no trial on a part of the source could keep the guarantee, so there is no plan. The "
            "run itself may: start it without a plan."
            if budget.spent < MOST_SECONDS
            else f"a part of the source alone took more than {MOST_SECONDS:.0f} s, so there is no "
            "plan. The run takes many times as long: start it without a plan."
        )
    return done


def _run_seconds(done: Sequence[Trial], whole: Size, method: Method) -> float:
    """The work of the run, as far as these trials tell; one alone tells no more than its pace."""
    if len(done) == 1:
        pace = sum(done[0].work_seconds.values()) / max(1, done[0].size.n_rows)
        return pace * whole.n_rows
    return sum(work_of(done, whole, levels_of(done[-1], whole, method.guard.k)).values())


def _allowed(done: Sequence[Trial], whole: Size, method: Method, budget: Allowance) -> float:
    """What the plan may take altogether, as far as these trials tell of the run."""
    return budget.allowed(_run_seconds(done, whole, method))


def _watch(done: Sequence[Trial], whole: Size, method: Method, budget: Allowance) -> Progress:
    """End a trial that takes more than is left; a first one may take all that any plan may."""
    allowed = _allowed(done, whole, method, budget) if done else MOST_SECONDS

    def watch(stage: str, share: float) -> None:
        if budget.spent > allowed:
            raise TooLongError
        budget.report()

    return watch


def _next_seconds(done: Sequence[Trial], n_rows: int) -> float:
    """The work that a trial of so many rows takes, as far as these tell."""
    work = [sum(trial.work_seconds.values()) for trial in done]
    sizes = [trial.size.n_rows for trial in done]
    return curve(sizes, work, n_rows)


def _tried(
    engine: DuckEngine, read: Source, roles: Roles, method: Method, watch: Progress
) -> Trial:
    """One trial."""
    sample = replace(read, kind="table", relation=ident(SAMPLE))
    with closing(engine.con.cursor()) as cursor:
        held = _held(DuckEngine(cursor))
        own = DuckEngine(engine.con)
        with own.cleared(), Gauge(watch, None, held) as gauge:
            size, shown = _run(own, sample, roles, method, gauge, held)
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
