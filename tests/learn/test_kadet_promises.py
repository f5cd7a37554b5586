"""The verifier of given trees; what kADET promises, refuses and writes."""

import json
from pathlib import Path

import duckdb
import pytest
from support import every, ppdt

from ppdt_db import RequestError
from ppdt_db.learn import C45, Kadet, learn, predict_into, verify_tree
from ppdt_db.tree.tree_json import read_tree

LOANS = """
    CREATE TABLE loans AS SELECT * FROM (VALUES
        ('Lisa', 'Unmarried', 'Yes', 'good'), ('John', 'Married', 'Yes', 'good'),
        ('Ben', 'Married', 'No', 'bad'), ('Laura', 'Married', 'No', 'bad'),
        ('Robert', 'Unmarried', 'Yes', 'bad'), ('Anna', 'Unmarried', 'No', 'bad')
    ) AS t (name, marital_status, sports_car, loan_risk)
"""


@pytest.fixture
def con():
    with duckdb.connect() as made:
        yield made


# -- the verifier ---------------------------------------------------------------------------------


def test_a_row_too_few_is_found(con, tmp_path: Path) -> None:
    """The same tree, over its own rows and over all of them but one."""
    con.execute(
        "CREATE TABLE t AS SELECT CAST(i % 5 AS VARCHAR) AS x, i % 5 = 3 AS y FROM range(50) r(i)"
    )
    tree = learn(con, "t", target="y", learner=Kadet(k=10, public=["x"])).tree
    assert len(tree.nodes) > 1
    least = verify_tree(con, tree, "t", public=["x"], k=1).k
    assert least and least >= 10
    con.execute("CREATE VIEW one_less AS SELECT * FROM t WHERE x <> '3' UNION ALL "
                "(SELECT * FROM t WHERE x = '3' LIMIT 9)")  # fmt: skip
    verdict = verify_tree(con, tree, "one_less", public=["x"], k=10)
    assert (verdict.k, verdict.spans_below_k, verdict.rows_below_k) == (9, 1, 9)
    assert verify_tree(con, tree, "one_less", public=[], k=49).failures(49) == []
    assert verify_tree(con, tree, "one_less", public=[], k=50).k == 49
    path, file = tmp_path / "tree.json", tmp_path / "less.parquet"
    path.write_text(tree.as_json(), "utf-8")
    con.execute(f"COPY one_less TO '{file}'")
    ended = ppdt("verify", path, file, "--public", "x", "--k", 10)
    assert ended.code == 3 and "not 10-anonymous" in ended.err
    assert ended.json["k_measured"] == 9
    ended = ppdt("verify", path, file, "--public", "x", "--k", 9)
    assert ended.code == 0 and ended.json["spans_below_k"] == 0
    named = ppdt("verify", path, file, "--public", "x", "--k", 9, "--null", "known")
    assert named.code == 0 and named.json == ended.json and named.json["null"] == "known"
    assert ppdt("verify", path, file, "--public", "x", "--k", 9, "--null", "x").code == 2
    with pytest.raises(RequestError, match="known"):
        verify_tree(con, tree, "one_less", public=["x"], k=9, null="x")  # type: ignore[arg-type]


def test_trees_of_others_are_read(con) -> None:
    pytest.importorskip("sklearn")
    from sklearn.tree import DecisionTreeClassifier

    from ppdt_db.learn import tree_from_sklearn

    con.execute(
        "CREATE TABLE t AS SELECT i % 10 AS a, i // 10 AS b, i % 10 < 3 AS y FROM range(40) r(i)"
    )
    rows = con.execute("SELECT a, b, y FROM t").fetchall()
    fitted = DecisionTreeClassifier(random_state=0).fit([r[:2] for r in rows], [r[2] for r in rows])
    tree = tree_from_sklearn(fitted, ["a", "b"], "y")
    verdict = verify_tree(con, tree, "t", public=["a", "b"], k=10)
    assert (verdict.k, verdict.spans, verdict.rows_exposed) == (12, 2, 40)
    assert verify_tree(con, tree, "t", public=["b"], k=10).spans == 1
    plain = learn(con, "t", target="y", learner=C45())
    assert verify_tree(con, plain, "t", public=["A", "B"], k=10).k == 12


def test_names_that_are_no_columns_are_guessed_alike(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 10 AS town, i % 2 AS readmitted FROM range(40) r(i)")
    tree = learn(con, "t", target="readmitted", learner=C45())
    con.execute("ALTER TABLE t RENAME COLUMN readmitted TO readmited")
    with pytest.raises(RequestError) as refused:
        verify_tree(con, tree, "t", public=["twon"], k=2)
    assert list(refused.value.faults) == [
        'public "twon": the source has no such column. Did you mean "town"?',
        'target "readmitted": the source has no such column. Did you mean "readmited"?',
    ]


def test_a_missing_value_that_is_shared_out_is_seen(con) -> None:
    con.execute("CREATE TABLE t AS SELECT CASE WHEN i < 3 THEN NULL ELSE i END AS x, i < 20 AS y "
                "FROM range(40) r(i)")  # fmt: skip
    tree = learn(con, "t", target="y", learner=C45())
    assert tree.missing == "fractional"
    verdict = verify_tree(con, tree, "t", public=["x"], k=5)
    assert (verdict.k, verdict.spans, verdict.rows_below_k) == (3, 3, 3)


# -- what is promised, and what is refused --------------------------------------------------------


def test_rows_without_a_class_are_not_counted(con) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT i % 2 AS x, CASE WHEN i < 20 THEN i % 2 END AS y "
        "FROM range(40) r(i)"
    )
    found = learn(con, "t", target="y", learner=Kadet(k=10, public=["x"]))
    assert found.certificate["rows"] == 20 and found.certificate["k_measured"] == 10
    assert learn(con, "t", target="y", learner=Kadet(k=11, public=["x"])).size == 1


def test_names_may_be_hostile(con) -> None:
    con.execute("""CREATE TABLE "t ""x" AS SELECT i % 2 AS "a"" -- b", i % 4 < 2 AS "order",
        i % 3 AS "SELECT;",
        i % 2 = 0 AND i % 3 > 0 OR i % 4 = 3 AS "'; DROP" FROM range(60) r(i)""")
    learner = Kadet(k=3, public=['a" -- b', "ORDER"], private=["select;"])
    found = learn(con, 't "x', target="'; DROP", learner=learner)
    assert found.size > 1 and found.certificate["k_measured"] >= 3
    predict_into(con, found.tree, 't "x', into="predicted")
    right = con.execute(
        """SELECT count(*) FROM predicted WHERE "predicted_'; DROP" = CAST("'; DROP" AS VARCHAR)"""
    )
    assert right.fetchone()[0] > 40


TYPED = {
    "BIGINT": "i * 3", "DECIMAL(9,2)": "i / 8", "DOUBLE": "i / 3", "FLOAT": "i / 3",
    "DATE": "DATE '2001-01-01' + INTERVAL (i * 3) DAY",
    "TIMESTAMP": "TIMESTAMP '2001-01-01' + INTERVAL (i) MINUTE",
    "TIMESTAMPTZ": "TIMESTAMP '2001-01-01' + INTERVAL (i) MINUTE",
    "TIME": "CAST(TIMESTAMP '2001-01-01' + INTERVAL (i) MINUTE AS TIME)",
}  # fmt: skip


@pytest.mark.parametrize("type_name", every(3, TYPED))
def test_no_private_number_is_shown(con, type_name: str) -> None:
    """A threshold on a private number is no value of anybody, and parts groups of k rows."""
    con.execute(f"CREATE TABLE t AS SELECT CAST({TYPED[type_name]} AS {type_name}) AS x, "
                "i >= 23 AS y FROM range(60) r(i)")  # fmt: skip
    tree = learn(con, "t", target="y", learner=Kadet(k=5, public=[], private=["x"])).tree
    shown = {b.value for node in tree.nodes for b in node.branches}
    assert shown
    for value in shown:
        cut = f"CAST('{value}' AS {type_name})"
        counts = con.execute(
            f"SELECT count(*) FILTER (x <= {cut}), count(*) FILTER (x = {cut}) FROM t"
        )
        n_below, n_equal = counts.fetchone()
        assert n_below % 5 == 0 and n_equal == 0
    assert sum(tree.nodes[0].counts) == 60_000_000


def test_the_order_of_rows_and_threads_do_not_matter(con) -> None:
    con.execute("CREATE TABLE t AS SELECT i * 37 % 61 AS a, i * 13 % 7 AS b, "
                "CAST(i % 5 AS VARCHAR) AS c, (i * 37 % 61 > 30) = (i % 5 < 2) AS y "
                "FROM range(400) r(i)")  # fmt: skip
    con.execute("CREATE TABLE u AS SELECT * FROM t ORDER BY sha256(CAST((a, b, c) AS VARCHAR))")
    learner = Kadet(k=7, public=["a", "c"], private=["b"])
    found = []
    for threads, name in [(1, "t"), (2, "u"), (4, "t")]:
        con.execute(f"SET threads = {threads}")
        found.append(learn(con, name, target="y", learner=learner).as_json())
    assert found[0] == found[1] == found[2]
    assert json.loads(found[0])["nodes"][0]["branches"]


def test_the_command_line(con, tmp_path: Path) -> None:
    file, out = tmp_path / "loans.parquet", tmp_path / "tree.json"
    con.execute(LOANS)
    con.execute(f"COPY loans TO '{file}'")
    asked = ["learn", "kadet", file, "--target", "loan_risk", "--form", "id3",
             "--public", "marital_status", "--private", "sports_car"]  # fmt: skip
    ended = ppdt(*asked, "--k", 3, "--out", out)
    assert ended.code == 0 and "sports_car = No: bad (3.0)" in ended.out
    told = json.loads((tmp_path / "tree.json.certificate.json").read_text("utf-8"))
    assert told["k_measured"] == 3 and told["verified"] is True
    assert not any(name in json.dumps(told) for name in ("Married", "good", "Lisa"))
    assert ppdt("verify", out, file, "--public", "marital_status", "--k", 3).code == 0
    again = ppdt(*asked, "--k", 3, "--out", out)
    assert again.code == 2 and "exists" in again.err
    short = ppdt(*asked, "--k", 7, "--out", tmp_path / "none.json")
    assert short.code == 3 and "k=7" in short.err and not (tmp_path / "none.json").exists()
    assert "CASE" in ppdt(*asked, "--k", 3, "--sql").out


def test_every_fault_is_told(con, tmp_path: Path) -> None:
    file = tmp_path / "loans.parquet"
    con.execute(LOANS)
    con.execute(f"COPY loans TO '{file}'")
    common = ["learn", "kadet", file, "--target", "loan_risk"]
    ended = ppdt(*common, "--public", "name", "--unpruned", "--weight", "name")
    assert ended.code == 2
    assert all(part in ended.err for part in ("--unpruned", "--weight", "--k"))
    ended = ppdt(*common, "--public", "marital", "--private", "nme", "--k", 2)
    assert ended.code == 2 and "marital" in ended.err and "nme" in ended.err
    ended = ppdt(*common, "--public", "name", "--private", "name", "--k", 2)
    assert ended.code == 2 and "twice" in ended.err
    ended = ppdt(*common, "--public", "name", "--public-class", "--l", 1.2, "--k", 0)
    assert ended.code == 2 and "public class" in ended.err and "k=0" in ended.err
    assert ppdt("learn", "c45", file, "--target", "loan_risk", "--k", 2).code == 2
    ended = ppdt(*common, "--public", "name", "--public-class", "--k", 4)
    assert ended.code == 3 and "classes" in ended.err


PLACES = [
    ("Oslo", "NO", "*"), ("Bergen", "NO", "*"), ("Nice", "FR", "*"), ("Lyon", "FR", "*"),
]  # fmt: skip


def places(con, tmp_path: Path) -> Path:
    """Towns of which each has 5 rows but Lyon, which has 2; countries tell the class."""
    file = tmp_path / "places.csv"
    lines = [",".join(row) for row in [("leaf", "country", "root"), *PLACES]]
    file.write_text("\n".join(lines) + "\n")
    con.execute("""CREATE TABLE t AS SELECT town, i AS n, town IN ('Oslo', 'Bergen') AS y
        FROM (VALUES ('Oslo', 5), ('Bergen', 5), ('Nice', 5), ('Lyon', 2)) v(town, m), range(m) r(i)
    """)
    return file


def test_values_that_would_breach_are_generalized(con, tmp_path: Path) -> None:
    file = places(con, tmp_path)

    def grow(k: int):
        wishes = {"town": str(file)}
        return learn(
            con,
            "t",
            target="y",
            learner=Kadet(k=k, public=["town"], form="id3", hierarchies=wishes),
        )

    assert grow(2).as_text().startswith("town = Bergen") and grow(2).certificate["spans"] == 4
    found = grow(3)
    assert found.as_text().splitlines()[:2] == [
        "town in {Lyon, Nice}: false (7.0)",
        "town in {Bergen, Oslo}: true (10.0)",
    ]
    assert (found.certificate["k_measured"], found.certificate["spans"]) == (7, 2)
    right = con.execute(f"SELECT count(*) FROM t WHERE {found.as_sql()} = CAST(y AS VARCHAR)")
    assert right.fetchone() == (17,)
    predict_into(con, found.tree, "t", into="told")
    right = con.execute("SELECT bool_and(predicted_y = CAST(y AS VARCHAR)) FROM told")
    assert right.fetchone() == (True,)
    assert grow(8).size == 1
    assert verify_tree(con, read_tree(found.as_json()), "t", public=["town"], k=7).k == 7
    source = tmp_path / "t.parquet"
    con.execute(f"COPY t TO '{source}'")
    ended = ppdt("learn", "kadet", source, "--target", "y", "--public", "town", "--form", "id3",
                 "--k", 3, "--hierarchy", f"town={file}")  # fmt: skip
    assert ended.code == 0 and "town in {Lyon, Nice}" in ended.out


def test_a_hierarchy_that_does_not_fit_is_refused(con, tmp_path: Path) -> None:
    file = places(con, tmp_path)
    con.execute("INSERT INTO t VALUES ('Rome', 1, true)")
    short = Kadet(k=2, public=["town"], hierarchies={"town": str(file)})
    with pytest.raises(RequestError, match="town"):
        learn(con, "t", target="y", learner=short)
    wishes = {"twn": str(file), "n": str(file)}
    learner = Kadet(k=2, public=["town"], private=["n"], hierarchies=wishes)
    with pytest.raises(RequestError) as refused:
        learn(con, "t", target="y", learner=learner)
    assert [fault.split('"')[1] for fault in refused.value.faults] == ["twn", "n"]


def test_the_table_that_is_equivalent_to_the_tree(tmp_path: Path) -> None:
    file = tmp_path / "loans.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute(LOANS)
    asked = ["learn", "kadet", "loans", "--db", file, "--target", "loan_risk", "--form", "id3",
             "--public", "marital_status", "--private", "sports_car", "--k", 3]  # fmt: skip
    ended = ppdt(*asked, "--publish-table", "loans_k3")
    assert ended.code == 0 and "k measured 3" in ended.err
    with duckdb.connect(str(file)) as con:
        rows = con.execute("SELECT marital_status, count(*) FROM loans_k3 GROUP BY ALL ORDER BY 1")
        assert [n for _, n in rows.fetchall()] == [3, 3]
        columns = [row[0] for row in con.execute("DESCRIBE loans_k3").fetchall()]
    assert "name" not in columns and "loan_risk" in columns
    refused = ppdt(*asked, "--public-class", "--publish-table", "loans_again")
    assert refused.code == 2 and "private class" in refused.err
    refused = ppdt("learn", "kadet", tmp_path / "x.parquet", "--target", "y", "--public", "a",
                   "--k", 2, "--publish-table", "z")  # fmt: skip
    assert refused.code == 2 and "--db" in refused.err


@pytest.mark.parametrize(
    ("type_name", "step", "shown"),
    [("INTEGER", 1, "3.5"), ("UTINYINT", 1, "3.5"), ("BIGINT", 2, "7"),
     ("DECIMAL(4,1)", 0.5, "1.7"),
     ("DECIMAL(3,2)", 0.01, "0.035"), ("DECIMAL(18,2)", 0.01, "0.035")],
)  # fmt: skip
def test_a_threshold_on_a_private_number_is_nobodys_value(con, type_name, step, shown) -> None:
    """Ten people have each value, so the value itself would be somebody's."""
    con.execute(
        f"CREATE TABLE t AS SELECT CAST(i // 10 * {step} AS {type_name}) AS x, i >= 40 AS y, "
        "'a' AS town FROM range(80) r(i)"
    )
    found = learn(con, "t", target="y", learner=Kadet(k=10, public=["town"], private=["x"]))
    (root,) = [node for node in found.tree.nodes if node.branches]
    assert {branch.value for branch in root.branches} == {shown}
    assert con.execute(f"SELECT count(*) FROM t WHERE x = {shown}").fetchone() == (0,)
    right = con.execute(f"SELECT count(*) FROM t WHERE {found.as_sql()} = CAST(y AS VARCHAR)")
    assert right.fetchone() == (80,)
    predict_into(con, read_tree(found.as_json()), "t", into="told")
    right = con.execute("SELECT bool_and(predicted_y = CAST(y AS VARCHAR)) FROM told")
    assert right.fetchone() == (True,)
    assert verify_tree(con, read_tree(found.as_json()), "t", public=["town"], k=80).k == 80


def test_the_certificate_says_what_is_known_of_missing_values_and_of_days(con) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT DATE '2020-01-01' + CAST(i // 10 AS INTEGER) AS day, i >= 40 AS "
        "y, CASE WHEN i % 2 = 0 THEN 'a' END AS town FROM range(80) r(i)"
    )
    found = learn(con, "t", target="y", learner=Kadet(k=10, public=["town"], private=["day"]))
    notes = " ".join(found.certificate["notes"])
    assert "missing public value" in notes and '"day" is private' in notes
    assert "2020" not in notes
    plain = learn(con, "t", target="y", learner=Kadet(k=10, public=["town", "day"]))
    assert "is private" not in " ".join(plain.certificate["notes"])
