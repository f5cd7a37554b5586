"""Estimate what a run will take from trials, and advise what to do about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db.cost.scaling import Size, Trial, held_of, levels_of, own_of, seconds_of, work_of

# Spilled data is written and read again several times, at this speed.
SPILLED_PASSES = 2
SPILL_BYTES_PER_SECOND = 400e6
# The engine compresses what it spills: codes by this factor, random text hardly.
SHRUNK = 0.75
# The engine uses this share of its memory limit before it spills.
FILLED = 0.95


@dataclass(frozen=True, kw_only=True)
class Room:
    """The resources that a run may use."""

    threads: int
    memory_limit: int
    disk_free: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The estimate of a run, with advice."""

    rows: int
    cells: int
    values: Mapping[str, int]
    levels: int
    """Levels of cuts, or of a tree; 0 if the method has neither."""
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
        """Return the estimate for the certificate and for programs."""
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


def extrapolate(
    trials: Sequence[Trial],
    whole: Size,
    *,
    values: Mapping[str, int],
    k: int,
    room: Room,
    how: Mapping[str, object],
) -> Plan:
    """Return the plan of a run, from trials of growing size."""
    n_levels = levels_of(trials[-1], whole, k)
    wanted = held_of(trials, whole, room.threads)
    spilled = max(0, round(wanted - FILLED * room.memory_limit))
    work = work_of(trials, whole, n_levels)
    seconds = seconds_of(work, trials[-1], whole, room.threads)
    on_disk = round(SHRUNK * spilled)
    extra = SPILLED_PASSES * spilled / SPILL_BYTES_PER_SECOND
    by_clock = sum(seconds.values()) or 1.0
    return Plan(
        rows=whole.n_rows,
        cells=whole.n_cells,
        values=values,
        levels=n_levels,
        seconds={s: round(spent * (1 + extra / by_clock), 3) for s, spent in seconds.items()},
        work_seconds_total=round(sum(work.values()), 3),
        memory_bytes=own_of(trials, whole) + min(wanted, room.memory_limit),
        disk_bytes=on_disk,
        memory_wanted_bytes=wanted,
        how=how,
        advice=_advice(wanted, on_disk, own_of(trials, whole), room),
    )


def _advice(wanted: int, on_disk: int, own: int, room: Room) -> list[str]:
    limit, megabytes = room.memory_limit // 2**20, round(wanted * 1.25) // 2**20 + 1
    beside = (
        f"plus about {own // 2**20:,} MB for the process itself, which the limit does not cover."
    )
    if not on_disk:
        return [
            f"the run fits into memory: the engine needs about {wanted // 2**20:,} MB of the "
            f"{limit:,} MB allowed, {beside}"
        ]
    found = [
        f"the run does not fit into memory: the engine uses all of the {limit:,} MB allowed, "
        f"{beside} About {on_disk // 2**20 + 1:,} MB go to temporary files. With "
        f"--memory-limit {megabytes}MB nothing is spilled."
    ]
    if on_disk > 0.9 * room.disk_free:
        found.append(
            f"the disk for temporary files has only {room.disk_free // 2**20:,} MB free, which "
            "is not enough. Choose another --temp-directory, or raise --memory-limit."
        )
    return found
