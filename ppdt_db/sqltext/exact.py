"""The exact types in which column values and the ends of labels are compared.

A DOUBLE is exact for whole numbers up to 2^53. Larger values are compared as a decimal or a 128-bit
integer that holds every digit; where no such type exists, nothing is compared.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.sqltext.column_types import DATES, NUMBERS, ORDERED, family_of
from ppdt_db.sqltext.quoting import Sql

DOUBLE_DIGITS = 15
"""Decimal numbers of up to this many digits stay distinct and ordered as DOUBLEs."""

DIGITS = {
    "TINYINT": 3, "SMALLINT": 5, "INTEGER": 10, "BIGINT": 19, "HUGEINT": 39,
    "UTINYINT": 3, "USMALLINT": 5, "UINTEGER": 10, "UBIGINT": 20, "UHUGEINT": 39,
}  # fmt: skip
LONGEST = {
    "DOUBLE": ("-Infinity", "Infinity"),
    "BIGINT": (str(-(2**63) + 1), str(2**63 - 1)),
    "HUGEINT": (str(-(2**127) + 1), str(2**127 - 1)),
    "UHUGEINT": ("0", str(2**128 - 1)),
}
"""The least and the greatest number of each type, in words."""


@dataclass(frozen=True, kw_only=True)
class Exact:
    """The type in which numbers or times are compared, and how a text is read as one."""

    kind: Literal["number", "moment", "nanosecond", "time"]
    type_name: Sql

    @property
    def is_float(self) -> bool:
        """Return whether NaN and infinities can be read."""
        return self.type_name == "DOUBLE"

    @property
    def least(self) -> str:
        """The least number that it holds: there begin ranges without a lower end."""
        return LONGEST[self.type_name][0] if self.type_name in LONGEST else f"-{self.most}"

    @property
    def most(self) -> str:
        """The greatest number that it holds: there end ranges without an upper end.

        >>> Exact(kind="number", type_name=Sql("DECIMAL(18, 2)")).most
        '9999999999999999.99'
        """
        match = re.fullmatch(r"DECIMAL\((\d+), ?(\d+)\)", self.type_name)
        if match is None:
            return LONGEST[self.type_name][1]
        width, point = int(match.group(1)), int(match.group(2))
        return "9" * (width - point) + ("." + "9" * point if point else "")

    @property
    def is_day(self) -> bool:
        """Return whether the values are dates or instants."""
        return self.kind in ("moment", "nanosecond")

    @property
    def per_second(self) -> int:
        """The units of the comparison that make a second; 1 for numbers."""
        return {"number": 1, "nanosecond": 10**9}.get(self.kind, 10**6)


@dataclass(frozen=True, kw_only=True)
class Precision:
    """The ends of labels in numbers: how many there are of each kind, and their digits."""

    n_ends: int
    n_plain: int
    n_doubles: int
    n_long: int
    n_moments: int
    n_nanoseconds: int
    n_times: int
    n_whole: int
    n_point: int


def exact_of(types: Sequence[str], ends: Precision) -> Exact | None:
    """Return the type that holds all values of these types and all ends, or None."""
    ordered = [type_name for type_name in types if family_of(type_name) in ORDERED]
    families = {family_of(type_name) for type_name in ordered}
    if not families:
        return _of_ends(ends)
    if families <= NUMBERS:
        return _number(ordered, ends)
    if families <= DATES:
        is_nanosecond = "TIMESTAMP_NS" in ordered
        return Exact(kind="nanosecond" if is_nanosecond else "moment", type_name=Sql("BIGINT"))
    return Exact(kind="time", type_name=Sql("BIGINT")) if families == {"time"} else None


def _of_ends(ends: Precision) -> Exact | None:
    """Return the type for ends whose column type is unknown."""
    if ends.n_doubles == ends.n_ends:
        return _number((), ends)
    if ends.n_moments == ends.n_ends:
        is_nanosecond = ends.n_nanoseconds > 0
        return Exact(kind="nanosecond" if is_nanosecond else "moment", type_name=Sql("BIGINT"))
    if ends.n_times == ends.n_ends:
        return Exact(kind="time", type_name=Sql("BIGINT"))
    return None


def _number(types: Sequence[str], ends: Precision) -> Exact | None:
    digits = [digits_of(name) for name in types if family_of(name) != "float"]
    if len(digits) < len(types) or ends.n_plain < ends.n_ends:
        is_enough = ends.n_doubles == ends.n_ends and not ends.n_long
        is_enough = is_enough and all(sum(both) <= DOUBLE_DIGITS for both in digits)
        return Exact(kind="number", type_name=Sql("DOUBLE")) if is_enough else None
    whole = max([ends.n_whole, *(entry[0] for entry in digits)])
    point = max([ends.n_point, *(entry[1] for entry in digits)])
    if whole + point <= 38:
        width = 18 if whole + point <= 18 else 38
        return Exact(kind="number", type_name=Sql(f"DECIMAL({width}, {point})"))
    if whole == 39 and point == 0:
        name = "UHUGEINT" if "UHUGEINT" in types else "HUGEINT"
        return Exact(kind="number", type_name=Sql(name))
    return None


def own_axis(type_name: str) -> Exact:
    """Return the type to compare values of one ordered type in: DOUBLE for floats, else its own.

    >>> own_axis("UBIGINT").type_name, own_axis("FLOAT").type_name, own_axis("DATE").kind
    ('UBIGINT', 'DOUBLE', 'moment')
    """
    family = family_of(type_name)
    if family in NUMBERS:
        return Exact(kind="number", type_name=Sql("DOUBLE" if family == "float" else type_name))
    if family == "time":
        return Exact(kind="time", type_name=Sql("BIGINT"))
    is_nanosecond = type_name == "TIMESTAMP_NS"
    return Exact(kind="nanosecond" if is_nanosecond else "moment", type_name=Sql("BIGINT"))


def digits_of(type_name: str) -> tuple[int, int]:
    """Return the most digits of an exact numeric type, before and after the decimal point.

    >>> digits_of("DECIMAL(10,2)")
    (8, 2)
    """
    if match := re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", type_name):
        width, point = int(match.group(1)), int(match.group(2))
        return width - point, point
    return DIGITS[type_name], 0
