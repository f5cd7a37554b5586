"""Measure classifiers: the cost of anonymization, and whether a difference is significant."""

from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.evaluate.result import Comparison, Evaluation, Fold
from ppdt_db.evaluate.run import compare, evaluate, store_rounds
from ppdt_db.evaluate.statistics import (
    bonferroni_dunn,
    combined_f,
    f_tail,
    iman_davenport,
    mean_ranks,
)

__all__ = [
    "Comparison",
    "Evaluation",
    "Fold",
    "Privacy",
    "bonferroni_dunn",
    "combined_f",
    "compare",
    "evaluate",
    "f_tail",
    "iman_davenport",
    "mean_ranks",
    "store_rounds",
]
