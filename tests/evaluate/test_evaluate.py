"""Evaluation: the deal of the rows, the rounds, the tests of significance."""

import duckdb
import pytest
from support import ppdt, temporaries

from ppdt_db.errors import RequestError
from ppdt_db.evaluate import Privacy, bonferroni_dunn, combined_f, evaluate, f_tail, iman_davenport
from ppdt_db.methods import Mondrian


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i % 40 AS a, chr(97 + CAST(i % 3 AS INTEGER)) AS b, "
            "(i * 7) % 5 AS c, CASE WHEN i % 11 = 0 THEN 'z' "
            "WHEN i % 40 > 20 THEN 'x' WHEN i % 3 = 0 THEN 'y' ELSE 'z' END AS y "
            "FROM range(400) AS r (i)"
        )
        yield connection


@pytest.mark.slow
def test_every_row_is_tested_once_in_each_repetition(con):
    found = evaluate(con, "t", target="y", cv="3x4")
    assert len(found.folds) == 12
    for repeat in range(3):
        assert sum(fold.n_rows for fold in found.folds if fold.repeat == repeat) == 400
    assert temporaries(con) == []


@pytest.mark.slow
def test_one_result_for_one_seed(con):
    first = evaluate(con, "t", target="y", cv="2", seed=3).as_dict()
    con.execute("SET threads = 1")
    con.execute("CREATE TABLE shuffled AS FROM t ORDER BY sha256(a || b || c)")
    assert evaluate(con, "shuffled", target="y", cv="2", seed=3).as_dict() == first
    assert evaluate(con, "t", target="y", cv="2", seed=4).as_dict() != first


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["PO", "PP", "OP"])
def test_what_anonymization_costs(con, protocol):
    privacy = Privacy(method=Mondrian(k=20), quasi=["a", "b"], protocol=protocol)
    before = con.execute("SELECT count(*) FROM duckdb_tables()").fetchone()
    found = evaluate(con, "t", target="y", cv="2", privacy=privacy)
    assert found.gcp is not None and 0 < found.gcp < 1
    assert found.original_accuracy_mean is not None
    assert found.accuracy_mean <= found.original_accuracy_mean
    assert con.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == before


def test_tails_of_the_f_distribution():
    # Critical values at 95 % from the tables of any textbook.
    for critical, one, two in ((4.735, 10, 5), (3.885, 2, 12), (2.866, 4, 20), (161.45, 1, 1)):
        assert f_tail(critical, one, two) == pytest.approx(0.05, abs=2e-4)


def test_combined_f():
    pairs = [(0.02, 0.04), (0.03, 0.03), (0.01, 0.03), (0.02, 0.02), (0.04, 0.02)]
    # Squares 0.0076; spreads 0.0002, 0, 0.0002, 0, 0.0002.
    assert combined_f(pairs).statistic == pytest.approx(0.0076 / (2 * 0.0006))
    assert combined_f([(0.0, 0.0)] * 5).p_value == 1


def test_friedman_and_bonferroni_dunn():
    # Demsar 2006, section 3.2.2: mean ranks 3.143, 2.000, 2.893, 1.964 of four classifiers on
    # fourteen cases; F = 3.69 with (3, 39) degrees of freedom; critical difference 1.17.
    scores = [
        (0.763, 0.768, 0.771, 0.798), (0.599, 0.591, 0.590, 0.569), (0.954, 0.971, 0.968, 0.967),
        (0.628, 0.661, 0.654, 0.657), (0.882, 0.888, 0.886, 0.898), (0.936, 0.931, 0.916, 0.931),
        (0.661, 0.668, 0.609, 0.685), (0.583, 0.583, 0.563, 0.625), (0.775, 0.838, 0.866, 0.875),
        (1.000, 1.000, 1.000, 1.000), (0.940, 0.962, 0.965, 0.962), (0.619, 0.666, 0.614, 0.669),
        (0.972, 0.981, 0.9751, 0.975), (0.957, 0.978, 0.946, 0.970),
    ]  # fmt: skip
    assert iman_davenport(scores).statistic == pytest.approx(3.69, abs=0.01)
    assert bonferroni_dunn(4, 14, 0.05) == pytest.approx(1.168, abs=0.001)


@pytest.mark.parametrize("cv", ["1", "x", "0x2", "5x1", "2x2000", ""])
def test_plans_that_are_none(con, cv):
    with pytest.raises(RequestError, match="--cv"):
        evaluate(con, "t", target="y", cv=cv)


@pytest.mark.slow
def test_command_line(con, tmp_path):
    path = tmp_path / "t.parquet"
    con.execute(f"COPY t TO '{path}'")
    ended = ppdt(
        "evaluate", path, "--target", "y", "--cv", "5x2", "--method", "mondrian", "--qi", "a,b",
        "--k", "5", "--json",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert {"accuracy_mean", "accuracy_sd", "gcp", "folds"} <= ended.json.keys()
    assert len(ended.json["folds"]) == 10
    for options in (["--qi", "a"], ["--t", 0.5], ["--engine", "spark"], ["--rules", "r.duckdb"]):
        assert ppdt("evaluate", path, "--target", "y", *options).code == 2
