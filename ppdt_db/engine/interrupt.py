"""Lets Ctrl-C reach a statement that is running, and then lets the clean-up run undisturbed.

Python handles a signal only between two of its own instructions, and a long statement is one. The
interpreter writes the signal's number to a socket at once, though: a thread reads it there and
asks the database to stop, until the engine has noticed. The engine notices once: statements that
it runs after that, to clean up, are left alone.
"""

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

PATIENCE = 0.05


class _Stop:
    """Whether the process was told to stop, and whether the engine has noticed."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.noticed = threading.Event()
        self.lock = threading.Lock()

    def notice(self) -> bool:
        with self.lock:
            is_news = self.asked.is_set() and not self.noticed.is_set()
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


def notice() -> bool:
    """Whether the process was told to stop; True once."""
    return any(stop.notice() for stop in _running)


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
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        # It would raise a second time, in the middle of the clean-up.
        signal.signal(signal.SIGINT, lambda *_: None)

    def watch() -> None:
        while received := reader.recv(16):
            if signal.SIGINT in received:
                stop.interrupt(con)

    watcher = threading.Thread(target=watch, name="ppdt-interrupt", daemon=True)
    watcher.start()
    _running.append(stop)
    try:
        yield
    finally:
        _running.remove(stop)
        stop.noticed.set()
        signal.set_wakeup_fd(wakeup)
        if handler is signal.default_int_handler:
            signal.signal(signal.SIGINT, handler)
        writer.close()
        watcher.join()
        reader.close()
