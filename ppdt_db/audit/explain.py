"""Find the weakest classes of a release: their counts, and what they show."""

from collections.abc import Mapping

from ppdt_db.audit.released import AuditedRelation
from ppdt_db.engine import Engine

WORST = 5
LEAST = ("distinct_l", "entropy_l")
OF_MODEL = (
    "distinct_l", "entropy_l", "recursive_c", "alpha", "t_equal", "basic_beta", "enhanced_beta",
    "delta_disclosure_ignoring_absent",
)  # fmt: skip
APART = ("ordered", "hierarchical")


def explain(
    engine: Engine, released: AuditedRelation, measures: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return the worst classes of each measure; the measured classes must still exist."""
    found = _worst(engine, released, "k", None, "ppdt_class", "n_rows", is_least=True)
    of_sensitive = measures["sensitive"]
    assert isinstance(of_sensitive, dict)
    for column in released.sensitive_columns:
        for name in OF_MODEL:
            relation = f"ppdt_model_{column.group}"
            is_least = name in LEAST
            found += _worst(engine, released, name, column.name, relation, name, is_least=is_least)
        for step in APART:
            name = f"t_{step}"
            if of_sensitive[column.name][name] is not None:
                relation = f"ppdt_{step}_{column.group}"
                found += _worst(engine, released, name, column.name, relation, name, is_least=False)
    return found


def _worst(
    engine: Engine,
    released: AuditedRelation,
    measure: str,
    sensitive: str | None,
    relation: str,
    column: str,
    *,
    is_least: bool,
) -> list[dict[str, object]]:
    names = {
        "relation": relation, "measure": column, "quasi": released.quasi, "is_least": is_least
    }  # fmt: skip
    rows = engine.rows("audit/worst", {"n_worst": WORST}, names)
    return [
        {
            "measure": measure,
            "sensitive": sensitive,
            "measured": measured,
            "rows": n_rows,
            "shows": dict(zip((c.name for c in released.quasi), shown, strict=True)),
        }
        for n_rows, measured, *shown in rows
    ]
