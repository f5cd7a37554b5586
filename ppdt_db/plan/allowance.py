"""Allowance: what a plan itself may take, in seconds of all processors together."""

import time
from collections.abc import Callable

# A plan takes a tenth of the run at most, and never more than the last of these.
SHARE = 0.1
MOST_SECONDS = 15.0


class TooLongError(Exception):
    """A trial has used up what the plan may take."""


class Allowance:
    """Counts what a plan takes, from when it was made."""

    def __init__(
        self,
        progress: Callable[[str, float], None] = lambda stage, share: None,
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        self._progress = progress
        self._clock = clock
        self._begin = clock()

    @property
    def spent(self) -> float:
        """The seconds until now."""
        return self._clock() - self._begin

    def report(self) -> None:
        """Say how far the plan is: by what it may take at most."""
        self._progress("plan", min(0.99, self.spent / MOST_SECONDS))

    def allowed(self, run_seconds: float) -> float:
        """What the plan of a run of so many seconds may take.

        >>> [Allowance().allowed(seconds) for seconds in (1, 60, 6000)]
        [0.1, 6.0, 15.0]
        """
        return min(MOST_SECONDS, SHARE * run_seconds)
