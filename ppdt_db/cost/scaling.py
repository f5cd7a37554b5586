"""Laws: from trials of growing size to the run itself, stage by stage.

Encoding, recoding and auditing grow with the rows. Mondrian takes so long for a level as there are
units, so partitioning grows with units times levels; there are as many levels as halvings lead from
all rows down to k. Clustering by distances takes so many turns as there are clusters, and each
looks at what is left: a part grows with the rows, and a part with their square. What walks trees
grows with a power of the cells. Three trials tell which; what all took alike does not grow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, log2, pow

from ppdt_db.gauge import Held

SHARED = ("encode", "recode", "audit")
# Stages that look at cells, whatever the rows; a method that divides equal rows cuts rows.
OF_CELLS = ("grow", "prune", "specialize")
# The rows that one thread of the engine takes at a time.
PIECE_ROWS = 122_880
# What a row takes that is gathered for a file, beside what it takes in a table.
GATHERED = 1.9
# No method is better than linear, and none worse than quadratic.
LOWEST_POWER, HIGHEST_POWER = 1.0, 2.0
# Seconds that say nothing: other programs take as many.
NOISE = 0.1


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much a run is of."""

    n_rows: int
    n_cells: int
    by_row: bool = False
    """Whether the method forms its classes of rows, and not of cells."""

    def of(self, stage: str) -> int:
        """How much a stage works on."""
        return self.n_cells if self._is_of_cells(stage) else self.n_rows

    def kept(self, stage: str) -> int:
        """How much stands in tables meanwhile: before and after, rows stand beside cells."""
        return self.n_cells if self._is_of_cells(stage) else self.n_rows + self.n_cells

    def _is_of_cells(self, stage: str) -> bool:
        return stage in OF_CELLS or (stage == "partition" and not self.by_row)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What one trial was of, and what it took."""

    size: Size
    n_levels: int
    row_bytes: float
    """What a row of the release takes in a table."""
    seconds: Mapping[str, float]
    work_seconds: Mapping[str, float]
    held_bytes: Mapping[str, Held]
    own_bytes: int
    """What the process holds beside the engine's tables and buffers."""


def levels_of(large: Trial, whole: Size, k: int) -> int:
    """The levels of a run, from those of a trial: each halving more is a level more."""
    if not large.n_levels:
        return 0
    most, tried = (max(1.0, min(s.n_rows / k, s.n_cells)) for s in (whole, large.size))
    return max(1, round(large.n_levels + log2(max(1.0, most / tried))))


def work_of(trials: Sequence[Trial], whole: Size, n_levels: int) -> dict[str, float]:
    """The seconds of every stage, of all processors together: these follow the laws."""
    found: dict[str, float] = {}
    for stage in trials[-1].work_seconds:
        work = [trial.work_seconds.get(stage, 0.0) for trial in trials]
        sizes = [trial.size.of(stage) for trial in trials]
        if stage == "partition":
            per_level = [w / max(1, t.n_levels) for w, t in zip(work, trials, strict=True)]
            found[stage] = n_levels * line(sizes, per_level, whole.of(stage))
        else:
            law = LAWS.get(stage, curve)
            found[stage] = law(sizes, work, whole.of(stage))
    return found


def off_by(trials: Sequence[Trial], whole: Size) -> float | None:
    """By what factor the estimate may be off; None where trials do not tell.

    That is how far the trials before would have been off for the largest one, once more for each
    power of its growth that is still ahead.
    """
    if len(trials) < 3:
        return None
    *before, last = trials
    told = sum(work_of(before, last.size, last.n_levels).values())
    fact = sum(last.work_seconds.values())
    once = max(told, fact, NOISE) / max(min(told, fact), NOISE)
    grown = log(max(2.0, last.size.n_rows / before[-1].size.n_rows))
    ahead = log(max(1.0, whole.n_rows / last.size.n_rows))
    return round(max(1.2, pow(once, max(1.0, ahead / grown))), 1)


def seconds_of(
    work: Mapping[str, float], large: Trial, whole: Size, threads: int
) -> dict[str, float]:
    """The seconds of every stage by the clock, without spilling.

    How much of the work is done at once was seen in the largest trial as a whole, since its single
    stages are too short; more rows come in more pieces, which keep more threads busy. A stage that
    walks trees in memory keeps to one.
    """
    tried, by_clock = (sum(s.values()) for s in (large.work_seconds, large.seconds))
    at_once = tried / by_clock if tried > 0 and by_clock > 0 else 1.0
    more_at_once = _busy(whole.n_rows, threads) / _busy(large.size.n_rows, threads)
    return {
        stage: spent / (at_once * (more_at_once if stage in (*SHARED, "partition") else 1.0))
        for stage, spent in work.items()
    }


def _busy(n_rows: int, threads: int) -> float:
    """How many threads some rows keep busy."""
    return min(float(threads), max(1.0, n_rows / PIECE_ROWS))


def held_of(trials: Sequence[Trial], whole: Size, threads: int) -> int:
    """The bytes that the engine would hold at most, if it had all the memory that it wants.

    Tables grow. What sorts, joins and groups hold beside them is nearly the same from some hundred
    thousand rows on, because each thread works on a piece of the same size; so it is with the rows
    that are gathered before they are written.
    """
    large = trials[-1]
    most = 0.0
    gathered = min(whole.n_rows, threads * PIECE_ROWS) * large.row_bytes * GATHERED
    for stage in large.work_seconds:
        tables = [float(trial.held_bytes.get(stage, Held()).tables) for trial in trials]
        held = line([trial.size.kept(stage) for trial in trials], tables, whole.kept(stage))
        held += large.held_bytes.get(stage, Held()).others
        most = max(most, held + (gathered if stage == "recode" else 0))
    return round(most)


def own_of(trials: Sequence[Trial], whole: Size) -> int:
    """The bytes beside the engine's: trees that methods hold in memory grow with the cells."""
    large = trials[-1]
    if not any(stage in OF_CELLS for stage in large.work_seconds):
        return large.own_bytes
    own = [float(trial.own_bytes) for trial in trials]
    return round(line([trial.size.n_cells for trial in trials], own, whole.n_cells))


def line(sizes: Sequence[int], taken: Sequence[float], at: int) -> float:
    """What a line through a smaller trial and the largest one says of a size; it never falls.

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
    """The same of a power of the size, which the last three trials tell; two tell a line.

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
    """The same of a part that grows with the size and one that grows with its square.

    >>> parabola([100, 400, 1600], [1.0, 16.0, 256.0], 3200) > 900
    True
    """
    if len(sizes) < 3 or not sizes[-3] < sizes[-2] < sizes[-1]:
        return line(sizes, taken, at)
    (x1, x2, x3), (y1, y2, y3) = sizes[-3:], taken[-3:]
    slope = max(0.0, (y3 - y2) / (x3 - x2))
    bend = max(0.0, slope - max(0.0, y2 - y1 + NOISE) / (x2 - x1)) / (x3 - x1)
    return max(0.0, y3 + (slope + bend * (at - x2)) * (at - x3))


LAWS = {**dict.fromkeys(SHARED, line), "cluster": parabola}
