"""Trial: every stage of a run on a small sample of its own source, with time and memory taken.

Nothing of a trial is released or kept, not even outside of the database.
"""

import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace

import duckdb

from ppdt_db.coded import Coded
from ppdt_db.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import GuaranteeError, RequestError
from ppdt_db.estimate import Trial
from ppdt_db.families import family_of
from ppdt_db.gauge import Gauge, Held, Taken
from ppdt_db.guard import check_feasible
from ppdt_db.methods import Method
from ppdt_db.methods.contract import Progress, Task, no_progress
from ppdt_db.names import Private, Sql, ident
from ppdt_db.policy import Roles
from ppdt_db.prove import Prover
from ppdt_db.pseudonym import pseudonym_params
from ppdt_db.recode import Parts, arrange, sort_rows
from ppdt_db.source import Source

# The rows of the larger trial, and how much smaller the other one is: nearly two whole groups of
# rows of a table (122,880), since a group that is not full takes more bytes for each of its rows.
TRIED_ROWS = 235_000
SMALLER = 8
# Samples are taken from so many rows at most, the first ones: more would cost more than they tell.
LOOKED_AT = 2_000_000
EXACT_ROWS = 1_000_000
LARGE, SMALL, SHOWN = "ppdt_sample", "ppdt_sample_small", "ppdt_tried"
CHANCES = 2**32


def counted(
    engine: DuckEngine, read: Source, roles: Roles, n_rows: int
) -> tuple[int, dict[str, int]]:
    """The cells of a source, and the values of each quasi-identifier; about, where it is large."""
    attributes = [
        Coded(
            position=position, name=attribute.name, type_name=read.columns[attribute.name],
            family=family_of(read.columns[attribute.name]) or "text",
            dictionary="", dictionary_alias="",
        )
        for position, attribute in enumerate(roles.quasi)
    ]  # fmt: skip
    names = {"source": read.relation, "attributes": attributes, "is_exact": n_rows <= EXACT_ROWS}
    _, *counts = (int(str(count)) for count in engine.row("plan/counted", names=names))
    n_cells, *n_values = (min(n_rows, count) for count in counts)
    return n_cells, dict(zip([a.name for a in attributes], n_values, strict=True))


def samples(engine: DuckEngine, read: Source, roles: Roles, n_rows: int, k: int) -> list[str]:
    """Two samples of whole cells, the smaller one first; one alone, where the source is small."""
    looked_at = min(n_rows, LOOKED_AT)
    share = min(1.0, min(TRIED_ROWS, max(n_rows / 2, 50 * SMALLER * k)) / looked_at)
    quasi = {a.name: read.columns[a.name] for a in roles.quasi}

    def sample(source: Sql, to: str, share: float) -> int:
        names = {
            "source": source, "columns": read.columns, "quasi": quasi,
            "n_looked_at": looked_at if looked_at < n_rows else None,
        }  # fmt: skip
        engine.make("plan/sample", {"below": int(share * CHANCES)}, names, to=to)
        return engine.count("encode/size", names={"source": ident(to)})

    if sample(read.relation, LARGE, share) < 2 * k:
        # Few cells with many rows each: all or none of them may fall into a sample.
        sample(read.relation, LARGE, 1.0)
        return [LARGE]
    n_small = sample(ident(LARGE), SMALL, share / SMALLER)
    return [SMALL, LARGE] if n_small >= 2 * k else [LARGE]


def tried(
    engine: DuckEngine, read: Source, roles: Roles, method: Method, table: str
) -> tuple[Trial, Taken]:
    """One trial."""
    sample = replace(read, kind="table", relation=ident(table))
    with closing(engine.con.cursor()) as cursor:
        held = _held(DuckEngine(cursor))
        own = DuckEngine(engine.con)
        with own.cleared(), Gauge(no_progress, None, held) as gauge:
            try:
                n_rows, n_cells, shown = _run(own, sample, roles, method, gauge, held)
            except GuaranteeError:
                raise RequestError(
                    "a trial on a part of the source could not keep the guarantee, so there is no "
                    "plan. The run itself may: start it without a plan."
                ) from None
    taken = gauge.taken
    trial = Trial(
        n_rows=n_rows,
        n_cells=n_cells,
        n_levels=taken.turns,
        row_bytes=shown / n_rows,
        seconds=_with_showing(taken.seconds),
        work_seconds=_with_showing(taken.work_seconds),
        held_bytes=_without_shown(taken.held_bytes, shown),
    )
    return trial, taken


def _with_showing(seconds: Mapping[str, float]) -> dict[str, float]:
    """The seconds of the stages; to write the release is a part of recoding."""
    both = seconds.get("recode", 0.0) + seconds.get("show", 0.0)
    return {**seconds, "recode": both}


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
) -> tuple[int, int, int]:
    """The stages of a run; returns rows, cells, and the bytes of the release."""
    key = Private(secrets.token_hex(16))
    params: Mapping[str, object] = {"run_key": key, **pseudonym_params(key, "")}
    prover = Prover(
        engine=engine, method=method, roles=roles, read=sample, digest_key=key, has_types=True
    )
    encoded = encode(engine, sample, roles, method.wants(roles), params, progress)
    prover.fingerprint(sample.relation, sample.columns)
    check_feasible(engine, encoded, method.guard, roles)
    task = Task(engine=engine, encoded=encoded, run_key=key, progress=progress)
    labels = method.run(task)
    progress("recode", 0.0)
    columns = arrange(sample, encoded, labels, for_csv=False)
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
    return encoded.n_rows, encoded.n_cells, shown
