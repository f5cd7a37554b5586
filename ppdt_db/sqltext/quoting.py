"""Quoting of names and literals: the only way for text to enter a statement."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ppdt_db.arguments import plain

RESERVED = "ppdt_"
# The most faults of one kind that are listed; a wide source can have one per column.
MOST_TOLD = 20


class Sql(str):
    """Text that is safe in a statement, because a function of this module quoted it."""

    __slots__ = ()


class Private(str):
    """A parameter that must not be logged, such as the pseudonym key."""

    __slots__ = ()


class Listed(list[object]):
    """A list that may be logged: ids, codes and counts of the run itself, no values."""

    __slots__ = ()


def listed(params: Mapping[str, Iterable[object]]) -> dict[str, object]:
    """Mark lists among the parameters as safe to log, so that a run's script can be replayed."""
    return {name: Listed(items) for name, items in params.items()}


def list_names(columns: Sequence[str], most: int = 8) -> str:
    """Return column names for a sentence; of many, only the first."""
    shown = ", ".join(f'"{column}"' for column in columns[:most])
    return shown if len(columns) <= most else f"{shown} and {len(columns) - most} more"


def ident(name: object) -> Sql:
    """Quote a name, or a path of names such as ("schema", "table"), for use as an identifier.

    >>> print(ident('the "b" column'))
    "the ""b"" column"
    """
    if isinstance(name, tuple):
        return Sql(".".join(ident(part) for part in name))
    if not isinstance(name, str) or not name or "\x00" in name:
        raise ValueError("an identifier must be non-empty text without NUL characters")
    return Sql('"' + name.replace('"', '""') + '"')


def literal(value: object) -> Sql:
    """Write a value where a parameter cannot stand: in a view, a COPY, a file function."""
    value = plain(value)
    if value is None:
        return Sql("NULL")
    if isinstance(value, bool):
        return Sql("TRUE" if value else "FALSE")
    if isinstance(value, int | float):
        return Sql(repr(value))
    if isinstance(value, str):
        if "\x00" in value:
            raise ValueError("text with NUL characters cannot be put in a statement")
        return Sql("'" + value.replace("'", "''") + "'")
    if isinstance(value, list | tuple):
        return Sql("[" + ", ".join(literal(item) for item in value) + "]")
    raise TypeError(f"no literal form for {type(value).__name__}")


def parameter(name: object) -> Sql:
    """Return the placeholder of a bound parameter, for a part used with several of them."""
    if not isinstance(name, str) or not name.startswith("$") or not name[1:].isidentifier():
        raise ValueError("a parameter is written $name")
    return Sql(name)


PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parts_of(name: str) -> tuple[str, ...]:
    """Split a name as DuckDB reads it; text that is not such a name is one part.

    >>> parts_of('hr."a.b"')
    ('hr', 'a.b')
    >>> parts_of('my "own" table')
    ('my "own" table',)
    """
    parts: list[str] = []
    start = 0
    while match := PART.match(name, start):
        quoted, plain = match.groups()
        parts.append(plain if quoted is None else quoted.replace('""', '"'))
        start = match.end()
        if start == len(name):
            return tuple(parts)
        if name[start] != ".":
            break
        start += 1
    return (name,)


def join_path(path: Iterable[object]) -> str:
    """Return a full name, quoted where it must be; `parts_of` reads it back.

    >>> join_path(("clinic", "hr", "my table"))
    'clinic.hr."my table"'
    """
    return ".".join(p if PLAIN.fullmatch(p) else ident(p) for p in map(str, path))


def normalize_name(name: str) -> str:
    """Return the form in which DuckDB compares names: ASCII letters in lower case."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def by_normal_name(names: Iterable[str]) -> dict[str, str]:
    """Return names under the form in which DuckDB compares them."""
    return {normalize_name(name): name for name in names}


def is_reserved(name: str) -> bool:
    """Return whether a name has the prefix of this package's own relations."""
    return normalize_name(name).startswith(RESERVED)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' Did you mean "age"?' for a misspelt name, or an empty text."""
    by_fold = by_normal_name(known)
    close = difflib.get_close_matches(normalize_name(name), by_fold, n=1, cutoff=0.6)
    return f' Did you mean "{by_fold[close[0]]}"?' if close else ""


def unknown_column(role: str, name: str, columns: Iterable[str]) -> str:
    """Return the fault of a name that is no column of the source."""
    return f'{role} "{name}": the source has no such column.{did_you_mean(name, columns)}'


def unknown_columns(names_of: Mapping[str, Iterable[str]], columns: Iterable[str]) -> list[str]:
    """Return the faults of the names, by role, that are no columns of the source."""
    known = by_normal_name(columns)
    return [
        unknown_column(role, name, known.values())
        for role, names in names_of.items()
        for name in names
        if normalize_name(name) not in known
    ]


def shorten_faults(names: Sequence[str], fault: Callable[[str], str], more: str) -> list[str]:
    """Return a fault for each of the first names, and a count of the remaining ones.

    >>> shorten_faults(["a", "b"], lambda name: f"{name}: no role.", "columns without a role")
    ['a: no role.', 'b: no role.']
    """
    n_more = len(names) - MOST_TOLD
    faults = [fault(name) for name in names[:MOST_TOLD]]
    return [*faults, f"... and {n_more:,} more {more}."] if n_more > 0 else faults
