"""Prove (k,k)-anonymity from the method's hints about matching rows, without trusting them.

ppdt_hint ──▶ (what the release shows, what the original holds) ──▶ ppdt_fit ──▶ counts
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ppdt_db.audit import AuditedRelation, Finding, find_parts, with_axes
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.release.arrange import ReleaseInputs

KK = "kk"
PROVED = "kk at least"
"""The name of the finding; the exact number may be higher."""


@dataclass(frozen=True, kw_only=True)
class LabelShape:
    """A label column, and its shape in the audit."""

    name: str
    group: str


def prove_kk(engine: Engine, released: AuditedRelation, parts: ReleaseInputs, k: float) -> Finding:
    """Check that every released and every original row has k matching rows on the other side.

    The classes of the release are those that the audit has just formed. All counts come from
    the release and the original; the hint only says where to look.
    """
    _make_matches(engine, released, parts)
    kk_released, kk_original = engine.row("audit/kk")
    engine.drop("ppdt_fit", "ppdt_person", "ppdt_bound")
    found = min(int(str(count or 0)) for count in (kk_released, kk_original))
    return Finding(name=PROVED, required=k, measured=found, passed=found >= k)


def _make_matches(engine: Engine, released: AuditedRelation, parts: ReleaseInputs) -> None:
    """Create the pairs of the hint that match."""
    compared, missing = find_parts(released, released.original_columns)
    attributes = parts.encoded.attributes
    if missing or len(compared) != len(attributes):
        raise GuaranteeError(
            "audit failed: the release cannot be compared with its original. Nothing was released."
        )
    compared = with_axes(engine, compared)
    if any(part.by_number and part.axis is None for part in compared):
        raise GuaranteeError(
            "audit failed: the release cannot be compared with its original. Nothing was released."
        )
    groups = {column.name: column.group for column in released.quasi}
    labels = [LabelShape(name=label.name, group=groups[label.released]) for label in parts.labels]
    names: Mapping[str, object] = {
        "parts": compared,
        "people": released.original,
        "quasi": released.quasi,
        "labels": labels,
        "pairs": list(zip(attributes, compared, strict=True)),
    }
    for step in ("audit/person", "audit/bound"):
        engine.make(step, names=names)
    engine.make("kk_proof/class", names=names, to="ppdt_witness_class")
    engine.make("kk_proof/person", names=names, to="ppdt_witness_person")
    engine.make("kk_proof/fit", names=names)
    engine.drop("ppdt_witness_class", "ppdt_witness_person")
