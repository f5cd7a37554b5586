"""The same release, whatever the order of the rows, the threads and the settings."""

from pathlib import Path
from random import Random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import bag, classes, every, mostly_slow, read
from tables import SIMPLE, Table, tables

import ppdt_db
from ppdt_db import Attribute, Mondrian

METHODS = [
    Mondrian(k=3),
    Mondrian(k=3, criterion="median"),
    Mondrian(k=3, criterion="ncp"),
    Mondrian(k=3, criterion="median-left"),
    Mondrian(k=3, relaxed=True),
    Mondrian(k=3, relaxed=True, criterion="median"),
]
ids = [f"{m.criterion}{' relaxed' if m.relaxed else ''}" for m in METHODS]


# -- the same release, whatever the order, the threads, the settings --


@pytest.mark.slow
@pytest.mark.parametrize("method", mostly_slow(METHODS, METHODS[5]), ids=ids)
@given(table=tables(types=SIMPLE), seed=st.integers(0, 99))
def test_shuffled_rows_give_the_same_release(table: Table, method: Mondrian, seed: int) -> None:
    rows = []
    for order in (None, Random(seed).sample(range(table.n_rows), table.n_rows)):
        with duckdb.connect() as con:
            table.make(con, order=order)
            ppdt_db.anonymize(
                con, "t", quasi=table.names, keep=["rid"], method=method, into="o", seed=7
            )
            rows.append(read(con, "o"))
    assert rows[0] == rows[1]


MANY = """
    CREATE TABLE many AS SELECT
        (i * 48271) % 65537 % 90 AS age,
        'w' || ((i * 40692) % 65521 % 9) AS work,
        ((i * 39373) % 65519 % 1000) / 7.0 AS pay,
        ['a', 'b', 'c', NULL][1 + (i * 7919) % 99991 % 4] AS illness,
        ((i * 69621) % 32749) / 3.0 AS score
    FROM range(30000) AS r (i)
"""


def many_to_file(
    path: Path, method: Mondrian, *, threads: int, shuffled: bool = False, **options: object
) -> tuple[list[tuple], dict]:
    with duckdb.connect(config={"threads": threads}) as con:
        con.execute(MANY)
        if shuffled:
            con.execute("CREATE OR REPLACE TABLE many AS SELECT * FROM many ORDER BY hash(score)")
        asked = {"sensitive": ["illness"], "target": "score", "seed": 3, **options}
        release = ppdt_db.anonymize(
            con, "many", quasi=["age", "work", "pay"], method=method, out=path, **asked
        )
        rows = con.execute(f"SELECT * FROM read_parquet('{path}', file_row_number = true)")
        return sorted(map(repr, rows.fetchall())), dict(release.certificate)


@pytest.mark.parametrize(
    "method",
    mostly_slow(
        [
            Mondrian(k=10, l=2),
            Mondrian(k=10, relaxed=True),
            Mondrian(k=10, criterion="ncp"),
            Mondrian(k=10, criterion="infogain"),
        ],
        Mondrian(k=10, l=2),
    ),
    ids=lambda m: f"{m.criterion}-{m.relaxed}",
)
def test_threads_and_order_of_the_source_leave_no_trace(tmp_path: Path, method: Mondrian) -> None:
    one, proof_one = many_to_file(tmp_path / "one.parquet", method, threads=1)
    two, proof_two = many_to_file(tmp_path / "two.parquet", method, threads=2, shuffled=True)
    assert one == two
    for measured in ("classes", "gcp", "discernibility", "k_measured", "l_measured", "measures"):
        assert proof_one[measured] == proof_two[measured]


WRITTEN = {
    "csv": "SELECT hash(line) FROM read_csv('{out}', columns = {{'line': 'VARCHAR'}}, sep = '')",
}


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.slow
def test_rows_lie_in_one_order_whatever_threads_and_settings(tmp_path: Path, form: str) -> None:
    """More rows than DuckDB gives to one thread at a time, so that threads could mix them."""
    found = []
    for threads, keeps in ((1, True), (4, True), (4, False)):
        out = tmp_path / f"{threads}-{keeps}" / f"o.{form}"
        out.parent.mkdir()
        with duckdb.connect(config={"threads": threads}) as con:
            con.execute(f"SET preserve_insertion_order = {keeps}")
            con.execute(
                "CREATE TABLE many AS SELECT i * 7919 % 300 AS age, i * 104729 % 1000003 AS rid "
                "FROM range(400000) AS r (i)"
            )
            ppdt_db.anonymize(
                con, "many", quasi=["age"], keep=["rid"], method=Mondrian(k=2000), out=out
            )
            # What is read back is read in its own order.
            con.execute("SET preserve_insertion_order = true")
            found.append(con.execute(WRITTEN[form].format(out=out)).fetchall())
    assert found[0] == found[1]
    assert found[0] == found[2]


SETTINGS = [
    "default_order = 'DESC'",
    "default_null_order = 'nulls_last'",
    "default_null_order = 'nulls_first'",
    "TimeZone = 'Asia/Kolkata'",
    "preserve_insertion_order = false",
    "threads = 1",
    "integer_division = true",
    "old_implicit_casting = true",
    "search_path = 'other,main'",
    "ieee_floating_point_ops = false",
]


@pytest.mark.parametrize("setting", every(6, SETTINGS))
@pytest.mark.parametrize("relaxed", mostly_slow([False, True], False))
def test_settings_of_the_session_do_not_matter(setting: str, relaxed: bool) -> None:
    found = []
    for statement in ("SELECT 1", f"SET {setting}"):
        with duckdb.connect() as con:
            con.execute("CREATE SCHEMA other")
            con.execute(
                "CREATE TABLE main.t AS SELECT nullif(i % 11, 0) AS age, "
                "TIMESTAMPTZ '2020-01-01 00:00:00+00' + INTERVAL (i % 5) HOUR AS seen, "
                "nullif('w' || i % 4, 'w0') AS work, (i % 9) / 4.0 AS pay, i AS rid "
                "FROM range(80) AS r (i)"
            )
            con.execute(statement)
            release = ppdt_db.anonymize(
                con,
                "main.t",
                quasi=["age", "seen", "work", Attribute("pay", "mean")],
                keep=["rid"],
                method=Mondrian(k=3, relaxed=relaxed),
                into="main.o",
                seed=5,
            )
            con.execute("RESET default_order; RESET default_null_order; SET TimeZone = 'UTC'")
            found.append((read(con, "main.o"), release.certificate["gcp"]))
    assert found[0] == found[1]


def test_a_default_collation_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 3 AS a FROM range(20) AS r (i)")
    con.execute("SET default_collation = 'NOCASE'")
    with pytest.raises(ppdt_db.RequestError, match="default_collation"):
        ppdt_db.anonymize(con, "t", quasi=["a"], method=Mondrian(k=2), into="o")


@pytest.mark.parametrize("collation", ["NOCASE", "NOACCENT"])
def test_a_columns_collation_merges_no_values(
    con: duckdb.DuckDBPyConnection, collation: str
) -> None:
    text = f"VARCHAR COLLATE {collation}"
    con.execute(f"CREATE TABLE t (a {text}, w {text}, rid INTEGER)")
    values = ["a", "A", "ä", "b", "B"]
    for i in range(40):
        con.execute("INSERT INTO t VALUES (?, ?, ?)", [values[i % 5], values[i * 3 % 5], i])
    ppdt_db.anonymize(
        con, "t", quasi=["a"], sensitive=["w"], keep=["rid"], method=Mondrian(k=4, l=2), into="o"
    )
    own = dict(con.execute("SELECT rid, a FROM t").fetchall())
    for (label,), members in classes(read(con, "o", ["a", "rid"]), 1).items():
        assert {own[rid] for (rid,) in members} == set(label)
    assert bag(con, "o", ["rid", "w"]) == bag(con, "t", ["rid", "w"])


def test_a_columns_collation_changes_no_measure() -> None:
    found = []
    for collation in ("", "COLLATE NOCASE"):
        with duckdb.connect() as con:
            con.execute(f"CREATE TABLE t (a VARCHAR {collation})")
            con.execute(
                "INSERT INTO t SELECT ['a', 'A', 'b', 'B'][1 + i % 4] FROM range(20) AS r (i)"
            )
            release = ppdt_db.anonymize(con, "t", quasi=["a"], method=Mondrian(k=6), into="o")
            found.append(release.certificate["gcp"])
    assert found == [0.5, 0.5]


def test_the_row_order_says_nothing_of_the_source(tmp_path: Path) -> None:
    """Also where values are equal to DuckDB and yet not the same, as with a collation or -0.0."""
    found = []
    for order in ("ASC", "DESC"):
        with duckdb.connect() as con:
            con.execute("CREATE TABLE t (a INTEGER, w VARCHAR COLLATE NOCASE, z DOUBLE)")
            con.execute(
                "INSERT INTO t SELECT 1, CASE WHEN hash(i) % 2 = 0 THEN 'x' ELSE 'X' END, "
                "CASE WHEN hash(i + 7) % 2 = 0 THEN -0.0 ELSE 0.0 END "
                f"FROM range(200) AS r (i) ORDER BY i {order}"
            )
            path = tmp_path / f"{order}.parquet"
            ppdt_db.anonymize(
                con, "t", quasi=["a"], keep="rest", method=Mondrian(k=5), out=path, seed=1
            )
            rows = con.execute(f"FROM read_parquet('{path}', file_row_number = true)").fetchall()
            found.append(sorted(map(repr, rows)))
    assert found[0] == found[1]
