"""The names of sets that a tree tests as values of their own: JSON lists of members' texts."""

import json
from collections.abc import Iterable

from ppdt_db.sqltext.json_text import from_json


def set_name(members: Iterable[str | None]) -> str:
    """Return the one name of a set, whatever the order of its members.

    >>> set_name(["M", None, "F", "M"])
    '[null, "F", "M"]'
    """
    found = set(members)
    texts = sorted((text for text in found if text is not None), key=str.encode)
    return json.dumps([None] * (None in found) + texts, ensure_ascii=False, allow_nan=False)


def members_of(name: str) -> list[str | None]:
    """Return the members of a set by its name; raise ValueError if no set has that name.

    >>> members_of('[null, "F", "M"]')
    [None, 'F', 'M']
    """
    members = from_json(name)
    if not isinstance(members, list) or not any(isinstance(text, str) for text in members):
        raise ValueError
    if not all(text is None or isinstance(text, str) for text in members):
        raise ValueError
    if set_name(members) != name:
        raise ValueError
    return members
