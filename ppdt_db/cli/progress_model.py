"""Estimate the progress of a run over all of its stages, and the remaining time.

Stages are weighted by their measured share of a run. A stage that does not report its progress is
estimated by its elapsed time, at the pace of the previous stages or of a plan.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# Shares of the time of a run on a million rows; a method's own stages count as "partition".
WEIGHTS: Mapping[str, float] = {
    "read": 0.01, "encode": 0.13, "partition": 0.45, "recode": 0.11, "audit": 0.30,
}  # fmt: skip
METHOD = "partition"
ALMOST = 0.95
LATE = 1.5


@dataclass(frozen=True, kw_only=True)
class ProgressSnapshot:
    """The progress of a run at one moment."""

    stage: str
    share: float
    seconds_left: float | None


class RunProgress:
    """Collects the reports of a run, and estimates its progress at any moment."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._weights = dict(WEIGHTS)
        self._seconds: float | None = None
        self._stage = ""
        self._reported = 0.0
        self._begin = self._entered = clock()
        self._best = 0.0

    def expect(self, seconds: Mapping[str, float]) -> None:
        """Use the seconds of each stage from a plan."""
        total = sum(seconds.values())
        with self._lock:
            names = [*WEIGHTS, *(["plan"] if "plan" in seconds else [])]
            self._weights = {name: seconds.get(name, 0.0) / total for name in names}
            self._seconds = total
            self._begin = self._clock()

    def report(self, stage: str, share: float) -> None:
        """Record the progress of a stage."""
        with self._lock:
            if stage != self._stage:
                self._stage, self._entered = stage, self._clock()
            self._reported = share

    def snapshot(self) -> ProgressSnapshot:
        """Return the current progress; its share never falls."""
        with self._lock:
            now = self._clock()
            slot = self._stage if self._stage in self._weights else METHOD
            before = 0.0
            for name, weight in self._weights.items():
                if name == slot:
                    break
                before += weight
            by_time = self._by_time(slot, before, now)
            inside = max(self._reported, min(ALMOST, by_time))
            self._best = max(self._best, before + min(1.0, inside) * self._weights[slot])
            # A stage that takes longer than expected shows that the pace is unknown.
            left = None if by_time > LATE else self._left(now - self._begin)
            return ProgressSnapshot(stage=self._stage, share=self._best, seconds_left=left)

    def _by_time(self, slot: str, before: float, now: float) -> float:
        """Return the expected progress of a stage by the time since it began; above 1 if late."""
        whole = self._seconds
        if whole is None:
            # The finished stages give the pace, once they make up a tenth of the run.
            if before < 0.1:
                return 0.0
            whole = (self._entered - self._begin) / before
        expected = whole * self._weights[slot]
        return (now - self._entered) / expected if expected > 0 else 0.0

    def _left(self, spent: float) -> float | None:
        """Return the remaining seconds, once they can be estimated."""
        if self._seconds is None and self._best < 0.05:
            return None
        if self._best <= 0:
            return self._seconds
        by_pace = spent * (1 - self._best) / self._best
        if self._seconds is None:
            return by_pace
        # At first the plan, then increasingly the actual pace.
        return (1 - self._best) * self._seconds * (1 - self._best) + self._best * by_pace


def in_words(seconds: float) -> str:
    """Return a duration as text for people."""
    if seconds < 90:
        return f"{max(1, round(seconds)):d} s"
    if seconds < 5400:
        return f"{round(seconds / 60):d} min"
    return f"{seconds / 3600:.1f} h"
