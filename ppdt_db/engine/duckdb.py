"""Execute the statements of `sql/` on a DuckDB connection.

The engine keeps a step as a temporary table, table, view or file, binds parameters, writes the
script of the run, and translates DuckDB's errors, which quote values.
"""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.engine.base import Engine, Name, Nothing, Row, bound_of, rendered
from ppdt_db.engine.duckdb_errors import translated
from ppdt_db.engine.interrupt import notice, uninterrupted
from ppdt_db.engine.script import MadeUp, inline_parameters, logged
from ppdt_db.engine.settings import without_order
from ppdt_db.errors import DEBUG, EngineError, RequestError
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.sqltext.templates import Statement, render

# Read-only statements of `lib/engine` are not part of the script of a run.
READ_ONLY = ("SELECT", "DESCRIBE")
# DuckDB releases a detached file when its last reader has ended. Until then it cannot be attached
# again, and a statement that lists all databases may fail on it.
ATTACH = "lib/engine/attach"
HELD = "Unique file handle conflict"
PATIENCE = (0.01,) * 50 + (0.1,) * 100
NAME = re.compile(r"\bppdt_\w+")


class DuckEngine(Engine):
    """An engine on a DuckDB connection."""

    dialect = "duckdb"
    widest_word = 126
    tries = 4
    recurses = True

    def __init__(self, con: duckdb.DuckDBPyConnection, sql_log: TextIO | None = None) -> None:
        super().__init__()
        if not isinstance(con, duckdb.DuckDBPyConnection):
            raise RequestError(f"expected a DuckDB connection, got a {type(con).__name__}.")
        self.con = con
        self._log = sql_log
        self._deferred: dict[str, Statement] = {}
        self.is_checked = False
        """True once the settings and macros of the connection have been checked."""

    # -- steps ---------------------------------------------------------------------------------

    def _make(
        self,
        name: str,
        statement: Statement,
        params: Mapping[str, object],
        *,
        inline: bool,
        light: bool,
    ) -> None:
        if inline:
            self._deferred[name] = statement
        else:
            self._made.add(name)
            self._wrapped("lib/engine/make_temp", statement, params, {"name": name})

    def _append(self, to: Name, statement: Statement, params: Mapping[str, object]) -> None:
        self._wrapped("lib/engine/append", statement, params, {"name": to})

    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a temporary table whose key is in the rows of a step."""
        self._wrapped(
            "lib/engine/delete", rendered(step, Nothing), Nothing, {"name": name, "key": key}
        )

    def make_table(
        self,
        step: str,
        to: Name,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Keep a step as a table of the database."""
        self._wrapped("lib/engine/make_table", render(step, names), params, {"name": to})

    def make_view(
        self, step: str, to: Name, names: Mapping[str, object], *, secure: bool, replace: bool
    ) -> None:
        """Keep a step as a view of the database."""
        wrapper = {"name": to, "secure": secure, "replace": replace}
        self._wrapped("lib/engine/make_view", render(step, names), Nothing, wrapper)

    def copy(self, step: str, path: Path, form: str, names: Mapping[str, object]) -> None:
        """Write the rows of a step to a file."""
        self._wrapped(f"lib/engine/copy_{form}", render(step, names), Nothing, {"path": str(path)})

    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """Return the rows of a step; for counts and trees."""
        return self._execute(self._with_inlined(render(step, names)), params)

    def run(
        self,
        step: str,
        names: Mapping[str, object] = Nothing,
        params: Mapping[str, object] = Nothing,
    ) -> None:
        """Execute a step that returns no rows."""
        self._execute(render(step, names), params)

    def script(self, text: str, step: str) -> None:
        """Execute the statements of a migration."""
        self._execute(Statement(step=step, header="", text=text, params=frozenset()), Nothing)

    def rename(self, name: str, to: str) -> None:
        """Replace a temporary table by another."""
        self.drop(to)
        self.run("lib/engine/rename", {"name": name, "to": to})
        self._made.discard(name)
        self._made.add(to)

    def drop(self, *names: str) -> None:
        """Drop those of these temporary tables that this engine has made."""
        for name in names:
            self._deferred.pop(name, None)
            if name in self._made:
                self.run("lib/engine/drop_table", {"name": ("temp", "main", name)})
                self._made.discard(name)

    def clear(self) -> None:
        """Drop every temporary table that this engine has made, and forget what was put off."""
        self._deferred.clear()
        super().clear()

    def describe(self, relation: Sql) -> list[tuple[str, str]]:
        """Return the columns of a relation and their types."""
        rows = self.rows("lib/engine/describe", names={"relation": relation})
        return [(str(row[0]), str(row[1])) for row in rows]

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of DuckDB, for the certificate."""
        return {"duckdb": duckdb.__version__}

    @property
    def database(self) -> str:
        """The name of the current database."""
        return str(next(row[0] for row in self.rows("lib/engine/database") if row[4]))

    def held_bytes(self) -> tuple[int, int]:
        """Return the bytes held by tables and by all else; safe to call from a watcher thread.

        It ignores interrupts, which are meant for the working thread.
        """
        row = self.con.execute(render("lib/engine/held", {}).text).fetchone()
        assert row is not None
        return int(row[0]), int(row[1])

    @property
    def temp_directory(self) -> Path | None:
        """The directory that DuckDB spills to."""
        directory = self.row("lib/engine/setting", {"name": "temp_directory"})[0]
        return Path(str(directory)) if directory else None

    # -- transactions and settings -------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in a transaction; an open transaction of the caller stays open."""
        if self.is_inside():
            yield
            return
        self.con.begin()
        self._write("BEGIN TRANSACTION")
        try:
            yield
            self._write("COMMIT")
            with uninterrupted():
                self.con.commit()
        except BaseException as error:
            self._roll_back()
            if isinstance(error, duckdb.Error):
                raise self._translated(error, "commit") from None
            raise

    @contextmanager
    def undone(self, name: Name) -> Iterator[None]:
        """Create a view for the duration of the block, and leave no trace of it."""
        if self.is_inside():
            self.run("lib/engine/probe", {"name": name})
            yield
            self.run("lib/engine/drop_view", {"name": name})
            return
        self.con.begin()
        try:
            self.run("lib/engine/probe", {"name": name})
            yield
        finally:
            self._roll_back()

    def is_inside(self) -> bool:
        """Return whether the caller has an open transaction; a second BEGIN would abort it."""
        first, second = (self.count("lib/engine/transaction") for _ in range(2))
        self.is_inside_transaction = first == second
        return self.is_inside_transaction

    def _roll_back(self) -> None:
        try:
            self.con.rollback()
        except duckdb.Error:
            # An engine that has lost its file has nothing to undo; the first error is raised.
            return

    @contextmanager
    def attached(self, path: Path, name: str, *, read_only: bool) -> Iterator[None]:
        """Attach a database file under a name while the block lasts."""
        self.run("lib/engine/attach", {"path": str(path), "name": name, "read_only": read_only})
        try:
            yield
        finally:
            self.run("lib/engine/detach", {"name": name})

    @contextmanager
    def inside(self, database: str) -> Iterator[None]:
        """Make another database the current one in the block, and restore the search path."""
        if database == self.database:
            yield
            return
        path = self.row("lib/engine/setting", {"name": "search_path"})[0]
        self.run("lib/engine/use", {"name": (database, "main")})
        try:
            yield
        finally:
            # Schemas without a database refer to the first database: reset the path first.
            for value in ("", path):
                self.run("lib/engine/set", {"name": "search_path", "value": value})

    @contextmanager
    def unordered(self) -> Iterator[None]:
        """Let DuckDB ignore insertion order in the block, which saves memory."""
        if self.row("lib/engine/setting", {"name": "lock_configuration"})[0]:
            yield
            return
        cursor = self.con.cursor()
        with without_order(DuckEngine(cursor), cursor.close):
            yield

    # -- execution -----------------------------------------------------------------------------

    def _with_inlined(self, statement: Statement) -> Statement:
        """Return a statement with the deferred steps that it reads inlined."""
        read = set(NAME.findall(statement.text))
        parts: dict[str, Statement] = {}
        for name in reversed(list(self._deferred)):
            if name in read:
                part = self._deferred.pop(name)
                parts = {name: part, **parts}
                read.update(NAME.findall(part.text))
        if not parts:
            return statement
        given = {n: {"step": Sql(part.step), "text": Sql(part.text)} for n, part in parts.items()}
        text = render("lib/engine/inlined", {"given": given, "body": Sql(statement.text)}).text
        params = statement.params.union(*(part.params for part in parts.values()))
        return replace(statement, text=text, params=params)

    def _wrapped(
        self,
        wrapper: str,
        statement: Statement,
        params: Mapping[str, object],
        names: Mapping[str, object],
    ) -> None:
        statement = self._with_inlined(statement)
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
        if not statement.step.startswith("lib/engine/") or not statement.text.startswith(READ_ONLY):
            self._write(statement.text, statement.step, bound)
        if reason := notice():
            raise reason
        try:
            return self._fetched(statement, bound)
        except duckdb.InterruptException:
            raise (notice() or KeyboardInterrupt) from None
        except RuntimeError as error:
            if "interrupted" in str(error):
                raise (notice() or KeyboardInterrupt) from None
            raise
        except duckdb.Error as error:
            raise self._translated(error, statement.step) from (error if DEBUG else None)

    def _fetched(self, statement: Statement, bound: Mapping[str, object]) -> list[Row]:
        """Fetch all rows; retry while another run is detaching a database.

        An open result would occupy the connection.
        """
        is_read_only = statement.step.startswith("lib/engine/") and statement.text.startswith(
            READ_ONLY
        )
        may_retry = is_read_only or statement.step == ATTACH
        for wait in PATIENCE if may_retry else ():
            try:
                return self.con.execute(statement.text, bound or None).fetchall()
            except duckdb.Error as error:
                is_conflict = isinstance(error, duckdb.TransactionException)
                is_aborted = "aborted" in str(error)
                if is_aborted or not (is_conflict or HELD in str(error)):
                    raise
                time.sleep(wait)
        return self.con.execute(statement.text, bound or None).fetchall()

    def _translated(self, error: duckdb.Error, step: str) -> EngineError:
        state = f" {self.aftermath}" if self.aftermath else ""
        if self.is_inside_transaction:
            state += " Your open transaction is aborted: roll it back."
        return translated(error, f"step {step}", state)

    def _write(
        self, text: str, step: str | None = None, params: Mapping[str, object] = Nothing
    ) -> None:
        if self._log is not None:
            head = "" if step is None else f"-- {step}\n"
            is_made_up = isinstance(self._log, MadeUp)
            logged(
                self._log,
                f"{head}{inline_parameters(text, params, is_made_up=is_made_up)};\n\n",
                self.aftermath,
            )


def only_duckdb(engine: Engine, what: str) -> DuckEngine:
    """Return the engine if it is DuckDB; otherwise refuse the request by name."""
    if isinstance(engine, DuckEngine):
        return engine
    raise RequestError(
        f"{what} is not supported on {engine.dialect.capitalize()}. Remove it, or use DuckDB."
    )
