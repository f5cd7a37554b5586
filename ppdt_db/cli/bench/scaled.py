"""Table 6 of Kisilevich et al.: how the time of kACTUS grows with the rows."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ppdt_db.anonymize import anonymize
from ppdt_db.cli.bench.page import Page
from ppdt_db.cli.bench.trees import SCALED_FEATURES, make_scaled
from ppdt_db.cost.monitor import ResourceMonitor
from ppdt_db.engine import DuckEngine, connect
from ppdt_db.experiments.kactus import KactusRecord, Scaled
from ppdt_db.experiments.kactus_data import KADET, OURS, SCALED_K, SCALING, made
from ppdt_db.progress import Progress, no_progress

# Stages before the suppression; what follows them is the anonymization proper.
OF_TREE = ("read", "encode", "grow", "prune")
HEADS = (
    "rows", "method", "sigma", "tree s", "paper's", "anonymization s", "paper's", "s in all",
    "peak MB",
)  # fmt: skip


def scaling(
    folder: Path,
    wanted: Sequence[tuple[int, str]],
    record: KactusRecord,
    progress: Progress,
    *,
    threads: int | None = None,
    memory_limit: str | None = None,
) -> list[Scaled]:
    """Time the methods on the scales, a sigma each, that the results file lacks."""
    with tempfile.TemporaryDirectory() as place:
        for number, (sigma, method) in enumerate(wanted):
            progress("evaluate", number / len(wanted))
            if (sigma, method) in record.scaled:
                continue
            path = Path(place, f"scaled_{sigma}.parquet")
            limits = {"threads": threads, "memory_limit": memory_limit}
            if not path.exists():
                with connect(None, **limits) as con:  # type: ignore[arg-type]
                    make_scaled(
                        DuckEngine(con), folder / "adult_*.csv", SCALED_FEATURES, "income", sigma,
                        path,
                    )  # fmt: skip
            record.add(_timed(path, sigma, method, limits))
    return [record.scaled[one] for one in wanted]


def _timed(path: Path, sigma: int, method: str, limits: Mapping[str, object]) -> Scaled:
    with connect(None, **limits) as con, ResourceMonitor(no_progress) as gauge:  # type: ignore[arg-type]
        release = anonymize(
            con,
            path,
            quasi=SCALED_FEATURES,
            target="income",
            keep="rest",
            method=made(method, SCALED_K),
            out=path.with_name("release.parquet"),
            replace=True,
            seed=1,
            record=False,
            progress=gauge,
        )
    spent = gauge.seconds
    n_rows = release.certificate["rows_in"]
    assert isinstance(n_rows, int)
    return Scaled(
        sigma=sigma,
        method=method,
        n_rows=n_rows,
        tree_seconds=round(sum(spent.get(stage, 0.0) for stage in OF_TREE), 3),
        seconds=round(sum(s for stage, s in spent.items() if stage not in OF_TREE), 3),
        peak_memory_mb=gauge.taken.memory_bytes // 2**20,
    )


def add_scaled(page: Page, found: Sequence[Scaled]) -> None:
    """Add table 6, the paper's seconds beside ours."""
    theirs = {sigma: (tree, anonymous) for sigma, tree, anonymous, _ in SCALING}
    cells = []
    for one in found:
        tree, anonymous = theirs.get(one.sigma, (None, None))
        cells.append((
            f"{one.n_rows:,}", one.method, str(one.sigma), f"{one.tree_seconds:.2f}",
            "" if tree is None else f"{tree:.2f}", f"{one.seconds:.2f}",
            "" if anonymous is None else f"{anonymous:.2f}",
            f"{one.tree_seconds + one.seconds:.2f}", f"{one.peak_memory_mb:,}",
        ))  # fmt: skip
    page.table(f"Table 6: scaling, k = {SCALED_K} (encoding counts with the tree)", HEADS, cells)


def scaled_methods(methods: Sequence[str] | None) -> list[str]:
    """Return the methods to time: by default kACTUS, plain and refined; no learners."""
    return [name for name in OURS if name in (methods or ("kactus", "refine")) and name != KADET]
