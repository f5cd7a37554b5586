"""Lets Ctrl-C reach a statement that is running, and then lets the clean-up run undisturbed.

Python handles a signal only between two of its own instructions, and a long statement is one. The
interpreter writes the signal's number to a socket at once, though: a thread reads it there and
asks the database to stop, until the engine has noticed. The engine notices once: statements that
it runs after that, to clean up, are left alone.

Not only Ctrl-C may ask for an end: where SIGTERM or SIGHUP raise as SIGINT does, they do the same,
and so does a deadline.
"""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import duckdb

PATIENCE = 0.05
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Stop:
    """Whether this thread's work was told to stop, and whether the engine has noticed."""

    def __init__(self, reason: type[BaseException] = KeyboardInterrupt) -> None:
        self.reason = reason
        self.thread = threading.get_ident()
        self.asked = threading.Event()
        self.noticed = threading.Event()
        self.lock = threading.Lock()

    def notice(self) -> bool:
        with self.lock:
            is_mine = self.thread == threading.get_ident()
            is_news = is_mine and self.asked.is_set() and not self.noticed.is_set()
            if is_news:
                self.noticed.set()
            return is_news

    def interrupt(self, con: duckdb.DuckDBPyConnection) -> None:
        self.asked.set()
        while not self.noticed.is_set():
            with self.lock:
                if not self.noticed.is_set():
                    con.interrupt()
            self.noticed.wait(PATIENCE)


_running: list[_Stop] = []


def notice() -> type[BaseException] | None:
    """What is to be raised, because the work was told to stop; once."""
    return next((stop.reason for stop in _running if stop.notice()), None)


def too_late() -> None:
    """Let an end that is asked for from now on be: what was to be done is done.

    A run inside of another one is only a part of what is to be done.
    """
    mine = [stop for stop in _running if stop.thread == threading.get_ident()]
    if len(mine) == 1:
        mine[0].noticed.set()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let a statement end that must be done or not done, such as a commit."""
    with ExitStack() as stack:
        for stop in _running:
            stack.enter_context(stop.lock)
        yield


def _put_aside(*_: object) -> None:
    """Stands in for a handler that raises."""


@contextmanager
def undisturbed() -> Iterator[set[int]]:
    """Let no signal raise in the middle of the block; gives those that would have.

    Only the main thread can, and need: no other one is disturbed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield set()
        return
    handlers = {number: signal.getsignal(number) for number in ENDING}
    raising = {n for n, h in handlers.items() if h in (signal.default_int_handler, _put_aside)}
    for number in raising:
        signal.signal(number, _put_aside)
    try:
        yield {int(number) for number in raising}
    finally:
        for number in raising:
            signal.signal(number, handlers[number])


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does, where nobody asked for anything else."""
    taken = [n for n in ENDING[1:] if signal.getsignal(n) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def interruptible(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Stop the running statement when the process is told to stop (in the main thread only)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    stop = _Stop()
    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    with undisturbed() as raising:
        watcher = threading.Thread(
            target=_watch, args=(reader, stop, con, raising), name="ppdt-interrupt", daemon=True
        )
        watcher.start()
        _running.append(stop)
        try:
            yield
        finally:
            _running.remove(stop)
            stop.noticed.set()
            signal.set_wakeup_fd(wakeup)
            writer.close()
            watcher.join()
            reader.close()


def _watch(
    reader: socket.socket, stop: _Stop, con: duckdb.DuckDBPyConnection, raising: set[int]
) -> None:
    while received := reader.recv(16):
        # Ctrl-C ends a run even where its handler is the caller's own.
        if {signal.SIGINT, *raising} & {*received}:
            stop.interrupt(con)


@contextmanager
def deadline(
    con: duckdb.DuckDBPyConnection, is_over: Callable[[], bool], reason: type[Exception]
) -> Iterator[None]:
    """Stop the running statement once it is over, and raise the reason; looks every moment."""
    stop, ended = _Stop(reason), threading.Event()

    def look() -> None:
        while not ended.wait(PATIENCE):
            if is_over():
                stop.interrupt(con)
                return

    watcher = threading.Thread(target=look, name="ppdt-deadline", daemon=True)
    watcher.start()
    _running.append(stop)
    try:
        yield
    finally:
        _running.remove(stop)
        stop.noticed.set()
        ended.set()
        watcher.join()
