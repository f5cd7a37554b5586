"""Every learner learns from releases that the package made, and says the same for any order."""

import duckdb
import pytest
from support import PATIENTS, anonymize_patients, mostly_slow

from ppdt_db import Logistic
from ppdt_db.evaluate import Privacy, evaluate
from ppdt_db.evaluate.learners import LEARNERS
from ppdt_db.learn import confusion_matrix, learn
from ppdt_db.methods import Mondrian

FEATURES = ["age", "sex", "zip"]
EVERY = pytest.mark.parametrize(
    "name", mostly_slow([n for n in LEARNERS if n != "sets"], "c45", "bayes")
)
TELLING = PATIENTS.replace(
    "i % 5 < 2 AS readmitted", "coalesce((i * 37) % 61 > 30, FALSE) AS readmitted"
)


def made(name):
    if name == "logistic":
        pytest.importorskip("sklearn")
    return LEARNERS[name]({})


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(TELLING)
        yield connection


@EVERY
def test_a_release_teaches(con, name):
    anonymize_patients(con, target="readmitted")
    learner = made(name)
    model = learn(con, "patients_k5", target="readmitted", features=FEATURES, learner=learner)
    taken = confusion_matrix(con, model, "patients", target="readmitted")
    assert sum(taken.values()) == 200
    right = sum(n for (true, found), n in taken.items() if true == found)
    heaviest = max(
        sum(n for (true, _), n in taken.items() if true == label) for label in ("true", "false")
    )
    assert right > heaviest + 20
    assert sum(confusion_matrix(con, model, "patients_k5", target="readmitted").values()) == 200


@EVERY
def test_evaluation_tests_on_original_rows(con, name):
    privacy = Privacy(method=Mondrian(k=5), quasi=FEATURES, protocol="PO")
    found = evaluate(
        con, "patients", target="readmitted", features=FEATURES, cv="2", learner=made(name),
        privacy=privacy,
    )  # fmt: skip
    assert sum(fold.n_rows for fold in found.folds) == 200
    assert found.accuracy_mean > 0.65 and found.gcp > 0


def shown(con, name, order):
    con.execute(f"""
        CREATE TABLE {name} AS SELECT * FROM (
            SELECT CASE WHEN i % 9 > 0 THEN i * 7 % 31 END AS x_lo,
                CASE WHEN i % 9 > 0 THEN i * 7 % 31 + i % 4 END AS x_hi,
                [['p'], ['p', 'q'''], ['r'], NULL][1 + i % 4] AS s,
                CASE WHEN i * 7 % 31 > 12 OR i % 4 = 1 THEN 'u' ELSE 'v' END AS y
            FROM range(300) AS r (i)
        ) ORDER BY {order}
    """)


def test_logistic_on_ranges_sets_and_null_for_any_order_and_threads():
    pytest.importorskip("sklearn")
    found = []
    for threads, order in ((1, "x_lo, s, y"), (2, "s DESC, x_hi DESC, y")):
        with duckdb.connect() as con:
            con.execute(f"SET threads = {threads}")
            shown(con, "t", order)
            model = learn(con, "t", target="y", features=["x", "s"], learner=Logistic())
            found.append(
                (model.fitted.coef_.tolist(), confusion_matrix(con, model, "t", target="y"))
            )
    assert found[0] == found[1]
    taken = found[0][1]
    assert sum(n for (true, told), n in taken.items() if true == told) > 220


def test_logistic_takes_ranges_and_sets_of_one_value_as_values():
    pytest.importorskip("sklearn")
    with duckdb.connect() as con:
        con.execute("""
            CREATE TABLE plain AS SELECT nullif(i % 31, 3) AS x, ['p', 'q', NULL][1 + i % 3] AS s,
                CASE WHEN i % 31 > 12 AND i % 3 = 1 OR i % 11 = 0 THEN 'u' ELSE 'v' END AS y
            FROM range(200) AS r (i)
        """)
        con.execute("""
            CREATE TABLE shown AS SELECT x AS x_lo, x AS x_hi,
                CASE WHEN s IS NOT NULL THEN [s] END AS s, y FROM plain
        """)
        models = [
            learn(con, table, target="y", features=["x", "s"], learner=Logistic())
            for table in ("plain", "shown")
        ]
    assert models[0].fitted.coef_.tolist() == models[1].fitted.coef_.tolist()
    assert models[0].members == models[1].members == ((), ("p", "q"))
