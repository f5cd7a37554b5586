"""Certificate: what an auditor needs to know of a release, without a value of the source."""

import hashlib
import hmac
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from ppdt_db.audit import Audit, Kept, c_avg
from ppdt_db.earlier import Earlier
from ppdt_db.hierarchies import kind_of
from ppdt_db.json_text import told
from ppdt_db.lints import Lint
from ppdt_db.methods.contract import Method
from ppdt_db.policy import Roles
from ppdt_db.version import __version__


def digest(key: str, *parts: object) -> str:
    """A keyed digest: without the key, nobody can confirm a guess by it."""
    text = "|".join(str(part) for part in parts)
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def certificate(
    *,
    method: Method,
    roles: Roles,
    recodings: Mapping[str, str],
    audit: Audit,
    figures: Mapping[str, object],
    rows_in: int,
    rows_out: int,
    fingerprints: Mapping[str, str | None],
    source_title: str,
    release_title: str,
    form: str,
    policy_name: str | None,
    kept: Kept,
    lints: Sequence[Lint],
    earlier: Sequence[Earlier],
    notes: Sequence[str],
    engine: Mapping[str, str],
) -> dict[str, object]:
    """The certificate of one release; what is not finite is a word in it, as in its JSON."""
    measures = audit.measures
    sensitive = measures["sensitive"]
    assert isinstance(sensitive, dict)
    distinct = [of_column["distinct_l"] for of_column in sensitive.values()]
    made: dict[str, object] = {
        "guarantee": method.guarantee,
        "method": method.name,
        "parameters": dict(method.parameters),
        "form": form,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": source_title,
        "release": release_title,
        "policy_name": policy_name,
        "policy": {
            "quasi_identifiers": {a.name: recodings[a.name] for a in roles.quasi},
            "hierarchies": {
                **{a.name: kind_of(a.hierarchy) for a in roles.quasi if a.hierarchy is not None},
                **{name: kind_of(wish) for name, wish in roles.hierarchies.items()},
            },
            "ordered_by_user": [a.name for a in roles.quasi if a.order is not None],
            "sensitive": list(roles.sensitive),
            "target": roles.target,
            "identifiers_dropped": list(roles.dropped),
            "pseudonymized": list(roles.pseudonymized),
            "entity": roles.entity,
            "kept": list(roles.kept),
        },
        "rows_in": rows_in,
        "rows_out": rows_out,
        "rows_dropped": rows_in - rows_out,
        "rows_suppressed": measures["rows_suppressed"],
        "classes": measures["classes"],
        "k_measured": measures["k"],
        "k_counts": "distinct entities" if roles.entity else "rows",
        "l_measured": min(distinct) if distinct else None,
        "gcp": measures["gcp"],
        "discernibility": measures["discernibility"],
        "c_avg": c_avg(measures, method.guard.k),
        **figures,
        "prosecutor_risk_max": measures["prosecutor_risk_max"],
        "measures": dict(measures),
        "findings": [asdict(finding) for finding in audit.findings],
        "kept_columns_uniqueness": dict(kept.by_column),
        "kept_together": list(kept.together),
        "kept_uniqueness": kept.uniqueness,
        "kept_with_quasi_uniqueness": kept.with_quasi,
        "kept_with_sensitive_uniqueness": kept.with_sensitive,
        "lints": [lint.entry for lint in lints],
        "earlier_releases_of_this_source": [one.entry.name for one in earlier],
        "earlier_releases_shared_rows": [
            None if one.shared is None else round(one.shared, 2) for one in earlier
        ],
        "notes": list(notes),
        "versions": {
            "ppdt_db": __version__,
            **engine,
            "python": platform.python_version(),
        },
        **fingerprints,
    }
    return {name: told(value) for name, value in made.items()}
