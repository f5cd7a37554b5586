"""Strict JSON: infinities and dates are written as text, names are kept as they are.

Reading refuses duplicate keys and numbers that are not finite or too long.
"""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn

from ppdt_db.arguments import plain
from ppdt_db.errors import RequestError

MOST_DIGITS = 300
TOO_DEEP = "it is nested too deeply. Flatten it."


def as_json(value: Mapping[str, object] | Sequence[object]) -> str:
    """Return a value as JSON text; infinite measures become the text "Infinity".

    >>> as_json({"recursive_c": float("inf")})
    '{\\n  "recursive_c": "Infinity"\\n}'
    """
    return json.dumps(as_plain(value), indent=2, ensure_ascii=False, allow_nan=False, default=str)


def as_plain(value: object) -> object:
    """Return a value with everything replaced that JSON cannot hold.

    A number that is not finite becomes "Infinity", "-Infinity" or "NaN".

    >>> as_plain({"t": (float("nan"), 1.5)})
    {'t': ['NaN', 1.5]}
    """
    value = plain(value)
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {name: as_plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    return value


def from_json(text: str) -> Any:
    """Return the value of a JSON text; raise ValueError where it is not JSON.

    Raise RequestError for a key that an object holds twice.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
    except RecursionError:
        raise RequestError(f"the JSON cannot be read: {TOO_DEEP}") from None


def _unique_keys(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    if duplicates := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise RequestError(
            *(f'the JSON has the key "{name}" twice. Remove one of them.' for name in duplicates)
        )
    return dict(pairs)


INVALID_NUMBER = "the JSON holds an invalid number: infinite, NaN, or with too many digits."


def _refuse_constant(_: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise RequestError(INVALID_NUMBER)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise RequestError(INVALID_NUMBER)
    return number


def _integer(text: str) -> int:
    """Refuse an integer that no database column could hold."""
    if len(text) > MOST_DIGITS:
        raise RequestError(INVALID_NUMBER)
    return int(text)
