"""Encode: read the source, give every value a small integer, count the distinct combinations.

source ──▶ ppdt_code_<i> (the dictionaries), ppdt_row (rows), ppdt_cell (combinations)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from ppdt_db.coded import Coded, Encoded, Ladder, Other, Thing, Wants, packed
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import EngineError
from ppdt_db.families import family_of
from ppdt_db.policy import Roles
from ppdt_db.source import Source


class Encoder:
    """Encodes one source for one run."""

    def __init__(self, engine: Engine, source: Source, roles: Roles) -> None:
        self.engine = engine
        self.source = source
        self.roles = roles
        self.dictionaries = Dictionaries(engine, source)

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
            column: self.dictionaries.ladder(column, number, hierarchy)
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
        names = {"source": self.source.relation, **encoded.names}
        engine.make("encode/row", params, names, to="ppdt_coded")
        engine.make("encode/key", names=names)
        engine.make("encode/placed", names=names, to="ppdt_row")
        engine.drop("ppdt_coded")
        engine.make("encode/cell", names=names)
        if wants.rows:
            types = {other.name: other.type_name for other in others}
            engine.make("encode/drawn", params, {**names, "types": types})
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
                shown.append(
                    Other(
                        name=f"c{len(shown)}",
                        form="pseudonym",
                        column=column,
                        source_type=type_name,
                    )
                )
            elif column in self.roles.shown:
                form: Literal["text", "column"] = (
                    "text" if family_of(type_name) == "enum" else "column"
                )
                shown.append(
                    Other(
                        name=f"c{len(shown)}",
                        form=form,
                        column=column,
                        type_name=type_name,
                        source_type=type_name,
                        is_text=type_name == "VARCHAR",
                    )
                )
        return shown

    def _things(
        self, wants: Wants, ladders: Mapping[str, Ladder]
    ) -> tuple[list[tuple[Coded, Other]], list[Thing], Coded | None]:
        extra: list[tuple[Coded, Other]] = []
        things: list[Thing] = []
        target: Coded | None = None

        def code(column: str, name: str) -> Coded:
            coded = self.dictionaries.make(column, len(extra), "extra")
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
                        type_name=coded.type_name,
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
        attributes.append(encoder.dictionaries.make(attribute.name, position, "code", attribute))
    progress("encode", 0.5)
    return encoder.rows(attributes, wants, params)


def check_kept_every_row(encoded: Encoded, n_rows: int) -> None:
    """Raise when the source gave other rows on its second reading."""
    if encoded.n_rows != n_rows:
        raise EngineError(
            f"the source had {n_rows:,} rows at first and {encoded.n_rows:,} rows on the second "
            "reading. Is something writing to it? Run again when it is at rest."
        )
