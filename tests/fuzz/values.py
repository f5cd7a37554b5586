"""Values: what columns of every type are drawn from, and what a value's text means, exactly."""

import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from random import Random
from typing import TypeAlias

# None, a number, or a text; NaN and infinities of ordered types are texts.
Exact: TypeAlias = Fraction | str | None
Draw: TypeAlias = Callable[[Random], str]

SPECIALS = {"nan": 1, "-inf": 2, "-infinity": 2, "inf": 3, "infinity": 3}
PLANTED = "Zebedee-4711"
TEXTS = [
    "", "a", "A", "b", "é", "e\u0301", "Z", "NULL", "null", "it's", "[1, 2]", "a,b", 'say "x"',
    "😀", "{}", "tab\there", "line\nbreak", "back\\slash", " x", "x ", "nan", "1", "01", PLANTED,
    "z\u200b", "[1, 3] or NULL", "ß", "SS", "%", "--", ";", "true", "ab", "abc",
]  # fmt: skip
WORDS = ["low", "mid", "high", "it's", "a, b", "A", "a", "", "[x]", 'q"', "ünder"]
ENUM = "ENUM(" + ", ".join("'" + word.replace("'", "''") + "'" for word in WORDS) + ")"


@dataclass(frozen=True)
class Tree:
    """A hierarchy: every leaf with the words above it, or the wish for a builder."""

    kind: str
    paths: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    wish: str = ""


def _whole(low: int, high: int) -> Draw:
    """Whole numbers of a type: small ones, its ends, and neighbours that floats take for one."""
    homes = [h for h in (2**53, 2**62, 2**90, 10**37) if h + 4 <= high]

    def draw(rng: Random) -> str:
        sort = rng.random()
        if sort < 0.5:
            number = rng.randint(max(low, -6), min(high, 12))
        elif sort < 0.85 and homes:
            number = rng.choice(homes) + rng.randint(0, 4)
            number *= rng.choice([1, -1]) if low < 0 else 1
        elif sort < 0.9:
            number = rng.choice([low, low + 1, high, high - 1])
        else:
            number = rng.randint(max(low, -10_000), min(high, 10_000))
        return str(max(low, min(high, number)))

    return draw


def _decimal(width: int, scale: int) -> Draw:
    whole = _whole(-(10**width) + 1, 10**width - 1)

    def draw(rng: Random) -> str:
        number = int(whole(rng))
        if rng.random() < 0.5:
            number = min(10**width - 1, abs(number) % 40 * 10 ** max(0, scale - 1))
        sign, digits = "-" if number < 0 else "", str(abs(number)).rjust(scale + 1, "0")
        return f"{sign}{digits[: len(digits) - scale]}.{digits[-scale:]}" if scale else str(number)

    return draw


def neighbours(type_name: str, rng: Random) -> Draw | None:
    """Neighbours beyond 2^53, which floats take for one; None for a type that has none."""
    sizes = {"BIGINT": 2**63, "UBIGINT": 2**64, "HUGEINT": 2**127, "UHUGEINT": 2**128}
    found = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", type_name)
    width, scale = found.groups() if found else ("0", "0")
    most = sizes.get(type_name) or 10 ** int(width)
    homes = [home for home in (2**53, 2**62, 2**90, 10**37) if home + 12 < most]
    if not homes:
        return None
    home, digits = rng.choice(homes), int(scale)

    def draw(rng: Random) -> str:
        text = str(home + rng.randint(0, 11))
        return f"{text[:-digits]}.{text[-digits:]}" if digits else text

    return draw


def _float(*more: str) -> Draw:
    known = ["nan", "inf", "-inf", "-0.0", "0.0", "0.1", "0.2", "0.3", "1.5", "2.5", "-2.25", *more]

    def draw(rng: Random) -> str:
        sort = rng.random()
        if sort < 0.5:
            return rng.choice(known)
        return str(round(rng.uniform(-50, 50), rng.choice([0, 1, 3, 9])))

    return draw


def _day(rng: Random) -> str:
    if rng.random() < 0.1:
        return rng.choice(["infinity", "-infinity"])
    if rng.random() < 0.2:
        return rng.choice(["0001-01-01", "9999-12-31", "1969-12-31", "1970-01-01", "2020-02-29"])
    return date.fromordinal(rng.randint(737000, 737000 + 400)).isoformat()


def _time(digits: int) -> Draw:
    def draw(rng: Random) -> str:
        clock = f"{rng.randint(0, 23):02}:{rng.choice([0, 30, 59]):02}:{rng.choice([0, 1, 59]):02}"
        if digits and rng.random() < 0.3:
            clock += "." + str(rng.randint(0, 10**digits - 1)).rjust(digits, "0")
        return clock

    return draw


def _moment(digits: int, *, zone: bool = False) -> Draw:
    clock = _time(digits)

    def draw(rng: Random) -> str:
        day = _day(rng)
        if not day[0].isdigit():
            return day
        # An offset must not lead out of the years that Python knows.
        zones = ["+00", "+05", "-11"] if "0002" < day < "9999" else ["+00"]
        return f"{day} {clock(rng)}{rng.choice(zones) if zone else ''}"

    return draw


def _uuid(rng: Random) -> str:
    number = rng.choice([rng.randint(0, 3), 2**127 + rng.randint(0, 2), rng.getrandbits(128)])
    text = f"{number:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _nanos(rng: Random) -> str:
    """Nanoseconds reach from 1677 to 2262 only, and know no infinity everywhere."""
    day = date.fromordinal(rng.randint(737000, 737300)).isoformat()
    return f"{day} {_time(9)(rng)}"


DRAWN: dict[str, Draw] = {
    "TINYINT": _whole(-128, 127),
    "SMALLINT": _whole(-(2**15), 2**15 - 1),
    "INTEGER": _whole(-(2**31), 2**31 - 1),
    "BIGINT": _whole(-(2**63), 2**63 - 1),
    "UBIGINT": _whole(0, 2**64 - 1),
    "HUGEINT": _whole(-(2**127) + 1, 2**127 - 1),
    "UHUGEINT": _whole(0, 2**128 - 1),
    "DECIMAL(5,2)": _decimal(5, 2),
    "DECIMAL(4,4)": _decimal(4, 4),
    "DECIMAL(18,3)": _decimal(18, 3),
    "DECIMAL(38,0)": _decimal(38, 0),
    "DECIMAL(38,10)": _decimal(38, 10),
    "DOUBLE": _float("1e300", "-1e300", "5e-324", "9007199254740993", "9007199254740994", "1e16"),
    "FLOAT": _float("16777217", "16777218", "1e30", "1e-40"),
    "DATE": _day,
    "TIMESTAMP": _moment(6),
    "TIMESTAMP_S": _moment(0),
    "TIMESTAMP_MS": _moment(3),
    "TIMESTAMP_NS": _nanos,
    "TIMESTAMP WITH TIME ZONE": _moment(6, zone=True),
    "TIME": _time(6),
    "VARCHAR": lambda rng: rng.choice(TEXTS),
    ENUM: lambda rng: rng.choice(WORDS),
    "BOOLEAN": lambda rng: rng.choice(["true", "false"]),
    "UUID": _uuid,
}
CATEGORICAL = ("VARCHAR", "ENUM", "BOOLEAN", "UUID")


def is_ordered(type_name: str) -> bool:
    """Whether values of a type lie on an axis."""
    return not type_name.startswith(CATEGORICAL)


def exact(type_name: str, text: str | None) -> Exact:
    """What the text of a value means, without rounding."""
    if text is None or not is_ordered(type_name):
        return text
    if text in SPECIALS:
        return text
    if type_name == "FLOAT":
        return Fraction(struct.unpack("f", struct.pack("f", float(text)))[0])
    if type_name == "DOUBLE":
        return Fraction(float(text))
    if type_name.startswith(("DATE", "TIME")):
        return _instant(text)
    return Fraction(text)


MOMENT = re.compile(
    r"(?:(\d+)-(\d\d)-(\d\d))?[ T]?(?:(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?([+-]\d\d(?::\d\d)?)?"
)


def _instant(text: str) -> Fraction:
    """A date, time or moment in seconds; an offset counts."""
    found = MOMENT.fullmatch(text)
    if found is None:
        raise ValueError("no date, time or moment")
    year, month, day, hours, minutes, seconds, zone = found.groups()
    days = date(int(year), int(month), int(day)).toordinal() if year else 0
    total = Fraction(days * 86400) + int(hours or 0) * 3600 + int(minutes or 0) * 60
    total += Fraction(seconds or 0)
    if zone:
        shift = int(zone[1:3]) * 3600 + int(zone[4:6] or 0) * 60
        total -= shift if zone[0] == "+" else -shift
    return total


def rank(type_name: str, value: Exact) -> tuple[int, object]:
    """What a value is sorted by: NULL, NaN and the infinities are lowest."""
    if value is None:
        return 0, 0
    if isinstance(value, str):
        return (SPECIALS[value], 0) if is_ordered(type_name) else (4, value.encode())
    return 4, value
