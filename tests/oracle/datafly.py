"""Datafly, naively: group all rows again after every step."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

# What each row shows, level by level: its own value first, the same for all rows last.
Ladder = Sequence[Sequence[Hashable]]


def flat(values: Sequence[Hashable]) -> Ladder:
    """Without a hierarchy: its own value, or nothing."""
    return [values, ["*"] * len(values)]


def climbing(values: Sequence[str | None], paths: dict[str | None, Sequence[str]]) -> Ladder:
    """By a hierarchy: the words above each value, upwards; NULL without words waits for the top."""
    depth = max(map(len, paths.values()))
    root = next(iter(paths.values()))[-1]
    waiting = {value: [value] * (depth - 1) + [root] for value in values if value not in paths}
    above = {**paths, **waiting}
    return [values, *([above[value][level] for value in values] for level in range(depth))]


def datafly(
    ladders: Sequence[Ladder], allows: Callable[[list[int]], bool], suppress: Fraction
) -> tuple[list[int], list[list[int]]]:
    """The level of each attribute, and the classes that are released, as lists of rows."""
    n_rows = len(ladders[0][0])
    levels = [0] * len(ladders)
    while True:
        shown = [ladder[level] for ladder, level in zip(ladders, levels, strict=True)]
        groups: dict[tuple[Hashable, ...], list[int]] = {}
        for row in range(n_rows):
            groups.setdefault(tuple(column[row] for column in shown), []).append(row)
        kept = [rows for rows in groups.values() if allows(rows)]
        if n_rows - sum(map(len, kept)) <= suppress * n_rows:
            return levels, kept
        widths = [len(set(column)) for column in shown]
        levels[widths.index(max(widths))] += 1
