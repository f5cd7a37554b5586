"""How far a run is, and how long it will take: over all of its stages, not only the present one.

A stage counts as much as it was measured to take of a whole run. Where a stage does not say how far
it is, the time that went by says it: at the pace of the stages before, or as a plan foresaw it.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# Shares of the time of a run of a million rows; what a method calls its own stages is "partition".
WEIGHTS: Mapping[str, float] = {
    "read": 0.01, "encode": 0.13, "partition": 0.45, "recode": 0.11, "audit": 0.30,
}  # fmt: skip
METHOD = "partition"
ALMOST = 0.95
LATE = 1.5


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a run is."""

    stage: str
    share: float
    seconds_left: float | None


class Journey:
    """Takes the reports of a run, and tells at any moment where it is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._weights = dict(WEIGHTS)
        self._seconds: float | None = None
        self._stage = ""
        self._told = 0.0
        self._begin = self._entered = clock()
        self._best = 0.0

    def expect(self, seconds: Mapping[str, float]) -> None:
        """Go by the seconds of each stage that a plan foresaw."""
        total = sum(seconds.values())
        with self._lock:
            names = [*WEIGHTS, *(["plan"] if "plan" in seconds else [])]
            self._weights = {name: seconds.get(name, 0.0) / total for name in names}
            self._seconds = total
            self._begin = self._clock()

    def report(self, stage: str, share: float) -> None:
        """A stage, and how far it is."""
        with self._lock:
            if stage != self._stage:
                self._stage, self._entered = stage, self._clock()
            self._told = share

    def standing(self) -> Standing:
        """Where the run is now; the share never falls."""
        with self._lock:
            now = self._clock()
            slot = self._stage if self._stage in self._weights else METHOD
            before = 0.0
            for name, weight in self._weights.items():
                if name == slot:
                    break
                before += weight
            by_time = self._by_time(slot, before, now)
            inside = max(self._told, min(ALMOST, by_time))
            self._best = max(self._best, before + min(1.0, inside) * self._weights[slot])
            # A stage that takes longer than expected tells that the pace is not known.
            left = None if by_time > LATE else self._left(now - self._begin)
            return Standing(stage=self._stage, share=self._best, seconds_left=left)

    def _by_time(self, slot: str, before: float, now: float) -> float:
        """How far a stage should be by the time since it began; more than 1 where it is late."""
        whole = self._seconds
        if whole is None:
            # What is over teaches the pace; before a tenth is over there is none.
            if before < 0.1:
                return 0.0
            whole = (self._entered - self._begin) / before
        expected = whole * self._weights[slot]
        return (now - self._entered) / expected if expected > 0 else 0.0

    def _left(self, spent: float) -> float | None:
        """The seconds that are left, once there is something to go by."""
        if self._seconds is None and self._best < 0.05:
            return None
        if self._best <= 0:
            return self._seconds
        by_pace = spent * (1 - self._best) / self._best
        if self._seconds is None:
            return by_pace
        # The plan at first, more and more the pace that was kept.
        return (1 - self._best) * self._seconds * (1 - self._best) + self._best * by_pace


def in_words(seconds: float) -> str:
    """A time that is left, as people say it."""
    if seconds < 90:
        return f"{max(1, round(seconds)):d} s"
    if seconds < 5400:
        return f"{round(seconds / 60):d} min"
    return f"{seconds / 3600:.1f} h"
