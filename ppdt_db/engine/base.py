"""The interface of an engine: it runs steps, keeps their relations, and returns counts.

DuckDB keeps a step as a temporary table, Spark as a checkpointed view.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from ppdt_db.arguments import plain
from ppdt_db.errors import EngineError
from ppdt_db.sqltext.quoting import Sql, listed
from ppdt_db.sqltext.templates import Statement, render

Row = tuple[object, ...]
Name = str | tuple[str, ...]
Nothing: Mapping[str, object] = {}


class Engine(ABC):
    """Runs steps, and keeps their relations until the run ends."""

    dialect: str
    widest_word: int
    """The number of bits of an integer that may hold packed codes."""
    tries: int
    """The number of attributes tried one by one before all the others at once.

    Low where every statement is expensive, however little it reads."""

    aftermath = ""
    """The consequence of an error for the user, such as "Nothing was released."; may be empty."""
    recurses: bool
    """True if a statement may recurse over its own rows without a limit."""

    def __init__(self) -> None:
        self.is_inside_transaction = False
        self._made: set[str] = set()

    # -- what every engine implements ------------------------------------------------------------

    @abstractmethod
    def _make(
        self,
        name: str,
        statement: Statement,
        params: Mapping[str, object],
        *,
        inline: bool,
        light: bool,
    ) -> None:
        """Keep a statement as a relation of this run."""

    @abstractmethod
    def _append(self, to: Name, statement: Statement, params: Mapping[str, object]) -> None:
        """Add the rows of a statement to an existing relation."""

    @abstractmethod
    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a relation of this run whose key is in the rows of a step."""

    @abstractmethod
    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """Return the rows of a step; for counts and trees."""

    @abstractmethod
    def run(self, step: str, names: Mapping[str, object] = Nothing) -> None:
        """Execute a step that returns no rows."""

    @abstractmethod
    def rename(self, name: str, to: str) -> None:
        """Replace a relation of this run by another."""

    @abstractmethod
    def drop(self, *names: str) -> None:
        """Remove relations of this run."""

    @abstractmethod
    def describe(self, relation: Sql) -> list[tuple[str, str]]:
        """Return the columns of a relation and their types, in DuckDB's names."""

    @property
    @abstractmethod
    def versions(self) -> Mapping[str, str]:
        """The versions of the engine, for the certificate."""

    # -- shared ----------------------------------------------------------------------------------

    def make(
        self,
        step: str | Statement,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
        *,
        to: str | None = None,
        inline: bool = False,
        light: bool = False,
    ) -> str:
        """Keep a step as the relation that its file is named after; return the name.

        Pass a statement instead of a step's name to render it only once for a loop. With `inline`
        the step becomes a part of the one later step that reads it, with the same parameters and
        before anything below it changes. With `light` a step that is cheap to recompute is kept
        only where a further statement is cheap.
        """
        statement = rendered(step, names)
        name = to or "ppdt_" + statement.step.rpartition("/")[2]
        self._make(name, statement, params, inline=inline, light=light)
        return name

    def append(
        self,
        step: str | Statement,
        to: Name,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Add the rows of a step to an existing relation."""
        self._append(to, rendered(step, names), params)

    def load(
        self,
        name: str,
        columns: Mapping[str, str],
        rows: Iterable[Row],
        *,
        is_logged: bool = False,
    ) -> str:
        """Keep rows of Python as a relation with these column types; return its name.

        Set `is_logged` only for ids, codes and counts of the run itself, never for values.
        """
        found = list(rows)
        lists = {column: [row[place] for row in found] for place, column in enumerate(columns)}
        types = [{"name": column, "type": Sql(type_name)} for column, type_name in columns.items()]
        statement = replace(
            render("lib/engine/rows", {"columns": types}), params=frozenset(columns)
        )
        return self.make(statement, listed(lists) if is_logged else lists, to=name)

    def row(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> Row:
        """Return the only row of a step."""
        return self.rows(step, params, names)[0]

    def count(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> int:
        """Return the only number of a step."""
        value = self.row(step, params, names)[0]
        assert isinstance(value, int)
        return value

    def keep(self, name: str) -> None:
        """Keep a relation beyond the run, as long as the connection lasts."""
        self._made.discard(name)

    def clear(self) -> None:
        """Remove every relation that this engine made."""
        self.drop(*sorted(self._made))

    @contextmanager
    def cleared(self) -> Iterator[None]:
        """Remove the relations when the block ends, also after an error."""
        try:
            yield
        except BaseException:
            try:
                self.clear()
            except EngineError:
                # Raise the first error: the roll-back of the caller's aborted transaction removes
                # the relations, or the engine is gone with everything that it held.
                self._made.clear()
            raise
        self.clear()

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Run the block in a transaction, where the engine has transactions."""

    @abstractmethod
    def unordered(self) -> AbstractContextManager[None]:
        """Let the engine ignore insertion order in the block, which saves memory."""


def rendered(step: str | Statement, names: Mapping[str, object]) -> Statement:
    """Return a step as a statement."""
    return step if isinstance(step, Statement) else render(step, names)


def bound_of(statement: Statement, params: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters of a statement in order; raise KeyError for a missing value."""
    if missing := statement.params - params.keys():
        raise KeyError(f"{statement.step}: no value for {sorted(missing)}")
    return {name: plain(params[name]) for name in sorted(statement.params)}
