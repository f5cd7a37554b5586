"""The middle of the range of a class, naively: exact fractions, one value at a time."""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import floor

# Whole steps that a DOUBLE tells apart, and that the sums of a release hold exactly.
OF_DOUBLE, OF_SUMS = 2**53, 2**95
MICROSECOND, NANOSECOND = Fraction(1, 10**6), Fraction(1, 10**9)
SMALLEST = {"DATE": Fraction(86400), "TIMESTAMP_NS": NANOSECOND}


def step_of(type_name: str) -> Fraction:
    """The smallest difference of two values: in seconds for days and moments."""
    if type_name.startswith(("DATE", "TIME")):
        return SMALLEST.get(type_name, MICROSECOND)
    digits = re.fullmatch(r"DECIMAL\(\d+, ?(\d+)\)", type_name)
    return Fraction(1, 10 ** int(digits[1])) if digits else Fraction(1)


def midpoint(
    type_name: str, values: Sequence[Fraction], column: Sequence[Fraction]
) -> Fraction | None:
    """What a class of these finite values shows, in a column of those."""
    if not values:
        return None
    middle = (min(values) + max(values)) / 2
    if type_name in ("FLOAT", "DOUBLE"):
        return Fraction(float(middle))
    step = step_of(type_name)
    lower = floor(middle / step) * step
    if type_name.startswith(("DATE", "TIME")):
        return lower
    most = max(map(abs, column)) / step
    is_large = type_name in ("HUGEINT", "UHUGEINT") or "DECIMAL" in type_name
    if is_large and most >= OF_SUMS:
        return lower
    # A column of 37 digits after the point has no DECIMAL with one more.
    return middle if most >= OF_DOUBLE and step > Fraction(1, 10**37) else Fraction(float(middle))
