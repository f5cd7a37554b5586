"""What is not generalized goes out as it came in, and is known again whatever the session."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import duckdb
import pytest

import ppdt_db
from ppdt_db.engine import DuckEngine
from ppdt_db.release import recode
from ppdt_db.release.arrange import ReleaseInputs
from ppdt_db.sqltext.quoting import Sql

VISITS = (
    "SELECT i % 5 AS age, TIMESTAMPTZ '2026-01-01 00:00:00+00' + INTERVAL 1 HOUR * i AS seen, "
    "i AS note FROM range(60) AS r (i)"
)


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(f"CREATE TABLE visits AS {VISITS}")
    return con


def release(con: duckdb.DuckDBPyConnection, name: str, **wishes: object) -> ppdt_db.Release:
    method = ppdt_db.Mondrian(k=5)
    return ppdt_db.anonymize(
        con, "visits", quasi=["age"], keep="rest", into=name, **{"method": method, **wishes}
    )


def test_fingerprints_do_not_depend_on_the_time_zone(con: duckdb.DuckDBPyConnection) -> None:
    found = set()
    for zone in ("UTC", "Asia/Tokyo", "America/New_York"):
        con.execute(f"SET TimeZone = '{zone}'")
        made = release(con, "o", replace=True).certificate
        found.add((made["source_fingerprint"], made["release_fingerprint"]))
    assert len(found) == 1


NESTED = {
    "list": "[seen, NULL]",
    "array": "array_value(seen, seen)",
    "struct": "{'at': seen, 'note': note}",
    "map": "MAP {note: seen}",
    "keys": "MAP {seen: note}",
    "union": "CAST(union_value(day := seen) AS UNION(day TIMESTAMPTZ, word VARCHAR))",
    "deep": "[{'at': MAP {'x': [seen]}}]",
}


@pytest.mark.parametrize("form", NESTED.values(), ids=NESTED)
def test_fingerprints_do_not_depend_on_the_time_zone_of_what_is_nested(form: str) -> None:
    found = set()
    for zone in ("UTC", "Asia/Tokyo", "America/New_York"):
        with duckdb.connect() as con:
            con.execute(f"SET TimeZone = '{zone}'")
            visits = f"SELECT age, {form} AS nested FROM ({VISITS})"
            found.add(fingerprint(con, f"({visits})"))
    assert len(found) == 1
    with duckdb.connect() as con:
        later = visits.replace("1 HOUR", "2 HOUR")
        assert fingerprint(con, f"({later})") not in found


def fingerprint(con: duckdb.DuckDBPyConnection, relation: str) -> object:
    columns = {row[0]: row[1] for row in con.execute(f"DESCRIBE FROM {relation}").fetchall()}
    names = {"relation": Sql(relation), "columns": columns}
    return DuckEngine(con).row("encode/fingerprint", {"digest_key": "key"}, names)


def test_draws_do_not_depend_on_the_time_zone(con: duckdb.DuckDBPyConnection) -> None:
    method = ppdt_db.Mondrian(k=5, relaxed=True)
    found = []
    for zone in ("UTC", "Asia/Tokyo"):
        con.execute(f"SET TimeZone = '{zone}'")
        release(con, "o", replace=True, method=method, seed=3)
        found.append(con.execute("SELECT age, note FROM o ORDER BY ALL").fetchall())
    assert found[0] == found[1]


def test_one_changed_cell_is_found(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = recode.make_snapshot

    def changed(
        engine: DuckEngine, parts: ReleaseInputs, database: str, run_id: int
    ) -> recode.StagedRelease:
        hidden = make(engine, parts, database, run_id)
        engine.con.execute(f"UPDATE ppdt.snapshot_{run_id} SET note = 99 WHERE note = 7")
        return hidden

    monkeypatch.setattr(recode, "make_snapshot", changed)
    with pytest.raises(ppdt_db.GuaranteeError, match="columns kept"):
        release(con, "o")


def test_every_place_conserves(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    def passed(made: Mapping[str, object]) -> bool:
        findings = made["findings"]
        assert isinstance(findings, list)
        return {f["name"]: f["passed"] for f in findings}["columns kept"]

    assert passed(release(con, "o").certificate)
    assert passed(
        release(con, "v", live=True, accept=["state-by-state", "reader-side-channels"]).certificate
    )
    for name in ("o.parquet", "o.duckdb"):
        made = ppdt_db.anonymize(
            con, "visits", quasi=["age"], keep="rest", out=tmp_path / name,
            method=ppdt_db.Mondrian(k=5),
        )  # fmt: skip
        assert passed(made.certificate)


def test_a_live_view_tells_no_value_by_an_enums_type(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TYPE mood AS ENUM ('calm', 'Zebedee', 'glad')")
    con.execute(
        "CREATE TABLE moods AS SELECT ['calm', 'glad'][1 + i % 2]::mood AS mood, i % 3 AS age "
        "FROM range(40) AS r (i)"
    )
    log = StringIO()
    ppdt_db.anonymize(
        con, "moods", quasi=["mood", "age"], method=ppdt_db.Mondrian(k=4), into="v", live=True,
        accept=["state-by-state", "reader-side-channels"], sql_log=log,
    )  # fmt: skip
    views = con.execute("SELECT sql FROM duckdb_views() WHERE NOT internal").fetchall()
    assert "Zebedee" not in log.getvalue() + "".join(text for (text,) in views)
    assert con.execute("SELECT count(*) FROM v").fetchone() == (40,)
    con.execute("ALTER TABLE moods ALTER COLUMN mood TYPE VARCHAR")
    assert con.execute("SELECT count(*) FROM v").fetchone() == (0,)
