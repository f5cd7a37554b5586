"""Runs the statements of `sql/` on a DuckDB connection, and nothing else does.

The engine decides how a step is kept (temporary table, table, view, file), binds parameters, keeps
the script of the run, and turns DuckDB's errors, which quote values, into ours, which do not.
"""

import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.engine.contract import Engine, Name, Nothing, Row, bound_of, rendered
from ppdt_db.engine.interrupt import notice
from ppdt_db.engine.script import spelled
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.names import Sql
from ppdt_db.template import Statement, render

# Statements of the engine's own room that only look around are no part of the script of a run.
LOOKING = ("SELECT", "DESCRIBE")
DEBUG = bool(os.environ.get("PPDT_DEBUG"))


_running: dict[str, tuple[int, object]] = {}
_running_lock = threading.Lock()


class DuckEngine(Engine):
    """A DuckDB connection that runs steps."""

    dialect = "duckdb"
    widest_word = 126
    tries = 4

    def __init__(self, con: duckdb.DuckDBPyConnection, sql_log: TextIO | None = None) -> None:
        super().__init__()
        if not isinstance(con, duckdb.DuckDBPyConnection):
            raise RequestError(
                f"this runs in a DuckDB connection; what was given is a {type(con).__name__}."
            )
        self.con = con
        self._log = sql_log

    # -- steps ---------------------------------------------------------------------------------

    def make(
        self,
        step: str | Statement,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
        *,
        to: str | None = None,
        once: bool = False,
    ) -> str:
        """Keep a step as the temporary table that its file is named after; returns the name."""
        statement = rendered(step, names)
        name = to or "ppdt_" + statement.step.rpartition("/")[2]
        self._wrapped("engine/make_temp", statement, params, {"name": name})
        self._made.add(name)
        return name

    def append(
        self,
        step: str | Statement,
        to: Name,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Add the rows of a step to a table that exists."""
        self._wrapped("engine/append", rendered(step, names), params, {"name": to})

    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a temporary table whose key a step names."""
        self._wrapped("engine/delete", rendered(step, Nothing), Nothing, {"name": name, "key": key})

    def make_table(
        self,
        step: str,
        to: Name,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Keep a step as a table of the database."""
        self._wrapped("engine/make_table", render(step, names), params, {"name": to})

    def make_view(
        self, step: str, to: Name, names: Mapping[str, object], *, secure: bool, replace: bool
    ) -> None:
        """Keep a step as a view of the database."""
        wrapper = {"name": to, "secure": secure, "replace": replace}
        self._wrapped("engine/make_view", render(step, names), Nothing, wrapper)

    def copy(
        self,
        step: str,
        path: Path,
        form: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Write the rows of a step to a file."""
        self._wrapped(f"engine/copy_{form}", render(step, names), params, {"path": str(path)})

    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """The rows of a step, for counts and trees."""
        return self._execute(render(step, names), params)

    def run(
        self,
        step: str,
        names: Mapping[str, object] = Nothing,
        params: Mapping[str, object] = Nothing,
    ) -> None:
        """Carry out a step that gives no rows."""
        self._execute(render(step, names), params)

    def script(self, text: str, step: str) -> None:
        """Carry out the statements of a migration."""
        self._execute(Statement(step=step, header="", text=text, params=frozenset()), Nothing)

    def rename(self, name: str, to: str) -> None:
        """Let a temporary table take the place of another."""
        self.drop(to)
        self.run("engine/rename", {"name": name, "to": to})
        self._made.discard(name)
        self._made.add(to)

    def drop(self, *names: str) -> None:
        """Remove temporary tables of ours."""
        for name in names:
            self.run("engine/drop_table", {"name": ("temp", "main", name)})
            self._made.discard(name)

    def describe(self, relation: Sql) -> list[tuple[str, str]]:
        """The columns of a relation and their types."""
        rows = self.rows("engine/describe", names={"relation": relation})
        return [(str(row[0]), str(row[1])) for row in rows]

    @property
    def versions(self) -> Mapping[str, str]:
        """What ran, for the certificate."""
        return {"duckdb": duckdb.__version__}

    @property
    def database(self) -> str:
        """The name of the current database."""
        return str(next(row[0] for row in self.rows("engine/database") if row[4]))

    def held_bytes(self) -> tuple[int, int]:
        """The bytes that tables hold, and all else; for a thread that looks on.

        It takes no notice of a signal to stop, which is meant for the thread that works.
        """
        found = self.con.execute(render("engine/held", {}).text).fetchone()
        assert found is not None
        return int(found[0]), int(found[1])

    @property
    def temp_directory(self) -> Path | None:
        """Where DuckDB writes what does not fit into memory."""
        place = self.row("engine/setting", {"name": "temp_directory"})[0]
        return Path(str(place)) if place else None

    # -- transactions and settings -------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside or nothing; an open transaction of the caller stays the caller's."""
        # Asking with a second BEGIN would abort the caller's transaction.
        first, second = (self.count("engine/transaction") for _ in range(2))
        self.is_inside_transaction = first == second
        if self.is_inside_transaction:
            yield
            return
        self.con.begin()
        self._write("BEGIN TRANSACTION")
        try:
            yield
            self.con.commit()
        except BaseException as error:
            self._roll_back()
            if isinstance(error, duckdb.Error):
                raise self._translated(error, "commit") from None
            raise
        self._write("COMMIT")

    def _roll_back(self) -> None:
        try:
            self.con.rollback()
        except duckdb.Error:
            # An engine that has lost its file has nothing left to undo; the first error is raised.
            return

    @contextmanager
    def unordered(self) -> Iterator[None]:
        """Let the engine give up the order of insertion, which costs memory, and put it back."""
        setting = "preserve_insertion_order"
        with self.con.cursor() as cursor:
            engine = DuckEngine(cursor)
            # Runs beside each other in one database: the first one notes the setting, the last one
            # puts it back.
            place = str(sorted(map(str, engine.rows("engine/database"))))
            with _running_lock:
                n_running, before = _running.get(place, (0, None))
                if n_running == 0:
                    before = engine.row("engine/setting", {"name": setting})[0]
                _running[place] = (n_running + 1, before)
                engine.run("engine/set", {"name": setting, "value": False})
            try:
                yield
            finally:
                with _running_lock:
                    n_running, before = _running.pop(place)
                    if n_running > 1:
                        _running[place] = (n_running - 1, before)
                    else:
                        engine.run("engine/set", {"name": setting, "value": before})

    # -- execution -----------------------------------------------------------------------------

    def _wrapped(
        self,
        wrapper: str,
        statement: Statement,
        params: Mapping[str, object],
        names: Mapping[str, object],
    ) -> None:
        outer = render(wrapper, {**names, "body": Sql(statement.text)})
        whole = Statement(
            step=statement.step,
            header=statement.header,
            text=outer.text,
            params=statement.params,
        )
        self._execute(whole, params)

    def _execute(self, statement: Statement, params: Mapping[str, object]) -> list[Row]:
        bound = bound_of(statement, params)
        if not statement.step.startswith("engine/") or not statement.text.startswith(LOOKING):
            self._write(statement.text, statement.step, bound)
        if notice():
            raise KeyboardInterrupt
        try:
            # An open result owns the connection: fetch at once.
            return self.con.execute(statement.text, bound or None).fetchall()
        except duckdb.InterruptException:
            notice()
            raise KeyboardInterrupt from None
        except RuntimeError as error:
            if "interrupted" in str(error):
                notice()
                raise KeyboardInterrupt from None
            raise
        except duckdb.Error as error:
            raise self._translated(error, statement.step) from (error if DEBUG else None)

    def _translated(self, error: duckdb.Error, step: str) -> EngineError | RequestError:
        state = ""
        if self.is_inside_transaction:
            state = " Your open transaction is aborted: roll it back."
        return translated(error, f"step {step}", state)

    def _write(
        self, text: str, step: str | None = None, params: Mapping[str, object] = Nothing
    ) -> None:
        if self._log is not None:
            if step is not None:
                self._log.write(f"-- {step}\n")
            self._log.write(spelled(text, params) + ";\n\n")


def only_duckdb(engine: Engine, what: str) -> DuckEngine:
    """The engine, where it is DuckDB; the request is refused by name where it is another."""
    if isinstance(engine, DuckEngine):
        return engine
    raise RequestError(f"{what} is not to be had on {engine.dialect}. Leave it out, or use DuckDB.")


def translated(error: duckdb.Error, where: str, state: str = "") -> EngineError | RequestError:
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
    elif isinstance(error, duckdb.IOException) and "ermission denied" in text:
        what = "permission to write was denied"
    elif "open result" in text:
        what = "the connection has an open result. Fetch or close it first"
    elif isinstance(error, duckdb.TransactionException) and "single attached database" in text:
        what = "the open transaction has already changed another database. Commit it first"
    else:
        what = f"DuckDB reported a {kind} error"
    hint = "" if DEBUG else " (PPDT_DEBUG=1 shows DuckDB's own message, which may quote values)"
    return EngineError(f"{what}; in {where}. Nothing was released.{state}{hint}")


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
        config["memory_limit"] = memory_limit
    if temp_directory is not None:
        config["temp_directory"] = str(temp_directory)
    if path is not None and not path.exists():
        raise RequestError(f"database file {path} does not exist. Check --db.")
    try:
        con = duckdb.connect(str(path or ":memory:"), read_only=read_only, config=config)
    except duckdb.Error as error:
        raise unopened(error, path) from (error if DEBUG else None)
    # DuckDB draws its own bar on stdout, into the middle of what --json prints.
    DuckEngine(con).run("engine/set", {"name": "enable_progress_bar", "value": False})
    return con


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
    return translated(error, f"opening {path}")
