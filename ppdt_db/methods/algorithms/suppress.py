"""Suppress along a tree: release leaves that keep the guarantee, move the others one node up.

The rows of each leaf are a pool. At a node whose children are all pools, deepest first, the pools
that keep the guarantee are released; the rows of the others are pooled in the node, which may
borrow the rows missing to k from larger pools, at random or those that cost least. All nodes of
one depth are processed together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppdt_db.learn.trees.node import as_int
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard, broken_groups
from ppdt_db.sqltext.quoting import listed
from ppdt_db.tree.tree import Tree

JOINED_AT_ONCE = 64


# The pools that lend, what each can spare, and what is needed where.
LENDS = {
    "pool_id": "INTEGER", "n_extra": "BIGINT", "to_id": "INTEGER", "n_needed": "BIGINT",
}  # fmt: skip


@dataclass(kw_only=True)
class LeafPool:
    """A pool of rows at a node: those of its leaves, except rows that were lent."""

    node_id: int
    leaves: list[int] = field(default_factory=list)
    n_rows: int = 0
    is_joined: bool = False


@dataclass(frozen=True, kw_only=True)
class Loan:
    """The rows that a node needs, and the pools that could lend them."""

    pool: LeafPool
    lenders: Sequence[LeafPool]
    needed: int = 0
    extras: Sequence[int] = ()


class Suppression:
    """The state of one run: the open pools, and the released ones."""

    def __init__(
        self,
        task: Task,
        tree: Tree,
        guard: Guard,
        sizes: Mapping[int, int],
        *,
        is_greedy: bool = False,
    ) -> None:
        self.task = task
        self.engine = task.engine
        self.tree = tree
        self.guard = guard
        self.is_greedy = is_greedy
        self.asks_more = bool(task.encoded.protected_keys)
        self.has_entity = any(
            protected_key.is_entity for protected_key in task.encoded.protected_keys
        )
        self.open = {
            number: LeafPool(node_id=number, leaves=[number], n_rows=sizes.get(number, 0))
            for number, node in enumerate(tree.nodes)
            if not node.branches
        }
        self.released: list[LeafPool] = []

    def run(self) -> None:
        """Go up from the deepest nodes to the root; leave `ppdt_pool` and `ppdt_lent` behind."""
        self.engine.make("methods/kactus/none_lent", to="ppdt_lent")
        if self.asks_more:
            self.engine.make("methods/kactus/leaf_protected")
        for nodes in self.levels():
            self.step(nodes)
        self._finish(self.open.pop(0))
        self._store_pools()

    def levels(self) -> Iterable[list[int]]:
        """Yield the inner nodes by depth, deepest first."""
        depths = self.tree.depths
        for depth in range(max(depths), -1, -1):
            nodes = [n for n, node in enumerate(self.tree.nodes) if node.branches]
            if chosen := [n for n in nodes if depths[n] == depth]:
                yield chosen

    def step(self, nodes: Sequence[int]) -> None:
        """Release, borrow and suppress at all nodes of one depth."""
        children = {
            number: [self.open.pop(child) for child in self.tree.nodes[number].children]
            for number in nodes
        }
        kept = self._keeping_guarantee([pool for pools in children.values() for pool in pools])
        loans: list[Loan] = []
        for number, pools in children.items():
            complying = [pool for pool in pools if pool.node_id in kept]
            pool = LeafPool(node_id=number)
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
        """Draw the rows that complete a pool to k, if its sibling pools can spare them."""
        heads = self._count_heads([p for loan in loans for p in (loan.pool, *loan.lenders)])
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
        lends = [
            (pool.node_id, extra, loan.pool.node_id, loan.needed) for pool, extra, loan in flat
        ]
        self._store_pools()
        self.engine.load("ppdt_lends", LENDS, lends, is_logged=True)
        if self.is_greedy:
            self.engine.make("methods/kactus/pool_class")
        self.engine.make(
            "methods/kactus/drawn_row",
            {"run_key": self.task.run_key},
            {"is_greedy": self.is_greedy},
        )
        if self.is_greedy:
            self.engine.drop("ppdt_pool_class")
        taken = self.engine.rows("methods/kactus/taken")
        granted = {loan.pool.node_id for loan in wanted}
        if self.asks_more:
            granted -= self._rejected_loans(wanted, taken)
        self.engine.append("methods/kactus/lent", "ppdt_lent", listed({"to_ids": sorted(granted)}))
        by_id = {p.node_id: p for loan in wanted for p in (loan.pool, *loan.lenders)}
        for from_id, to_id, n_rows in taken:
            if to_id in granted:
                by_id[as_int(from_id)].n_rows -= as_int(n_rows)
                by_id[as_int(to_id)].n_rows += as_int(n_rows)
        self.engine.drop("ppdt_lends", "ppdt_drawn_row")

    def _rejected_loans(
        self, wanted: Sequence[Loan], taken: Sequence[tuple[object, ...]]
    ) -> set[int]:
        """Return the nodes whose loan, as drawn, would break the guarantee somewhere."""
        change: dict[int, int] = {}
        for from_id, to_id, n_rows in taken:
            change[as_int(from_id)] = change.get(as_int(from_id), 0) - as_int(n_rows)
            change[as_int(to_id)] = change.get(as_int(to_id), 0) + as_int(n_rows)
        pools = [p for loan in wanted for p in (loan.pool, *loan.lenders)]
        sizes = {p.node_id: p.n_rows + change.get(p.node_id, 0) for p in pools}
        groups = [([p.node_id], sizes[p.node_id]) for p in pools]
        bad = self._broken(groups, lent="methods/kactus/with_drawn")
        broken = {pools[number].node_id for number in bad}
        return {
            loan.pool.node_id
            for loan in wanted
            if broken & {p.node_id for p in (loan.pool, *loan.lenders)}
        }

    def _keeping_guarantee(self, pools: Sequence[LeafPool]) -> set[int]:
        """Return the pools that keep the guarantee."""
        large = [pool for pool in pools if pool.n_rows >= self.guard.k]
        if not self.asks_more or not large:
            return {pool.node_id for pool in large}
        # The guard counts in `ppdt_pool`, so the present pools must be stored first.
        self._store_pools(large)
        bad = self._broken([([pool.node_id], pool.n_rows) for pool in large])
        return {pool.node_id for number, pool in enumerate(large) if number not in bad}

    def _count_heads(self, pools: Sequence[LeafPool]) -> dict[int, int]:
        """Return the number of rows in every pool, or of entities if k counts these."""
        heads = {pool.node_id: pool.n_rows for pool in pools}
        if self.has_entity and pools:
            self._store_pools()
            self._store_groups([([pool.node_id], pool.n_rows) for pool in pools])
            for number, n_entities in self.engine.rows("methods/kactus/people"):
                heads[pools[as_int(number)].node_id] = as_int(n_entities)
        return heads

    def _finish(self, rest: LeafPool) -> None:
        """Suppress or drop the rows left at the root, or join released groups to them."""
        if rest.n_rows == 0:
            return
        if self._keeping_guarantee([rest]):
            self.released.append(rest)
            return
        if rest.n_rows >= self.guard.k or self.guard.is_relative:
            self._join(rest)

    def _join(self, rest: LeafPool) -> None:
        """Suppress whole released groups too, smallest first, until the rest is safe.

        All of them together are the whole table, which was checked beforehand.
        """
        self.open[0] = rest
        self._store_pools()
        waiting = sorted(self.released, key=lambda pool: (pool.n_rows, pool.node_id))
        n_joined = self._n_to_join(rest, waiting)
        for pool in [rest, *waiting[:n_joined]]:
            pool.is_joined = True
        self.released.append(rest)
        del self.open[0]

    def _n_to_join(self, rest: LeafPool, waiting: Sequence[LeafPool]) -> int:
        """Return how many groups, counted from the first, are needed to make the rest safe."""
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

    def _store_pools(self, more: Sequence[LeafPool] = ()) -> None:
        """Store the pool that every leaf's rows are in now."""
        pools = {pool.node_id: pool for pool in [*self.open.values(), *self.released, *more]}
        pairs = [(leaf, pool.node_id) for pool in pools.values() for leaf in pool.leaves]
        columns = {"leaf_id": "INTEGER", "pool_id": "INTEGER"}
        self.engine.load("ppdt_pool", columns, pairs, is_logged=True)

    def _store_groups(
        self, groups: Sequence[tuple[Sequence[int], int]], lent: str | None = None
    ) -> None:
        """Store groups of pools as relations; each is a list of pools and its number of rows."""
        if lent is not None:
            self.engine.rename("ppdt_lent", "ppdt_lent_before")
            self.engine.make(lent, to="ppdt_lent")
        self.engine.make("methods/kactus/pool_protected")
        if lent is not None:
            self.engine.rename("ppdt_lent_before", "ppdt_lent")
        pairs = [(p, number) for number, (pool_ids, _) in enumerate(groups) for p in pool_ids]
        judged = {"pool_id": "INTEGER", "group_id": "INTEGER"}
        self.engine.load("ppdt_judged", judged, pairs, is_logged=True)
        sizes = enumerate(size for _, size in groups)
        columns = {"group_id": "INTEGER", "n_rows": "BIGINT"}
        self.engine.load("ppdt_group", columns, sizes, is_logged=True)
        self.engine.make("methods/kactus/group_protected")

    def _broken(
        self, groups: Sequence[tuple[Sequence[int], int]], lent: str | None = None
    ) -> set[int]:
        """Return the numbers of the groups that do not keep the guarantee."""
        self._store_groups(groups, lent)
        return broken_groups(self.engine, self.task.encoded, self.guard)
