"""Names and literals: the only doors through which text enters a statement."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ppdt_db.given import plain

RESERVED = "ppdt_"
# So many faults of one kind are told one by one; a wide source has as many as columns.
MOST_TOLD = 20


class Sql(str):
    """Text that is safe to stand in a statement: it came through one of the doors below."""

    __slots__ = ()


class Private(str):
    """A parameter that no log may show, such as the key of the pseudonyms."""

    __slots__ = ()


class Listed(list[object]):
    """A list that a log may show: ids, codes and counts of the run itself, no values."""

    __slots__ = ()


def listed(params: Mapping[str, Iterable[object]]) -> dict[str, object]:
    """Parameters whose lists a log may show, so that the script of a run can be replayed."""
    return {name: Listed(items) for name, items in params.items()}


def in_words(columns: Sequence[str], most: int = 8) -> str:
    """Columns in a sentence; of many, the first."""
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
            raise ValueError("text with NUL characters cannot stand in a statement")
        return Sql("'" + value.replace("'", "''") + "'")
    if isinstance(value, list | tuple):
        return Sql("[" + ", ".join(literal(item) for item in value) + "]")
    raise TypeError(f"no literal form for {type(value).__name__}")


def parameter(name: object) -> Sql:
    """The place of a bound parameter, for statements that use one part for several of them."""
    if not isinstance(name, str) or not name.startswith("$") or not name[1:].isidentifier():
        raise ValueError("a parameter reads $name")
    return Sql(name)


PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parts_of(name: str) -> tuple[str, ...]:
    """The parts of a name as DuckDB reads it; text that is no such name is one part as it stands.

    >>> parts_of('hr."a.b"')
    ('hr', 'a.b')
    >>> parts_of('my "own" table')
    ('my "own" table',)
    """
    parts: list[str] = []
    place = 0
    while found := PART.match(name, place):
        quoted, plain = found.groups()
        parts.append(plain if quoted is None else quoted.replace('""', '"'))
        place = found.end()
        if place == len(name):
            return tuple(parts)
        if name[place] != ".":
            break
        place += 1
    return (name,)


def spelled(path: Iterable[object]) -> str:
    """A full name as people write it: quoted where it must be; `parts_of` reads it back.

    >>> spelled(("clinic", "hr", "my table"))
    'clinic.hr."my table"'
    """
    return ".".join(p if PLAIN.fullmatch(p) else ident(p) for p in map(str, path))


def fold(name: str) -> str:
    """The form in which the engine compares names: it ignores the case of ASCII letters."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def is_reserved(name: str) -> bool:
    """Whether a name would meet one of our own relations."""
    return fold(name).startswith(RESERVED)


def nearest(name: str, known: Iterable[str]) -> str:
    """' Did you mean "age"?' for a misspelt name, or nothing."""
    by_fold = {fold(candidate): candidate for candidate in known}
    close = difflib.get_close_matches(fold(name), by_fold, n=1, cutoff=0.6)
    return f' Did you mean "{by_fold[close[0]]}"?' if close else ""


def told_of(names: Sequence[str], fault: Callable[[str], str], more: str) -> list[str]:
    """A fault for each of some names; of many, for the first ones, and how many more there are.

    >>> told_of(["a", "b"], lambda name: f"{name}: no role.", "columns without a role")
    ['a: no role.', 'b: no role.']
    """
    n_more = len(names) - MOST_TOLD
    faults = [fault(name) for name in names[:MOST_TOLD]]
    return [*faults, f"... and {n_more:,} more {more}."] if n_more > 0 else faults
