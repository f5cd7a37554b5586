"""How many bits an attacker lacks, in the original and in the release: BIG, ICR and TIDI.

Yang, Wang, Hu, Li (2019): to find somebody's group one must know its background (BIG), and then
tell its people apart (ICR); both together are TIDI, and the least of a group is what counts.
"""

from collections.abc import Sequence

from ppdt_db.audit.loss import Share
from ppdt_db.audit.released import AuditedRelation
from ppdt_db.engine import Engine
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name

FIGURES = ("big", "icr", "tidi", "tidi_least")


def disclosures(
    engine: Engine, released: AuditedRelation, shares: Sequence[Share]
) -> dict[str, object]:
    """Return BIG, ICR and TIDI before and after, and the least TIDI of a released group.

    None where a label cannot be measured, or where the original lacks a quasi-identifier.
    """
    if not shares or len(shares) < len(released.shown):
        return {"disclosure": {"before": None, "after": None}, "tidi": None}
    before, after = _before(engine, released, shares), _after(engine, released, shares)
    return {
        "disclosure": {"before": before, "after": after},
        "tidi": None if after is None else after["tidi_least"],
    }


def _after(
    engine: Engine, released: AuditedRelation, shares: Sequence[Share]
) -> dict[str, float] | None:
    names: dict[str, object] = {
        "release": released.entities, "quasi": released.quasi, "entity": released.entity,
    }  # fmt: skip
    subject = engine.make("audit/subject", names=names)
    background = engine.make("audit/background", names={"shares": shares})
    return _figures(engine, len(released.shown), subject, background)


def _before(
    engine: Engine, released: AuditedRelation, shares: Sequence[Share]
) -> dict[str, float] | None:
    """Measure the original as if it were released: whoever is looked for, all is known."""
    by_name = by_normal_name(released.original_columns)
    columns = [by_name.get(normalize_name(shown.original or "")) for shown in released.shown]
    entity = released.original_entity
    if None in columns or (released.entity is not None and entity is None):
        return None
    before = [
        {"name": column, "is_text": released.original_columns[column] == "VARCHAR"}
        for column in dict.fromkeys(column for column in columns if column is not None)
    ]
    names: dict[str, object] = {
        "original": released.original, "before": before, "entity": entity, "shares": shares,
    }  # fmt: skip
    subject = engine.make("audit/subject_before", names=names)
    background = engine.make("audit/background_before", names=names)
    return _figures(engine, len(released.shown), subject, background)


def _figures(
    engine: Engine, n_quasi: int, subject: str, background: str
) -> dict[str, float] | None:
    """Return the figures of groups and their people, and drop both relations."""
    names = {"subject": subject, "background": background}
    rows = engine.rows("audit/disclosure", {"n_quasi": n_quasi}, names)
    engine.drop(subject, background)
    if not rows or None in rows[0]:
        return None
    return {name: float(str(value)) for name, value in zip(FIGURES, rows[0], strict=True)}
