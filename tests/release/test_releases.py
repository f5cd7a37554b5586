"""Releases: where they go, what becomes of them, what they are made from."""

import json
import re
from pathlib import Path

import duckdb
import pytest
from support import (
    FLAGS,
    PATIENTS,
    anonymize_patients,
    bag,
    make_database,
    mostly_slow,
    objects,
    ppdt,
    read,
    smallest,
    temporaries,
)

import ppdt_db
from ppdt_db import Mondrian, RequestError
from ppdt_db.sqltext.json_text import as_json

QUASI = ["age", "sex", "zip"]
LIVE = {"live": True, "accept": ["state-by-state", "reader-side-channels"]}
MODERN = int(duckdb.__version__.partition(".")[0]) >= 2


@pytest.fixture(autouse=True)
def patients(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)


# -- inside the database --


def test_a_snapshot_is_a_view_and_keeps_its_rows(con: duckdb.DuckDBPyConnection) -> None:
    release = anonymize_patients(con)
    before = read(con, "patients_k5")
    con.execute("DELETE FROM patients")
    assert read(con, "patients_k5") == before and len(before) == 200
    assert release.name == "patients_k5" and release.form == "snapshot"
    assert ("patients_k5",) in con.execute("SELECT view_name FROM duckdb_views()").fetchall()


def test_nothing_else_of_ours_stands_outside_our_schema(con: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(con)
    anonymize_patients(con, into="seen", **LIVE)
    outside = {name for schema, name, _ in objects(con) if schema != "ppdt"}
    assert outside == {"patients", "patients_k5", "seen"}
    assert temporaries(con) == []


def test_a_release_in_a_schema(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE SCHEMA out")
    anonymize_patients(con, into="out.safe")
    assert smallest(con, "out.safe", QUASI) >= 5
    ppdt_db.drop(con, "out.safe")
    assert "safe" not in {name for _, name, _ in objects(con)}


@pytest.mark.parametrize("first", mostly_slow([{}, LIVE], LIVE), ids=["snapshot", "live"])
@pytest.mark.parametrize("second", mostly_slow([{}, LIVE], {}), ids=["snapshot", "live"])
def test_replacing_leaves_one_release(
    con: duckdb.DuckDBPyConnection, first: dict, second: dict
) -> None:
    anonymize_patients(con, **first)
    with pytest.raises(RequestError, match="--replace"):
        anonymize_patients(con, **second)
    anonymize_patients(con, method=Mondrian(k=9), replace=True, **second)
    assert smallest(con, "patients_k5", QUASI) >= 9
    assert [entry.stands for entry in ppdt_db.releases(con)] == [True, False]
    names = {name for _, name, _ in objects(con)}
    assert not any(re.match(r"(snapshot|live)_1(_|$)", name) for name in names)


def test_replacing_what_is_not_there_makes_it(con: duckdb.DuckDBPyConnection) -> None:
    for _ in range(3):
        anonymize_patients(con, replace=True, seed=1)
    assert [entry.stands for entry in ppdt_db.releases(con)] == [True, False, False]


def test_a_second_release_warns_and_names_the_first(con: duckdb.DuckDBPyConnection) -> None:
    dropped = {"identifiers": ["name", "number"]}
    assert anonymize_patients(con, **dropped).warnings == []
    second = anonymize_patients(con, into="again", method=Mondrian(k=7), **dropped)
    assert "patients_k5" in second.warnings[-1]
    assert second.certificate["earlier_releases_of_this_source"] == ["patients_k5"]


def test_listing_and_dropping(con: duckdb.DuckDBPyConnection) -> None:
    assert ppdt_db.releases(con) == []
    anonymize_patients(con)
    anonymize_patients(con, into="seen", **LIVE)
    assert [(e.name, e.form, e.stands) for e in ppdt_db.releases(con)] == [
        ("seen", "live", True), ("patients_k5", "snapshot", True),
    ]  # fmt: skip
    with pytest.raises(RequestError, match='"seen"'):
        ppdt_db.drop(con, "sen")
    for name in ("seen", "patients_k5"):
        ppdt_db.drop(con, name)
    assert not any(entry.stands for entry in ppdt_db.releases(con))
    kept = {name for schema, name, _ in objects(con)}
    assert kept == {
        "patients",
        "class",
        "finding",
        "migration",
        "release",
        "run",
        "secret",
        "source_row",
    }
    with pytest.raises(RequestError, match="no release"):
        ppdt_db.drop(con, "seen")


def test_the_catalog_holds_what_was_measured(con: duckdb.DuckDBPyConnection) -> None:
    certificate = anonymize_patients(con).certificate
    (stored,) = con.execute("SELECT certificate FROM ppdt.release").fetchone() or ("",)
    assert json.loads(stored) == json.loads(as_json(certificate))
    sizes = con.execute("SELECT n_rows, n_classes FROM ppdt.class ORDER BY ALL").fetchall()
    counted: dict[int, int] = {}
    for n_rows in bag(con, "patients_k5", QUASI).values():
        counted[n_rows] = counted.get(n_rows, 0) + 1
    assert dict(sizes) == counted
    found = con.execute("SELECT name, is_passed FROM ppdt.finding").fetchall()
    assert dict(found) == {"k": True, "rows": True, "columns kept": True}


def test_migrations_are_checked(con: duckdb.DuckDBPyConnection) -> None:
    assert ppdt_db.migrate(con) == ["0001_catalog", "0002_audit", "0003_models", "0004_source_row"]
    assert ppdt_db.migrate(con) == []
    con.execute("UPDATE ppdt.migration SET checksum = 'other'")
    with pytest.raises(ppdt_db.EngineError, match="differs"):
        anonymize_patients(con)
    con.execute("DELETE FROM ppdt.migration")
    with pytest.raises(RequestError, match="ppdt migrate"):
        anonymize_patients(con)


def test_the_callers_transaction_stays_the_callers(con: duckdb.DuckDBPyConnection) -> None:
    con.begin()
    con.execute("DELETE FROM patients WHERE number >= 150")
    anonymize_patients(con)
    assert len(read(con, "patients_k5")) == 150
    con.rollback()
    assert {name for _, name, _ in objects(con)} == {"patients"}
    assert len(read(con, "patients")) == 200
    con.begin()
    anonymize_patients(con)
    con.commit()
    assert len(read(con, "patients_k5")) == 200


def test_the_callers_settings_and_tables_are_as_before(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TEMP TABLE mine AS SELECT 1 AS one")
    con.execute("SET threads = 1; SET default_null_order = 'nulls_first'")
    settings = "SELECT name, value FROM duckdb_settings() ORDER BY ALL"
    for preserve in (True, False):
        con.execute(f"SET preserve_insertion_order = {preserve}")
        before = con.execute(settings).fetchall()
        anonymize_patients(con, replace=True)
        with pytest.raises(RequestError):
            anonymize_patients(con, quasi=["nothing"])
        assert con.execute(settings).fetchall() == before
    assert con.execute("FROM mine").fetchall() == [(1,)]
    assert temporaries(con) == []


# -- files --


@pytest.mark.parametrize("ending", mostly_slow(["parquet", "csv", "duckdb"], "duckdb"))
def test_a_file_holds_the_release_alone(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, ending: str
) -> None:
    out = tmp_path / f"safe.{ending}"
    release = anonymize_patients(con, out=out, seed=1)
    assert [path.name for path in tmp_path.iterdir()] == [f"safe.{ending}"]
    assert release.form == "file" and release.certificate["rows_out"] == 200
    anonymize_patients(con, into="kept", seed=1)
    columns = [c for c, *_ in con.execute("DESCRIBE kept").fetchall()]
    if ending == "duckdb":
        with duckdb.connect(str(out), read_only=True) as other:
            assert [name for _, name, _ in objects(other)] == ["safe"]
            assert bag(other, "safe") == bag(con, "kept")
        return
    found = f"read_{ending}('{out}'" + (", all_varchar = true)" if ending == "csv" else ")")
    assert [c for c, *_ in con.execute(f"DESCRIBE FROM {found}").fetchall()] == columns
    if ending == "parquet":
        assert bag(con, found) == bag(con, "kept")
    else:
        text = [*(c for c in columns if c != "sex"), "sex"]
        shown = (
            "(SELECT COLUMNS(*)::VARCHAR FROM (SELECT * REPLACE (to_json(sex) AS sex) FROM kept))"
        )
        assert bag(con, found, text) == bag(con, shown, text)


@pytest.mark.parametrize("ending", ["parquet", "csv", "duckdb"])
def test_an_existing_file_needs_replace(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, ending: str
) -> None:
    out = tmp_path / f"safe.{ending}"
    out.write_text("mine")
    with pytest.raises(RequestError, match="--replace"):
        anonymize_patients(con, out=out)
    assert out.read_text() == "mine"
    anonymize_patients(con, out=out, replace=True)
    assert out.read_bytes() != b"mine"


def test_csv_keeps_null_and_empty_text_apart_in_the_audit(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("CREATE TABLE t AS SELECT CASE WHEN i % 2 = 0 THEN '' END AS a FROM range(20) r(i)")
    release = ppdt_db.anonymize(con, "t", quasi=["a"], method=Mondrian(k=5), out=tmp_path / "o.csv")
    assert release.certificate["k_measured"] >= 5
    assert release.certificate["rows_out"] == 20


def test_a_files_release_is_on_record_in_a_database_that_stays(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    assert (
        ppdt("anonymize", "patients", "--db", path, *FLAGS, "--out", tmp_path / "a.csv").code == 0
    )
    with duckdb.connect(str(path)) as con:
        assert [(e.name, e.form) for e in ppdt_db.releases(con)] == [("a.csv", "file")]


# -- the file that was there before --


def storage_of(path: Path) -> str:
    with duckdb.connect(str(path), read_only=True) as con:
        row = con.execute(
            "SELECT tags['storage_version'] FROM duckdb_databases() WHERE path IS NOT NULL"
        ).fetchone()
        return str(row[0]) if row else ""


@pytest.mark.parametrize("live", [False, True])
def test_an_old_file_keeps_its_storage_version(tmp_path: Path, live: bool) -> None:
    path = tmp_path / "old.duckdb"
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{path}' AS old (STORAGE_VERSION 'v1.0.0')")
        con.execute("USE old")
        con.execute(PATIENTS)
        con.execute("USE memory")
        con.execute("DETACH old")
    before, header = storage_of(path), path.read_bytes()[:20][12:]
    more = ["--live", "--accept", "state-by-state,reader-side-channels"] if live else []
    ended = ppdt("anonymize", "patients", "--db", path, *FLAGS, "--into", "safe", *more)
    assert ended.code == 0, ended.err
    assert storage_of(path) == before and path.read_bytes()[:20][12:] == header
    with duckdb.connect(str(path)) as con:
        assert smallest(con, "safe", QUASI) >= 5
        (text,) = con.execute(
            "SELECT sql FROM duckdb_views() WHERE view_name = 'safe'"
        ).fetchone() or ("",)
        assert "SECURE" not in text


@pytest.mark.skipif(not MODERN, reason="secure views came with DuckDB 2")
def test_a_live_view_is_secure_where_it_can_be(con: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(con, into="seen", **LIVE)
    (text,) = (
        con.execute("SELECT sql FROM duckdb_views() WHERE view_name = 'seen'").fetchone() or ""
    )
    assert "SECURE" in text
