"""Measure groups of figures side by side, each in a process of its own.

Ctrl-C is for the process that started them, which ends all of them; none outlives it.
"""

import atexit
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing.synchronize import Event
from typing import Any, Protocol, TypeVar

import duckdb

from ppdt_db.engine.interrupt import deadline
from ppdt_db.errors import EngineError

Group = TypeVar("Group", contravariant=True)
Found = TypeVar("Found", covariant=True)


class Desk(Protocol[Group, Found]):
    """A worker that measures one group after the other, with a database of its own."""

    con: duckdb.DuckDBPyConnection

    def run(self, group: Group) -> Found:
        """Measure a group."""
        ...

    def close(self) -> None:
        """Drop everything."""
        ...


# Of a process that another one started: how it makes its desk, the desk, and whether to end.
_here: list[tuple[Callable[[], Desk[Any, Any]], Event]] = []
_desks: list[Desk[Any, Any]] = []


def side_by_side(
    make_desk: Callable[[], Desk[Group, Found]], groups: Sequence[Group], jobs: int
) -> Iterator[Found]:
    """Yield what is found for every group as soon as it is known; one job runs in this process."""
    if jobs < 2:
        with closing(make_desk()) as desk:
            yield from map(desk.run, groups)
        return
    spawn = multiprocessing.get_context("spawn")
    stop = spawn.Event()
    with ProcessPoolExecutor(jobs, spawn, initializer=_begin, initargs=(make_desk, stop)) as pool:
        run: Callable[[Group], Found] = _run
        try:
            with _ctrl_c_blocked():
                # Processes start with the first submissions.
                running = [pool.submit(run, group) for group in groups]
            for future in as_completed(running):
                yield future.result()
        except BrokenProcessPool:
            raise EngineError(
                "a job ended before its work was done, perhaps for want of memory. Lower --jobs "
                "or --memory-limit, and go on with --resume."
            ) from None
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Hold Ctrl-C back in the block, and for good in the processes that it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(make_desk: Callable[[], Desk[Any, Any]], stop: Event) -> None:
    """Prepare a process that was just started."""
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _here.append((make_desk, stop))
    atexit.register(_end)


def _run(group: Any) -> Any:
    """Measure a group in this process, unless the work is to end."""
    make_desk, stop = _here[0]
    if stop.is_set():
        raise KeyboardInterrupt
    if not _desks:
        # Here and not in `_begin`: what goes wrong is told like any other fault.
        _desks.append(make_desk())
    desk = _desks[0]
    with deadline(desk.con, stop.is_set, KeyboardInterrupt):
        return desk.run(group)


def _end() -> None:
    """Close the desk of this process, the last thing it does."""
    for desk in _desks:
        desk.close()
    # What the interpreter would tidy up, DuckDB reports as leaked: threads still hold it.
    os._exit(0)


def _leave_with_parent() -> None:
    """End this process when the one that started it has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
