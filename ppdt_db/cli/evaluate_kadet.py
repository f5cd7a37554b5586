"""The options of `ppdt evaluate --learner kadet`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from ppdt_db.cli.terminal import Names
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.learners import AnyLearner
from ppdt_db.learn import Kadet

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
NAME = "kadet"
OPTIONS = (
    click.option("--public", type=Names(), help="kadet: columns an attacker may know."),
    click.option("--private", type=Names(), help="kadet: other columns to learn from."),
    click.option("--public-class", is_flag=True, help="kadet: an attacker may know the class too."),
    click.option(
        "--limit", type=float, help="kadet: how certain of a class anybody may be, in percent."
    ),
    click.option("--form", "grown_as", type=click.Choice(["c45", "id3"]), help="kadet: algorithm."),
)
OWN = ("public", "private", "public_class", "limit", "grown_as")


def kadet_options(command: Decorated) -> Decorated:
    """Add the options of kadet to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def make_kadets(
    learners: Sequence[str],
    given: dict[str, Any],
    ks: Sequence[int],
    min_rows: object,
) -> dict[str, AnyLearner]:
    """Return kADET at every k, if it is asked for; take its options out of those given.

    With it `--k`, `--hierarchy` and `--bins` are its own, since its tree is what is released.
    """
    own: Mapping[str, Any] = {name: given.pop(name) for name in OWN}
    if NAME not in learners:
        if wrong := [name for name, value in own.items() if value]:
            raise RequestError(
                *(
                    f"--{'form' if name == 'grown_as' else name.replace('_', '-')} is for "
                    "--learner kadet: add it, or remove the option."
                    for name in wrong
                )
            )
        return {}
    faults = []
    if given["method"] is not None:
        faults.append("--learner kadet: its tree is the release. Remove --method.")
    if not ks:
        faults.append("kadet needs --k, the minimum rows that anyone can be linked to.")
    if faults:
        raise RequestError(*faults)
    hierarchies, bins = dict(given["hierarchy"]), given["bins"]
    given |= {"hierarchy": (), "bins": None}
    return {
        NAME if len(ks) == 1 else f"{NAME} k={k}": Kadet(
            k=k,
            public=own["public"] or (),
            private=own["private"] or (),
            public_class=own["public_class"],
            limit=own["limit"],
            form=own["grown_as"] or "c45",
            hierarchies=hierarchies,
            bins=bins,
            min_rows=min_rows,  # type: ignore[arg-type]
        )
        for k in ks
    }
