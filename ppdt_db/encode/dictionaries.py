"""Dictionaries: a column's values under small integers, in their order or by a hierarchy."""

from dataclasses import replace
from pathlib import Path

from ppdt_db.coded import Coded, Ladder
from ppdt_db.engine import Engine, only_duckdb
from ppdt_db.families import family_of
from ppdt_db.hierarchies import Wish, as_hierarchy
from ppdt_db.policy import Attribute, Recoding, raise_all
from ppdt_db.source import Source
from ppdt_db.taxonomy import Taxonomy, shape_faults

BASE = "ppdt_base"


class Dictionaries:
    """The dictionaries of one source's columns, and what is wrong with orders and hierarchies."""

    def __init__(self, engine: Engine, source: Source) -> None:
        self.engine = engine
        self.source = source

    def make(
        self,
        column: str,
        position: int,
        tag: str,
        wish: Attribute | None = None,
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
            "encode/value",
            names={"source": self.source.relation, "attribute": coded},
            to="ppdt_value",
        )
        domain = self.engine.row("encode/domain", names={"attribute": coded, "value": values})
        n_codes, n_nulls, n_special, magnitude = domain
        assert isinstance(n_codes, int) and isinstance(n_special, int)
        assert isinstance(magnitude, int | float)
        coded = replace(coded, magnitude=float(magnitude))
        self._number(coded, values, wish, table if tree is None else BASE)
        if tree is not None:
            taxonomy = self._taxonomy(coded, tree)
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
            bits=max(1, (n_codes - 1).bit_length()),
            widest_word=self.engine.widest_word,
        )

    def ladder(self, column: str, number: int, hierarchy: Wish) -> Ladder:
        """The hierarchy of a column that keeps its own codes, level by level."""
        coded, values = self._based(column)
        taxonomy = self._taxonomy(coded, hierarchy)
        raise_all(taxonomy.read())
        relation = f"ppdt_ladder_{number}"
        levels = taxonomy.climb(relation)
        self.engine.drop(values, BASE)
        return Ladder(relation=relation, levels=levels)

    def write_hierarchy(self, wish: Attribute, path: Path) -> int:
        """Write the hierarchy of a column to a CSV file; returns how many values it holds."""
        assert wish.hierarchy is not None
        coded, _ = self._based(wish.name)
        raise_all(shape_faults(self.engine, as_hierarchy(wish.hierarchy), coded))
        taxonomy = self._taxonomy(coded, wish.hierarchy)
        raise_all(taxonomy.read())
        return taxonomy.write(path)

    # -- checks ----------------------------------------------------------------------------------

    def hierarchy_faults(self, wish: Attribute) -> list[str]:
        """What is wrong with the hierarchy of a column, as counts."""
        assert wish.hierarchy is not None
        coded, values = self._based(wish.name)
        faults = shape_faults(self.engine, as_hierarchy(wish.hierarchy), coded)
        if not faults:
            taxonomy = self._taxonomy(coded, wish.hierarchy)
            faults = taxonomy.read()
            taxonomy.clear()
        self.engine.drop(values, BASE)
        return faults

    def missing_from_order(self, wish: Attribute) -> int:
        """How many values of a column the user's order does not name."""
        _, values = self._values(wish.name)
        order = {"order": list(wish.order or ())}
        missing = self.engine.count("encode/missing", order, {"value": values})
        self.engine.drop(values)
        return missing

    # -- values ----------------------------------------------------------------------------------

    def _values(self, column: str) -> tuple[Coded, str]:
        """The distinct values of a column, for a check."""
        type_name = self.source.columns[column]
        family = family_of(type_name) or "text"
        coded = Coded(
            position=0, name=column, type_name=type_name, family=family, dictionary="",
            dictionary_alias="",
        )  # fmt: skip
        names = {"source": self.source.relation, "attribute": coded}
        return coded, self.engine.make("encode/value", names=names, to="ppdt_value")

    def _based(self, column: str) -> tuple[Coded, str]:
        """The distinct values of a column, and in `ppdt_base` their own order."""
        coded, values = self._values(column)
        *_, magnitude = self.engine.row(
            "encode/domain", names={"attribute": coded, "value": values}
        )
        coded = replace(coded, magnitude=float(str(magnitude)))
        self._number(coded, values, None, BASE)
        return coded, values

    def _number(self, coded: Coded, values: str, wish: Attribute | None, to: str) -> None:
        """Give the values codes in their own order, or the user's."""
        order = list(wish.order) if wish and wish.order is not None else None
        names = {"attribute": coded, "value": values, "has_order": order is not None}
        self.engine.make("encode/dictionary", {"order": order}, names, to=to)

    def _taxonomy(self, coded: Coded, hierarchy: Wish) -> Taxonomy:
        engine = only_duckdb(self.engine, "a hierarchy")
        return Taxonomy(engine, coded, as_hierarchy(hierarchy))
