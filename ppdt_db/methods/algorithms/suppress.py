"""Suppress: release a tree's leaves where they keep the guarantee, what is left one node above.

Every leaf's rows are a pool. On a node all of whose children are pools, deepest first, the pools
that keep the guarantee are released; the rows of the others come together in the node, and may
borrow what they lack of k from pools that have more. All nodes of one depth take a step together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppdt_db.guard import Guard, broken_groups
from ppdt_db.learn.grown import whole
from ppdt_db.methods.contract import Task
from ppdt_db.names import listed
from ppdt_db.tree import Tree

JOINED_AT_ONCE = 64


@dataclass(kw_only=True)
class Pool:
    """Rows that are together at a node: those of its leaves, but for what was lent."""

    node_id: int
    leaves: list[int] = field(default_factory=list)
    n_rows: int = 0
    is_joined: bool = False


@dataclass(frozen=True, kw_only=True)
class Loan:
    """What a node needs, and the pools that could lend it."""

    pool: Pool
    lenders: Sequence[Pool]
    needed: int = 0
    extras: Sequence[int] = ()


class Suppression:
    """The state of one run: the pools that are open, and those that are released."""

    def __init__(self, task: Task, tree: Tree, guard: Guard, sizes: Mapping[int, int]) -> None:
        self.task = task
        self.engine = task.engine
        self.tree = tree
        self.guard = guard
        self.asks_more = bool(task.encoded.things)
        self.has_entity = any(thing.is_entity for thing in task.encoded.things)
        self.open = {
            number: Pool(node_id=number, leaves=[number], n_rows=sizes.get(number, 0))
            for number, node in enumerate(tree.nodes)
            if not node.branches
        }
        self.released: list[Pool] = []

    def run(self) -> None:
        """Go up from the deepest nodes to the root; leaves `ppdt_pool` and `ppdt_lent` behind."""
        self.engine.make("kactus/none_lent", to="ppdt_lent")
        if self.asks_more:
            self.engine.make("kactus/leaf_thing")
        for nodes in self.levels():
            self.step(nodes)
        self._finish(self.open.pop(0))
        self._note_pools()

    def levels(self) -> Iterable[list[int]]:
        """The inner nodes, deepest first."""
        depths = [0] * len(self.tree.nodes)
        for number, node in enumerate(self.tree.nodes):
            for branch in node.branches:
                depths[branch.child] = depths[number] + 1
        for depth in range(max(depths), -1, -1):
            nodes = [n for n, node in enumerate(self.tree.nodes) if node.branches]
            if chosen := [n for n in nodes if depths[n] == depth]:
                yield chosen

    def step(self, nodes: Sequence[int]) -> None:
        """Release, borrow and suppress at all nodes of one depth."""
        children = {
            number: [self.open.pop(branch.child) for branch in self.tree.nodes[number].branches]
            for number in nodes
        }
        kept = self._kept([pool for pools in children.values() for pool in pools])
        loans: list[Loan] = []
        for number, pools in children.items():
            complying = [pool for pool in pools if pool.node_id in kept]
            pool = Pool(node_id=number)
            for child in pools:
                if child.node_id not in kept:
                    pool.leaves += child.leaves
                    pool.n_rows += child.n_rows
            self.open[number] = pool
            self.released += complying
            if complying and pool.n_rows > 0:
                loans.append(Loan(pool=pool, needed=0, lenders=complying, extras=()))
        self._lend(loans)

    def _lend(self, loans: Sequence[Loan]) -> None:
        """Draw the rows that complete a pool to k, where the pools beside it can spare them."""
        heads = self._heads([p for loan in loans for p in (loan.pool, *loan.lenders)])
        k = self.guard.k
        wanted: list[Loan] = []
        for loan in loans:
            needed = k - heads[loan.pool.node_id]
            extras = [heads[pool.node_id] - k for pool in loan.lenders]
            if 0 < needed <= sum(extras):
                wanted.append(replace(loan, needed=needed, extras=extras))
        if not wanted:
            return
        flat = [
            (p, extra, loan)
            for loan in wanted
            for p, extra in zip(loan.lenders, loan.extras, strict=True)
        ]
        params = listed(
            {
                "pool_ids": [pool.node_id for pool, _, _ in flat],
                "extras": [extra for _, extra, _ in flat],
                "to_ids": [loan.pool.node_id for _, _, loan in flat],
                "needed": [loan.needed for _, _, loan in flat],
            }
        )
        self._note_pools()
        self.engine.make("kactus/lends", params)
        self.engine.make("kactus/drawn", {"run_key": self.task.run_key})
        taken = self.engine.rows("kactus/taken")
        stands = {loan.pool.node_id for loan in wanted}
        if self.asks_more:
            stands -= self._refused(wanted, taken)
        self.engine.append("kactus/lent", "ppdt_lent", listed({"to_ids": sorted(stands)}))
        by_id = {p.node_id: p for loan in wanted for p in (loan.pool, *loan.lenders)}
        for from_id, to_id, n_rows in taken:
            if to_id in stands:
                by_id[whole(from_id)].n_rows -= whole(n_rows)
                by_id[whole(to_id)].n_rows += whole(n_rows)
        self.engine.drop("ppdt_lends", "ppdt_drawn")

    def _refused(self, wanted: Sequence[Loan], taken: Sequence[tuple[object, ...]]) -> set[int]:
        """The nodes whose loan, as drawn, would leave a lender or them without the guarantee."""
        change: dict[int, int] = {}
        for from_id, to_id, n_rows in taken:
            change[whole(from_id)] = change.get(whole(from_id), 0) - whole(n_rows)
            change[whole(to_id)] = change.get(whole(to_id), 0) + whole(n_rows)
        pools = [p for loan in wanted for p in (loan.pool, *loan.lenders)]
        sizes = {p.node_id: p.n_rows + change.get(p.node_id, 0) for p in pools}
        groups = [([p.node_id], sizes[p.node_id]) for p in pools]
        bad = self._broken(groups, lent="kactus/with_drawn")
        broken = {pools[number].node_id for number in bad}
        return {
            loan.pool.node_id
            for loan in wanted
            if broken & {p.node_id for p in (loan.pool, *loan.lenders)}
        }

    def _kept(self, pools: Sequence[Pool]) -> set[int]:
        """The pools that keep the guarantee."""
        large = [pool for pool in pools if pool.n_rows >= self.guard.k]
        if not self.asks_more or not large:
            return {pool.node_id for pool in large}
        # What is judged must be where it is counted: in the pools as they stand now.
        self._note_pools(large)
        bad = self._broken([([pool.node_id], pool.n_rows) for pool in large])
        return {pool.node_id for number, pool in enumerate(large) if number not in bad}

    def _heads(self, pools: Sequence[Pool]) -> dict[int, int]:
        """What k counts in every pool: rows, or entities."""
        heads = {pool.node_id: pool.n_rows for pool in pools}
        if self.has_entity and pools:
            self._note_pools()
            self._fill_groups([([pool.node_id], pool.n_rows) for pool in pools])
            for number, n_entities in self.engine.rows("kactus/people"):
                heads[pools[whole(number)].node_id] = whole(n_entities)
        return heads

    def _finish(self, rest: Pool) -> None:
        """What the root is left with is suppressed, dropped, or joined by released groups."""
        if rest.n_rows == 0:
            return
        if self._kept([rest]):
            self.released.append(rest)
            return
        if rest.n_rows >= self.guard.k or self.guard.is_relative:
            self._join(rest)

    def _join(self, rest: Pool) -> None:
        """Suppress whole released groups too, smallest first, until the rest is safe.

        With all of them it is the whole table, of which was asked beforehand whether it is safe.
        """
        self.open[0] = rest
        self._note_pools()
        waiting = sorted(self.released, key=lambda pool: (pool.n_rows, pool.node_id))
        n_joined = self._enough(rest, waiting)
        for pool in [rest, *waiting[:n_joined]]:
            pool.is_joined = True
        self.released.append(rest)
        del self.open[0]

    def _enough(self, rest: Pool, waiting: Sequence[Pool]) -> int:
        """How many groups, from the first on, it takes to make the rest safe."""
        for start in range(1, len(waiting), JOINED_AT_ONCE):
            ends = range(start, min(start + JOINED_AT_ONCE, len(waiting)))
            groups = [[rest, *waiting[:end]] for end in ends]
            bad = self._broken(
                [([p.node_id for p in group], sum(p.n_rows for p in group)) for group in groups]
            )
            for number, end in enumerate(ends):
                if number not in bad:
                    return end
        return len(waiting)

    # -- relations -------------------------------------------------------------------------------

    def _note_pools(self, more: Sequence[Pool] = ()) -> None:
        """Where every leaf's rows are now."""
        pools = {pool.node_id: pool for pool in [*self.open.values(), *self.released, *more]}
        pairs = [(leaf, pool.node_id) for pool in pools.values() for leaf in pool.leaves]
        params = listed(
            {
                "leaf_ids": [leaf for leaf, _ in pairs],
                "pool_ids": [pool_id for _, pool_id in pairs],
            }
        )
        self.engine.make("kactus/pool", params)

    def _fill_groups(
        self, groups: Sequence[tuple[Sequence[int], int]], lent: str | None = None
    ) -> None:
        """Groups of pools as relations; each is a list of pools and its number of rows."""
        if lent is not None:
            self.engine.rename("ppdt_lent", "ppdt_lent_before")
            self.engine.make(lent, to="ppdt_lent")
        self.engine.make("kactus/pool_thing")
        if lent is not None:
            self.engine.rename("ppdt_lent_before", "ppdt_lent")
        pairs = [(p, number) for number, (pool_ids, _) in enumerate(groups) for p in pool_ids]
        judged = listed({"pool_ids": [p for p, _ in pairs], "group_ids": [g for _, g in pairs]})
        self.engine.make("kactus/judged", judged)
        sizes = listed({"group_ids": range(len(groups)), "sizes": [size for _, size in groups]})
        self.engine.make("kactus/group", sizes)
        self.engine.make("kactus/group_thing")

    def _broken(
        self, groups: Sequence[tuple[Sequence[int], int]], lent: str | None = None
    ) -> set[int]:
        """Which of the groups do not keep the guarantee, by their number."""
        self._fill_groups(groups, lent)
        return broken_groups(self.engine, self.task.encoded, self.guard)
