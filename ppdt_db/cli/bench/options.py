"""Options and checks shared by the commands for papers."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def data_with(files: str) -> Callable[[F], F]:
    """Return the option for the folder of a paper's data."""
    return click.option(
        "--data",
        required=True,
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        help=f"The folder with {files}.",
    )


def resumable(kept: str) -> Callable[[F], F]:
    """Return the option for the file that an experiment resumes from."""
    return click.option(
        "--resume",
        type=click.Path(path_type=Path, dir_okay=False),
        help=f"Save every finished {kept} to this file, and skip those already in it.",
    )


def paged(command: F) -> F:
    """Return the option for the page that the tables are written to."""
    return click.option(
        "--page",
        "page_path",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Write the tables to this Markdown file too, between its two marks.",
    )(command)


def measuring(command: F) -> F:
    """Return the options for resources and output of a measurement."""
    for option in (
        click.option("--json", "is_json", is_flag=True, help="Everything on stdout, as JSON."),
        click.option("--memory-limit", help="Such as 4GB."),
        click.option(
            "--threads", type=click.IntRange(min=1), help="How many threads run. Default: all."
        ),
    ):
        command = option(command)
    return command


def unknown(option: str, names: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """Return a fault for every name that an option does not accept."""
    listed = list(known)
    return [
        f"{option} {name}: choose from {', '.join(listed)}."
        for name in names or ()
        if name not in listed
    ]


def wrong_ks(ks: Iterable[str] | None, least: int) -> list[str]:
    """Return a fault for every k that is not a number, or too low."""
    return [
        f"--k {k}: write whole numbers of at least {least}."
        for k in ks or ()
        if not k.isdecimal() or int(k) < least
    ]
