"""ID3 on sets as values of their own: a branch for every set, and what other rows make of it."""

import json
from dataclasses import replace

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import set_tree, tree_vote
from support import examples, mostly_slow, ppdt
from tables import POOLS
from test_tree_sets import TABLE_III

from ppdt_db import anonymize, verify_tree
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.learners import test_reading as shown_in
from ppdt_db.learn import ID3, SetID3, confusion_matrix, learn, predict_into, read_model
from ppdt_db.methods import Kactus
from ppdt_db.tree.set_names import members_of, set_name
from ppdt_db.tree.tree_json import read_tree
from ppdt_db.tree_risk import tree_risk

OWN = SetID3(scoring="own_value", conversion="own_value")
HOSTILE = 'se"x [],'
TEXTS = ["F", "M", "a,b", '"], ["', "it's", "", "NULL", "é\n\\", "\x1f/"]


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(TABLE_III)
        yield connection


def nested(tree, names, number=0):
    """A tree as the oracle has it."""
    node = tree.nodes[number]
    counts = {c: n / 1e6 for c, n in zip(tree.classes, node.counts, strict=True) if n}
    at = None if node.attribute is None else names.index(node.attribute)
    branches = {}
    for branch in node.branches:
        one = None
        if branch.value is not None:
            is_set = tree.tested(node.attribute).is_set
            one = frozenset(members_of(branch.value) if is_set else [branch.value])
        branches[one] = nested(tree, names, branch.child)
    return counts, at, branches


# -- known answers -------------------------------------------------------------------------------


def test_table_iii(con):
    """The three-way split that section IV A describes, with its entropies."""
    tree = learn(con, "t", target="salary", learner=OWN)
    root = tree.nodes[0]
    found = {b.value: tree.nodes[b.child].counts for b in root.branches}
    assert root.attribute == "sex" and tree.classes == ("<=50", ">50")
    assert {name: [n / 1e6 for n in counts] for name, counts in found.items()} == {
        '["F"]': [3, 1],
        '["F", "M"]': [2, 1],
        '["M"]': [0, 1],
    }
    entropies = {
        name: round(set_tree.entropy(dict(enumerate(filter(None, counts)))), 3)
        for name, counts in found.items()
    }
    assert entropies == {'["F"]': 0.811, '["F", "M"]': 0.918, '["M"]': 0}


def test_the_tree_in_every_form(con):
    tree = learn(con, "t", target="salary", learner=OWN)
    assert 'sex = ["F", "M"]: <=50 (3.0/1.0)' in tree.as_text().splitlines()
    assert tree.tested("sex").type_name == "VARCHAR[]"
    assert read_tree(tree.as_json()) == tree == read_model(tree.as_json())
    assert tree.as_columns()["path_values"] == [None, '["F", "M"]', '["F"]', '["M"]']


def test_names_are_one_for_one():
    assert set_name(["M", "F", "M"]) == set_name(["F", "M"]) == '["F", "M"]'
    assert set_name(["b", None, "é", "B"]) == '[null, "B", "b", "é"]'
    names = [set_name(one) for one in (["a,b"], ["a", "b"], ['a", "b'], ["NULL"], [None, "NULL"])]
    assert len(set(names)) == 5
    assert [members_of(name) for name in names][-1] == [None, "NULL"]


# -- against the oracle --------------------------------------------------------------------------

members = st.lists(st.sampled_from([*TEXTS[:4], None]), max_size=3)
cells = st.tuples(
    st.one_of(st.none(), members),
    st.one_of(st.none(), st.lists(st.sampled_from([1, 2, None]), max_size=3)),
    st.sampled_from(["x", "y'", None]),
    st.sampled_from(["no", "no", "yes", "or", None]),
)
NAMES = [HOSTILE, "n", "z"]
COLUMNS = f'"{HOSTILE.replace(chr(34), chr(34) * 2)}" VARCHAR[], n INTEGER[], z VARCHAR, y VARCHAR'


def make(con, rows, name="made"):
    con.execute(f"CREATE OR REPLACE TABLE {name} ({COLUMNS})")
    con.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", rows)


def as_texts(value):
    """A cell with its members as texts."""
    if isinstance(value, list):
        return [None if one is None else str(one) for one in value]
    return value


def may_be(tree, name, value):
    """The options of a cell, as the naive walk wants them."""
    asked = set_tree.as_set(as_texts(value))
    known = {
        frozenset(members_of(b.value))
        for node in tree.nodes
        if node.attribute == name
        for b in node.branches
        if b.value is not None
    }
    found = set_tree.may_be(known, asked) or [frozenset(["nothing like it"])]
    return [None if one is None else set_name(one) for one in found]


def predicted(con, tree, table):
    """The rows of a table with their predictions, in any order."""
    predict_into(con, tree, table, into="told")
    rows = con.execute("FROM told").fetchall()
    con.execute("DROP TABLE told")
    return rows


def texts_of(con, query):
    """The rows of a query as texts, sorted."""
    return sorted(map(repr, con.execute(f"SELECT CAST(COLUMNS(*) AS VARCHAR) {query}").fetchall()))


@examples(60)
@given(
    rows=st.lists(cells, min_size=4, max_size=24), asked=st.lists(cells, min_size=1, max_size=12)
)
def test_trees_and_predictions_are_the_oracles(rows, asked):
    with duckdb.connect() as con:
        make(con, rows)
        if len({row[3] for row in rows} - {None}) < 2:
            with pytest.raises(RequestError):
                learn(con, "made", target="y", learner=OWN)
            return
        tree = learn(con, "made", target="y", learner=OWN)
        of_sets = [
            ([set_tree.as_set(as_texts(v)) for v in row[:3]], row[3]) for row in rows if row[3]
        ]
        assert nested(tree, NAMES) == set_tree.grow(of_sets, 3)
        again = read_tree(tree.as_json())
        assert again == tree
        # What was learnt from is told alike by SQL; a row without a class may show a new set.
        sql = con.execute(f"SELECT *, {tree.as_sql()} FROM made WHERE y IS NOT NULL").fetchall()
        told = [row for row in predicted(con, again, "made") if row[3] is not None]
        assert sorted(map(repr, sql)) == sorted(map(repr, told))
        make(con, asked, "asked")
        for row in predicted(con, tree, "asked"):
            cells_of = dict(zip(NAMES, row[:3], strict=True))
            options = {
                one.name: may_be(tree, one.name, cells_of[one.name])
                if one.is_set
                else [cells_of[one.name]]
                for one in tree.attributes
            }
            votes = tree_vote.votes(tree, options)
            best = max(votes)
            likely = [c for c, n in zip(tree.classes, votes, strict=True) if n > best - 1e-4]
            assert row[-1] in likely


@pytest.mark.parametrize("type_name", mostly_slow(list(POOLS), "VARCHAR", "DOUBLE", "TIMESTAMPTZ"))
def test_every_type_of_member(type_name):
    """The SQL agrees with the predictions; a set is one branch whatever its order."""
    pool = POOLS[type_name]
    rows = [
        ([pool[(i * j) % len(pool)] if (i + j) % 7 else None for j in range(i % 4)], i % 3 > 0)
        for i in range(40)
    ]
    with duckdb.connect() as con:
        con.execute("SET timezone = 'Asia/Kolkata'")
        con.execute(f"CREATE TABLE m (a {type_name}[], b {type_name}, y BOOLEAN)")
        for shown, y in rows:
            con.execute(
                f"INSERT INTO m SELECT CAST(? AS {type_name}[]), CAST(? AS {type_name}), ?",
                [shown, shown[0] if shown else None, y],
            )
        tree = learn(con, "m", target="y", features=["a"], learner=OWN)
        assert read_tree(tree.as_json()) == tree
        predict_into(con, tree, "m", into="told")
        sql = f"FROM (SELECT *, {tree.as_sql()} FROM m)"
        assert texts_of(con, "FROM told") == texts_of(con, sql)
        con.execute("CREATE TABLE r AS SELECT list_reverse(a) || a AS a, y FROM m")
        turned = learn(con, "r", target="y", learner=OWN)
        assert turned == tree
        # A single value is the set of one, also in a tree learnt from sets.
        con.execute("CREATE TABLE single AS SELECT rowid AS i, b AS a FROM m")
        con.execute("CREATE TABLE list AS SELECT rowid AS i, [b] AS a FROM m")
        for table in ("single", "list"):
            predict_into(con, tree, table, into=f"of_{table}")
        of_single, of_list = (
            texts_of(con, f"FROM (SELECT i, predicted_y FROM of_{t})") for t in ("single", "list")
        )
        assert of_single == of_list and len(of_single) == len(rows)


def test_it_is_id3_on_the_names(con):
    """Sets replaced by their names, and plain ID3 of these, are one tree."""
    con.execute(
        "CREATE TABLE many AS SELECT ['A' || i * j % 7 FOR j IN range(i % 4)] AS a, "
        "'b' || i % 5 AS b, i % 11 < 5 AS y FROM range(200) AS r (i)"
    )
    tree = learn(con, "many", target="y", learner=OWN)
    con.execute("CREATE TABLE names (a VARCHAR, b VARCHAR, y BOOLEAN)")
    rows = con.execute("SELECT a, b, y FROM many").fetchall()
    named = [(set_name(a) if a else None, b, y) for a, b, y in rows]
    con.executemany("INSERT INTO names VALUES (?, ?, ?)", named)
    plain = learn(con, "names", target="y", learner=ID3(missing="branch"))
    texts = tuple(replace(one, type_name="VARCHAR") for one in tree.attributes)
    assert replace(tree, attributes=texts) == plain
    assert any(one.is_set for one in tree.attributes)


def test_one_tree_whatever_the_seed_the_threads_and_the_order(con):
    con.execute(
        "CREATE TABLE many AS SELECT [i % 3, i % 5] AS a, [chr(97 + CAST(i % 4 AS INTEGER)), NULL] "
        "AS b, i % 7 AS c, i % 11 < 5 AS y FROM range(300) AS r (i)"
    )
    con.execute("CREATE TABLE shuffled AS FROM many ORDER BY sha256(a::VARCHAR || c)")
    found = set()
    for threads, table, seed in ((1, "many", 1), (2, "many", 2), (2, "shuffled", 3)):
        con.execute(f"SET threads = {threads}")
        found.add(learn(con, table, target="y", learner=replace(OWN, seed=seed)).as_json())
    assert len(found) == 1


# -- other rows ----------------------------------------------------------------------------------


def test_rows_whose_set_the_tree_never_met(con):
    """An unknown set counts for those that contain it; with none it is stuck."""
    con.execute(
        "CREATE TABLE lived AS FROM (VALUES (['F', 'M'], 'p'), (['F', 'X'], 'q'), (['X', 'F'], 'q')"
        ", (['M', 'X'], 'q'), (['Z'], 'p'), (['Z'], 'p'), (['Z'], 'p'), ([NULL, 'Z'], 'q')) AS t "
        "(a, y)"
    )
    tree = learn(con, "lived", target="y", learner=OWN)
    con.execute(
        "CREATE TABLE asked AS SELECT unnest([['F'], ['M'], ['X'], ['Q'], ['Z', NULL], [], ['F', "
        "'M', 'X'], [NULL]]) AS a"
    )
    found = {repr(a): told for a, told in predicted(con, tree, "asked")}
    # F: half p, half q, and the first of equals; X: q by both; Q and the rest: the root's majority.
    assert found == {
        "['F']": "p", "['M']": "p", "['X']": "q", "['Q']": "p", "['Z', None]": "q", "[]": "p",
        "['F', 'M', 'X']": "p", "[None]": "p",
    }  # fmt: skip
    con.execute("CREATE TABLE alone AS SELECT a[1] AS a FROM asked WHERE len(a) = 1")
    assert dict(predicted(con, tree, "alone")) == {
        "F": "p", "M": "p", "X": "q", "Q": "p", None: "p"
    }  # fmt: skip


def test_confusion_counts_the_same(con):
    tree = learn(con, "t", target="salary", learner=OWN)
    found = confusion_matrix(con, tree, "t", target="salary")
    assert found == {("<=50", "<=50"): 5, (">50", "<=50"): 2, (">50", ">50"): 1}


# -- what is refused -----------------------------------------------------------------------------


def test_a_set_is_kept_whole_only_where_it_is_counted_whole(con):
    for scoring in ("fractional", "random_first", "each_member"):
        learner = SetID3(scoring=scoring, conversion="own_value")
        with pytest.raises(RequestError, match="--scoring own_value"):
            learn(con, "t", target="salary", learner=learner)


@pytest.mark.parametrize(
    "name",
    ["F", '["F"', '["M", "F"]', '["F", "F"]', '["F","M"]', "[1]", "[]", "[null]", '{"F": 1}', '"F"',
     "['F']) OR TRUE --", '["\\ud800"]', "[[[[" * 9999, "[NaN]"],
)  # fmt: skip
def test_a_file_cannot_name_what_is_no_set(con, name):
    known = json.loads(learn(con, "t", target="salary", learner=OWN).as_json())
    known["nodes"][0]["branches"][0]["value"] = name
    with pytest.raises(RequestError, match="node 0: a branch on sets must name one"):
        read_tree(json.dumps(known))


def test_members_never_become_sql(con):
    """Members that look like SQL are texts in the CASE expression."""
    con.execute("CREATE TABLE bad (a VARCHAR[], y BOOLEAN)")
    texts = [*TEXTS, "'); DROP TABLE bad; --", '"; --', "] AS VARCHAR[])) OR TRUE --"]
    con.executemany("INSERT INTO bad VALUES (?, ?)", [([a], i % 2) for i, a in enumerate(texts)])
    tree = read_tree(learn(con, "bad", target="y", learner=OWN).as_json())
    rows = con.execute(f"SELECT y, {tree.as_sql()} FROM bad").fetchall()
    assert len(rows) == len(texts) and all(str(y).lower() == told for y, told in rows)


def test_types_of_a_file_are_known_ones(con):
    known = json.loads(learn(con, "t", target="salary", learner=OWN).as_json())
    for type_name in ("VARCHAR[][]", "[]", "STRUCT(a INTEGER)[]", "VARCHAR[]); --[]"):
        known["attributes"][0]["type"] = type_name
        with pytest.raises(RequestError, match="cannot be tested"):
            read_tree(json.dumps(known))


def test_other_readers_of_trees_say_what_they_need(con):
    tree = learn(con, "t", target="salary", learner=OWN)
    con.execute("CREATE TABLE plain AS SELECT sex[1] AS sex, salary FROM t")
    for read in (
        lambda: tree_risk(con, "plain", quasi=["sex"], target="salary", tree=tree),
        lambda: verify_tree(con, tree, "plain", public=["sex"], k=2),
        lambda: verify_tree(con, tree, "t", public=["sex"], k=2),
        lambda: anonymize(
            con, "plain", quasi=["sex"], target="salary", keep="rest", into="out",
            method=Kactus(k=2, tree=tree),
        ),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=r'tests "sex" by whole sets \(VARCHAR\[\]\)'):
            read()


def test_command_line(con, tmp_path):
    sets, plain, model = (tmp_path / name for name in ("t.parquet", "plain.parquet", "tree.json"))
    database = tmp_path / "d.duckdb"
    con.execute(f"COPY t TO '{sets}'")
    con.execute(f"COPY (SELECT sex[1] AS sex, salary FROM t) TO '{plain}'")
    duckdb.connect(database).close()
    args = ["learn", "id3", sets, "--target", "salary", "--conversion", "own_value"]
    wrong = ppdt(*args)
    assert wrong.code == 2 and "--scoring own_value" in wrong.err
    ended = ppdt(*args, "--scoring", "own_value", "--json")
    assert ended.code == 0
    model.write_text(ended.out, "utf-8")
    for number, source in enumerate((sets, plain)):
        told = ppdt("predict", model, source, "--db", database, "--into", f"told_{number}")
        assert told.code == 0, told.err
    for args in (
        ["anonymize", plain, "--qi", "sex", "--target", "salary", "--keep", "rest", "--k", 2,
         "--method", "kactus", "--tree", model, "--out", tmp_path / "out.parquet"],
        ["risk", "tree", plain, "--qi", "sex", "--target", "salary", "--tree", model],
        ["verify", model, plain, "--public", "sex", "--k", 2],
        ["audit", plain, "--qi", "sex", "--tree", model],
    ):  # fmt: skip
        refused = ppdt(*args)
        assert refused.code == 2 and "by whole sets (VARCHAR[])" in refused.err, refused.err


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["PO", "PP"])
def test_it_can_be_evaluated_on_original_and_on_released_rows(con, tmp_path, protocol):
    path = tmp_path / "people.parquet"
    con.execute(
        f"COPY (SELECT 'a' || i % 5 AS a, 'b' || i * 3 % 7 AS b, CAST(i % 5 < 2 AS VARCHAR) AS "
        f"y FROM range(200) AS r (i)) TO '{path}'"
    )
    ended = ppdt(
        "evaluate", path, "--qi", "a,b", "--target", "y", "--k", 5, "--learner", "sets",
            "--method", "mondrian",
        "--scoring", "own_value", "--conversion", "own_value", "--protocol", protocol, "--cv", 2,
        "--json",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert shown_in(OWN) == "sets" and shown_in(SetID3()) == "modes"
