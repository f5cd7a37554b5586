"""Encode: read the source, give every value a small integer, count the distinct combinations.

source ──▶ ppdt_code_<i> (the dictionaries), ppdt_row (rows), ppdt_cell (combinations)
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, log10
from pathlib import Path
from typing import Literal

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError
from ppdt_db.hierarchies import Wish, as_hierarchy
from ppdt_db.names import Sql
from ppdt_db.policy import Attribute, Recoding, Roles, raise_all
from ppdt_db.source import Source
from ppdt_db.taxonomy import Taxonomy, shape_faults

Family = Literal[
    "integer", "huge", "decimal", "float", "date", "timestamp", "timestamptz", "time",
    "text", "enum", "boolean", "uuid",
]  # fmt: skip

FAMILIES: dict[str, Family] = {
    **dict.fromkeys(
        [
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "UTINYINT",
            "USMALLINT",
            "UINTEGER",
            "UBIGINT",
        ],
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
}
ORDERED = frozenset(
    {"integer", "huge", "decimal", "float", "date", "timestamp", "timestamptz", "time"}
)
EXACT_DECIMAL_DIGITS = 36
FLOAT_DIGITS = 12
BASE = "ppdt_base"
BITS_OF_WORD = {"BIGINT": 62, "HUGEINT": 126}


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
        """Whether units are fractions of the largest magnitude instead of exact steps."""
        return self.family in ("float", "huge")

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
    def set_form(self) -> Literal["small", "wide", "list"]:
        """How a set of its codes is held: as the bits of a number, or as a list."""
        return "small" if self.n_codes <= 62 else "wide" if self.n_codes <= 126 else "list"

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


class Encoder:
    """Encodes one source for one run."""

    def __init__(self, engine: DuckEngine, source: Source, roles: Roles) -> None:
        self.engine = engine
        self.source = source
        self.roles = roles
        self._read: Mapping[str, object] = {"source": source.relation}

    def dictionary(
        self,
        column: str,
        position: int,
        tag: str,
        wish: Attribute | None,
        *,
        every_word: bool = False,
    ) -> Coded:
        """Count one column's values and give them codes."""
        type_name = self.source.columns[column]
        table = f"ppdt_{tag}_{position}"
        coded = Coded(
            position=position,
            name=column,
            type_name=type_name,
            family=family_of(type_name) or "uuid",
            dictionary=table,
            dictionary_alias=f"{tag}_{position}",
        )
        tree = wish.hierarchy if wish else None
        default: Recoding = "range" if coded.kind == "ordered" else "set"
        if tree is not None:
            default = "node"
        recode = wish.recode if wish and wish.recode else default
        values = self.engine.make(
            "encode/value", names={**self._read, "attribute": coded}, to="ppdt_value"
        )
        domain = self.engine.row("encode/domain", names={"attribute": coded, "value": values})
        n_codes, n_nulls, n_special, magnitude = domain
        assert isinstance(n_codes, int) and isinstance(n_special, int)
        assert isinstance(magnitude, int | float)
        self._number(coded, values, wish, table if tree is None else BASE)
        if tree is not None:
            taxonomy = Taxonomy(self.engine, coded, as_hierarchy(tree))
            raise_all(taxonomy.read())
            taxonomy.arrange(table, coded.node, every_word=every_word)
            self.engine.drop(BASE)
        self.engine.drop(values)
        return replace(
            coded,
            recode=recode,
            n_codes=n_codes,
            n_special=n_special,
            has_null=bool(n_nulls),
            has_hierarchy=tree is not None,
            magnitude=float(magnitude),
            bits=max(1, (n_codes - 1).bit_length()),
        )

    def _number(self, coded: Coded, values: str, wish: Attribute | None, to: str) -> None:
        """Give the values codes in their own order, or the user's."""
        order = list(wish.order) if wish and wish.order is not None else None
        names = {"attribute": coded, "value": values, "has_order": order is not None}
        self.engine.make("encode/dictionary", {"order": order}, names, to=to)

    def _values(self, column: str) -> tuple[Coded, str]:
        """The distinct values of a column, for a check."""
        type_name = self.source.columns[column]
        family = family_of(type_name) or "text"
        coded = Coded(
            position=0, name=column, type_name=type_name, family=family, dictionary="",
            dictionary_alias="",
        )  # fmt: skip
        names = {**self._read, "attribute": coded}
        return coded, self.engine.make("encode/value", names=names, to="ppdt_value")

    def hierarchy_faults(self, wish: Attribute) -> list[str]:
        """What is wrong with the hierarchy of a column, as counts."""
        assert wish.hierarchy is not None
        hierarchy = as_hierarchy(wish.hierarchy)
        coded, values = self._values(wish.name)
        if faults := shape_faults(hierarchy, coded):
            self.engine.drop(values)
            return faults
        self._number(coded, values, None, BASE)
        taxonomy = Taxonomy(self.engine, coded, hierarchy)
        faults = taxonomy.read()
        taxonomy.clear()
        self.engine.drop(values, BASE)
        return faults

    def write_hierarchy(self, wish: Attribute, path: Path) -> int:
        """Write the hierarchy of a column to a CSV file; returns how many values it holds."""
        assert wish.hierarchy is not None
        hierarchy = as_hierarchy(wish.hierarchy)
        coded, values = self._values(wish.name)
        raise_all(shape_faults(hierarchy, coded))
        self._number(coded, values, None, BASE)
        taxonomy = Taxonomy(self.engine, coded, hierarchy)
        raise_all(taxonomy.read())
        return taxonomy.write(path)

    def missing_from_order(self, wish: Attribute) -> int:
        """How many values of a column the user's order does not name."""
        _, values = self._values(wish.name)
        order = {"order": list(wish.order or ())}
        missing = self.engine.count("encode/missing", order, {"value": values})
        self.engine.drop(values)
        return missing

    def rows(
        self,
        attributes: Sequence[Coded],
        wants: Wants,
        params: Mapping[str, object],
    ) -> Encoded:
        """Write the rows and the cells under the dictionaries' codes."""
        engine = self.engine
        words = packed(attributes)
        placed = [attribute for word in words for attribute in word.attributes]
        placed.sort(key=lambda attribute: attribute.position)
        ladders = {
            column: self._ladder(column, number, hierarchy)
            for number, (column, hierarchy) in enumerate(self.roles.hierarchies.items())
        }
        extra, things, target = self._things(wants, ladders)
        others = [*self._shown(), *(other for _, other in extra)]
        encoded = Encoded(
            attributes=placed,
            words=words,
            others=others,
            dictionaries=[*placed, *(coded for coded, _ in extra)],
            things=things,
            target=target,
            target_name="target" if target else None,
            n_rows=0,
            n_cells=0,
            ladders=ladders,
            released={other.column: other.name for other in others if other.form != "code"},
        )
        names = {**self._read, **encoded.names}
        engine.make("encode/row", params, names, to="ppdt_coded")
        engine.make("encode/key", names=names)
        engine.make("encode/placed", names=names, to="ppdt_row")
        engine.drop("ppdt_coded")
        engine.make("encode/cell", names=names)
        if wants.rows:
            engine.make("encode/drawn", params, names)
            engine.rename("ppdt_drawn", "ppdt_row")
        unit = "row_id" if wants.rows else "cell_id"
        if things:
            engine.make("encode/unit_thing", names={**names, "unit": unit})
        if target and wants.target_of_units:
            only = [Thing(kind=0, name="target", is_entity=False)]
            engine.make(
                "encode/unit_thing", names={"unit": unit, "things": only}, to="ppdt_unit_target"
            )
        n_cells, n_rows = engine.row("encode/totals")
        assert isinstance(n_rows, int) and isinstance(n_cells, int)
        return replace(encoded, n_rows=n_rows, n_cells=n_cells)

    def _shown(self) -> list[Other]:
        shown: list[Other] = []
        for column, type_name in self.source.columns.items():
            if column in self.roles.pseudonymized:
                shown.append(Other(name=f"c{len(shown)}", form="pseudonym", column=column))
            elif column in self.roles.shown:
                form: Literal["text", "column"] = (
                    "text" if family_of(type_name) == "enum" else "column"
                )
                shown.append(
                    Other(name=f"c{len(shown)}", form=form, column=column, type_name=type_name)
                )
        return shown

    def _ladder(self, column: str, number: int, hierarchy: Wish) -> Ladder:
        """The hierarchy of a sensitive column, level by level."""
        coded, values = self._values(column)
        self._number(coded, values, None, BASE)
        taxonomy = Taxonomy(self.engine, coded, as_hierarchy(hierarchy))
        raise_all(taxonomy.read())
        relation = f"ppdt_ladder_{number}"
        levels = taxonomy.climb(relation)
        self.engine.drop(values, BASE)
        return Ladder(relation=relation, levels=levels)

    def _things(
        self, wants: Wants, ladders: Mapping[str, Ladder]
    ) -> tuple[list[tuple[Coded, Other]], list[Thing], Coded | None]:
        extra: list[tuple[Coded, Other]] = []
        things: list[Thing] = []
        target: Coded | None = None

        def code(column: str, name: str) -> Coded:
            coded = self.dictionary(column, len(extra), "extra", None)
            other = Other(name=name, form="code", column=column, alias=coded.dictionary_alias)
            extra.append((coded, other))
            return coded

        if self.roles.entity:
            code(self.roles.entity, "entity")
            things.append(Thing(kind=0, name="entity", is_entity=True))
        if wants.distinct:
            for number, column in enumerate(self.roles.sensitive, start=1):
                coded = code(column, f"s{number}")
                ladder = ladders.get(column)
                things.append(
                    Thing(
                        kind=number,
                        name=f"s{number}",
                        is_entity=False,
                        is_ordered=coded.kind == "ordered" and ladder is None,
                        dictionary=coded.table,
                        ladder=ladder,
                    )
                )
        if wants.target and self.roles.target:
            target = code(self.roles.target, "target")
        return extra, things, target


def encode(
    engine: DuckEngine, source: Source, roles: Roles, wants: Wants, params: Mapping[str, object]
) -> Encoded:
    """Dictionaries, rows and cells of a source."""
    encoder = Encoder(engine, source, roles)
    attributes = [
        encoder.dictionary(attribute.name, position, "code", attribute)
        for position, attribute in enumerate(roles.quasi)
    ]
    return encoder.rows(attributes, wants, params)


def check_kept_every_row(encoded: Encoded, n_rows: int) -> None:
    """Raise when the source gave other rows on its second reading."""
    if encoded.n_rows != n_rows:
        raise EngineError(
            f"the source had {n_rows:,} rows at first and {encoded.n_rows:,} rows on the second "
            "reading. Is something writing to it? Run again when it is at rest."
        )


def packed(attributes: Sequence[Coded]) -> list[Word]:
    """Fit the codes into as few words as they need."""
    total = sum(attribute.bits for attribute in attributes)
    type_name = "BIGINT" if total <= BITS_OF_WORD["BIGINT"] else "HUGEINT"
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
