"""How certain anybody may become of a class, as entropy l-diversity."""

from math import log2


def least_l(limit: float, n_classes: int = 2) -> float:
    """Return the entropy l-diversity that keeps anybody from exceeding a certainty, in percent.

    It is that of the most even classes of which one has this share of the rows. Any rows of which
    a class has a larger share have less entropy.

    >>> round(least_l(85), 3), round(least_l(85, 3), 3)
    (1.526, 1.693)
    """
    share = limit / 100
    rest = (1 - share) / max(1, n_classes - 1)
    parts = [share, *[rest] * (n_classes - 1)]
    return float(2 ** -sum(part * log2(part) for part in parts if part > 0))
