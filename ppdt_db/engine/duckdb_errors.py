"""Our errors for DuckDB's own, which quote values: ours say what happened, and what to do."""

import os
import re
from pathlib import Path

import duckdb

from ppdt_db.errors import EngineError, RequestError

DENIED = r"ermission denied|Read-only file system"
DEBUG = bool(os.environ.get("PPDT_DEBUG"))


CAUSES = {
    r"open result|unfinished result": (
        "the connection has an open result. Fetch or close it first, or use another cursor"
    ),
    r"already closed|Connection has been closed": "the connection is closed. Open it again",
    r"HTTP (?:Error: )?.*\bHTTP (\d{3})": "the server answered HTTP {0}. Check the address",
    r"Timeout was reached|timed out": (
        "the server did not answer in time. Try again, or raise http_timeout"
    ),
    r"[Cc]ould not connect|Connection refused|ould not establish connection": (
        "no server can be reached there. Check the address and the network"
    ),
    r"resolve host": "the name of its server is not known. Check the address",
    r"requires the extension|extension \S*httpfs|Missing Extension|is not installed|autoload": (
        "DuckDB reads such an address with an extension that is not loaded here. "
        "INSTALL httpfs and LOAD httpfs first (aws, azure: theirs)"
    ),
    r"(?s)conflict|Failed to commit": (
        "another connection has changed the same tables, and may not have committed yet. "
        "Let it commit, and run again"
    ),
}


def cause_of(error: duckdb.Error) -> str | None:
    """What hinders a connection, or a server, in words of ours."""
    text = str(error)
    is_conflict = isinstance(error, duckdb.TransactionException)
    for sign, cause in CAUSES.items():
        if ("conflict" not in sign or is_conflict) and (found := re.search(sign, text)):
            return cause.format(*found.groups())
    return None


def translated(error: duckdb.Error, where: str, state: str = "") -> EngineError:
    """Our error for one of DuckDB's, without the values that DuckDB's own message may quote."""
    text = str(error)
    kind = type(error).__name__.removesuffix("Exception").removesuffix("Error")
    if "failed to offload" in text or "max_temp_directory_size" in text:
        what = (
            "the temporary files fill their disk, or what max_temp_directory_size leaves them "
            "(nine tenths of what was free). Name a --temp-directory with more room, or raise "
            "--memory-limit"
        )
    elif isinstance(error, duckdb.OutOfMemoryException):
        what = "the memory limit is too small for this run. Raise --memory-limit"
    elif "No space left" in text or "not enough disk" in text.lower() or "(os error 28)" in text:
        what = (
            "the disk is full. Free some space, name a larger --temp-directory, or raise "
            "--memory-limit"
        )
    elif "File too large" in text:
        what = "the file system refuses a file of this size"
    elif isinstance(error, duckdb.IOException) and re.search(DENIED, text):
        what = "permission to write was denied. Where the place is for reading only: --read-only"
    elif isinstance(error, duckdb.TransactionException) and "single attached database" in text:
        what = "the open transaction has already changed another database. Commit it first"
    elif cause := cause_of(error):
        what = cause
    else:
        what = f"DuckDB reported a {kind} error"
    hint = "" if DEBUG else " (PPDT_DEBUG=1 shows DuckDB's own message, which may quote values)"
    return EngineError(f"{what}; in {where}.{state}{hint}")


def unopened(error: duckdb.Error, path: Path | None) -> EngineError | RequestError:
    """Our error for a database that does not open."""
    text = str(error)
    if re.search(r"\block\b|used by another process", text):
        holder = re.search(r"PID (\d+)", text)
        who = f"process {holder.group(1)}" if holder else "another process"
        return EngineError(f"{path} is held by {who}. Close it there, or wait, and try again.")
    if "newer version" in text or "storage version" in text or "version number" in text:
        return RequestError(
            f"{path} was written by a newer DuckDB than {duckdb.__version__}, which is installed "
            "here. Upgrade duckdb."
        )
    if "without a key" in text:
        return RequestError(f"{path} is encrypted. Name a file that holds its key: --db-key-file.")
    if "Corrupt database" in text or "checksum" in text:
        return RequestError(f"{path} is damaged: its checksums do not fit. Restore it.")
    if "not a valid DuckDB" in text or "Could not read" in text:
        return RequestError(f"{path} is not a DuckDB database file.")
    if isinstance(error, duckdb.InvalidInputException | duckdb.ParserException):
        return RequestError("a setting is wrong: check --memory-limit (such as 4GB) and --threads.")
    return translated(error, f"opening {path or 'a database in memory'}")
