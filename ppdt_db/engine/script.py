"""The SQL script of a run (--sql-log): its statements, ready to run again in a shell.

It never contains keys or values of the source: variables replace them. A comment before each
statement names those that it needs, and `heading` lists all of them at the top.
"""

import io
import re
from collections.abc import Mapping
from typing import TextIO

from ppdt_db.engine.run_folder import OURS
from ppdt_db.errors import EngineError
from ppdt_db.sqltext.quoting import Listed, Private, literal
from ppdt_db.sqltext.templates import render

HIDDEN = re.compile(rf"({OURS.pattern})/")


NEEDED = "/* needs: {} */"
# Example keys; any text will do for the others.
KEYS = {"inner_pad": "36" * 64, "outer_pad": "5c" * 64, "about": "{}"}


class MadeUp(io.StringIO):
    """A script of a run on made-up data: lists of values are written out."""


def inline_parameters(text: str, params: Mapping[str, object], *, is_made_up: bool = False) -> str:
    """Return the statement with its parameters written out, and variables for secrets."""
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
        return render("lib/fragments/secret", {"name": f"ppdt_{name}"}).text

    written = re.sub(r"\$([a-z_]+)", value, text)
    return "".join(dict.fromkeys(needed)) + written


def _is_secret(bound: object, *, is_made_up: bool) -> bool:
    if isinstance(bound, list) and not isinstance(bound, Listed):
        return not is_made_up
    return isinstance(bound, Private)


def _example(name: str, bound: object) -> str:
    """Return a harmless value for a variable, with which the statement runs."""
    if not isinstance(bound, list):
        return literal(KEYS.get(name, "any text"))
    kinds = {type(one) for one in bound if one is not None}
    return "[0]" if kinds and kinds <= {int, float, bool} else "['']"


def heading(script: str, *, is_made_up: bool = False) -> str:
    """Return the first lines of a script: the variables to set."""
    lines = re.findall(r"^/\* needs: (.*) \*/$", script, re.MULTILINE)
    needed = {line.partition(" = ")[0]: line for line in lines}
    if is_made_up:
        return "".join(f"{line}\n" for line in needed.values())
    if not needed:
        return "-- Ready for the DuckDB shell: this script needs no variables.\n\n"
    listed = "".join(f"-- {line}\n" for line in needed.values())
    return (
        "-- Ready for the DuckDB shell once these variables are set. Keys, orders and values are\n"
        "-- not written to the script: uncomment the lines and fill in your own. With the\n"
        "-- examples below the statements run, but sample and compare differently.\n"
        f"{listed}\n"
    )


def logged(script: TextIO, text: str, aftermath: str) -> None:
    """Write to the script at once: a late failure could come after the release."""
    try:
        # The run's folder is gone when the script is run again: write the file beside it.
        script.write(HIDDEN.sub(r"\1.", text))
        script.flush()
    except OSError as error:
        raise EngineError(
            f"the script of the run (--sql-log) cannot be written: {error.strerror}. {aftermath}"
        ) from None
