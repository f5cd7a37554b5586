"""Refuse connection settings and macros that would change the meaning of our statements."""

from ppdt_db.engine import DuckEngine
from ppdt_db.policy.roles import raise_all
from ppdt_db.sqltext.quoting import normalize_name

# The value that each setting must have, and what would go wrong otherwise.
WANTED = {
    "default_collation": ("", "it makes different values equal"),
    "preserve_identifier_case": ("preserve_case", "it changes the names of columns"),
    "enable_macro_dependencies": ("false", "it keeps ppdt's macros from being updated"),
}
# The same values in older versions of DuckDB.
SAME = {"preserve_case": ("true",)}


def check_connection(engine: DuckEngine) -> None:
    """Refuse a connection with such settings or macros; check it only once."""
    if not engine.is_checked:
        raise_all([*_setting_faults(engine), *_macro_faults(engine)])
        engine.is_checked = True


def _setting_faults(engine: DuckEngine) -> list[str]:
    settings = {
        str(name): str(value or "").lower() for name, value in engine.rows("lib/engine/settings")
    }
    return [
        f"this connection has set {name}: {why}. RESET {name} first."
        for name, (wanted, why) in WANTED.items()
        if settings.get(name, wanted) not in (wanted, *SAME.get(wanted, ()))
    ]


def _macro_faults(engine: DuckEngine) -> list[str]:
    """Return a fault for every macro that hides one of DuckDB's own functions."""
    macros = {normalize_name(str(row[0])): str(row[0]) for row in engine.rows("lib/engine/macros")}
    builtins = (
        {normalize_name(str(row[0])) for row in engine.rows("lib/engine/functions")}
        if macros
        else set()
    )
    return [
        f'macro "{macros[name]}": it hides DuckDB\'s function of that name, which the run needs. '
        "Rename or drop it."
        for name in sorted(macros.keys() & builtins)
    ]
