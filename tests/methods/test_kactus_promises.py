"""What every release by kACTUS keeps, counted from the released rows alone."""

from random import Random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import every, examples, mostly_slow
from tables import SIMPLE, Column, Table, tables
from test_kactus_oracle import Case, cases

import ppdt_db
from ppdt_db import Attribute, Kactus
from ppdt_db.tree import tree as trees
from ppdt_db.tree.node import Branch, Node

KINDS: dict[str, dict] = {
    "plain suppression": {},
    "refine": {"refine": True},
    "refine balanced": {"refine": True, "criterion": "balanced"},
    "refine infogain": {"refine": True, "criterion": "infogain"},
    "refine plain": {"refine": True, "plain": True},
}


def make(con: duckdb.DuckDBPyConnection, table: Table, target: list[str], order=None) -> None:
    """The table with a class for every row, and a column that has no part in anything."""
    table.make(con, "bare", order)
    rows = ", ".join(f"({i}, '{value}', {i} / 7.0)" for i, value in enumerate(target))
    con.execute(f"CREATE TABLE told AS FROM (VALUES {rows}) AS v (rid, y, note)")
    con.execute("CREATE TABLE t AS FROM bare INNER JOIN told USING (rid)")


def targets(table: Table) -> st.SearchStrategy[list[str]]:
    """Classes that the first column has something to do with."""
    known = list(dict.fromkeys(table.columns[0].texts))
    of_value = st.lists(st.sampled_from("abc"), min_size=len(known), max_size=len(known))
    return of_value.map(
        lambda found: [
            "a" if row % 9 == 0 else found[known.index(text)]
            for row, text in enumerate(table.columns[0].texts)
        ]
    )


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def is_told(column: Column, kind: str) -> str:
    """SQL for whether a released row tells the truth about its source's value."""
    value, shown = f"t.{quoted(column.name)}", f"o.{quoted(column.name)}"
    if kind in ("plain suppression", "refine plain"):
        return "TRUE" if column.is_ordered else f"({shown} IS NULL OR {shown} = {value})"
    if not column.is_ordered:
        return f"len([v FOR v IN {shown} IF v IS NOT DISTINCT FROM {value}]) = 1"
    lo, hi, has_null = (f"o.{quoted(column.name + end)}" for end in ("_lo", "_hi", "_has_null"))
    inside = f"{value} BETWEEN {lo} AND {hi} OR ({value} IS NULL AND {has_null})"
    if column.type in ("DOUBLE", "FLOAT", "DATE", "TIMESTAMP", "TIMESTAMPTZ"):
        inside += f" OR NOT isfinite({value})"
    return f"coalesce({inside}, FALSE)"


@pytest.mark.parametrize("kind", every(2, KINDS))
@examples(8)
@given(case=cases(), k=st.integers(2, 5), own=st.booleans(), data=st.data())
def test_a_release_keeps_its_promises(
    case: Case, kind: str, k: int, own: bool, data: st.DataObject
) -> None:
    table = case.table
    target = data.draw(targets(table))
    if len(set(target)) < 2 or k > table.n_rows:
        return
    bounds = kind.startswith("refine") and kind != "refine plain"
    quasi = [
        Attribute(c.name, "bounds" if bounds and c.is_ordered else None) for c in table.columns
    ]
    method = Kactus(k=k, tree=None if own else case.tree, **KINDS[kind])
    with duckdb.connect() as con:
        make(con, table, target)
        release = ppdt_db.anonymize(
            con, "t", quasi=quasi, target="y", keep=["rid", "note"], method=method, into="o"
        )
        shown = [name for (name, *_) in con.execute("DESCRIBE o").fetchall()]
        shown = [quoted(name) for name in shown if name not in ("rid", "y", "note")]
        sizes = [
            n
            for (n,) in con.execute(
                f"SELECT count(*) FROM o GROUP BY {', '.join(shown)}"
            ).fetchall()
        ]
        pairs = "FROM o LEFT JOIN t ON t.rid = o.rid AND t.y = o.y AND t.note = o.note"
        told = " AND ".join(is_told(column, kind) for column in table.columns)
        n_rows, n_own, n_true = con.execute(
            f"SELECT count(*), count(DISTINCT t.rid), count(*) FILTER (WHERE {told}) {pairs}"
        ).fetchone()
    assert min(sizes, default=k) >= k
    assert n_rows == n_own == n_true == sum(sizes)
    assert release.certificate["rows_dropped"] == table.n_rows - n_rows < k
    assert release.certificate["guarantee"] == "k-anonymity"


# -- one seed, one release --


@pytest.mark.parametrize(
    "kind", mostly_slow(["plain suppression", "refine", "refine plain"], "refine")
)
@examples(8)
@given(table=tables(types=SIMPLE), seed=st.integers(0, 99), data=st.data())
def test_threads_and_order_change_nothing(
    table: Table, kind: str, seed: int, data: st.DataObject
) -> None:
    target = data.draw(targets(table))
    if len(set(target)) < 2:
        return
    found = []
    shuffled = Random(seed).sample(range(table.n_rows), table.n_rows)
    for threads, order in ((1, None), (2, shuffled)):
        with duckdb.connect(config={"threads": threads}) as con:
            make(con, table, target, order)
            ppdt_db.anonymize(
                con, "t", quasi=table.names, target="y", keep=["rid", "note"], into="o", seed=seed,
                method=Kactus(k=3, **KINDS[kind]),
            )  # fmt: skip
            listed = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in [*table.names, "rid"])
            found.append(con.execute(f"SELECT {listed} FROM o").fetchall())
    assert found[0] == found[1]


LOAN = """
    CREATE TABLE loan AS SELECT
        CASE WHEN i < 400 THEN 'm' WHEN i < 404 THEN 'f' ELSE 'n' END AS sex,
        i % 2 AS y, i AS number
    FROM range(405) AS r (i)
"""
BY_SEX = trees.Tree(
    target="y",
    classes=("0", "1"),
    attributes=(trees.Tested(name="sex", type_name="VARCHAR"),),
    nodes=(
        Node(
            counts=(0, 0),
            attribute="sex",
            branches=tuple(Branch(test="=", value=v, child=n) for n, v in enumerate("mfn", 1)),
        ),
        *(Node(counts=(0, 0)) for _ in range(3)),
    ),
    missing="branch",
)


def lent(seed: int | None) -> frozenset[int]:
    """Who is suppressed to complete the five of the rare values to a hundred."""
    with duckdb.connect() as con:
        con.execute(LOAN)
        ppdt_db.anonymize(
            con, "loan", quasi=["sex"], target="y", keep=["number"], into="o", seed=seed,
            method=Kactus(k=100, tree=BY_SEX),
        )  # fmt: skip
        found = {n for (n,) in con.execute("SELECT number FROM o WHERE sex IS NULL").fetchall()}
    assert {400, 401, 402, 403, 404} <= found
    return frozenset(found - set(range(400, 405)))


def test_draws_follow_the_seed_and_nothing_else() -> None:
    first = lent(1)
    # The same under every version of DuckDB, on every machine.
    assert (len(first), sorted(first)[:5]) == (95, [0, 2, 3, 6, 7])
    others = [lent(1), lent(2), lent(3), lent(None), lent(None)]
    assert others[0] == first and len({first, *others}) == 5
    # No row of the pool that lends is preferred, and none is left out, over several seeds: each
    # is drawn with 95 / 400, so that after five draws a quarter of them (104) never were.
    never = set(range(400)).difference(first, *others[1:])
    assert 70 < len(never) < 140
