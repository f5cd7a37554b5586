"""Sets as values of their own: a branch of a tree for every distinct set.

A single value is the set of one. A row whose exact set a tree has not counts in equal parts for the
tree's sets that contain it.
"""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.learn.feature_types import Feature, Trait, make_forms
from ppdt_db.learn.trees.node import FIRST_VALUE, as_int
from ppdt_db.learn.trees.training_set import (
    Columns,
    TrainingSet,
    check_classes,
    count_units,
)
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import ORDERED, element_type, is_list
from ppdt_db.tree.set_names import members_of


def prepare_set_values(engine: Engine, source: Source, columns: Columns) -> TrainingSet:
    """Encode every distinct set as one value, and count the distinct combinations."""
    dictionaries = Dictionaries(engine, source)
    target = dictionaries.make(columns.target, 0, "extra")
    check_classes(target, target.n_codes - target.has_null)
    attributes = [
        _named(engine, source, column, position)
        if is_list(source.columns[column])
        else dictionaries.make(column, position, "code")
        for position, column in enumerate(columns.features)
    ]
    lesson = count_units(engine, source, columns, attributes, target)
    return replace(lesson, attributes=[_by_name(attribute) for attribute in lesson.attributes])


def _named(engine: Engine, source: Source, column: str, position: int) -> EncodedColumn:
    """Give the sets of a column codes in the order of their names."""
    type_name = source.columns[column]
    trait = Trait(name=column, kind="nominal", type_name=type_name)
    feature = Feature(
        position=position, trait=trait, form="set", column=column, type_name=element_type(type_name)
    )
    make_forms(engine, source, [feature])
    named, values = f"ppdt_named_{position}", f"ppdt_value_name_{position}"
    engine.make("learn/set_id3/named", names={"feature": feature}, to=named)
    engine.drop(feature.table)
    coded = EncodedColumn(
        position=position,
        name=column,
        type_name=type_name,
        family="enum",
        dictionary=named,
        dictionary_alias=f"named_{position}",
        widest_word=engine.widest_word,
    )
    engine.make("learn/set_id3/value_name", names={"attribute": coded}, to=values)
    n_codes, n_nulls = map(as_int, engine.row("learn/set_id3/counted", names={"attribute": coded}))
    return replace(
        coded,
        n_codes=n_codes,
        n_special=n_nulls,
        has_null=n_nulls > 0,
        bits=max(1, (n_codes - 1).bit_length()),
    )


def _by_name(attribute: EncodedColumn) -> EncodedColumn:
    """Return an attribute as one of names: a set, or a single value of whatever type."""
    if is_list(attribute.type_name):
        return replace(attribute, dictionary=f"ppdt_value_name_{attribute.position}")
    if attribute.family not in ORDERED:
        return attribute
    return replace(attribute, family="enum", n_special=int(attribute.has_null))


def code_set_values(
    engine: Engine, source: Source, feature: Feature, tested: Sequence[str]
) -> EncodedColumn:
    """Encode the forms of a column in the sets that a tree tests, exactly or as parts of them."""
    place = feature.position
    make_forms(engine, source, [feature])
    known = [
        (code, member)
        for code, name in enumerate(tested, FIRST_VALUE)
        for member in members_of(name)
    ]
    params = {
        "codes": [code for code, _ in known],
        "members": [member for _, member in known],
    }
    names: dict[str, object] = {"feature": feature}
    engine.make("learn/set_id3/held", params, names, to="ppdt_held")
    coded = EncodedColumn(
        position=place,
        name=feature.column,
        type_name=feature.type_name,
        family="text" if feature.family == "text" and feature.form != "set" else "enum",
        dictionary=f"ppdt_code_{place}",
        dictionary_alias=f"code_{place}",
        n_special=1,
        spread="set",
        value_bits=(FIRST_VALUE + len(tested)).bit_length(),
    )
    names["attribute"] = coded
    engine.make("learn/generalized/code", names=names, to=f"ppdt_code_{place}")
    engine.make("learn/generalized/form_member", names=names, to=f"ppdt_form_member_{place}")
    engine.drop("ppdt_held", feature.table)
    most = as_int(engine.row("learn/generalized/most", names=names)[0])
    return replace(coded, bits=max(1, most.bit_length()))
