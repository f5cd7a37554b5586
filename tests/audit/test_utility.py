"""What a release keeps of its original equals the naive definitions, in every form of a label."""

from collections.abc import Iterator, Sequence

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.utility import (
    Label,
    Value,
    covers,
    entropy,
    errors,
    squares,
    total_variation,
    wasserstein,
)
from support import ppdt

import ppdt_db

numbers = st.lists(st.sampled_from([None, 0, 1, 2, 5, 8, 10]), min_size=2, max_size=24).filter(
    lambda drawn: len({n for n in drawn if n is not None}) > 1
)
words = st.lists(st.sampled_from([None, "a", "A", "", "b"]), min_size=2, max_size=24)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def grouped(values: Sequence[Value], size: int) -> list[list[Value]]:
    """Neighbours by turn, not by value: the labels of groups overlap."""
    return [list(values[start : start + size]) for start in range(0, len(values), size)]


def audited(
    con: duckdb.DuckDBPyConnection, original: Sequence[Value], type_name: str,
    columns: str, rows: Sequence[Sequence[object]],
) -> dict:  # fmt: skip
    con.execute(f"CREATE OR REPLACE TABLE original (x {type_name})")
    con.executemany("INSERT INTO original VALUES (?)", [[value] for value in original])
    con.execute(f"CREATE OR REPLACE TABLE release ({columns})")
    con.executemany(
        f"INSERT INTO release VALUES ({', '.join('?' * len(rows[0]))})", [list(r) for r in rows]
    )
    quasi = [row[0] for row in con.sql("DESCRIBE release").fetchall()]
    measures = ppdt_db.audit(con, "release", quasi=quasi, original="original").measures
    names = ("non_uniform_entropy", "sse", "il", "total_variation", "wasserstein")
    return {name: measures[name]["x"] for name in names}  # type: ignore[index]


def ranges(group: Sequence[Value]) -> Label:
    known = [value for value in group if value is not None]
    parts: list[tuple[Value, Value]] = [(min(known), max(known))] if known else []  # type: ignore[type-var]
    return parts + [(None, None)] * (None in group)


def check(found: dict, original: Sequence[Value], labels: Sequence[Label], width: float) -> None:
    """The oracle's own units, on an axis from 0 to 1."""
    known = [value for value in original if value is not None]
    sse = errors(original, labels)
    chance = [[v is not None for v in original if covers(label, v)] for label in labels]
    n_numbers = sum(sum(flags) / len(flags) for flags in chance)
    whole = n_numbers * squares(known) / len(known)  # type: ignore[arg-type]
    assert found["non_uniform_entropy"] == pytest.approx(entropy(original, labels), abs=1e-7)
    assert found["sse"] == pytest.approx(sse / width**2, abs=1e-7)
    assert found["il"] == pytest.approx(sse / whole, abs=1e-7) if whole else True
    assert found["total_variation"] == pytest.approx(total_variation(original, labels), abs=1e-7)
    assert found["wasserstein"] == pytest.approx(wasserstein(original, labels) / width, abs=1e-7)


@given(drawn=numbers, size=st.integers(1, 6), form=st.sampled_from(["range", "bounds", "set"]))
def test_labels_of_numbers(
    con: duckdb.DuckDBPyConnection, drawn: list[Value], size: int, form: str
) -> None:
    known = [value for value in drawn if value is not None]
    rows: list[list[object]] = []
    labels: list[Label] = []
    for group in grouped(drawn, size):
        label = ranges(group)
        if form == "set":
            label = [(value, value) for value in set(group)]
        labels += [label] * len(group)
        rows += [_row(group, label, form)] * len(group)
    columns = {
        "range": "x VARCHAR", "set": "x INTEGER[]",
        "bounds": "x_lo INTEGER, x_hi INTEGER, x_has_null BOOLEAN",
    }[form]  # fmt: skip
    # A column of plain numbers as text is told to be ranges by one that is.
    if form == "range" and not any(str(row[0]).startswith("[") for row in rows):
        return
    found = audited(con, drawn, "INTEGER", columns, rows)
    check(found, drawn, labels, max(known) - min(known))  # type: ignore[operator, type-var]


def _row(group: Sequence[Value], label: Label, form: str) -> list[object]:
    assert label is not None
    known = [part for part in label if part[0] is not None]
    has_null = None in group
    if form == "set":
        return [[lo for lo, _ in label]]
    lo, hi = known[0] if known else (None, None)
    if form == "bounds":
        return [lo, hi, has_null]
    words = [] if not known else [str(lo)] if lo == hi else [f"[{lo}, {hi}]"]
    return [" or ".join(words + ["NULL"] * has_null) if known else None]


@given(drawn=words, size=st.integers(1, 6))
def test_sets_of_words(con: duckdb.DuckDBPyConnection, drawn: list[Value], size: int) -> None:
    labels: list[Label] = []
    for group in grouped(drawn, size):
        labels += [[(value, value) for value in set(group)]] * len(group)
    rows = [[[lo for lo, _ in label or ()]] for label in labels]
    found = audited(con, drawn, "VARCHAR", "x VARCHAR[]", rows)
    assert found["non_uniform_entropy"] == pytest.approx(entropy(drawn, labels), abs=1e-7)
    assert found["total_variation"] == pytest.approx(total_variation(drawn, labels), abs=1e-7)
    assert found["sse"] is found["il"] is found["wasserstein"] is None


@given(drawn=words, gone=st.sets(st.integers(0, 23)))
def test_suppressed_words(
    con: duckdb.DuckDBPyConnection, drawn: list[Value], gone: set[int]
) -> None:
    """A NULL that the original did not hold stands for everything."""
    labels: list[Label] = [
        None if place in gone and value is not None else [(value, value)]
        for place, value in enumerate(drawn)
    ]
    rows = [[None if label is None else label[0][0]] for label in labels]
    found = audited(con, drawn, "VARCHAR", "x VARCHAR", rows)
    assert found["non_uniform_entropy"] == pytest.approx(entropy(drawn, labels), abs=1e-7)
    assert found["total_variation"] == pytest.approx(total_variation(drawn, labels), abs=1e-7)


@given(
    drawn=st.lists(st.sampled_from([0, 1, 2, 5, 8, 10]), min_size=2, max_size=24).filter(
        lambda drawn: len(set(drawn)) > 1
    ),
    size=st.integers(1, 6),
    is_gone=st.booleans(),
)
def test_means(con: duckdb.DuckDBPyConnection, drawn: list[int], size: int, is_gone: bool) -> None:
    """Squared errors about the groups' means; a suppressed group stands for the mean of all."""
    groups = grouped(drawn, size)
    middle = sum(drawn) / len(drawn)
    means: list[float | None] = [sum(group) / len(group) for group in groups]  # type: ignore[arg-type]
    if is_gone:
        means[0] = None
    rows = [[mean] for mean, group in zip(means, groups, strict=True) for _ in group]
    sse = sum(
        (value - (middle if mean is None else mean)) ** 2  # type: ignore[operator]
        for mean, group in zip(means, groups, strict=True)
        for value in group
    )
    found = audited(con, drawn, "DOUBLE", "x DOUBLE", rows)
    width = max(drawn) - min(drawn)
    assert found["sse"] == pytest.approx(sse / width**2, abs=1e-6)
    assert found["il"] == pytest.approx(sse / squares(drawn), abs=1e-6)


def test_what_cannot_be_true_is_not_measured(con: duckdb.DuckDBPyConnection) -> None:
    """Three rows say 1 where the original has one; the numbers spread wider than the original's."""
    found = audited(con, [1, 2, 3], "INTEGER", "x INTEGER", [[1], [1], [1]])
    assert found["non_uniform_entropy"] is None
    assert found["total_variation"] == pytest.approx(2 / 3)
    found = audited(con, [1, 2, 3], "INTEGER", "x INTEGER", [[0], [9], [9]])
    assert found["sse"] is found["il"] is None


def test_every_shared_column_and_the_rows_that_are_gone(con: duckdb.DuckDBPyConnection) -> None:
    con.execute('CREATE TABLE o AS SELECT i AS a, i % 2 AS "b ""x", i AS only FROM range(10) r (i)')
    con.execute('CREATE TABLE r AS SELECT \'[0, 9]\' AS a, 0 AS "B ""X", 1 AS more FROM range(8)')
    found = ppdt_db.audit(con, "r", quasi=["a"], original="o").measures
    assert found["total_variation"] == {"a": 0, 'B "X': 0.5, "more": None}
    assert found["wasserstein"] == {"a": 0, 'B "X': 0.5, "more": None}
    assert found["rows_dropped"] == 2
    assert found["non_uniform_entropy"]["a"] == pytest.approx(3.321928095)  # type: ignore[index]


def test_the_command_shows_them(con: duckdb.DuckDBPyConnection, tmp_path: object) -> None:
    original, release = f"{tmp_path}/o.parquet", f"{tmp_path}/r.parquet"
    con.execute(f"COPY (SELECT i AS a FROM range(10) r (i)) TO '{original}'")
    con.execute(f"COPY (SELECT '[0, 9]' AS a FROM range(10)) TO '{release}'")
    ended = ppdt("audit", release, "--qi", "a", "--original", original)
    assert ended.code == 0 and "3.322 bits left open" in ended.out and "rows dropped" in ended.out
