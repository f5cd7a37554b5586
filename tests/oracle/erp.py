"""Error-risk pruning, naively: every figure anew after every step, as the paper tells it."""

from collections.abc import Callable, Sequence


def below(children: Sequence[Sequence[int]], number: int) -> list[int]:
    leaves = [leaf for child in children[number] for leaf in below(children, child)]
    return leaves or [number]


def pruned(
    children: Sequence[Sequence[int]], risk: Sequence[int | None], wrong: Sequence[int],
    is_small: Callable[[int], bool],
) -> list[int]:  # fmt: skip
    """The inner nodes that are made leaves, in their order."""
    children, order = [list(each) for each in children], []
    while True:
        turns = []
        for depth, number in levels(children):
            leaves = below(children, number)
            if children[number] and any(is_small(leaf) for leaf in leaves):
                gain = risk[number] - min(risk[leaf] for leaf in leaves if risk[leaf] is not None)
                added = wrong[number] - sum(wrong[leaf] for leaf in leaves)
                omega = round(gain / added / 10**12, 12) if added else 0
                turns.append((added > 0, -omega, -depth, -gain, number))
        if not turns:
            return order
        order.append(min(turns)[-1])
        children[order[-1]] = []


def levels(children: Sequence[Sequence[int]], number: int = 0, depth: int = 0):
    yield depth, number
    for child in children[number]:
        yield from levels(children, child, depth + 1)
