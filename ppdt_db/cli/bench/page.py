"""Pages: the tables of an experiment, shown in the terminal and written as Markdown."""

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import click
import duckdb

from ppdt_db.cli.terminal import lines
from ppdt_db.experiments.verdict import Cell, counted, worse_cells

START, END = "<!-- measured -->", "<!-- end of what was measured -->"
# The names of the user's own files and folders do not belong on a page.
UNNAMED = {
    "--data": "DIR",
    "--hierarchies": "DIR",
    "--resume": None,
    "--page": None,
    "--plot": None,
}


@dataclass(frozen=True)
class Section:
    """A table with a heading; or text, without columns."""

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass
class Page:
    """The tables of an experiment, its notes, and the cells that the last line counts."""

    title: str
    sections: list[Section] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)

    def table(self, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table."""
        self.sections.append(Section(title, heads, rows))

    def note(self, text: str) -> None:
        """Add a paragraph."""
        self.sections.append(Section(text))

    def show(self) -> None:
        """Print everything; the last line counts the cells."""
        for section in self.sections:
            if section.heads:
                lines(section.title, section.heads, section.rows)
                click.echo()
            else:
                click.echo(section.title + "\n")
        if self.cells:
            click.echo(counted(self.cells))

    def write(self, path: Path) -> None:
        """Write everything between the marks of a page; what is around them stays."""
        own = "\n\n".join([START, *self._paragraphs(), END])
        if not path.exists():
            path.write_text(f"# {self.title}\n\n{own}\n", "utf-8")
            return
        text = path.read_text("utf-8")
        before, start, rest = text.partition(START)
        _, end, after = rest.partition(END)
        if not start or not end:
            raise click.UsageError(
                f"--page {path}: the page lacks the marks {START} and {END}, between which the "
                "tables go. Add them, or name a new file."
            )
        path.write_text(before + own + after, "utf-8")

    def _paragraphs(self) -> list[str]:
        """Return what a page says: how it was measured, the tables, the count, what is worse."""
        found = [f"```sh\n{command()}\n```", measured_on()]
        for section in self.sections:
            found.append(_markdown(section) if section.heads else section.title)
        if self.cells:
            found.append(f"**{counted(self.cells)}**")
        worse = worse_cells(self.cells)
        if worse:
            rows = [(c.where, _figure(c.paper), _figure(c.ours)) for c in worse]
            found.append(
                _markdown(Section("Worse than the paper", ("cell", "paper", "ours"), rows))
            )
        return found


def command() -> str:
    """Return the command that runs, with folders and files unnamed."""
    found: list[str] = []
    words = iter(sys.argv[1:])
    for word in words:
        option, equals, _ = word.partition("=")
        if option not in UNNAMED:
            found.append(word)
            continue
        if not equals:
            next(words, None)
        unnamed = UNNAMED[option]
        if unnamed is not None:
            found += [option, unnamed]
    return " ".join(["ppdt", *found])


def measured_on() -> str:
    """Return the date and the kind of machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured on {datetime.now(UTC).date().isoformat()}: {os.cpu_count()} cores, "
        f"{memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}, DuckDB "
        f"{duckdb.__version__}."
    )


def _markdown(section: Section) -> str:
    rows = [section.heads, ["---"] * len(section.heads), *section.rows]
    grid = "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows
    )
    return f"### {section.title}\n\n{grid}"


def _figure(value: float | str | None) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
