"""Utility of a release against its original: entropy, squared errors, distributions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import AuditedRelation, Shape
from ppdt_db.engine import Engine
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import Sql, by_normal_name, ident, normalize_name

MEASURES = ("non_uniform_entropy", "sse", "il", "total_variation", "wasserstein")
INSIDE = (
    "ppdt_label_part", "ppdt_label_piece", "ppdt_axis_value", "ppdt_cumulative",
    "ppdt_covered", "ppdt_behind", "ppdt_spread",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A column of the release, and its column in the original."""

    name: str
    before: str
    shape: Shape
    is_ordered: bool
    type_name: str
    """The type that is shown: of one member, if it is a set."""
    before_type: str
    is_list: bool
    high: str = ""
    has_null: str = ""
    has_special: str = ""

    @property
    def is_centre(self) -> bool:
        """Return whether numbers are shown one by one, as means are."""
        return self.shape == "value" and self.is_ordered


def utilities(engine: Engine, released: AuditedRelation) -> dict[str, object]:
    """Return the utility of every column in release and original, and the dropped rows."""
    by_measure: dict[str, dict[str, object]] = {measure: {} for measure in MEASURES}
    for name, pair in find_pairs(released):
        measured = _measured(engine, released, pair) if pair else dict.fromkeys(MEASURES)
        for measure in MEASURES:
            by_measure[measure][name] = measured[measure]
    before, after = (
        engine.count("encode/size", names={"source": relation})
        for relation in (released.original, released.relation)
    )
    return {**by_measure, "rows_dropped": before - after}


def find_pairs(released: AuditedRelation) -> Iterator[tuple[str, Pair | None]]:
    """Yield every column of the release with its pair; None if the original lacks it."""
    by_name = by_normal_name(released.original_columns)
    taken: set[str] = set()
    for shown in released.shown:
        taken |= set(shown.columns)
        before = by_name.get(normalize_name(shown.original or shown.name))
        yield shown.name, _pair(released, shown.columns, shown.shape, before)
    for column in released.columns:
        if column not in taken:
            yield column, _pair(released, [column], "value", by_name.get(normalize_name(column)))


def _pair(
    released: AuditedRelation, columns: object, shape: Shape, before: str | None
) -> Pair | None:
    assert isinstance(columns, list | tuple)
    if before is None or shape == "node":
        return None
    is_ordered = family_of(released.original_columns[before]) in ORDERED
    if shape == "range" and not is_ordered:
        shape = "value"
    if shape == "set" and released.original_columns[before].endswith("[]"):
        shape = "value"
    by_end = {end: name for name in columns for end in ("_has_null", "_has_nonfinite")
              if name.endswith(end)}  # fmt: skip
    return Pair(
        name=columns[0],
        before=before,
        shape=shape,
        is_ordered=is_ordered,
        type_name=released.columns[columns[0]].removesuffix("[]" if shape == "set" else ""),
        before_type=released.original_columns[before],
        is_list=released.columns[columns[0]].endswith("[]"),
        high=columns[1] if shape == "bounds" else "",
        has_null=by_end.get("_has_null", ""),
        has_special=by_end.get("_has_nonfinite", ""),
    )


def _measured(engine: Engine, released: AuditedRelation, pair: Pair) -> Mapping[str, object]:
    names: dict[str, object] = {
        "release": released.relation, "original": released.original, "column": pair.name,
        "before": pair.before, "is_ordered": pair.is_ordered, "high": pair.high,
        "has_null": pair.has_null, "has_special": pair.has_special, "is_list": pair.is_list,
        "type_name": pair.type_name, "before_type": pair.before_type,
    }  # fmt: skip
    part = engine.make(f"utility/part_{pair.shape}", names=names, to="ppdt_label_part")
    axis = None
    if pair.is_ordered:
        axis = axis_of(engine, ident(part), ("lo_text", "hi_text"), [pair.before_type])
        if axis is None:
            engine.drop(*INSIDE)
            return dict.fromkeys(MEASURES)
    names |= {
        "axis": axis,
        "number_type": axis.type_name if axis else Sql("DOUBLE"),
        "has_infinite": axis is not None and axis.is_float,
    }
    for step in ("label_piece", "axis_value", "cumulative", "covered", "behind", "spread"):
        engine.make(f"utility/{step}", names=names)
    entropy, sse, il = engine.row("utility/blur")
    if pair.is_centre:
        sse, il = engine.row("utility/centre")
    distance = engine.row("utility/distance")
    engine.drop(*INSIDE)
    return dict(zip(MEASURES, (entropy, sse, il, *distance), strict=True))
