"""A connection of ours, for one run of the command line: its limits, and where it spills to."""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.engine.duckdb import DuckEngine
from ppdt_db.engine.duckdb_errors import DEBUG, unopened
from ppdt_db.engine.interrupt import undisturbed
from ppdt_db.engine.spill import run_folder, system_place
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.template import render

# What DuckDB, and we, call something else: a name for two things says nothing.
OWN_NAMES = ("memory", "temp", "system", "main", "ppdt")
MOST_THREADS = 1024
# What the first bytes of a file say: DuckDB's after its checksum.
DUCKDB = b"DUCK"
SQLITE = b"SQLite format 3\0"
FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a run may use of the machine, and what it may leave on disk in clear."""

    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: Path | None = None
    encrypt_temp: bool = False
    key_file: Path | None = None

    def faults(self) -> list[str]:
        """What is wrong with the threads and the place of the temporary files."""
        faults = []
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            faults.append(f"--threads {self.threads}: choose 1 to {MOST_THREADS}.")
        place = self.temp_directory
        if place is not None and not place.is_dir():
            faults.append(f"--temp-directory {place}: there is no such folder. Make it first.")
        return faults


def named(option: str, text: object) -> Path | None:
    """The path that an option names: an empty one, as of a variable that is not set, names none."""
    if text == "":
        raise RequestError(f"{option}: this name is empty. Leave it out, or name one.")
    return None if text is None else Path(str(text))


def connect(
    path: Path | None,
    *,
    read_only: bool = False,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_directory: Path | None = None,
) -> duckdb.DuckDBPyConnection:
    """Open a database file, or one in memory, with clear words where that fails."""
    config: dict[str, str | bool | int | float | list[str]] = {}
    if threads is not None:
        config["threads"] = threads
    if memory_limit is not None:
        # DuckDB takes a number below zero for no limit at all.
        if memory_limit.lstrip().startswith("-"):
            raise RequestError(f"--memory-limit {memory_limit}: give it as such as 4GB, above 0.")
        config["memory_limit"] = memory_limit
    if temp_directory is not None:
        config["temp_directory"] = str(temp_directory)
    if path is not None:
        check_database(path)
    try:
        con = duckdb.connect(str(path or ":memory:"), read_only=read_only, config=config)
    except duckdb.Error as error:
        raise unopened(error, path) from (error if DEBUG else None)
    # DuckDB draws its own bar on stdout, into the middle of what --json prints.
    DuckEngine(con).run("engine/set", {"name": "enable_progress_bar", "value": False})
    return con


def check_database(path: Path) -> None:
    """Refuse a file that is none of DuckDB's: DuckDB would open some of them, and keep nothing."""
    if not path.exists():
        raise RequestError(f"database file {path} does not exist. Check --db.")
    if path.is_dir():
        raise RequestError(f"{path} is a folder, not a DuckDB database file. Check --db.")
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError:
        return  # DuckDB says why.
    if not start or start[8:12] == DUCKDB:
        return
    if start == SQLITE:
        raise RequestError(
            f"{path} is a SQLite database, not a DuckDB database file. Copy it over in DuckDB: "
            "ATTACH it and the file of a new database, and make the tables there; or write the "
            "table to Parquet, and give that as SOURCE."
        )
    raise RequestError(
        f"{path} is not a DuckDB database file. Parquet and CSV are given as SOURCE, without --db, "
        "and their release goes to --out."
    )


@contextmanager
def session(
    path: Path | None, limits: Limits, *, read_only: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database file, or one in memory; nothing of it is left on disk."""
    if faults := limits.faults():
        raise RequestError(*faults)
    if path is None and limits.key_file is not None:
        raise RequestError("--db-key-file opens an encrypted database: name it with --db.")
    if path is not None:
        check_database(path)
    key = None if limits.key_file is None else _key(limits.key_file)
    is_plain = path is not None and key is None
    with (
        _folder(path if is_plain else None, limits) as folder,
        _connected(path if is_plain else None, limits, folder, read_only=read_only and is_plain)
        as con,
    ):  # fmt: skip
        if path is not None and key is not None:
            _attach(con, path, key, read_only=read_only)
        yield con


@contextmanager
def _folder(path: Path | None, limits: Limits) -> Iterator[Path]:
    """The folder of the temporary files, of this run alone."""
    with ExitStack() as stack:
        place = stack.enter_context(_place(path, limits))
        try:
            folder = stack.enter_context(run_folder(place))
        except OSError as error:
            kind = EngineError if error.errno in FULL else RequestError
            raise kind(
                f"--temp-directory {place}: no folder can be made there: {error.strerror}."
            ) from None
        yield folder


@contextmanager
def _place(path: Path | None, limits: Limits) -> Iterator[Path]:
    """Where temporary files go: as asked, beside the database as DuckDB has it, or the system's."""
    if limits.temp_directory is not None:
        yield limits.temp_directory.absolute()
        return
    if path is None or not os.access(path.absolute().parent, os.W_OK):
        yield system_place()
        return
    beside = path.absolute().with_name(path.name + ".tmp")
    # What is wrong there is said when a folder is made inside of it.
    with suppress(OSError):
        beside.mkdir()
    try:
        yield beside
    finally:
        # Another run may be using it, or another program may have left something there.
        with suppress(OSError):
            beside.rmdir()


@contextmanager
def _connected(
    path: Path | None, limits: Limits, folder: Path, *, read_only: bool
) -> Iterator[duckdb.DuckDBPyConnection]:
    con = connect(
        path,
        read_only=read_only,
        threads=limits.threads,
        memory_limit=limits.memory_limit,
        temp_directory=folder,
    )
    try:
        if limits.encrypt_temp or limits.key_file is not None:
            encrypt_temp(con)
        yield con
    finally:
        # What was released stands already, so there is nothing to stop any more.
        with undisturbed():
            con.close()


def encrypt_temp(con: duckdb.DuckDBPyConnection) -> None:
    """Let nothing be written to temporary files in clear, or refuse."""
    load_crypto(con)
    DuckEngine(con).run("engine/set", {"name": "temp_file_encryption", "value": True})


def load_crypto(con: duckdb.DuckDBPyConnection) -> None:
    """What DuckDB encrypts with; the part that it brings along itself can only read."""
    try:
        DuckEngine(con).run("engine/load", {"name": "httpfs"})
    except EngineError:
        raise RequestError(
            "DuckDB can write encrypted files only with its extension httpfs, which is not "
            "installed here. Run INSTALL httpfs in DuckDB once, or leave out --encrypt-temp and "
            "--db-key-file. Nothing was read."
        ) from None


def _key(path: Path) -> str:
    try:
        key = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise RequestError(f"--db-key-file {path}: the file cannot be read.") from None
    if not key:
        raise RequestError(f"--db-key-file {path}: the file is empty.")
    if "\x00" in key:
        raise RequestError(f"--db-key-file {path}: the key must be text without NUL characters.")
    return key


def _attach(con: duckdb.DuckDBPyConnection, path: Path, key: str, *, read_only: bool) -> None:
    """Open an encrypted database as the current one, under the name that DuckDB would give it."""
    name = path.stem if path.stem.lower() not in OWN_NAMES else f"{path.stem}_file"
    names = {"path": str(path), "name": name, "key": key, "read_only": read_only}
    try:
        # Not by the engine, whose errors may be asked to show DuckDB's message: it quotes the key.
        con.execute(render("engine/attach_encrypted", names).text)
    except duckdb.Error as error:
        text = str(error)
        if "Wrong encryption key" in text:
            raise RequestError(f"--db-key-file: this is not the key of {path}.") from None
        if "byte encountered" in text or "escape" in text:
            raise RequestError(
                "--db-key-file: DuckDB takes letters beyond ASCII, and backslashes, only as bytes "
                "such as \\xC3\\xA9. Write the key so."
            ) from None
        if "not encrypted" in text:
            raise RequestError(f"{path} is not encrypted. Leave out --db-key-file.") from None
        raise unopened(error, path) from None
    DuckEngine(con).run("engine/use", {"name": name})
