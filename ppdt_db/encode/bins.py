"""Cut numbers and dates into bins, learnt from the rows of a run, and show rows by their bins.

source ──▶ ppdt_bin_value_<i> ──(MDL, equal counts, edges)──▶ cuts ──▶ ends ──▶ ppdt_binned
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from math import ceil, floor

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.policy.bins import Bins
from ppdt_db.policy.roles import Attribute
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import DATES, Family, family_of
from ppdt_db.sqltext.quoting import Sql, ident

MOST_BINS = 10_000
# The types in which values are compared with the ends of bins.
HELD: Mapping[Family, str] = {
    "integer": "HUGEINT", "float": "DOUBLE", "timestamp": "TIMESTAMP",
}  # fmt: skip
OPEN: Mapping[Family, tuple[str, str]] = {
    "date": ("-infinity", "infinity"),
    "timestamp": ("-infinity", "infinity"),
    "timestamptz": ("-infinity", "infinity"),
    "time": ("00:00:00", "24:00:00"),
}
SPECIAL = ("nan", "-inf", "inf", "-infinity", "infinity")


@dataclass(frozen=True, kw_only=True)
class ColumnBins:
    """The bins of one column: the lower ends of all but the lowest, and the end before each."""

    name: str
    type_name: str
    lows: Sequence[str]
    highs: Sequence[str]

    @property
    def words(self) -> list[str]:
        """The words of the bins, which are closed ranges; the outermost have an open end."""
        least, most = OPEN.get(family_of(self.type_name) or "float", ("-inf", "inf"))
        ends = zip([least, *self.lows], [*self.highs, most], strict=True)
        return [f"[{low}, {high}]" for low, high in ends]

    @property
    def held_type(self) -> Sql:
        """The type in which values are compared with the ends."""
        return Sql(HELD.get(family_of(self.type_name) or "float", self.type_name))


def learn_bins(
    engine: Engine,
    source: Source,
    attributes: Sequence[Attribute],
    *,
    k: int,
    target: str | None = None,
    entity: str | None = None,
) -> list[ColumnBins]:
    """Learn the bins of attributes from the rows of a source: each holds k rows, or k entities."""
    coded = [_coded(source, a.name, place) for place, a in enumerate(attributes)]
    names = {
        "source": source.relation,
        "entity": _coded(source, entity, 0) if entity is not None else None,
    }
    for one in coded:
        engine.make(
            "encode/bins/bin_value",
            names={**names, "attribute": one},
            to=f"ppdt_bin_value_{one.position}",
        )
    by_class = [c for c, a in zip(coded, attributes, strict=True) if a.rule.rule == "mdl"]
    at_codes = _mdl_cuts(engine, source, by_class, target, k) if by_class else {}
    found: list[ColumnBins] = []
    for one, attribute in zip(coded, attributes, strict=True):
        rule = attribute.rule
        if rule.rule == "mdl":
            lows = _lows(engine, one, at_codes.get(one.position, []))
        elif rule.rule == "quantiles":
            lows = _lows(engine, one, _equal_counts(engine, one, rule.count, k))
        else:
            lows = _at_edges(engine, one, edges_of(engine, one, rule), k)
        bins = ColumnBins(name=one.name, type_name=one.type_name, lows=lows, highs=[])
        found.append(replace(bins, highs=_highs(engine, one, bins)))
    engine.drop(*(f"ppdt_bin_value_{one.position}" for one in coded))
    return found


def binned_source(
    engine: Engine, source: Source, bins: Sequence[ColumnBins], *, by_number: bool = False
) -> Source:
    """Return a source whose binned columns hold the words of their bins, or `part 1`, `part 2`."""
    relation = _in_bins(engine, source, bins, "encode/bins/binned", by_number=by_number)
    types = {**source.columns, **{one.name: "VARCHAR" for one in bins}}
    return replace(source, relation=relation, columns=types)


def highest_source(engine: Engine, source: Source, bins: Sequence[ColumnBins]) -> Source:
    """Return a source whose binned columns hold the highest value of their bin."""
    return replace(source, relation=_in_bins(engine, source, bins, "encode/bins/highest"))


def _in_bins(
    engine: Engine,
    source: Source,
    bins: Sequence[ColumnBins],
    step: str,
    *,
    by_number: bool = False,
) -> Sql:
    """Create a source's rows with bins in place of numbers and dates."""
    rows = [
        (place, low, words)
        for place, one in enumerate(bins)
        for low, words in zip([None, *one.lows], _names(one, by_number=by_number), strict=True)
    ]
    columns = {"attribute_id": "INTEGER", "low": "VARCHAR", "words": "VARCHAR"}
    engine.load("ppdt_bin", columns, rows)
    names = {
        "source": source.relation,
        "columns": list(source.columns),
        "binned": {
            one.name: replace(_coded(source, one.name, place), type_name=str(one.held_type))
            for place, one in enumerate(bins)
        },
    }
    relation = engine.make(step, names=names)
    engine.drop("ppdt_bin")
    return ident(relation)


def _names(bins: ColumnBins, *, by_number: bool) -> list[str]:
    if not by_number:
        return bins.words
    return [f"part {number}" for number, _ in enumerate(bins.words, start=1)]


def in_order(attribute: Attribute, bins: Sequence[ColumnBins]) -> Attribute:
    """Return an attribute with the order of its bins, if it has any."""
    own = next((one for one in bins if one.name == attribute.name), None)
    return attribute if own is None else replace(attribute, order=(*SPECIAL, *own.words))


# -- cuts ----------------------------------------------------------------------------------------


def _mdl_cuts(
    engine: Engine, source: Source, coded: Sequence[EncodedColumn], target: str | None, k: int
) -> dict[int, list[int]]:
    """Return the cuts by the target, level by level: all columns and open parts at a time."""
    assert target is not None
    names = {"source": source.relation, "attributes": coded, "goal": _coded(source, target, 0)}
    engine.make("encode/bins/mdl_count", names=names)
    cuts: dict[int, list[int]] = {}
    while True:
        engine.make("encode/bins/mdl_side")
        engine.make("encode/bins/mdl_cut", {"k": k})
        found = engine.rows("encode/bins/mdl_found")
        for attribute_id, at_code in found:
            cuts.setdefault(int(str(attribute_id)), []).append(int(str(at_code)))
        if not found:
            break
        engine.make("encode/bins/mdl_split")
        engine.rename("ppdt_mdl_split", "ppdt_mdl_count")
    engine.drop("ppdt_mdl_count", "ppdt_mdl_side", "ppdt_mdl_cut")
    return {attribute_id: sorted(own) for attribute_id, own in cuts.items()}


def _equal_counts(engine: Engine, coded: EncodedColumn, n_parts: int, k: int) -> list[int]:
    """Return the cuts into parts of about equally many rows."""
    rows = engine.rows("encode/bins/quantile_cut", {"n_parts": n_parts}, {"attribute": coded})
    cuts = sorted(tuple(int(str(n)) for n in row) for row in rows)
    return [cuts[place][0] for place in _large_enough([cut[1:] for cut in cuts], k)]


def _at_edges(engine: Engine, coded: EncodedColumn, edges: Sequence[str], k: int) -> list[str]:
    """Return the given edges that leave k rows between any two of them, and outside."""
    names = {"attribute": coded, "type_name": held_type(coded)}
    rows = engine.rows("encode/bins/edge_cut", {"lows": list(edges)}, names)
    cuts = [(int(str(left)), int(str(whole))) for _, left, whole in rows]
    return [str(rows[place][0]) for place in _large_enough(cuts, k)]


def _large_enough(cuts: Sequence[Sequence[int]], k: int) -> Iterator[int]:
    """Yield the places of the cuts to keep, upwards: each bin with k rows is closed.

    A cut is the count up to it and the count of all. What is left above joins the last bin.
    """
    before = 0
    for place, (left, whole) in enumerate(cuts):
        if left - before >= k and whole - left >= k:
            before = left
            yield place


# -- ends ----------------------------------------------------------------------------------------


def _lows(engine: Engine, coded: EncodedColumn, at_codes: Sequence[int]) -> list[str]:
    rows = engine.rows("encode/bins/low", {"at_codes": list(at_codes)}, {"attribute": coded})
    return [str(low) for _, low in sorted(rows, key=lambda row: int(str(row[0])))]


def _highs(engine: Engine, coded: EncodedColumn, bins: ColumnBins) -> list[str]:
    names = {"attribute": coded, "type_name": bins.held_type}
    rows = engine.rows("encode/bins/high", {"lows": list(bins.lows)}, names)
    before = {str(low): str(high) for low, high in rows}
    return [before[low] for low in bins.lows]


def held_type(coded: EncodedColumn) -> Sql:
    """Return the type in which the values of a column are compared with the ends of bins."""
    return ColumnBins(name="", type_name=coded.type_name, lows=(), highs=()).held_type


def edges_of(engine: Engine, coded: EncodedColumn, rule: Bins) -> list[str]:
    """Return the edges of a rule for a column as text of its type: numbers are rounded up."""
    if rule.rule == "edges":
        given = list(rule.edges_of(coded.name) or ())
        return [_up(edge, coded) for edge in given] if coded.family not in _BY_TEXT else given
    least, most = engine.row("encode/bins/bin_reach", names={"attribute": coded})
    if least is None:
        return []
    width = rule.width
    first = ceil(Decimal(str(least)) / width)
    last = floor(Decimal(str(most)) / width)
    if last - first >= MOST_BINS:
        raise RequestError(
            f'bins "{coded.name}": widths make more than {MOST_BINS:,} bins. Give a larger width.'
        )
    edges = [width * number for number in range(first, last + 1)]
    if coded.family in DATES:
        days = [int(edge.to_integral_value(ROUND_CEILING)) for edge in edges]
        return [str(day) for (day,) in engine.rows("encode/bins/day", {"days": days})]
    return [_up(str(edge), coded) for edge in edges]


_BY_TEXT = (*DATES, "time")


def _up(edge: str, coded: EncodedColumn) -> str:
    """Return a number as text, rounded up to the digits of an exact column."""
    if coded.family == "float":
        return str(float(edge))
    step = Decimal(1).scaleb(-coded.decimals)
    return format(Decimal(edge).quantize(step, ROUND_CEILING), "f")


def _coded(source: Source, column: str, position: int) -> EncodedColumn:
    """Return a column of a source as the steps of bins name it."""
    type_name = source.columns[column]
    return EncodedColumn(
        position=position, name=column, type_name=type_name,
        family=family_of(type_name) or "uuid", dictionary="", dictionary_alias="",
    )  # fmt: skip
