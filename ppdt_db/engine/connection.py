"""The command line's DuckDB connection: its limits, its temporary files and its encryption key."""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.engine.duckdb import DuckEngine
from ppdt_db.engine.duckdb_errors import unopened
from ppdt_db.engine.interrupt import signals_blocked
from ppdt_db.engine.run_folder import run_folder, system_place
from ppdt_db.errors import DEBUG, EngineError, RequestError
from ppdt_db.sqltext.templates import render

# Names that DuckDB or this package already uses for something else.
OWN_NAMES = ("memory", "temp", "system", "main", "ppdt")
MOST_THREADS = 1024
# The first bytes of a database file; DuckDB's come after a checksum.
DUCKDB = b"DUCK"
SQLITE = b"SQLite format 3\0"
FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Resource limits of a run, and the encryption of its files."""

    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: Path | None = None
    encrypt_temp: bool = False
    key_file: Path | None = None

    def faults(self) -> list[str]:
        """Return the faults of the thread count and the temporary directory."""
        faults = []
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            faults.append(f"--threads {self.threads}: choose 1 to {MOST_THREADS}.")
        place = self.temp_directory
        if place is not None and not place.is_dir():
            faults.append(f"--temp-directory {place}: not an existing folder. Create it first.")
        return faults


def named(option: str, text: object) -> Path | None:
    """Return the path given for an option; refuse an empty one, as from an unset variable."""
    if text == "":
        raise RequestError(f"{option} is empty. Give a path, or remove the option.")
    return None if text is None else Path(str(text))


def connect(
    path: Path | None,
    *,
    read_only: bool = False,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_directory: Path | None = None,
) -> duckdb.DuckDBPyConnection:
    """Open a database file or an in-memory database; raise clear errors."""
    config: dict[str, str | bool | int | float | list[str]] = {}
    if threads is not None:
        config["threads"] = threads
    if memory_limit is not None:
        # DuckDB reads a negative number as no limit.
        if memory_limit.lstrip().startswith("-"):
            raise RequestError(f"--memory-limit {memory_limit}: give a positive size, such as 4GB.")
        config["memory_limit"] = memory_limit
    if temp_directory is not None:
        config["temp_directory"] = str(temp_directory)
    if path is not None:
        check_database(path)
    try:
        con = duckdb.connect(str(path or ":memory:"), read_only=read_only, config=config)
    except duckdb.Error as error:
        raise unopened(error, path) from (error if DEBUG else None)
    # DuckDB's own progress bar goes to stdout, where --json prints.
    DuckEngine(con).run("lib/engine/set", {"name": "enable_progress_bar", "value": False})
    return con


def check_database(path: Path) -> None:
    """Refuse a file that is not a DuckDB database; DuckDB itself opens some of them."""
    if not path.exists():
        raise RequestError(f"database file {path} does not exist. Check --db.")
    if path.is_dir():
        raise RequestError(f"{path} is a folder, not a DuckDB database file. Check --db.")
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError:
        return  # DuckDB reports the reason.
    if not start or start[8:12] == DUCKDB:
        return
    if start == SQLITE:
        raise RequestError(
            f"{path} is a SQLite database, not a DuckDB database file. Copy the "
            "table into a DuckDB database (ATTACH both), or export it to Parquet and give that as "
            "SOURCE."
        )
    raise RequestError(
        f"{path} is not a DuckDB database file. Give Parquet or CSV files as SOURCE, without --db, "
        "and write their release with --out."
    )


@contextmanager
def session(
    path: Path | None, limits: Limits, *, read_only: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection to a database file or in memory; remove its temporary files at the end."""
    if faults := limits.faults():
        raise RequestError(*faults)
    if path is None and limits.key_file is not None:
        raise RequestError("--db-key-file needs the encrypted database: give it with --db.")
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
    """Yield a folder for the temporary files of this run."""
    with ExitStack() as stack:
        place = stack.enter_context(_place(path, limits))
        try:
            folder = stack.enter_context(run_folder(place))
        except OSError as error:
            kind = EngineError if error.errno in FULL else RequestError
            raise kind(
                f"--temp-directory {place}: cannot create a folder there: {error.strerror}."
            ) from None
        yield folder


@contextmanager
def _place(path: Path | None, limits: Limits) -> Iterator[Path]:
    """Yield the parent of the temporary folder: as given, beside the database, or the system's."""
    if limits.temp_directory is not None:
        yield limits.temp_directory.absolute()
        return
    if path is None or not os.access(path.absolute().parent, os.W_OK):
        yield system_place()
        return
    beside = path.absolute().with_name(path.name + ".tmp")
    # An error is reported when the run's folder is created inside of it.
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
        # The release is already in place: nothing is left to stop.
        with signals_blocked():
            con.close()


def encrypt_temp(con: duckdb.DuckDBPyConnection) -> None:
    """Encrypt temporary files, or refuse."""
    load_crypto(con)
    DuckEngine(con).run("lib/engine/set", {"name": "temp_file_encryption", "value": True})


def load_crypto(con: duckdb.DuckDBPyConnection) -> None:
    """Load the extension that DuckDB encrypts with; without it DuckDB can only decrypt."""
    try:
        DuckEngine(con).run("lib/engine/load", {"name": "httpfs"})
    except EngineError:
        raise RequestError(
            "DuckDB can write encrypted files only with its extension httpfs, which is not "
            "installed here. Run INSTALL httpfs in DuckDB once, or remove --encrypt-temp and "
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
    """Attach an encrypted database as the current one, under the name DuckDB would give it."""
    name = path.stem if path.stem.lower() not in OWN_NAMES else f"{path.stem}_file"
    names = {"path": str(path), "name": name, "key": key, "read_only": read_only}
    try:
        # Not through the engine: with PPDT_DEBUG it shows DuckDB's message, which quotes the key.
        con.execute(render("lib/engine/attach_encrypted", names).text)
    except duckdb.Error as error:
        text = str(error)
        if "Wrong encryption key" in text:
            raise RequestError(f"--db-key-file: wrong key for {path}.") from None
        if "byte encountered" in text or "escape" in text:
            raise RequestError(
                "--db-key-file: DuckDB accepts non-ASCII characters and backslashes in a key only "
                "as escaped bytes, such as \\xC3\\xA9. Escape them."
            ) from None
        if "not encrypted" in text:
            raise RequestError(f"{path} is not encrypted. Remove --db-key-file.") from None
        raise unopened(error, path) from None
    DuckEngine(con).run("lib/engine/use", {"name": name})
