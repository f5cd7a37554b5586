"""C4.5 with binary splits: node for node as a naive reading, and its subsets the best there are."""

from itertools import combinations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.binary_growth import (
    best_split,
    counted,
    divided,
    gain_of,
    narrowing,
    prefixes,
)
from support import examples, ppdt, read

from ppdt_db import RequestError
from ppdt_db.learn import C45, learn, predict_into, read_model
from ppdt_db.tree.tree_json import read_tree

KINDS = ["text", "number", "text"]
NAMES = [f"x{i}" for i in range(len(KINDS))]

texts = st.one_of(st.none(), st.sampled_from(["a", "b", "it's", 'c"d', "", "é", "NULL"]))
rows_of = st.lists(
    st.tuples(texts, st.one_of(st.none(), st.integers(0, 6)), st.sampled_from("pqr"),
              st.sampled_from(["no", "yes", "?"])),
    min_size=6, max_size=80,
)  # fmt: skip
learners = st.builds(
    C45, min_rows=st.integers(1, 5), unpruned=st.just(True), missing=st.just("branch"),
    binary=st.just(True), narrow=st.booleans(),
)  # fmt: skip


@pytest.fixture(scope="module")
def con():
    with duckdb.connect(config={"threads": 2}) as connection:
        yield connection


def table(con, rows):
    con.execute("CREATE OR REPLACE TABLE t (x0 VARCHAR, x1 INTEGER, x2 VARCHAR, y VARCHAR)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)


def values_to(node, child):
    return {b.value for b in node.branches if b.child == child and b.value is not None}


def compare(tree, number, rows, learner, tables, n_rows):
    """Check a node and all below against the split that the oracle makes."""
    n_classes, node = len(tree.classes), tree.nodes[number]
    counts = counted(rows, n_classes)
    assert list(node.counts) == [1_000_000 * n for n in counts]
    found = {}
    if len(rows) >= 2 * learner.min_rows and max(counts) < len(rows):
        for a, kind in enumerate(KINDS):
            split = best_split(rows, a, kind, n_classes, learner.min_rows)
            if split:
                found[a] = split
    few = [a for a, kind in enumerate(KINDS) if kind == "number" or len(tables[a]) < 0.3 * n_rows]
    few = few or list(range(len(KINDS)))
    gains = [found[a][0] for a in found if a in few]
    least = round(sum(gains) / len(gains), 12) - 0.001 if gains else float("inf")
    found = {a: s for a, s in found.items() if s[0] >= least and s[1] > 1e-6}
    if not found:
        assert not node.branches
        return

    def worth(a):
        _, ratio, _, parts = found[a]
        narrows = narrowing(rows, parts, a, KINDS[a], tables[a]) if learner.narrow else 0
        return -narrows, -ratio, a

    a = min(found, key=worth)
    assert node.attribute == NAMES[a]
    _, _, at, parts = found[a]
    for child in dict.fromkeys(branch.child for branch in node.branches):
        tests = {branch.test for branch in node.branches if branch.child == child}
        (test,) = tests
        values = values_to(node, child)
        if test == "missing":
            place = 2
        elif test == "=":
            seen = {row[0][a] for row in rows} - {None}
            assert values & seen in (set(at), seen - set(at))
            place = 0 if values & seen == set(at) else 1
        else:
            place = 0 if test == "<=" else 1
        compare(tree, child, parts[place], learner, tables, n_rows)


@given(rows=rows_of, learner=learners)
@examples(40)
def test_trees_equal_the_oracle(con, rows, learner):
    if len({row[-1] for row in rows}) < 2:
        return
    table(con, rows)
    tree = learn(con, "t", target="y", features=NAMES, learner=learner)
    classes = list(tree.classes)
    tables = [sorted({row[a] for row in rows} - {None}) for a in range(len(KINDS))]
    units = [(row[:-1], classes.index(row[-1])) for row in rows]
    compare(tree, 0, units, learner, tables, len(rows))


def all_subsets(rows, a):
    """Every subset of the values that occur, but the empty one and the whole."""
    values = sorted({row[0][a] for row in rows} - {None})
    for n in range(1, len(values)):
        yield from map(frozenset, combinations(values, n))


@given(rows=rows_of)
@examples(60)
def test_of_two_classes_no_subset_gains_more(rows):
    """Breiman et al.: some first part, by the share of one class, is as good as the best subset."""
    units = [(row[:-1], int(row[-1] == "yes")) for row in rows]
    gains = [
        [gain_of(units, divided(units, 0, low.__contains__), 2) for low in tried]
        for tried in (prefixes(units, 0, 2), all_subsets(units, 0))
    ]
    assert max(gains[0], default=0) == pytest.approx(max(gains[1], default=0), abs=1e-11)


@given(
    rows=rows_of,
    learner=st.builds(C45, min_rows=st.integers(1, 4), raising=st.booleans(), binary=st.just(True)),
)
@examples(40)
def test_rows_with_missing_values_are_divided_without_loss(con, rows, learner):
    """Pruned, with fractions: every node has the rows of its children, and lists values once."""
    if len({row[-1] for row in rows}) < 2:
        return
    table(con, rows)
    tree = learn(con, "t", target="y", features=NAMES, learner=learner)
    assert sum(tree.nodes[0].counts) == 1_000_000 * len(rows)
    for node in tree.nodes:
        below = [tree.nodes[way.child].counts for way in node.ways]
        if below:
            assert node.counts == tuple(map(sum, zip(*below, strict=True)))
        listed = [branch.value for branch in node.branches if branch.test == "="]
        assert len(listed) == len(set(listed))
    con.execute("DROP TABLE IF EXISTS said")
    predict_into(con, tree, "t", into="said")
    assert len(read(con, "said")) == len(rows)


TOWNS = """
    SELECT
        ['Lyon', 'Nice', 'Metz', 'Brest'][1 + i % 4] AS town, i % 13 AS age,
        CASE WHEN i % 4 < 2 AND i % 7 > 0 OR i % 11 = 0 THEN 'a' ELSE 'b' END AS y
    FROM range(0, 120) AS r (i)
"""


def test_a_category_is_divided_in_two(con):
    con.execute(f"CREATE OR REPLACE TABLE t AS {TOWNS}")
    tree = learn(con, "t", target="y", learner=C45(min_rows=10, binary=True))
    root = tree.nodes[0]
    assert root.attribute == "town"
    found = {frozenset(values_to(root, way.child)) for way in root.ways}
    assert found == {frozenset({"Lyon", "Nice"}), frozenset({"Metz", "Brest"})}
    assert "town in {Brest, Metz}" in tree.as_text()


@pytest.mark.parametrize("pruned", [False, True])
def test_every_form_of_the_tree_classifies_alike(con, pruned):
    con.execute(f"CREATE OR REPLACE TABLE t AS {TOWNS}")
    learner = C45(min_rows=3, binary=True, unpruned=not pruned, missing="branch")
    tree = learn(con, "t", target="y", learner=learner)
    assert read_tree(tree.as_json()) == tree
    for model in (tree, read_model(tree.as_json())):
        con.execute("DROP TABLE IF EXISTS said")
        predict_into(con, model, "t", into="said")
        by_case = con.execute(f"SELECT *, {tree.as_sql()} AS predicted_y FROM t").fetchall()
        assert sorted(read(con, "said")) == sorted(by_case)


def test_a_value_that_a_node_has_not_seen_goes_to_its_heavier_side(con):
    rows = [("a", 1, "p", "no")] * 6 + [("b", 1, "p", "yes")] * 4 + [("c", 2, "q", "yes")] * 9
    table(con, rows + [("c", 2, "q", "no")] * 9)
    tree = learn(con, "t", target="y", learner=C45(min_rows=2, binary=True, unpruned=True))
    for node in tree.nodes:
        listed = [b.value for b in node.branches if b.test == "="]
        assert len(listed) == len(set(listed))
    tested = [node for node in tree.nodes if node.attribute == "x0"]
    assert tested and all(len(node.ways) == 2 for node in tested)


def test_the_result_is_the_same_in_any_order_and_on_any_number_of_threads(con):
    con.execute(f"CREATE OR REPLACE TABLE t AS {TOWNS}")
    learner = C45(min_rows=2, binary=True, narrow=True)
    tree = learn(con, "t", target="y", learner=learner)
    with duckdb.connect(config={"threads": 1}) as other:
        other.execute(f"CREATE TABLE t AS FROM ({TOWNS}) ORDER BY hash(age, town)")
        assert learn(other, "t", target="y", learner=learner) == tree


def test_what_cannot_be_divided_is_refused(con, tmp_path):
    assert C45(narrow=True).faults
    con.execute("CREATE OR REPLACE TABLE t AS SELECT ['a', 'b'] AS x, 'p' AS y UNION ALL "
                "SELECT ['a'], 'q'")  # fmt: skip
    with pytest.raises(RequestError, match="--binary"):
        learn(con, "t", target="y", learner=C45(binary=True))
    con.execute(f"COPY ({TOWNS}) TO '{tmp_path}/towns.parquet'")
    source = tmp_path / "towns.parquet"
    ended = ppdt("learn", "c45", source, "--target", "y", "--binary")
    assert ended.code == 0 and "town in {" in ended.out
    for name in ("id3", "bayes"):
        ended = ppdt("learn", name, source, "--target", "y", "--binary")
        assert ended.code == 2 and "--binary" in ended.err
    shared = ("--target", "y", "--learner", "c45", "--cv", "2", "--binary")
    assert ppdt("evaluate", source, *shared).code == 0
