"""What an audit measures, naively."""

from collections import Counter
from collections.abc import Sequence
from math import exp, log

Classes = Sequence[Sequence[object]]


def k(classes: Classes) -> int:
    return min(len(members) for members in classes)


def distinct_l(classes: Classes) -> int:
    """Of classes given as lists of their sensitive values; NULL is one."""
    return min(len(set(members)) for members in classes)


def entropy_l(classes: Classes) -> float:
    def of(members: Sequence[object]) -> float:
        shares = [n / len(members) for n in Counter(members).values()]
        return exp(-sum(share * log(share) for share in shares))

    return min(of(members) for members in classes)


def discernibility(classes: Classes) -> int:
    return sum(len(members) ** 2 for members in classes)


def gcp(penalties: Sequence[Sequence[tuple[int, float]]]) -> float:
    """The mean over cells; for each attribute, each class's rows and penalty."""
    of_attribute = [
        sum(n * penalty for n, penalty in classes) / sum(n for n, _ in classes)
        for classes in penalties
    ]
    return sum(of_attribute) / len(of_attribute)
