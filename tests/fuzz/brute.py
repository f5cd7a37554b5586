"""Brute: what classes keep, and what labels say, counted in plain Python and exact numbers."""

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log
from random import Random

from ppdt_db.recodings import RECODINGS

from .values import Exact, Tree, exact, is_ordered, rank

SINGLE = {name for name, kind in RECODINGS.items() if kind.is_single}
OF_NUMBERS = {name for name, kind in RECODINGS.items() if kind.holds == "numbers"}

Values = Sequence[Hashable]
# Measures that take logarithms are compared as far as floats tell them; the others exactly.
SLACK = 1e-9


# -- what a class must keep ------------------------------------------------------------------------


@dataclass(frozen=True)
class Sense:
    """How a sensitive column is compared: by order, by a hierarchy, or by equality."""

    ordered: Sequence[Hashable] | None = None
    paths: Mapping[Hashable, Sequence[Hashable]] | None = None


def sense_of(type_name: str, values: Values, tree: Tree | None) -> Sense:
    """The domain of a sensitive column; NULL is a value, and a branch of its own."""
    if tree is not None:
        depth = len(next(iter(tree.paths.values())))
        paths: dict[Hashable, Sequence[Hashable]] = {
            value: (value, *tree.paths[str(value)][:-1])
            if value is not None
            else tuple(("NULL", level) for level in range(depth))
            for value in set(values)
        }
        return Sense(paths=paths)
    if is_ordered(type_name):
        return Sense(ordered=sorted(set(values), key=lambda v: rank(type_name, v)))  # type: ignore[arg-type]
    return Sense()


def distance(values: Values, whole: Values, sense: Sense) -> Fraction:
    """The distance of t-closeness."""
    part, all_ = Counter(values), Counter(whole)

    def ahead(domain: Sequence[Hashable]) -> Fraction:
        return sum(
            (Fraction(part[v], len(values)) - Fraction(all_[v], len(whole)) for v in domain),
            Fraction(0),
        )

    if sense.paths is not None:
        height = len(next(iter(sense.paths.values())))
        total = Fraction(0)
        for level in range(height):
            nodes: dict[Hashable, list[Hashable]] = {}
            for value, path in sense.paths.items():
                nodes.setdefault(path[level], []).append(value)
            total += sum((max(ahead(below), Fraction(0)) for below in nodes.values()), Fraction(0))
        return total / height
    if sense.ordered is not None:
        if len(sense.ordered) == 1:
            return Fraction(0)
        running = total = Fraction(0)
        for value in sense.ordered:
            running += ahead([value])
            total += abs(running)
        return total / (len(sense.ordered) - 1)
    return sum((abs(ahead([value])) for value in all_), Fraction(0)) / 2


def entropy(values: Values, whole: Values, sense: Sense) -> float:
    return exp(-sum(n / len(values) * log(n / len(values)) for n in Counter(values).values()))


def recursive(values: Values, level: int) -> Fraction | float:
    counts = sorted(Counter(values).values(), reverse=True)
    tail = sum(counts[level - 1 :])
    return Fraction(counts[0], tail) if tail else inf


def gains(values: Values, whole: Values) -> dict[Hashable, Fraction]:
    part, all_ = Counter(values), Counter(whole)
    return {
        v: Fraction(part[v] * len(whole), len(values) * n) - 1 for v, n in all_.items()
    }  # fmt: skip


def enhanced(values: Values, whole: Values) -> float:
    all_ = Counter(whole)
    worst = 0.0
    for value, gain in gains(values, whole).items():
        if float(gain) > -log(all_[value] / len(whole)) + SLACK:
            return inf
        worst = max(worst, float(gain))
    return worst


def disclosure(values: Values, whole: Values) -> float:
    return max(abs(log(1 + gain)) if gain > -1 else inf for gain in gains(values, whole).values())


Keeps = Callable[[object, Values, Values, Sense], bool]


def _number(asked: object) -> Fraction:
    """A bound as it was meant: 0.1 is a tenth."""
    return Fraction(str(asked))


KEEPS: dict[str, Keeps] = {
    "l": lambda b, v, w, s: len(set(v)) >= _number(b),
    "entropy": lambda b, v, w, s: entropy(v, w, s) >= float(_number(b)) - SLACK,
    "recursive": lambda b, v, w, s: recursive(v, b[1]) < _number(b[0]),  # type: ignore[index]
    "t": lambda b, v, w, s: distance(v, w, s) <= _number(b) + Fraction(SLACK),
    "alpha": lambda b, v, w, s: (
        Fraction(max(Counter(v).values()), len(v)) <= _number(b) + Fraction(SLACK)
    ),
    "beta": lambda b, v, w, s: max(gains(v, w).values()) <= _number(b) + Fraction(SLACK),
    "enhanced_beta": lambda b, v, w, s: enhanced(v, w) <= float(_number(b)) + SLACK,
    "delta": lambda b, v, w, s: disclosure(v, w) < float(_number(b)) + SLACK,
}

BOUNDS: dict[str, Callable[[Random], object]] = {
    "l": lambda rng: rng.choice([1, 2, 2, 3, 4]),
    "entropy": lambda rng: rng.choice([1.0, 1.2, 1.5, 2.0, 3.0]),
    "recursive": lambda rng: (rng.choice([0.5, 1.0, 2.0, 3.0, 10.0]), rng.choice([2, 2, 3])),
    "t": lambda rng: rng.choice([0.0, 0.05, 0.1, 0.2, 0.25, 0.4, 0.5, 0.9]),
    "alpha": lambda rng: rng.choice([0.3, 0.5, 0.6, 0.75, 0.9, 1.0]),
    "beta": lambda rng: rng.choice([0.0, 0.25, 0.5, 1.0, 2.0, 4.0]),
    "enhanced_beta": lambda rng: rng.choice([0.0, 0.5, 1.0, 2.0, 4.0]),
    "delta": lambda rng: rng.choice([0.2, 0.7, 1.0, 2.0, 3.0]),
}

MEASURES: dict[str, Callable[[Values, Values, Sense], float]] = {
    "distinct_l": lambda v, w, s: -len(set(v)),
    "entropy_l": lambda v, w, s: -entropy(v, w, s),
    "alpha": lambda v, w, s: max(Counter(v).values()) / len(v),
    "t": lambda v, w, s: float(distance(v, w, s)),
    "t_equal": lambda v, w, s: float(distance(v, w, Sense())),
    "basic_beta": lambda v, w, s: float(max(gains(v, w).values())),
    "enhanced_beta": lambda v, w, s: enhanced(v, w),
    "delta_disclosure": lambda v, w, s: disclosure(v, w),
}


def measured(name: str, classes: Sequence[Values], sense: Sense) -> float:
    """A measure of the certificate: that of the worst class."""
    whole = [value for values in classes for value in values]
    return abs(max(MEASURES[name](values, whole, sense) for values in classes))


# -- what a label says -----------------------------------------------------------------------------

RANGE = re.compile(r"\[(.+), (.+)\]")


@dataclass(frozen=True)
class Label:
    """What a row shows for one quasi-identifier, in exact values.

    `low` and `high` are the ends of a range or bounds, `members` what is named beside or as a set,
    `single` a mean, a mode, a node's words.
    """

    shape: str
    low: Exact = None
    high: Exact = None
    members: frozenset[Exact] = frozenset()
    single: str | None = None
    is_empty: bool = False


def label_of(shape: str, type_name: str, cells: Sequence[object], *, is_csv: bool) -> Label:
    """Read the cells in which a row shows one quasi-identifier: texts, or lists of texts."""
    first = cells[0]
    if shape == "bounds":
        return _bounds(type_name, [None if cell is None else str(cell) for cell in cells])
    if shape == "set":
        members = _json(first) if is_csv else first
        assert isinstance(members, list)
        return Label("set", members=frozenset(exact(type_name, member) for member in members))
    assert first is None or isinstance(first, str)
    if shape in ("range", "bins"):
        return _range(type_name, first, shape)
    if shape in SINGLE - OF_NUMBERS and first is not None and is_ordered(type_name):
        return Label(shape, members=frozenset([exact(type_name, first)]), single=first)
    return Label(shape, single=first, is_empty=first is None)


# The outermost bins have no end; no value of any type lies beyond these.
ENDLESS = {
    "-inf": Fraction(-(10**400)), "-infinity": Fraction(-(10**400)),
    "inf": Fraction(10**400), "infinity": Fraction(10**400),
}  # fmt: skip


def _range(type_name: str, text: str | None, shape: str) -> Label:
    if text is None:
        return Label(shape, members=frozenset([None]))
    low = high = None
    members: set[Exact] = set()
    for part in text.split(" or "):
        if part == "NULL":
            members.add(None)
        elif found := RANGE.fullmatch(part):
            low, high = (
                ENDLESS[end] if end in ENDLESS and shape == "bins" else exact(type_name, end)
                for end in found.groups()
            )
        else:
            members.add(exact(type_name, part))
    return Label(shape, low=low, high=high, members=frozenset(members))


def _bounds(type_name: str, cells: Sequence[str | None]) -> Label:
    low, high = (exact(type_name, end) for end in cells[:2])
    members: set[Exact] = {None} if cells[2] == "true" else set()
    if len(cells) > 3 and cells[3] == "true":
        members |= {"nan", "inf", "-inf", "infinity", "-infinity"}
    return Label("bounds", low=low, high=high, members=frozenset(members))


def _json(text: object) -> list[str | None]:
    """The members of a set in a CSV file: JSON that any reader takes."""

    def refuse(word: str) -> object:
        raise ValueError(f"{word} is no JSON")

    found = json.loads(str(text), parse_int=str, parse_float=str, parse_constant=refuse)
    words = {True: "true", False: "false"}
    return [words[m] if isinstance(m, bool) else m for m in found]


def holds(label: Label, type_name: str, text: str | None, tree: Tree | None) -> bool:
    """Whether a label can be that of a source value."""
    value = exact(type_name, text)
    if label.shape == "node":
        return _under(label.single, type_name, text, tree)
    if label.shape in SINGLE:
        raise AssertionError("means and modes are judged by class")
    if value in label.members:
        return True
    if label.low is None or not isinstance(value, Fraction):
        return False
    assert isinstance(label.low, Fraction) and isinstance(label.high, Fraction)
    return label.low <= value <= label.high


def _under(word: str | None, type_name: str, text: str | None, tree: Tree | None) -> bool:
    """Whether a node of a hierarchy holds a value."""
    assert tree is not None
    if word == "*" or word == text:
        return True
    if tree.kind == "paths":
        return word in tree.paths.get(text, ()) if word is not None else text is None
    if word is None or text is None:
        return False
    value = exact(type_name, text)
    if tree.kind == "prefixes":
        return word.endswith("*") and text.startswith(word[:-1])
    if tree.kind == "dates":
        return word in _units(text)
    if not isinstance(value, Fraction):
        return False
    ends = re.fullmatch(r"\[(.+), (.+)([)\]])", word)
    if ends is None:
        return value == exact(type_name, word)
    if tree.kind == "intervals":
        # The ends of intervals are numbers of their own, not of the column's type.
        low, high = (Fraction(end) for end in ends.groups()[:2])
    else:
        low, high = (exact(type_name, end) for end in ends.groups()[:2])  # type: ignore[assignment]
    return low <= value < high if ends.group(3) == ")" else low <= value <= high


def _units(text: str) -> set[str]:
    if not text[0].isdigit():
        return set()
    year, month = int(text[:4]), int(text[5:7])
    return {
        f"{year // 10 * 10}s", str(year), f"{year}-Q{(month + 2) // 3}", f"{year}-{month:02}",
        f"{year}-{month:02}-{text[8:10]}",
    }  # fmt: skip


def centre_fault(
    label: Label, type_name: str, shape: str, texts: Sequence[str | None], most: Fraction
) -> bool:
    """Whether a mean or midpoint lies outside of its class's values, or a mode is none of them.

    Means are rounded: to one digit beyond the step of exact types, to 12 digits of the column's
    largest magnitude (`most`) of the others.
    """
    if label.single is None:
        return False
    if shape not in OF_NUMBERS:
        if is_ordered(type_name):
            return not label.members & {exact(type_name, text) for text in texts}
        return label.single not in texts
    finite = [v for v in (exact(type_name, text) for text in texts) if isinstance(v, Fraction)]
    if not finite:
        return True
    at = exact("DOUBLE" if not type_name.startswith(("DATE", "TIME")) else type_name, label.single)
    if not isinstance(at, Fraction):
        return True
    slack = most / 2**36
    if type_name.startswith("DATE"):
        slack = Fraction(86400)
    elif type_name.startswith("TIME"):
        slack = Fraction(1)
    elif not type_name.startswith(("FLOAT", "DOUBLE")):
        digits = int(type_name.rstrip(")").partition(",")[2] or 0)
        slack += Fraction(1, 10 ** (digits + 1))
    return not min(finite) - slack <= at <= max(finite) + slack
