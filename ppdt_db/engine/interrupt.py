"""Lets Ctrl-C reach a statement that is running.

Python handles a signal only between two of its own instructions, and a long statement is one. The
interpreter writes the signal's number to a socket at once, though: a thread reads it there and
asks the database to stop.
"""

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb


@contextmanager
def interruptible(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Stop the running statement when the process is told to stop (in the main thread only)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)

    def watch() -> None:
        while received := reader.recv(16):
            if {signal.SIGINT, signal.SIGTERM} & set(received):
                con.interrupt()

    watcher = threading.Thread(target=watch, name="ppdt-interrupt", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        writer.close()
        watcher.join()
        reader.close()
