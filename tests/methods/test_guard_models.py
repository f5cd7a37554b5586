"""Every model as a constraint: each release keeps it, and stops only where no cut would."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from math import exp, inf, log

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.audit import recursive_c, shares, t_equal, t_ordered
from support import mostly_slow, ppdt

import ppdt_db
from ppdt_db import GuaranteeError, Mondrian, RequestError

Values = Sequence[Hashable]
Keeps = Callable[[Values, Values], bool]


def entropy_l(values: Values) -> float:
    counts = Counter(values).values()
    return exp(-sum(n / len(values) * log(n / len(values)) for n in counts))


def of_shares(measure: Callable[[list[float], list[float]], float]) -> Callable[..., float]:
    def measured(values: Values, whole: Values) -> float:
        domain = sorted(set(whole), key=lambda v: (v is not None, v or 0))  # type: ignore[arg-type, return-value]
        return round(measure(shares(values, domain), shares(whole, domain)), 12)

    return measured


def gain(q: list[float], p: list[float]) -> float:
    return max((a - b) / b for a, b in zip(q, p, strict=True))


def beyond(q: list[float], p: list[float]) -> float:
    return max(
        (a - b) / b if round((a - b) / b + log(b), 12) <= 0 else inf
        for a, b in zip(q, p, strict=True)
    )


def delta(q: list[float], p: list[float]) -> float:
    return max(abs(log(a / b)) if a else inf for a, b in zip(q, p, strict=True))


MODELS: dict[str, tuple[dict[str, object], Keeps]] = {
    "entropy": ({"entropy": 1.6}, lambda v, w: round(entropy_l(v), 12) >= 1.6),
    "recursive": (
        {"recursive": (2.0, 2)},
        lambda v, w: round(recursive_c(list(Counter(v).values()), 2), 12) < 2,
    ),
    "recursive of 3": (
        {"recursive": (3.0, 3)},
        lambda v, w: round(recursive_c(list(Counter(v).values()), 3), 12) < 3,
    ),
    "alpha": ({"alpha": 0.7}, lambda v, w: max(Counter(v).values()) / len(v) <= 0.7),
    "t": ({"t": 0.25}, lambda v, w: of_shares(t_ordered)(v, w) <= 0.25),
    "beta": ({"beta": 1.5}, lambda v, w: of_shares(gain)(v, w) <= 1.5),
    "enhanced beta": ({"enhanced_beta": 1.5}, lambda v, w: of_shares(beyond)(v, w) <= 1.5),
    "delta": ({"delta": 1.2}, lambda v, w: of_shares(delta)(v, w) < 1.2),
    "two at once": (
        {"alpha": 0.7, "t": 0.3, "l": 2},
        lambda v, w: (
            max(Counter(v).values()) / len(v) <= 0.7
            and of_shares(t_ordered)(v, w) <= 0.3
            and len(set(v)) >= 2
        ),
    ),
}
rows = st.lists(
    st.tuples(
        st.sampled_from([None, 1, 2, 3, 5, 8]), st.integers(0, 3), st.sampled_from([None, 0, 1, 4])
    ),
    min_size=4, max_size=40,
)  # fmt: skip


def released(drawn: list[tuple[object, ...]], **method: object) -> list[list[tuple]]:
    """The rows of every class, with the values that they had; raises as the package does."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (rid INTEGER, a INTEGER, b INTEGER, s INTEGER)")
        con.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?)", [[i, *row] for i, row in enumerate(drawn)]
        )
        ppdt_db.anonymize(
            con, "t", quasi=["a", "b"], sensitive=["s"], keep=["rid"], into="o", seed=1,
            method=Mondrian(k=2, **method),  # type: ignore[arg-type]
        )  # fmt: skip
        found: dict[tuple, list[tuple]] = {}
        for a, b, rid in con.sql("SELECT a, b, rid FROM o").fetchall():
            found.setdefault((a, b), []).append(drawn[rid])
        return list(found.values())


@pytest.mark.parametrize("name", mostly_slow(MODELS, *list(MODELS)[::6]))
@given(drawn=rows, criterion=st.sampled_from(["balanced", "ncp"]))
def test_strict(name: str, criterion: str, drawn: list[tuple]) -> None:
    asked, keeps = MODELS[name]
    whole = [row[-1] for row in drawn]
    try:
        classes = released(drawn, criterion=criterion, **asked)
    except GuaranteeError as error:
        assert "whole column" in str(error) or "distinct values" in str(error)
        assert not keeps(whole, whole)
        return
    for members in classes:
        assert keeps([row[-1] for row in members], whole)
        for place in (0, 1):
            for at in {row[place] for row in members}:
                left = [row for row in members if (row[place] or 0) <= (at or 0)]
                right = [row for row in members if (row[place] or 0) > (at or 0)]
                if place == 1 or at is not None:
                    sides = [[row[-1] for row in side] for side in (left, right)]
                    is_allowed = all(len(side) >= 2 and keeps(side, whole) for side in sides)
                    assert not is_allowed, "a cut was left"


@pytest.mark.parametrize("name", mostly_slow(MODELS, *list(MODELS)[1::6]))
@given(drawn=rows)
def test_relaxed(name: str, drawn: list[tuple]) -> None:
    asked, keeps = MODELS[name]
    whole = [row[-1] for row in drawn]
    try:
        classes = released(drawn, relaxed=True, **asked)
    except GuaranteeError:
        assert not keeps(whole, whole)
        return
    for members in classes:
        assert len(members) >= 2 and keeps([row[-1] for row in members], whole)


def test_text_columns_go_by_equal_distance() -> None:
    drawn = [(i % 8, i % 3, i % 4) for i in range(40)]
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (a INTEGER, b INTEGER, s VARCHAR)")
        con.executemany("INSERT INTO t VALUES (?, ?, ?)", [[a, b, f"w{s}"] for a, b, s in drawn])
        release = ppdt_db.anonymize(
            con, "t", quasi=["a", "b"], sensitive=["s"], method=Mondrian(k=2, t=0.3), into="o"
        )
        groups: dict[tuple, list[str]] = {}
        for a, b, s in con.sql("SELECT a, b, s FROM o").fetchall():
            groups.setdefault((a, b), []).append(s)
    whole = [f"w{s}" for _, _, s in drawn]
    domain = sorted(set(whole))
    assert len(groups) > 1
    for values in groups.values():
        assert t_equal(shares(values, domain), shares(whole, domain)) <= 0.3 + 1e-12
    assert release.certificate["guarantee"] == "k-anonymity and t-closeness"
    names = [finding["name"] for finding in release.certificate["findings"]]  # type: ignore[attr-defined]
    assert names[:2] == ["k", "t of s"]


def test_command(tmp_path: object) -> None:
    place = f"{tmp_path}/t.parquet"
    with duckdb.connect() as con:
        con.execute(
            "COPY (SELECT i % 9 AS age, ['flu', 'flu', 'flu', 'cold'][1 + i % 4] AS illness "
            f"FROM range(80) AS r (i)) TO '{place}'"
        )
    asked = ("anonymize", place, "--qi", "age", "--sensitive", "illness", "--k", "4", "--json")
    good = ppdt(*asked, "--out", f"{tmp_path}/o.parquet", "--l", "entropy=1.5,recursive=4:2",
                "--t", "0.2", "--alpha", "0.8", "--beta", "1", "--enhanced-beta", "1")  # fmt: skip
    assert good.code == 0, good.err
    assert {finding["name"] for finding in good.json["findings"]} == {
        "k", "entropy of illness", "recursive (c, 2): c of illness", "t of illness",
        "alpha of illness", "beta of illness", "enhanced_beta of illness",
        "rows", "columns kept",
    }  # fmt: skip
    bad = ppdt(*asked, "--out", f"{tmp_path}/p.parquet", "--l",
               "entropy=3,recursive=1:2,distinct=3", "--alpha", "0.5")  # fmt: skip
    assert bad.code == 3
    for words in ("l=3", "entropy=3", "recursive=1:2", "alpha=0.5"):
        assert words in bad.err
    assert "flu" not in bad.err
    wrong = ppdt("anonymize", place, "--qi", "age", "--keep", "rest", "--out", f"{tmp_path}/q.csv",
                 "--t", "0.2", "--delta", "0")  # fmt: skip
    assert wrong.code == 2
    assert "t needs a sensitive column" in wrong.err and "delta=0" in wrong.err
    wrong = ppdt(*asked, "--out", f"{tmp_path}/q.csv", "--l", "many")
    assert wrong.code == 2 and "--l: write 2" in wrong.err


def test_live_views_keep_what_they_can_ask_at_every_query() -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT i % 5 AS a, i % 3 AS s FROM range(30) AS r (i)")
        with pytest.raises(RequestError, match="t would hold only at first"):
            ppdt_db.anonymize(
                con, "t", quasi=["a"], sensitive=["s"], method=Mondrian(k=2, t=0.5), into="o",
                live=True, accept=["state-by-state", "reader-side-channels"],
            )  # fmt: skip
