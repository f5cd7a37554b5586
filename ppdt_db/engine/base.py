"""What an engine is to everybody else: it keeps the relations of a run, and answers with counts.

The engine decides how a step is kept: DuckDB as a temporary table, Spark as a checkpointed view.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from ppdt_db.errors import EngineError
from ppdt_db.given import plain
from ppdt_db.names import Sql
from ppdt_db.template import Statement, render

Row = tuple[object, ...]
Name = str | tuple[str, ...]
Nothing: Mapping[str, object] = {}


class Engine(ABC):
    """Runs steps, and keeps what they make until the run ends."""

    dialect: str
    widest_word: int
    """How many bits of an integer may hold packed codes."""
    tries: int
    """How many attributes are tried one by one before all the rest at once: few where every
    statement has its price, however little it reads."""

    aftermath = ""
    """What an error leaves, where that must be said: "Nothing was released."."""
    recurses: bool
    """Whether one statement may go on from its own rows, however often and however many."""

    def __init__(self) -> None:
        self.is_inside_transaction = False
        self._made: set[str] = set()

    # -- what every engine does in its own way ---------------------------------------------------

    @abstractmethod
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
        """Keep a step as the relation that its file is named after; returns the name.

        A loop of many turns gives the statement itself, rendered once. What a single later step
        reads, with the same parameters and before anything below it changes (`once`), becomes a
        part of that step. What takes little to make again (`light`) is kept only where a further
        statement costs little.
        """

    @abstractmethod
    def append(
        self,
        step: str | Statement,
        to: Name,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Add the rows of a step to a relation that exists."""

    @abstractmethod
    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a relation of ours whose key a step names."""

    @abstractmethod
    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """The rows of a step, for counts and trees."""

    @abstractmethod
    def run(self, step: str, names: Mapping[str, object] = Nothing) -> None:
        """Carry out a step that gives no rows."""

    @abstractmethod
    def rename(self, name: str, to: str) -> None:
        """Let a relation of ours take the place of another."""

    @abstractmethod
    def drop(self, *names: str) -> None:
        """Remove relations of ours."""

    @abstractmethod
    def describe(self, relation: Sql) -> list[tuple[str, str]]:
        """The columns of a relation and their types, as DuckDB names them."""

    @property
    @abstractmethod
    def versions(self) -> Mapping[str, str]:
        """What ran, for the certificate."""

    # -- what follows ----------------------------------------------------------------------------

    def row(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> Row:
        """The one row of a step."""
        return self.rows(step, params, names)[0]

    def count(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> int:
        """The one number of a step that counts."""
        value = self.row(step, params, names)[0]
        assert isinstance(value, int)
        return value

    def keep(self, name: str) -> None:
        """Leave a relation in place as long as the connection lasts."""
        self._made.discard(name)

    def clear(self) -> None:
        """Remove every relation that this engine made."""
        self.drop(*sorted(self._made))

    @contextmanager
    def cleared(self) -> Iterator[None]:
        """Remove the relations at the end, also after an error."""
        try:
            yield
        except BaseException:
            try:
                self.clear()
            except EngineError:
                # The first error is raised: the caller's transaction is aborted, and its roll-back
                # removes them, or the engine is gone with all that it held.
                self._made.clear()
            raise
        self.clear()

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Everything inside or nothing, where the engine has transactions."""

    @abstractmethod
    def unordered(self) -> AbstractContextManager[None]:
        """Let the engine give up the order of insertion, which costs memory, and put it back."""


def rendered(step: str | Statement, names: Mapping[str, object]) -> Statement:
    """A step as a statement."""
    return step if isinstance(step, Statement) else render(step, names)


def bound_of(statement: Statement, params: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a statement, in order; raises where one has no value."""
    if missing := statement.params - params.keys():
        raise KeyError(f"{statement.step}: no value for {sorted(missing)}")
    return {name: plain(params[name]) for name in sorted(statement.params)}
