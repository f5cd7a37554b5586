"""The script of a run: its statements as a shell can run them again."""

import re
from collections.abc import Mapping
from typing import TextIO

from ppdt_db.engine.spill import OURS
from ppdt_db.errors import EngineError
from ppdt_db.names import Listed, Private, literal
from ppdt_db.template import render

HIDDEN = re.compile(rf"({OURS.pattern})/")


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


def logged(script: TextIO, text: str) -> None:
    """Write to the script at once: what waits for the end could fail after the release."""
    try:
        # A folder of the run is gone when the script is run again: the file goes beside it.
        script.write(HIDDEN.sub(r"\1.", text))
        script.flush()
    except OSError as error:
        raise EngineError(
            f"the script of the run (--sql-log) cannot be written: {error.strerror}. Nothing was "
            "released."
        ) from None
