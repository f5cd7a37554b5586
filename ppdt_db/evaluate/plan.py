"""How often a table is dealt, and to how many folds; or the table that is held out."""

import re
from dataclasses import dataclass

from ppdt_db.errors import RequestError

MAX_FOLDS = 1000
HOLDOUT = "holdout="


@dataclass(frozen=True, kw_only=True)
class Plan:
    """So many repetitions of so many folds, or one round that is tested on another table."""

    n_repeats: int = 1
    n_folds: int = 1
    test: str | None = None

    @property
    def rounds(self) -> list[tuple[int, int]]:
        """Every repetition and fold."""
        return [(r, f) for r in range(self.n_repeats) for f in range(self.n_folds)]


def read_plan(text: str) -> Plan:
    """`5x2` is five repetitions of two folds, `10` ten folds once, `holdout=FILE` a test table.

    >>> read_plan("5x2")
    Plan(n_repeats=5, n_folds=2, test=None)
    """
    if text.startswith(HOLDOUT) and text != HOLDOUT:
        return Plan(test=text.removeprefix(HOLDOUT))
    found = re.fullmatch(r"(?:(\d{1,3})x)?(\d{1,4})", text)
    if found:
        n_repeats, n_folds = int(found.group(1) or 1), int(found.group(2))
        if n_repeats >= 1 and 2 <= n_folds <= MAX_FOLDS:
            return Plan(n_repeats=n_repeats, n_folds=n_folds)
    raise RequestError(
        f"--cv {text}: write the number of folds (2 to {MAX_FOLDS:,}), REPETITIONSxFOLDS such as "
        "5x2, or holdout=FILE with a table to test on."
    )
