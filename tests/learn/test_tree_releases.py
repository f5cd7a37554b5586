"""Trees that are learnt from releases, or asked of them."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.tree_vote import votes
from support import examples, mostly_slow

from ppdt_db.errors import RequestError
from ppdt_db.learn import C45, ID3, SetID3, learn, predict_into
from ppdt_db.tree.tree_json import read_tree

ORIGINAL = """
    CREATE TABLE original AS
    SELECT
        CASE WHEN i % 19 > 0 THEN (i * 37) % 101 END AS a,
        CASE WHEN i % 13 > 0 THEN chr(97 + CAST((i * 7) % 5 AS INTEGER)) END AS b,
        (i * 53) % 29 AS c,
        CASE WHEN (i * 37) % 101 > 50 THEN 'v' WHEN (i * 7) % 5 < 2 THEN 'u' ELSE 'w' END AS y
    FROM range(400) AS r (i)
"""
RELEASED = """
    CREATE TABLE released AS
    SELECT
        CASE
            WHEN a IS NULL THEN '[20, 60] or NULL'
            ELSE format('[{}, {}]', a // 10 * 10, a // 10 * 10 + 9)
        END AS a,
        CASE WHEN b IN ('a', 'b') THEN ['a', 'b'] WHEN b IS NULL THEN ['c', NULL] ELSE [b] END AS b,
        c, y
    FROM original
"""


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(ORIGINAL)
        connection.execute(RELEASED)
        yield connection


def right(con, tree, table):
    con.execute("DROP TABLE IF EXISTS answers")
    predict_into(con, tree, table, into="answers")
    return con.execute("SELECT avg(CAST(y = predicted_y AS INTEGER)) FROM answers").fetchone()[0]


@pytest.mark.parametrize(
    "learner", mostly_slow([C45(), C45(missing="branch"), ID3(min_rows=5)], C45())
)
def test_what_is_learnt_from_either_is_asked_of_either(con, learner):
    features = ["a", "b", "c"]
    plain = learn(con, "original", target="y", features=features, learner=learner)
    spread = learn(con, "released", target="y", features=features, learner=learner)
    assert spread.tested("a").is_ordered and not spread.tested("b").is_ordered
    assert read_tree(spread.as_json()) == spread
    for tree in (plain, spread):
        for table in ("original", "released"):
            assert right(con, tree, table) > 0.8


def test_one_tree_whatever_the_threads_and_the_order(con):
    trees = set()
    for threads, order in ((1, "c, a"), (2, "sha256(a || c)")):
        con.execute(f"SET threads = {threads}")
        con.execute(f"CREATE OR REPLACE TABLE shuffled AS FROM released ORDER BY {order}")
        trees.add(learn(con, "shuffled", target="y", learner=C45(unpruned=True)).as_json())
    assert len(trees) == 1


def test_ranges_of_one_value_and_sets_of_one_member_are_plain_values(con):
    con.execute(
        "CREATE TABLE single AS SELECT CAST(a AS VARCHAR) AS a, [b] AS b, c, y FROM original "
        "UNION ALL SELECT '[0, 100]', ['a', 'b'], 0, NULL"
    )
    # The last row has no class: it makes a range of the column, and teaches nothing.
    learner = C45(unpruned=True)
    by_range = learn(con, "single", target="y", features=["a", "b", "c"], learner=learner)
    plain = learn(con, "original", target="y", features=["a", "b", "c"], learner=learner)
    assert by_range.nodes == plain.nodes


def test_members_are_names_whatever_their_type(con):
    con.execute("CREATE TABLE numbers AS SELECT [c % 3] AS n, c % 3 = 1 AS y FROM original")
    for learner in (C45(), SetID3()):
        tree = learn(con, "numbers", target="y", learner=learner)
        assert {b.test for b in tree.nodes[0].branches} == {"="}
        assert read_tree(tree.as_json()) == tree
        assert right_of_numbers(con, tree)


def right_of_numbers(con, tree):
    con.execute("DROP TABLE IF EXISTS answers")
    con.execute("CREATE OR REPLACE TABLE t AS SELECT n[1] AS n, y FROM numbers")
    predict_into(con, tree, "t", into="answers")
    query = "SELECT bool_and(CAST(y AS VARCHAR) = predicted_y) FROM answers"
    return con.execute(query).fetchone() == (True,)


def test_instants_are_written_in_utc_whatever_the_session(con):
    con.execute(
        "CREATE TABLE times AS SELECT TIMESTAMPTZ '2020-01-01 00:00:00+00' + INTERVAL (i) HOUR "
        "AS t, i > 15 AS y FROM range(40) AS r (i)"
    )
    con.execute(
        "CREATE TABLE time_ranges AS SELECT format('[2020-01-01 {:02d}:00:00+00, "
        "2020-01-01 {:02d}:30:00+00]', i, i) AS t, i > 15 AS y FROM range(24) AS r (i)"
    )
    for zone in ("Asia/Tokyo", "America/New_York"):
        con.execute(f"SET TimeZone = '{zone}'")
        tree = learn(con, "times", target="y")
        assert tree.nodes[0].branches[0].value == "2020-01-01 15:00:00+00"
        of_ranges = learn(con, "time_ranges", target="y")
        assert of_ranges.nodes[0].branches[0].value == "2020-01-01 15:30:00+00"
        for one in (tree, of_ranges):
            for table in ("times", "time_ranges"):
                assert right_of(con, one, table)


def right_of(con, tree, table):
    con.execute("DROP TABLE IF EXISTS answers")
    predict_into(con, tree, table, into="answers")
    query = "SELECT bool_and(CAST(y AS VARCHAR) = predicted_y) FROM answers"
    return con.execute(query).fetchone() == (True,)


def test_what_a_tree_cannot_read_is_told_at_once(con):
    tree = learn(con, "released", target="y", learner=C45(unpruned=True))
    con.execute("CREATE TABLE wrong AS SELECT 'secret' AS a, 1 AS b_lo, 2 AS b_hi, y FROM original")
    with pytest.raises(RequestError) as caught:
        predict_into(con, tree, "wrong", into="answers")
    assert len(caught.value.faults) == 2 and "secret" not in str(caught.value)


ends = st.tuples(st.integers(0, 110), st.integers(0, 110)).map(lambda e: tuple(sorted(e)))
members = st.lists(st.one_of(st.none(), st.sampled_from("abcdefg")), min_size=1, max_size=4)
asked_row = st.tuples(
    st.one_of(st.none(), ends), st.booleans(), st.one_of(st.none(), members), st.integers(0, 30)
)


@pytest.fixture(scope="module")
def asked():
    """A connection, and trees that were learnt from the release."""
    with duckdb.connect() as con:
        con.execute(ORIGINAL)
        con.execute(RELEASED)
        learners = (C45(unpruned=True), ID3(missing="branch"))
        yield con, [learn(con, "released", target="y", learner=one) for one in learners]


def possible(row):
    """What every value of a row may be."""
    span, has_null, held, c = row
    known = sorted({m for m in held or () if m is not None})
    return {
        "a": [None] * (has_null or span is None) + [span] * (span is not None),
        "b": [None] * (held is None or None in held) + known,
        "c": [(c, c)],
    }


@given(rows=st.lists(asked_row, min_size=1, max_size=30))
@examples(10)
def test_predictions_equal_the_oracle(asked, rows):
    con, trees = asked
    rows = [((0, 9), False, ["a"], 3), *rows]
    con.execute("CREATE OR REPLACE TABLE t (id INTEGER, a VARCHAR, b VARCHAR[], c INTEGER)")
    for number, (span, has_null, held, c) in enumerate(rows):
        text = f"[{span[0]}, {span[1]}]" + " or NULL" * has_null if span else None
        con.execute("INSERT INTO t VALUES (?, ?, ?, ?)", [number, text, held, c])
    for tree in trees:
        con.execute("DROP TABLE IF EXISTS answers")
        predict_into(con, tree, "t", into="answers")
        found = dict(con.execute("SELECT id, predicted_y FROM answers").fetchall())
        for number, row in enumerate(rows):
            shares = votes(tree, possible(row))
            near = {tree.classes[i] for i, s in enumerate(shares) if s > max(shares) - 1e-6}
            assert found[number] in near
