"""The time that making a plan may take, in CPU seconds of all cores together."""

import time
from collections.abc import Callable

# A plan takes at most this share of the run's time, and never more than these seconds.
SHARE = 0.1
MOST_SECONDS = 15.0


class TooLongError(Exception):
    """A trial has used up the time allowed for the plan."""


class Allowance:
    """The time that a plan has taken since this object was made, and the limit of it."""

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
        """The seconds so far."""
        return self._clock() - self._begin

    def report(self) -> None:
        """Report progress, as the share of the time that a plan may take at most."""
        self._progress("plan", min(0.99, self.spent / MOST_SECONDS))

    def allowed(self, run_seconds: float) -> float:
        """Return the seconds that the plan of a run of this length may take.

        >>> [Allowance().allowed(seconds) for seconds in (1, 60, 6000)]
        [0.1, 6.0, 15.0]
        """
        return min(MOST_SECONDS, SHARE * run_seconds)
