"""Takes the time of the stages of a run."""

import time

from ppdt_db.methods.contract import Progress


class Watch:
    """Takes the time of every stage while it passes reports on."""

    def __init__(self, report: Progress) -> None:
        self.report = report
        self.seconds: dict[str, float] = {}
        self._stage = ""
        self._since = time.perf_counter()

    def __call__(self, stage: str, share: float) -> None:
        if stage != self._stage:
            self.stop()
            self._stage, self._since = stage, time.perf_counter()
        self.report(stage, share)

    def stop(self) -> None:
        """The end of a stage."""
        if self._stage:
            spent = time.perf_counter() - self._since
            self.seconds[self._stage] = round(self.seconds.get(self._stage, 0.0) + spent, 3)
        self._stage = ""
