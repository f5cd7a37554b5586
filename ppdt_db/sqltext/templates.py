"""Finds and renders the statements of `sql/`. Whatever is not quoted is refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ppdt_db.names import Sql, ident, literal, parameter


def folder(name: str) -> Path:
    """Where `sql` or `migrations` lies: inside the wheel, or beside the package in a checkout."""
    package = Path(__file__).parent
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name}/ of ppdt_db is missing: install the package again")


def _only_quoted(value: object) -> Sql:
    if isinstance(value, Sql):
        return value
    raise TypeError(f"{type(value).__name__} reached a statement without a quoting filter")


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
    return environment


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One rendered statement: its header, its text, and the parameters that it declares."""

    step: str
    header: str
    text: str
    params: frozenset[str]


_PARAM = re.compile(r"\$([a-z_]+)")


@cache
def _split(source: str) -> tuple[str, str]:
    header = re.match(r"(?:--[^\n]*\n)*", source)
    end = header.end() if header else 0
    return source[:end], source[end:].strip().removesuffix(";").strip()


def header_field(header: str, name: str) -> str:
    """The text of one field of a header (`in`, `out`, `params`, `keeps`, `paper`)."""
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
    """Render `sql/<step>.sql`; names are the things that a parameter cannot carry.

    >>> render("encode/size", {"source": ident("patients")}).step
    'encode/size'
    """
    text = _environment().get_template(f"{step}.sql").render(**(names or {}))
    header, body = _split(text)
    # A parameter may stand in a branch that was not rendered: what counts is what is left.
    declared = set(_PARAM.findall(header_field(header, "params")))
    used = declared & set(_PARAM.findall(body))
    return Statement(step=step, header=header, text=body, params=frozenset(used))


def steps() -> list[str]:
    """All steps, as `room/file`."""
    root = folder("sql")
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.sql"))
