"""Families of column types, and which of them are ordered."""

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
# Types also come from files (trees, models) and go into statements: match them as a whole.
ENUM = re.compile(r"ENUM\('(?:[^']|'')*'(?:, '(?:[^']|'')*')*\)")


def family_of(type_name: str) -> Family | None:
    """Return the family of a type that can be a quasi-identifier, or None."""
    if ENUM.fullmatch(type_name):
        return "enum"
    if decimal := re.fullmatch(r"DECIMAL\(([0-9]+),([0-9]+)\)", type_name):
        digits, scale = map(int, decimal.groups())
        if not 1 <= digits <= DECIMAL_DIGITS or scale > digits:
            return None
        return "decimal" if digits <= EXACT_DECIMAL_DIGITS else "huge"
    return FAMILIES.get(type_name)


def is_list(type_name: str) -> bool:
    """Return whether a type is that of lists."""
    return type_name.endswith("[]")


def element_type(type_name: str) -> str:
    """Return the type of a column's members: of a list its elements', otherwise its own."""
    return type_name.removesuffix("[]")


def display_type(type_name: str) -> str:
    """Return a type as a message may name it: without the values of an enum."""
    return re.sub(r"ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)", "ENUM", type_name)
