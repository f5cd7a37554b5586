"""Encoded columns and tables: metadata of the relations that encoding makes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, log10
from typing import Literal

from ppdt_db.encode.column_names import ColumnNames
from ppdt_db.recodings import RECODINGS, Recoding, RecodingKind
from ppdt_db.sqltext.column_types import ORDERED, Family, family_of
from ppdt_db.sqltext.quoting import Sql

FLOAT_DIGITS = 12
# A list is held in memory: at most 1 MB per attribute.
LISTED_CODES = 2**17
MOST_STEPS = 2.0**95
MOST_OF_DOUBLE = 2.0**53
MOST_DECIMALS = 37
EXACT = ("integer", "huge", "decimal")
BITS_OF_WORD = {"BIGINT": 62, "HUGEINT": 126}


@dataclass(frozen=True, kw_only=True)
class EncodedColumn(ColumnNames):
    """An encoded column: what the templates need to know about it."""

    position: int
    name: str
    type_name: str
    family: Family
    dictionary: str | tuple[str, ...]
    dictionary_alias: str
    recode: Recoding = "set"
    n_codes: int = 0
    n_special: int = 0
    has_null: bool = False
    magnitude: float = 0.0
    word: str = "word_0"
    shift: int = 0
    bits: int = 1
    spread: Literal["", "span", "set"] = ""
    has_hierarchy: bool = False
    """True if codes follow a hierarchy, depth first, with its nodes in the relation `node`."""
    widest_word: int = 126
    """The number of bits of the engine's widest integer for codes."""
    value_bits: int = 0
    """The bits of the codes of single values, where codes stand for ranges or sets too."""

    @property
    def kind(self) -> Literal["ordered", "categorical"]:
        """Ordered columns have ranges and means, categorical ones sets and modes.

        With a hierarchy every attribute is categorical: its nodes count, not distances.
        """
        is_ordered = self.family in ORDERED and not self.has_hierarchy
        return "ordered" if is_ordered else "categorical"

    @cached_property
    def recoding(self) -> RecodingKind:
        """The recoding in which its classes show it."""
        return RECODINGS[self.recode]

    @property
    def has_ends(self) -> bool:
        """Return whether a class holds all between two ends, instead of single values."""
        return self.kind == "ordered" and not self.recoding.lists_values

    @property
    def table(self) -> str:
        """The dictionary as a relation of the run itself."""
        assert isinstance(self.dictionary, str)
        return self.dictionary

    @property
    def node(self) -> str:
        """The relation of the hierarchy's nodes, each an interval of codes."""
        return f"ppdt_node_{self.position}"

    @property
    def has_special(self) -> bool:
        """Return whether the type has values outside of every range: NaN, infinities."""
        return self.family in ("float", "date", "timestamp", "timestamptz")

    @property
    def is_scaled(self) -> bool:
        """Return whether units are fractions of the largest magnitude instead of exact steps.

        Steps are exact as long as the sum over 2^31 rows fits into 127 bits. Beyond that, units of
        whole numbers are fractions of their range, counted from the lowest one.
        """
        if self.family == "huge":
            return self.magnitude * self.unit_size >= MOST_STEPS
        return self.family == "float"

    @property
    def is_long(self) -> bool:
        """Return whether there are exact numbers with more digits than a DOUBLE distinguishes."""
        is_exact = self.family in EXACT and self.decimals < MOST_DECIMALS
        return is_exact and self.magnitude * self.unit_size >= MOST_OF_DOUBLE

    @property
    def is_fractional(self) -> bool:
        """Return whether values may be closer together than 1."""
        return self.family == "float" or self.decimals > 0

    @property
    def has_nonfinite(self) -> bool:
        """Return whether NaN or an infinity occurs."""
        return self.n_special > int(self.has_null)

    @property
    def mean_digits(self) -> int:
        """The decimal places of a mean: one more than the column's."""
        if self.is_long:
            return self.decimals + (0 if self.is_scaled else 1)
        if self.is_scaled:
            return FLOAT_DIGITS - ceil(log10(self.magnitude)) if self.magnitude else 1
        return self.decimals + 1

    @property
    def code(self) -> str:
        """The column of its codes in the cells."""
        return f"q{self.position}"

    @property
    def mask(self) -> int:
        """The bit mask of its codes."""
        return (1 << self.bits) - 1

    @property
    def value_mask(self) -> int:
        """The bit mask of the codes of single values; those of ranges and sets are larger."""
        return (1 << self.value_bits) - 1

    @property
    def code_type(self) -> Sql:
        """The narrowest type for its codes."""
        sizes = {8: "UTINYINT", 16: "USMALLINT", 31: "INTEGER", 62: "BIGINT"}
        return Sql(next(name for bits, name in sizes.items() if self.bits <= bits))

    @property
    def held_type(self) -> Sql:
        """The type of its values, where they are numbers."""
        return Sql(self.type_name)

    @property
    def set_form(self) -> Literal["small", "wide", "list"]:
        """The representation of a set of its codes: the bits of a number, or a list."""
        if self.n_codes <= BITS_OF_WORD["BIGINT"]:
            return "small"
        return "wide" if self.n_codes <= self.widest_word else "list"

    @property
    def is_listed(self) -> bool:
        """Return whether its positions are looked up in a list; a larger dictionary is joined."""
        return self.n_codes <= LISTED_CODES

    @property
    def unit_size(self) -> int:
        """The number of units that make 1, where they are exact steps."""
        return int(10**self.decimals)

    @property
    def decimals(self) -> int:
        """The decimal places of a decimal type."""
        match = re.fullmatch(r"DECIMAL\(\d+,(\d+)\)", self.type_name)
        return int(match.group(1)) if match else 0


@dataclass(frozen=True, kw_only=True)
class Word:
    """The codes of several attributes packed into one integer."""

    name: str
    type: Sql
    attributes: Sequence[EncodedColumn]


@dataclass(frozen=True, kw_only=True)
class CarriedColumn:
    """A column of the row table that is not a quasi-identifier."""

    name: str
    form: Literal["column", "text", "code", "pseudonym"]
    column: str
    alias: str = ""
    type_name: str = "VARCHAR"
    source_type: str = ""
    """The type that a pseudonym or a text replaces."""
    is_text: bool = False
    """True if it is released as text, which may have a collation in the source."""

    @property
    def domain(self) -> str:
        """The prefix that separates a column's pseudonyms from those of other columns."""
        return f"{len(self.column)}:{self.column}:"

    @property
    def sort(self) -> Literal["plain", "text", "float", "other"]:
        """The kind of sort key that distinguishes its values, also those that compare as equal."""
        if self.form != "column":
            return "plain"
        family = family_of(self.type_name)
        if family in ("text", "float"):
            return family
        return "other" if family is None and self.type_name != "BLOB" else "plain"


@dataclass(frozen=True, kw_only=True)
class SensitiveHierarchy:
    """The hierarchy of a sensitive column: each value with its words at every level.

    The levels go from the values up to the one below the root.
    """

    relation: str
    levels: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class ProtectedKey:
    """A column that the guard counts besides rows: an entity or a sensitive attribute."""

    kind: int
    name: str
    is_entity: bool
    is_ordered: bool = False
    dictionary: str = ""
    type_name: str = ""
    hierarchy: SensitiveHierarchy | None = None


@dataclass(frozen=True, kw_only=True)
class EncodedTable:
    """The metadata of an encoded table."""

    attributes: Sequence[EncodedColumn]
    words: Sequence[Word]
    others: Sequence[CarriedColumn]
    dictionaries: Sequence[EncodedColumn]
    protected_keys: Sequence[ProtectedKey]
    target: EncodedColumn | None
    target_name: str | None
    n_rows: int
    n_cells: int
    released: Mapping[str, str] = field(default_factory=dict)
    sensitive_hierarchies: Mapping[str, SensitiveHierarchy] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, object]:
        """The names for the templates of the encode room."""
        return {
            "attributes": self.attributes,
            "words": self.words,
            "others": self.others,
            "dictionaries": self.dictionaries,
            "protected_keys": self.protected_keys,
            "is_live": False,
        }


@dataclass(frozen=True, kw_only=True)
class EncodeOptions:
    """Additional inputs that a method needs besides the cells."""

    sensitive: bool = False
    """Codes of the sensitive columns, for a guard that asks for more than k."""
    target: bool = False
    """The code of the target, with every row."""
    target_of_units: bool = False
    """How often each value of the target occurs in every cell (or row): `ppdt_unit_target`."""
    row_ids: bool = False
    """Numbers for the rows, for a method that divides equal rows."""


def packed(attributes: Sequence[EncodedColumn], *, is_narrow: bool = False) -> list[Word]:
    """Pack the codes into as few words as possible; narrow words are faster to shift."""
    total = sum(attribute.bits for attribute in attributes)
    widest = min((attribute.widest_word for attribute in attributes), default=0)
    fits = is_narrow or total <= BITS_OF_WORD["BIGINT"] or widest < BITS_OF_WORD["HUGEINT"]
    type_name = "BIGINT" if fits else "HUGEINT"
    room = BITS_OF_WORD[type_name]
    bins: list[list[EncodedColumn]] = [[]]
    used = 0
    for attribute in attributes:
        if used + attribute.bits > room:
            bins.append([])
            used = 0
        word = f"word_{len(bins) - 1}"
        bins[-1].append(replace(attribute, word=word, shift=used))
        used += attribute.bits
    return [
        Word(name=f"word_{number}", type=Sql(type_name), attributes=packed)
        for number, packed in enumerate(bins)
    ]
