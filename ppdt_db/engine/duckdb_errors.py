"""Translate DuckDB's errors, whose messages may quote values, into messages that never do."""

import re
from pathlib import Path

import duckdb

from ppdt_db.errors import DEBUG, EngineError, RequestError

DENIED = r"ermission denied|Read-only file system"


CAUSES = {
    r"open result|unfinished result": (
        "the connection has an open result. Fetch or close it first, or use another cursor"
    ),
    r"already closed|Connection has been closed": "the connection is closed. Open it again",
    # Before the network's causes: a failed download of the extension names one of them as well.
    r"requires the extension|extension \S*httpfs|Missing Extension|is not installed|autoload": (
        "DuckDB needs an extension for this address, which is not loaded. "
        "Run INSTALL httpfs and LOAD httpfs first (or aws, azure)"
    ),
    r"HTTP (?:Error: )?.*\bHTTP (\d{3})": "the server answered HTTP {0}. Check the address",
    r"Timeout was reached|timed out": (
        "the server did not answer in time. Try again, or raise http_timeout"
    ),
    r"[Cc]ould not connect|Connection refused|ould not establish connection": (
        "the server cannot be reached. Check the address and the network"
    ),
    r"resolve host": "the host name cannot be resolved. Check the address",
    r"(?s)conflict|Failed to commit": (
        "another connection has changed the same tables, and may not have committed yet. "
        "Run again after it has committed"
    ),
}


def cause_of(error: duckdb.Error) -> str | None:
    """Return the reason why a connection or a server failed, if it is a known one."""
    text = str(error)
    is_conflict = isinstance(error, duckdb.TransactionException)
    for sign, cause in CAUSES.items():
        if ("conflict" not in sign or is_conflict) and (found := re.search(sign, text)):
            return cause.format(*found.groups())
    return None


def translated(error: duckdb.Error, where: str, state: str = "") -> EngineError:
    """Return an EngineError for a DuckDB error, without the values that DuckDB may quote."""
    text = str(error)
    kind = type(error).__name__.removesuffix("Exception").removesuffix("Error")
    if "failed to offload" in text or "max_temp_directory_size" in text:
        what = (
            "temporary files have filled their disk or reached max_temp_directory_size (by default "
            "nine tenths of the free space). Choose a --temp-directory with more space, or raise "
            "--memory-limit"
        )
    elif isinstance(error, duckdb.OutOfMemoryException):
        what = "the memory limit is too small for this run. Raise --memory-limit"
    elif "No space left" in text or "not enough disk" in text.lower() or "(os error 28)" in text:
        what = (
            "the disk is full. Free some space, choose a larger --temp-directory, or raise "
            "--memory-limit"
        )
    elif "File too large" in text:
        what = "the file system does not allow a file of this size"
    elif isinstance(error, duckdb.IOException) and re.search(DENIED, text):
        what = "permission to write was denied. For a read-only database, add --read-only"
    elif isinstance(error, duckdb.TransactionException) and "single attached database" in text:
        what = "the open transaction has already changed another database. Commit it first"
    elif cause := cause_of(error):
        what = cause
    else:
        what = f"DuckDB reported a {kind} error"
    hint = "" if DEBUG else " (PPDT_DEBUG=1 shows DuckDB's own message, which may quote values)"
    return EngineError(f"{what}; in {where}.{state}{hint}")


def unopened(error: duckdb.Error, path: Path | None) -> EngineError | RequestError:
    """Return the error for a database that cannot be opened."""
    text = str(error)
    if re.search(r"\block\b|used by another process", text):
        holder = re.search(r"PID (\d+)", text)
        who = f"process {holder.group(1)}" if holder else "another process"
        return EngineError(f"{path} is locked by {who}. Close it there or wait, then try again.")
    if "newer version" in text or "storage version" in text or "version number" in text:
        return RequestError(
            f"{path} was written by a newer DuckDB than {duckdb.__version__}, which is installed "
            "here. Upgrade duckdb."
        )
    if "without a key" in text:
        return RequestError(f"{path} is encrypted. Give the file with its key: --db-key-file.")
    if "Corrupt database" in text or "checksum" in text:
        return RequestError(
            f"{path} is damaged: its checksums do not match. Restore it from a backup."
        )
    if "not a valid DuckDB" in text or "Could not read" in text:
        return RequestError(f"{path} is not a DuckDB database file.")
    if isinstance(error, duckdb.InvalidInputException | duckdb.ParserException):
        return RequestError("invalid setting: check --memory-limit (such as 4GB) and --threads.")
    return translated(error, f"opening {path or 'a database in memory'}")
