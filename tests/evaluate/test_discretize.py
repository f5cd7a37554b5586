"""Numbers as names of parts: against a naive oracle, and with missing values and hostile names."""

from collections import defaultdict

import duckdb
from hypothesis import given
from hypothesis import strategies as st
from oracle.mdl import parts

from ppdt_db.engine import DuckEngine
from ppdt_db.evaluate.discretize import discretize
from ppdt_db.source.source import opened

ROW = st.tuples(
    st.one_of(st.none(), st.integers(-4, 12)), st.integers(0, 3), st.sampled_from("abc")
)
NAMES = ('a "b"', "x; --", "SELECT")


def discretized(rows: list[tuple[int | None, int, str]]) -> list[tuple[object, ...]]:
    """The table as `discretize` leaves it, beside the numbers that it had."""
    first, second, goal = (f'"{name.replace(chr(34), chr(34) * 2)}"' for name in NAMES)
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE t ({first} INTEGER, {second} INTEGER, {goal} VARCHAR, nr TEXT)")
        con.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?)",
            [(*row, str(number)) for number, row in enumerate(rows)],
        )
        engine = DuckEngine(con)
        with opened(engine, "t") as read:
            found = discretize(engine, read, NAMES[2])
            assert set(found.columns) == set(read.columns)
            assert {found.columns[name] for name in NAMES[:2]} == {"VARCHAR"}
            shown = con.execute(
                f"SELECT {first}, {second}, {goal}, CAST(nr AS INTEGER) FROM {found.relation}"
            ).fetchall()
    return [(*row[:2], *rows[row[3]]) for row in sorted(shown, key=lambda row: row[3])]


@given(st.lists(ROW, min_size=1, max_size=40))
def test_parts_are_those_of_the_oracle(rows: list[tuple[int | None, int, str]]) -> None:
    shown = discretized([*rows * 3, (None, 0, "a")])
    for place in (0, 1):
        known = [(row[place + 2], row[4]) for row in shown if row[place + 2] is not None]
        wanted = parts(known) if known else []  # type: ignore[arg-type]
        name_of = {v: f"part {i}" for i, p in enumerate(wanted, start=1) for v, _ in p}
        for row in shown:
            assert row[place] == name_of.get(row[place + 2])  # type: ignore[call-overload]


def test_a_number_that_tells_the_class_is_cut_where_it_changes() -> None:
    rows = [(i, i % 4, "a" if i < 30 else "b" if i < 70 else "c") for i in range(100)]
    names = defaultdict(set)
    for first, second, value, _, label in discretized(rows):
        names[label].add(first)
        assert second == "part 1", value
    assert names == {"a": {"part 1"}, "b": {"part 2"}, "c": {"part 3"}}
