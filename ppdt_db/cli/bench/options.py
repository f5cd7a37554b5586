"""What the commands of the papers share: options, and the words for what is asked wrongly."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])


def data_with(files: str) -> Callable[[Command], Command]:
    """The folder of a paper's data."""
    return click.option(
        "--data",
        required=True,
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        help=f"The folder with {files}.",
    )


def resumable(kept: str) -> Callable[[Command], Command]:
    """The file that an experiment goes on from."""
    return click.option(
        "--resume",
        type=click.Path(path_type=Path, dir_okay=False),
        help=f"Every finished {kept} goes to this file at once, and what stands in it is not "
        "repeated.",
    )


def measuring(command: Command) -> Command:
    """What a measurement may use, and how its figures are given."""
    for option in (
        click.option("--json", "is_json", is_flag=True),
        click.option("--memory-limit", help="Such as 4GB."),
        click.option("--threads", type=click.IntRange(min=1)),
    ):
        command = option(command)
    return command


def unknown(option: str, names: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """Names that an option does not have."""
    listed = list(known)
    return [
        f"{option} {name}: choose of {', '.join(listed)}."
        for name in names or ()
        if name not in listed
    ]


def wrong_ks(ks: Iterable[str] | None, least: int) -> list[str]:
    """What is no k, or too low a one."""
    return [
        f"--k {k}: write whole numbers from {least}."
        for k in ks or ()
        if not k.isdecimal() or int(k) < least
    ]
