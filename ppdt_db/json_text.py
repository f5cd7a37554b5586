"""JSON as every reader takes it: infinities as text, dates as text, names as they are."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite


def as_json(value: Mapping[str, object] | Sequence[object]) -> str:
    """The text of a JSON value; infinite measures read "Infinity": JSON has no number for them.

    >>> as_json({"recursive_c": float("inf")})
    '{\\n  "recursive_c": "Infinity"\\n}'
    """
    return json.dumps(_plain(value), indent=2, ensure_ascii=False, default=str)


def _plain(value: object) -> object:
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
