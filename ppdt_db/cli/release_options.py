"""The options of a release: roles, method, guarantee, recoding.

Shared by all commands that make, plan or try a release, so that they mean the same everywhere.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from ppdt_db.cli.job import Job
from ppdt_db.cli.policy_file import read_policy
from ppdt_db.cli.terminal import Names, Pairs, TermList
from ppdt_db.errors import RequestError
from ppdt_db.methods import METHODS
from ppdt_db.methods import OPTIONS as METHOD_OPTIONS
from ppdt_db.methods.options import Option
from ppdt_db.recodings import RECODINGS

F = TypeVar("F", bound=Callable[..., object])

ROLES = {
    "quasi": click.option(
        "--qi", "quasi", type=Names(), help="Quasi-identifiers: columns an attacker may know."
    ),
    "sensitive": click.option(
        "--sensitive", type=Names(), help="Columns an attacker must not be able to infer."
    ),
    "target": click.option("--target", help="Class column for classifiers."),
    "identifiers": click.option(
        "--id", "identifiers", type=Names(), help="Identifiers to drop, or `rest`."
    ),
    "entity": click.option(
        "--entity", help="Column that identifies a person, for k to count persons; not released."
    ),
    "pseudonymize": click.option(
        "--pseudonymize", type=Names(), help="Identifiers to replace by keyed pseudonyms."
    ),
    "keep": click.option("--keep", type=Names(), help="Columns to release unchanged, or `rest`."),
}
METHOD = {
    "method": click.option(
        "--method",
        type=click.Choice(list(METHODS), case_sensitive=False),
        help="Default: mondrian.",
    )
}
# How the command line reads what a policy file holds.
TYPES: Mapping[str, Any] = {
    "int": int, "float": float, "str": str, "path": str, "int | str": TermList(),
    "dict[str, float | str]": Pairs(),
}  # fmt: skip
OF_COLUMNS = {
    "recode": click.option(
        "--recode",
        type=Pairs(),
        multiple=True,
        help=f"COLUMN={'|'.join(RECODINGS)}, or COLUMN=bins:RULE as in --bins; may be repeated.",
    ),
    "order": click.option(
        "--order",
        type=Pairs(),
        multiple=True,
        help="COLUMN=FILE with one value per line; may be repeated.",
    ),
    "hierarchy": click.option(
        "--hierarchy",
        type=Pairs(),
        multiple=True,
        help="COLUMN=FILE.csv (leaf,level1,...,root), COLUMN=RELATION, or COLUMN=intervals:10,20, "
        "quantiles:16,4, dates:month,year, prefixes:3,2; may be repeated.",
    ),
}


def _of_method(option: Option) -> Callable[[F], F]:
    """Return an option of methods as one of a command."""
    kind = option.kind.removesuffix(" | None")
    if kind == "bool":
        return click.option(option.flag, is_flag=True, default=None, help=option.help)
    words = click.Choice(option.words, case_sensitive=False) if option.words else None
    is_map = kind.startswith("dict")
    return click.option(option.flag, type=words or TYPES[kind], multiple=is_map, help=option.help)


OF_METHODS = {name: _of_method(option) for name, option in METHOD_OPTIONS.items()}
BINS = {
    "bins": click.option(
        "--bins",
        help="Cut all numbers and dates without a recoding of their own into bins: mdl (by the "
        "target), quantiles:N, widths:W, or FILE.csv (column,edge).",
    )
}
OPTIONS = {**ROLES, **METHOD, **OF_METHODS, **OF_COLUMNS, **BINS}
PAIRS = [*OF_COLUMNS, *(n for n, o in METHOD_OPTIONS.items() if o.kind.startswith("dict"))]
# Lists of columns that accept `rest`: all columns without another role.
OR_REST = {"identifiers": "--id", "keep": "--keep"}


def release_options(*, without: Collection[str] = ()) -> Callable[[F], F]:
    """Add the options of a release to a command, except those that it defines itself."""

    def add(command: F) -> F:
        for name, option in reversed(OPTIONS.items()):
            if name not in without:
                command = option(command)
        return command

    return add


def job_of(given: Mapping[str, object], policy: Path | None = None) -> Job:
    """Return the job of a policy file, with the command line's options on top."""
    job = read_policy(policy) if policy else Job()
    pairs = {name: dict(given.get(name) or ()) or None for name in PAIRS}  # type: ignore[call-overload]
    rest = {name: _or_rest(option, given.get(name)) for name, option in OR_REST.items()}
    return job.with_options({**given, **pairs, **rest})


def _or_rest(option: str, names: object) -> object:
    """Return the names of columns, or "rest" for all others."""
    if not isinstance(names, list) or "rest" not in names:
        return names
    if len(names) > 1:
        raise RequestError(
            f"{option}: rest means all other columns, and cannot be combined with names. Remove "
            "rest, or the names."
        )
    return "rest"
