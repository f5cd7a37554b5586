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
_taken: set[str] = set()


@contextmanager
def alone(place: str) -> Iterator[None]:
    """Let one run at a time write the record of a database; the others wait for it."""
    with _guard:
        lock = _locks[place]
    with lock:
        yield


@contextmanager
def lent(name: str) -> Iterator[str]:
    """A name for a database that is attached for a while; one like it where it is taken."""
    with _guard:
        likes = (f"{name}_{number}" for number in count(2))
        own = name if name not in _taken else next(like for like in likes if like not in _taken)
        _taken.add(own)
    try:
        yield own
    finally:
        with _guard:
            _taken.discard(own)
