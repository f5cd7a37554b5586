"""What a release keeps of its original: entropy, squared errors, and how values are spread."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import Released, Shape
from ppdt_db.engine import Engine
from ppdt_db.families import ORDERED, family_of
from ppdt_db.names import Sql, fold, ident

MEASURES = ("non_uniform_entropy", "sse", "il", "total_variation", "wasserstein")
INSIDE = (
    "ppdt_part", "ppdt_piece", "ppdt_value", "ppdt_running", "ppdt_covered", "ppdt_behind",
    "ppdt_spread",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A column of the release beside its column of the original."""

    name: str
    before: str
    shape: Shape
    is_ordered: bool
    type_name: str
    """The type of what is shown: of one member, where it is a set."""
    before_type: str
    is_list: bool
    high: str = ""
    has_null: str = ""
    has_special: str = ""

    @property
    def is_centre(self) -> bool:
        """Whether numbers are shown one by one, as means are."""
        return self.shape == "value" and self.is_ordered


def utilities(engine: Engine, released: Released) -> dict[str, object]:
    """The utility of every column that release and original share, and the rows that are gone."""
    found: dict[str, dict[str, object]] = {measure: {} for measure in MEASURES}
    for name, pair in find_pairs(released):
        measured = _measured(engine, released, pair) if pair else dict.fromkeys(MEASURES)
        for measure in MEASURES:
            found[measure][name] = measured[measure]
    before, after = (
        engine.count("encode/size", names={"source": relation})
        for relation in (released.original, released.relation)
    )
    return {**found, "rows_dropped": before - after}


def find_pairs(released: Released) -> Iterator[tuple[str, Pair | None]]:
    """Every column of the release; None beside those that the original does not have."""
    spelled = {fold(column): column for column in released.original_columns}
    taken: set[str] = set()
    for shown in released.shown:
        taken |= set(shown.columns)
        before = spelled.get(fold(shown.original or shown.name))
        yield shown.name, _pair(released, shown.columns, shown.shape, before)
    for column in released.columns:
        if column not in taken:
            yield column, _pair(released, [column], "value", spelled.get(fold(column)))


def _pair(released: Released, columns: object, shape: Shape, before: str | None) -> Pair | None:
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


def _measured(engine: Engine, released: Released, pair: Pair) -> Mapping[str, object]:
    names: dict[str, object] = {
        "release": released.relation, "original": released.original, "column": pair.name,
        "before": pair.before, "is_ordered": pair.is_ordered, "high": pair.high,
        "has_null": pair.has_null, "has_special": pair.has_special, "is_list": pair.is_list,
        "type_name": pair.type_name, "before_type": pair.before_type,
    }  # fmt: skip
    part = engine.make(f"utility/part_{pair.shape}", names=names, to="ppdt_part")
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
    for step in ("piece", "value", "running", "covered", "behind", "spread"):
        engine.make(f"utility/{step}", names=names)
    entropy, sse, il = engine.row("utility/blur")
    if pair.is_centre:
        sse, il = engine.row("utility/centre")
    distance = engine.row("utility/distance")
    engine.drop(*INSIDE)
    return dict(zip(MEASURES, (entropy, sse, il, *distance), strict=True))
