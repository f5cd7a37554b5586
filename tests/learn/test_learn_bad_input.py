"""What cannot be learnt from, for every learner: a clear error, or the fallback of the manual."""

import duckdb
import pytest
from support import every

from ppdt_db.errors import RequestError
from ppdt_db.evaluate import evaluate
from ppdt_db.evaluate.learners import LEARNERS

SECRET = "Zebedee-4711"
EVERY = pytest.mark.parametrize("name", every(2, LEARNERS))


@pytest.fixture(autouse=True)
def _extra(name):
    if name == "logistic":
        pytest.importorskip("sklearn")


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE t AS SELECT i % 5 AS a, '{SECRET}' || i % 3 AS b, i % 2 AS y, "
            "CAST(NULL AS INTEGER) AS nothing, CAST(NULL AS VARCHAR) AS silent, i AS number, "
            "1 AS one FROM range(1200) AS r (i)"
        )
        yield connection


def fails(con, name, **wishes):
    with pytest.raises(RequestError) as error:
        evaluate(con, "t", learner=LEARNERS[name]({}), **{"cv": "2", **wishes})
    assert SECRET not in str(error.value)
    return str(error.value)


@EVERY
def test_a_target_with_one_class(con, name):
    assert 'target "one": it has only one value' in fails(con, name, target="one")


@EVERY
def test_a_target_without_a_value(con, name):
    assert 'target "nothing": it has no value, so' in fails(con, name, target="nothing")


@EVERY
def test_more_classes_than_can_be_told_apart(con, name):
    con.execute("UPDATE t SET number = number + 10000")
    con.execute("INSERT INTO t (a, b, y, number) SELECT 1, 'b', 0, i FROM range(1500) r (i)")
    text = fails(con, name, target="number", features=["a"])
    assert "are too many classes (at most 1,000)" in text


@EVERY
def test_attributes_without_a_value_teach_nothing(con, name):
    found = evaluate(
        con, "t", target="y", features=["nothing", "silent"], cv="2", learner=LEARNERS[name]({})
    )
    assert found.accuracy_mean == pytest.approx(0.5, abs=0.05)
    both = evaluate(
        con, "t", target="y", features=["a", "nothing"], cv="2", learner=LEARNERS[name]({})
    )
    assert len(both.folds) == 2


@EVERY
def test_names_that_are_wrong_all_at_once(con, name):
    text = fails(con, name, target="why", features=["a", "bb", "a"])
    assert 'target "why"' in text and 'feature "bb"' in text and 'feature "a": named twice' in text


@EVERY
def test_a_source_without_rows(con, name):
    con.execute("DELETE FROM t")
    assert "it has no value, so" in fails(con, name, target="y")


@EVERY
def test_a_test_table_that_lacks_columns(con, name):
    con.execute("CREATE VIEW short AS SELECT y FROM t")
    text = fails(con, name, target="y", features=["a", "b"], cv="holdout=short")
    assert (
        '"a": missing from the table to test on' in text
        and '"b": missing from the table to test on' in text
    )


@EVERY
def test_values_that_were_never_seen(con, name):
    con.execute(f"CREATE VIEW new AS SELECT a + 1000 AS a, b || '{SECRET}' AS b, y FROM t")
    found = evaluate(
        con, "t", target="y", features=["a", "b"], cv="holdout=new", learner=LEARNERS[name]({})
    )
    assert [fold.n_rows for fold in found.folds] == [1200]


@EVERY
def test_names_and_classes_that_look_like_sql(con, name):
    con.execute(
        'CREATE VIEW "od\'d ""t" AS SELECT a AS "select", b AS "x"" --", '
        "CASE WHEN a > 2 THEN '''; DROP TABLE t; --' ELSE '' END AS \"lo_0\" FROM t"
    )
    found = evaluate(
        con, 'od\'d "t', target="lo_0", features=["select", 'x" --'], cv="2",
        learner=LEARNERS[name]({}),
    )  # fmt: skip
    assert found.accuracy_mean > 0.9
    assert con.execute("SELECT count(*) FROM t").fetchone() == (1200,)
