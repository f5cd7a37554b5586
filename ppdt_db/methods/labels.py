"""Label classes: what each class shows, by the recoding chosen for each quasi-identifier.

ppdt_member ──▶ ppdt_part ──▶ ppdt_extent (tight boxes) ──▶ ppdt_label
"""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.encode.columns import EncodedColumn, EncodedTable
from ppdt_db.engine import Engine
from ppdt_db.methods.base import Grain, LabelColumn


def label_columns(attributes: Sequence[EncodedColumn]) -> list[LabelColumn]:
    """Return the columns in which classes show their attributes."""
    columns: list[LabelColumn] = []
    for attribute in attributes:
        recoding = attribute.recoding
        endings = [*recoding.endings]
        if recoding.ending_of_nonfinite and attribute.has_nonfinite:
            endings.append(recoding.ending_of_nonfinite)
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


def make_extents(engine: Engine, encoded: EncodedTable, grain: Grain) -> dict[str, object]:
    """Compute the tight box of every class, whatever method formed it."""
    names: dict[str, object] = {"attributes": encoded.attributes, "grain": grain}
    engine.make("label/part", names=names)
    engine.make("label/extent", names=names)
    return names


def make_centres(engine: Engine, attributes: Sequence[EncodedColumn]) -> list[str]:
    """Compute the means and modes of every class, for the attributes shown so."""
    return [_helper(engine, a) for a in attributes if a.recoding.made_of == "rows"]


def make_labels(engine: Engine, encoded: EncodedTable, grain: Grain) -> list[LabelColumn]:
    """Label every class from its members."""
    make_extents(engine, encoded, grain)
    describe_extents(engine, encoded, make_centres(engine, encoded.attributes))
    engine.drop("ppdt_part")
    return label_columns(encoded.attributes)


def describe_extents(engine: Engine, encoded: EncodedTable, helpers: Sequence[str] = ()) -> None:
    """Label classes by their boxes; drop the helper relations made here."""
    helpers = list(helpers)
    for attribute in encoded.attributes:
        recoding = attribute.recoding
        is_needed = recoding.helper != "special" or attribute.n_special
        if recoding.made_of == "extent" and recoding.helper and is_needed:
            helpers.append(_helper(engine, attribute))
    engine.make("label/label", names={"attributes": encoded.attributes})
    engine.drop(*helpers)


def label_centres(engine: Engine, encoded: EncodedTable, grain: Grain) -> list[LabelColumn]:
    """Show every attribute by single values: means of numbers, modes of the others."""
    attributes = [
        replace(attribute, recode="mean" if attribute.kind == "ordered" else "mode")
        for attribute in encoded.attributes
    ]
    return make_labels(engine, replace(encoded, attributes=attributes), grain)


def _helper(engine: Engine, attribute: EncodedColumn) -> str:
    """Make the relation in which the labels of an attribute are looked up."""
    to = f"ppdt_{attribute.recoding.helper}_{attribute.position}"
    return engine.make(attribute.recoding.step, names={"attribute": attribute}, to=to)
