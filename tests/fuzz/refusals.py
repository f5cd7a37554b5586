"""Refusals: what a request must be refused for, told from the case alone.

Every line of a message must be one of these, and true of the case; and a case of which one is true
must be refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from . import declared
from .values import is_ordered

if TYPE_CHECKING:
    from .cases import Case, Column

HUGE = ("HUGEINT", "UHUGEINT", "DECIMAL(38")
LARGE = ("HUGEINT", "UHUGEINT")


@dataclass(frozen=True)
class Reason:
    """Why a request is refused: the words that say so, and when they are true."""

    words: str
    is_true: Callable[[Case], bool]
    must: bool = True
    """Whether a case of which it is true must be refused, or only may be."""


def expected(case: Case) -> list[str]:
    """The reasons for which a case must be refused."""
    return [name for name, r in REASONS.items() if r.must and r.is_true(case)]


def unexplained(case: Case, rows: Sequence[Mapping[str, object]], message: str) -> list[str]:
    """The lines of a message that are untrue of the case, or that nobody knows."""
    faults = []
    for line in message.splitlines():
        if re.search("it has (only one value|one value in the whole table)", line):
            if len({row[case.target.name] for row in rows}) > 1:
                faults.append(f"untrue: {line}")
            continue
        said = [reason for reason in REASONS.values() if re.search(reason.words, line)]
        if not said:
            faults.append(f"refused for a reason that is not known here: {line}")
        elif not any(reason.is_true(case) for reason in said):
            faults.append(f"refused for a reason that is untrue: {line}")
    return faults


def _own_shapes(case: Case) -> bool:
    return bool(_method(case).controls_recoding)


def _method(case: Case) -> declared.Method:
    return declared.METHODS[case.method](**case.params)  # type: ignore[arg-type]


def _quasi(true: Callable[[Column], bool]) -> Callable[[Case], bool]:
    return lambda case: any(true(column) for column in case.quasi)


def _models(case: Case) -> set[str]:
    return {t for t in declared.CONSTRAINTS if t and case.params.get(t) is not None} - {"l"}


def _asks(case: Case) -> bool:
    """Whether anything is asked of sensitive columns."""
    return bool(_models(case)) or int(str(case.params.get("l", 1))) > 1


def _tiered(case: Case) -> bool:
    return "kk-anonymity" in _method(case).requires_accept


def _lossy(case: Case) -> bool:
    """Whether a Parquet file would have to hold 128 bits."""
    plain = [*case.sensitive, case.target, *case.others]
    plain += [c for c in case.quasi if c.recode in declared.KEEPING]
    return case.place == "parquet" and any(c.type in LARGE for c in plain)


def _rounded(case: Case) -> bool:
    """Whether a Parquet file would have to hold means of 128 bits."""
    large = [c for c in case.quasi if c.type in LARGE]
    far = [c for c in large if any(abs(int(text)) >= 2**90 for text in c.texts if text)]
    return case.place == "parquet" and any(
        c.recode in declared.OF_NUMBERS or _own_shapes(case) for c in far
    )


def _endless(case: Case) -> bool:
    """Whether a Parquet file holds infinite milliseconds, which DuckDB 1 cannot read."""
    held = [text for c in case.columns if c.type == "TIMESTAMP_MS" for text in c.texts]
    is_old = int(duckdb.__version__.partition(".")[0]) < 2
    return is_old and case.source == "parquet" and any("infinity" in (t or "") for t in held)


def _twice(case: Case) -> bool:
    names = ["rid", *(c.name for c in (*case.sensitive, case.target, *case.others))]
    for column in case.quasi:
        endings = ("_lo", "_hi", "_has_null", "_has_nonfinite")
        bounds = [column.name + ending for ending in endings]
        names += bounds if column.recode == "bounds" else [column.name]
    return max(Counter(name.casefold() for name in names).values()) > 1


def _is_suppressed(case: Case, column: Column) -> bool:
    return case.method == "tdr" and not is_ordered(column.type) and column.tree is None


def _share(case: Case) -> float:
    """The share of the rows that datafly may drop."""
    return float(str(case.params.get("suppress", 0.01)))


REASONS: dict[str, Reason] = {
    "small k": Reason("a class of one row protects nobody", lambda c: c.k < 2),
    "large k": Reason(r"but the source has [\d,]+ rows", lambda c: c.k > c.n_rows),
    "nothing sensitive": Reason("needs a sensitive column", lambda c: _asks(c) and not c.sensitive),
    "live models": Reason(
        "would hold only at first", lambda c: c.place == "live" and bool(_models(c))
    ),
    "live rows": Reason(
        "--live assigns rows by their values only",
        lambda c: c.place == "live" and _method(c).grain == "row",
    ),
    "endless": Reason("infinite timestamps in milliseconds", _endless),
    "lossy": Reason("a parquet file cannot hold type", _lossy),
    "rounded": Reason("a parquet file cannot hold type", _rounded, must=False),
    "blanks": Reason(
        "loses the spaces around a name",
        lambda c: (
            c.place == "csv"
            and any(x.name != x.name.strip() for x in c.columns if x is not c.entity)
        ),
    ),
    "names twice": Reason("two released columns would have this name", _twice),
    "node": Reason(
        "node needs a hierarchy", _quasi(lambda q: q.recode == "node" and q.tree is None)
    ),
    "tree and order": Reason(
        "does not apply to a column with a hierarchy",
        _quasi(lambda q: q.recode in declared.OF_ORDERED and q.tree is not None),
    ),
    "no order": Reason(
        "needs numbers, dates or times; the column is",
        _quasi(
            lambda q: q.recode in declared.OF_ORDERED and q.tree is None and not is_ordered(q.type)
        ),
    ),
    "no hierarchies": Reason(
        "does not support hierarchies",
        lambda c: (
            any(q.tree for q in c.quasi)
            and (not _method(c).uses_hierarchies or c.params.get("relaxed") is True)
        ),
    ),
    "intervals of huge numbers": Reason(
        "it cannot be read or computed for a column of type huge|numbers with less than 28 digits",
        _quasi(
            lambda q: q.tree is not None and q.tree.kind == "intervals" and q.type.startswith(HUGE)
        ),
        must=False,
    ),
    "own shapes": Reason(
        "shows a mean, the value, or NULL|shows means of numbers and the most frequent",
        lambda c: (
            not _method(c).is_global
            and _own_shapes(c)
            and any(
                q.recode is not None
                and not (c.method == "kactus" and q.recode in ("mean", "median", "bins"))
                for q in c.quasi
            )
        ),
    ),
    "no bins": Reason(
        "bins: method .* does not support them",
        lambda c: not _method(c).uses_bins and any(q.recode == "bins" for q in c.quasi),
    ),
    "bins of many digits": Reason(
        "have more digits than bins support",
        _quasi(
            lambda q: q.recode == "bins" and (q.type.startswith(HUGE) or q.type == "TIMESTAMP_NS")
        ),
    ),
    "live bins": Reason(
        "--live keeps no bins",
        lambda c: c.place == "live" and any(q.recode == "bins" for q in c.quasi),
    ),
    "differs": Reason(
        "differs from class to class",
        lambda c: _method(c).is_global and any(q.recode in declared.OF_ROWS for q in c.quasi),
    ),
    "dropped of the whole": Reason(
        "every row that datafly drops",
        lambda c: c.method == "datafly" and _method(c).guard.is_relative and _share(c) > 0,
    ),
    "hidden": Reason(
        "shows its value or NULL",
        lambda c: any(
            q.recode not in (None, *declared.OF_ROWS) and _is_suppressed(c, q) for q in c.quasi
        ),
    ),
    "refine": Reason(
        "needs --refine",
        lambda c: (
            c.method == "kactus"
            and not c.params.get("refine")
            and (bool(c.params.get("plain")) or c.params.get("criterion") is not None)
        ),
    ),
    "narrow": Reason(
        "compares splits in two",
        lambda c: bool(c.params.get("narrow")) and not c.params.get("binary"),
    ),
    "relaxed": Reason(
        "does not apply to relaxed Mondrian",
        lambda c: (
            c.method == "mondrian"
            and bool(c.params.get("relaxed"))
            and c.params.get("criterion") not in (None, "balanced", "median")
        ),
    ),
    "tiers": Reason(
        "tiered generalization",
        lambda c: (
            _tiered(c)
            and (
                _asks(c)
                or c.entity is not None
                or any(q.recode in (*declared.SINGLE, "bins") for q in c.quasi)
            )
        ),
    ),
    "squares": Reason(
        "are too large for a DOUBLE",
        lambda c: (
            c.params.get("scale") == "none"
            and any(
                abs(float(text)) > 1e100
                for q in c.quasi
                if q.type == "DOUBLE"
                for text in q.texts
                if text not in (None, "nan", "inf", "-inf")
            )
        ),
        must=False,
    ),
    "several": Reason(
        "univariate takes one quasi-identifier",
        lambda c: c.method == "univariate" and len(c.quasi) != 1,
    ),
    "no means": Reason(
        "which has no means",
        lambda c: c.method == "univariate" and any(not is_ordered(q.type) for q in c.quasi),
    ),
    "small parts": Reason(
        "must be at least 2 k",
        lambda c: (
            int(str(c.params.get("part_rows", 500))) < 2 * c.k and c.method == "microaggregate"
        ),
    ),
}
