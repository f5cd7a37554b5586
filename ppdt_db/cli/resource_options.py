"""The options that say what a run may use of the machine, shared by the long commands."""

from collections.abc import Callable
from typing import TypeVar

import click

from ppdt_db.engine import Limits, named

Command = TypeVar("Command", bound=Callable[..., object])

key_option = click.option("--db-key-file", help="File with the key of --db, if encrypted.")
OPTIONS = (
    click.option("--threads", type=click.IntRange(min=1)),
    click.option("--memory-limit", help="Such as 4GB."),
    click.option("--temp-directory", help="Where what does not fit into memory lies meanwhile."),
    click.option("--encrypt-temp", is_flag=True, default=None, help="Encrypt it there (httpfs)."),
    key_option,
)


def limited(*, has_db: bool = True) -> Callable[[Command], Command]:
    """Give a command the options of the limits."""

    def add(command: Command) -> Command:
        for option in reversed(OPTIONS if has_db else OPTIONS[:-1]):
            command = option(command)
        return command

    return add


def keyed(path: str | None) -> Limits:
    """No limits but the key of an encrypted database."""
    return Limits(key_file=named("--db-key-file", path))


def limits_of(given: dict[str, object]) -> Limits:
    """Take the limits out of what a command was given."""
    names = ("threads", "memory_limit", "temp_directory", "encrypt_temp", "db_key_file")
    threads, memory, temp, encrypt, key = (given.pop(name, None) for name in names)
    return Limits(
        threads=threads,  # type: ignore[arg-type]
        memory_limit=memory,  # type: ignore[arg-type]
        temp_directory=named("--temp-directory", temp),
        encrypt_temp=bool(encrypt),
        key_file=named("--db-key-file", key),
    )
