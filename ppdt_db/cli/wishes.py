"""The options that say what is asked of a release: roles, method, guarantee, how columns show.

Commands that make a release, plan one or try one take them from here, so that they mean the same.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeVar

import click

from ppdt_db.axis import SCALES
from ppdt_db.cli.terminal import Names, Pairs, Terms
from ppdt_db.errors import RequestError
from ppdt_db.job import Job
from ppdt_db.methods import METHODS
from ppdt_db.methods.mict import MODES
from ppdt_db.partition import CRITERIA
from ppdt_db.policy_file import read_policy

Command = TypeVar("Command", bound=Callable[..., object])

ROLES = {
    "quasi": click.option(
        "--qi", "quasi", type=Names(), help="Quasi-identifiers: what an outsider may know."
    ),
    "sensitive": click.option(
        "--sensitive", type=Names(), help="Columns that must not be learnt of a person."
    ),
    "target": click.option("--target", help="The class that a classifier is to predict."),
    "identifiers": click.option(
        "--id", "identifiers", type=Names(), help="Identifiers, or `rest`: dropped."
    ),
    "entity": click.option("--entity", help="The key of a person: k counts these; not released."),
    "pseudonymize": click.option(
        "--pseudonymize", type=Names(), help="Identifiers to replace by keyed pseudonyms."
    ),
    "keep": click.option("--keep", type=Names(), help="Columns to keep as they are, or `rest`."),
}
GUARD = {
    "method": click.option(
        "--method",
        type=click.Choice(list(METHODS), case_sensitive=False),
        help="Default: mondrian.",
    ),
    "k": click.option("--k", type=int, help="Rows (or entities) in each class. Default: 10."),
    "l": click.option(
        "--l", type=Terms(), help="Diversity: 2 | distinct=2 | entropy=1.5 | recursive=2:3."
    ),
    "t": click.option("--t", type=float, help="t-closeness of each class to the whole table."),
    "alpha": click.option(
        "--alpha", type=float, help="Largest share of one sensitive value in a class."
    ),
    "beta": click.option("--beta", type=float, help="Basic beta-likeness."),
    "enhanced_beta": click.option("--enhanced-beta", type=float, help="Enhanced beta-likeness."),
    "delta": click.option("--delta", type=float, help="Delta-disclosure privacy (strict)."),
}
OF_METHODS = {
    "relaxed": click.option(
        "--relaxed", is_flag=True, default=None, help="Deal rows equal to the median."
    ),
    "criterion": click.option(
        "--criterion",
        type=click.Choice(CRITERIA, case_sensitive=False),
        help="Default: balanced; kactus: ncp.",
    ),
    "tree": click.option("--tree", help="kactus, erp: along this tree (a file of `learn --json`)."),
    "min_rows": click.option(
        "--min-rows", type=int, help="kactus, erp: least rows of two branches. Default: 2."
    ),
    "refine": click.option(
        "--refine", is_flag=True, default=None, help="kactus: go on inside each group."
    ),
    "plain": click.option(
        "--plain", is_flag=True, default=None, help="kactus: single values or NULL only."
    ),
    "tiered": click.option(
        "--tiered", is_flag=True, default=None, help="erp: labels by leaf; see --accept."
    ),
    "scale": click.option(
        "--scale", type=click.Choice(SCALES), help="Microaggregation. Default: deviation."
    ),
    "gamma": click.option(
        "--gamma", type=float, help="What a category that differs counts. Default: 1."
    ),
    "weight": click.option(
        "--weight", type=Pairs(), multiple=True, help="COLUMN=NUMBER; may be repeated."
    ),
    "gain": click.option(
        "--gain", type=float, help="vmdav, mdav2k, mict: how far clusters grow. Default: 0.2."
    ),
    "part_rows": click.option(
        "--part-rows", type=int, help="microaggregate: most rows of a part. Default: 500."
    ),
    "mode": click.option("--mode", type=click.Choice(MODES), help="mict. Default: safe."),
}
OF_COLUMNS = {
    "recode": click.option(
        "--recode",
        type=Pairs(),
        multiple=True,
        help="COLUMN=range|set|bounds|mean|mode|node; may be repeated.",
    ),
    "order": click.option(
        "--order",
        type=Pairs(),
        multiple=True,
        help="COLUMN=FILE with one value a line; may be repeated.",
    ),
    "hierarchy": click.option(
        "--hierarchy",
        type=Pairs(),
        multiple=True,
        help="COLUMN=FILE.csv (leaf,level1,...,root), COLUMN=RELATION, or COLUMN=intervals:10,20, "
        "quantiles:16,4, dates:month,year, prefixes:3,2; may be repeated.",
    ),
}
OPTIONS = {**ROLES, **GUARD, **OF_METHODS, **OF_COLUMNS}
PAIRS = ("recode", "order", "weight", "hierarchy")
# Lists of columns that may be said as `rest`: all that have no other role.
OR_REST = {"identifiers": "--id", "keep": "--keep"}


def wishing(*, without: Collection[str] = ()) -> Callable[[Command], Command]:
    """Give a command the options of a release, without those that it has of its own."""

    def add(command: Command) -> Command:
        for name, option in reversed(OPTIONS.items()):
            if name not in without:
                command = option(command)
        return command

    return add


def job_of(given: Mapping[str, object], policy: Path | None = None) -> Job:
    """The job of a policy file, with what the command line says on top."""
    job = read_policy(policy) if policy else Job()
    pairs = {name: dict(given.get(name) or ()) or None for name in PAIRS}  # type: ignore[call-overload]
    rest = {name: _or_rest(option, given.get(name)) for name, option in OR_REST.items()}
    return job.with_options({**given, **pairs, **rest})


def _or_rest(option: str, names: object) -> object:
    """Return the names of columns, or the word for all others."""
    if not isinstance(names, list) or "rest" not in names:
        return names
    if len(names) > 1:
        raise RequestError(
            f"{option}: rest stands for all other columns, and stands alone. Leave out the names "
            "beside it, or leave it out."
        )
    return "rest"
