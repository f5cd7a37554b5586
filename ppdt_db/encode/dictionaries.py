"""Dictionaries: the values of a column under integer codes, in their order or by a hierarchy."""

from dataclasses import replace
from pathlib import Path

from ppdt_db.encode.columns import EncodedColumn, SensitiveHierarchy
from ppdt_db.encode.hierarchy import Taxonomy, shape_faults
from ppdt_db.engine import Engine, only_duckdb
from ppdt_db.policy.hierarchy_specs import HierarchySpec, as_hierarchy
from ppdt_db.policy.roles import Attribute, raise_all
from ppdt_db.recodings import Recoding
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import family_of

BASE = "ppdt_base"


class Dictionaries:
    """The dictionaries of one source's columns, and checks of orders and hierarchies."""

    def __init__(self, engine: Engine, source: Source) -> None:
        self.engine = engine
        self.source = source

    def make(
        self,
        column: str,
        position: int,
        tag: str,
        attribute: Attribute | None = None,
        *,
        every_word: bool = False,
    ) -> EncodedColumn:
        """Count the values of one column and give them codes."""
        type_name = self.source.columns[column]
        table = f"ppdt_{tag}_{position}"
        coded = EncodedColumn(
            position=position,
            name=column,
            type_name=type_name,
            family=family_of(type_name) or "uuid",
            dictionary=table,
            dictionary_alias=f"{tag}_{position}",
        )
        hierarchy = attribute.hierarchy if attribute else None
        default: Recoding = "range" if coded.kind == "ordered" else "set"
        if hierarchy is not None:
            default = "node"
        recode = attribute.recode if attribute and attribute.recode else default
        values = self.engine.make(
            "encode/value",
            names={"source": self.source.relation, "attribute": coded},
            to="ppdt_value",
        )
        domain = self.engine.row("encode/domain", names={"attribute": coded, "value": values})
        n_codes, n_nulls, n_special, magnitude = domain
        assert isinstance(n_codes, int) and isinstance(n_special, int)
        assert isinstance(magnitude, int | float)
        coded = replace(coded, magnitude=float(magnitude))
        self._number(coded, values, attribute, table if hierarchy is None else BASE)
        if hierarchy is not None:
            taxonomy = self._taxonomy(coded, hierarchy)
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
            has_hierarchy=hierarchy is not None,
            bits=max(1, (n_codes - 1).bit_length()),
            widest_word=self.engine.widest_word,
        )

    def value_words(self, column: str, number: int, hierarchy: HierarchySpec) -> SensitiveHierarchy:
        """Make the hierarchy of a column that keeps its own codes, level by level."""
        coded, values = self._based(column)
        taxonomy = self._taxonomy(coded, hierarchy)
        raise_all(taxonomy.read())
        relation = f"ppdt_value_words_{number}"
        levels = taxonomy.climb(relation)
        self.engine.drop(values, BASE)
        return SensitiveHierarchy(relation=relation, levels=levels)

    def write_hierarchy(self, attribute: Attribute, path: Path) -> int:
        """Write the hierarchy of a column to a CSV file; return the number of its values."""
        assert attribute.hierarchy is not None
        coded, _ = self._based(attribute.name)
        raise_all(shape_faults(self.engine, as_hierarchy(attribute.hierarchy), coded))
        taxonomy = self._taxonomy(coded, attribute.hierarchy)
        raise_all(taxonomy.read())
        return taxonomy.write(path)

    # -- checks ----------------------------------------------------------------------------------

    def hierarchy_faults(self, attribute: Attribute) -> list[str]:
        """Return the faults of the hierarchy of a column, as counts."""
        assert attribute.hierarchy is not None
        coded, values = self._based(attribute.name)
        faults = shape_faults(self.engine, as_hierarchy(attribute.hierarchy), coded)
        if not faults:
            taxonomy = self._taxonomy(coded, attribute.hierarchy)
            faults = taxonomy.read()
            taxonomy.clear()
        self.engine.drop(values, BASE)
        return faults

    def missing_from_order(self, attribute: Attribute) -> int:
        """Return the number of values of a column that the user's order lacks."""
        _, values = self._values(attribute.name)
        order = {"order": list(attribute.order or ())}
        missing = self.engine.count("encode/missing", order, {"value": values})
        self.engine.drop(values)
        return missing

    # -- values ----------------------------------------------------------------------------------

    def _values(self, column: str) -> tuple[EncodedColumn, str]:
        """Make the distinct values of a column, for a check."""
        type_name = self.source.columns[column]
        family = family_of(type_name) or "text"
        coded = EncodedColumn(
            position=0, name=column, type_name=type_name, family=family, dictionary="",
            dictionary_alias="",
        )  # fmt: skip
        names = {"source": self.source.relation, "attribute": coded}
        return coded, self.engine.make("encode/value", names=names, to="ppdt_value")

    def _based(self, column: str) -> tuple[EncodedColumn, str]:
        """Make the distinct values of a column, and in `ppdt_base` their own order."""
        coded, values = self._values(column)
        *_, magnitude = self.engine.row(
            "encode/domain", names={"attribute": coded, "value": values}
        )
        coded = replace(coded, magnitude=float(str(magnitude)))
        self._number(coded, values, None, BASE)
        return coded, values

    def _number(
        self, coded: EncodedColumn, values: str, attribute: Attribute | None, to: str
    ) -> None:
        """Give the values codes in their own order, or the user's."""
        order = list(attribute.order) if attribute and attribute.order is not None else None
        names = {"attribute": coded, "value": values, "has_order": order is not None}
        self.engine.make("encode/dictionary", {"order": order}, names, to=to)

    def _taxonomy(self, coded: EncodedColumn, hierarchy: HierarchySpec) -> Taxonomy:
        engine = only_duckdb(self.engine, "a hierarchy")
        return Taxonomy(engine, coded, as_hierarchy(hierarchy))
