"""Codes of generalized values: a range by its lowest code and width, a set by its number.

A unit keeps the part of a generalized value that the branches it took have left.
"""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.learn.feature_types import Feature, make_forms
from ppdt_db.learn.trees.node import as_int
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import ORDERED
from ppdt_db.sqltext.quoting import Sql, ident


def with_ranges(
    engine: Engine, source: Source, features: Sequence[Feature]
) -> tuple[Source, list[Feature]]:
    """Return a source with bounds replaced by the ranges that they stand for."""
    bounds = [feature for feature in features if feature.form == "bounds"]
    if not bounds:
        return source, list(features)
    names = {"source": source.relation, "features": bounds, "columns": list(source.columns)}
    engine.make("learn/features/as_ranges", names=names)
    columns = {**source.columns, **{feature.column: "VARCHAR" for feature in bounds}}
    written = [
        replace(feature, form="range", type_name="VARCHAR", written_type=feature.type_name)
        if feature in bounds
        else feature
        for feature in features
    ]
    return replace(source, relation=ident("ppdt_as_ranges"), columns=columns), written


def code_feature(
    engine: Engine, source: Source, feature: Feature, tested: Sequence[str | None] | None = None
) -> EncodedColumn:
    """Encode the distinct forms of a feature, on its own axis or on that of a tree's tests."""
    place = feature.position
    names: dict[str, object] = {
        "feature": feature,
        "type_name": Sql(feature.trait.type_name),
    }
    make_forms(engine, source, [feature])
    own, of_input = ("axis", "threshold") if feature.kind == "ordered" else ("name", "tested")
    params = {"values": list(tested or ())}
    step = own if tested is None else of_input
    engine.make(f"learn/generalized/{step}", params, names, to=f"ppdt_axis_{place}")
    n_codes = 1 + engine.count("learn/generalized/size", names=names)
    # In the input of a tree, values may be above its last threshold, or unknown to it.
    value_bits = max(1, (n_codes + (tested is not None)).bit_length())
    coded = EncodedColumn(
        position=place,
        name=feature.column,
        type_name=feature.type_name,
        family="text" if feature.family == "text" and feature.form != "set" else "enum",
        dictionary=f"ppdt_code_{place}",
        dictionary_alias=f"code_{place}",
        n_codes=n_codes,
        n_special=1,
        has_null=True,
        spread="span" if feature.kind == "ordered" else "set",
        value_bits=value_bits,
    )
    names["attribute"] = coded
    if feature.kind == "ordered":
        engine.make("learn/generalized/span", names=names, to=f"ppdt_code_{place}")
    else:
        engine.make("learn/generalized/held", names=names, to="ppdt_held")
        engine.make("learn/generalized/code", names=names, to=f"ppdt_code_{place}")
        engine.make("learn/generalized/form_member", names=names, to=f"ppdt_form_member_{place}")
        engine.drop("ppdt_held")
    engine.drop(feature.table)
    most = as_int(engine.row("learn/generalized/most", names=names)[0])
    return replace(coded, bits=max(1, most.bit_length()))


def on_axis(attribute: EncodedColumn, feature: Feature) -> EncodedColumn:
    """Return an attribute in the values of its axis instead of the forms of its column."""
    family = feature.trait.family
    if feature.kind == "nominal" and family in ORDERED:
        family = "enum"
    return replace(
        attribute,
        name=feature.trait.name,
        type_name=feature.trait.type_name,
        family=family,
        dictionary=f"ppdt_axis_{attribute.position}",
    )


def spread_names(attributes: Sequence[EncodedColumn], *, is_walk: bool) -> dict[str, object]:
    """Return the names that templates use for attributes with generalized values."""
    return {
        "spans": [attribute for attribute in attributes if attribute.spread == "span"],
        "sets": [attribute for attribute in attributes if attribute.spread == "set"],
        "form_type": Sql("BIGINT" if any(a.spread for a in attributes) else "INTEGER"),
        "is_walk": is_walk,
    }
