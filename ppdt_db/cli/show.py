"""`ppdt show`: print the SQL of a step, as it runs on the demo's patients."""

import re
from functools import cache

import click

from ppdt_db.cli.command import PpdtCommand
from ppdt_db.engine.script import heading
from ppdt_db.errors import RequestError
from ppdt_db.sqltext.quoting import did_you_mean
from ppdt_db.sqltext.templates import folder, steps

ROOMS_WITHOUT_STEPS = ("lib/engine/", "lib/fragments/")


@click.command(cls=PpdtCommand)
@click.argument("step", required=False)
@click.option("--k", type=int, default=5, show_default=True, help="The k of the run.")
@click.option(
    "--script", is_flag=True, help="Print everything up to the step, ready for the DuckDB shell."
)
def show(step: str | None, k: int, script: bool) -> None:
    """Print the SQL of STEP (such as mondrian/candidate) as it runs on the demo's patients."""
    known = [name for name in steps() if not name.startswith(ROOMS_WITHOUT_STEPS)]
    if step is None:
        click.echo("\n".join(known))
        return
    found = [name for name in known if name == step or name.endswith(f"/{step}")]
    if not found:
        raise RequestError(
            f'there is no step "{step}".{did_you_mean(step, known)} `ppdt show` lists them all.'
        )
    if len(found) > 1 and step not in known:
        raise RequestError(
            f'several steps end in "{step}": {", ".join(found)}. Give the full name.'
        )
    step = step if step in known else found[0]
    parts = _up_to(step, k)
    if not parts:
        raise RequestError(f"step {step} is not used by any run on the demo's patients.")
    chosen = [part for part in (parts if script else parts[-1:]) if part]
    text = "\n-- ".join(["", *chosen]).strip()
    click.echo(heading(text, is_made_up=True) + text if script else text)


def _up_to(step: str, k: int) -> list[str]:
    """Return the script up to a step, or up to a step that it is inlined into."""
    # Imported only here: listing the steps needs none of it.
    from ppdt_db.cli.showcases import showcases

    runs, listed = showcases(), titles_of(step)
    room = step.split("/")[-2]

    def is_unlikely(title: str) -> tuple[bool, bool]:
        """Sort the runs that the manifest lists first, then those named after the step's room."""
        return title.casefold() not in listed, room not in title

    # The manifest was written for one k; with another one, a step may occur in other runs.
    for title in sorted(runs, key=is_unlikely):
        if parts := _parts_up_to(step, runs[title](k)):
            return parts
    return []


def _parts_up_to(step: str, script: str) -> list[str]:
    around: list[str] = []
    parts = script.split("\n-- ")
    for number, part in enumerate(parts, 1):
        if part.partition("\n")[0] == step:
            return parts[:number]
        if not around and f"/* {step} */" in part:
            around = parts[:number]
    return around


@cache
def _manifest() -> dict[str, set[str]]:
    """Return the steps of every run by its title, as sql/MANIFEST.md lists them."""
    runs: dict[str, set[str]] = {}
    sections = (folder("sql") / "MANIFEST.md").read_text("utf-8").split("\n## ")[1:]
    for section in sections:
        title, _, text = section.partition("\n")
        rows = re.findall(r"^\| `([\w/]+)` \| (.+) \|$", text, re.MULTILINE)
        runs[title.casefold()] = {
            f"{room}/{step}"
            for room, listed in rows
            for step in re.findall(r"(?:^|, )\[?(\w+)", listed)
        }
    return runs


def titles_of(step: str) -> list[str]:
    """Return the titles of the runs that take a step, in lower case."""
    return [title for title, taken in _manifest().items() if step in taken]
