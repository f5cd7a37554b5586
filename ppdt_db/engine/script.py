"""The script of a run: its statements as a shell can run them again.

Keys and values of the source never stand in it. It asks for variables in their place, says so
before each statement that does, and `heading` gathers them all for the first lines.
"""

import io
import re
from collections.abc import Mapping
from typing import TextIO

from ppdt_db.engine.spill import OURS
from ppdt_db.errors import EngineError
from ppdt_db.names import Listed, Private, literal
from ppdt_db.template import render

HIDDEN = re.compile(rf"({OURS.pattern})/")


NEEDED = "/* needs: {} */"
# Of what a key may be; any text will do for most.
KEYS = {"inner_pad": "36" * 64, "outer_pad": "5c" * 64, "about": "{}"}


class MadeUp(io.StringIO):
    """The script of a run on data that was made up: its lists are written out."""


def spelled(text: str, params: Mapping[str, object], *, is_made_up: bool = False) -> str:
    """The statement with its parameters written out, secrets by name."""
    needed: list[str] = []

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in params:
            return match.group(0)
        bound = params[name]
        if not _is_secret(bound, is_made_up=is_made_up):
            return literal(bound)
        setting = f"SET VARIABLE ppdt_{name} = {_example(name, bound)};"
        needed.append(NEEDED.format(setting) + "\n")
        return render("form/secret", {"name": f"ppdt_{name}"}).text

    written = re.sub(r"\$([a-z_]+)", value, text)
    return "".join(dict.fromkeys(needed)) + written


def _is_secret(bound: object, *, is_made_up: bool) -> bool:
    if isinstance(bound, list) and not isinstance(bound, Listed):
        return not is_made_up
    return isinstance(bound, Private)


def _example(name: str, bound: object) -> str:
    """What a variable can be set to, so that the statement runs: nothing of what it was."""
    if not isinstance(bound, list):
        return literal(KEYS.get(name, "any text"))
    kinds = {type(one) for one in bound if one is not None}
    return "[0]" if kinds and kinds <= {int, float, bool} else "['']"


def heading(script: str, *, is_made_up: bool = False) -> str:
    """Return the first lines of a script: the variables that it asks for."""
    lines = re.findall(r"^/\* needs: (.*) \*/$", script, re.MULTILINE)
    needed = {line.partition(" = ")[0]: line for line in lines}
    if is_made_up:
        return "".join(f"{line}\n" for line in needed.values())
    if not needed:
        return "-- ready for the DuckDB shell: this script asks for no variable.\n\n"
    listed = "".join(f"-- {line}\n" for line in needed.values())
    return (
        "-- ready for the DuckDB shell once these variables are set. Keys, orders and values are\n"
        "-- not written down: take the two dashes away, and put in what is yours. With what\n"
        "-- stands here the statements run, but draw and compare otherwise than the run did.\n"
        f"{listed}\n"
    )


def logged(script: TextIO, text: str, aftermath: str) -> None:
    """Write to the script at once: what waits for the end could fail after the release."""
    try:
        # A folder of the run is gone when the script is run again: the file goes beside it.
        script.write(HIDDEN.sub(r"\1.", text))
        script.flush()
    except OSError as error:
        raise EngineError(
            f"the script of the run (--sql-log) cannot be written: {error.strerror}. {aftermath}"
        ) from None
