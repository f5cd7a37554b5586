"""Runs the statements of `sql/` on a DuckDB connection, and nothing else does.

The engine decides how a step is kept (temporary table, table, view, file), binds parameters, keeps
the script of the run, and turns DuckDB's errors, which quote values, into ours, which do not.
"""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.engine.contract import Engine, Name, Nothing, Row, bound_of, rendered
from ppdt_db.engine.duckdb_errors import DEBUG, translated
from ppdt_db.engine.interrupt import notice, uninterrupted
from ppdt_db.engine.order import without_order
from ppdt_db.engine.script import MadeUp, logged, spelled
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.names import Sql
from ppdt_db.template import Statement, render

# Statements of the engine's own room that only look around are no part of the script of a run.
LOOKING = ("SELECT", "DESCRIBE")
# DuckDB lets go of a file that was detached when the last one that looked at it has ended: until
# then it cannot be attached again, and whoever looks at all databases may meet one that goes.
ATTACH = "engine/attach"
HELD = "Unique file handle conflict"
PATIENCE = (0.01,) * 50 + (0.1,) * 100
NAME = re.compile(r"\bppdt_\w+")


class DuckEngine(Engine):
    """A DuckDB connection that runs steps."""

    dialect = "duckdb"
    widest_word = 126
    tries = 4
    recurses = True

    def __init__(self, con: duckdb.DuckDBPyConnection, sql_log: TextIO | None = None) -> None:
        super().__init__()
        if not isinstance(con, duckdb.DuckDBPyConnection):
            raise RequestError(
                f"this runs in a DuckDB connection; what was given is a {type(con).__name__}."
            )
        self.con = con
        self._log = sql_log
        self._put_off: dict[str, Statement] = {}
        self.is_checked = False
        """Whether its settings and macros were found harmless."""

    # -- steps ---------------------------------------------------------------------------------

    def make(
        self,
        step: str | Statement,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
        *,
        to: str | None = None,
        once: bool = False,
        light: bool = False,
    ) -> str:
        """Keep a step as the temporary table that its file is named after; returns the name."""
        statement = rendered(step, names)
        name = to or "ppdt_" + statement.step.rpartition("/")[2]
        self._made.add(name)
        if once:
            self._put_off[name] = statement
        else:
            self._wrapped("engine/make_temp", statement, params, {"name": name})
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

    def copy(self, step: str, path: Path, form: str, names: Mapping[str, object]) -> None:
        """Write the rows of a step to a file."""
        self._wrapped(f"engine/copy_{form}", render(step, names), Nothing, {"path": str(path)})

    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """The rows of a step, for counts and trees."""
        return self._execute(self._filled_in(render(step, names)), params)

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
            self._put_off.pop(name, None)
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
        """A view of that name, which stands for as long as the block lasts and was never there."""
        if self.is_inside():
            self.run("engine/probe", {"name": name})
            yield
            self.run("engine/drop_view", {"name": name})
            return
        self.con.begin()
        try:
            self.run("engine/probe", {"name": name})
            yield
        finally:
            self._roll_back()

    def is_inside(self) -> bool:
        """Whether the caller has a transaction open; asking with a second BEGIN would abort it."""
        first, second = (self.count("engine/transaction") for _ in range(2))
        self.is_inside_transaction = first == second
        return self.is_inside_transaction

    def _roll_back(self) -> None:
        try:
            self.con.rollback()
        except duckdb.Error:
            # An engine that has lost its file has nothing left to undo; the first error is raised.
            return

    @contextmanager
    def attached(self, path: Path, name: str, *, read_only: bool) -> Iterator[None]:
        """A database file under a name, for as long as the block lasts."""
        self.run("engine/attach", {"path": str(path), "name": name, "read_only": read_only})
        try:
            yield
        finally:
            self.run("engine/detach", {"name": name})

    @contextmanager
    def inside(self, database: str) -> Iterator[None]:
        """Let names without a database mean those of this one, and put the search path back."""
        if database == self.database:
            yield
            return
        path = self.row("engine/setting", {"name": "search_path"})[0]
        self.run("engine/use", {"name": (database, "main")})
        try:
            yield
        finally:
            # A path that names schemas alone means those of the first database: begin from there.
            for value in ("", path):
                self.run("engine/set", {"name": "search_path", "value": value})

    @contextmanager
    def unordered(self) -> Iterator[None]:
        """Let the engine give up the order of insertion, which costs memory, and put it back."""
        if self.row("engine/setting", {"name": "lock_configuration"})[0]:
            yield
            return
        cursor = self.con.cursor()
        with without_order(DuckEngine(cursor), cursor.close):
            yield

    # -- execution -----------------------------------------------------------------------------

    def _filled_in(self, statement: Statement) -> Statement:
        """A step together with the steps that it alone reads, which were put off until now."""
        read = set(NAME.findall(statement.text))
        given: dict[str, Statement] = {}
        for name in reversed(list(self._put_off)):
            if name in read:
                part = self._put_off.pop(name)
                given = {name: part, **given}
                read.update(NAME.findall(part.text))
        if not given:
            return statement
        parts = {n: {"step": Sql(part.step), "text": Sql(part.text)} for n, part in given.items()}
        text = render("engine/filled_in", {"given": parts, "body": Sql(statement.text)}).text
        params = statement.params.union(*(part.params for part in given.values()))
        return replace(statement, text=text, params=params)

    def _wrapped(
        self,
        wrapper: str,
        statement: Statement,
        params: Mapping[str, object],
        names: Mapping[str, object],
    ) -> None:
        statement = self._filled_in(statement)
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
        """Return all rows; what meets a database that another run lets go of is tried again.

        An open result owns the connection, so they are fetched at once.
        """
        is_look = statement.step.startswith("engine/") and statement.text.startswith(LOOKING)
        is_patient = is_look or statement.step == ATTACH
        for wait in PATIENCE if is_patient else ():
            try:
                return self.con.execute(statement.text, bound or None).fetchall()
            except duckdb.Error as error:
                is_going = isinstance(error, duckdb.TransactionException)
                is_lost = "aborted" in str(error)
                if is_lost or not (is_going or HELD in str(error)):
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
                f"{head}{spelled(text, params, is_made_up=is_made_up)};\n\n",
                self.aftermath,
            )


def only_duckdb(engine: Engine, what: str) -> DuckEngine:
    """The engine, where it is DuckDB; the request is refused by name where it is another."""
    if isinstance(engine, DuckEngine):
        return engine
    raise RequestError(f"{what} is not to be had on {engine.dialect}. Leave it out, or use DuckDB.")
