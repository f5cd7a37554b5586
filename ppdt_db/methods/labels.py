"""Label: what each class shows, by the recoding that was chosen for each quasi-identifier.

ppdt_member ──▶ ppdt_part ──▶ ppdt_extent (tight boxes) ──▶ ppdt_label
"""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.coded import Coded, Encoded
from ppdt_db.engine import Engine
from ppdt_db.methods.contract import Grain, LabelColumn


def label_columns(attributes: Sequence[Coded]) -> list[LabelColumn]:
    """The columns in which classes show their attributes."""
    columns: list[LabelColumn] = []
    for attribute in attributes:
        endings = [""]
        if attribute.recode == "bounds":
            endings = ["_lo", "_hi", "_has_null"]
            if attribute.has_nonfinite:
                endings.append("_has_nonfinite")
        columns += [
            LabelColumn(
                name=attribute.code + ending,
                released=attribute.name + ending,
                attribute=attribute.name,
                shape=attribute.recode,
            )
            for ending in endings
        ]
    return columns


def make_extents(engine: Engine, encoded: Encoded, grain: Grain) -> dict[str, object]:
    """The tight box of every class, whatever method formed it."""
    names: dict[str, object] = {"attributes": encoded.attributes, "grain": grain}
    engine.make("label/part", names=names)
    engine.make("label/extent", names=names)
    return names


def make_centres(engine: Engine, attributes: Sequence[Coded]) -> list[str]:
    """The means and modes of every class, for the attributes that are shown so."""
    return [
        engine.make(
            f"label/{attribute.recode}",
            names={"attribute": attribute},
            to=f"ppdt_centre_{attribute.position}",
        )
        for attribute in attributes
        if attribute.recode in ("mean", "mode")
    ]


def make_labels(engine: Engine, encoded: Encoded, grain: Grain) -> list[LabelColumn]:
    """Describe every class from its members."""
    make_extents(engine, encoded, grain)
    describe_extents(engine, encoded, make_centres(engine, encoded.attributes))
    engine.drop("ppdt_part")
    return label_columns(encoded.attributes)


def describe_extents(engine: Engine, encoded: Encoded, helpers: Sequence[str] = ()) -> None:
    """Say in words what the boxes of the classes are; the helpers go with those made here."""
    helpers = list(helpers)
    for attribute in encoded.attributes:
        one = {"attribute": attribute}
        if attribute.recode == "set":
            helpers.append(engine.make("label/set", names=one, to=f"ppdt_set_{attribute.position}"))
        elif attribute.recode == "node":
            helpers.append(
                engine.make("label/node", names=one, to=f"ppdt_common_{attribute.position}")
            )
        elif attribute.recode == "range" and attribute.n_special:
            to = f"ppdt_special_{attribute.position}"
            helpers.append(engine.make("label/special", names=one, to=to))
    engine.make("label/label", names={"attributes": encoded.attributes})
    engine.drop(*helpers)


def label_centres(engine: Engine, encoded: Encoded, grain: Grain) -> list[LabelColumn]:
    """Show every attribute by single values: means of numbers, the most frequent of the others."""
    attributes = [
        replace(attribute, recode="mean" if attribute.kind == "ordered" else "mode")
        for attribute in encoded.attributes
    ]
    return make_labels(engine, replace(encoded, attributes=attributes), grain)
