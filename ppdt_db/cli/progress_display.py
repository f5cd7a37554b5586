"""Show the progress of a run: as a bar in a terminal, else as a line now and then."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ppdt_db.cli.command import is_quiet
from ppdt_db.cli.progress_model import ProgressSnapshot, RunProgress, in_words
from ppdt_db.cli.terminal import STAGES

# Seconds between updates of the bar, and between lines without a terminal.
BAR_PAUSE = 0.25
LINE_PAUSE = 30.0


@contextmanager
def show_progress(*, is_json: bool = False) -> Iterator[RunProgress]:
    """Show the progress of a run on stderr while the block lasts."""
    progress = RunProgress()
    if is_quiet():
        yield progress
    elif sys.stderr.isatty() and not is_json:
        with _bar() as draw, _repeated(lambda: draw(progress.snapshot()), BAR_PAUSE):
            yield progress
    else:
        with _repeated(lambda: click.echo(line(progress.snapshot()), err=True), LINE_PAUSE):
            yield progress


def line(snapshot: ProgressSnapshot) -> str:
    """Return the progress of a run in one line."""
    stage = STAGES.get(snapshot.stage, snapshot.stage) or "starting"
    return f"ppdt: {stage}, {100 * snapshot.share:.0f} %{_left(snapshot)}"


def _left(snapshot: ProgressSnapshot) -> str:
    left = snapshot.seconds_left
    return "" if left is None else f", about {in_words(left)} left"


@contextmanager
def _bar() -> Iterator[Callable[[ProgressSnapshot], None]]:
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

    def draw(snapshot: ProgressSnapshot) -> None:
        stage = STAGES.get(snapshot.stage, snapshot.stage) or "starting"
        left = _left(snapshot).removeprefix(", ")
        bar.update(task, description=stage, completed=snapshot.share, left=left)

    with bar:
        yield draw


@contextmanager
def _repeated(look: Callable[[], None], pause: float) -> Iterator[None]:
    """Call `look` repeatedly in a thread, so that a long statement does not stop the display."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(pause):
            look()

    watcher = threading.Thread(target=watch, name="ppdt-progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
