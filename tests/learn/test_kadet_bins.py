"""Trees of kADET that test numbers and dates at the edges of bins only."""

from bisect import bisect_right
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import bins as naive
from support import examples, mostly_slow, ppdt

from ppdt_db import GuaranteeError, RequestError
from ppdt_db.learn import Kadet, learn, predict_into, verify_tree
from ppdt_db.tree.tree_json import read_tree

RULES = ["mdl", "quantiles:3", {"x": [3, 7, 11]}]
NUMBER = st.none() | st.integers(0, 14)
ROWS = st.lists(
    st.tuples(NUMBER, st.none() | st.sampled_from("ab"), st.none() | st.sampled_from("uvw")),
    min_size=6,
    max_size=60,
)


@pytest.fixture
def con():
    with duckdb.connect() as made:
        yield made


def lows_of(rows, rule, k):
    """The lower ends of all bins of x but the lowest, by the rows that have a class."""
    pairs = [(x, c) for x, _, c in rows if x is not None and c is not None]
    values = [x for x, _ in pairs]
    if not pairs:
        return []
    if rule == "mdl":
        return naive.by_class(pairs, k, Fraction(1))
    if isinstance(rule, dict):
        return naive.large_enough(rule["x"], values, k)
    return naive.equal_counts(values, 3, k, Fraction(1))


def shape(tree, edge=lambda value: value, number=0):
    node = tree.nodes[number]
    below = [
        (b.test, edge(b.value) if b.test in ("<=", ">") else b.value, shape(tree, edge, b.child))
        for b in node.branches
    ]
    return node.counts, node.attribute, below


def fill(con, name, rows):
    con.execute(f"CREATE OR REPLACE TABLE {name} (x INTEGER, town VARCHAR, y VARCHAR)")
    con.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)


@examples(40)
@given(
    ROWS, st.sampled_from(RULES), st.integers(1, 4), st.booleans(), st.sampled_from(["c45", "id3"])
)
def test_only_edges_are_tested(rows, rule, k, is_public, form) -> None:
    """The tree is that of a table with the highest value of its bin for every number."""
    lows = lows_of(rows, rule, k)
    values = [x for x, _, _ in rows if x is not None]
    highest = [
        max((v for v in values if naive.bin_of(lows, v) == i), default=-1)
        for i in range(len(lows) + 1)
    ]
    same = [(None if x is None else highest[naive.bin_of(lows, x)], t, c) for x, t, c in rows]
    roles = {"public": ["town"], "private": ["x"]} | (
        {"public": ["x", "town"], "private": []} if is_public else {}
    )

    def edge(text):
        low = lows[bisect_right(highest, float(text)) - 1]
        return str(low - 1 if is_public else low - Fraction(1, 2)) if is_public else f"{low - 1}.5"

    with duckdb.connect() as con:
        fill(con, "t", rows)
        fill(con, "same", same)
        try:
            plain = learn(con, "same", target="y", learner=Kadet(k=k, form=form, **roles))
        except (RequestError, GuaranteeError) as error:
            with pytest.raises(type(error)):
                learn(con, "t", target="y", learner=Kadet(k=k, form=form, bins=rule, **roles))
            return
        binned = learn(con, "t", target="y", learner=Kadet(k=k, form=form, bins=rule, **roles))
        assert shape(binned.tree) == shape(plain.tree, edge)
        assert binned.certificate["bins"]["x"]["bins"] == len(lows) + 1


OF_TYPES = [
    ("UTINYINT", "i // 4"), ("HUGEINT", None), ("DECIMAL(6,2)", "i / 8.0"),
    ("FLOAT", "i / 7.0"), ("DOUBLE", "CASE WHEN i % 9 > 0 THEN i / 7.0 ELSE 'nan' END"),
    ("DATE", "DATE '2020-01-01' + CAST(i AS INTEGER)"),
    ("TIMESTAMP", "TIMESTAMP '2020-01-01' + INTERVAL 1 MINUTE * i"),
    ("TIMESTAMPTZ", "TIMESTAMPTZ '2020-01-01 00:00:00+00' + INTERVAL 1 HOUR * i"),
    ("TIME", "TIME '01:00:00' + INTERVAL 1 MINUTE * i"),
]  # fmt: skip


@pytest.mark.parametrize(("type_name", "value"), mostly_slow(OF_TYPES, *OF_TYPES[1:3]))
@pytest.mark.parametrize("is_public", mostly_slow([True, False], False))
def test_every_type_of_number_is_cut(con, type_name, value, is_public) -> None:
    """The tree, its SQL, its JSON and the independent check agree on every row."""
    con.execute(
        f"CREATE TABLE t AS SELECT CAST({value or 'i'} AS {type_name}) AS x, 'a' AS town, "
        "(i % 200) BETWEEN 60 AND 130 AS y FROM range(200) r(i)"
    )
    known = ["x", "town"] if is_public else ["town"]
    learner = Kadet(k=10, public=known, private=[] if is_public else ["x"], bins="quantiles:7")
    if value is None:
        with pytest.raises(RequestError, match="more digits than bins support"):
            learn(con, "t", target="y", learner=learner)
        return
    found = learn(con, "t", target="y", learner=learner)
    assert found.size > 3
    tree = read_tree(found.as_json())
    predict_into(con, tree, "t", into="told")
    agree = f"SELECT count(*) FROM told WHERE {found.as_sql()} IS DISTINCT FROM predicted_y"
    assert con.execute(agree).fetchone() == (0,)
    edges = {b.value for n in tree.nodes for b in n.branches if b.value is not None}
    assert 2 <= len(edges) <= 6
    (typed,) = tree.attributes
    for edge in edges:
        below = f"SELECT count(*) FROM t WHERE x <= CAST('{edge}' AS {typed.type_name})"
        assert con.execute(below).fetchone()[0] >= 10
    assert verify_tree(con, tree, "t", public=known, k=10).k >= 10
    for threads in (1, 2):
        con.execute(f"SET threads = {threads}")
        con.execute("CREATE OR REPLACE TABLE u AS FROM t ORDER BY sha256(CAST(x AS VARCHAR) || y)")
        assert learn(con, "u", target="y", learner=learner).tree == found.tree


def test_what_cannot_be_cut_is_said(con) -> None:
    con.execute("CREATE TABLE t AS SELECT 'a' AS town, i AS n, i % 2 = 0 AS y FROM range(40) r(i)")
    for learner, told in [
        (Kadet(k=2, public=["town"], bins="mdl"), "no feature is a number"),
        (Kadet(k=2, public=["n"], bins={"age": [1]}), "named by an edge"),
        (Kadet(k=2, public=["n"], bins="quantiles:1"), "at least 2"),
        (Kadet(k=2, public=["n"], bins={"n": ["x"]}), "no values of its type"),
        (Kadet(k=2, public=["n"], bins=3), "bins"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(RequestError, match=told):
            learn(con, "t", target="y", learner=learner)


def test_the_command_line(con, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    con.execute(
        "COPY (SELECT i AS age, i % 3 AS town, i BETWEEN 20 AND 70 AS y FROM range(90) r(i)) "
        f"TO '{path}'"
    )
    args = [path, "--target", "y", "--public", "age,town", "--bins", "quantiles:4"]
    shown = ppdt("learn", "kadet", *args, "--k", 5)
    assert shown.code == 0 and "age <= 22" in shown.out
    told = ppdt(
        "evaluate", path, "--target", "y", "--learner", "kadet", *args[3:], "--k", 5, "--cv", 2
    )
    assert told.code == 0 and "accuracy" in told.out
    refused = ppdt("learn", "c45", path, "--target", "y", "--bins", "mdl")
    assert refused.code == 2 and "--bins does not apply to c45" in refused.err
