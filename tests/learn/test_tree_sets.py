"""ID3 on sets: the known answers of Shao and Beckford's table III, the draws, the distributions."""

from math import log2

import duckdb
import pytest
from support import mostly_slow, ppdt

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.learn import ID3, SetID3, confusion_matrix, learn
from ppdt_db.learn.trees.grow import GrowthOptions
from ppdt_db.learn.trees.learners import make_training_set
from ppdt_db.learn.trees.set_id3 import SetGrowth
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.progress import no_progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import ident

TABLE_III = """
    CREATE TABLE t AS FROM (VALUES
        (['M', 'F'], '<=50'), (['F'], '<=50'), (['F'], '>50'), (['F'], '<=50'),
        (['M'], '>50'), (['F', 'M'], '<=50'), (['F'], '<=50'), (['M', 'F'], '>50')
    ) AS t (sex, salary)
"""


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(TABLE_III)
        yield connection


def histogram(con, learner):
    """The classes, in rows, that every value counts when the root is scored."""
    engine = DuckEngine(con)
    columns = {"sex": "VARCHAR[]", "salary": "VARCHAR"}
    source = Source(kind="table", title="t", relation=ident("t"), columns=columns)
    lesson = make_training_set(engine, source, Columns(target="salary", features=["sex"]), learner)
    rules = GrowthOptions(criterion="gain", min_rows=1, missing="branch", keep_places=False)
    growth = SetGrowth(engine, lesson, learner, rules, no_progress)
    for step in ("growing", "count", "splittable"):
        engine.make(f"learn/trees/{step}", growth.params, growth.names)
    growth.fill_histogram()
    found: dict = {}
    for code, target, weight in con.execute(
        "SELECT code, target, weight FROM ppdt_class_count"
    ).fetchall():
        found.setdefault(code, {})[target] = weight / 1e6
    return [found[code] for code in sorted(found)]


def entropy(counts):
    total = sum(counts.values())
    return -sum(n / total * log2(n / total) for n in counts.values())


def test_fractional_counts(con):
    female, male = histogram(con, SetID3(scoring="fractional"))
    assert sum(female.values()) == 5.5 and sum(male.values()) == 2.5
    assert entropy(female) == pytest.approx(0.845, abs=5e-4)
    assert entropy(male) == pytest.approx(0.971, abs=5e-4)


def test_a_set_as_a_value_of_its_own(con):
    # The sets in the order of their members: {F}, {F, M}, {M}.
    found = [entropy(counts) for counts in histogram(con, SetID3(scoring="own_value"))]
    assert found == pytest.approx([0.811, 0.918, 0.0], abs=5e-4)


def test_a_set_counts_whole_for_each_of_its_members(con):
    female, male = histogram(con, SetID3(scoring="each_member"))
    assert (female, male) == ({0: 5, 1: 2}, {0: 2, 1: 2})


def test_sets_mapped_to_a_member_before_scoring(con):
    female, male = histogram(con, SetID3(scoring="random_first", conversion="most_frequent"))
    # F is the most frequent member of the whole table, so all three sets become F.
    assert (female, male) == ({0: 5, 1: 2}, {1: 1})


def test_equally_frequent_members_are_told_by_their_order(con):
    """b stands in 49 sets of 49, d in one of its own: both count 1, and b comes first."""
    con.execute(
        "CREATE TABLE even AS SELECT ['b'] || list_transform(range(48), lambda j : 'p' || i * 48 + "
        "j) AS a, 1 AS y FROM range(49) AS r (i) "
        "UNION ALL FROM (VALUES (['d'], 0), (['b', 'd'], 0))"
    )
    # 49 times a 49th, in floating numbers, is less than one.
    tree = learn(con, "even", target="y", learner=SetID3(conversion="most_frequent"))
    weights = {b.value: tree.nodes[b.child].total / 1e6 for b in tree.nodes[0].branches}
    assert weights == {"b": 50, "d": 1}


def test_members_of_sets_of_many_sizes_are_counted_exactly(con):
    """Sets of 1 to 100 members: no common denominator of theirs fits into an integer."""
    con.execute(
        "CREATE TABLE long AS SELECT CAST(range(r) AS VARCHAR[]) AS a, r % 2 AS y "
        "FROM range(1, 101) AS s (r) UNION ALL SELECT ['99'], 1 FROM range(6)"
    )
    tree = learn(con, "long", target="y", learner=SetID3(conversion="most_frequent"))
    # 99 counts 6 and a hundredth; 0 counts the most but that: 1 + 1/2 + ... + 1/100 is 5.19.
    weights = {b.value: tree.nodes[b.child].total / 1e6 for b in tree.nodes[0].branches}
    assert weights == {"0": 99, "99": 7}


def test_parts_of_a_row_make_a_branch_where_no_row_is_asked_for(con):
    """Two rows, each of which may be a or b: halves, which a whole row for each side forbids."""
    con.execute(
        "CREATE TABLE halves AS SELECT unnest([['a', 'b'], ['a', 'c'], ['a', 'd'], ['a', 'e']]) "
        "AS x, unnest([1, 0, 1, 0]) AS y"
    )
    nodes = [
        len(learn(con, "halves", target="y", learner=SetID3(min_rows=least)).nodes)
        for least in (1, 0)
    ]
    assert nodes[0] == 1 < nodes[1]


def test_original_distribution(con):
    only_m = {"sex": {"M": 10, "F": 0}}
    learner = SetID3(conversion="original_distribution", distribution=only_m)
    tree = learn(con, "t", target="salary", learner=learner)
    weights = {b.value: tree.nodes[b.child].total / 1e6 for b in tree.nodes[0].branches}
    assert weights == {"F": 4, "M": 4}


@pytest.mark.parametrize(
    "scoring",
    mostly_slow(["fractional", "own_value", "random_first", "each_member"], "random_first"),
)
def test_one_tree_for_one_seed(con, scoring):
    con.execute(
        "CREATE TABLE many AS SELECT [i % 3, i % 5] AS a, [chr(97 + CAST(i % 4 AS INTEGER)), NULL] "
        "AS b, i % 7 AS c, i % 11 < 5 AS y FROM range(300) AS r (i)"
    )
    trees = set()
    for threads in (1, 2):
        con.execute(f"SET threads = {threads}")
        learner = SetID3(scoring=scoring, seed=5)
        trees.add(learn(con, "many", target="y", learner=learner).as_json())
    con.execute("CREATE TABLE shuffled AS FROM many ORDER BY sha256(a::VARCHAR || c)")
    trees.add(learn(con, "shuffled", target="y", learner=learner).as_json())
    assert len(trees) == 1
    other = learn(con, "many", target="y", learner=SetID3(scoring=scoring, seed=6))
    assert other.as_json() not in trees


@pytest.mark.parametrize("scoring", ["fractional", "own_value", "random_first", "each_member"])
def test_single_values_are_sets_of_one(con, scoring):
    con.execute(
        "CREATE TABLE plain AS SELECT chr(97 + CAST(i % 4 AS INTEGER)) AS a, "
        "CASE WHEN i % 3 > 0 THEN 'x' || i % 5 END AS b, i % 11 < 5 AS y FROM range(200) AS r (i)"
    )
    by_sets = learn(con, "plain", target="y", learner=SetID3(scoring=scoring))
    assert by_sets == learn(con, "plain", target="y", learner=ID3(missing="branch"))


@pytest.mark.parametrize("learner", [SetID3(), SetID3(scoring="own_value", conversion="own_value")])
def test_instants_are_named_in_utc_whatever_the_session_says(con, learner):
    con.execute(
        "CREATE TABLE moments AS SELECT TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_days(CAST(i % 3 "
        "AS INTEGER)) AS a, i % 3 = 1 AS y FROM range(12) AS r (i)"
    )
    trees = set()
    for zone in ("UTC", "Asia/Kolkata"):
        con.execute(f"SET timezone = '{zone}'")
        tree = learn(con, "moments", target="y", learner=learner)
        trees.add(tree.as_json())
        found = confusion_matrix(con, tree, "moments", target="y")
        assert found == {("false", "false"): 8, ("true", "true"): 4}
    assert len(trees) == 1


def test_wishes_that_cannot_be_granted(con):
    for learner in (
        SetID3(conversion="original_distribution"),
        SetID3(scoring="x"),  # type: ignore[arg-type]
        SetID3(conversion="x", min_rows=-1),  # type: ignore[arg-type]
    ):
        with pytest.raises(RequestError):
            learn(con, "t", target="salary", learner=learner)


def test_equal_counts_go_to_the_class_that_the_rule_says(con):
    con.execute("CREATE TABLE tied AS SELECT 1 AS a, i % 2 AS y FROM range(8) AS r (i)")
    for ties, label in (("first", "0"), ("last", "1")):
        tree = learn(con, "tied", target="y", learner=ID3(ties=ties))
        assert tree.label(tree.nodes[0]) == label


def test_command_line(con, tmp_path):
    path = tmp_path / "t.parquet"
    con.execute(f"COPY t TO '{path}'")
    args = [path, "--target", "salary", "--scoring", "fractional", "--seed", "3"]
    first, second = (ppdt("learn", "id3", *args) for _ in range(2))
    assert first.code == 0 and first.out == second.out and "sex = F" in first.out
    assert ppdt("learn", "c45", *args).code == 2
