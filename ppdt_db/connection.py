"""Connection: the settings and macros under which our statements would mean something else."""

from ppdt_db.engine import DuckEngine
from ppdt_db.names import fold
from ppdt_db.policy import raise_all

# What each setting must be, or what statements would mean or say something else.
WANTED = {
    "default_collation": ("", "under it, different values count as one"),
    "preserve_identifier_case": ("preserve_case", "it changes the names of columns"),
    "enable_macro_dependencies": ("false", "under it, our macros cannot be brought up to date"),
}
# What older versions of DuckDB call the same.
SAME = {"preserve_case": ("true",)}


def check_connection(engine: DuckEngine) -> None:
    """Refuse a connection on which our statements would mean something else; look at it once."""
    if not engine.is_checked:
        raise_all([*_setting_faults(engine), *_macro_faults(engine)])
        engine.is_checked = True


def _setting_faults(engine: DuckEngine) -> list[str]:
    found = {str(name): str(value or "").lower() for name, value in engine.rows("engine/settings")}
    return [
        f"this connection has set {name}: {why}. RESET {name} first."
        for name, (wanted, why) in WANTED.items()
        if found.get(name, wanted) not in (wanted, *SAME.get(wanted, ()))
    ]


def _macro_faults(engine: DuckEngine) -> list[str]:
    """Return the macros that would be called in the place of the engine's own functions."""
    made = {fold(str(row[0])): str(row[0]) for row in engine.rows("engine/macros")}
    own = {fold(str(row[0])) for row in engine.rows("engine/functions")} if made else set()
    return [
        f'macro "{made[name]}": it hides the function of that name, which the run needs. '
        "Rename or drop it."
        for name in sorted(made.keys() & own)
    ]
