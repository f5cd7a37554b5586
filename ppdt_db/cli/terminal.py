"""What people see in the terminal: progress on stderr, tables on stdout."""

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

from ppdt_db.cli.command import is_quiet as told_quiet
from ppdt_db.figures import amount, one_in
from ppdt_db.json_text import as_json
from ppdt_db.methods.contract import Progress as Report
from ppdt_db.methods.contract import no_progress
from ppdt_db.names import in_words
from ppdt_db.witness import PROVED

STAGES = {
    "plan": "planning",
    "read": "reading",
    "encode": "encoding",
    "partition": "partitioning",
    "recode": "recoding",
    "audit": "auditing",
    "evaluate": "evaluating",
    "grow": "growing",
    "prune": "pruning",
}

# Before click 8.4 these are not told apart by what they make.
if TYPE_CHECKING:
    ListType = click.ParamType[list[str]]
    PairType = click.ParamType[tuple[str, str]]
    TextType = click.ParamType[str]
else:
    ListType = PairType = TextType = click.ParamType

# Stages that know how far they are.
MEASURED = ("partition", "evaluate")


class Names(ListType):
    """Names with commas between them; a name with a comma goes into double quotes."""

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
        # More than one line is a line break that stands in no quotes.
        if len(lines) != 1 or not all(name.strip() for name in lines[0]):
            self.fail(
                "write names with commas between them; a name with a comma, a quote or a line "
                'break goes into double quotes, a quote in it twice: a,"b,c","d""e".',
                param,
                ctx,
            )
        return [name.strip() for name in lines[0]]

    def together(
        self, values: Sequence[str], param: click.Parameter, ctx: click.Context
    ) -> list[str]:
        """Return the names of all, in their order."""
        return [name for value in values for name in self.convert(value, param, ctx)]


class Terms(TextType):
    """Words such as `2`, `k=10` with commas between them."""

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        return str(value)

    def together(self, values: Sequence[str], param: click.Parameter, ctx: click.Context) -> str:
        """Return all of them in one text."""
        return ",".join(values)


class Pairs(PairType):
    """NAME=VALUE; the name may hold an equals sign, the value may not."""

    name = "name=value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, sign, right = str(value).rpartition("=")
        if not sign or not name:
            self.fail("write it as NAME=VALUE.", param, ctx)
        return name, right

    def clashes(
        self, values: Sequence[str], param: click.Parameter, ctx: click.Context
    ) -> list[str]:
        """Return the names that are given two values."""
        said: dict[str, set[str]] = {}
        for value in values:
            name, right = self.convert(value, param, ctx)
            said.setdefault(name, set()).add(right)
        return [
            f'{param.opts[-1]} "{name}": given {len(right)} different values. Give it one.'
            for name, right in said.items()
            if len(right) > 1
        ]


@contextmanager
def progress(*, is_quiet: bool) -> Iterator[Report]:
    """A bar for long work, when somebody is looking."""
    if is_quiet or told_quiet() or not sys.stderr.isatty():
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
    """One JSON object on stdout, for programs."""
    click.echo(as_json(value))


def warn(messages: Sequence[str]) -> None:
    """Warnings, on stderr."""
    for message in messages:
        click.echo(f"warning: {message}", err=True)


def table(title: str, rows: Sequence[tuple[str, object]]) -> None:
    """A table of names and values."""
    grid = Table(title=title, title_justify="left", show_header=False, box=None, pad_edge=False)
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(escape(name), escape(shown(value)))
    Console().print(grid)


def shown(value: object) -> str:
    """A value as people read it."""
    return amount(value)


def certificate_table(certificate: Mapping[str, object]) -> None:
    """The certificate in words."""
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
    """What is shown as it is, and how many rows it singles out."""
    columns = certificate["kept_together"]
    assert isinstance(columns, list)
    if not columns:
        return []
    names = ("kept_uniqueness", "kept_with_quasi_uniqueness")
    alone, with_quasi = (_percent(certificate[name]) for name in names)
    return [
        ("kept columns", in_words(columns, most=3)),
        ("unique by these", f"{alone} of the rows; {with_quasi} with the quasi-identifiers"),
    ]


def _risk(value: object) -> str:
    words = one_in(value)
    return words if words == one_in(None) else f"{words}, of finding a known person"


def _share(value: object) -> str:
    return f"{_percent(value)} (GCP)" if isinstance(value, float) else "not measured"


def _percent(value: object) -> str:
    return f"{100 * value:.1f} %" if isinstance(value, int | float) else "not measured"


def _parameters(value: object) -> str:
    assert isinstance(value, dict)
    told = {name: item for name, item in value.items() if item is not None and item != {}}
    return ", ".join(f"{name}={shown(item)}" for name, item in told.items())


def lines(title: str, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """A table with a head; numbers stand to the right."""
    grid = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for place, head in enumerate(heads):
        is_number = all(row[place][:1].isdigit() or not row[place] for row in cells)
        grid.add_column(head, justify="right" if is_number else "left", no_wrap=True)
    for row in cells:
        grid.add_row(*(escape(cell) for cell in row))
    # Where nobody looks on, such as in a file, nothing is cut off.
    console = Console() if sys.stdout.isatty() else Console(width=160)
    console.print(grid)
