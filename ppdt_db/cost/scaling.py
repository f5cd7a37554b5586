"""Extrapolate from trials of growing size to the whole run, stage by stage.

Encoding, recoding and auditing grow linearly with the rows. Mondrian works on every unit at every
level, so partitioning grows with units times levels, and the levels with the logarithm of rows / k.
Clustering by distances takes one turn per cluster, and each turn reads the remaining rows: one term
grows linearly, another quadratically. Tree stages grow with a power of the cells, which is found by
three trials. A cost that is the same in all trials does not grow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log, log2, pow
from typing import Literal

from ppdt_db.cost.monitor import EngineBytes

SHARED = ("encode", "recode", "audit")
# The rows of one unit of work of an engine thread.
PIECE_ROWS = 122_880
# The memory of a row that is buffered for a file, relative to a row in a table.
GATHERED = 1.9
# No method scales better than linearly, or worse than quadratically.
LOWEST_POWER, HIGHEST_POWER = 1.0, 2.0
# Seconds below which differences are noise.
NOISE = 0.1


Form = Callable[[Sequence[int], Sequence[float], int], float]


@dataclass(frozen=True, kw_only=True)
class Law:
    """The growth of a stage's work: with what, and by which form."""

    of: Literal["row", "cell", "unit"] = "row"
    """Units are what the method forms its classes from: rows or cells."""
    form: Form | None = None
    """A power, unless said otherwise."""
    by_level: bool = False
    """True if every level takes about the same, and levels grow with the logarithm of the rows."""
    is_parallel: bool = False
    """True if more rows keep more threads busy."""


@dataclass(frozen=True, kw_only=True)
class Size:
    """The size of a run."""

    n_rows: int
    n_cells: int
    by_row: bool = False
    """True if the method forms its classes from rows, not from cells."""
    laws: Mapping[str, Law] = field(default_factory=dict)
    """The laws of the method's own stages."""

    def law(self, stage: str) -> Law:
        """Return the law of a stage; all rows pass through the shared stages."""
        return SHARED_LAW if stage in SHARED else self.laws.get(stage, Law())

    def of(self, stage: str) -> int:
        """Return the number of rows or cells that a stage works on."""
        return self.n_cells if self._is_of_cells(stage) else self.n_rows

    def kept(self, stage: str) -> int:
        """Return the number of rows in tables during a stage: rows are kept besides cells."""
        return self.n_cells if self._is_of_cells(stage) else self.n_rows + self.n_cells

    def _is_of_cells(self, stage: str) -> bool:
        of = self.law(stage).of
        return of == "cell" or (of == "unit" and not self.by_row)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The size of one trial, and its measured cost."""

    size: Size
    n_levels: int
    row_bytes: float
    """Bytes of a released row in a table."""
    seconds: Mapping[str, float]
    work_seconds: Mapping[str, float]
    held_bytes: Mapping[str, EngineBytes]
    own_bytes: int
    """Bytes of the process besides the engine's tables and buffers."""


def levels_of(large: Trial, whole: Size, k: int) -> int:
    """Return the levels of a run from those of a trial: one more for every doubling."""
    if not large.n_levels:
        return 0
    most, tried = (max(1.0, min(s.n_rows / k, s.n_cells)) for s in (whole, large.size))
    return max(1, round(large.n_levels + log2(max(1.0, most / tried))))


def work_of(trials: Sequence[Trial], whole: Size, n_levels: int) -> dict[str, float]:
    """Return the processor seconds of every stage, extrapolated by its scaling law."""
    seconds: dict[str, float] = {}
    for stage in trials[-1].work_seconds:
        work = [trial.work_seconds.get(stage, 0.0) for trial in trials]
        sizes = [trial.size.of(stage) for trial in trials]
        law = whole.law(stage)
        form = law.form or curve
        if law.by_level:
            per_level = [w / max(1, t.n_levels) for w, t in zip(work, trials, strict=True)]
            seconds[stage] = n_levels * form(sizes, per_level, whole.of(stage))
        else:
            seconds[stage] = form(sizes, work, whole.of(stage))
    return seconds


def off_by(trials: Sequence[Trial], whole: Size) -> float | None:
    """Return the factor by which the estimate may be off, or None with too few trials.

    The error that the smaller trials would have made for the largest one, compounded for the growth
    from there to the whole run.
    """
    if len(trials) < 3:
        return None
    *before, last = trials
    estimate = sum(work_of(before, last.size, last.n_levels).values())
    fact = sum(last.work_seconds.values())
    error = max(estimate, fact, NOISE) / max(min(estimate, fact), NOISE)
    grown = log(max(2.0, last.size.n_rows / before[-1].size.n_rows))
    ahead = log(max(1.0, whole.n_rows / last.size.n_rows))
    return round(max(1.2, pow(error, max(1.0, ahead / grown))), 1)


def seconds_of(
    work: Mapping[str, float], large: Trial, whole: Size, threads: int
) -> dict[str, float]:
    """Return the wall clock seconds of every stage, without spilling.

    The parallelism is measured over the whole of the largest trial, since its single stages are too
    short; more rows keep more threads busy. Stages that walk trees in memory use one thread.
    """
    tried, by_clock = (sum(s.values()) for s in (large.work_seconds, large.seconds))
    at_once = tried / by_clock if tried > 0 and by_clock > 0 else 1.0
    more_at_once = _busy(whole.n_rows, threads) / _busy(large.size.n_rows, threads)
    return {
        stage: spent / (at_once * (more_at_once if whole.law(stage).is_parallel else 1.0))
        for stage, spent in work.items()
    }


def _busy(n_rows: int, threads: int) -> float:
    """Return the number of threads that this many rows keep busy."""
    return min(float(threads), max(1.0, n_rows / PIECE_ROWS))


def held_of(trials: Sequence[Trial], whole: Size, threads: int) -> int:
    """Return the most bytes that the engine would hold with unlimited memory.

    Tables grow. Sorts, joins and groups need about the same memory from some hundred thousand rows
    on, because each thread works on a piece of the same size; so do rows buffered for writing.
    """
    large = trials[-1]
    most = 0.0
    gathered = min(whole.n_rows, threads * PIECE_ROWS) * large.row_bytes * GATHERED
    for stage in large.work_seconds:
        tables = [float(trial.held_bytes.get(stage, EngineBytes()).tables) for trial in trials]
        held = line([trial.size.kept(stage) for trial in trials], tables, whole.kept(stage))
        held += large.held_bytes.get(stage, EngineBytes()).others
        most = max(most, held + (gathered if stage == "recode" else 0))
    return round(most)


def own_of(trials: Sequence[Trial], whole: Size) -> int:
    """Return the bytes besides the engine's: trees in memory grow with the cells."""
    large = trials[-1]
    if not any(whole.law(stage).of == "cell" for stage in large.work_seconds):
        return large.own_bytes
    own = [float(trial.own_bytes) for trial in trials]
    return round(line([trial.size.n_cells for trial in trials], own, whole.n_cells))


def line(sizes: Sequence[int], taken: Sequence[float], at: int) -> float:
    """Extrapolate by a line through a smaller trial and the largest one; never decreasing.

    >>> line([100, 200], [3.0, 5.0], 1000)
    21.0
    """
    first = max(0, len(sizes) - 3)
    (x1, x2), (y1, y2) = (sizes[first], sizes[-1]), (taken[first], taken[-1])
    if x2 <= x1:
        return y2
    slope = max(0.0, (y2 - y1) / (x2 - x1))
    return max(0.0, y2 + slope * (at - x2))


def curve(sizes: Sequence[int], taken: Sequence[float], at: int) -> float:
    """Extrapolate by a power law through the last three trials; by a line with only two.

    >>> round(curve([100, 400, 1600], [1.5, 9.0, 129.0], 3200))
    513
    """
    if len(sizes) < 3 or not sizes[-3] < sizes[-2] < sizes[-1]:
        return line(sizes, taken, at)
    more = [max(NOISE, after - before) for before, after in pairwise(taken[-3:])]
    power = log(more[1] / more[0]) / log(sizes[-1] / sizes[-2])
    power = min(HIGHEST_POWER, max(LOWEST_POWER, power))
    last, before, wanted = (pow(size, power) for size in (sizes[-1], sizes[-2], at))
    slope = max(0.0, taken[-1] - taken[-2]) / (last - before)
    return max(0.0, taken[-1] + slope * (wanted - last))


def parabola(sizes: Sequence[int], taken: Sequence[float], at: int) -> float:
    """Extrapolate by a linear and a quadratic term through the last three trials.

    >>> parabola([100, 400, 1600], [1.0, 16.0, 256.0], 3200) > 900
    True
    """
    if len(sizes) < 3 or not sizes[-3] < sizes[-2] < sizes[-1]:
        return line(sizes, taken, at)
    (x1, x2, x3), (y1, y2, y3) = sizes[-3:], taken[-3:]
    slope = max(0.0, (y3 - y2) / (x3 - x2))
    bend = max(0.0, slope - max(0.0, y2 - y1 + NOISE) / (x2 - x1)) / (x3 - x1)
    return max(0.0, y3 + (slope + bend * (at - x2)) * (at - x3))


SHARED_LAW = Law(form=line, is_parallel=True)
# What several methods do: cut units level by level, walk a tree of cells, compare rows with rows.
BY_LEVELS = Law(of="unit", form=line, by_level=True, is_parallel=True)
BY_CELLS = Law(of="cell")
BY_PAIRS = Law(form=parabola)
