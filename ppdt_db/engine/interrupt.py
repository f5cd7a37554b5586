"""Let Ctrl-C stop a running statement, and protect the clean-up that follows.

Python handles signals only between bytecode instructions, and a long statement is one instruction.
But the interpreter writes the signal's number to a socket at once: a thread reads it there and
interrupts the database until the engine has noticed. The engine notices once: the statements that
it runs afterwards, to clean up, are not interrupted.

SIGTERM and SIGHUP do the same as SIGINT where they raise as it does, and so does a deadline.
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
    """A request to stop one thread's work, and whether the engine has noticed it."""

    def __init__(self, reason: type[BaseException] = KeyboardInterrupt) -> None:
        self.reason = reason
        self.thread = threading.get_ident()
        self.requested = threading.Event()
        self.noticed = threading.Event()
        self.lock = threading.Lock()

    def notice(self) -> bool:
        with self.lock:
            is_mine = self.thread == threading.get_ident()
            is_new = is_mine and self.requested.is_set() and not self.noticed.is_set()
            if is_new:
                self.noticed.set()
            return is_new

    def interrupt(self, con: duckdb.DuckDBPyConnection) -> None:
        self.requested.set()
        while not self.noticed.is_set():
            with self.lock:
                if not self.noticed.is_set():
                    con.interrupt()
            self.noticed.wait(PATIENCE)


_running: list[_Stop] = []


def notice() -> type[BaseException] | None:
    """Return the exception to raise if this thread's work was told to stop; only once."""
    return next((stop.reason for stop in _running if stop.notice()), None)


def ignore_late_interrupts() -> None:
    """Ignore interrupts from now on: the work is done.

    This has no effect in a nested run, which is only a part of the work.
    """
    mine = [stop for stop in _running if stop.thread == threading.get_ident()]
    if len(mine) == 1:
        mine[0].noticed.set()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Protect a statement that must not be stopped halfway, such as a commit."""
    with ExitStack() as stack:
        for stop in _running:
            stack.enter_context(stop.lock)
        yield


def _ignore_signal(*_: object) -> None:
    """Ignore a signal; replaces a handler that raises."""


@contextmanager
def signals_blocked() -> Iterator[set[int]]:
    """Block signals that raise during the block; yield their numbers.

    Has an effect in the main thread only: Python delivers signals to no other one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield set()
        return
    handlers = {number: signal.getsignal(number) for number in ENDING}
    raising = {n for n, h in handlers.items() if h in (signal.default_int_handler, _ignore_signal)}
    for number in raising:
        signal.signal(number, _ignore_signal)
    try:
        yield {int(number) for number in raising}
    finally:
        for number in raising:
            signal.signal(number, handlers[number])


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block as Ctrl-C does, unless they are handled already."""
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
    """Stop the running statement when the process is told to stop (main thread only)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    stop = _Stop()
    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    with signals_blocked() as raising:
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
        # Ctrl-C stops a run even where the caller has its own handler.
        if {signal.SIGINT, *raising} & {*received}:
            stop.interrupt(con)


@contextmanager
def deadline(
    con: duckdb.DuckDBPyConnection, is_over: Callable[[], bool], reason: type[BaseException]
) -> Iterator[None]:
    """Stop the running statement once `is_over` is true, and raise the reason."""
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
