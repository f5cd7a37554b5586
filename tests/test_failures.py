"""What goes wrong on the way: a failed audit, a full disk, and no value is ever told."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from support import (
    FLAGS,
    PATIENTS,
    SECRET,
    anonymize_patients,
    faults,
    mostly_slow,
    objects,
    ppdt,
    ppdt_process,
    temporaries,
)

import ppdt_db
from ppdt_db import GuaranteeError, Mondrian

INTO = ["--into", "safe"]


def break_mondrian(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the method put one cell into a class of its own."""
    label = Mondrian.label

    def broken(self: Mondrian, task: object, formed: object) -> object:
        labels = label(self, task, formed)  # type: ignore[arg-type]
        con = task.engine.con  # type: ignore[attr-defined]
        con.execute(
            "INSERT INTO ppdt_label SELECT * REPLACE (9999 AS class_id, 'lone' AS q0) "
            "FROM ppdt_label LIMIT 1"
        )
        con.execute(
            "UPDATE ppdt_member SET class_id = 9999 "
            "WHERE cell_id = (SELECT min(cell_id) FROM ppdt_member)"
        )
        return labels

    monkeypatch.setattr(Mondrian, "label", broken)


@pytest.mark.parametrize(
    "place", mostly_slow(["snapshot", "live", "parquet", "csv", "duckdb"], "live", "csv")
)
def test_a_failed_audit_leaves_nothing(
    clinic: Path, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_mondrian(monkeypatch)
    where = {
        "snapshot": INTO,
        "live": [*INTO, "--live", "--accept", "state-by-state,reader-side-channels"],
    }.get(place, ["--out", str(tmp_path / f"out.{place}")])
    certificate = tmp_path / "certificate.json"
    args = ["--db", clinic, *FLAGS, *where, "--certificate", certificate, "--k", 5]
    text = faults(clinic, "patients", *args, code=3)
    assert "audit failed" in text


@pytest.mark.parametrize("live", [False, True])
def test_a_failed_audit_spares_the_callers_transaction(
    con: duckdb.DuckDBPyConnection, live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    con.execute(PATIENTS)
    ppdt_db.migrate(con)
    break_mondrian(monkeypatch)
    con.begin()
    con.execute("CREATE TABLE diary AS SELECT 1 AS entry")
    before = objects(con)
    with pytest.raises(GuaranteeError):
        anonymize_patients(con, live=live, accept=["state-by-state", "reader-side-channels"])
    assert objects(con) == before
    con.commit()
    assert con.execute("FROM diary").fetchall() == [(1,)]
    assert temporaries(con) == []


def test_a_failed_replacement_leaves_the_old_release(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    con.execute(PATIENTS)
    anonymize_patients(con)
    before = objects(con)
    break_mondrian(monkeypatch)
    for inside in (False, True):
        if inside:
            con.begin()
        with pytest.raises(GuaranteeError):
            anonymize_patients(con, replace=True)
        assert objects(con) == before
    con.rollback()


# -- places that refuse --


def test_a_folder_that_cannot_be_written_is_named(clinic: Path) -> None:
    for target in (Path("/proc/out.parquet"), Path("/proc/out.csv")):
        ended = ppdt("anonymize", "patients", "--db", clinic, *FLAGS, "--out", target)
        assert ended.code in (1, 2)
        assert "/proc" in ended.err and "internal error" not in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["parquet", "csv", "duckdb"])
def test_a_full_disk_leaves_no_half_file(clinic: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    script = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256)); "
        "from ppdt_db.cli import main; main()"
    )
    args = ["anonymize", "patients", "--db", clinic, "--read-only", *FLAGS, "--out", out]
    ended = subprocess.run(
        [sys.executable, "-c", script, *map(str, args)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1, ended.stderr
    assert "Nothing was released" in ended.stderr
    assert SECRET not in ended.stderr and "internal error" not in ended.stderr
    assert not out.exists() and not list(tmp_path.glob(".out*"))


# -- values never show --


def test_no_value_reaches_message_certificate_log_or_file_name(
    clinic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPDT_PSEUDONYM_KEY", "the key of the pseudonyms")
    log, certificate = tmp_path / "run.sql", tmp_path / "certificate.json"
    args = [
        "patients", "--db", clinic, "--qi", "age,sex,zip", "--sensitive", "diagnosis",
        "--pseudonymize", "name", "--keep", "rest", "--out", tmp_path / "out.parquet",
        "--sql-log", log, "--certificate", certificate, "--seed", "2718281828459", "--k", "5",
    ]  # fmt: skip
    ended = ppdt_process("anonymize", *args)
    assert ended.returncode == 0, ended.stderr
    told = [ended.stdout, ended.stderr, log.read_text(), certificate.read_text()]
    told += [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")]
    for text in told:
        assert SECRET not in text
        assert "the key of the pseudonyms" not in text
    assert "2718281828459" not in certificate.read_text()


def test_an_error_of_the_engine_tells_no_value(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    con.execute(
        f"CREATE VIEW cracked AS SELECT *, CAST('{SECRET}' || name AS INTEGER) AS n FROM patients"
    )
    with pytest.raises(ppdt_db.PpdtError) as caught:
        anonymize_patients(con, "cracked")
    assert SECRET not in str(caught.value)
    shown = caught.value
    while shown is not None:
        assert SECRET not in str(shown) or shown.__suppress_context__ is None
        shown = None if shown.__suppress_context__ else shown.__context__
    assert temporaries(con) == []


def test_an_unforeseen_error_tells_no_value(clinic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError(SECRET)

    monkeypatch.setattr(Mondrian, "form_classes", fail)
    ended = ppdt("anonymize", "patients", "--db", clinic, *FLAGS, *INTO)
    assert ended.code == 1
    assert SECRET not in ended.err and "ValueError" in ended.err
