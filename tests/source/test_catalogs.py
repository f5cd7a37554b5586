"""Databases that are not DuckDB's: read where that is natural, refused by name where it is not."""

import os
import sqlite3
from pathlib import Path

import duckdb
import pytest
from support import (
    FLAGS,
    PATIENTS,
    anonymize_patients,
    make_database,
    mostly_slow,
    ppdt,
    read,
    smallest,
)

import ppdt_db
from ppdt_db import RequestError


def loaded(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """An extension of DuckDB's, from where PPDT_EXTENSIONS says or as it is installed."""
    folder = os.environ.get("PPDT_EXTENSIONS")
    found = sorted(Path(folder).rglob(f"{name}*.duckdb_extension")) if folder else []
    try:
        con.execute(f"LOAD '{found[0]}'" if found else f"LOAD {name}")
    except duckdb.Error:
        pytest.skip(f"DuckDB's extension {name} is not installed here (PPDT_EXTENSIONS=FOLDER)")


def foreign(con: duckdb.DuckDBPyConnection, kind: str, folder: Path) -> None:
    """The patients in a database of another kind, which is the current one."""
    if kind == "sqlite":
        loaded(con, "sqlite_scanner")
        con.execute(f"ATTACH '{folder}/s.sqlite' AS other (TYPE sqlite)")
    else:
        loaded(con, "ducklake")
        con.execute(f"ATTACH 'ducklake:{folder}/l.meta' AS other (DATA_PATH '{folder}/data')")
    con.execute("USE other")
    con.execute(PATIENTS)


@pytest.mark.parametrize("kind", mostly_slow(["sqlite", "ducklake"], "sqlite"))
def test_a_source_in_a_foreign_database_goes_to_a_file(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    foreign(con, kind, tmp_path)
    for source, out in (
        ("patients", "a.parquet"),
        ("other.patients", "b.csv"),
        ("patients", "c.duckdb"),
    ):
        release = anonymize_patients(con, source, out=tmp_path / out)
        assert release.certificate["source"] == "other.main.patients"
        assert any("is one of" in warning for warning in release.warnings)
    assert smallest(con, f"'{tmp_path}/a.parquet'", ["age", "sex", "zip"]) >= 5
    assert ppdt_db.profile(con, "patients").n_rows == 200
    assert ppdt_db.audit(con, "patients", quasi=["sex"]).measures["rows"] == 200
    assert con.execute("SELECT current_database()").fetchall() == [("other",)]
    assert ppdt_db.releases(con) == []


@pytest.mark.parametrize("kind", mostly_slow(["sqlite", "ducklake"], "ducklake"))
def test_a_release_does_not_go_into_a_foreign_database(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
) -> None:
    foreign(con, kind, tmp_path)
    before = con.execute("SHOW ALL TABLES").fetchall()
    for into in ("rel", "main.rel", "other.rel", "other.main.rel"):
        with pytest.raises(RequestError, match=f"is a {kind} database"):
            anonymize_patients(con, into=into)
    assert con.execute("SHOW ALL TABLES").fetchall() == before
    anonymize_patients(con, into="memory.main.rel")
    assert len(read(con, "memory.main.rel")) == 200
    assert con.execute("SELECT current_database()").fetchall() == [("other",)]
    ppdt_db.drop(con, "memory.main.rel")
    with pytest.raises(RequestError):
        ppdt_db.drop(con, "rel")
    with pytest.raises(RequestError, match="is a "):
        ppdt_db.migrate(con)


@pytest.mark.parametrize("kind", ["csv", "parquet", "sqlite", "text", "tiny"])
def test_what_is_no_duckdb_file_is_refused_as_db(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        if kind in ("csv", "parquet"):
            con.execute(f"COPY patients TO '{path}'")
    if kind == "sqlite":
        with sqlite3.connect(path) as made:
            made.execute("CREATE TABLE patients (age INTEGER)")
    elif kind in ("text", "tiny"):
        path.write_text("hello world, no database" if kind == "text" else "x")
    before = path.read_bytes()
    clinic = make_database(tmp_path / "clinic.duckdb")
    for command in (
        ["anonymize", "patients", *FLAGS, "--into", "rel"],
        ["anonymize", "x", *FLAGS, "--out", tmp_path / "rel.parquet"],
        ["profile", "patients"], ["releases"], ["drop", "rel"], ["migrate"],
        ["audit", "patients", "--qi", "age"],
    ):  # fmt: skip
        ended = ppdt(*command, "--db", path)
        assert (ended.code, ended.out) == (2, ""), (command, ended)
        assert "not a DuckDB database" in ended.err
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, clinic.name])
