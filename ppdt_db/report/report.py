"""Make the report of a release: one page for the person responsible for it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, localcontext
from math import floor
from pathlib import Path

import duckdb

from ppdt_db.audit import axis_of
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.recodings import RECODINGS
from ppdt_db.report.charts import N_BINS, class_sizes, losses, part, risks
from ppdt_db.report.page import Bar, Chart, page
from ppdt_db.report.subject import Reported, reported
from ppdt_db.report.tree_diagram import DiagramNode, diagram_of
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened
from ppdt_db.sqltext.exact import Exact
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name

N_VALUES = 12


@dataclass(frozen=True, kw_only=True)
class _Release(Reported):
    """A release that can be read, and the original to compare it with."""

    original: Source | None

    @property
    def k(self) -> int:
        """The guaranteed k; bars of fewer rows of the original are not shown."""
        return int(str(part(self.entry.certificate, "parameters")["k"]))


def report(
    con: duckdb.DuckDBPyConnection,
    name: str | Path,
    *,
    original: SourceLike | None = None,
    certificate: str | Path | None = None,
    csv: CsvOptions = None,
) -> str:
    """Return an HTML page about a release: guarantees, measures, losses, the certificate.

    With a certificate, `name` is the file that was released with it; otherwise a recorded release.
    If the original is given, the page compares the two.
    """
    engine = DuckEngine(con)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())
        found = stack.enter_context(reported(engine, str(name), certificate, csv))
        source = (
            None
            if original is None
            else stack.enter_context(opened(engine, with_csv(original, csv), "ppdt_original"))
        )
        return _report(engine, _Release(**vars(found), original=source))


def _report(engine: DuckEngine, release: _Release) -> str:
    entry, original = release.entry, release.original
    policy = part(entry.certificate, "policy")
    quasi = policy["quasi_identifiers"]
    assert isinstance(quasi, dict)
    if original is not None:
        known = {normalize_name(column) for column in original.columns}
        missing = [
            f'the original has no column "{n}". Name the table that the release was made from.'
            for n in quasi
            if normalize_name(n) not in known
        ]
        if missing:
            raise RequestError(*missing)
    charts = [class_sizes(release.sizes), risks(release.sizes), losses(entry.certificate)]
    charts += [_column(engine, release, column, str(shape)) for column, shape in quasi.items()]
    return page(entry, charts, _tree(engine, release, quasi))


def _tree(engine: DuckEngine, release: _Release, quasi: Mapping[str, object]) -> DiagramNode | None:
    """Return the diagram of the tree behind the release, if its record has one."""
    tree = release.entry.certificate.get("tree")
    if not isinstance(tree, dict):
        return None
    shown: dict[str, set[str]] = {}
    for column in quasi:
        if column in release.columns:
            rows = engine.rows("tools/report/member", names=_member_names(release, column))
            shown[column] = {str(value) for value, _ in rows if value is not None}
    return diagram_of(tree, shown, release.k)


def _column(engine: DuckEngine, release: _Release, column: str, shape: str) -> Chart:
    """Return the chart of a quasi-identifier's values, before and after."""
    if shape in RECODINGS and RECODINGS[shape].needs == "order":
        first, high, *_ = [column + ending for ending in RECODINGS[shape].endings] + [""]
        axis = _axis(engine, release, column, [first, high] if high else [first])
        names: dict[str, object] = {
            "release": release.relation, "high": high, "column": first, "axis": axis,
            "type_name": release.columns[first],
        }  # fmt: skip
        bars: list[Bar] = []
        if axis is not None:
            engine.make("tools/report/label", names=names, to="ppdt_report_label")
            engine.make("tools/report/axis", {"n_bins": N_BINS}, to="ppdt_report_axis")
            bars = _bins(engine, release, column, axis)
        if bars:
            return _compared(
                column, "by value, in bins of equal width, without NULL", bars, release
            )
    engine.make(
        "tools/report/member", names=_member_names(release, column), to="ppdt_report_member"
    )
    bars = _values(engine, release, column)
    return _compared(column, "by value, the most frequent first", bars, release)


def _axis(engine: DuckEngine, release: _Release, column: str, ends: Sequence[str]) -> Exact | None:
    """Return an axis that covers a column's values in the release and in the original."""
    before = release.original.columns if release.original else {}
    types = [
        type_name
        for name, type_name in before.items()
        if normalize_name(name) == normalize_name(column)
    ]
    return axis_of(engine, release.relation, ends, types)


def _bins(engine: DuckEngine, release: _Release, column: str, axis: Exact) -> list[Bar]:
    before: dict[object, object] = {}
    if release.original is not None:
        own_name = by_normal_name(release.original.columns)[normalize_name(column)]
        names: dict[str, object] = {
            "original": release.original.relation, "column": column, "axis": axis,
            "type_name": release.original.columns[own_name],
        }  # fmt: skip
        before = dict(engine.rows("tools/report/bin_before", names=names))  # type: ignore[arg-type]
    return [
        Bar(
            label=_span(axis, str(least), float(str(lo)), float(str(hi))),
            after=float(str(n)),
            before=_count_or_hidden(before.get(number), release),
        )
        for number, lo, hi, least, n in engine.rows("tools/report/bin")
    ]


def _values(engine: DuckEngine, release: _Release, column: str) -> list[Bar]:
    before: dict[object, object] = {}
    if release.original is not None:
        types = {
            normalize_name(name): type_name for name, type_name in release.original.columns.items()
        }
        names: dict[str, object] = {
            "original": release.original.relation, "column": column,
            "type_name": types[normalize_name(column)],
        }  # fmt: skip
        before = dict(engine.rows("tools/report/member_before", names=names))  # type: ignore[arg-type]
    rows = engine.rows("tools/report/member", names=_member_names(release, column))
    bars = [
        Bar(
            label="NULL" if value is None else str(value),
            after=float(str(n)),
            before=_count_or_hidden(before.get(value), release),
        )
        for value, n in rows[:N_VALUES]
    ]
    if rest := rows[N_VALUES:]:
        n_before = sum(int(str(before.get(value, 0))) for value, _ in rest)
        bars.append(
            Bar(
                label=f"{len(rest)} other values",
                after=round(sum(float(str(n)) for _, n in rest), 6),
                before=_count_or_hidden(n_before if before else None, release),
            )
        )
    return bars


def _member_names(release: _Release, column: str) -> dict[str, object]:
    """Return the names for the templates that list a column's values."""
    type_name = release.columns[column]
    return {
        "release": release.relation,
        "column": column,
        "type_name": type_name.removesuffix("[]"),
        "is_set": type_name.endswith("[]"),
    }


def _count_or_hidden(n_rows: object, release: _Release) -> float | None:
    """Return a count of the original, unless it is below k."""
    count = int(str(n_rows or 0))
    return float(count) if count >= release.k else None


def _compared(column: str, words: str, bars: Sequence[Bar], release: _Release) -> Chart:
    small = f" Bars of the original with fewer than {release.k} rows are not shown."
    return Chart(
        title=f"{column}: {'before and after' if release.original else 'as released'}",
        text=f"Rows {words}; each label counts in equal parts for all values that it covers."
        + (small if release.original else ""),
        unit="rows", heading=column, bars=bars, is_compared=release.original is not None,
        hidden=f"fewer than {release.k}",
    )  # fmt: skip


def _span(axis: Exact, least: str, lo: float, hi: float) -> str:
    """Return the ends of a bin, with enough digits to tell them apart."""
    with localcontext(prec=60):
        ends = [(Decimal(least) + Decimal(offset)) / axis.per_second for offset in (lo, hi)]
        if axis.is_day:
            days = [datetime.fromtimestamp(float(end), UTC) for end in ends]
            return " to ".join(f"{day:%Y-%m-%d}" for day in days)
        digits = max(0, -floor((ends[1] - ends[0]).log10()))
        return f"{ends[0]:,.{digits}f} to {ends[1]:,.{digits}f}"
