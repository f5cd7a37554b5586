"""Names of columns and relations that contain a position, as quoted properties for templates."""

from typing import Protocol

from ppdt_db.sqltext.quoting import Sql, ident


class HasPosition(Protocol):
    """An object that stands for one column of the source."""

    @property
    def position(self) -> int:
        """The position of the column in the run."""


class NumberedName:
    """A name that contains the position of its owner.

    >>> from types import SimpleNamespace
    >>> print(NumberedName("lo_%d").__get__(SimpleNamespace(position=2)))
    "lo_2"
    """

    def __init__(self, form: str) -> None:
        """Take the form of the name, such as `lo_%d`."""
        self.form = form

    def __get__(self, owner: HasPosition, _: type | None = None) -> Sql:
        """Return the name, quoted."""
        return ident(self.form % owner.position)


def names_in(owner: type) -> set[str]:
    """Return the numbered names of a class and of its bases."""
    return {
        name
        for base in owner.__mro__
        for name, it in vars(base).items()
        if isinstance(it, NumberedName)
    }
