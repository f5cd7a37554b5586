"""Measure classifiers honestly: what anonymization costs, and whether a difference is one."""

from ppdt_db.evaluate.run import Evaluation, Fold, evaluate
from ppdt_db.evaluate.statistics import (
    bonferroni_dunn,
    combined_f,
    f_tail,
    iman_davenport,
    mean_ranks,
)

__all__ = [
    "Evaluation",
    "Fold",
    "bonferroni_dunn",
    "combined_f",
    "evaluate",
    "f_tail",
    "iman_davenport",
    "mean_ranks",
]
