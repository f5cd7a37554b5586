"""Mondrian under hierarchies, row by row: balanced cuts between the children of a node."""

from collections.abc import Sequence
from fractions import Fraction

from oracle.hierarchy import inner_paths, lowest_common, node_sets

Rows = Sequence[Sequence[str | None]]


def in_order(rows: Rows, values: Sequence[str | None]) -> list[str | None]:
    """The values depth first; siblings in the order of their first values, NULL before all."""
    paths = inner_paths(rows, values)

    def rank(value: str | None) -> tuple[bool, bytes]:
        return (value is not None, (value or "").encode())

    def key(value: str | None) -> list[tuple[bool, bytes]]:
        firsts = [
            min(rank(other) for other, words in paths.items() if word in words)
            for word in paths[value]
        ]
        return [*firsts, rank(value)]

    return sorted(paths, key=key)


class Attribute:
    """A column with its hierarchy."""

    def __init__(self, rows: Rows, column: Sequence[str | None]) -> None:
        values = list(dict.fromkeys(column))
        self.nodes = node_sets(rows, values)
        self.code = {value: code for code, value in enumerate(in_order(rows, values))}
        self.n_values = len(values)

    def width(self, column: Sequence[str | None]) -> Fraction:
        n_values = len(set(column))
        return Fraction(-1) if n_values == 1 else Fraction(n_values - 1, self.n_values - 1)

    def cuts(self, column: Sequence[str | None]) -> list[int]:
        """The codes up to which the left side may reach."""
        held = frozenset(column)
        whole = min((node for node in self.nodes if held <= node), key=len)
        below = [node for node in self.nodes if node < whole]
        children = [node for node in below if not any(node < other for other in below)]
        ends = [max(self.code[v] for v in node & held) for node in children if node & held]
        return sorted(ends)[:-1]

    def label(self, column: Sequence[str | None]) -> str | None:
        return lowest_common(self.nodes, list(column))


def partition(attributes: Sequence[Attribute], table: Sequence[tuple], k: int) -> list[list[tuple]]:
    """The classes."""
    columns = list(zip(*table, strict=True))
    widths = [
        attribute.width(column) for attribute, column in zip(attributes, columns, strict=True)
    ]
    for place in sorted(range(len(attributes)), key=lambda place: (-widths[place], place)):
        if widths[place] < 0:
            continue
        attribute, column = attributes[place], columns[place]
        sides = {}
        for at in attribute.cuts(column):
            n_left = sum(attribute.code[value] <= at for value in column)
            if min(n_left, len(table) - n_left) >= k:
                sides[abs(2 * n_left - len(table)), at] = at
        if sides:
            at = sides[min(sides)]
            left = [row for row in table if attribute.code[row[place]] <= at]
            right = [row for row in table if attribute.code[row[place]] > at]
            return [*partition(attributes, left, k), *partition(attributes, right, k)]
    return [list(table)]


def release(attributes: Sequence[Attribute], table: Sequence[tuple], k: int) -> list[tuple]:
    """Every row as its class shows it."""
    return [
        tuple(
            a.label(column) for a, column in zip(attributes, zip(*held, strict=True), strict=True)
        )
        for held in partition(attributes, table, k)
        for _ in held
    ]
