"""Codes for generalized values: a range by its lowest code and its width, a set by its number.

A unit keeps of a generalized value what the branches that it took have left of it.
"""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.coded import Coded
from ppdt_db.engine import Engine
from ppdt_db.families import ORDERED
from ppdt_db.learn.grown import whole
from ppdt_db.learn.reading import Feature, make_forms
from ppdt_db.names import Sql, ident
from ppdt_db.source import Source


def with_ranges(
    engine: Engine, source: Source, features: Sequence[Feature]
) -> tuple[Source, list[Feature]]:
    """A source whose bounds are written as the ranges that they stand for."""
    bounds = [feature for feature in features if feature.form == "bounds"]
    if not bounds:
        return source, list(features)
    names = {"source": source.relation, "features": bounds, "columns": list(source.columns)}
    engine.make("reading/shown", names=names)
    columns = {**source.columns, **{feature.column: "VARCHAR" for feature in bounds}}
    written = [
        replace(feature, form="range", type_name="VARCHAR", written_type=feature.type_name)
        if feature in bounds
        else feature
        for feature in features
    ]
    return replace(source, relation=ident("ppdt_shown"), columns=columns), written


def code_feature(
    engine: Engine, source: Source, feature: Feature, tested: Sequence[str | None] | None = None
) -> Coded:
    """Code the distinct forms of a feature, on an axis of its own or of what a tree tests."""
    place = feature.position
    names: dict[str, object] = {
        "feature": feature,
        "type_name": Sql(feature.trait.type_name),
    }
    make_forms(engine, source, [feature])
    own, asked = ("axis", "threshold") if feature.kind == "ordered" else ("name", "tested")
    params = {"values": list(tested or ())}
    step = own if tested is None else asked
    engine.make(f"spread/{step}", params, names, to=f"ppdt_axis_{place}")
    n_codes = 1 + engine.count("spread/size", names=names)
    # Asked of a tree, values may lie above its last threshold, or among those that it never saw.
    value_bits = max(1, (n_codes + (tested is not None)).bit_length())
    coded = Coded(
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
        engine.make("spread/span", names=names, to=f"ppdt_code_{place}")
    else:
        engine.make("spread/held", names=names, to="ppdt_held")
        engine.make("spread/code", names=names, to=f"ppdt_code_{place}")
        engine.make("spread/set", names=names, to=f"ppdt_set_{place}")
        engine.drop("ppdt_held")
    engine.drop(feature.table)
    most = whole(engine.row("spread/most", names=names)[0])
    return replace(coded, bits=max(1, most.bit_length()))


def on_axis(attribute: Coded, feature: Feature) -> Coded:
    """An attribute that speaks in the values of its axis instead of the forms of its column."""
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


def spread_names(attributes: Sequence[Coded], *, is_walk: bool) -> dict[str, object]:
    """What the templates ask of the attributes with generalized values."""
    return {
        "spans": [attribute for attribute in attributes if attribute.spread == "span"],
        "sets": [attribute for attribute in attributes if attribute.spread == "set"],
        "form_type": Sql("BIGINT" if any(a.spread for a in attributes) else "INTEGER"),
        "is_walk": is_walk,
    }
