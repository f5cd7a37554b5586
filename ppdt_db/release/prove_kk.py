"""Witness: prove (k,k)-anonymity from pairs that ought to agree, believing none of them.

ppdt_hint ──▶ (what the release shows, what the original holds) ──▶ ppdt_fit ──▶ counts
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ppdt_db import audit
from ppdt_db.audit import Finding, Released
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.recode import Parts

KK = "kk"
PROVED = "kk at least"
"""What the finding is called: the exact number may be higher."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A label column as it was made, and what the audit calls what the release shows."""

    name: str
    group: str


def prove_kk(engine: Engine, released: Released, parts: Parts, k: float) -> Finding:
    """Whether every released and every original row has k witnesses on the other side.

    The classes of the release are those that the audit has just grouped it into.

    What is counted is read from the release and the original; the hint only says where to look.
    """
    _fit(engine, released, parts)
    kk_released, kk_original = engine.row("audit/kk")
    engine.drop("ppdt_fit", "ppdt_person", "ppdt_bound")
    found = min(int(str(count or 0)) for count in (kk_released, kk_original))
    return Finding(name=PROVED, required=k, measured=found, passed=found >= k)


def _fit(engine: Engine, released: Released, parts: Parts) -> None:
    """The pairs of the hint that agree."""
    compared, missing = audit.find_parts(released, released.original_columns)
    attributes = parts.encoded.attributes
    if missing or len(compared) != len(attributes):
        raise GuaranteeError("audit failed: the release cannot be compared with its original.")
    compared = audit.with_axes(engine, compared)
    if any(part.by_number and part.axis is None for part in compared):
        raise GuaranteeError("audit failed: the release cannot be compared with its original.")
    groups = {column.name: column.group for column in released.quasi}
    labels = [Shown(name=label.name, group=groups[label.released]) for label in parts.labels]
    names: Mapping[str, object] = {
        "parts": compared,
        "people": released.original,
        "quasi": released.quasi,
        "labels": labels,
        "pairs": list(zip(attributes, compared, strict=True)),
    }
    for step in ("audit/person", "audit/bound"):
        engine.make(step, names=names)
    engine.make("witness/class", names=names, to="ppdt_witness_class")
    engine.make("witness/person", names=names, to="ppdt_witness_person")
    engine.make("witness/fit", names=names)
    engine.drop("ppdt_witness_class", "ppdt_witness_person")
