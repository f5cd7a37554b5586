"""The hierarchies that a user may specify: files, relations, expressions, and builders.

A specification is stored as the user wrote it; `encode.hierarchy` applies it to a column.
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
class HierarchyTable:
    """A file or relation with the columns leaf, level 1, ..., root."""

    place: str


@dataclass(frozen=True)
class Levels:
    """One SQL expression over the column for each level, finest first."""

    expressions: Mapping[str, str]


@dataclass(frozen=True)
class Intervals:
    """Intervals of fixed widths, each width a multiple of the previous one."""

    widths: Sequence[Decimal]
    start: Decimal


@dataclass(frozen=True)
class Quantiles:
    """Quantiles with about equal numbers of rows; each count divides the previous one."""

    counts: Sequence[int]


@dataclass(frozen=True)
class Dates:
    """Calendar units, finest first."""

    units: Sequence[str]


@dataclass(frozen=True)
class Prefixes:
    """Prefixes of a text, longest first."""

    lengths: Sequence[int]


@dataclass(frozen=True)
class Grouping:
    """A grouping written by hand: every leaf with its groups, finest first, and the root."""

    paths: Sequence[Sequence[str | None]]


Hierarchy: TypeAlias = HierarchyTable | Levels | Intervals | Quantiles | Dates | Prefixes | Grouping
HierarchySpec: TypeAlias = Hierarchy | str | Path | Mapping[str, object]


def intervals(*widths: object, start: object = 0) -> Intervals:
    """Return intervals `[start, start + width)` of one width or of several, nested.

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
    """Return quantiles with about equal numbers of rows, such as `quantiles(16, 4)`."""
    sizes = tuple(sorted((_whole("quantiles", count) for count in counts), reverse=True))
    if not sizes or sizes[-1] < 2:
        raise RequestError("quantiles: give numbers of at least 2.")
    if any(high % low for high, low in pairwise(sizes)):
        raise RequestError("quantiles: each number must divide the one before it.")
    return Quantiles(sizes)


def dates(*units: object) -> Dates:
    """Return calendar units: day, month, quarter, year, decade; all of them by default."""
    chosen = units or DATE_UNITS
    if unknown := [unit for unit in chosen if unit not in DATE_UNITS]:
        raise RequestError(f"dates: {len(unknown)} unknown units. Use {', '.join(DATE_UNITS)}.")
    return Dates(tuple(unit for unit in DATE_UNITS if unit in chosen))


def prefixes(*lengths: object) -> Prefixes:
    """Return prefixes of a text such as a postcode: `prefixes(3, 2)` is `123*`, then `12*`."""
    sizes = sorted({_whole("prefixes", length) for length in lengths}, reverse=True)
    if not sizes or sizes[-1] < 1:
        raise RequestError("prefixes: give lengths of at least 1.")
    return Prefixes(tuple(sizes))


def grouping(groups: Mapping[str, Group], root: str = ROOT) -> Grouping:
    """Return a grouping written by hand, of any depth; None stands for NULL.

    >>> len(grouping({"north": ["Bergen", "Oslo"], "south": {"coast": ["Nice"]}}).paths)
    3
    """
    paths = list(_leaves(groups, ()))
    deepest = max((len(path) for _, path in paths), default=0)
    return Grouping(
        tuple(
            (None if leaf is None else str(leaf), *[path[0]] * (deepest - len(path)), *path, root)
            for leaf, path in paths
        )
    )


def _leaves(groups: Group, above: tuple[str, ...]) -> Iterator[tuple[object, tuple[str, ...]]]:
    if isinstance(groups, Mapping):
        for name, members in groups.items():
            yield from _leaves(members, (str(name), *above))
    elif isinstance(groups, str) or not isinstance(groups, Sequence):
        raise RequestError("grouping: a group must be a list of values, or a map of groups.")
    else:
        for leaf in groups:
            if not above:
                raise RequestError("grouping: write groups as `name: [values]`.")
            yield leaf, above


def _number(what: str, value: object) -> Decimal:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise RequestError(f"intervals: {what} must be a number.") from None
    if not number.is_finite():
        raise RequestError(f"intervals: {what} must be a number.")
    return number


def _whole(builder: str, value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise RequestError(f"{builder}: give whole numbers.") from None


BUILDERS: dict[str, Callable[..., Hierarchy]] = {
    "intervals": intervals,
    "quantiles": quantiles,
    "dates": dates,
    "prefixes": prefixes,
}


def as_hierarchy(spec: HierarchySpec) -> Hierarchy:
    """Return the hierarchy that a user wrote as a file, a name, `builder:1,2`, or a mapping.

    >>> as_hierarchy("prefixes:3,2")
    Prefixes(lengths=(3, 2))
    """
    if isinstance(spec, str | Path):
        name, sign, words = str(spec).partition(":")
        if sign and name in BUILDERS:
            return _built(name, [word.strip() for word in words.split(",") if word.strip()])
        return HierarchyTable(str(spec))
    if not isinstance(spec, Mapping):
        return spec
    names = [str(name) for name in spec]
    if names in (["intervals"], ["intervals", "from"], ["from", "intervals"]):
        return _built("intervals", spec["intervals"], spec.get("from", 0))
    if len(names) == 1 and names[0] in BUILDERS:
        return _built(names[0], spec[names[0]])
    if names == ["grouping"] and isinstance(spec["grouping"], Mapping):
        return grouping(spec["grouping"])
    levels = spec["levels"] if names == ["levels"] else spec
    if not isinstance(levels, Mapping) or not all(isinstance(e, str) for e in levels.values()):
        raise RequestError(
            "a hierarchy must be a file, a relation, one of "
            f"{', '.join([*BUILDERS, 'grouping'])}, or a map from level to SQL expression."
        )
    return Levels({str(name): str(text) for name, text in levels.items()})


def kind_of(spec: HierarchySpec) -> str:
    """Return the kind of a hierarchy for the certificate, without its contents."""
    return type(as_hierarchy(spec)).__name__.lower()


def _built(name: str, value: object, start: object = None) -> Hierarchy:
    words = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    if name == "intervals":
        # In one text: `intervals:5,10 from 15`.
        last, _, start_word = str(words[-1]).partition(" from ") if words else ("", "", "")
        return intervals(*words[:-1], *([last] if words else []), start=start_word or start or 0)
    return BUILDERS[name](*words)
