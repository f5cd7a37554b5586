"""What a release tells although it keeps its promise: named in the certificate, warned of."""

import hashlib
import hmac
from pathlib import Path

import duckdb
import pytest
from support import PATIENTS, anonymize_patients, every, make_database, objects, ppdt, read

import ppdt_db
from ppdt_db import GuaranteeError, Mdav, Microaggregate, Mondrian, RequestError

KEY = "sixteen bytes at least"


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(PATIENTS)
    return con


def named(made: ppdt_db.Release) -> set[str]:
    """The lints of a release; each warning that they give is one of the release's."""
    lints = made.certificate["lints"]
    assert isinstance(lints, list)
    assert {"name", "says", "columns", "measured"} == {*lints[0]} if lints else True
    return {lint["name"] for lint in lints}


# -- few rows in a class --


@pytest.mark.parametrize(("method", "is_small"), every(2, [
    (Mondrian(k=2, l=2), True), (Mondrian(k=4, t=0.9), True), (Mondrian(k=4, entropy=1.1), True),
    (Mondrian(k=5, l=2), False), (Mondrian(k=2), False),
]), ids=str)  # fmt: skip
def test_diversity_of_small_classes(
    con: duckdb.DuckDBPyConnection, method: Mondrian, is_small: bool
) -> None:
    made = anonymize_patients(con, method=method)
    assert ("small-k-with-diversity" in named(made)) == is_small
    assert any("--k 5" in text for text in made.warnings) == is_small


def test_means_and_tight_ranges_are_named(con: duckdb.DuckDBPyConnection) -> None:
    ranges = anonymize_patients(con, into="ranges")
    assert "tight-labels" in named(ranges) and "means-can-be-solved" not in named(ranges)
    means = anonymize_patients(con, into="means", method=Microaggregate(k=5, part_rows=50))
    assert "means-can-be-solved" in named(means) and "tight-labels" not in named(means)
    assert any('"age", "zip"' in text and "k - 1" in text for text in means.warnings)


# -- sums of squares that could be solved --


@pytest.mark.parametrize(("n_rows", "k", "is_told"), [
    (2, 2, False),  # one class of two: mean and SSE are two equations for two values
    (4, 2, False), (5, 5, False), (6, 3, False), (9, 3, True), (200, 3, True), (200, 2, False),
])  # fmt: skip
def test_squares_are_told_where_no_class_is_solved(
    con: duckdb.DuckDBPyConnection, n_rows: int, k: int, is_told: bool
) -> None:
    con.execute(f"CREATE TABLE t AS SELECT i * i AS a FROM range({n_rows}) AS r (i)")
    made = ppdt_db.anonymize(con, "t", quasi=["a"], method=Mdav(k=k), into="o")
    for name in ("sse", "sst", "il"):
        assert (made.certificate[name] is not None) == is_told
        assert made.figures[name] is not None
    assert ("sse-left-out" in named(made)) != is_told


# -- everything lost --


def test_a_release_that_loses_everything_is_no_silent_success(tmp_path: Path) -> None:
    rare = "UPDATE patients SET diagnosis = CASE WHEN number < 3 THEN 'rare' ELSE 'flu' END"
    path = make_database(tmp_path / "clinic.duckdb", PATIENTS, rare)
    asked = ["anonymize", "patients", "--db", path, "--id", "name,number", "--qi", "age,sex,zip",
             "--sensitive", "diagnosis", "--keep", "rest", "--t", "0.00001",
             "--into", "o"]  # fmt: skip
    ended = ppdt(*asked, "--max-loss", "0.8")
    assert ended.code == 3 and "gcp <= 0.8  (measured 1)" in ended.err and "--max-loss" in ended.err
    with duckdb.connect(str(path)) as con:
        assert {name for _, name, _ in objects(con)} == {"patients"}
    ended = ppdt(*asked)
    assert ended.code == 0 and "all of their information is lost" in ended.err
    assert "a larger --t" in ended.err and "--max-loss" in ended.err


def test_a_bound_on_the_loss_holds_for_what_is_released(con: duckdb.DuckDBPyConnection) -> None:
    lost = float(str(anonymize_patients(con).certificate["gcp"]))
    with pytest.raises(GuaranteeError, match="gcp"):
        anonymize_patients(con, replace=True, max_loss=lost - 0.01)
    made = anonymize_patients(con, replace=True, max_loss=lost)
    findings = made.certificate["findings"]
    assert isinstance(findings, list) and "gcp" in {finding["name"] for finding in findings}


# -- pseudonyms --

PEOPLE = """
    CREATE TABLE people AS
    SELECT i AS patient, (i + 1) % 40 AS referrer, CAST(i AS VARCHAR) AS "Pat", 20 + i % 4 AS age
    FROM range(40) AS r (i)
"""
NAMES = ["patient", "referrer", "Pat"]


def pseudonyms(con: duckdb.DuckDBPyConnection, into: str, **options: object) -> dict[str, set]:
    made = ppdt_db.anonymize(
        con, "people", quasi=["age"], pseudonymize=NAMES, pseudonym_key=KEY, into=into,
        method=Mondrian(k=5), **options,
    )  # fmt: skip
    shown = {name: {value for (value,) in read(con, into, [name])} for name in NAMES}
    return {**shown, "lints": named(made)}


def test_columns_have_pseudonyms_of_their_own_unless_linked(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PEOPLE)
    apart = pseudonyms(con, "apart")
    assert all(len(apart[name]) == 40 for name in NAMES)
    assert len(set.union(*(apart[name] for name in NAMES))) == 120
    assert "pseudonyms-linked" not in apart["lints"]
    linked = pseudonyms(con, "linked", link_pseudonyms=True)
    expected = {
        hmac.new(KEY.encode(), str(i).encode(), hashlib.sha256).hexdigest() for i in range(40)
    }
    assert linked["patient"] == linked["referrer"] == linked["Pat"] == expected
    assert "pseudonyms-linked" in linked["lints"]


def test_what_is_missing_has_no_pseudonym(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PEOPLE)
    con.execute("UPDATE people SET referrer = NULL WHERE patient < 7")
    pseudonyms(con, "apart")
    assert [value for (value,) in read(con, "apart", ["referrer"])].count(None) == 7


def test_one_column_cannot_be_taken_for_another(con: duckdb.DuckDBPyConnection) -> None:
    # Names and values that run together to the same text.
    con.execute(
        "CREATE TABLE tricky AS SELECT '1:b:x' AS \"a\", 'x' AS \"a:1:b\", i % 2 AS q "
        "FROM range(10) AS r (i)"
    )
    ppdt_db.anonymize(
        con, "tricky", quasi=["q"], pseudonymize=["a", "a:1:b"], pseudonym_key=KEY, into="o",
        method=Mondrian(k=2),
    )  # fmt: skip
    ((one, other),) = {*read(con, "o", ["a", "a:1:b"])}
    assert one != other


@pytest.mark.parametrize("key", ["a", "fifteen bytes .", "äöüäöüä"])
def test_a_short_key_is_refused(con: duckdb.DuckDBPyConnection, key: str) -> None:
    con.execute(PEOPLE)
    with pytest.raises(RequestError, match=r"16 bytes(.|\n)*openssl rand") as found:
        ppdt_db.anonymize(
            con, "people", quasi=["age"], pseudonymize=NAMES, pseudonym_key=key, into="o"
        )
    assert key not in str(found.value) or len(key) == 1


def test_a_short_key_in_a_file_is_refused(tmp_path: Path) -> None:
    path, key = make_database(tmp_path / "clinic.duckdb"), tmp_path / "key"
    key.write_text("swordfish\n")
    ended = ppdt(
        "anonymize", "patients", "--db", path, "--qi", "age,sex,zip", "--pseudonymize", "name",
        "--keep", "rest", "--pseudonym-key-file", key, "--into", "o",
    )  # fmt: skip
    assert ended.code == 2 and "16 bytes" in ended.err and "swordfish" not in ended.err
    key.write_text("sixteen bytes...\n")
