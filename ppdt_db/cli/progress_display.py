"""Shows how far a run is: a bar where somebody looks on, a line now and then where not."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ppdt_db.cli.command import is_quiet
from ppdt_db.cli.journey import Journey, Standing, in_words
from ppdt_db.cli.terminal import STAGES

# Seconds between two looks at the bar, and between two lines where nobody looks on.
BAR_PAUSE = 0.25
LINE_PAUSE = 30.0


@contextmanager
def underway(*, is_json: bool = False) -> Iterator[Journey]:
    """Show how far a run is on stderr, for as long as the block lasts."""
    journey = Journey()
    if is_quiet():
        yield journey
    elif sys.stderr.isatty() and not is_json:
        with _bar() as draw, _repeated(lambda: draw(journey.standing()), BAR_PAUSE):
            yield journey
    else:
        with _repeated(lambda: click.echo(line(journey.standing()), err=True), LINE_PAUSE):
            yield journey


def line(standing: Standing) -> str:
    """Where a run is, in one line."""
    stage = STAGES.get(standing.stage, standing.stage) or "starting"
    return f"ppdt: {stage}, {100 * standing.share:.0f} %{_left(standing)}"


def _left(standing: Standing) -> str:
    left = standing.seconds_left
    return "" if left is None else f", about {in_words(left)} left"


@contextmanager
def _bar() -> Iterator[Callable[[Standing], None]]:
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("starting", total=1.0, left="")

    def draw(standing: Standing) -> None:
        stage = STAGES.get(standing.stage, standing.stage) or "starting"
        left = _left(standing).removeprefix(", ")
        bar.update(task, description=stage, completed=standing.share, left=left)

    with bar:
        yield draw


@contextmanager
def _repeated(look: Callable[[], None], pause: float) -> Iterator[None]:
    """Look again and again in a thread, so that a long statement does not stop the clock."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(pause):
            look()

    watcher = threading.Thread(target=watch, name="ppdt-underway", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
