"""A second release of the same people is noticed by its rows, whatever its source is called."""

from pathlib import Path

import duckdb
import pytest
from support import PATIENTS, anonymize_patients, make_database, mostly_slow, ppdt

import ppdt_db
from ppdt_db import Mondrian, RequestError
from ppdt_db.release.earlier import SIZE

EARLIER = "were released before"


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(PATIENTS)
        yield connection


def told(release: ppdt_db.Release) -> str:
    """The warning of earlier releases, or nothing."""
    return " ".join(warning for warning in release.warnings if EARLIER in warning)


def named(release: ppdt_db.Release) -> list:
    names = release.certificate["earlier_releases_of_this_source"]
    shares = release.certificate["earlier_releases_shared_rows"]
    return list(zip(names, shares, strict=True))  # type: ignore[call-overload]


SAME = {
    "another name": ("CREATE TABLE p AS FROM patients", 1.0),
    "one more row": (
        "CREATE TABLE p AS FROM patients UNION ALL "
        "SELECT * REPLACE ('new' AS name) FROM patients WHERE number = 3", 1.0,
    ),
    "a row less": ("CREATE TABLE p AS FROM patients WHERE number > 0", 1.0),
    "other rows changed": (
        "CREATE TABLE p AS SELECT * REPLACE (CASE WHEN number < 50 THEN 'x' ELSE name END AS name) "
        "FROM patients", 0.75,
    ),
    "another order": ("CREATE TABLE p AS FROM patients ORDER BY hash(number)", 1.0),
    "columns in another order": (
        "CREATE TABLE p AS SELECT number, diagnosis, zip, * EXCLUDE (number, diagnosis, zip) "
        "FROM patients", 1.0,
    ),
    "names in another case": (
        "CREATE TABLE p AS SELECT age AS AGE, * EXCLUDE (age) FROM patients", 1.0,
    ),
    "a view": ("CREATE VIEW p AS FROM patients WHERE number % 2 = 0", 1.0),
}  # fmt: skip


@pytest.mark.parametrize("case", mostly_slow(SAME, *list(SAME)[::4]))
def test_the_same_rows_are_noticed(con: duckdb.DuckDBPyConnection, case: str) -> None:
    statement, share = SAME[case]
    con.execute(statement)
    assert told(anonymize_patients(con, into="a")) == ""
    second = anonymize_patients(con, "p", into="b")
    assert named(second) == [("a", share)]
    assert "a: " in told(second) and "--accept several-releases" in told(second)


def test_frames_are_told_apart_by_their_rows(con: duckdb.DuckDBPyConnection) -> None:
    read = [
        con.sql(query).to_arrow_table()
        for query in (
            "FROM patients",
            "SELECT * REPLACE (name || ' of another' AS name) FROM patients",
            "FROM patients UNION ALL FROM patients WHERE number < 9",
        )
    ]
    assert told(anonymize_patients(con, read[0], into="a")) == ""
    unrelated = anonymize_patients(con, read[1], into="b")
    assert told(unrelated) == "" and named(unrelated) == []
    assert named(anonymize_patients(con, read[2], into="c")) == [("a", 1.0)]


def test_a_source_can_be_given_a_name(con: duckdb.DuckDBPyConnection) -> None:
    made = anonymize_patients(con, con.sql("FROM patients"), into="a", source_name="hospital")
    assert made.certificate["source"] == "hospital"
    other = con.sql("SELECT * REPLACE (name || ' of another' AS name) FROM patients")
    assert named(anonymize_patients(con, other, into="b", source_name="clinic")) == []
    third = con.sql("SELECT * REPLACE (name || ' and more' AS name) FROM patients")
    again = anonymize_patients(con, third, into="c", source_name="hospital")
    assert named(again) == [("a", None)] and "a source of the same name" in told(again)
    for name in ("", "  ", 7):
        with pytest.raises(RequestError, match="source_name"):
            anonymize_patients(con, third, into="d", source_name=name)


def test_a_nightly_job_accepts_it_by_name(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "clinic.duckdb")
    args = ("anonymize", "patients", "--db", clinic, "--id", "name,number", "--qi", "age,sex,zip",
            "--sensitive", "diagnosis", "--keep", "rest", "--k", 5)  # fmt: skip
    assert EARLIER not in ppdt(*args, "--into", "monday").err
    assert EARLIER in ppdt(*args, "--into", "tuesday").err
    ended = ppdt(*args, "--into", "wednesday", "--accept", "several-releases", "--json")
    assert ended.code == 0 and EARLIER not in ended.err
    assert ended.json["earlier_releases_of_this_source"] == ["tuesday", "monday"]
    assert any("accepted: several-releases" in note for note in ended.json["notes"])


@pytest.mark.slow
def test_a_part_of_a_large_source_is_noticed(con: duckdb.DuckDBPyConnection) -> None:
    """Whichever of the two comes first, and none that shares nothing."""
    con.execute(
        "CREATE TABLE large AS "
        "SELECT i AS person, i % 71 AS age, i % 2 AS sex FROM range(300000) r (i);"
        "CREATE TABLE part AS FROM large WHERE person % 50 = 7;"
        "CREATE TABLE others AS SELECT person + 300000 AS person, age, sex FROM large"
    )
    asked: dict = {"quasi": ["age", "sex"], "identifiers": ["person"], "method": Mondrian(k=5)}
    assert named(ppdt_db.anonymize(con, "large", into="a", **asked)) == []
    assert named(ppdt_db.anonymize(con, "part", into="b", **asked)) == [("a", 1.0)]
    assert named(ppdt_db.anonymize(con, "others", into="c", **asked)) == []
    again = ppdt_db.anonymize(con, "large", into="d", **asked)
    assert named(again) == [("b", 1.0), ("a", 1.0)]


def test_the_sample_is_private_and_small(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE large AS SELECT i AS person, i % 71 AS age FROM range(20000) r (i)")
    asked: dict = {"quasi": ["age"], "identifiers": ["person"], "method": Mondrian(k=5)}
    made = ppdt_db.anonymize(con, "large", into="a", **asked)
    digests = {
        str(row[0]) for row in con.execute("SELECT row_digest FROM ppdt.source_row").fetchall()
    }
    assert len(digests) == SIZE and not any(digest in str(made.certificate) for digest in digests)
    with duckdb.connect() as other:
        other.execute(
            "CREATE TABLE large AS SELECT i AS person, i % 71 AS age FROM range(20000) r (i)"
        )
        ppdt_db.anonymize(other, "large", into="a", **asked)
        found = other.execute("SELECT row_digest FROM ppdt.source_row").fetchall()
        assert not digests & {str(row[0]) for row in found}, "another catalog has another key"


def test_without_a_catalog_nothing_is_noticed(tmp_path: Path) -> None:
    """From file to file nothing is kept; README says so."""
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        con.execute(f"COPY patients TO '{tmp_path / 'p.parquet'}'")
    for name in ("a", "b"):
        args = ("--id", "name", "--qi", "age,sex,zip", "--keep", "rest", "--k", 5, "--json")
        ended = ppdt(
            "anonymize", tmp_path / "p.parquet", *args, "--out", tmp_path / f"{name}.parquet"
        )
        assert ended.code == 0 and ended.json["earlier_releases_of_this_source"] == []


def test_an_older_catalog_is_migrated_first(con: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(con, into="a")
    con.execute("DROP TABLE ppdt.source_row; DELETE FROM ppdt.migration WHERE number = 4")
    with pytest.raises(RequestError, match="missing migrations: 0004_source_row"):
        anonymize_patients(con, into="b")
    assert [entry.name for entry in ppdt_db.releases(con)] == ["a"]
    assert ppdt_db.migrate(con) == ["0004_source_row"]
    # Of a release before there is no sample: its name and its fingerprint are what is known.
    con.execute("CREATE TABLE p AS FROM patients WHERE number > 3")
    assert named(anonymize_patients(con, "p", into="b")) == []
    assert [name for name, _ in named(anonymize_patients(con, into="c"))] == ["b", "a"]
