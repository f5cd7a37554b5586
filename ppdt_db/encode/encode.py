"""Encode a source: give every value a code, and count the distinct combinations.

source ──▶ ppdt_code_<i> (the dictionaries), ppdt_row (rows), ppdt_cell (combinations)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from ppdt_db.encode.columns import (
    CarriedColumn,
    EncodedColumn,
    EncodedTable,
    EncodeOptions,
    ProtectedKey,
    SensitiveHierarchy,
    packed,
)
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import EngineError
from ppdt_db.policy.roles import Roles
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import family_of


class Encoder:
    """Encodes one source for one run."""

    def __init__(self, engine: Engine, source: Source, roles: Roles) -> None:
        self.engine = engine
        self.source = source
        self.roles = roles
        self.dictionaries = Dictionaries(engine, source)

    def rows(
        self,
        attributes: Sequence[EncodedColumn],
        wants: EncodeOptions,
        params: Mapping[str, object],
    ) -> EncodedTable:
        """Write the rows and the cells in the codes of the dictionaries."""
        engine = self.engine
        words = packed(attributes)
        placed = [attribute for word in words for attribute in word.attributes]
        placed.sort(key=lambda attribute: attribute.position)
        hierarchies = {
            column: self.dictionaries.value_words(column, number, spec)
            for number, (column, spec) in enumerate(self.roles.hierarchies.items())
        }
        extra, protected_keys, target = self._protected_keys(wants, hierarchies)
        others = [*self._shown(), *(other for _, other in extra)]
        encoded = EncodedTable(
            attributes=placed,
            words=words,
            others=others,
            dictionaries=[*placed, *(coded for coded, _ in extra)],
            protected_keys=protected_keys,
            target=target,
            target_name="target" if target else None,
            n_rows=0,
            n_cells=0,
            sensitive_hierarchies=hierarchies,
            released={other.column: other.name for other in others if other.form != "code"},
        )
        names = {"source": self.source.relation, **encoded.names}
        engine.make("encode/row", params, names, to="ppdt_coded")
        engine.make("encode/key", names=names)
        engine.make("encode/placed", names=names, to="ppdt_row")
        engine.drop("ppdt_coded")
        engine.make("encode/cell", names=names)
        if wants.row_ids:
            types = {other.name: other.type_name for other in others}
            engine.make("encode/drawn", params, {**names, "types": types})
            engine.rename("ppdt_drawn", "ppdt_row")
        unit = "row_id" if wants.row_ids else "cell_id"
        if protected_keys:
            engine.make("encode/unit_protected", names={**names, "unit": unit})
        if target and wants.target_of_units:
            only = [ProtectedKey(kind=0, name="target", is_entity=False)]
            engine.make(
                "encode/unit_protected",
                names={"unit": unit, "protected_keys": only},
                to="ppdt_unit_target",
            )
        n_cells, n_rows = engine.row("encode/totals")
        assert isinstance(n_rows, int) and isinstance(n_cells, int)
        return replace(encoded, n_rows=n_rows, n_cells=n_cells)

    def _shown(self) -> list[CarriedColumn]:
        shown: list[CarriedColumn] = []
        for column, type_name in self.source.columns.items():
            if column in self.roles.pseudonymized:
                shown.append(
                    CarriedColumn(
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
                    CarriedColumn(
                        name=f"c{len(shown)}",
                        form=form,
                        column=column,
                        type_name=type_name,
                        source_type=type_name,
                        is_text=type_name == "VARCHAR",
                    )
                )
        return shown

    def _protected_keys(
        self, wants: EncodeOptions, hierarchies: Mapping[str, SensitiveHierarchy]
    ) -> tuple[list[tuple[EncodedColumn, CarriedColumn]], list[ProtectedKey], EncodedColumn | None]:
        extra: list[tuple[EncodedColumn, CarriedColumn]] = []
        protected_keys: list[ProtectedKey] = []
        target: EncodedColumn | None = None

        def code(column: str, name: str) -> EncodedColumn:
            coded = self.dictionaries.make(column, len(extra), "extra")
            other = CarriedColumn(
                name=name, form="code", column=column, alias=coded.dictionary_alias
            )
            extra.append((coded, other))
            return coded

        if self.roles.entity:
            code(self.roles.entity, "entity")
            protected_keys.append(ProtectedKey(kind=0, name="entity", is_entity=True))
        if wants.sensitive:
            for number, column in enumerate(self.roles.sensitive, start=1):
                coded = code(column, f"s{number}")
                hierarchy = hierarchies.get(column)
                protected_keys.append(
                    ProtectedKey(
                        kind=number,
                        name=f"s{number}",
                        is_entity=False,
                        is_ordered=coded.kind == "ordered" and hierarchy is None,
                        dictionary=coded.table,
                        type_name=coded.type_name,
                        hierarchy=hierarchy,
                    )
                )
        if wants.target and self.roles.target:
            target = code(self.roles.target, "target")
        return extra, protected_keys, target


def encode(
    engine: Engine,
    source: Source,
    roles: Roles,
    wants: EncodeOptions,
    params: Mapping[str, object],
    progress: Callable[[str, float], None] = lambda _stage, _share: None,
) -> EncodedTable:
    """Encode a source: make its dictionaries, rows and cells."""
    encoder = Encoder(engine, source, roles)
    attributes: list[EncodedColumn] = []
    for position, attribute in enumerate(roles.quasi):
        # Reading the columns takes about half of the time.
        progress("encode", position / len(roles.quasi) / 2)
        attributes.append(encoder.dictionaries.make(attribute.name, position, "code", attribute))
    progress("encode", 0.5)
    return encoder.rows(attributes, wants, params)


def check_kept_every_row(encoded: EncodedTable, n_rows: int) -> None:
    """Raise if the source returned other rows on its second reading."""
    if encoded.n_rows != n_rows:
        raise EngineError(
            f"the source had {n_rows:,} rows at first and {encoded.n_rows:,} rows on the second "
            "reading. Run again when nothing writes to it."
        )
