"""What is to be learnt: the columns of a source, coded, and the units that teach a tree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdt_db.coded import Coded, Other, packed
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.families import NUMBERS, family_of, told
from ppdt_db.learn.features import bounds_of, find_features
from ppdt_db.learn.reading import element_type
from ppdt_db.learn.spread import code_feature, on_axis, with_ranges
from ppdt_db.names import fold, is_reserved, nearest
from ppdt_db.source import Source

MAX_CLASSES = 1000
MAX_FEATURES = 1000


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a lesson as the source spells them."""

    target: str
    features: Sequence[str]
    weight: str | None = None


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """Units in `ppdt_unit`, and what the steps must know of their columns."""

    attributes: Sequence[Coded]
    target: Coded
    classes: tuple[str, ...]
    n_rows: int

    @property
    def is_spread(self) -> bool:
        """Whether a column holds ranges or sets."""
        return any(attribute.spread for attribute in self.attributes)

    @property
    def has_missing(self) -> bool:
        """Whether a value is missing anywhere; NaN and the infinities count as missing."""
        return any(attribute.n_special for attribute in self.attributes)


def find_columns(
    source: Source,
    target: str,
    features: Sequence[str] | None,
    weight: str | None,
) -> Columns:
    """Meet the names of a request with the source's columns; lists every fault at once.

    A feature may be there as its bounds only: `x_lo` and `x_hi` where `x` is asked for.
    """
    types = {column: element_type(held) for column, held in source.columns.items()}
    by_fold = {fold(column): column for column in source.columns}
    faults: list[str] = []

    def find(name: str, role: str) -> str | None:
        column = by_fold.get(fold(name))
        if column is None:
            near = nearest(name, source.columns)
            faults.append(f'{role} "{name}": the source has no such column.{near}')
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
        given = [
            name if fold(name) not in by_fold and bounds_of(source, name) else find(name, "feature")
            for name in features
        ]
        found = [column for column in given if column is not None]
        faults += [
            f'feature "{column}": named twice, or as target or weight too. Name it once.'
            for column in dict.fromkeys(found)
            if found.count(column) > 1 or column in apart
        ]
    faults += [
        f'"{column}": columns of type {told(source.columns[column])} cannot be learnt from.'
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
        faults.append("no feature: the source has no other column that can be learnt from.")
    if len(found) > MAX_FEATURES:
        faults.append(f"{len(found):,} features are too many (at most {MAX_FEATURES:,}).")
    if faults:
        raise RequestError(*faults)
    assert target_column is not None
    return Columns(target=target_column, features=found, weight=weight_column)


def prepare(engine: Engine, source: Source, columns: Columns) -> Lesson:
    """Give every value a code, and count the distinct combinations."""
    features = find_features(engine, source, columns.features)
    source, features = with_ranges(engine, source, features)
    dictionaries = Dictionaries(engine, source)
    target = dictionaries.make(columns.target, 0, "extra")
    first_class = int(target.has_null)
    check_classes(target, target.n_codes - first_class)
    attributes = [
        dictionaries.make(feature.column, feature.position, "code")
        if feature.form == "value"
        else code_feature(engine, source, feature)
        for feature in features
    ]
    if columns.weight is not None:
        _check_weight(engine, source, columns.weight)
    words = packed(attributes)
    attributes = sorted((a for word in words for a in word.attributes), key=lambda a: a.position)
    names = _row_names(source, attributes, words, target, columns.weight)
    params: Mapping[str, object] = {"first_class": first_class}
    engine.make("encode/row", names=names, to="ppdt_coded")
    engine.make("tree/unit", params, names)
    engine.drop("ppdt_coded")
    rows = engine.rows("tree/class", params, {"target": target})
    n_rows = engine.count("encode/size", names={"source": source.relation})
    return Lesson(
        attributes=[
            on_axis(attribute, feature) if attribute.spread else attribute
            for attribute, feature in zip(attributes, features, strict=True)
        ],
        target=target,
        classes=tuple(str(value) for _, value in rows),
        n_rows=n_rows,
    )


def _row_names(
    source: Source,
    attributes: Sequence[Coded],
    words: object,
    target: Coded,
    weight: str | None,
) -> dict[str, object]:
    others = [Other(name="target", form="code", column=target.name, alias=target.dictionary_alias)]
    if weight is not None:
        others.append(Other(name="weight", form="column", column=weight))
    return {
        "source": source.relation,
        "attributes": attributes,
        "words": words,
        "others": others,
        "dictionaries": [*attributes, target],
        "has_weight": weight is not None,
        "is_live": False,
    }


def check_classes(target: Coded, n_classes: int) -> None:
    """Raise where there is nothing to tell apart, or too much."""
    if n_classes < 2:
        what = "one value only" if n_classes else "no value at all"
        raise RequestError(
            f'target "{target.name}": it has {what}, so there is nothing to tell apart. '
            "Choose another target."
        )
    if n_classes > MAX_CLASSES:
        raise RequestError(
            f'target "{target.name}": {n_classes:,} different values are too many classes '
            f"(at most {MAX_CLASSES:,}). Group them first."
        )


def _check_weight(engine: Engine, source: Source, weight: str) -> None:
    names = {"source": source.relation, "weight": weight}
    n_wrong = engine.count("tree/weight", names=names)
    if n_wrong:
        raise RequestError(
            f'weight "{weight}": {n_wrong:,} rows have no weight, or one that is not above 0 and '
            "below a million million. Leave those rows out."
        )
