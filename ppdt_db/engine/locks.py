"""Locks and names shared by the runs of one process.

Only one process can write a DuckDB file, so a lock in the process is enough.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count

_guard = threading.Lock()
_locks = defaultdict[str, AbstractContextManager[bool]](threading.RLock)
_numbers = defaultdict[str, Iterator[int]](lambda: count(1))


@contextmanager
def alone(place: str) -> Iterator[None]:
    """Let one run at a time write the catalog of a database; the others wait."""
    with _guard:
        lock = _locks[place]
    with lock:
        yield


def lent(name: str) -> str:
    """Return an unused name for a database to attach, derived from the given one.

    No name is used twice: another run's transaction, which reads all databases, would confuse them.
    """
    with _guard:
        number = next(_numbers[name])
    return name if number == 1 else f"{name}_{number}"
