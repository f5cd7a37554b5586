"""The script of a run: its statements as a shell can run them again."""

import re
from collections.abc import Mapping

from ppdt_db.names import Listed, Private, literal
from ppdt_db.template import render


def spelled(text: str, params: Mapping[str, object]) -> str:
    """The statement with its parameters written out, secrets by name."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in params:
            return match.group(0)
        bound = params[name]
        if isinstance(bound, Private | list) and not isinstance(bound, Listed):
            return render("form/secret", {"name": f"ppdt_{name}"}).text
        return literal(bound)

    return re.sub(r"\$([a-z_]+)", value, text)
