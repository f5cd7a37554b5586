"""The certificate: the record of a release for auditors, without any value of the source."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from ppdt_db.audit import c_avg
from ppdt_db.policy.accept import SEVERAL
from ppdt_db.policy.hierarchy_specs import kind_of
from ppdt_db.release.lints import Lint
from ppdt_db.release.prove import Evidence
from ppdt_db.release.stages import Run
from ppdt_db.source.fingerprint import digest
from ppdt_db.sqltext.json_text import as_plain
from ppdt_db.version import __version__


def certificate(
    run: Run, evidence: Evidence, figures: Mapping[str, object], lints: Sequence[Lint]
) -> dict[str, object]:
    """Return the certificate of one release; numbers that are not finite become words."""
    order, roles, record, audit = run.order, run.roles, run.record, evidence.audit
    method, kept, request = order.method, evidence.kept, order.request
    recodings = {label.attribute: label.shape for label in run.inputs.labels}
    rows_in, rows_out = record.fingerprint.n_rows, evidence.fingerprint.n_rows
    measures = audit.measures
    sensitive = measures["sensitive"]
    assert isinstance(sensitive, dict)
    distinct = [of_column["distinct_l"] for of_column in sensitive.values()]
    made: dict[str, object] = {
        "guarantee": method.guarantee,
        "method": method.name,
        "parameters": dict(method.parameters),
        "form": request.form,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": run.source.title,
        "release": request.title,
        "policy_name": request.policy_name,
        "policy": {
            "quasi_identifiers": {a.name: recodings[a.name] for a in roles.quasi},
            "hierarchies": {
                **{a.name: kind_of(a.hierarchy) for a in roles.quasi if a.hierarchy is not None},
                **{name: kind_of(hierarchy) for name, hierarchy in roles.hierarchies.items()},
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
        "earlier_releases_of_this_source": [one.entry.name for one in record.earlier],
        "earlier_releases_shared_rows": [
            None if one.shared is None else round(one.shared, 2) for one in record.earlier
        ],
        "notes": _notes(run),
        "versions": {
            "ppdt_db": __version__,
            **run.engine.versions,
            "python": platform.python_version(),
        },
        "source_fingerprint": record.fingerprint.digest,
        "release_fingerprint": evidence.fingerprint.digest,
        "seed_digest": None if order.seed is None else digest(record.key, "seed", order.seed),
        "digest_key": "in the catalog of the database" if record.keeps_key else "not kept",
    }
    return {name: as_plain(value) for name, value in made.items()}


def _notes(run: Run) -> list[str]:
    request, earlier = run.order.request, run.record.earlier
    accepted = run.order.method.requires_accept
    notes = [f"{why} (accepted: {name})" for name, why in accepted.items()]
    notes += run.notes
    if run.source.read_as is not None:
        notes.append(
            f"the source was read as CSV, {run.source.read_as}; its rows were counted in two ways."
        )
    if earlier and SEVERAL in request.accept:
        notes.append(f"earlier releases of this source, or of rows of it (accepted: {SEVERAL})")
    if run.roles.kept:
        notes.append("kept columns are released unchanged; see their uniqueness.")
    return notes
