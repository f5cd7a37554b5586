"""Faults of the rule by which a column is cut into bins: its type, its target, its edges."""

from decimal import Decimal, InvalidOperation

from ppdt_db.encode.bins import held_type
from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.policy.bins import Bins
from ppdt_db.policy.roles import Attribute
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import NUMBERS, ORDERED, display_type, family_of

TOO_LONG = ("huge",)


def column_faults(
    engine: Engine, source: Source, attribute: Attribute, *, has_target: bool
) -> list[str]:
    """Return the faults of the bins of one column; one that has no order has none here."""
    start, type_name = f'bins "{attribute.name}": ', source.columns[attribute.name]
    family, rule = family_of(type_name), attribute.rule
    if family not in ORDERED:
        return []
    faults = []
    if family in TOO_LONG or type_name == "TIMESTAMP_NS":
        faults.append(
            f"{start}columns of type {display_type(type_name)} have more digits than bins support. "
            "Cast it in a view."
        )
    if rule.rule == "mdl" and not has_target:
        faults.append(
            f"{start}mdl cuts by the target. Name it (--target), or use quantiles:N, widths:W or "
            "edges."
        )
    if rule.rule == "widths" and family == "time":
        faults.append(f"{start}widths need numbers, dates or timestamps. Use quantiles or edges.")
    if rule.rule == "widths" and family not in NUMBERS and rule.width % 1:
        faults.append(f"{start}widths of dates are whole numbers of days.")
    if rule.rule == "edges":
        faults += [start + fault for fault in _edge_faults(engine, rule, attribute.name, type_name)]
    return faults


def _edge_faults(engine: Engine, rule: Bins, column: str, type_name: str) -> list[str]:
    """Return the faults of the edges given for a column, as counts."""
    edges = rule.edges_of(column)
    if edges is None:
        return ["no edges are given for it. Add them, or remove its recoding."]
    family = family_of(type_name) or "float"
    if family in NUMBERS:
        n_wrong = sum(not _is_number(edge) for edge in edges)
    else:
        coded = EncodedColumn(
            position=0, name=column, type_name=type_name, family=family, dictionary="",
            dictionary_alias="",
        )  # fmt: skip
        names = {"type_name": held_type(coded)}
        n_wrong = engine.count("encode/bins/unread", {"lows": list(edges)}, names)
    if n_wrong:
        return [f"{n_wrong} edges are no values of its type. Correct them."]
    return []


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
