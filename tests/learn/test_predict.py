"""Predictions beside every row, by every model, also after it was written down and read in."""

import json

import duckdb
import pytest
from support import every, mostly_slow, ppdt, temporaries

from ppdt_db import C45, ID3, KNN, Logistic, NaiveBayes, Part, RequestError
from ppdt_db.learn import confusion_matrix, learn, predict_into, read_model

HOSTILE = 'b" --'
MANY = """
    CREATE TABLE many AS
    SELECT i AS number, nullif((i * 7919) % 101, 7) AS a,
        ['p', 'q''', NULL][1 + (i * 31) % 3] AS "b"" --",
        DATE '2020-01-01' + CAST(i % 40 AS INTEGER) AS d,
        CASE WHEN (i * 7919) % 101 > 40 AND (i * 31) % 3 = 1 OR i % 17 = 0 THEN 'x''' ELSE 'z' END
            AS "y "
    FROM range(400) AS r (i)
"""
FEATURES = ["a", HOSTILE, "d"]
STORED = [C45(), ID3(), NaiveBayes(), Part()]
LEARNERS = [*STORED, KNN(), Logistic()]
EVERY = pytest.mark.parametrize("learner", every(3, LEARNERS), ids=lambda one: type(one).__name__)
WRITTEN = pytest.mark.parametrize("learner", every(3, STORED), ids=lambda one: type(one).__name__)


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(MANY)
        yield connection


def learnt(con, learner):
    if isinstance(learner, Logistic):
        pytest.importorskip("sklearn")
    return learn(con, "many", target="y ", features=FEATURES, learner=learner)


@EVERY
def test_every_row_gets_what_is_judged(con, learner):
    model = learnt(con, learner)
    con.execute("CREATE VIEW asked AS SELECT * FROM many UNION ALL SELECT * FROM many WHERE a < 9")
    predict_into(con, model, "asked", into="told")
    found = con.execute('SELECT "y ", "predicted_y ", count(*) FROM told GROUP BY ALL').fetchall()
    assert {row[:2]: row[2] for row in found} == confusion_matrix(con, model, "asked", target="y ")
    told = con.execute('SELECT * EXCLUDE "predicted_y " FROM told ORDER BY ALL').fetchall()
    assert told == con.execute("FROM asked ORDER BY ALL").fetchall()
    assert con.execute(
        'SELECT count(DISTINCT "predicted_y ") FROM told GROUP BY number ORDER BY 1 DESC'
    ).fetchone() == (1,)
    kept = {getattr(model, "known", None)}
    assert set(temporaries(con)) <= kept


def test_a_tree_of_one_leaf_beside_columns_of_any_type():
    """It tests no column, so what the first one holds does not matter."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE even AS SELECT 1 AS a, i % 3 = 0 AS y FROM range(6) AS r (i)")
        leaf = learn(con, "even", target="y", learner=ID3())
        assert len(leaf.nodes) == 1
        for number, value in enumerate(("[1, NULL]", "{'b': 1}", "'x'::BLOB", "NULL", "1.5")):
            con.execute(f"CREATE TABLE asked_{number} AS SELECT {value} AS b FROM range(3)")
            predict_into(con, leaf, f"asked_{number}", into=f"told_{number}")
            found = con.execute(f"SELECT predicted_y FROM told_{number}").fetchall()
            assert found == [("false",)] * 3


@EVERY
def test_what_was_never_seen_and_what_is_missing(con, learner):
    model = learnt(con, learner)
    con.execute(
        'CREATE TABLE odd AS SELECT NULL::INTEGER AS a, \'new\' AS "b"" --", NULL::DATE AS d '
        "UNION ALL SELECT 10000, NULL, DATE '1900-01-01'"
    )
    predict_into(con, model, "odd", into="told")
    assert con.execute('SELECT count("predicted_y ") FROM told').fetchone() == (2,)
    con.execute("DELETE FROM odd")
    predict_into(con, model, "odd", into="of_nothing")
    assert con.execute("SELECT count(*) FROM of_nothing").fetchone() == (0,)


@EVERY
def test_refusals(con, learner):
    model = learnt(con, learner)
    con.execute("CREATE VIEW short AS SELECT number FROM many")
    with pytest.raises(RequestError, match=r'"a"(.|\n)*"b" --"'):
        predict_into(con, model, "short", into="told")
    with pytest.raises(RequestError, match="Choose another"):
        predict_into(con, model, "many", into="short")
    con.execute('CREATE VIEW taken AS SELECT *, 1 AS "PREDICTED_Y " FROM many')
    with pytest.raises(RequestError, match="already"):
        predict_into(con, model, "taken", into="told")


@WRITTEN
def test_written_and_read_it_is_the_same(con, learner):
    model = learnt(con, learner)
    again = read_model(model.as_json())
    assert again.as_json() == model.as_json()
    assert confusion_matrix(con, again, "many", target="y ") == confusion_matrix(
        con, model, "many", target="y "
    )


@pytest.mark.parametrize("learner", [KNN(), Logistic()], ids=["knn", "logistic"])
def test_what_cannot_be_stored(con, learner):
    with pytest.raises(RequestError, match="cannot be stored"):
        learnt(con, learner).as_json()


def test_neighbours_stay_on_their_connection(con):
    model = learnt(con, KNN())
    with duckdb.connect() as other:
        other.execute(MANY)
        with pytest.raises(RequestError, match="connection"):
            predict_into(other, model, "many", into="told")


CHANGES = [
    (NaiveBayes(), {"classes": []}), (NaiveBayes(), {"classes": [{"name": "x", "share": -1}]}),
    (NaiveBayes(), {"features": [{"name": "a", "type": "INTEGER", "curves": [{}]}]}),
    (NaiveBayes(), {"features": [{"name": "a", "type": "BLOB", "curves": []}]}),
    (NaiveBayes(), {"features": 3}), (Part(), {"rules": []}), (Part(), {"classes": ["one"]}),
    (Part(), {"features": []}), (Part(), {"rules": [{"conditions": [], "weights": [1]}]}),
    (Part(), {"format": "ppdt rule list 99"}), (Part(), {"format": "ppdt rules 2"}),
]  # fmt: skip


@pytest.mark.parametrize(("learner", "change"), CHANGES)
def test_a_file_that_is_no_model(con, learner, change):
    found = json.loads(learnt(con, learner).as_json())
    with pytest.raises(RequestError):
        read_model(json.dumps({**found, **change}))


def test_rules_with_the_former_mark_are_read(con):
    text = learnt(con, Part()).as_json()
    found = json.loads(text)
    assert found["format"] == "ppdt rule list 1"
    assert read_model(json.dumps({**found, "format": "ppdt rules 1"})) == read_model(text)


@pytest.mark.parametrize("text", ["{", "[]", "3", "{}", '{"format": []}'])
def test_a_file_that_is_nothing(text):
    with pytest.raises(RequestError, match="not a model of ppdt"):
        read_model(text)


@pytest.mark.parametrize("name", mostly_slow(["id3", "bayes", "part"], "id3"))
def test_command_line(con, tmp_path, name):
    path, db, model = tmp_path / "many.parquet", tmp_path / "m.duckdb", tmp_path / "model.json"
    con.execute(f"COPY (SELECT a, d, \"y \" AS y FROM many) TO '{path}'")
    model.write_text(ppdt("learn", name, path, "--target", "y", "--json").out, "utf-8")
    duckdb.connect(str(db)).close()
    ended = ppdt("predict", model, path, "--db", db, "--into", "told")
    assert ended.code == 0, ended.err
    with duckdb.connect(str(db)) as there:
        query = "SELECT avg(CAST(y = predicted_y AS INTEGER)), count(*) FROM told"
        right, n_rows = there.execute(query).fetchone()
    assert right > 0.7 and n_rows == 400
