"""Families of types: what a column of a type can be, and how its values are ordered."""

import re
from typing import Literal

Family = Literal[
    "integer", "huge", "decimal", "float", "date", "timestamp", "timestamptz", "time",
    "text", "enum", "boolean", "uuid",
]  # fmt: skip

FAMILIES: dict[str, Family] = {
    **dict.fromkeys(
        (
            "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER",
            "UBIGINT",
        ),
        "integer",
    ),
    **dict.fromkeys(["HUGEINT", "UHUGEINT"], "huge"),
    **dict.fromkeys(["FLOAT", "DOUBLE"], "float"),
    **dict.fromkeys(["TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"], "timestamp"),
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "DATE": "date",
    "TIME": "time",
    "VARCHAR": "text",
    "BOOLEAN": "boolean",
    "UUID": "uuid",
}  # fmt: skip
NUMBERS = frozenset({"integer", "huge", "decimal", "float"})
DATES = frozenset({"date", "timestamp", "timestamptz"})
ORDERED = NUMBERS | DATES | {"time"}
EXACT_DECIMAL_DIGITS = 28
DECIMAL_DIGITS = 38
# A type comes from files too (a tree, a model), and stands in statements: all of it is looked at.
ENUM = re.compile(r"ENUM\('(?:[^']|'')*'(?:, '(?:[^']|'')*')*\)")


def family_of(type_name: str) -> Family | None:
    """The family of a type that can be a quasi-identifier, or None."""
    if ENUM.fullmatch(type_name):
        return "enum"
    if decimal := re.fullmatch(r"DECIMAL\(([0-9]+),([0-9]+)\)", type_name):
        digits, scale = map(int, decimal.groups())
        if not 1 <= digits <= DECIMAL_DIGITS or scale > digits:
            return None
        return "decimal" if digits <= EXACT_DECIMAL_DIGITS else "huge"
    return FAMILIES.get(type_name)


def told(type_name: str) -> str:
    """A type as a message may name it: without the values that an enum is made of."""
    return re.sub(r"ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)", "ENUM", type_name)
