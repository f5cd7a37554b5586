"""What does not fit into memory: where it lies, that it is removed, and can be encrypted."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from support import FLAGS, SECRET, command, make_database, mostly_slow, ppdt, smallest

from ppdt_db.engine import Limits, connect, run_folder, session
from ppdt_db.errors import RequestError

LIMITS = ["--threads", 1, "--memory-limit", "100MB"]
# The cipher that DuckDB brings along is slow.
FEWER = ["--threads", 1, "--memory-limit", "40MB"]
# Random text of the source does not shrink, so what is spilled holds it as it is.
NOTES = f"""
    SELECT i % 97 AS age, i % 13 AS zip,
        '{SECRET}-' || sha256(CAST(i AS VARCHAR)) || sha256(CAST(-i AS VARCHAR)) AS note
    FROM range(200000) AS r (i)
"""
ROLES = ["--qi", "age,zip", "--sensitive", "note", "--k", 5]


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that does not fit into the limit, and one that does not fit into the lower one."""
    path = tmp_path_factory.mktemp("notes") / "notes.parquet"
    duckdb.sql(f"COPY ({NOTES}) TO '{path}' (ROW_GROUP_SIZE 8192)")
    fewer = path.with_name("fewer.parquet")
    duckdb.sql(f"COPY ({NOTES} LIMIT 60000) TO '{fewer}' (ROW_GROUP_SIZE 8192)")
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def files_below(*folders: Path) -> Iterator[Path]:
    """The files below folders; what vanishes while they are read is not told."""
    for folder in folders:
        for place, _, names in os.walk(folder):
            yield from (Path(place, name) for name in names)


@contextmanager
def watched(*folders: Path) -> Iterator[tuple[set[str], set[str]]]:
    """The files that appear in folders meanwhile, and those of them that tell the secret."""
    seen: set[str] = set()
    telling: set[str] = set()
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.02):
            for path in files_below(*folders):
                try:
                    if path.is_file() and path.stat().st_size:
                        seen.add(path.name)
                        if path.name not in telling and SECRET.encode() in path.read_bytes():
                            telling.add(path.name)
                except OSError:
                    continue

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen, telling
    finally:
        over.set()
        watcher.join()


def until(holds: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait until something holds, while a process runs."""
    while not holds():
        assert process.poll() is None, "it ended too early"
        time.sleep(0.01)


def started(notes: Path, place: Path, out: Path) -> subprocess.Popen[bytes]:
    """A run that spills, in a process of its own."""
    args = [notes, *ROLES, *LIMITS, "--temp-directory", place, "--out", out, "--quiet"]
    return subprocess.Popen(command("anonymize", *args), stderr=subprocess.DEVNULL)


def spilled(place: Path) -> list[Path]:
    return [path for path in files_below(place) if path.suffix == ".tmp"]


@pytest.mark.slow
def test_a_killed_run_is_swept_at_the_next_start_and_a_running_one_is_not(
    notes: Path, place: Path, tmp_path: Path
) -> None:
    killed = started(notes, place, tmp_path / "killed.parquet")
    until(lambda: spilled(place), killed)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    (left,) = place.iterdir()
    assert spilled(place)
    other = place / "ppdt-notes"
    other.mkdir()
    neighbour = started(notes, place, tmp_path / "neighbour.parquet")
    try:
        until(lambda: not left.exists() and spilled(place), neighbour)
        os.kill(neighbour.pid, signal.SIGSTOP)
        before = spilled(place)
        with session(None, _limits(place)) as con:
            con.execute("SELECT 1")
        assert spilled(place) == before
        os.kill(neighbour.pid, signal.SIGCONT)
        assert neighbour.wait() == 0
    finally:
        neighbour.kill()
        neighbour.wait()
    assert list(place.iterdir()) == [other]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "neighbour.parquet", "temporary",
    ]  # fmt: skip


def _limits(place: Path | None) -> Limits:
    return Limits(temp_directory=place)


@pytest.mark.parametrize(
    "number", mostly_slow([signal.SIGINT, signal.SIGTERM, signal.SIGHUP], signal.SIGTERM)
)
def test_a_run_that_is_told_to_end_leaves_nothing(
    notes: Path, place: Path, tmp_path: Path, number: signal.Signals
) -> None:
    process = started(notes, place, tmp_path / "out.parquet")
    until(lambda: spilled(place), process)
    process.send_signal(number)
    assert process.wait() == 1
    assert list(place.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]


def test_impatience_does_not_stop_the_clean_up(notes: Path, place: Path, tmp_path: Path) -> None:
    process = started(notes, place, tmp_path / "out.parquet")
    until(lambda: spilled(place), process)
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    assert process.returncode
    assert list(place.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]


@pytest.fixture
def small_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk on which little can be spilled."""

    def limited(*args: object, **options: object) -> duckdb.DuckDBPyConnection:
        con = connect(*args, **options)  # type: ignore[arg-type]
        con.execute("SET max_temp_directory_size = '20MB'")
        return con

    monkeypatch.setattr("ppdt_db.engine.connection.connect", limited)


@pytest.mark.parametrize("cause", ["memory", "disk"])
def test_too_little_memory_or_disk_says_how_to_go_on(
    notes: Path, place: Path, tmp_path: Path, cause: str, request: pytest.FixtureRequest
) -> None:
    limits = LIMITS if cause == "disk" else [*LIMITS[:3], "20MB"]
    if cause == "disk":
        request.getfixturevalue("small_disk")
    out = tmp_path / "out.parquet"
    ended = ppdt("anonymize", notes, *ROLES, *limits, "--temp-directory", place, "--out", out)
    assert ended.code == 1 and ended.out == ""
    assert "Nothing was released" in ended.err and "--memory-limit" in ended.err
    assert ("--temp-directory" in ended.err) == (cause == "disk")
    assert SECRET not in ended.err
    assert list(place.iterdir()) == [] and not out.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]


def test_a_file_that_may_not_grow_ends_the_run(notes: Path, place: Path, tmp_path: Path) -> None:
    args = [notes, *ROLES, *LIMITS, "--temp-directory", place, "--out", tmp_path / "o.parquet"]
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, 2 << 20)); "
        "from ppdt_db.cli import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, "anonymize", *map(str, args)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1 and "Nothing was released" in ran.stderr
    assert SECRET not in ran.stderr and "internal error" not in ran.stderr
    assert list(place.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]


def has_httpfs() -> bool:
    """Whether DuckDB's own extension for encryption is installed here."""
    with duckdb.connect() as con:
        try:
            con.execute("LOAD httpfs")
        except duckdb.Error:
            return False
    return True


@pytest.fixture
def crypto(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where httpfs is not installed, the cipher that DuckDB brings along stands in for it."""

    def stand_in(con: duckdb.DuckDBPyConnection) -> None:
        con.execute("SET force_mbedtls_unsafe = true")

    if not has_httpfs():
        monkeypatch.setattr("ppdt_db.engine.connection.load_crypto", stand_in)


@pytest.mark.parametrize("is_encrypted", mostly_slow([False, True], True))
def test_encrypted_temporary_files_tell_nothing(
    notes: Path, place: Path, tmp_path: Path, is_encrypted: bool, crypto: None
) -> None:
    args = [notes.with_name("fewer.parquet"), *ROLES, *FEWER, "--temp-directory", place]
    args += ["--out", tmp_path / "o.parquet"]
    with watched(place) as (seen, telling):
        ended = ppdt("anonymize", *args, *(["--encrypt-temp"] if is_encrypted else []), "--quiet")
    assert ended.code == 0, ended.err
    assert seen
    assert bool(telling) != is_encrypted


def test_an_encrypted_database_lets_nothing_out(tmp_path: Path, crypto: None) -> None:
    key, path = tmp_path / "key", tmp_path / "clinic.duckdb"
    key.write_text("it's a key\n")
    make_encrypted(path, "it's a key")
    with duckdb.connect(str(tmp_path / "other.duckdb")):
        pass
    args = ["anonymize", "notes", "--db", path, *ROLES, *FEWER]
    assert "--db-key-file" in ppdt(*args, "--into", "safe").err
    wrong = tmp_path / "wrong"
    wrong.write_text("another key")
    refused = ppdt(*args, "--into", "safe", "--db-key-file", wrong)
    assert refused.code == 2 and "wrong key" in refused.err and "another" not in refused.err
    plain = ppdt(*args[:2], "--db", tmp_path / "other.duckdb", *args[4:], "--into", "safe",
                 "--db-key-file", key)  # fmt: skip
    assert plain.code == 2 and "not encrypted" in plain.err
    place = tmp_path / "temporary"
    place.mkdir()
    log = tmp_path / "run.sql"
    with watched(tmp_path) as (seen, telling):
        ended = ppdt(*args, "--into", "safe", "--db-key-file", key, "--temp-directory", place,
                     "--quiet", "--sql-log", log)  # fmt: skip
    assert ended.code == 0, ended.err
    assert any(name.startswith("duckdb_temp") for name in seen) and not telling
    assert SECRET.encode() not in path.read_bytes()
    assert "a key" not in log.read_text()
    with encrypted(path, "it's a key") as con:
        assert smallest(con, "safe", ["age", "zip"]) >= 5
    keyed = ["--db", path, "--db-key-file", key]
    assert "safe" in ppdt("releases", *keyed).out
    assert ppdt("report", "safe", *keyed, "--out", tmp_path / "page.html").code == 0
    assert ppdt("profile", "safe", *keyed).code == 0
    assert ppdt("migrate", *keyed).code == 0
    assert ppdt("audit", "safe", *keyed, "--qi", "age,zip", "--require", "k=5").code == 0
    assert ppdt("drop", "safe", *keyed).code == 0


@contextmanager
def encrypted(path: Path, key: str) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute("LOAD httpfs" if has_httpfs() else "SET force_mbedtls_unsafe = true")
        con.execute(
            f"ATTACH '{path}' AS clinic (ENCRYPTION_KEY '{key.replace(chr(39), 2 * chr(39))}')"
        )
        con.execute("USE clinic")
        yield con


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(["main", "ppdt", "a b'c"], "a b'c"))
def test_an_encrypted_database_may_have_any_name(tmp_path: Path, name: str, crypto: None) -> None:
    key, path = tmp_path / "key", tmp_path / f"{name}.duckdb"
    key.write_text("k" * 1000 + "\nanother line")
    make_encrypted(tmp_path / "clinic.duckdb", key.read_text())
    (tmp_path / "clinic.duckdb").rename(path)
    args = ["anonymize", "notes", "--db", path, *ROLES, "--quiet", "--db-key-file"]
    ended = ppdt(*args, key, "--into", "safe")
    assert ended.code == 0, ended.err
    key.write_text("schlüssel")
    ended = ppdt(*args, key, "--into", "safe", "--replace")
    assert ended.code == 2 and "--db-key-file" in ended.err and "schl" not in ended.err


def test_what_is_learnt_from_an_encrypted_database_stays_in_it(
    tmp_path: Path, crypto: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, path, place = tmp_path / "key", tmp_path / "clinic.duckdb", tmp_path / "system"
    key.write_text("k")
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    with encrypted(path, "k") as con:
        con.execute(
            f"CREATE TABLE notes AS SELECT i % 61 AS age, '{SECRET}-' || i % 7 AS word, i % 3 AS c "
            "FROM range(3000) AS r (i)"
        )
    keyed = ["--db", path, "--db-key-file", key]
    model = tmp_path / "model.json"
    with watched(tmp_path) as (_, telling):
        asked = ["notes", "--target", "c", "--method", "mondrian", "--qi", "age", "--k", 5]
        ended = ppdt("evaluate", *asked, *keyed, "--cv", "1x2", "--json")
        assert ended.code == 0, ended.err
    assert not telling
    model.write_text(ppdt("learn", "c45", "notes", "--target", "c", *keyed, "--json").out)
    ended = ppdt("predict", model, "notes", *keyed, "--into", "predicted")
    assert ended.code == 0, ended.err
    with encrypted(path, "k") as con:
        assert len(con.execute("FROM predicted").fetchall()) == 3000


def make_encrypted(path: Path, key: str) -> None:
    with encrypted(path, key) as con:
        con.execute(f"CREATE TABLE notes AS {NOTES} LIMIT 60000")


def test_without_a_cipher_encryption_is_refused(
    notes: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    args = [notes, *ROLES, "--temp-directory", place, "--out", tmp_path / "o.parquet"]
    ended = ppdt("anonymize", *args, "--encrypt-temp")
    assert ended.code == 2 and "httpfs" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]
    assert list(place.iterdir()) == []


def test_the_places_of_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "system"))
    (tmp_path / "system").mkdir()
    path = make_database(tmp_path / "clinic.duckdb")

    def place_of(path: Path | None, asked: Path | None) -> Path:
        with session(path, _limits(asked)) as con:
            (found,) = con.execute("SELECT current_setting('temp_directory')").fetchone()
            assert Path(found).is_dir() and run_folder.OURS.fullmatch(Path(found).name)
        assert not Path(found).exists()
        return Path(found).parent

    assert place_of(None, None) == tmp_path / "system"
    assert place_of(path, None) == tmp_path / "clinic.duckdb.tmp"
    assert not (tmp_path / "clinic.duckdb.tmp").exists()
    assert place_of(path, tmp_path) == place_of(None, tmp_path) == tmp_path
    with pytest.raises(RequestError, match="--temp-directory"):
        place_of(None, tmp_path / "missing")
    (tmp_path / "system").rmdir()
    with pytest.raises(RequestError, match="TMPDIR"):
        place_of(None, None)
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert place_of(None, None) == tmp_path


def test_links_and_strangers_are_not_swept(place: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "kept").touch()
    (place / f"ppdt-1-{'0' * 16}").symlink_to(mine, target_is_directory=True)
    (place / "ppdt-1-ff").mkdir()
    (place / f"ppdt-1-{'1' * 16}.txt").touch()
    stale = place / f"ppdt-{os.getpid()}-{'2' * 16}"
    stale.mkdir()
    before = set(place.iterdir()) - {stale}
    with run_folder.run_folder(place) as folder, run_folder.run_folder(place):
        assert folder.is_dir() and not stale.exists()
    assert set(place.iterdir()) == before and (mine / "kept").exists()
    shutil.rmtree(place)


def test_a_file_system_without_locks_serves_but_is_not_swept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", unknown)
    stranger = place / f"ppdt-1-{'0' * 16}"
    stranger.mkdir()
    with run_folder.run_folder(place) as folder:
        assert folder.is_dir() and stranger.is_dir()
    assert list(place.iterdir()) == [stranger]


def test_a_fork_leaves_the_folder_of_its_parent(place: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from ppdt_db.engine.run_folder import run_folder\n"
        f"with run_folder(Path({str(place)!r})) as folder:\n"
        "    if os.fork() == 0: sys.exit()\n"
        "    os.wait(); print(folder.is_dir())"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "True\n"
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    "limit, told",
    [
        (["--temp-directory", ""], "--temp-directory is empty"),
        (["--temp-directory", __file__], "not an existing folder"),
        (["--db-key-file", ""], "--db-key-file is empty"),
        (["--threads", 100_000], "choose 1 to"),
        (["--memory-limit", "much"], "--memory-limit"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    notes: Path, tmp_path: Path, limit: list, told: str
) -> None:
    ended = ppdt("anonymize", notes, *ROLES, "--out", tmp_path / "o.parquet", *limit)
    assert ended.code == 2 and told in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_policy_file_names_them_too(place: Path, tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"temp_directory: {place}\n")
    args = ["patients", "--db", path, *FLAGS, "--k", 5, "--into", "safe", "--policy", policy]
    assert ppdt("anonymize", *args, "--quiet").code == 0
    assert list(place.iterdir()) == []
    policy.write_text(f"temp_directory: {place}/missing\n")
    ended = ppdt("anonymize", *args, "--replace", "--quiet")
    assert ended.code == 2 and "missing" in ended.err
    policy.write_text("threads: 0\n")
    ended = ppdt("anonymize", *args, "--replace", "--quiet")
    assert ended.code == 2 and "--threads 0" in ended.err
