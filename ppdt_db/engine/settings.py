"""Change the one database setting that a run needs, and restore it.

Concurrent runs on one database form a group: its first run saves the setting, its last one restores
it. Only the setting itself shows which connections share a database: two in memory look the same,
and attached databases change during a run. So the setting is toggled for a moment, and connections
that see the change belong together.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ppdt_db.engine.base import Engine

SETTING = "preserve_insertion_order"


@dataclass
class _Group:
    """The runs on one database, and the cursor that restores its setting."""

    engine: Engine
    close: Callable[[], None]
    before: object
    n_running: int = 0


_groups: list[_Group] = []
_lock = threading.Lock()


@contextmanager
def without_order(engine: Engine, close: Callable[[], None]) -> Iterator[None]:
    """Ignore insertion order while the block lasts.

    The engine must have a cursor of its own, which is closed here when no longer needed.
    """
    with _lock:
        group = _group_of(engine)
        if group is None:
            group = _Group(engine=engine, close=close, before=_value(engine))
            _groups.append(group)
        group.n_running += 1
        _set(engine, value=False)
    try:
        yield
    finally:
        with _lock:
            group.n_running -= 1
            if group.engine is not engine:
                close()
            if group.n_running == 0:
                _groups.remove(group)
                try:
                    _set(group.engine, value=group.before)
                finally:
                    group.close()


def _group_of(engine: Engine) -> _Group | None:
    """Return the group of runs on an engine's database."""
    if not _groups:
        return None
    before = _value(engine)
    seen = [_value(group.engine) for group in _groups]
    _set(engine, value=not before)
    try:
        now = [_value(group.engine) for group in _groups]
    finally:
        _set(engine, value=before)
    pairs = zip(_groups, seen, now, strict=True)
    return next((group for group, old, new in pairs if old != new), None)


def _value(engine: Engine) -> object:
    return engine.row("lib/engine/setting", {"name": SETTING})[0]


def _set(engine: Engine, *, value: object) -> None:
    engine.run("lib/engine/set", {"name": SETTING, "value": value})
