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


def family_of(type_name: str) -> Family | None:
    """The family of a type that can be a quasi-identifier, or None."""
    if type_name.startswith("ENUM(") and type_name.endswith(")"):
        return "enum"
    if decimal := re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", type_name):
        return "decimal" if int(decimal.group(1)) <= EXACT_DECIMAL_DIGITS else "huge"
    return FAMILIES.get(type_name)


def told(type_name: str) -> str:
    """A type as a message may name it: without the values that an enum is made of."""
    return re.sub(r"ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)", "ENUM", type_name)
