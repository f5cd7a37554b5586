"""Measure a run: seconds of every stage, peak memory and peak temporary disk.

Python's own peak memory figure never falls, so a thread samples the process during the run.
"""

import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

Report = Callable[[str, float], None]

PAUSE = 0.02
# Stages that report progress once per level; the first one present counts.
BY_LEVEL = ("partition", "grow")
SELF = Path("/proc/self/statm")
PAGE = os.sysconf("SC_PAGE_SIZE")
# macOS counts bytes where Linux counts kilobytes.
UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, kw_only=True)
class EngineBytes:
    """The bytes that the engine holds, in memory or spilled: for tables and for all else."""

    tables: int = 0
    others: int = 0

    @property
    def total(self) -> int:
        """The sum of both."""
        return self.tables + self.others


@dataclass(frozen=True, kw_only=True)
class Taken:
    """The measured cost of a run."""

    seconds: dict[str, float]
    work_seconds: dict[str, float]
    """Processor time of all threads, which other programs on the machine disturb less."""
    memory_bytes: int
    disk_bytes: int
    held_bytes: dict[str, EngineBytes]
    """The most that the engine held in every stage; empty where it was not measured."""
    turns: dict[str, int]
    """The number of progress reports of every stage."""

    @property
    def levels(self) -> int:
        """The number of levels of cuts, or else of a tree."""
        return next((self.turns[stage] for stage in BY_LEVEL if stage in self.turns), 0)

    @property
    def seconds_total(self) -> float:
        """The seconds of all stages."""
        return round(sum(self.seconds.values()), 3)


class ResourceMonitor:
    """A progress callback that measures the run and passes reports on; a context manager."""

    def __init__(
        self,
        report: Report,
        folder: Path | None = None,
        held: Callable[[], EngineBytes] | None = None,
    ) -> None:
        self.report = report
        self.folder = folder
        self.held = held
        self._held: dict[str, EngineBytes] = {}
        self._turns: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self.work_seconds: dict[str, float] = {}
        self._stage = ""
        self._since = (0.0, 0.0)
        self._memory = 0
        self._disk = 0
        self._disk_before = 0
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="ppdt-gauge", daemon=True)

    def __enter__(self) -> "ResourceMonitor":
        self._disk_before = used(self.folder)
        self._look()
        self._watcher.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._over.set()
        self._watcher.join()
        self._look()

    def __call__(self, stage: str, share: float) -> None:
        if stage != self._stage:
            self.stop()
            self._stage, self._since = stage, _clocks()
        self._turns[stage] = self._turns.get(stage, 0) + 1
        self.report(stage, share)

    def stop(self) -> None:
        """End the current stage."""
        self._add(self.seconds, self.work_seconds)
        self._stage = ""

    def _add(self, seconds: dict[str, float], work: dict[str, float]) -> None:
        """Add the time of the current stage."""
        if self._stage:
            for sums, now, since in zip((seconds, work), _clocks(), self._since, strict=True):
                sums[self._stage] = round(sums.get(self._stage, 0.0) + now - since, 3)

    @property
    def taken(self) -> Taken:
        """The cost of the run so far."""
        seconds, work = dict(self.seconds), dict(self.work_seconds)
        self._add(seconds, work)
        return Taken(
            seconds=seconds,
            work_seconds=work,
            memory_bytes=self._memory,
            disk_bytes=self._disk,
            held_bytes=dict(self._held),
            turns=dict(self._turns),
        )

    def _watch(self) -> None:
        while not self._over.wait(PAUSE):
            self._look()

    def _look(self) -> None:
        self._memory = max(self._memory, resident())
        self._disk = max(self._disk, used(self.folder) - self._disk_before)
        if self.held is not None and self._stage:
            before, now = self._held.get(self._stage, EngineBytes()), self.held()
            self._held[self._stage] = EngineBytes(
                tables=max(before.tables, now.tables), others=max(before.others, now.others)
            )


def _clocks() -> tuple[float, float]:
    """Return the wall clock time and the processor time."""
    return time.perf_counter(), time.process_time()


def resident() -> int:
    """Return the resident memory in bytes; without /proc, its peak."""
    try:
        return int(SELF.read_text("ascii").split()[1]) * PAGE
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT


def used(folder: Path | None) -> int:
    """Return the disk usage of a folder in bytes; files may change or vanish meanwhile."""
    if folder is None:
        return 0
    total = 0
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return 0
    for entry in entries:
        # A file may be removed meanwhile.
        with suppress(OSError):
            is_folder = entry.is_dir(follow_symlinks=False)
            blocks = entry.stat(follow_symlinks=False).st_blocks
            total += used(Path(entry.path)) if is_folder else blocks * 512
    return total
