"""Encode: read the source, give every value a small integer, count the distinct combinations.

source ──▶ ppdt_code_<i> (the dictionaries), ppdt_row (rows), ppdt_cell (combinations)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ppdt_db.coded import Coded, Encoded, Ladder, Other, Thing, Wants, family_of, packed
from ppdt_db.engine import Engine, only_duckdb
from ppdt_db.errors import EngineError
from ppdt_db.hierarchies import Wish, as_hierarchy
from ppdt_db.policy import Attribute, Recoding, Roles, raise_all
from ppdt_db.source import Source
from ppdt_db.taxonomy import Taxonomy, shape_faults

BASE = "ppdt_base"


class Encoder:
    """Encodes one source for one run."""

    def __init__(self, engine: Engine, source: Source, roles: Roles) -> None:
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
            taxonomy = Taxonomy(only_duckdb(self.engine, "a hierarchy"), coded, as_hierarchy(tree))
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
            widest_word=self.engine.widest_word,
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
        taxonomy = Taxonomy(only_duckdb(self.engine, "a hierarchy"), coded, hierarchy)
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
        taxonomy = Taxonomy(only_duckdb(self.engine, "a hierarchy"), coded, hierarchy)
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
            column: self.ladder(column, number, hierarchy)
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

    def ladder(self, column: str, number: int, hierarchy: Wish) -> Ladder:
        """The hierarchy of a sensitive column, level by level."""
        coded, values = self._values(column)
        self._number(coded, values, None, BASE)
        taxonomy = Taxonomy(only_duckdb(self.engine, "a hierarchy"), coded, as_hierarchy(hierarchy))
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
    engine: Engine,
    source: Source,
    roles: Roles,
    wants: Wants,
    params: Mapping[str, object],
    progress: Callable[[str, float], None] = lambda _stage, _share: None,
) -> Encoded:
    """Dictionaries, rows and cells of a source."""
    encoder = Encoder(engine, source, roles)
    attributes: list[Coded] = []
    for position, attribute in enumerate(roles.quasi):
        # Reading the columns one by one takes about half of the time.
        progress("encode", position / len(roles.quasi) / 2)
        attributes.append(encoder.dictionary(attribute.name, position, "code", attribute))
    progress("encode", 0.5)
    return encoder.rows(attributes, wants, params)


def check_kept_every_row(encoded: Encoded, n_rows: int) -> None:
    """Raise when the source gave other rows on its second reading."""
    if encoded.n_rows != n_rows:
        raise EngineError(
            f"the source had {n_rows:,} rows at first and {encoded.n_rows:,} rows on the second "
            "reading. Is something writing to it? Run again when it is at rest."
        )
