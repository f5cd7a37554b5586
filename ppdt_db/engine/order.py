"""The one setting of the caller's database that a run changes, and puts back."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ppdt_db.engine.contract import Engine

SETTING = "preserve_insertion_order"

_running: dict[str, tuple[int, object]] = {}
_running_lock = threading.Lock()


@contextmanager
def without_order(engine: Engine) -> Iterator[None]:
    """Give up the order of insertion while the block lasts; the engine has a cursor of its own.

    Runs beside each other in one database: the first one notes the setting, the last one puts it
    back.
    """
    place = str(sorted(map(str, engine.rows("engine/database"))))
    with _running_lock:
        n_running, before = _running.get(place, (0, None))
        if n_running == 0:
            before = engine.row("engine/setting", {"name": SETTING})[0]
        _running[place] = (n_running + 1, before)
        engine.run("engine/set", {"name": SETTING, "value": False})
    try:
        yield
    finally:
        with _running_lock:
            n_running, before = _running.pop(place)
            if n_running > 1:
                _running[place] = (n_running - 1, before)
            else:
                engine.run("engine/set", {"name": SETTING, "value": before})
