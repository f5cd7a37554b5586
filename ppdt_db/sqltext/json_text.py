"""JSON as every reader takes it: infinities as text, dates as text, names as they are.

What is read says nothing twice, and holds no number that is none.
"""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn

from ppdt_db.errors import RequestError
from ppdt_db.given import plain

MOST_DIGITS = 300
TOO_DEEP = "it is nested too deeply. Take out what stands inside so much else."


def as_json(value: Mapping[str, object] | Sequence[object]) -> str:
    """The text of a JSON value; infinite measures read "Infinity": JSON has no number for them.

    >>> as_json({"recursive_c": float("inf")})
    '{\\n  "recursive_c": "Infinity"\\n}'
    """
    return json.dumps(told(value), indent=2, ensure_ascii=False, allow_nan=False, default=str)


def told(value: object) -> object:
    """Return a value with nothing in it that JSON cannot hold.

    What is not finite is a word: "Infinity", "-Infinity" or "NaN".

    >>> told({"t": (float("nan"), 1.5)})
    {'t': ['NaN', 1.5]}
    """
    value = plain(value)
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {name: told(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [told(item) for item in value]
    return value


def from_json(text: str) -> Any:
    """Return the value of a JSON text; ValueError where it is none.

    A name that stands twice in one object is a fault of its own: which one holds?
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
        )
    except RecursionError:
        raise RequestError(f"the JSON cannot be read: {TOO_DEEP}") from None


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise RequestError(
            *(f'the JSON holds "{name}" twice. Leave one of them.' for name in twice)
        )
    return dict(pairs)


NO_NUMBER = "the JSON holds a number that is none: infinite, NaN, or beyond all that is counted."


def _no_number(_: str) -> NoReturn:
    """Refuse NaN and Infinity, which are no JSON."""
    raise RequestError(NO_NUMBER)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise RequestError(NO_NUMBER)
    return number


def _whole(text: str) -> int:
    """Refuse what no column of a database could hold."""
    if len(text) > MOST_DIGITS:
        raise RequestError(NO_NUMBER)
    return int(text)
