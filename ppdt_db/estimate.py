"""Estimate: from two trials of a run to the run itself, by laws that are nearly linear.

Encoding, recoding and auditing grow with the rows. Mondrian takes so long for a level as there are
cells, so partitioning grows with cells times levels; there are as many levels as halvings lead from
all rows down to k. What both trials took alike does not grow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

from ppdt_db.gauge import Held

STAGES = ("encode", "partition", "recode", "audit")
# The rows that one thread of the engine takes at a time.
PIECE_ROWS = 122_880
# What a row takes that is gathered for a file, beside what it takes in a table.
GATHERED = 1.9
# What is spilled is written and read again several times, at this pace.
SPILLED_PASSES = 2
SPILL_BYTES_PER_SECOND = 400e6
# The engine shrinks what it spills; codes shrink so far, random text hardly.
SHRUNK = 0.75
# The engine fills its memory limit up to this share before it spills.
FILLED = 0.95


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What one trial was of, and what it took."""

    n_rows: int
    n_cells: int
    n_levels: int
    row_bytes: float
    """What a row of the release takes in a table."""
    seconds: Mapping[str, float]
    work_seconds: Mapping[str, float]
    held_bytes: Mapping[str, Held]


@dataclass(frozen=True, kw_only=True)
class Room:
    """What a run may use, and what it needs whatever the rows are."""

    threads: int
    memory_limit: int
    disk_free: int
    own_bytes: int
    """What the process holds beside the engine's tables and buffers."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run is going to take, and what to do about it."""

    rows: int
    cells: int
    values: Mapping[str, int]
    levels: int
    seconds: Mapping[str, float]
    work_seconds_total: float
    memory_bytes: int
    disk_bytes: int
    memory_wanted_bytes: int
    how: Mapping[str, object]
    advice: Sequence[str] = field(default_factory=tuple)

    @property
    def seconds_total(self) -> float:
        """The seconds of all stages together."""
        return round(sum(self.seconds.values()), 3)

    def figures(self) -> dict[str, object]:
        """The estimate, as the certificate and programs read it."""
        return {
            "rows": self.rows,
            "cells": self.cells,
            "levels": self.levels,
            "seconds": {stage: round(spent, 3) for stage, spent in self.seconds.items()},
            "seconds_total": self.seconds_total,
            "work_seconds_total": self.work_seconds_total,
            "memory_bytes": self.memory_bytes,
            "temp_disk_bytes": self.disk_bytes,
        }


def levels_of(large: Trial, n_rows: int, n_cells: int, k: int) -> int:
    """The levels of a run, from those of a trial: each halving more is a level more."""
    whole = max(1.0, min(n_rows / k, n_cells))
    tried = max(1.0, min(large.n_rows / k, large.n_cells))
    return max(1, round(large.n_levels + log2(max(1.0, whole / tried))))


def work_of(
    small: Trial, large: Trial, n_rows: int, n_cells: int, n_levels: int
) -> dict[str, float]:
    """The seconds of every stage, of all processors together: these follow the laws."""
    found: dict[str, float] = {}
    for stage in STAGES:
        work = [trial.work_seconds.get(stage, 0.0) for trial in (small, large)]
        if stage == "partition":
            per_level = [w / max(1, t.n_levels) for w, t in zip(work, (small, large), strict=True)]
            found[stage] = n_levels * _line(
                (small.n_cells, per_level[0]), (large.n_cells, per_level[1]), n_cells
            )
        else:
            found[stage] = _line((small.n_rows, work[0]), (large.n_rows, work[1]), n_rows)
    return found


def seconds_of(
    work: Mapping[str, float], large: Trial, n_rows: int, threads: int
) -> dict[str, float]:
    """The seconds of every stage by the clock, without spilling.

    How much of the work is done at once was seen in the larger trial as a whole, since its single
    stages are too short; more rows come in more pieces, which keep more threads busy.
    """
    tried, by_clock = (sum(s.values()) for s in (large.work_seconds, large.seconds))
    more_at_once = _busy(n_rows, threads) / _busy(large.n_rows, threads)
    at_once = tried / by_clock * more_at_once if tried > 0 and by_clock > 0 else 1.0
    return {stage: work[stage] / at_once for stage in STAGES}


def _busy(n_rows: int, threads: int) -> float:
    """How many threads some rows keep busy."""
    return min(float(threads), max(1.0, n_rows / PIECE_ROWS))


def held_of(small: Trial, large: Trial, n_rows: int, n_cells: int, threads: int) -> int:
    """The bytes that the engine would hold at most, if it had all the memory that it wants.

    Tables grow. What sorts, joins and groups hold beside them is nearly the same from some hundred
    thousand rows on, because each thread works on a piece of the same size; so it is with the rows
    that are gathered before they are written.
    """
    most = 0.0
    gathered = min(n_rows, threads * PIECE_ROWS) * large.row_bytes * GATHERED
    for stage in STAGES:
        tables = [trial.held_bytes.get(stage, Held()).tables for trial in (small, large)]
        # Mondrian's tables are of cells; before and after, one of rows stands beside one of cells.
        sizes = [
            cells if stage == "partition" else rows + cells
            for rows, cells in (
                (small.n_rows, small.n_cells), (large.n_rows, large.n_cells), (n_rows, n_cells),
            )
        ]  # fmt: skip
        held = _line((sizes[0], tables[0]), (sizes[1], tables[1]), sizes[2])
        held += large.held_bytes.get(stage, Held()).others
        most = max(most, held + (gathered if stage == "recode" else 0))
    return round(most)


def _line(first: tuple[float, float], second: tuple[float, float], at: float) -> float:
    """Where the line through two points is at a third place; it never falls."""
    (x1, y1), (x2, y2) = first, second
    if x2 <= x1:
        return y2
    slope = max(0.0, (y2 - y1) / (x2 - x1))
    return max(0.0, y2 + slope * (at - x2))


def planned(
    small: Trial,
    large: Trial,
    *,
    n_rows: int,
    n_cells: int,
    values: Mapping[str, int],
    k: int,
    room: Room,
    how: Mapping[str, object],
) -> Plan:
    """The plan of a run."""
    n_levels = levels_of(large, n_rows, n_cells, k)
    wanted = held_of(small, large, n_rows, n_cells, room.threads)
    spilled = max(0, round(wanted - FILLED * room.memory_limit))
    work = work_of(small, large, n_rows, n_cells, n_levels)
    seconds = seconds_of(work, large, n_rows, room.threads)
    on_disk = round(SHRUNK * spilled)
    extra = SPILLED_PASSES * spilled / SPILL_BYTES_PER_SECOND
    whole = sum(seconds.values()) or 1.0
    return Plan(
        rows=n_rows,
        cells=n_cells,
        values=values,
        levels=n_levels,
        seconds={s: round(spent * (1 + extra / whole), 3) for s, spent in seconds.items()},
        work_seconds_total=round(sum(work.values()), 3),
        memory_bytes=room.own_bytes + min(wanted, room.memory_limit),
        disk_bytes=on_disk,
        memory_wanted_bytes=wanted,
        how=how,
        advice=_advice(wanted, on_disk, room),
    )


def _advice(wanted: int, on_disk: int, room: Room) -> list[str]:
    limit, megabytes = room.memory_limit // 2**20, round(wanted * 1.25) // 2**20 + 1
    if not on_disk:
        return [f"it fits into memory: about {wanted // 2**20:,} MB of the {limit:,} MB allowed."]
    found = [
        f"it does not fit into the {limit:,} MB allowed: about {on_disk // 2**20 + 1:,} MB go to "
        f"temporary files. With --memory-limit {megabytes}MB nothing would."
    ]
    if on_disk > 0.9 * room.disk_free:
        found.append(
            f"the disk of the temporary files has {room.disk_free // 2**20:,} MB free: that is not "
            "enough. Name another --temp-directory, or raise --memory-limit."
        )
    return found
