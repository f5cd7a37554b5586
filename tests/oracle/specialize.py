"""Top-down specialization, naively: every candidate is tried on all rows at every step."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log2

Group = frozenset[int]
Way = list[Group]
HIDDEN = -1
Allows = Callable[[list[int]], bool]


@dataclass(frozen=True)
class Axis:
    """Each row's code, and the groups of codes that are nodes; intervals where there are none."""

    codes: Sequence[int]
    nodes: frozenset[Group] | None

    def ways(self, group: Group, targets: Sequence[object]) -> list[tuple[int, Way]]:
        """How a group may be opened, each with the code that settles ties."""
        if HIDDEN in group:
            values = sorted(group - {HIDDEN})
            apart = [(v, [frozenset({v}), group - {v}]) for v in values]
            return [(v, [part for part in way if part != {HIDDEN}]) for v, way in apart]
        if self.nodes is None:
            order = sorted(group)
            cuts = [[frozenset(order[:i]), frozenset(order[i:])] for i in range(1, len(order))]
            best = max(cuts, key=lambda way: self.gain(way, targets), default=None)
            return [(order[0], best)] if best else []
        inside = [node for node in self.nodes if node < group]
        largest = [node for node in inside if not any(node < other for other in inside)]
        return [(min(group), largest)] if largest else []

    def gain(self, way: Way, targets: Sequence[object]) -> float:
        """By how much the weighted entropy of the targets falls."""
        parts = [[t for t, c in zip(targets, self.codes, strict=True) if c in g] for g in way]
        whole = [t for part in parts for t in part]
        below = sum(len(part) * entropy(part) for part in parts)
        return round(entropy(whole) - below / len(whole), 12)


def entropy(targets: Sequence[object]) -> float:
    counts = Counter(targets).values()
    return -sum(n / len(targets) * log2(n / len(targets)) for n in counts)


def shown(axes: Sequence[Axis], cuts: Sequence[Iterable[Group]], row: int) -> tuple[Group, ...]:
    """The group of every attribute that holds a row's code."""
    pairs = zip(axes, cuts, strict=True)
    return tuple(next(g for g in cut if axis.codes[row] in g) for axis, cut in pairs)


def classes(axes: Sequence[Axis], cuts: Sequence[Iterable[Group]]) -> list[list[int]]:
    found: dict[tuple[Group, ...], list[int]] = {}
    for row in range(len(axes[0].codes)):
        found.setdefault(shown(axes, cuts, row), []).append(row)
    return list(found.values())


def specialize(
    axes: Sequence[Axis], roots: Sequence[Group], targets: Sequence[object], allows: Allows,
    score: Callable[[float, int], float],
) -> list[list[Group]]:  # fmt: skip
    """Open groups, the best first, as long as any may be opened; the final groups."""
    cuts = [[root] for root in roots]
    while True:
        smallest = min(map(len, classes(axes, cuts)))
        found = []
        for number, cut in enumerate(cuts):
            for group in cut:
                for code, way in axes[number].ways(group, targets):
                    after = [
                        *cuts[:number],
                        [g for g in cut if g != group] + way,
                        *cuts[number + 1 :],
                    ]
                    made = classes(axes, after)
                    if all(map(allows, made)):
                        gain = axes[number].gain(way, targets)
                        loss = smallest - min(map(len, made))
                        found.append((-score(gain, loss), number, code, after))
        if not found:
            return cuts
        cuts = min(found, key=lambda each: each[:3])[3]
