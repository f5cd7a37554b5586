"""Tests (combined 5x2cv F, Friedman by Iman-Davenport, Bonferroni-Dunn) and intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist, fmean


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The statistic of a test, and the probability of one at least as large by chance."""

    statistic: float
    p_value: float

    @property
    def is_significant(self) -> bool:
        """Return whether the result is significant at 95 %."""
        return self.p_value < 0.05


def combined_f(differences: Sequence[Sequence[float]]) -> Verdict:
    """Return Alpaydin's combined 5x2cv F test on the differences of two error rates.

    >>> combined_f([(0.01, 0.02), (0.02, 0.01), (0.0, 0.02), (0.01, 0.01), (0.02, 0.02)]).statistic
    4.0
    """
    if len(differences) != 5 or any(len(pair) != 2 for pair in differences):
        raise ValueError("the test needs five repetitions of two folds")
    squares = fsum(d * d for pair in differences for d in pair)
    spread = fsum((d - fmean(pair)) ** 2 for pair in differences for d in pair)
    if squares == 0:
        return Verdict(statistic=0.0, p_value=1.0)
    if spread == 0:
        return Verdict(statistic=float("inf"), p_value=0.0)
    statistic = round(squares / (2 * spread), 12)
    return Verdict(statistic=statistic, p_value=f_tail(statistic, 10, 5))


def mean_ranks(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean rank of every rival over the cases (rows); rank 1 is the highest score."""
    ranks = [_ranks(case) for case in scores]
    return [fmean(column) for column in zip(*ranks, strict=True)]


def iman_davenport(scores: Sequence[Sequence[float]]) -> Verdict:
    """Return Friedman's test with Iman and Davenport's correction: do all rivals perform alike?"""
    n_cases, n_rivals = len(scores), len(scores[0])
    if n_cases < 2 or n_rivals < 2:
        raise ValueError("the test needs at least two cases and two rivals")
    ranks = mean_ranks(scores)
    squares = fsum(rank * rank for rank in ranks) - n_rivals * (n_rivals + 1) ** 2 / 4
    friedman = 12 * n_cases / (n_rivals * (n_rivals + 1)) * squares
    rest = n_cases * (n_rivals - 1) - friedman
    if rest <= 1e-12:
        return Verdict(statistic=float("inf"), p_value=0.0)
    statistic = (n_cases - 1) * friedman / rest
    freedom = (n_rivals - 1, (n_rivals - 1) * (n_cases - 1))
    return Verdict(statistic=statistic, p_value=f_tail(statistic, *freedom))


def bonferroni_dunn(n_rivals: int, n_cases: int, alpha: float = 0.05) -> float:
    """Return the mean rank difference from the control that is significant.

    >>> round(bonferroni_dunn(4, 14), 2)
    1.17
    """
    q = NormalDist().inv_cdf(1 - alpha / (2 * (n_rivals - 1)))
    return q * sqrt(n_rivals * (n_rivals + 1) / (6 * n_cases))


def binomial_half_width(share: float, n_rows: int, level: float = 0.95) -> float:
    """Return how far a share of rows may be off by chance, by the normal approximation.

    >>> round(100 * binomial_half_width(0.8596, 45_222), 2)
    0.32
    """
    if n_rows < 1 or not 0 <= share <= 1:
        raise ValueError("the interval needs at least one row and a share between 0 and 1")
    z = NormalDist().inv_cdf((1 + level) / 2)
    return z * sqrt(share * (1 - share) / n_rows)


def _ranks(case: Sequence[float]) -> list[float]:
    """Return the ranks of one case; equal scores share theirs."""
    scores = list(case)
    return [1 + sum(o > score for o in scores) + (scores.count(score) - 1) / 2 for score in scores]


def f_tail(statistic: float, freedom_1: int, freedom_2: int) -> float:
    """Return the probability of an F statistic at least as large."""
    if statistic <= 0:
        return 1.0
    share = freedom_2 / (freedom_2 + freedom_1 * statistic)
    return _beta_share(share, freedom_2 / 2, freedom_1 / 2)


def _beta_share(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    result = d
    for m in range(1, 500):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d or tiny)
            c = 1 + numerator / c or tiny
            result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return result
