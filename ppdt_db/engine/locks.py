"""What runs beside each other in one process must not do at the same time, or under one name.

One process alone writes a file of DuckDB, so what is agreed on here holds for all runs in it.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count

_guard = threading.Lock()
_locks = defaultdict[str, AbstractContextManager[bool]](threading.RLock)
_lent = defaultdict[str, Iterator[int]](lambda: count(1))


@contextmanager
def alone(place: str) -> Iterator[None]:
    """Let one run at a time write the record of a database; the others wait for it."""
    with _guard:
        lock = _locks[place]
    with lock:
        yield


def lent(name: str) -> str:
    """A name for a database that is attached for a while; one like it from the second time on.

    No name is given twice: another run's transaction, which looks at all databases, would take two
    of one name for the same.
    """
    with _guard:
        number = next(_lent[name])
    return name if number == 1 else f"{name}_{number}"
