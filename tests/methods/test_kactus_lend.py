"""Rows that kACTUS lends: at random, or those first that cost least."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import examples

from ppdt_db import Kactus, RequestError, anonymize
from ppdt_db.tree.tree import Tree
from ppdt_db.tree.tree_json import read_tree


def split() -> Tree:
    """A tree that tests one column, grown where it tells the class in part."""
    from ppdt_db import C45
    from ppdt_db.learn import learn

    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT CASE WHEN i < 50 THEN 'a' ELSE 'b' END AS side, "
                    "CASE WHEN i < 50 THEN 'x' ELSE 'y' END AS goal "
                    "FROM range(100) r(i)")  # fmt: skip
        tree = learn(con, "t", target="goal", features=["side"],
                     learner=C45(missing="branch"))  # fmt: skip
    assert isinstance(tree, Tree)
    return read_tree(tree.as_json())


def shown(counts: dict[tuple[str, str], int], lend: str, seed: int) -> dict[tuple, int]:
    """The rows of a release, counted."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (side VARCHAR, goal VARCHAR)")
        rows = [row for row, n_rows in counts.items() for _ in range(n_rows)]
        con.executemany("INSERT INTO t VALUES (?, ?)", rows)
        anonymize(con, "t", quasi=["side"], target="goal", into="o", seed=seed,
                  method=Kactus(k=5, tree=split(), lend=lend))  # type: ignore[arg-type]  # fmt: skip
        found = con.execute("SELECT side, goal, count(*) FROM o GROUP BY ALL").fetchall()
    return {(side, goal): n_rows for side, goal, n_rows in found}


@pytest.mark.parametrize("seed", range(3))
def test_errors_of_the_lender_that_are_none_above_go_first(seed: int) -> None:
    counts = {("a", "x"): 7, ("a", "y"): 3, ("b", "y"): 2}
    assert shown(counts, "greedy", seed) == {("a", "x"): 7, (None, "y"): 5}


def errors(found: dict[tuple, int], most: dict[str | None, str]) -> int:
    """The rows that are not of the class that was most frequent before anything was lent."""
    return sum(n_rows for (side, goal), n_rows in found.items() if goal != most[side])


@examples(15)
@given(
    large=st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(lambda n: sum(n) >= 9),
    small=st.lists(st.integers(0, 2), min_size=3, max_size=3).filter(lambda n: 0 < sum(n) < 5),
)
def test_greedy_never_makes_more_errors_than_the_draw(large: list[int], small: list[int]) -> None:
    counts = {(side, goal): n for side, own in (("a", large), ("b", small))
              for goal, n in zip("xyz", own, strict=True) if n}  # fmt: skip
    best = shown(counts, "greedy", 0)
    drawn = shown(counts, "random", 0)
    assert sum(best.values()) == sum(counts.values())
    sizes = {side: sum(n for (own, _), n in best.items() if own == side) for side, _ in best}
    assert min(sizes.values()) >= 5
    # Equally frequent: the class that comes first.
    most = {side: "xyz"[own.index(max(own))] for side, own in (("a", large), (None, small))}
    assert errors(best, most) <= errors(drawn, most)


def test_greedy_needs_a_target(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT 'a' AS side, 'x' AS goal FROM range(9)")
    with pytest.raises(RequestError, match="--lend greedy needs a target"):
        anonymize(con, "t", quasi=["side"], identifiers="rest", into="o",
                  method=Kactus(k=5, tree=split(), lend="greedy"))  # fmt: skip
