"""Find and render the statements of `sql/`; refuse everything that is not quoted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import LoopContext

from ppdt_db.sqltext.quoting import Sql, ident, literal, parameter


def folder(name: str) -> Path:
    """Return the path of `sql` or `migrations`, in the wheel or next to the package."""
    package = Path(__file__).parents[1]
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name}/ of ppdt_db is missing: reinstall ppdt-db")


def _only_quoted(value: object) -> Sql:
    if isinstance(value, Sql):
        return value
    raise TypeError(f"{type(value).__name__} reached a statement without a quoting filter")


def _comma(loop: LoopContext) -> Sql:
    """Return the separator that follows an item of a loop."""
    return Sql("" if loop.last else ", ")


def _nth(stem: str, loop: LoopContext) -> Sql:
    """Return a name with the index of a loop in it, such as `word_0`."""
    return ident(f"{stem}_{loop.index0}")


def _xlog(weight: Sql) -> Sql:
    """Return the expression n log2 n of a weight."""
    return Sql(_environment().get_template("lib/fragments/xlog.sql").render(weight=weight))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder("sql")),
        undefined=StrictUndefined,
        finalize=_only_quoted,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(ident=ident, literal=literal, parameter=parameter)
    environment.filters.update(indented=indented)
    environment.globals.update(comma=_comma, nth=_nth, xlog=_xlog)
    return environment


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One rendered statement: its header, its text, and the parameters that it declares."""

    step: str
    header: str
    text: str
    params: frozenset[str]


_PARAM = re.compile(r"\$([a-z_]+)")


PROTECTED = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|/\*.*?\*/|--[^\n]*)""", re.DOTALL)


def tidied(text: str) -> str:
    r"""Remove trailing and doubled spaces, and empty lines that do not separate CTEs.

    Strings, names and comments stay as they are.

    >>> tidied("WITH a AS (\n    SELECT 1 \n\n),\n\n\nb AS (SELECT 'x \n\n')")
    "WITH a AS (\n    SELECT 1\n),\n\nb AS (SELECT 'x \n\n')"
    """
    pieces = PROTECTED.split(text)
    for place in range(0, len(pieces), 2):
        piece = re.sub(r"(?<![\n ]) {2,}(?=\S)", " ", pieces[place])
        piece = re.sub(r"[ \t]*\n\s*\n", "\n", re.sub(r"[ \t]+\n", "\n", piece))
        if place == 0 or not pieces[place - 1].startswith("--"):
            piece = re.sub(r"\n[ \t]*,[ \t]*(?=\n)", ",", piece)
        # The piece may end here, before a quoted name.
        piece = re.sub(r"\n( *)\),\n(?=\1(?:\S|\Z))", r"\n\1),\n\n", piece)
        pieces[place] = re.sub(r"\n( *)\)\n(?=\1SELECT)", r"\n\1)\n\n", piece)
    return "".join(pieces)


def indented(text: Sql) -> Sql:
    r"""Indent a statement, except for its first line and for quoted text.

    >>> print(indented(Sql("SELECT 1\nFROM t")))
    SELECT 1
        FROM t
    """
    pieces = PROTECTED.split(text)
    pieces[::2] = [re.sub(r"\n(?!\n)", "\n    ", piece) for piece in pieces[::2]]
    return Sql("".join(pieces))


@cache
def _split(source: str) -> tuple[str, str]:
    header = re.match(r"(?:--[^\n]*\n)*", source)
    end = header.end() if header else 0
    return source[:end], tidied(source[end:].strip()).removesuffix(";").strip()


def header_field(header: str, name: str) -> str:
    """Return one field of a header (`in`, `out`, `params`, `keeps`, `paper`)."""
    lines = [line.removeprefix("--").rstrip() for line in header.splitlines()]
    found: list[str] = []
    inside = False
    for line in lines:
        field = re.match(r"\s(\w+):\s", line + " ")
        if field:
            inside = field.group(1) == name
            line = line[field.end() - 1 :]
        elif not line.strip():
            inside = False
        if inside and line.strip():
            found.append(line.strip())
    return " ".join(found)


def render(step: str, names: Mapping[str, object] | None = None) -> Statement:
    """Render `sql/<step>.sql`; `names` holds what a bound parameter cannot carry.

    >>> render("encode/size", {"source": ident("patients")}).step
    'encode/size'
    """
    text = _environment().get_template(f"{step}.sql").render(**(names or {}))
    header, body = _split(text)
    # A declared parameter may be in a branch that was not rendered.
    declared = set(_PARAM.findall(header_field(header, "params")))
    used = declared & set(_PARAM.findall(body))
    return Statement(step=step, header=header, text=body, params=frozenset(used))


def steps() -> list[str]:
    """Return the names of all steps, as `room/file`."""
    root = folder("sql")
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.sql"))
