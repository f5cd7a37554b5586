"""Coded: columns as small integers, and what encoding leaves behind beside its relations."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, log10
from typing import Literal

from ppdt_db.families import ORDERED, Family, family_of
from ppdt_db.names import Sql
from ppdt_db.policy import Recoding

FLOAT_DIGITS = 12
# A list lies in memory as a whole: 1 MB for each attribute at most.
LISTED_CODES = 2**17
MOST_STEPS = 2.0**95
MOST_OF_DOUBLE = 2.0**53
MOST_DECIMALS = 37
EXACT = ("integer", "huge", "decimal")
BITS_OF_WORD = {"BIGINT": 62, "HUGEINT": 126}


@dataclass(frozen=True, kw_only=True)
class Coded:
    """A column whose values have codes: what the templates need to know of it."""

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
    """Whether codes follow a hierarchy, depth first, and the relation `node` holds its nodes."""
    widest_word: int = 126
    """How many bits of an integer the engine can hold codes in."""
    value_bits: int = 0
    """Where codes stand for ranges or sets too: the bits of the codes of single values."""

    @property
    def kind(self) -> Literal["ordered", "categorical"]:
        """Ordered attributes have ranges and means, categorical ones sets and modes.

        Under a hierarchy every attribute is categorical: nodes, not distances, tell it apart.
        """
        is_ordered = self.family in ORDERED and not self.has_hierarchy
        return "ordered" if is_ordered else "categorical"

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
        """Whether the type has values that lie in no range: NaN, infinities."""
        return self.family in ("float", "date", "timestamp", "timestamptz")

    @property
    def is_scaled(self) -> bool:
        """Whether units are fractions of the largest magnitude instead of exact steps.

        Steps are exact as long as the sum over 2^31 rows fits into 127 bits. Beyond, units of whole
        numbers are fractions of how far these reach, from the lowest one on.
        """
        if self.family == "huge":
            return self.magnitude * self.unit_size >= MOST_STEPS
        return self.family == "float"

    @property
    def is_long(self) -> bool:
        """Whether there are exact numbers of more digits than a DOUBLE tells apart."""
        is_exact = self.family in EXACT and self.decimals < MOST_DECIMALS
        return is_exact and self.magnitude * self.unit_size >= MOST_OF_DOUBLE

    @property
    def is_fractional(self) -> bool:
        """Whether values may lie closer together than 1."""
        return self.family == "float" or self.decimals > 0

    @property
    def has_nonfinite(self) -> bool:
        """Whether NaN or an infinity occurs."""
        return self.n_special > int(self.has_null)

    @property
    def mean_digits(self) -> int:
        """Digits after the point that a mean shows: one beyond the attribute's step."""
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
        """All bits of its codes."""
        return (1 << self.bits) - 1

    @property
    def value_mask(self) -> int:
        """The bits of the codes of single values; the codes of ranges and sets are larger."""
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
        """How a set of its codes is held: as the bits of a number, or as a list."""
        if self.n_codes <= BITS_OF_WORD["BIGINT"]:
            return "small"
        return "wide" if self.n_codes <= self.widest_word else "list"

    @property
    def is_listed(self) -> bool:
        """Whether its positions are looked up in a list; a larger dictionary is joined."""
        return self.n_codes <= LISTED_CODES

    @property
    def unit_size(self) -> int:
        """How many units of the dictionary make 1, where they are exact steps."""
        return int(10**self.decimals)

    @property
    def decimals(self) -> int:
        """Digits after the point of a decimal type."""
        found = re.fullmatch(r"DECIMAL\(\d+,(\d+)\)", self.type_name)
        return int(found.group(1)) if found else 0


@dataclass(frozen=True, kw_only=True)
class Word:
    """Several attributes' codes in one integer."""

    name: str
    type: Sql
    attributes: Sequence[Coded]


@dataclass(frozen=True, kw_only=True)
class Other:
    """A column of the row table that is not a quasi-identifier."""

    name: str
    form: Literal["column", "text", "code", "pseudonym"]
    column: str
    alias: str = ""
    type_name: str = "VARCHAR"
    source_type: str = ""
    """Of what a pseudonym or a text stands for."""
    is_text: bool = False
    """Whether it is released as text, which may have a collation in the source."""

    @property
    def domain(self) -> str:
        """What tells a column's pseudonyms from another's; no name runs into the value."""
        return f"{len(self.column)}:{self.column}:"

    @property
    def sort(self) -> Literal["plain", "text", "float", "other"]:
        """What it takes to tell its values apart in an order, also those that compare as equal."""
        if self.form != "column":
            return "plain"
        family = family_of(self.type_name)
        if family in ("text", "float"):
            return family
        return "other" if family is None and self.type_name != "BLOB" else "plain"


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The hierarchy of a sensitive column: a relation with the words of each value at every level.

    The levels go from the values themselves up to below the root.
    """

    relation: str
    levels: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Thing:
    """What the guard counts apart from rows: an entity or a sensitive attribute."""

    kind: int
    name: str
    is_entity: bool
    is_ordered: bool = False
    dictionary: str = ""
    type_name: str = ""
    ladder: Ladder | None = None


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """What encoding left behind, beside its relations."""

    attributes: Sequence[Coded]
    words: Sequence[Word]
    others: Sequence[Other]
    dictionaries: Sequence[Coded]
    things: Sequence[Thing]
    target: Coded | None
    target_name: str | None
    n_rows: int
    n_cells: int
    released: Mapping[str, str] = field(default_factory=dict)
    ladders: Mapping[str, Ladder] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, object]:
        """The names that every template of the encode room may ask for."""
        return {
            "attributes": self.attributes,
            "words": self.words,
            "others": self.others,
            "dictionaries": self.dictionaries,
            "things": self.things,
            "is_live": False,
        }


@dataclass(frozen=True, kw_only=True)
class Wants:
    """What a method needs beyond the cells."""

    distinct: bool = False
    target: bool = False
    target_of_units: bool = False
    rows: bool = False


def packed(attributes: Sequence[Coded], *, is_narrow: bool = False) -> list[Word]:
    """Fit the codes into as few words as they need; narrow words are quicker to shift."""
    total = sum(attribute.bits for attribute in attributes)
    widest = min((attribute.widest_word for attribute in attributes), default=0)
    fits = is_narrow or total <= BITS_OF_WORD["BIGINT"] or widest < BITS_OF_WORD["HUGEINT"]
    type_name = "BIGINT" if fits else "HUGEINT"
    room = BITS_OF_WORD[type_name]
    bins: list[list[Coded]] = [[]]
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
