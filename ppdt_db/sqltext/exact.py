"""Exact: the type in which the values of a column and the ends of labels are compared.

A DOUBLE holds whole numbers up to 2^53. What may be larger is compared as a decimal or an integer
of 128 bits that holds every digit; where there is no such type, nothing is compared.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.families import DATES, NUMBERS, ORDERED, family_of
from ppdt_db.names import Sql

DOUBLE_DIGITS = 15
"""Decimal numbers of so many digits stay apart, and in their order, as DOUBLEs."""

DIGITS = {
    "TINYINT": 3, "SMALLINT": 5, "INTEGER": 10, "BIGINT": 19, "HUGEINT": 39,
    "UTINYINT": 3, "USMALLINT": 5, "UINTEGER": 10, "UBIGINT": 20, "UHUGEINT": 39,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Exact:
    """How a text is read as a number on an axis, and the type of what comes out."""

    kind: Literal["number", "moment", "nanosecond", "time"]
    type_name: Sql

    @property
    def is_float(self) -> bool:
        """Whether NaN and infinities can be read."""
        return self.type_name == "DOUBLE"

    @property
    def is_day(self) -> bool:
        """Whether dates and instants are on the axis."""
        return self.kind in ("moment", "nanosecond")

    @property
    def per_second(self) -> int:
        """How many units of the axis make a second; 1 for numbers."""
        return {"number": 1, "nanosecond": 10**9}.get(self.kind, 10**6)


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What the ends of labels look like: how many of them, and how many digits they have."""

    n_ends: int
    n_plain: int
    n_doubles: int
    n_long: int
    n_moments: int
    n_nanoseconds: int
    n_times: int
    n_whole: int
    n_point: int


def exact_of(types: Sequence[str], reach: Reach) -> Exact | None:
    """The axis that holds all values of these types and all ends, or None where none does."""
    known = [type_name for type_name in types if family_of(type_name) in ORDERED]
    families = {family_of(type_name) for type_name in known}
    if not families:
        return _of_ends(reach)
    if families <= NUMBERS:
        return _number(known, reach)
    if families <= DATES:
        is_fine = "TIMESTAMP_NS" in known
        return Exact(kind="nanosecond" if is_fine else "moment", type_name=Sql("BIGINT"))
    return Exact(kind="time", type_name=Sql("BIGINT")) if families == {"time"} else None


def _of_ends(reach: Reach) -> Exact | None:
    """The axis of ends whose type nobody knows."""
    if reach.n_doubles == reach.n_ends:
        return _number((), reach)
    if reach.n_moments == reach.n_ends:
        is_fine = reach.n_nanoseconds > 0
        return Exact(kind="nanosecond" if is_fine else "moment", type_name=Sql("BIGINT"))
    if reach.n_times == reach.n_ends:
        return Exact(kind="time", type_name=Sql("BIGINT"))
    return None


def _number(types: Sequence[str], reach: Reach) -> Exact | None:
    digits = [digits_of(name) for name in types if family_of(name) != "float"]
    if len(digits) < len(types) or reach.n_plain < reach.n_ends:
        is_enough = reach.n_doubles == reach.n_ends and not reach.n_long
        is_enough = is_enough and all(sum(both) <= DOUBLE_DIGITS for both in digits)
        return Exact(kind="number", type_name=Sql("DOUBLE")) if is_enough else None
    whole = max([reach.n_whole, *(entry[0] for entry in digits)])
    point = max([reach.n_point, *(entry[1] for entry in digits)])
    if whole + point <= 38:
        width = 18 if whole + point <= 18 else 38
        return Exact(kind="number", type_name=Sql(f"DECIMAL({width}, {point})"))
    if whole == 39 and point == 0:
        name = "UHUGEINT" if "UHUGEINT" in types else "HUGEINT"
        return Exact(kind="number", type_name=Sql(name))
    return None


def own_axis(type_name: str) -> Exact:
    """The axis of values of one ordered type: their own type, DOUBLEs for floats.

    >>> own_axis("UBIGINT").type_name, own_axis("FLOAT").type_name, own_axis("DATE").kind
    ('UBIGINT', 'DOUBLE', 'moment')
    """
    family = family_of(type_name)
    if family in NUMBERS:
        return Exact(kind="number", type_name=Sql("DOUBLE" if family == "float" else type_name))
    if family == "time":
        return Exact(kind="time", type_name=Sql("BIGINT"))
    is_fine = type_name == "TIMESTAMP_NS"
    return Exact(kind="nanosecond" if is_fine else "moment", type_name=Sql("BIGINT"))


def digits_of(type_name: str) -> tuple[int, int]:
    """How many digits a number of an exact type has at most, before and after the point.

    >>> digits_of("DECIMAL(10,2)")
    (8, 2)
    """
    if found := re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", type_name):
        width, point = int(found.group(1)), int(found.group(2))
        return width - point, point
    return DIGITS[type_name], 0
