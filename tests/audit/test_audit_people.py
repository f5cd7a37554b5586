"""(k, k)-anonymity, journalist risk and presence equal their definitions, joined in both ways."""

from collections.abc import Iterator, Sequence

import duckdb
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from oracle.people import journalist, kk
from oracle.utility import Label, Value
from support import mostly_slow

import ppdt_db
from ppdt_db.audit import linkage

numbers = st.sampled_from([None, 0, 1, 2, 5])
words = st.sampled_from([None, "a", "A", ""])
people = st.lists(st.tuples(numbers, numbers, words), min_size=1, max_size=16)
ends = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(sorted)
spans = st.tuples(ends, st.booleans()) | st.none()
sets = st.lists(words, min_size=1, max_size=3, unique=True) | st.none()
released = st.lists(st.tuples(spans, spans, sets), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def fill(con: duckdb.DuckDBPyConnection, drawn: Sequence, known: Sequence) -> None:
    """Ranges as text, bounds in three columns, sets as lists."""
    con.execute("CREATE OR REPLACE TABLE people (n INTEGER, b INTEGER, w VARCHAR)")
    con.executemany("INSERT INTO people VALUES (?, ?, ?)", [list(person) for person in known])
    con.execute(
        "CREATE OR REPLACE TABLE release (n VARCHAR, b_lo INTEGER, b_hi INTEGER, "
        "b_has_null BOOLEAN, w VARCHAR[])"
    )
    for text, bounds, members in drawn:
        n = None
        if text is not None:
            (lo, hi), has_null = text
            n = (str(lo) if lo == hi else f"[{lo}, {hi}]") + " or NULL" * has_null
        lo, hi = bounds[0] if bounds else (None, None)
        row = [n, lo, hi, bounds[1] if bounds else None, members]
        con.execute("INSERT INTO release VALUES (?, ?, ?, ?, ?)", row)


def span(drawn: object) -> Label:
    if drawn is None:
        return None
    (lo, hi), has_null = drawn  # type: ignore[misc]
    return [(lo, hi)] + [(None, None)] * has_null


def labels(drawn: Sequence) -> list[list[Label]]:
    return [
        [span(text), span(bounds), [(m, m) for m in members] if members else None]
        for text, bounds, members in drawn
    ]


@pytest.mark.parametrize(
    "most", mostly_slow([0, linkage.MOST_COMPARED], 0), ids=["each with each", "led"]
)
@settings(phases=(Phase.explicit, Phase.generate))
@given(drawn=released, known=people)
@example(drawn=[(([5, 5], True), ([0, 1], False), ["a"])], known=[(5, 1, "a"), (None, 0, "a")])
def test_people_behind_labels(
    con: duckdb.DuckDBPyConnection, most: int, drawn: list, known: list[tuple[Value, ...]]
) -> None:
    fill(con, drawn, known)
    quasi = ["n", "b_lo", "b_hi", "b_has_null", "w"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linkage, "MOST_COMPARED", most)
        measures = ppdt_db.audit(
            con, "release", quasi=quasi, original="people", population="people", require="kk=1"
        ).measures
    shown = labels(drawn)
    assert (measures["kk_released"], measures["kk_original"]) == kk(shown, known)
    for name, value in journalist(shown, known).items():
        assert measures[name] == pytest.approx(value, abs=1e-9), name
