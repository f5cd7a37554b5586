"""Faults of the bins that a request asks for."""

from decimal import Decimal, InvalidOperation

from ppdt_db.encode.bins import held_type
from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.methods.base import Method
from ppdt_db.policy.bins import Bins
from ppdt_db.policy.roles import Attribute, Policy, Roles
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import NUMBERS, ORDERED, display_type, family_of

TOO_LONG = ("huge",)


def bin_faults(
    engine: Engine, source: Source, policy: Policy, roles: Roles, method: Method
) -> list[str]:
    """Return the faults of bins: of methods without them, of types, of targets, of edges."""
    asked = [attribute for attribute in roles.quasi if attribute.recode == "bins"]
    faults: list[str] = []
    if policy.bins is not None and not asked:
        faults.append(
            "--bins: no quasi-identifier is a number, date or time without a recoding of its own"
            + (", and named by an edge" if policy.bins.rule == "edges" else "")
            + ". Remove it."
        )
    if asked and not method.uses_bins:
        faults.append(
            f"bins: method {method.name} does not support them. Use mondrian, kactus, erp, tds or "
            "tdr, or remove --bins and --recode COLUMN=bins."
        )
    for attribute in asked:
        faults += _own_faults(engine, source, roles, attribute)
    for attribute in roles.quasi:
        if attribute.bins is not None and attribute.recode != "bins":
            faults.append(
                f'bins "{attribute.name}": the column is shown as {attribute.recode}. Remove its '
                "bins, or its recoding."
            )
    return faults


def _own_faults(engine: Engine, source: Source, roles: Roles, attribute: Attribute) -> list[str]:
    """Return the faults of the bins of one column."""
    start, type_name = f'bins "{attribute.name}": ', source.columns[attribute.name]
    family, rule = family_of(type_name), attribute.rule
    if family not in ORDERED:
        return []  # The recoding's own fault says so.
    faults = []
    if family in TOO_LONG or type_name == "TIMESTAMP_NS":
        faults.append(
            f"{start}columns of type {display_type(type_name)} have more digits than bins support. "
            "Cast it in a view."
        )
    if rule.rule == "mdl" and roles.target is None:
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
