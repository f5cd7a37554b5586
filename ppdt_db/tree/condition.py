"""The conditions of a tree's branches, as parts of a CASE expression."""

import re

from ppdt_db.sqltext.column_types import element_type, family_of, is_list
from ppdt_db.sqltext.quoting import Sql, literal
from ppdt_db.sqltext.templates import render
from ppdt_db.tree.node import Way
from ppdt_db.tree.set_names import members_of


def when(column: str, type_name: str, way: Way) -> dict[str, object]:
    """Return what `lib/fragments/case` writes for the rows that go a way."""
    common: dict[str, object] = {"column": column, "takes_missing": way.takes_missing}
    if is_list(type_name):
        element = element_type(type_name)
        # The type of an enum is spelled with its values: its members are compared as texts.
        compared = "VARCHAR" if family_of(element) in (None, "enum") else element
        sets = [_members(name) for name in way.values]
        return {**common, "is_set": True, "sets": sets, "type_name": Sql(compared)}
    side = way.side
    texts = way.values if side is None else [str(side.value)]
    values = [typed(text, type_name) for text in texts]
    sign: str = "=" if side is None else side.test
    if len(values) > 1:
        sign, values = "IN", [Sql(f"({', '.join(values)})")]
    return {
        **common,
        "is_set": False,
        "sign": Sql(sign) if values else None,
        "value": values[0] if values else None,
    }


def typed(value: str, type_name: str) -> Sql:
    """Return a value stored as text in the form of its type."""
    family = family_of(type_name)
    if family in ("integer", "decimal") and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return Sql(value)
    if family is None or family in ("text", "enum"):
        return literal(value)
    names = {"value": value, "type_name": Sql(type_name)}
    return Sql(render("lib/fragments/typed", names).text)


def _members(name: str) -> dict[str, object]:
    """Return the members of a set for a statement: their texts, and whether NULL is one."""
    members = members_of(name)
    texts = [text for text in members if text is not None]
    return {"members": texts, "has_null": len(texts) < len(members)}
