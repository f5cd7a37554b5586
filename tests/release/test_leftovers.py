"""What lies beside a target or in the system's folder meanwhile, and what is said of it after."""

import errno
import gc
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from support import FLAGS, anonymize_patients, command, make_database, mostly_slow, ppdt, read

from ppdt_db import EngineError, Mondrian, RequestError, anonymize
from ppdt_db.engine.atomic_file import swap_into_place, temporary_sibling, write_atomically
from ppdt_db.release.catalog import Catalog
from ppdt_db.release.publish_duckdb import DuckPublisher


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_dead_run_left_is_known_by_its_lock_not_by_a_number(tmp_path: Path) -> None:
    # As of another container, whose process has the number of one that runs here.
    left = tmp_path / f".ppdt-{os.getpid()}-{'0' * 16}"
    left.mkdir()
    (left / "part").write_text("a release of another name")
    (tmp_path / f".ppdt-{'1' * 16}").mkdir()
    with (
        temporary_sibling(tmp_path / "a.parquet") as one,
        temporary_sibling(tmp_path / "a.parquet") as other,
    ):
        assert one != other and not left.exists()
        one.write_text("")
        assert one.exists() and one.parent.stat().st_mode & 0o77 == 0
    assert names(tmp_path) == [f".ppdt-{'1' * 16}"]


@pytest.mark.parametrize("is_linked", [True, False])
@pytest.mark.parametrize("before", [None, "old"])
def test_a_file_takes_its_place_with_what_belongs_to_it_or_not_at_all(
    tmp_path: Path, before: str | None, is_linked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "one name for each file here")

    if not is_linked:
        monkeypatch.setattr(Path, "hardlink_to", refused)
    path = tmp_path / "a.parquet"
    if before is not None:
        path.write_text(before)

    def put(text: str, error: type[BaseException] | None) -> None:
        with temporary_sibling(path) as part:
            part.write_text(text)
            with swap_into_place(part, path, replace=True):
                assert path.read_text() == text
                if error is not None:
                    raise error

    for error in (EngineError, KeyboardInterrupt):
        with pytest.raises(error):
            put("new", error)
        assert (path.read_text() if path.exists() else None) == before
    put("new", None)
    assert path.read_text() == "new" and names(tmp_path) == ["a.parquet"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_file_whose_record_cannot_be_kept_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replace: bool
) -> None:
    out = tmp_path / "safe.parquet"
    with duckdb.connect(str(make_database(tmp_path / "clinic.duckdb"))) as con:
        if replace:
            anonymize_patients(con, out=out)
        before = out.read_bytes() if replace else None

        def refused(*_: object) -> None:
            # As of a disk that is full: the engine finds it at the commit.
            con.execute("SELECT error('full')")

        monkeypatch.setattr(Catalog, "record", refused)
        with pytest.raises(EngineError, match="commit"):
            anonymize_patients(con, out=out, replace=replace)
    assert (out.read_bytes() if out.exists() else None) == before
    assert [name for name in names(tmp_path) if name.startswith(".")] == []


def test_a_file_that_another_run_made_meanwhile_stays(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    make = "CREATE TABLE patients AS SELECT i % 9 AS age FROM range(90) AS r (i)"
    con.execute(make)
    out = tmp_path / "safe.parquet"

    def other(stage: str, _: float) -> None:
        if stage == "audit":
            out.write_text("of another run")

    wish = {"identifiers": [], "quasi": ["age"], "sensitive": [], "progress": other}
    with pytest.raises(EngineError, match="created during the run"):
        anonymize_patients(con, out=out, **wish)
    assert out.read_text() == "of another run" and names(tmp_path) == ["safe.parquet"]


KEPT = """
import os, sys, duckdb, ppdt_db
con = duckdb.connect()
con.execute("CREATE TABLE t AS SELECT i % 9 AS a FROM range(90) r(i)")
made = ppdt_db.anonymize(con, "t", quasi=["a"], method=ppdt_db.Mondrian(k=5), into="r", rules=True)
print(made.rules.path, flush=True)
if sys.argv[1] == "kill":
    os.kill(os.getpid(), 9)
if sys.argv[1] == "fork":
    if os.fork() == 0:
        sys.exit()
    os.wait()
    print(made.rules.path.exists())
"""


@pytest.mark.parametrize("end", mostly_slow(["kill", "fork", "plain"], "kill"))
def test_rules_without_a_name_leave_nothing(
    tmp_path: Path, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def run(end: str) -> list[str]:
        ran = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", KEPT, end],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return ran.stdout.splitlines()

    path, *more = run(end)
    assert Path(path).is_relative_to(tmp_path)
    assert more == (["True"] if end == "fork" else [])
    assert Path(path).exists() == (end == "kill")
    run("plain")
    assert names(tmp_path) == []


def test_an_end_that_is_asked_for_too_late_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*given: object, **named: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        return released(*given, **named)

    released = DuckPublisher.released
    monkeypatch.setattr(DuckPublisher, "released", late)
    path = make_database(tmp_path / "clinic.duckdb")
    ended = ppdt("anonymize", "patients", "--db", path, *FLAGS, "--k", 5, "--into", "safe")
    assert ended.code == 0 and "released safe" in ended.out
    with duckdb.connect(str(path)) as con:
        assert len(read(con, "safe")) == 200


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_said_without_taking_a_release_back(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    args = ["anonymize", "patients", "--db", path, *FLAGS, "--k", 5, "--into"]
    with FULL.open("w") as full:
        ran = subprocess.run(
            command(*args, "safe"), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 1
    assert "safe is released, but" in ran.stderr and "Nothing was" not in ran.stderr
    ended = ppdt(*args, "more", "--sql-log", FULL)
    assert ended.code == 1 and "--sql-log" in ended.err and "Nothing was released" in ended.err
    assert "more" not in ppdt("releases", "--db", path).out


def test_a_text_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path, link, pipe = tmp_path / "c.json", tmp_path / "link.json", tmp_path / "pipe"
    path.write_text("old")
    link.symlink_to(path)
    script = (
        "import resource, sys; from pathlib import Path; from ppdt_db.engine.atomic_file "
        "import write_atomically; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "write_atomically(Path(sys.argv[1]), 'x' * 100_000)"
    )
    ran = subprocess.run([sys.executable, "-c", script, path], capture_output=True, check=False)
    assert b"File too large" in ran.stderr and path.read_text() == "old"
    write_atomically(link, "new")
    assert link.is_symlink() and path.read_text() == "new"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        write_atomically(pipe, "through")
        assert reader.communicate()[0] == "through" and pipe.is_fifo()
    pipe.unlink()
    assert names(tmp_path) == ["c.json", "link.json"]


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_database_can_be_opened_otherwise_once_its_connection_is_let_go(
    tmp_path: Path, *, is_refused: bool
) -> None:
    """DuckDB refuses other settings as long as a connection of this process is alive."""
    path = make_database(tmp_path / "clinic.duckdb")
    gc.collect()
    gc.disable()
    try:
        con = duckdb.connect(str(path))
        with suppress(RequestError):
            anonymize(
                con, "patients", quasi=["age", "sex"], identifiers="rest", into="safe",
                method=Mondrian(k=10**6 if is_refused else 5),
            )  # fmt: skip
        assert (con.execute("FROM duckdb_views() WHERE view_name = 'safe'").fetchall() == []) == (
            is_refused
        )
        del con
        duckdb.connect(str(path), read_only=True).close()
    finally:
        gc.enable()
