"""Trial: every stage of a run on small samples of its own source, with time and memory taken.

Nothing of a trial is released or kept, not even outside of the database.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace

import duckdb

from ppdt_db.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import GuaranteeError, RequestError
from ppdt_db.gauge import Gauge, Held
from ppdt_db.guard import check_feasible
from ppdt_db.laws import Size, Trial, curve
from ppdt_db.methods import Method
from ppdt_db.methods.contract import Progress, Task, no_progress
from ppdt_db.names import Private, ident
from ppdt_db.policy import Roles
from ppdt_db.prove import Prover
from ppdt_db.pseudonym import pseudonym_params
from ppdt_db.recode import Parts, arrange, sort_rows
from ppdt_db.samples import SAMPLE, Samples
from ppdt_db.source import Source

# How much every trial is larger than the one before, and how many there are at most.
LARGER = 4
N_TRIALS = 5
# So many tell by what power the work grows; after them none is begun that is likely to take longer.
FEWEST = 3
MOST_SECONDS = 15.0
SHOWN = "ppdt_tried"


def trials(
    engine: DuckEngine, read: Source, roles: Roles, method: Method, n_rows: int
) -> list[Trial]:
    """Trials on samples of whole cells, the smallest first; one alone, where the source is small.

    They end with the largest sample, or before one that would take too long. A part may be too
    small for what is asked of each class: then the larger ones tell.
    """
    samples = Samples(engine, read, roles, least=2 * method.guard.k)
    samples.begin(n_rows)
    done: list[Trial] = []
    for smaller in reversed(range(N_TRIALS)):
        n_drawn = samples.draw(1 / LARGER**smaller)
        is_enough = n_drawn >= samples.least and (not done or n_drawn > done[-1].size.n_rows)
        if is_enough or (smaller == 0 and not done):
            with suppress(GuaranteeError):
                done.append(_tried(engine, read, roles, method))
        if len(done) >= FEWEST and _next_seconds(done) > MOST_SECONDS:
            break
    samples.end()
    if not done:
        raise RequestError(
            "no trial on a part of the source could keep the guarantee, so there is no plan. The "
            "run itself may: start it without a plan."
        )
    return done


def _next_seconds(done: Sequence[Trial]) -> float:
    """The work that the next trial takes, as far as these tell."""
    work = [sum(trial.work_seconds.values()) for trial in done]
    sizes = [trial.size.n_rows for trial in done]
    return curve(sizes, work, LARGER * sizes[-1])


def _tried(engine: DuckEngine, read: Source, roles: Roles, method: Method) -> Trial:
    """One trial."""
    sample = replace(read, kind="table", relation=ident(SAMPLE))
    with closing(engine.con.cursor()) as cursor:
        held = _held(DuckEngine(cursor))
        own = DuckEngine(engine.con)
        with own.cleared(), Gauge(no_progress, None, held) as gauge:
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
