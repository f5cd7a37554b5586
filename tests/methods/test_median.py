"""Medians of classes: one of their values, wherever a mean could be shown."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import examples

from ppdt_db import Attribute, Erp, Kactus, Mdav, Mondrian, RequestError, anonymize
from ppdt_db.methods import Method

POOL = [None, float("nan"), float("inf"), float("-inf"), -2.5, 0.0, 0.1, 3.0, 7.0]


def median(values: list[float | None]) -> float | None:
    """The lower of two middles of the finite values."""
    finite = sorted(v for v in values if v is not None and abs(v) < float("inf"))
    return finite[(len(finite) - 1) // 2] if finite else None


@examples(25)
@given(values=st.lists(st.sampled_from(POOL), min_size=2, max_size=40))
def test_a_class_shows_the_median_of_its_rows(values: list[float | None]) -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (x DOUBLE, goal BIGINT)")
        con.executemany("INSERT INTO t VALUES (?, ?)", [(v, i % 2) for i, v in enumerate(values)])
        anonymize(con, "t", quasi=[Attribute("x", "median")], keep=["goal"],
                  method=Mondrian(k=len(values)), into="o")  # fmt: skip
        shown = {x for (x,) in con.execute("SELECT x FROM o").fetchall()}
        types = dict(con.execute("SELECT column_name, column_type FROM (DESCRIBE o)").fetchall())
    assert types["x"] == "DOUBLE"
    assert shown == {median(values)}


def test_the_lower_of_two_middles_in_the_type_of_the_column(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1, DATE '2020-01-01'), (2, DATE "
                "'2020-01-05'), (9, DATE 'infinity'), (50, NULL)) v(x, d)")  # fmt: skip
    quasi = [Attribute("x", "median"), Attribute("d", "median")]
    anonymize(con, "t", quasi=quasi, method=Mondrian(k=4), into="o")
    assert con.execute("SELECT DISTINCT x, CAST(d AS VARCHAR) FROM o").fetchall() == [
        (2, "2020-01-01")
    ]


@pytest.mark.parametrize("method", [Kactus(k=10), Kactus(k=10, refine=True), Erp(k=10)])
def test_every_method_that_shows_means_shows_medians(
    con: duckdb.DuckDBPyConnection, method: Method
) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 60 AS age, i % 60 < 20 AS goal, i AS rid "
                "FROM range(300) r(i)")  # fmt: skip
    anonymize(con, "t", quasi=[Attribute("age", "median")], target="goal", keep=["rid"],
              method=method, into="o", rules=True)  # fmt: skip
    for shown, members in con.execute("SELECT age, list(rid) FROM o GROUP BY age").fetchall():
        assert shown == median([float(rid % 60) for rid in members])


def test_microaggregation_shows_means_alone(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i AS x FROM range(9) r(i)")
    with pytest.raises(RequestError, match="mdav shows means"):
        anonymize(con, "t", quasi=[Attribute("x", "median")], method=Mdav(k=3), into="o")
