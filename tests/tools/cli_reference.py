"""Write docs/cli.md from the commands: `python -m tests.tools.cli_reference [--check]`."""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ppdt_db.cli.main import ppdt as whole

PAGE = Path(__file__).parent.parent.parent / "docs" / "cli.md"
HEAD = """\
# Command reference

Every command of `ppdt`, with every option and its help line. `ppdt COMMAND --help` prints the
same. This page is generated: run `python -m tests.tools.cli_reference` after a change of an option.

Exit codes: 0 done; 2 the request is wrong, and nothing was touched; 3 the data do not allow the
guarantee, or the audit failed, and nothing was released; 1 anything else.
"""


def commands(group: click.Group = whole, path: str = "ppdt") -> Iterator[tuple[str, click.Command]]:
    """Every command and every group, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def options(command: click.Command) -> list[click.Option]:
    return [param for param in command.params if isinstance(param, click.Option)]


def cell(text: str) -> str:
    """Text as it can stand in a cell of a table: on one line, no bar that ends the cell."""
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|")


def names(option: click.Option) -> str:
    """The names of an option, and what it takes."""
    listed = " / ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    if option.is_flag:
        return listed
    kind = option.type
    if isinstance(kind, click.Choice):
        return f"{listed} " + cell(" | ".join(f"`{choice}`" for choice in kind.choices))
    word = option.metavar or kind.name.upper().removesuffix(" RANGE")
    return f"{listed} `{cell(word)}`"


def help_line(option: click.Option) -> str:
    """What an option's line of help says, its bounds and its default."""
    text = cell(option.help or "")
    if isinstance(option.type, click.IntRange):
        bounds = [("At least", option.type.min), ("At most", option.type.max)]
        text += "".join(f" {word} {bound}." for word, bound in bounds if bound is not None)
    if option.show_default and not option.is_flag:
        defaults = option.default if isinstance(option.default, list | tuple) else [option.default]
        text += f" Default: {', '.join(map(str, defaults))}."
    return text + (" Required." if option.required else "")


def usage(command: click.Command) -> str:
    """What stands behind the words of a command."""
    found = ["[OPTIONS]"]
    for param in command.params:
        if isinstance(param, click.Argument):
            choices = param.type.choices if isinstance(param.type, click.Choice) else ()
            word = "|".join(map(str, choices)) or param.metavar or (param.name or "").upper()
            word += "..." if param.nargs == -1 else ""
            found.append(word if param.required else f"[{word}]")
    return " ".join(found)


def section(path: str, command: click.Command) -> str:
    """One command: how it is called, what it does, its options."""
    about = "\n\n".join(
        re.sub(r"\s+", " ", part).strip() for part in (command.help or "").split("\n\n")
    )
    lines = [f"## {path}", "", about.strip()]
    if isinstance(command, click.Group):
        return "\n".join(lines)
    lines += ["", f"```text\n{path} {usage(command)}\n```", "", "| option | |", "| --- | --- |"]
    lines += [f"| {names(option)} | {help_line(option)} |" for option in options(command)]
    return "\n".join(lines)


def contents(found: list[tuple[str, click.Command]]) -> str:
    """All commands, each with a link to its place."""
    lines = ["| command | |", "| --- | --- |"]
    for path, command in found:
        if not isinstance(command, click.Group):
            text = cell((command.help or "").partition("\n\n")[0])
            lines.append(f"| [`{path}`](#{path.replace(' ', '-')}) | {text} |")
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    found = list(commands())
    sections = [section(path, command) for path, command in found]
    return "\n\n".join([HEAD.strip(), contents(found), *sections]) + "\n"


def main() -> int:
    """Write the page; with --check tell whether it is as it would be written."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.cli_reference")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 where it differs")
    if parser.parse_args().check:
        is_current = PAGE.exists() and PAGE.read_text("utf-8") == page()
        print("docs/cli.md is up to date" if is_current else "docs/cli.md is out of date")
        return int(not is_current)
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
