"""Audit: what a released relation proves, from the relation itself.

This module shares no code with the methods. It groups the release as an outsider would, measures,
and compares with what was promised.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppdt_db.encode import ORDERED, family_of
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.names import Sql, fold, nearest

Shape = Literal["range", "set", "bounds", "value", "centre"]
RISK_THRESHOLD = 0.2
REQUIRABLE = ("k", "l")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One answer of the audit: what was required, what was measured."""

    name: str
    required: float
    measured: float | None
    passed: bool

    @property
    def line(self) -> str:
        """One line for people."""
        word = "passed" if self.passed else "FAILED"
        measured = "not measured" if self.measured is None else f"{self.measured:g}"
        return f"{word}  {self.name} >= {self.required:g}  (measured {measured})"


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What an audit measured and found."""

    measures: Mapping[str, object]
    findings: Sequence[Finding]

    @property
    def passed(self) -> bool:
        """Whether every finding passed."""
        return all(finding.passed for finding in self.findings)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A quasi-identifier as a release shows it: one column, or three for bounds."""

    name: str
    columns: Sequence[str]
    shape: Shape
    original: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Column:
    name: str
    is_text: bool


@dataclass(frozen=True, kw_only=True)
class Released:
    """The relation under audit."""

    relation: Sql
    columns: Mapping[str, str]
    shown: Sequence[Shown]
    sensitive: Sequence[str] = ()
    original: Sql | None = None
    original_columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def quasi(self) -> list[_Column]:
        """The columns by which an outsider would group."""
        names = [column for shown in self.shown for column in shown.columns]
        return [_Column(name=n, is_text=self.columns[n] == "VARCHAR") for n in names]


def find_shown(
    engine: DuckEngine, relation: Sql, columns: Mapping[str, str], quasi: Sequence[str]
) -> list[Shown]:
    """How a release that anybody made shows its quasi-identifiers."""
    shown: list[Shown] = []
    taken: set[str] = set()
    for name in quasi:
        stem = name.removesuffix("_lo")
        triple = [f"{stem}_lo", f"{stem}_hi"]
        if name.endswith("_lo") and set(triple) <= set(quasi):
            extra = [q for q in quasi if q in (f"{stem}_has_null", f"{stem}_has_nonfinite")]
            shown.append(Shown(name=stem, columns=[*triple, *extra], shape="bounds"))
            taken |= {*triple, *extra}
    for name in quasi:
        if name in taken:
            continue
        shape: Shape = "value"
        if columns[name].endswith("[]"):
            shape = "set"
        elif columns[name] == "VARCHAR":
            names = {"release": relation, "column": name}
            shape = "range" if engine.count("audit/is_range", names=names) else "value"
        shown.append(Shown(name=name, columns=[name], shape=shape, original=name))
    return shown


def measure(
    engine: DuckEngine,
    released: Released,
    *,
    centres: Mapping[str, float | None] | None = None,
    entity_k: int | None = None,
) -> dict[str, object]:
    """Everything that the audit measures, by its name in the certificate."""
    names: dict[str, object] = {"release": released.relation, "quasi": released.quasi}
    engine.make("audit/class", names=names)
    row = engine.row("audit/size", {"risk_threshold": RISK_THRESHOLD})
    (k, k_shown, classes, classes_shown, n_rows, suppressed, largest, unique, at_risk,
     discernibility, discernibility_all) = (int(str(value or 0)) for value in row)  # fmt: skip
    measures: dict[str, object] = {
        "k": k if entity_k is None else entity_k,
        "k_rows": k,
        "k_without_suppressed": k_shown if classes_shown else None,
        "classes": classes,
        "rows": n_rows,
        "rows_suppressed": suppressed,
        "class_size_max": largest,
        "class_size_mean": _ratio(n_rows, classes),
        "rows_unique": unique,
        "sample_uniqueness": _ratio(unique, n_rows),
        "prosecutor_risk_max": _ratio(1, k),
        "prosecutor_risk_mean": _ratio(classes, n_rows),
        "rows_at_risk": at_risk,
        "rows_at_risk_threshold": RISK_THRESHOLD,
        "marketer_risk": _ratio(classes, n_rows),
        "discernibility": discernibility,
        "discernibility_with_suppressed": discernibility_all,
        "classes_without_suppressed": classes_shown,
    }
    sensitive: dict[str, object] = {}
    for column in released.sensitive:
        is_text = released.columns[column] == "VARCHAR"
        asked = {**names, "sensitive": _Column(name=column, is_text=is_text)}
        distinct_l, entropy_l = engine.row("audit/diversity", names=asked)
        sensitive[column] = {"distinct_l": distinct_l, "entropy_l": entropy_l}
    measures["sensitive"] = sensitive
    by_column = {
        shown.name: _ncp(engine, released, shown, centres or {}) for shown in released.shown
    }
    measures["ncp"] = by_column
    known = [value for value in by_column.values() if value is not None]
    is_whole = len(known) == len(by_column) and bool(known)
    measures["gcp"] = round(sum(known) / len(known), 12) if is_whole else None
    return measures


def c_avg(measures: Mapping[str, object], k: int) -> float | None:
    """(rows / classes) / k, without the suppressed rows."""
    rows = int(str(measures["rows"])) - int(str(measures["rows_suppressed"]))
    return _ratio(rows, int(str(measures["classes_without_suppressed"])) * k)


def judge(measures: Mapping[str, object], required: Mapping[str, float]) -> list[Finding]:
    """Compare what was measured with what was required."""
    findings: list[Finding] = []
    for name, least in required.items():
        if name == "k":
            findings.append(_finding("k", least, measures["k"]))
        else:
            sensitive = measures["sensitive"]
            assert isinstance(sensitive, dict)
            findings += [
                _finding(f"l of {column}", least, of_column["distinct_l"])
                for column, of_column in sensitive.items()
            ]
    return findings


def parse_required(text: str) -> dict[str, float]:
    """Read `k=10,l=2`."""
    required: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        name = name.strip()
        if name not in REQUIRABLE:
            raise RequestError(
                f'requirement "{name}": known are {", ".join(REQUIRABLE)}.'
                f"{nearest(name, REQUIRABLE)}"
            )
        try:
            required[name] = float(value)
        except ValueError:
            raise RequestError(f'requirement "{name}": write it as {name}=NUMBER.') from None
    return required


def check_columns(columns: Mapping[str, str], asked: Mapping[str, Sequence[str]]) -> list[str]:
    """The faults of an audit's request."""
    by_fold = {fold(column) for column in columns}
    return [
        f'{role} "{name}": the source has no such column.{nearest(name, columns)}'
        for role, names in asked.items()
        for name in names
        if fold(name) not in by_fold
    ]


def _finding(name: str, least: float, measured: object) -> Finding:
    value = float(measured) if isinstance(measured, int | float) else None
    return Finding(
        name=name, required=least, measured=value, passed=value is not None and value >= least
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _ncp(
    engine: DuckEngine,
    released: Released,
    shown: Shown,
    centres: Mapping[str, float | None],
) -> float | None:
    """The mean certainty penalty of one quasi-identifier, or None where it cannot be measured."""
    params: dict[str, object] = {"lo": None, "hi": None, "n_values": None, "n_nulls": None}
    if (
        released.original is not None
        and shown.original is not None
        and shown.original in released.original_columns
    ):
        family = family_of(released.original_columns[shown.original])
        names: dict[str, object] = {
            "original": released.original,
            "column": shown.original,
            "is_ordered": family in ORDERED,
            "is_text": family == "text",
            "has_special": family in ("float", "date", "timestamp", "timestamptz"),
        }
        n_values, lo, hi, n_nulls = engine.row("audit/domain", names=names)
        params = {"lo": lo, "hi": hi, "n_values": n_values, "n_nulls": n_nulls}
        if n_values == 1:
            return 0.0
    if shown.shape == "centre":
        return centres.get(shown.name)
    column = shown.columns[0]
    names = {"release": released.relation, "column": column}
    if shown.shape == "bounds":
        names |= {"lo_column": shown.columns[0], "hi_column": shown.columns[1]}
    if shown.shape == "set":
        names["is_text"] = not released.columns[column].endswith("[]")
    value = engine.row(f"audit/ncp_{shown.shape}", params, names)[0]
    return None if value is None else round(float(str(value)), 12)
