"""The plan of an evaluation: repetitions and folds, or a held-out table."""

import re
from dataclasses import dataclass

from ppdt_db.errors import RequestError

MAX_FOLDS = 1000
HOLDOUT = "holdout="


@dataclass(frozen=True, kw_only=True)
class EvaluationPlan:
    """A number of repetitions and folds, or one round that is tested on another table."""

    n_repeats: int = 1
    n_folds: int = 1
    test: str | None = None

    @property
    def rounds(self) -> list[tuple[int, int]]:
        """Every repetition and fold."""
        return [(r, f) for r in range(self.n_repeats) for f in range(self.n_folds)]


def read_plan(text: str) -> EvaluationPlan:
    """Read a plan: `5x2` (repetitions and folds), `10` (folds), or `holdout=FILE` (a table).

    >>> read_plan("5x2")
    EvaluationPlan(n_repeats=5, n_folds=2, test=None)
    """
    if text.startswith(HOLDOUT) and text != HOLDOUT:
        return EvaluationPlan(test=text.removeprefix(HOLDOUT))
    found = re.fullmatch(r"(?:(\d{1,3})x)?(\d{1,4})", text)
    if found:
        n_repeats, n_folds = int(found.group(1) or 1), int(found.group(2))
        if n_repeats >= 1 and 2 <= n_folds <= MAX_FOLDS:
            return EvaluationPlan(n_repeats=n_repeats, n_folds=n_folds)
    raise RequestError(
        f"--cv {text}: write the number of folds (2 to {MAX_FOLDS:,}), REPETITIONSxFOLDS such as "
        "5x2, or holdout=FILE with a table to test on."
    )
