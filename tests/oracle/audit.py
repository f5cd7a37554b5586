"""Every measure of the audit, naively: rows are tuples, the last value is the sensitive one."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from math import exp, inf, log

Row = tuple[Hashable, ...]


def classes(rows: Sequence[Row]) -> list[list[Hashable]]:
    """The sensitive values of every class."""
    found: dict[Row, list[Hashable]] = {}
    for *quasi, value in rows:
        found.setdefault(tuple(quasi), []).append(value)
    return list(found.values())


def recursive_c(counts: Sequence[int], level: int) -> float:
    falling = sorted(counts, reverse=True)
    tail = sum(falling[level - 1 :])
    return falling[0] / tail if tail else inf


def shares(values: Sequence[Hashable], domain: Sequence[Hashable]) -> list[float]:
    counts = Counter(values)
    return [counts[value] / len(values) for value in domain]


def t_equal(q: Sequence[float], p: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(q, p, strict=True)) / 2


def t_ordered(q: Sequence[float], p: Sequence[float]) -> float:
    if len(p) == 1:
        return 0.0
    ahead = total = 0.0
    for a, b in zip(q, p, strict=True):
        ahead += a - b
        total += abs(ahead)
    return total / (len(p) - 1)


def t_hierarchical(q: Sequence[float], p: Sequence[float], paths: Sequence[Row]) -> float:
    """Li's recursion over the inner nodes: height / H * min(what is too much, what is missing)."""
    height, total = len(paths[0]) - 1, 0.0
    for level in range(1, height + 1):
        extra: dict[Hashable, dict[Hashable, float]] = {}
        for a, b, path in zip(q, p, paths, strict=True):
            below = extra.setdefault(path[level], {})
            below[path[level - 1]] = below.get(path[level - 1], 0.0) + a - b
        for below in extra.values():
            much = sum(x for x in below.values() if x > 0)
            little = -sum(x for x in below.values() if x < 0)
            total += level / height * min(much, little)
    return total


def models(rows: Sequence[Row], order: Callable[..., object], level: int) -> dict[str, float]:
    """The models of the sensitive column."""
    domain = sorted({row[-1] for row in rows}, key=order)  # type: ignore[arg-type]
    p = shares([row[-1] for row in rows], domain)
    found: dict[str, list[float]] = {}
    for values in classes(rows):
        q = shares(values, domain)
        gains = [(a - b) / b for a, b in zip(q, p, strict=True)]
        logs = [abs(log(a / b)) if a else inf for a, b in zip(q, p, strict=True)]
        is_beyond = any(round(g + log(b), 12) > 0 for g, b in zip(gains, p, strict=True))
        for name, value in {
            "distinct_l": -sum(a > 0 for a in q),
            "entropy_l": -exp(-sum(a * log(a) for a in q if a)),
            "recursive_c": recursive_c(list(Counter(values).values()), level),
            "alpha": max(q),
            "t_equal": t_equal(q, p),
            "t_ordered": t_ordered(q, p),
            "basic_beta": max(0.0, *gains),
            "enhanced_beta": inf if is_beyond else max(0.0, *gains),
            "delta_disclosure": max(logs),
            "delta_disclosure_ignoring_absent": max(x for x in logs if x < inf),
        }.items():
            found.setdefault(name, []).append(value)
    # The worst class counts: the least of the two that are kept negative here, else the most.
    return {name: abs(max(values)) for name, values in found.items()}
