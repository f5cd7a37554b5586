"""Classes are told apart by what they show: what a hash takes for one stays apart."""

import duckdb
import pytest
from support import mostly_slow

import ppdt_db

LISTS = ("NULL", "[]", "[NULL]", "[false]", "[true]", "[false, true]", "[true, false]",
         "[NULL, false]", "[NULL, NULL]")  # fmt: skip


def test_lists_that__are_classes_apart(con: duckdb.DuckDBPyConnection) -> None:
    pairs = [f"({a}::BOOLEAN[], {b}::BOOLEAN[], 1)" for a in LISTS for b in LISTS]
    con.execute(f"CREATE TABLE r AS FROM (VALUES {', '.join(pairs)}) AS v (a, b, s)")
    measures = ppdt_db.audit(con, "r", quasi=["a", "b"], sensitive=["s"]).measures
    assert (measures["classes"], measures["k"]) == (len(LISTS) ** 2, 1)
    with_others = ppdt_db.audit(con, "r", quasi=["s"], sensitive=["a", "b"]).measures
    assert with_others["k"] == len(LISTS) ** 2


ALIKE = {
    "HUGEINT": ("0", "-1", f"{2**64}", f"{-(2**64) - 1}"),
    "DECIMAL(38,2)": ("0", "-0.01", "1", "-1.01"),
    "DECIMAL(19,0)": ("0", "-1"),
    "INTEGER[]": ("[]", "NULL", "[NULL]"),
    "INTEGER[][]": ("[]", "[[]]", "[[], []]", "[NULL]", "NULL"),
    "STRUCT(a INTEGER, b INTEGER)": (
        "{'a': 1, 'b': NULL}", "{'a': NULL, 'b': 1}", "{'a': NULL, 'b': NULL}", "NULL",
    ),
    "MAP(VARCHAR, INTEGER)": ("MAP {}", "MAP {'a': NULL}", "NULL"),
    "BIT": ("'0'", "'1'", "'00'"),
}  # fmt: skip


@pytest.mark.parametrize("role", mostly_slow(["quasi", "sensitive", "other"], "sensitive"))
@pytest.mark.parametrize("type_name", ALIKE)
def test_values_that_hash_alike_stay_apart(
    con: duckdb.DuckDBPyConnection, type_name: str, role: str
) -> None:
    rows = ", ".join(f"(({value})::{type_name})" for value in ALIKE[type_name])
    con.execute(f"CREATE TABLE v AS SELECT * FROM (VALUES {rows}) AS v (x)")
    con.execute("CREATE TABLE r AS SELECT x, i % 2 AS q, i % 4 AS s FROM v, range(12) AS t (i)")
    n_values = len(ALIKE[type_name])
    if role == "quasi":
        measures = ppdt_db.audit(con, "r", quasi=["x"], sensitive=["s"]).measures
        assert (measures["classes"], measures["k"]) == (n_values, 12)
        return
    names = ["x"] if role == "sensitive" else ["s", "x"]
    measures = ppdt_db.audit(con, "r", quasi=["q"], sensitive=names).measures
    found = measures["sensitive"]["x"]
    assert (found["values"], found["distinct_l"]) == (n_values, n_values)
    if role == "other":
        assert measures["sensitive"]["s"]["with_others"]["distinct_l"] == 2


@pytest.mark.parametrize("role", ["quasi", "sensitive", "keep"])
def test_lists_that_are_all_empty(con: duckdb.DuckDBPyConnection, role: str) -> None:
    con.execute(
        "CREATE TABLE r AS SELECT i % 3 AS q, []::VARCHAR[] AS x, i % 2 AS s"
        " FROM range(30) AS t (i)"
    )
    if role == "quasi":
        measures = ppdt_db.audit(con, "r", quasi=["q", "x"], sensitive=["s"]).measures
        assert (measures["k"], measures["gcp"]) == (10, 0)
        return
    roles = {"sensitive": ["s", "x"]} if role == "sensitive" else {"keep": ["s", "x"]}
    release = ppdt_db.anonymize(
        con, "r", quasi=["q"], method=ppdt_db.Mondrian(k=5), into="released", **roles
    )
    assert release.certificate["k_measured"] == 10
