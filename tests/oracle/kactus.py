"""kACTUS, naively: sets of row numbers on the nodes of a tree, as the paper tells it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from oracle.kactus_tree import Node, Row, leaf_of

DROPPED, JOINED = "dropped", "joined"
MAX_DRAWS = 3000


@dataclass
class Oracle:
    """Says where every row must be released; of random draws it takes what was drawn."""

    k: int
    keeps: Callable[[set[int]], bool]
    count: Callable[[Iterable[int]], int] = lambda rows: len(set(rows))
    is_only_k: bool = True
    drops: bool = True

    def lent(self, kept: Mapping[int, set[int]], rest: set[int], drawn: set[int]) -> set[int]:
        """The rows that a node was lent, after a look at whether it had to be so."""
        need = self.k - self.count(rest)
        extra = {child: self.count(pool) - self.k for child, pool in kept.items()}
        if not rest or not 0 < need <= sum(extra.values()):
            assert not drawn, "lent without need, or in vain"
            return drawn

        def is_fair(draw: set[int]) -> bool:
            return all(len(draw & pool) <= extra[child] for child, pool in kept.items())

        def stands(draw: set[int]) -> bool:
            return self.keeps(rest | draw) and all(
                self.keeps(pool - draw) for pool in kept.values()
            )

        able = sorted(row for pool in kept.values() for row in pool)
        if drawn:
            assert len(drawn) == need and is_fair(drawn) and stands(drawn)
        elif self.is_only_k or comb(len(able), need) <= MAX_DRAWS:
            draws = [set(draw) for draw in combinations(able, need)] if not self.is_only_k else []
            assert not all(stands(draw) for draw in draws if is_fair(draw)), "nobody lends"
        return drawn

    def places(
        self, nodes: Sequence[Node], rows: Sequence[Row], seen: Mapping[int, object]
    ) -> dict:
        """Each row's node, `joined` or `dropped`; `seen` is the same of the run that is judged."""
        pools: dict[int, set[int]] = {number: set() for number in range(len(nodes))}
        for row, keys in enumerate(rows):
            pools[leaf_of(nodes, keys)].add(row)
        out: dict[int, set[int]] = {}
        for number in reversed([n for n, node in enumerate(nodes) if node.children]):
            children = {child: pools[child] for child in nodes[number].children.values()}
            kept = {child: pool for child, pool in children.items() if self.keeps(pool)}
            rest = {row for child in children.keys() - kept.keys() for row in pools[child]}
            drawn = {row for pool in kept.values() for row in pool if seen[row] == number}
            pools[number] = rest | self.lent(kept, rest, drawn)
            out |= {child: pool - drawn for child, pool in kept.items()}
        rest = pools[0]
        few = self.k if self.drops else 1
        place = 0 if self.keeps(rest) else DROPPED if len(rest) < few else JOINED
        waiting = sorted(out, key=lambda node: (len(out[node]), node), reverse=True)
        while place == JOINED and not self.keeps(rest):
            rest = rest | out.pop(waiting.pop())
        return {row: node for node, pool in out.items() for row in pool} | dict.fromkeys(
            rest, place
        )
