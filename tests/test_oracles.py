"""Whole releases against naive Python, on random tables."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import measures as naive
from oracle.mondrian import (
    Axis,
    Choice,
    balanced,
    entropy,
    foresight,
    gaining,
    median,
    median_left,
    ncp,
    partition,
    variance,
)
from support import classes, every, read
from tables import SIMPLE, Column, Table, tables

import ppdt_db

CHOICES: dict[str, Choice] = {
    "balanced": balanced, "median": median, "median-left": median_left, "ncp": ncp,
}  # fmt: skip


def axes_of(table: Table) -> list[Axis]:
    return [Axis.of(column.keys(), column.is_ordered) for column in table.columns]


def released(table: Table, method: ppdt_db.Mondrian, **roles: object) -> tuple[set, dict]:
    """The release's partition as sets of row numbers, and its certificate."""
    with duckdb.connect() as con:
        table.make(con)
        extra = roles.pop("extra", None)
        if extra is not None:
            values = ", ".join(f"({i}, {value})" for i, value in enumerate(extra))
            con.execute(f"CREATE TABLE x AS SELECT * FROM (VALUES {values}) AS v (rid, extra)")
            con.execute("CREATE VIEW s AS SELECT t.*, x.extra FROM t INNER JOIN x USING (rid)")
        source = "t" if extra is None else "s"
        release = ppdt_db.anonymize(
            con, source, quasi=table.names, method=method, into="o", keep=["rid"], **roles
        )
        grouped = classes(read(con, "o", [*table.names, "rid"]), len(table.names))
        return {frozenset(r for (r,) in rows) for rows in grouped.values()}, release.certificate


def expected(table: Table, k: int, choose: Choice, values: list | None = None, l: int = 1) -> set:  # noqa: E741
    def allows(rows: list[int]) -> bool:
        return len(rows) >= k and (l == 1 or len({values[r] for r in rows}) >= l)

    found = partition(axes_of(table), list(range(table.n_rows)), allows, choose)
    return {frozenset(rows) for rows in found}


def test_null_does_not_stretch_the_width_of_a_node() -> None:
    """After the first cut the left node holds b's NULL, 90 and 100, but not its 0."""
    table = Table((
        Column("a", "INTEGER", ("0", "0", "3", "3", "10", "10", "10", "10")),
        Column("b", "INTEGER", (None, "100", "90", "100", "0", "0", "0", "0")),
    ))  # fmt: skip
    found, _ = released(table, ppdt_db.Mondrian(k=2))
    assert found == expected(table, 2, balanced) == {
        frozenset({0, 1}), frozenset({2, 3}), frozenset({4, 5, 6, 7})
    }  # fmt: skip


@pytest.mark.parametrize("criterion", every(2, CHOICES))
@given(table=tables(), k=st.integers(2, 4))
def test_the_partition_is_the_oracles(table: Table, k: int, criterion: str) -> None:
    method = ppdt_db.Mondrian(k=k, criterion=criterion)
    found, _ = released(table, method)
    assert found == expected(table, k, CHOICES[criterion])


@given(table=tables(), k=st.integers(2, 4))
def test_foresight_is_the_oracles(table: Table, k: int) -> None:
    found, _ = released(table, ppdt_db.Mondrian(k=k, criterion="foresight"))
    assert found == expected(table, k, foresight(k))


@given(table=tables(types=SIMPLE, max_rows=24), k=st.integers(2, 3), data=st.data())
def test_infogain_is_the_oracles(table: Table, k: int, data: st.DataObject) -> None:
    size = {"min_size": table.n_rows, "max_size": table.n_rows}
    target = [0, 1, *data.draw(st.lists(st.integers(0, 2), **size))][: table.n_rows]
    found, _ = released(
        table,
        ppdt_db.Mondrian(k=k, criterion="infogain"),
        extra=[f"'c{value}'" for value in target],
        target="extra",
    )
    assert found == expected(table, k, gaining(entropy(target)))


@pytest.mark.slow
@given(table=tables(types=SIMPLE, max_rows=24), k=st.integers(2, 3), data=st.data())
def test_variance_is_the_oracles(table: Table, k: int, data: st.DataObject) -> None:
    size = {"min_size": table.n_rows, "max_size": table.n_rows}
    # Eighths between 0 and 1 are exact on the axis of the target, so that ties are ties.
    eighths = [0, 8, *data.draw(st.lists(st.sampled_from([0, 1, 2, 4, 8]), **size))][: table.n_rows]
    found, _ = released(
        table,
        ppdt_db.Mondrian(k=k, criterion="infogain"),
        extra=[f"CAST({value} AS DOUBLE)" for value in eighths],
        target="extra",
    )
    assert found == expected(table, k, gaining(variance([value / 8 for value in eighths])))


@given(table=tables(types=SIMPLE, max_rows=24), k=st.integers(2, 3), data=st.data())
def test_the_guard_with_l_is_the_oracles(table: Table, k: int, data: st.DataObject) -> None:
    size = {"min_size": table.n_rows, "max_size": table.n_rows}
    values = [0, 1, *data.draw(st.lists(st.integers(0, 2), **size))][: table.n_rows]
    found, certificate = released(
        table, ppdt_db.Mondrian(k=k, l=2), extra=values, sensitive=["extra"]
    )
    assert found == expected(table, k, balanced, values, 2)
    groups = [[values[r] for r in rows] for rows in found]
    of_extra = certificate["measures"]["sensitive"]["extra"]
    assert certificate["l_measured"] == naive.distinct_l(groups)
    assert of_extra["entropy_l"] == pytest.approx(naive.entropy_l(groups), abs=1e-8)


@given(table=tables(), k=st.integers(2, 4))
def test_the_measures_are_the_oracles(table: Table, k: int) -> None:
    found, certificate = released(table, ppdt_db.Mondrian(k=k))
    groups = [sorted(rows) for rows in found]
    assert certificate["k_measured"] == naive.k(groups)
    assert certificate["classes"] == len(groups)
    suppressed = certificate["rows_suppressed"]
    shown = [rows for rows in groups if suppressed == 0 or not _is_null(table, rows)]
    assert certificate["discernibility"] == naive.discernibility(shown)
    assert certificate["measures"]["discernibility_with_suppressed"] == naive.discernibility(groups)
    axes = axes_of(table)
    penalties = [[(len(rows), axis.penalty(rows)) for rows in groups] for axis in axes]
    assert certificate["gcp"] == pytest.approx(naive.gcp(penalties), abs=1e-6)


def _is_null(table: Table, rows: list[int]) -> bool:
    return all(
        column.is_ordered and column.texts[r] is None for column in table.columns for r in rows
    )
