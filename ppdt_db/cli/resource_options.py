"""The options for resource limits, shared by the long-running commands."""

from collections.abc import Callable
from typing import TypeVar

import click

from ppdt_db.engine import Limits, named

F = TypeVar("F", bound=Callable[..., object])

key_option = click.option("--db-key-file", help="File with the key of an encrypted --db.")
OPTIONS = (
    click.option(
        "--threads", type=click.IntRange(min=1), help="How many threads run. Default: all."
    ),
    click.option("--memory-limit", help="Such as 4GB."),
    click.option("--temp-directory", help="Directory for spill files."),
    click.option(
        "--encrypt-temp", is_flag=True, default=None, help="Encrypt spill files (needs httpfs)."
    ),
    key_option,
)


def limited(*, has_db: bool = True) -> Callable[[F], F]:
    """Add the options of the limits to a command."""

    def add(command: F) -> F:
        for option in reversed(OPTIONS if has_db else OPTIONS[:-1]):
            command = option(command)
        return command

    return add


def keyed(path: str | None) -> Limits:
    """Return limits with nothing but the key of an encrypted database."""
    return Limits(key_file=named("--db-key-file", path))


def limits_of(given: dict[str, object]) -> Limits:
    """Remove the limits from a command's arguments, and return them."""
    names = ("threads", "memory_limit", "temp_directory", "encrypt_temp", "db_key_file")
    threads, memory, temp, encrypt, key = (given.pop(name, None) for name in names)
    return Limits(
        threads=threads,  # type: ignore[arg-type]
        memory_limit=memory,  # type: ignore[arg-type]
        temp_directory=named("--temp-directory", temp),
        encrypt_temp=bool(encrypt),
        key_file=named("--db-key-file", key),
    )
