"""Information loss of a release: the normalized certainty penalty, and suppressed cells."""

from collections.abc import Mapping
from dataclasses import asdict

from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import AuditedRelation, ShownColumn
from ppdt_db.engine import Engine
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import by_normal_name, ident, normalize_name

Domain = Mapping[str, object]


def losses(
    engine: Engine, released: AuditedRelation, centres: Mapping[str, float | None]
) -> dict[str, object]:
    """Return the NCP of every quasi-identifier, the GCP, and the suppressed cells."""
    domains: dict[str, Domain] = {}
    by_column: dict[str, float | None] = {}
    for shown in released.shown:
        domain = domains[shown.name] = _domain(engine, released, shown)
        by_column[shown.name] = _ncp(engine, released, shown, domain, centres)
    known = [value for value in by_column.values() if value is not None]
    is_whole = len(known) == len(by_column) and bool(known)
    firsts = [released.group_of(shown.columns[0]) for shown in released.shown]
    nulls = engine.row("audit/suppressed", names={"columns": firsts})
    cells = {
        shown.name: max(0, int(str(n)) - int(str(domains[shown.name]["n_nulls"] or 0)))
        for shown, n in zip(released.shown, nulls, strict=True)
    }
    return {
        "ncp": by_column,
        "gcp": round(sum(known) / len(known), 12) if is_whole else None,
        "cells_suppressed": sum(cells.values()),
        "cells_suppressed_by_column": cells,
    }


def _domain(engine: Engine, released: AuditedRelation, shown: ShownColumn) -> Domain:
    """Measure the domain of an attribute in the original, if there is one.

    The ends of the domain are values of the source: they stay in a table, out of the script.
    """
    by_name = by_normal_name(released.original_columns)
    column = by_name.get(normalize_name(shown.original)) if shown.original is not None else None
    has_original = released.original is not None and column is not None
    names: dict[str, object] = {"has_original": has_original}
    if has_original and column is not None:
        type_name = released.original_columns[column]
        family = family_of(type_name)
        names |= {
            "type_name": type_name,
            "original": released.original,
            "column": column,
            "is_ordered": family in ORDERED,
            "is_text": family == "text",
            "has_special": family in ("float", "date", "timestamp", "timestamptz"),
        }
    engine.make("audit/domain", names=names, to="ppdt_audit_domain")
    n_values, n_nulls = engine.row("audit/domain_size")
    return {"n_values": n_values, "n_nulls": n_nulls, "type_name": names.get("type_name")}


def _ncp(
    engine: Engine,
    released: AuditedRelation,
    shown: ShownColumn,
    domain: Domain,
    centres: Mapping[str, float | None],
) -> float | None:
    """Return the mean certainty penalty of one quasi-identifier, or None if unmeasurable."""
    if domain["n_values"] == 1:
        return 0.0
    if shown.shape == "centre" or (shown.shape == "node" and shown.nodes is None):
        return centres.get(shown.name)
    column = shown.columns[0]
    names: dict[str, object] = {"column": released.group_of(column)}
    if shown.nodes is not None:
        engine.make("audit/node_share", names=asdict(shown.nodes))
    if shown.shape == "bounds":
        names |= {
            "lo_column": released.group_of(shown.columns[0]),
            "hi_column": released.group_of(shown.columns[1]),
            "type_name": released.columns[shown.columns[0]],
        }
    if shown.shape in ("range", "bounds"):
        groups = [released.group_of(name) for name in shown.columns[:2]]
        before = [str(domain["type_name"])] if domain["type_name"] else []
        names["axis"] = axis_of(engine, ident("ppdt_class"), groups, before)
        if shown.shape == "bounds" and names["axis"] is None:
            return None
    if shown.shape == "set":
        names["is_text"] = not released.columns[column].endswith("[]")
    counts = {name: domain[name] for name in ("n_values", "n_nulls")}
    value = engine.row(f"audit/ncp_{shown.shape}", counts, names)[0]
    return None if value is None else round(float(str(value)), 12)
