"""Terminal output: progress on stderr, tables on stdout; and the parameter types of options."""

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from ppdt_db.cli.command import is_quiet as quiet_was_given
from ppdt_db.figures import amount, one_in
from ppdt_db.methods import METHODS
from ppdt_db.progress import Progress as Report
from ppdt_db.progress import no_progress
from ppdt_db.release.prove_kk import PROVED
from ppdt_db.sqltext.json_text import as_json
from ppdt_db.sqltext.quoting import list_names

STAGES = {
    "plan": "planning",
    "read": "reading",
    "encode": "encoding",
    "recode": "recoding",
    "audit": "auditing",
    "evaluate": "evaluating",
    "grow": "growing",
    "prune": "pruning",
    **{stage: word for method in METHODS.values() for stage, word in method.stage_words.items()},
}

# Before click 8.4 parameter types are not generic.
if TYPE_CHECKING:
    ListType = click.ParamType[list[str]]
    PairType = click.ParamType[tuple[str, str]]
    TextType = click.ParamType[str]
else:
    ListType = PairType = TextType = click.ParamType

# Stages that report their progress.
MEASURED = ("partition", "evaluate")


class Names(ListType):
    """Names separated by commas; a name with a comma goes into double quotes."""

    name = "a,b,c"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        if isinstance(value, list):
            return value
        try:
            lines = list(csv.reader(io.StringIO(str(value)), strict=True))
        except csv.Error:
            lines = []
        # More than one line means a line break outside of quotes.
        if len(lines) != 1 or not all(name.strip() for name in lines[0]):
            self.fail(
                "separate names by commas; put a name with a comma, a quote or a line break into "
                'double quotes, and double its quotes: a,"b,c","d""e".',
                param,
                ctx,
            )
        return [name.strip() for name in lines[0]]

    def together(
        self, values: Sequence[str], param: click.Parameter, ctx: click.Context
    ) -> list[str]:
        """Return all values together, in their order."""
        return [name for value in values for name in self.convert(value, param, ctx)]


class TermList(TextType):
    """Terms separated by commas, such as `2` or `k=10`."""

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        return str(value)

    def together(self, values: Sequence[str], param: click.Parameter, ctx: click.Context) -> str:
        """Return all values together, in their order."""
        return ",".join(values)


class Pairs(PairType):
    """NAME=VALUE; the name may contain an equals sign, the value may not."""

    name = "name=value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, sign, right = str(value).rpartition("=")
        if not sign or not name:
            self.fail("write NAME=VALUE.", param, ctx)
        return name, right

    def clashes(
        self, values: Sequence[str], param: click.Parameter, ctx: click.Context
    ) -> list[str]:
        """Return a fault for every name with two values."""
        by_name: dict[str, set[str]] = {}
        for value in values:
            name, right = self.convert(value, param, ctx)
            by_name.setdefault(name, set()).add(right)
        return [
            f'{param.opts[-1]} "{name}": given {len(right)} different values. Give only one.'
            for name, right in by_name.items()
            if len(right) > 1
        ]


@contextmanager
def progress(*, is_quiet: bool) -> Iterator[Report]:
    """Yield a progress callback; it draws a bar if stderr is a terminal."""
    if is_quiet or quiet_was_given() or not sys.stderr.isatty():
        yield no_progress
        return
    console = Console(stderr=True)
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        tasks: dict[str, int] = {}

        def report(stage: str, share: float) -> None:
            for name, task in tasks.items():
                if name != stage:
                    bar.update(task, completed=1.0)  # type: ignore[arg-type]
            if stage not in tasks:
                total = 1.0 if stage in MEASURED else None
                tasks[stage] = bar.add_task(STAGES.get(stage, stage), total=total)
            bar.update(tasks[stage], completed=share)  # type: ignore[arg-type]

        yield report


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """Print one JSON value to stdout."""
    click.echo(as_json(value))


def warn(messages: Sequence[str]) -> None:
    """Print warnings to stderr."""
    for message in messages:
        click.echo(f"warning: {message}", err=True)


def table(title: str, rows: Sequence[tuple[str, object]]) -> None:
    """Print a table of names and values."""
    grid = Table(title=title, title_justify="left", show_header=False, box=None, pad_edge=False)
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(escape(name), escape(shown(value)))
    Console().print(grid)


def shown(value: object) -> str:
    """Return a value as text for people."""
    return amount(value)


def certificate_table(certificate: Mapping[str, object]) -> None:
    """Print the certificate as a table."""
    rows: list[tuple[str, object]] = [
        ("guarantee", certificate["guarantee"]),
        ("k measured", f"{shown(certificate['k_measured'])} {certificate['k_counts']}"),
    ]
    findings = certificate["findings"]
    assert isinstance(findings, list)
    rows += [("(k,k) at least", f["measured"]) for f in findings if f["name"] == PROVED]
    if certificate["l_measured"] is not None:
        rows.append(("l measured", certificate["l_measured"]))
    rows += [
        ("rows in / out", f"{shown(certificate['rows_in'])} / {shown(certificate['rows_out'])}"),
        ("classes", certificate["classes"]),
        ("highest risk", _risk(certificate["prosecutor_risk_max"])),
        ("information lost", _share(certificate["gcp"])),
        *_kept(certificate),
        ("method", f"{certificate['method']} {_parameters(certificate['parameters'])}"),
    ]
    table("certificate", rows)


def _kept(certificate: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return the rows about unchanged columns and the uniqueness that they cause."""
    columns = certificate["kept_together"]
    assert isinstance(columns, list)
    if not columns:
        return []
    names = ("kept_uniqueness", "kept_with_quasi_uniqueness")
    alone, with_quasi = (_percent(certificate[name]) for name in names)
    return [
        ("unchanged columns", list_names(columns, most=3)),
        ("unique by these", f"{alone} of the rows; {with_quasi} with the quasi-identifiers"),
    ]


def _risk(value: object) -> str:
    words = one_in(value)
    return words if words == one_in(None) else f"{words}, of re-identifying a known person"


def _share(value: object) -> str:
    return f"{_percent(value)} (GCP)" if isinstance(value, float) else "not measured"


def _percent(value: object) -> str:
    return f"{100 * value:.1f} %" if isinstance(value, int | float) else "not measured"


def _parameters(value: object) -> str:
    assert isinstance(value, dict)
    given = {name: item for name, item in value.items() if item is not None and item != {}}
    return ", ".join(f"{name}={shown(item)}" for name, item in given.items())


def lines(title: str, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Print a table with headings; numbers are right-aligned."""
    grid = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for place, head in enumerate(heads):
        is_number = all(row[place][:1].isdigit() or not row[place] for row in cells)
        grid.add_column(head, justify="right" if is_number else "left", no_wrap=True)
    for row in cells:
        grid.add_row(*(escape(cell) for cell in row))
    # Without a terminal, such as in a file, lines are not cut off.
    console = Console() if sys.stdout.isatty() else Console(width=160)
    console.print(grid)
