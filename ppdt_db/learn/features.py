"""Find in what form a source holds features: values, sets, written ranges, or bounds."""

from collections.abc import Sequence

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.feature_types import AXES, Feature, FeatureForm, Trait
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import (
    DECIMAL_DIGITS,
    ORDERED,
    display_type,
    element_type,
    family_of,
    is_list,
)
from ppdt_db.sqltext.quoting import by_normal_name, did_you_mean, normalize_name

# The types of the ends of written ranges, strictest first; DECIMAL is tried as well.
INSTANT = "TIMESTAMP WITH TIME ZONE"
TEXTS_OF_BATCH = 50
WRITTEN = ("BIGINT", "HUGEINT", "UHUGEINT", "DOUBLE", "DATE", "TIMESTAMP", INSTANT, "TIME")


def find_features(
    engine: Engine, source: Source, names: Sequence[str], traits: Sequence[Trait] | None = None
) -> list[Feature]:
    """Return the features of a source in their form; `traits` prescribe a model's kinds.

    Raise one error that lists every fault.
    """
    faults: list[str] = []
    found: list[Feature] = []
    raws = [_find_feature(source, position, name) for position, name in enumerate(names)]
    written = [raw for raw in raws if isinstance(raw, Feature) and raw.is_written]
    types = _parsed_types(engine, source, written)
    for position, raw in enumerate(raws):
        if isinstance(raw, str):
            faults.append(raw)
            continue
        parsed = types.get(position)
        trait = _own_trait(raw, parsed) if traits is None else traits[position]
        if fault := _misfit(raw, parsed, trait):
            faults.append(fault)
            continue
        form = raw.form
        if form == "value" and trait.kind == "ordered" and raw.family == "text":
            form = "range"
        found.append(
            Feature(
                position=position, trait=trait, form=form, column=raw.column,
                type_name=raw.type_name, low=raw.low, high=raw.high, has_null=raw.has_null,
                written_type=(parsed[0] if parsed else None) or "",
            )
        )  # fmt: skip
    if faults:
        raise RequestError(*faults)
    return found


def bounds_of(source: Source, name: str) -> tuple[str, str, str] | None:
    """Return the columns of a feature's bounds and of its NULL flag, if any; else None."""
    by_fold = by_normal_name(source.columns)
    low, high = (by_fold.get(normalize_name(name + ending)) for ending in ("_lo", "_hi"))
    if low is None or high is None:
        return None
    types = {family_of(source.columns[column]) for column in (low, high)}
    if not types <= ORDERED or len({source.columns[low], source.columns[high]}) > 1:
        return None
    has_null = by_fold.get(normalize_name(name + "_has_null"), "")
    is_told = bool(has_null) and source.columns[has_null] == "BOOLEAN"
    return low, high, has_null if is_told else ""


def _find_feature(source: Source, position: int, name: str) -> Feature | str:
    """Return a feature by its columns, before any text is read, or a fault."""
    column = by_normal_name(source.columns).get(normalize_name(name))
    low = high = has_null = ""
    if column is not None:
        type_name = source.columns[column]
        form: FeatureForm = "set" if is_list(type_name) else "value"
    else:
        bounds = bounds_of(source, name)
        if bounds is None:
            near = did_you_mean(name, source.columns)
            return f'feature "{name}": the source has neither this column nor bounds of it.{near}'
        low, high, has_null = bounds
        column, form, type_name = name, "bounds", source.columns[low]
    element = element_type(type_name)
    if family_of(element) is None:
        return (
            f'"{column}": columns of type {display_type(type_name)} are not supported as '
            "features. Remove the feature, or cast it in a view."
        )
    trait = Trait(name=name, kind="ordered" if form == "bounds" else "nominal", type_name=element)
    return Feature(
        position=position, trait=trait, form=form, column=column, type_name=element,
        low=low, high=high, has_null=has_null,
    )  # fmt: skip


def _parsed_types(
    engine: Engine, source: Source, written: Sequence[Feature]
) -> dict[int, tuple[str | None, bool]]:
    """Return as which type each column of text can be read, by the position of its feature."""
    found: dict[int, tuple[str | None, bool]] = {}
    values = [raw for raw in written if raw.form == "value"]
    counted: dict[int, list[int]] = {}
    for first in range(0, len(values), TEXTS_OF_BATCH):
        names = {"source": source.relation, "features": values[first : first + TEXTS_OF_BATCH]}
        for row in engine.rows("learn/features/parsed", names=names):
            position, *counts = [n for n in row if isinstance(n, int)]
            counted[position] = counts
    for raw in written:
        if raw.form != "value":
            found[raw.position] = None, False
        elif raw.position in counted:
            found[raw.position] = _parsed_type(counted[raw.position])
        else:
            found[raw.position] = "", False
    return found


def _parsed_type(counted: Sequence[int]) -> tuple[str | None, bool]:
    """Return the ordered type as which a text column can be read, and whether it holds ranges.

    The type is None for other text, and "" if there are no ends to read, so that any type fits.
    """
    n_shown, n_ranges, n_plain, n_long, n_whole, n_point, n_nanoseconds, *counts = counted
    fits = [name for name, n in zip(WRITTEN, counts, strict=True) if n == n_shown]
    if not fits:
        return None, False
    found = INSTANT if INSTANT in fits else fits[0]
    if found == "DOUBLE" and n_long and n_plain == n_shown and n_whole + n_point <= DECIMAL_DIGITS:
        found = f"DECIMAL({DECIMAL_DIGITS},{n_point})"
    if found == "TIMESTAMP" and n_nanoseconds == n_shown:
        found = "TIMESTAMP_NS"
    return found, n_ranges > 0


def _own_trait(raw: Feature, parsed: tuple[str | None, bool] | None) -> Trait:
    """Return the trait of a feature in its source: written ranges have an order."""
    type_name, kind = raw.type_name, raw.trait.kind
    if parsed is not None and parsed[0] and parsed[1]:
        type_name, kind = parsed[0], "ordered"
    elif raw.form == "value" and raw.family in ORDERED:
        kind = "ordered"
    return Trait(name=raw.trait.name, kind=kind, type_name=type_name)


def _misfit(raw: Feature, parsed: tuple[str | None, bool] | None, trait: Trait) -> str | None:
    """Return why a source's feature cannot be read as the model's, or None."""
    wanted = display_type(trait.type_name)
    if trait.kind == "nominal":
        if raw.form == "bounds":
            return (
                f'"{raw.column}": the model uses it as names, but the source has bounds of it. '
                "Use a source with its values or sets."
            )
        return None
    if raw.form == "set":
        return (
            f'"{raw.column}": the model uses it as ordered {wanted}, but the source has sets of '
            "it. Use a source with its values or ranges."
        )
    type_name: str | None = raw.type_name
    if raw.form == "value" and raw.family == "text":
        type_name = parsed[0] if parsed else None
        if type_name == "":
            return None
    family = family_of(type_name) if type_name else None
    if family in AXES and AXES[family] == trait.axis:
        return None
    has = (
        f"of type {display_type(raw.type_name)}" if raw.family != "text" else "text of another form"
    )
    return (
        f'"{raw.column}": the model uses values of type {wanted}, but the column is {has}. '
        "Cast it in a view."
    )
