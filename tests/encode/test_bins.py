"""Bins of numbers and dates: against a naive oracle, from the request to new rows."""

import re
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.bins import bin_of, by_class, equal_counts, large_enough
from support import every, examples, faults, make_database, ppdt

from ppdt_db import Attribute, Erp, Kactus, Mdav, Mondrian, RequestError, Tds, anonymize
from ppdt_db.encode.bins import ColumnBins, learn_bins
from ppdt_db.engine import DuckEngine
from ppdt_db.policy.bins import as_bins
from ppdt_db.source.source import opened

NAME, GOAL, WHO = 'a "b"', "x; --", "SELECT"
NUMBER = st.integers(-4, 12)
SPECIAL = ("nan", "inf", "-inf")
ROWS = st.lists(
    st.tuples(st.one_of(st.none(), NUMBER), st.sampled_from("abc"), st.integers(0, 5)),
    min_size=1,
    max_size=40,
)
START = date(2020, 2, 25)


def learnt(
    rows: list[tuple], type_name: str, rule: object, k: int, entity: str | None = None
) -> ColumnBins:
    """The bins of a table of rows (value, class, person)."""
    with duckdb.connect() as con:
        con.execute(
            'CREATE TABLE t ("a ""b""" ' + type_name + ', "x; --" VARCHAR, "SELECT" BIGINT)'
        )
        con.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        engine = DuckEngine(con)
        with opened(engine, "t") as read:
            given_bins = as_bins(rule)  # type: ignore[arg-type]
            asked = [Attribute(NAME, "bins", bins=given_bins)]
            (found,) = learn_bins(engine, read, asked, k=k, target=GOAL, entity=entity)
    return found


def values(rows: list[tuple]) -> list[int]:
    return [row[0] for row in rows if row[0] is not None]


@given(rows=ROWS, k=st.integers(1, 6))
def test_cuts_by_the_class_are_those_of_the_oracle(rows: list[tuple], k: int) -> None:
    rows = [*rows * 3, (None, None, 0)]
    pairs = [(row[0], row[1]) for row in rows if row[0] is not None]
    wanted = by_class(pairs, k, Fraction(1)) if pairs else []
    found = learnt(rows, "BIGINT", "mdl", k)
    assert [Fraction(low) for low in found.lows] == wanted
    assert [int(high) for high in found.highs] == [low - 1 for low in wanted]


@given(rows=ROWS, k=st.integers(1, 6), n=st.integers(2, 7))
def test_equal_counts_are_those_of_the_oracle(rows: list[tuple], k: int, n: int) -> None:
    found = learnt(rows, "INTEGER", f"quantiles:{n}", k)
    assert [Fraction(low) for low in found.lows] == equal_counts(values(rows), n, k, Fraction(1))
    days = [(None if v is None else START + timedelta(days=v), *rest) for v, *rest in rows]
    shifted = [(date.fromisoformat(low) - START).days
               for low in learnt(days, "DATE", f"quantiles:{n}", k).lows]  # fmt: skip
    assert shifted == [int(low) for low in found.lows]
    cents = [(None if v is None else Decimal(v) / 4, *rest) for v, *rest in rows]
    exact = learnt(cents, "DECIMAL(5,2)", f"quantiles:{n}", k)
    wanted = equal_counts([Fraction(v) / 4 for v in values(rows)], n, k, Fraction(1, 100))
    assert [Fraction(low) for low in exact.lows] == wanted


@given(rows=ROWS, k=st.integers(1, 6), edges=st.lists(NUMBER, min_size=1, unique=True))
def test_given_edges_and_widths_keep_k_rows_between(
    rows: list[tuple], k: int, edges: list[int]
) -> None:
    found = learnt(rows, "BIGINT", {NAME: edges}, k)
    assert [int(low) for low in found.lows] == large_enough(sorted(edges), values(rows), k)
    wide = learnt(rows, "BIGINT", "widths:2.5", k)
    multiples = [-(-5 * n // 2) for n in range(-4, 8)]
    assert [int(low) for low in wide.lows] == large_enough(multiples, values(rows), k)


@examples(20)
@given(
    rows=st.lists(st.tuples(st.floats(), st.sampled_from("ab"), st.integers(0, 5)), min_size=1),
    k=st.integers(1, 4),
    rule=st.sampled_from(["mdl", "quantiles:4"]),
)
def test_ends_of_floats_lie_between_values(rows: list[tuple], k: int, rule: str) -> None:
    found = learnt(rows * 2, "DOUBLE", rule, k)
    finite = [v for v, *_ in rows * 2 if abs(v) < float("inf")]
    lows = [float(low) for low in found.lows]
    assert lows == sorted(set(lows))
    assert all(float(high) < low for low, high in zip(lows, found.highs, strict=True))
    held = Counter(bin_of(lows, v) for v in finite)  # type: ignore[arg-type]
    assert not lows or (len(held) == len(lows) + 1 and min(held.values()) >= k)
    assert not any(float(high) < v < low for v in finite
                   for low, high in zip(lows, found.highs, strict=True))  # fmt: skip


@given(rows=ROWS, k=st.integers(1, 4), rule=st.sampled_from(["mdl", "quantiles:5", "widths:3"]))
def test_every_bin_holds_k_people(rows: list[tuple], k: int, rule: str) -> None:
    lows = [int(low) for low in learnt(rows, "BIGINT", rule, k, entity=WHO).lows]
    people: dict[int, set[int]] = {}
    for value, _, who in rows:
        if value is not None:
            people.setdefault(bin_of(lows, value), set()).add(who)
    assert not lows or all(len(people[number]) >= k for number in range(len(lows) + 1))


# -- releases --


def reads(label: str | None, value: float | None) -> bool:
    """Whether a label holds a value."""
    words = (label or "NULL").split(" or ")
    if value is None or value != value or abs(value) == float("inf"):
        return ("NULL" if value is None else str(value)) in words
    ends = re.fullmatch(r"\[(.+), (.+)\]", words[0])
    return ends is not None and float(ends[1]) <= value <= float(ends[2])


def table(con: duckdb.DuckDBPyConnection, rows: list[tuple]) -> None:
    con.execute("CREATE TABLE t (number DOUBLE, word VARCHAR, goal VARCHAR, rid BIGINT)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)


CELLS = st.tuples(
    st.one_of(st.none(), st.sampled_from([*map(float, SPECIAL), 0.1, 0.25, 3.0, 7.5, 8.0])),
    st.sampled_from(["x", "y", None]),
    st.sampled_from("ab"),
)
METHODS = [Mondrian, Kactus, Erp, Tds]


@pytest.mark.parametrize("method", every(2, METHODS))
@examples(15)
@given(rows=st.lists(CELLS, min_size=3, max_size=40), k=st.integers(2, 3),
       rule=st.sampled_from(["mdl", "quantiles:3", "widths:2", {"number": [0.2, 5]}]))  # fmt: skip
def test_labels_hold_their_rows_and_new_rows_are_shown_alike(
    method: type, rows: list[tuple], k: int, rule: object
) -> None:
    """What is shown holds what it stands for; what `apply` shows of a row is what was released."""
    rows = [(*row, number) for number, row in enumerate(rows * 2)]
    if len({goal for *_, goal, _ in rows}) < 2:
        return
    with duckdb.connect() as con:
        table(con, rows)
        made = anonymize(con, "t", quasi=["number", "word"], target="goal", keep=["rid"], into="o",
                         method=method(k=k), bins=rule, rules=not method.why_not_applicable)  # type: ignore[arg-type]  # fmt: skip
        value_of = {rid: number for number, *_, rid in rows}
        shown = dict(con.execute("SELECT rid, number FROM o").fetchall())
        is_suppressed = method is Kactus
        for rid, label in shown.items():
            assert (is_suppressed and label is None) or reads(label, value_of[rid])
        counts = con.execute("SELECT count(*) FROM o GROUP BY number, word").fetchall()
        assert all(n >= k for (n,) in counts)
        assert made.certificate["gcp"] is not None
        assert made.certificate["policy"]["quasi_identifiers"]["number"] == "bins"
        if made.rules is None:
            return
        made.rules.apply(con, "t", into="n")
        for rid, label in con.execute("SELECT rid, number FROM n").fetchall():
            assert (is_suppressed and label is None) or reads(label, value_of[rid])


def test_new_rows_beyond_all_others_have_a_bin(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 40 AS age, i % 40 < 20 AS goal FROM range(400) r(i)")
    made = anonymize(con, "t", quasi=["age"], target="goal", method=Kactus(k=5), bins="mdl",
                     into="o", rules=True)  # fmt: skip
    assert set(con.execute("FROM o").fetchall()) == {("[-inf, 19]", True), ("[20, inf]", False)}
    assert made.rules is not None
    con.execute(
        "CREATE TABLE new AS FROM (VALUES (-7.5, true), (19.7, true), (1e9, NULL)) v (age, goal)"
    )
    made.rules.apply(con, "new", into="n")
    assert con.execute("SELECT age FROM n ORDER BY ALL").fetchall() == [
        ("[-inf, 19]",), ("[-inf, 19]",), ("[20, inf]",),
    ]  # fmt: skip
    assert made.certificate["bins"] == {
        "age": {"rule": "mdl", "bins": 2, "lower_ends_shown": ["20"]}
    }


def test_a_certificate_tells_no_end_that_is_not_shown(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i AS age, i % 2 AS other FROM range(40) r(i)")
    made = anonymize(con, "t", quasi=["age", "other"], method=Mondrian(k=20), into="o",
                     bins="quantiles:4")  # fmt: skip
    shown = {end for (label,) in con.execute("SELECT DISTINCT age FROM o").fetchall()
             for end in re.findall(r"-?\d+", label)}  # fmt: skip
    told = made.certificate["bins"]["age"]["lower_ends_shown"]  # type: ignore[index]
    assert all({low, str(int(low) - 1)} & shown for low in told)


def test_one_thread_and_two_shuffled_rows_make_the_same_bins() -> None:
    made = []
    for threads, order in ((1, "i"), (2, "hash(i)")):
        with duckdb.connect(config={"threads": threads}) as con:
            con.execute("CREATE TABLE t AS SELECT sin(i) AS number, i % 7 < sin(i) * 7 AS goal "
                        f"FROM range(3000) r(i) ORDER BY {order}")  # fmt: skip
            anonymize(con, "t", quasi=["number"], target="goal", method=Kactus(k=20), bins="mdl",
                      into="o", seed=1)  # fmt: skip
            made.append(Counter(con.execute("FROM o").fetchall()))
    assert made[0] == made[1]
    assert len(made[0]) > 4


# -- requests --


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("quantiles:1", "at least 2"), ("quantiles:x", "at least 2"), ("widths:-1", "above 0"),
        ("widths:nan", "above 0"), ("bins", "no such rule"), ({"age": []}, "edge"),
        (3, "not a int"),
    ],
)  # fmt: skip
def test_rules_that_are_none_are_refused(spec: object, fault: str) -> None:
    with pytest.raises(RequestError, match=fault):
        as_bins(spec)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"bins": "mdl"}, "by the target"),
        ({"bins": "quantiles:2", "method": Mdav(k=2)}, "method mdav does not support"),
        ({"bins": "quantiles:2", "live": True}, "keeps no bins"),
        ({"bins": "quantiles:2", "quasi": ["word"]}, "no quasi-identifier is a number"),
        ({"bins": {"number": ["x"]}}, "1 edges are no values"),
        ({"bins": {"other": [1]}}, "named by an edge"),
        ({"quasi": [Attribute("word", "bins", bins="quantiles:2")]}, "needs numbers"),
        ({"quasi": [Attribute("number", "mean", bins="quantiles:2")]}, "shown as mean"),
        ({"bins": "quantiles:2", "quasi": ["huge"]}, "more digits"),
        ({"bins": "widths:2", "quasi": ["hour"]}, "widths need"),
        ({"bins": "widths:2.5", "quasi": ["day"]}, "whole numbers of days"),
    ],
)
def test_what_cannot_be_is_refused(
    con: duckdb.DuckDBPyConnection, more: dict[str, object], fault: str
) -> None:
    con.execute("CREATE TABLE t AS SELECT i AS number, 'a' AS word, i::HUGEINT AS huge, "
                "TIME '12:00' AS hour, DATE '2020-01-01' AS day FROM range(9) r(i)")  # fmt: skip
    wanted = {"quasi": ["number"], "identifiers": "rest", "method": Mondrian(k=2), **more}
    with pytest.raises(RequestError, match=fault):
        anonymize(con, "t", into="o", **wanted)  # type: ignore[arg-type]


def test_the_command_a_policy_and_python_mean_the_same(tmp_path: Path) -> None:
    db = make_database(
        tmp_path / "a.duckdb",
        "CREATE TABLE t AS SELECT i % 50 AS age, i % 9 AS zip, i % 50 < 25 AS goal "
        "FROM range(500) r(i)",
    )
    (tmp_path / "edges.csv").write_text("column,edge\nage,10\nage,30\n")
    shared = ["anonymize", "t", "--db", db, "--qi", "age,zip", "--target", "goal", "--k", "5"]
    assert ppdt(*shared, "--bins", tmp_path / "edges.csv", "--into", "by_file").code == 0
    (tmp_path / "policy.yaml").write_text(
        "source: t\ndb: a.duckdb\nquasi: [age, zip]\ntarget: goal\nk: 5\nbins: edges.csv\n"
        "into: by_policy\n"
    )
    assert ppdt("anonymize", "--policy", tmp_path / "policy.yaml").code == 0
    recode = ["--recode", "age=bins:widths:25", "--recode", "zip=set", "--into", "by_width"]
    assert ppdt(*shared, *recode).code == 0
    with duckdb.connect(str(db)) as con:
        anonymize(con, "t", quasi=["age", "zip"], target="goal", method=Mondrian(k=5),
                  bins={"age": [10, 30]}, into="by_python")  # fmt: skip
        rows = [Counter(con.execute(f"FROM {o}").fetchall()) for o in
                ("by_file", "by_policy", "by_python")]  # fmt: skip
        ages = {age for (age,) in con.execute("SELECT age FROM by_width").fetchall()}
    assert rows[0] == rows[1] == rows[2]
    assert ages <= {"[-inf, 24]", "[25, inf]", "[-inf, inf]"}
    wrong = faults(db, *shared[1:], "--bins", "nothing.csv", "--into", "x")
    assert "nothing.csv" in wrong
