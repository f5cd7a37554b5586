"""Hierarchies as a user gives them: files, relations, expressions, and builders.

What a hierarchy says is kept as it was asked for; `taxonomy` computes it for a column.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from ppdt_db.errors import RequestError

ROOT = "*"
DATE_UNITS = ("day", "month", "quarter", "year", "decade")
Group: TypeAlias = Mapping[str, "Group"] | Sequence[object]


@dataclass(frozen=True)
class Given:
    """A file or a relation: leaf, level 1, ..., root."""

    place: str


@dataclass(frozen=True)
class Levels:
    """A SQL expression over the column for each level, the finest first."""

    expressions: Mapping[str, str]


@dataclass(frozen=True)
class Intervals:
    """Intervals of fixed widths, each a multiple of the one before."""

    widths: Sequence[Decimal]
    start: Decimal


@dataclass(frozen=True)
class Quantiles:
    """Parts of about equally many rows; each number divides the one before."""

    counts: Sequence[int]


@dataclass(frozen=True)
class Dates:
    """Units of the calendar, the finest first."""

    units: Sequence[str]


@dataclass(frozen=True)
class Prefixes:
    """The first characters of a text, the longest prefix first."""

    lengths: Sequence[int]


@dataclass(frozen=True)
class Grouping:
    """A user's grouping: every leaf with its groups, the finest first, and the root."""

    paths: Sequence[Sequence[str | None]]


Hierarchy: TypeAlias = Given | Levels | Intervals | Quantiles | Dates | Prefixes | Grouping
Wish: TypeAlias = Hierarchy | str | Path | Mapping[str, object]


def intervals(*widths: object, start: object = 0) -> Intervals:
    """Intervals `[start, start + width)` of one width or of several, nested.

    >>> intervals(5, 10, start=15).widths
    (Decimal('5'), Decimal('10'))
    """
    sizes = tuple(sorted(_number("a width", width) for width in widths))
    if not sizes or sizes[0] <= 0:
        raise RequestError("intervals: give widths above 0.")
    if any(high % low for low, high in pairwise(sizes)):
        raise RequestError("intervals: each width must be a multiple of the one before it.")
    return Intervals(sizes, _number("the start", start))


def quantiles(*counts: object) -> Quantiles:
    """Parts with about equally many rows, such as `quantiles(16, 4)`."""
    sizes = tuple(sorted((_whole("quantiles", count) for count in counts), reverse=True))
    if not sizes or sizes[-1] < 2:
        raise RequestError("quantiles: give numbers of at least 2.")
    if any(high % low for high, low in pairwise(sizes)):
        raise RequestError("quantiles: each number must divide the one before it.")
    return Quantiles(sizes)


def dates(*units: object) -> Dates:
    """Units of the calendar: day, month, quarter, year, decade; all of them by default."""
    asked = units or DATE_UNITS
    if unknown := [unit for unit in asked if unit not in DATE_UNITS]:
        raise RequestError(f"dates: {len(unknown)} units are none of {', '.join(DATE_UNITS)}.")
    return Dates(tuple(unit for unit in DATE_UNITS if unit in asked))


def prefixes(*lengths: object) -> Prefixes:
    """Prefixes of a text such as a postcode: `prefixes(3, 2)` is `123*`, then `12*`."""
    sizes = sorted({_whole("prefixes", length) for length in lengths}, reverse=True)
    if not sizes or sizes[-1] < 1:
        raise RequestError("prefixes: give lengths of at least 1.")
    return Prefixes(tuple(sizes))


def grouping(groups: Mapping[str, Group], root: str = ROOT) -> Grouping:
    """A grouping by hand, as deep as it is nested; None stands for NULL.

    >>> len(grouping({"north": ["Bergen", "Oslo"], "south": {"coast": ["Nice"]}}).paths)
    3
    """
    found = list(_leaves(groups, ()))
    deepest = max((len(path) for _, path in found), default=0)
    return Grouping(
        tuple(
            (None if leaf is None else str(leaf), *[path[0]] * (deepest - len(path)), *path, root)
            for leaf, path in found
        )
    )


def _leaves(groups: Group, above: tuple[str, ...]) -> Iterator[tuple[object, tuple[str, ...]]]:
    if isinstance(groups, Mapping):
        for name, members in groups.items():
            yield from _leaves(members, (str(name), *above))
    elif isinstance(groups, str) or not isinstance(groups, Sequence):
        raise RequestError("grouping: a group holds a list of values, or groups.")
    else:
        for leaf in groups:
            if not above:
                raise RequestError("grouping: write groups as `name: [values]`.")
            yield leaf, above


def _number(what: str, given: object) -> Decimal:
    try:
        number = Decimal(str(given))
    except InvalidOperation:
        raise RequestError(f"intervals: {what} must be a number.") from None
    if not number.is_finite():
        raise RequestError(f"intervals: {what} must be a number.")
    return number


def _whole(builder: str, given: object) -> int:
    try:
        return int(str(given))
    except ValueError:
        raise RequestError(f"{builder}: give whole numbers.") from None


BUILDERS: dict[str, Callable[..., Hierarchy]] = {
    "intervals": intervals,
    "quantiles": quantiles,
    "dates": dates,
    "prefixes": prefixes,
}


def as_hierarchy(wish: Wish) -> Hierarchy:
    """A hierarchy from what a user wrote: a place, `builder:1,2`, or a mapping.

    >>> as_hierarchy("prefixes:3,2")
    Prefixes(lengths=(3, 2))
    """
    if isinstance(wish, str | Path):
        name, sign, words = str(wish).partition(":")
        if sign and name in BUILDERS:
            return _built(name, [word.strip() for word in words.split(",") if word.strip()])
        return Given(str(wish))
    if not isinstance(wish, Mapping):
        return wish
    names = [str(name) for name in wish]
    if names in (["intervals"], ["intervals", "from"], ["from", "intervals"]):
        return _built("intervals", wish["intervals"], wish.get("from", 0))
    if len(names) == 1 and names[0] in BUILDERS:
        return _built(names[0], wish[names[0]])
    if names == ["grouping"] and isinstance(wish["grouping"], Mapping):
        return grouping(wish["grouping"])
    levels = wish["levels"] if names == ["levels"] else wish
    if not isinstance(levels, Mapping) or not all(isinstance(e, str) for e in levels.values()):
        raise RequestError(
            "a hierarchy is a file, a relation, one of "
            f"{', '.join([*BUILDERS, 'grouping'])}, or a map from level to SQL expression."
        )
    return Levels({str(name): str(text) for name, text in levels.items()})


def kind_of(wish: Wish) -> str:
    """The kind of a hierarchy, for the record: no word of it."""
    return type(as_hierarchy(wish)).__name__.lower()


def _built(name: str, given: object, start: object = None) -> Hierarchy:
    words = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if name == "intervals":
        # In one text: `intervals:5,10 from 15`.
        last, _, start_word = str(words[-1]).partition(" from ") if words else ("", "", "")
        return intervals(*words[:-1], *([last] if words else []), start=start_word or start or 0)
    return BUILDERS[name](*words)
