"""The one setting of the caller's database that a run changes, and puts back.

Runs beside each other in one database are a group: its first run notes the setting, its last one
puts it back. Nothing but the setting itself tells which connections belong to one database: two in
memory look the same, and what is attached changes while they run. So the setting is turned for a
moment, and whoever sees that belongs together.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ppdt_db.engine.contract import Engine

SETTING = "preserve_insertion_order"


@dataclass
class _Group:
    """The runs of one database, and the cursor that puts its setting back."""

    engine: Engine
    close: Callable[[], None]
    before: object
    n_running: int = 0


_groups: list[_Group] = []
_lock = threading.Lock()


@contextmanager
def without_order(engine: Engine, close: Callable[[], None]) -> Iterator[None]:
    """Give up the order of insertion while the block lasts.

    The engine has a cursor of its own, which is closed here once nobody needs it.
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
    """The group whose database is that of an engine."""
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
    return engine.row("engine/setting", {"name": SETTING})[0]


def _set(engine: Engine, *, value: object) -> None:
    engine.run("engine/set", {"name": SETTING, "value": value})
