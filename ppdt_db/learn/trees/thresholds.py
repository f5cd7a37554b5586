"""Convert the thresholds of a tree to the type of the column that it is applied to.

A number is above a threshold if it is above the largest number of its type that is not: so the
comparison is exact, whatever the two types are.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ppdt_db.sqltext.column_types import NUMBERS, family_of
from ppdt_db.sqltext.exact import digits_of
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.tree.tree import Tested

BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
FLOATS = ("FLOAT", "DOUBLE")


def in_type(values: Sequence[str], tested: Tested, to_type: str) -> tuple[list[str | None], Sql]:
    """Return the thresholds of a tree in the type of a column, and that type; raise ValueError.

    Only numbers change. Below the range of the type a threshold is None, above it the maximum.
    """
    families = {tested.family, family_of(to_type)}
    if not tested.is_ordered or not families <= NUMBERS or families == {"float"}:
        return list(values), Sql(tested.type_name)
    return [floored(value, tested.type_name, to_type) for value in values], Sql(to_type)


def floored(text: str, of_type: str, to_type: str) -> str | None:
    """Return a number as the largest one of another type that is not larger.

    >>> [floored(text, "DOUBLE", "TINYINT") for text in ("2.5", "-300", "300")]
    ['2', None, '127']
    """
    number = _number(text, of_type)
    if to_type in FLOATS:
        return _float(number, to_type)
    least, most, point = limits(to_type)
    steps = number if isinstance(number, float) else math.floor(number * 10**point)
    return None if steps < least else decimal(int(min(steps, most)), point)


def base_of(number: Fraction, type_name: str) -> str | None:
    """Return the largest number of a type that is not above a number; None if there is none.

    >>> base_of(Fraction(5, 2), "BIGINT"), base_of(Fraction(300), "TINYINT")
    ('2', None)
    """
    if type_name in FLOATS:
        return _float(number, type_name)
    least, most, point = limits(type_name)
    steps = math.floor(number * 10**point)
    return decimal(steps, point) if least <= steps <= most else None


def limits(type_name: str) -> tuple[int, int, int]:
    """Return the least and the largest number of an exact type, in its steps, and its digits."""
    if type_name.startswith("DECIMAL"):
        whole, point = digits_of(type_name)
        most = 10 ** (whole + point) - 1
        return -most, most, point
    if type_name.startswith("U"):
        return 0, 2 ** BITS[type_name[1:]] - 1, 0
    half = 2 ** (BITS[type_name] - 1)
    return -half, half - 1, 0


def read_number(text: str) -> Fraction:
    """Return a decimal number exactly; raise ValueError if it is malformed or too long.

    >>> read_number("0.25")
    Fraction(1, 4)
    """
    if not PLAIN.fullmatch(text):
        raise ValueError
    return Fraction(text)


def written(number: Fraction) -> str:
    """Return a number of finitely many decimal digits, with all of them.

    >>> written(Fraction(2**60 + 1, 2))
    '576460752303423488.5'
    """
    point = 0
    while (number * 10**point).denominator > 1:
        point += 1
    return decimal(int(number * 10**point), point)


def decimal(steps: int, point: int) -> str:
    """Return a number of steps of a decimal type as text.

    >>> decimal(-5, 2)
    '-0.05'
    """
    digits = str(abs(steps)).rjust(point + 1, "0")
    sign = "-" if steps < 0 else ""
    return sign + (f"{digits[:-point]}.{digits[-point:]}" if point else digits)


def _number(text: str, type_name: str) -> Fraction | float:
    """Return the number that a text of a type stands for; infinity included."""
    if type_name not in FLOATS:
        return read_number(text)
    number = float(_as_float(float(text), type_name))
    if math.isfinite(number):
        return _exact(number, type_name)
    return -math.inf if number < 0 else math.inf


def _as_float(number: float, type_name: str) -> np.float32 | np.float64:
    """Return a number as a float of a type."""
    with np.errstate(over="ignore"):
        return np.float32(number) if type_name == "FLOAT" else np.float64(number)


def _exact(number: float, type_name: str) -> Fraction:
    """Return a float as the decimal number that its text shows, whole ones as integers."""
    return Fraction(number) if number.is_integer() else Fraction(str(_as_float(number, type_name)))


def _float(number: Fraction | float, type_name: str) -> str:
    """Return the largest float that is not above a number, as both are written."""
    try:
        near = _as_float(float(number), type_name)
    except OverflowError:
        near = _as_float(math.inf if number > 0 else -math.inf, type_name)
    while near == math.inf or (np.isfinite(near) and _exact(float(near), type_name) > number):
        near = np.nextafter(near, _as_float(-math.inf, type_name))
    return str(near)
