"""Information loss of a release: the normalized certainty penalty, and suppressed cells."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import AuditedRelation, ShownColumn
from ppdt_db.engine import Engine
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.exact import own_axis
from ppdt_db.sqltext.quoting import by_normal_name, ident, normalize_name


@dataclass(frozen=True, kw_only=True)
class Share:
    """The labels of one quasi-identifier, and how much of it each of them covers."""

    name: str
    place: int
    relation: str
    domain: str
    group: str
    high_group: str
    """The upper end's column of the class; empty where a label is one column."""


def share_labels(
    engine: Engine, released: AuditedRelation, centres: Mapping[str, str]
) -> list[Share]:
    """Measure what the labels of every quasi-identifier cover, and keep it in `ppdt_share_<i>`.

    `centres` names the relations of those that show a class by a single value. A column of nodes
    without its hierarchy cannot be measured, and is left out.
    """
    shares: list[Share] = []
    for place, shown in enumerate(released.shown):
        groups = [released.group_of(column) for column in shown.columns]
        share = Share(
            name=shown.name,
            place=place,
            relation=centres.get(shown.name, f"ppdt_share_{place}"),
            domain=f"ppdt_domain_{place}",
            group=groups[0],
            high_group=groups[1] if shown.shape == "bounds" else "",
        )
        type_name = _measure_domain(engine, released, shown, share)
        if shown.shape == "centre" or (shown.shape == "node" and shown.nodes is None):
            if shown.name in centres:
                shares.append(share)
            continue
        _measure_labels(engine, released, shown, share, type_name)
        shares.append(share)
    return shares


def losses(engine: Engine, released: AuditedRelation, shares: Sequence[Share]) -> dict[str, object]:
    """Return the NCP of every quasi-identifier, the GCP, and the suppressed cells."""
    by_column: dict[str, float | None] = {shown.name: None for shown in released.shown}
    rows = engine.rows("audit/loss", names={"shares": shares}) if shares else []
    for share, (_, value) in zip(shares, rows, strict=True):
        by_column[share.name] = None if value is None else round(float(str(value)), 12)
    known = [value for value in by_column.values() if value is not None]
    is_whole = len(known) == len(by_column) and bool(known)
    columns = [
        {"group": released.group_of(shown.columns[0]), "domain": f"ppdt_domain_{place}"}
        for place, shown in enumerate(released.shown)
    ]
    counts = engine.row("audit/suppressed", names={"columns": columns})
    cells = {
        shown.name: int(str(count)) for shown, count in zip(released.shown, counts, strict=True)
    }
    return {
        "ncp": by_column,
        "gcp": round(sum(known) / len(known), 12) if is_whole else None,
        "cells_suppressed": sum(cells.values()),
        "cells_suppressed_by_column": cells,
    }


def _measure_domain(
    engine: Engine, released: AuditedRelation, shown: ShownColumn, share: Share
) -> str | None:
    """Measure the domain of an attribute in the original, if there is one; return its type.

    The ends of the domain are values of the source: they stay in a table, out of the script.
    """
    by_name = by_normal_name(released.original_columns)
    column = by_name.get(normalize_name(shown.original)) if shown.original is not None else None
    if released.original is None or column is None:
        engine.make("audit/domain", names={"has_original": False}, to=share.domain)
        return None
    type_name = released.original_columns[column]
    family = family_of(type_name)
    is_ordered = family in ORDERED
    names: dict[str, object] = {
        "has_original": True,
        "type_name": type_name,
        "original": released.original,
        "column": column,
        "is_ordered": is_ordered,
        "is_text": family == "text",
        "has_special": family in ("float", "date", "timestamp", "timestamptz"),
        "axis": own_axis(type_name) if is_ordered else None,
    }
    engine.make("audit/domain", names=names, to=share.domain)
    return type_name


def _measure_labels(
    engine: Engine,
    released: AuditedRelation,
    shown: ShownColumn,
    share: Share,
    type_name: str | None,
) -> None:
    """Measure how much of its attribute every label of one column covers."""
    names: dict[str, object] = {"column": share.group, "domain": share.domain}
    if shown.nodes is not None:
        engine.make("audit/node_share", names=asdict(shown.nodes))
    if shown.shape == "bounds":
        names |= {
            "lo_column": share.group,
            "hi_column": share.high_group,
            "type_name": released.columns[shown.columns[0]],
        }
    if shown.shape in ("range", "bounds"):
        groups = [share.group, share.high_group] if share.high_group else [share.group]
        before = [type_name] if type_name else []
        names["axis"] = axis_of(engine, ident("ppdt_class"), groups, before)
    if shown.shape == "set":
        names["is_text"] = not released.columns[shown.columns[0]].endswith("[]")
    engine.make(f"audit/share_{shown.shape}", names=names, to=share.relation)
