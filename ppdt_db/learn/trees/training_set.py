"""The training set of a tree: the encoded columns of a source, and the units to learn from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppdt_db.encode.columns import CarriedColumn, EncodedColumn, packed
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.features import bounds_of, find_features
from ppdt_db.learn.trees.generalized import code_feature, on_axis, with_ranges
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import NUMBERS, display_type, element_type, family_of
from ppdt_db.sqltext.quoting import by_normal_name, is_reserved, normalize_name, unknown_column

MAX_CLASSES = 1000
NOTHING_TO_PREDICT = "so there is nothing to predict. Choose another target."
NO_CLASS = f"no value, {NOTHING_TO_PREDICT}"
ONE_CLASS = f"only one value, {NOTHING_TO_PREDICT}"
MAX_FEATURES = 1000


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a training set as the source spells them."""

    target: str
    features: Sequence[str]
    weight: str | None = None


@dataclass(frozen=True, kw_only=True)
class TrainingSet:
    """Units in `ppdt_unit`, with the description of their columns."""

    attributes: Sequence[EncodedColumn]
    target: EncodedColumn
    classes: tuple[str, ...]
    n_rows: int

    @property
    def is_spread(self) -> bool:
        """Return whether a column holds ranges or sets."""
        return any(attribute.spread for attribute in self.attributes)

    @property
    def has_missing(self) -> bool:
        """Return whether a value is missing anywhere; NaN and the infinities count as missing."""
        return any(attribute.n_special for attribute in self.attributes)


def growth_faults(min_rows: int | None, confidence: float = 0.25, *, least: int = 1) -> list[str]:
    """Return the faults of the parameters that learners of trees and of rules share."""
    faults = []
    if min_rows is not None and min_rows < least:
        faults.append(f"min_rows={min_rows}: must be at least {least}.")
    if not 0 < confidence <= 0.5:
        faults.append(f"confidence={confidence}: must be above 0 and at most 0.5.")
    return faults


def find_columns(
    source: Source,
    target: str,
    features: Sequence[str] | None,
    weight: str | None,
) -> Columns:
    """Match the names of a request with the source's columns; raise one error with every fault.

    A feature may exist as its bounds only: `x_lo` and `x_hi` for `x`.
    """
    types = {column: element_type(held) for column, held in source.columns.items()}
    by_fold = by_normal_name(source.columns)
    faults: list[str] = []

    def find(name: str, role: str) -> str | None:
        column = by_fold.get(normalize_name(name))
        if column is None:
            faults.append(unknown_column(role, name, source.columns))
        return column

    target_column = find(target, "target")
    weight_column = find(weight, "weight") if weight is not None else None
    apart = {target_column, weight_column}
    if features is None:
        found = [
            column
            for column, type_name in types.items()
            if column not in apart and family_of(type_name) is not None
        ]
    else:
        matched = [
            name
            if normalize_name(name) not in by_fold and bounds_of(source, name)
            else find(name, "feature")
            for name in features
        ]
        found = [column for column in matched if column is not None]
        faults += [
            f'feature "{column}": named twice, or also the target or the weight. Name it once.'
            for column in dict.fromkeys(found)
            if found.count(column) > 1 or column in apart
        ]
    faults += [
        (
            f'"{column}": columns of type {display_type(source.columns[column])} are not supported '
            "as features. Remove the feature, or cast it in a view."
        )
        for column in [*found, *(c for c in apart if c is not None)]
        if column in types
        and family_of(source.columns[column] if column in apart else types[column]) is None
    ]
    faults += [
        f'"{column}": names that start with ppdt_ are reserved. Rename it in a view.'
        for column in source.columns
        if is_reserved(column)
    ]
    if weight_column is not None and family_of(source.columns[weight_column]) not in NUMBERS:
        faults.append(f'weight "{weight_column}": the column must hold numbers.')
    if target_column is not None and not found and not faults:
        faults.append("no features: the source has no other column of a supported type.")
    if len(found) > MAX_FEATURES:
        faults.append(
            f"{len(found):,} features are too many (at most {MAX_FEATURES:,}). Name fewer."
        )
    if faults:
        raise RequestError(*faults)
    assert target_column is not None
    return Columns(target=target_column, features=found, weight=weight_column)


def prepare(engine: Engine, source: Source, columns: Columns) -> TrainingSet:
    """Encode every value, and count the distinct combinations."""
    features = find_features(engine, source, columns.features)
    source, features = with_ranges(engine, source, features)
    dictionaries = Dictionaries(engine, source)
    target = dictionaries.make(columns.target, 0, "extra")
    check_classes(target, target.n_codes - target.has_null)
    attributes = [
        dictionaries.make(feature.column, feature.position, "code")
        if feature.form == "value"
        else code_feature(engine, source, feature)
        for feature in features
    ]
    lesson = count_units(engine, source, columns, attributes, target)
    return replace(
        lesson,
        attributes=[
            on_axis(attribute, feature) if attribute.spread else attribute
            for attribute, feature in zip(lesson.attributes, features, strict=True)
        ],
    )


def count_units(
    engine: Engine,
    source: Source,
    columns: Columns,
    attributes: Sequence[EncodedColumn],
    target: EncodedColumn,
) -> TrainingSet:
    """Count the distinct combinations of encoded columns and classes."""
    if columns.weight is not None:
        _check_weight(engine, source, columns.weight)
    words = packed(attributes)
    attributes = sorted((a for word in words for a in word.attributes), key=lambda a: a.position)
    names = _row_names(source, attributes, words, target, columns.weight)
    params: Mapping[str, object] = {"first_class": int(target.has_null)}
    engine.make("encode/row", names=names, to="ppdt_coded")
    engine.make("learn/trees/unit", params, names)
    engine.drop("ppdt_coded")
    rows = engine.rows("learn/trees/class", params, {"target": target})
    n_rows = engine.count("encode/size", names={"source": source.relation})
    return TrainingSet(
        attributes=attributes,
        target=target,
        classes=tuple(str(value) for _, value in rows),
        n_rows=n_rows,
    )


def _row_names(
    source: Source,
    attributes: Sequence[EncodedColumn],
    words: object,
    target: EncodedColumn,
    weight: str | None,
) -> dict[str, object]:
    others = [
        CarriedColumn(name="target", form="code", column=target.name, alias=target.dictionary_alias)
    ]
    if weight is not None:
        others.append(CarriedColumn(name="weight", form="column", column=weight))
    return {
        "source": source.relation,
        "attributes": attributes,
        "words": words,
        "others": others,
        "dictionaries": [*attributes, target],
        "has_weight": weight is not None,
        "is_live": False,
    }


def check_classes(target: EncodedColumn, n_classes: int, one_class: str = ONE_CLASS) -> None:
    """Raise if the target has fewer than two classes, or too many."""
    if n_classes < 2:
        found = one_class if n_classes else NO_CLASS
        raise RequestError(f'target "{target.name}": it has {found}')
    if n_classes > MAX_CLASSES:
        raise RequestError(
            f'target "{target.name}": {n_classes:,} distinct values are too many classes (at '
            f"most {MAX_CLASSES:,}). Group them first."
        )


def _check_weight(engine: Engine, source: Source, weight: str) -> None:
    names = {"source": source.relation, "weight": weight}
    n_wrong = engine.count("learn/trees/weight", names=names)
    if n_wrong:
        raise RequestError(
            f'weight "{weight}": {n_wrong:,} rows have no weight, or one that is not above 0 and '
            "below 10^12. Leave those rows out."
        )
