"""kACTUS along a tree that scikit-learn has fitted."""

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from support import bag, ppdt, read

import ppdt_db
from ppdt_db import Kactus, RequestError
from ppdt_db.learn import tree_from_sklearn
from ppdt_db.methods import Mict

sklearn_tree = pytest.importorskip("sklearn.tree", reason="no scikit-learn here: pip install it")
QUASI = ["age", "dose", 'the "big" load']
LISTED = 'age, dose, "the ""big"" load"'
ROWS = """
    SELECT
        (i * 7) % 50 AS age,
        (i % 13) / 10.0::DOUBLE AS dose,
        CAST((i * 3) % 17 / 4.0 AS DECIMAL(5, 2)) AS "the ""big"" load",
        CASE WHEN (i * 7) % 50 > 25 AND i % 17 > 6 OR i % 13 > 9 AND i % 5 > 0
            THEN 'ill' ELSE 'well' END AS state,
        chr(CAST(97 + i % 3 AS INTEGER)) AS ward,
        i AS number
    FROM range(300) AS r (i)
"""
LACKING = """
    INSERT INTO patients VALUES (NULL, 1, 1, 'ill', 'a', 300), (30, NULL, 1, 'ill', 'b', 301)
"""


def make(con: duckdb.DuckDBPyConnection) -> Any:
    """The patients, and a tree that is fitted on them."""
    con.execute(f"CREATE TABLE patients AS {ROWS}")
    learner = sklearn_tree.DecisionTreeClassifier(max_depth=5, random_state=1)
    states = con.execute("SELECT state FROM patients ORDER BY number").fetchall()
    return learner.fit(numbers(con), [state for (state,) in states])


def numbers(con: duckdb.DuckDBPyConnection) -> np.ndarray:
    rows = con.execute(f"SELECT {LISTED} FROM patients ORDER BY number").fetchall()
    return np.array([[float(value) for value in row] for row in rows])


def release(
    con: duckdb.DuckDBPyConnection, tree: object, *, seed: int | None = None, **wishes: object
) -> ppdt_db.Release:
    method = Kactus(k=10, tree=tree, **wishes)  # type: ignore[arg-type]
    return ppdt_db.anonymize(
        con, "patients", quasi=QUASI, target="state", keep="rest", method=method, into="o",
        sensitive=["ward"], seed=seed,
    )  # fmt: skip


@pytest.mark.parametrize(
    "wishes", [{}, {"l": 2}, {"refine": True}, {"refine": True, "plain": True}], ids=str
)
def test_a_release_along_it_passes_the_audit(
    con: duckdb.DuckDBPyConnection, wishes: dict[str, object]
) -> None:
    fitted = make(con)
    tree = tree_from_sklearn(fitted, QUASI, "state")
    assert tree.n_leaves == fitted.get_n_leaves() > 5
    certificate = release(con, tree, **wishes).certificate
    shown = [name for name, *_ in con.execute("DESCRIBE o").fetchall()]
    shown = [name for name in shown if name not in ("state", "ward", "number")]
    found = ppdt_db.audit(con, "o", quasi=shown, sensitive=["ward"], require="k=10")
    assert found.passed
    assert min(bag(con, "o", shown).values()) == certificate["k_measured"] >= 10
    assert certificate["parameters"]["tree"] == "given" and certificate["rows_dropped"] < 10


def test_groups_are_those_of_its_leaves(con: duckdb.DuckDBPyConnection) -> None:
    """A leaf of scikit-learn with k rows or more is released by itself, but for what it lends."""
    fitted = make(con)
    release(con, tree_from_sklearn(fitted, QUASI, "state"))
    leaves = fitted.apply(numbers(con))
    groups: dict[tuple, set[int]] = {}
    for *shown, number in con.execute(f"SELECT {LISTED}, number FROM o").fetchall():
        groups.setdefault(tuple(shown), set()).add(leaves[number])
    large = {leaf for leaf, n_rows in Counter(leaves.tolist()).items() if n_rows >= 10}
    assert len(large) > 2 and all({leaf} in groups.values() for leaf in large)


def test_its_file_says_the_same_on_the_command_line(tmp_path: Path) -> None:
    file, database = tmp_path / "tree.json", tmp_path / "p.duckdb"
    with duckdb.connect(str(database)) as con:
        tree = tree_from_sklearn(make(con), QUASI, "state", missing=True)
        con.execute(LACKING)
        release(con, tree, seed=1)
        wanted = read(con, "o")
    file.write_text(tree.as_json(), "utf-8")
    roles = ["--qi", f"age,dose,{QUASI[2]}", "--target", "state", "--keep", "rest"]
    asked = ["--sensitive", "ward", "--method", "kactus", "--k", 10, "--tree", file, "--seed", 1]
    ended = ppdt("anonymize", "patients", "--db", database, *roles, *asked, "--into", "p")
    assert ended.code == 0, ended.err
    with duckdb.connect(str(database)) as con:
        assert read(con, "p") == wanted


def test_a_missing_value_needs_a_branch(con: duckdb.DuckDBPyConnection) -> None:
    fitted = make(con)
    con.execute(LACKING)
    with pytest.raises(RequestError, match=r"rows reach no leaf: .* missing one, has no branch"):
        release(con, tree_from_sklearn(fitted, QUASI, "state"))
    assert not is_there(con)
    certificate = release(con, tree_from_sklearn(fitted, QUASI, "state", missing=True)).certificate
    assert certificate["k_measured"] >= 10 and certificate["rows_in"] == 302


def test_a_tree_that_does_not_fit_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    fitted = make(con)
    tree = tree_from_sklearn(fitted, QUASI, "state")
    misnamed = tree_from_sklearn(fitted, ["aeg", "dose", "number"], "state")
    for given, quasi, words in [
        (tree, QUASI[1:], ['it tests "age", which is not a quasi-identifier']),
        (misnamed, QUASI, ['column of the source. Did you mean "age"?', '"number", which is not']),
        (fitted, QUASI, ["DecisionTreeClassifier is not a tree of ppdt_db", "tree_from_sklearn"]),
        ("tree.json", QUASI, ["str is not a tree of ppdt_db", "read_tree"]),
    ]:  # fmt: skip
        for method in (Kactus(k=10, tree=given), Mict(k=10, tree=given)):  # type: ignore[arg-type]
            with pytest.raises(RequestError) as refused:
                ppdt_db.anonymize(
                    con, "patients", quasi=quasi, target="state", keep="rest", method=method,
                    into="o",
                )  # fmt: skip
            assert all(word in str(refused.value) for word in words)
    con.execute("ALTER TABLE patients ALTER age TYPE VARCHAR")
    with pytest.raises(RequestError, match=r'"age" as DOUBLE, but the column is VARCHAR'):
        release(con, tree)
    assert not is_there(con)


def is_there(con: duckdb.DuckDBPyConnection) -> bool:
    tables = con.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    views = con.execute("SELECT view_name FROM duckdb_views()").fetchall()
    return ("o",) in tables + views
