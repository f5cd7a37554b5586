"""Every measure of the audit equals its naive definition on random small tables with NULLs."""

from collections.abc import Hashable, Iterator, Sequence
from math import isinf
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.audit import Row, classes, models, t_hierarchical

import ppdt_db

PATHS = {
    "flu": ("flu", "infection", "any"),
    "cold": ("cold", "infection", "any"),
    "ulcer": ("ulcer", "chronic", "any"),
    "gout": ("gout", "chronic", "any"),
    None: (None, None, "any"),
}
quasi = st.tuples(st.sampled_from([None, "a", "A", ""]), st.sampled_from([None, 0, 1]))
numbers = st.lists(
    st.tuples(quasi, st.sampled_from([None, -3, 0, 1, 2, 9])), min_size=1, max_size=40
)
words = st.lists(st.tuples(quasi, st.sampled_from(list(PATHS))), min_size=1, max_size=40)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture(scope="module")
def hierarchy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("hierarchy") / "illness.csv"
    lines = [",".join(path) for value, path in PATHS.items() if value]  # type: ignore[arg-type]
    file.write_text("\n".join(["leaf,level1,root", *lines]))
    return file


def fill(con: duckdb.DuckDBPyConnection, rows: Sequence[Row], type_name: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE release (a VARCHAR, b INTEGER, s {type_name})")
    con.executemany("INSERT INTO release VALUES (?, ?, ?)", [list(row) for row in rows])


def nulls_first(value: Hashable) -> tuple[bool, object]:
    return value is not None, value if value is not None else 0


def nulls_first_text(value: Hashable) -> tuple[bool, object]:
    return value is not None, str(value or "")


def same(measured: object, defined: float) -> bool:
    assert isinstance(measured, int | float)
    return isinf(measured) if isinf(defined) else measured == pytest.approx(defined, abs=1e-9)


@given(drawn=numbers, level=st.integers(2, 4))
def test_ordered_column(con: duckdb.DuckDBPyConnection, drawn: list[object], level: int) -> None:
    rows = [(*q, s) for q, s in drawn]  # type: ignore[misc]
    fill(con, rows, "INTEGER")
    measures = ppdt_db.audit(
        con, "release", quasi=["a", "b"], sensitive=["s"], require=f"recursive=9:{level}"
    ).measures
    sizes = [len(values) for values in classes(rows)]
    assert measures["k"] == min(sizes)
    assert measures["classes"] == len(sizes)
    assert measures["marketer_risk"] == pytest.approx(len(sizes) / len(rows))
    assert measures["prosecutor_risk_max"] == pytest.approx(1 / min(sizes))
    assert measures["sample_uniqueness"] == pytest.approx(sizes.count(1) / len(rows))
    assert measures["discernibility_with_suppressed"] == sum(size**2 for size in sizes)
    found = measures["sensitive"]["s"]  # type: ignore[index]
    for name, value in models(rows, nulls_first, level).items():
        assert same(found[name], value), name


@given(drawn=words)
def test_text_column_with_hierarchy(
    con: duckdb.DuckDBPyConnection, hierarchy: Path, drawn: list[object]
) -> None:
    rows = [(*q, s) for q, s in drawn]  # type: ignore[misc]
    fill(con, rows, "VARCHAR")
    found = ppdt_db.audit(
        con, "release", quasi=["a", "b"], sensitive=["s"], hierarchies={"s": hierarchy}
    ).measures["sensitive"]["s"]  # type: ignore[index]
    defined = models(rows, nulls_first_text, found["recursive_l"])
    assert found["t_ordered"] is None and found["t"] == found["t_hierarchical"]
    for name in defined.keys() - {"t_ordered"}:
        assert same(found[name], defined[name]), name
    domain = list(PATHS)
    p = [sum(row[-1] == value for row in rows) / len(rows) for value in domain]
    worst = max(
        t_hierarchical(
            [values.count(value) / len(values) for value in domain], p, list(PATHS.values())
        )
        for values in classes(rows)
    )
    assert same(found["t_hierarchical"], worst)


@given(drawn=st.lists(st.tuples(quasi, st.sampled_from([None, 1, 2]), st.sampled_from([1, 2])),
                      min_size=1, max_size=30))  # fmt: skip
def test_two_sensitive_columns_know_of_each_other(
    con: duckdb.DuckDBPyConnection, drawn: list[tuple[Row, Hashable, Hashable]]
) -> None:
    con.execute("CREATE OR REPLACE TABLE release (a VARCHAR, b INTEGER, s INTEGER, u INTEGER)")
    con.executemany("INSERT INTO release VALUES (?, ?, ?, ?)", [[*q, s, u] for q, s, u in drawn])
    found = ppdt_db.audit(con, "release", quasi=["a", "b"], sensitive=["s", "u"]).measures
    of_s, of_u = (found["sensitive"][name] for name in "su")  # type: ignore[index]
    assert of_s["with_others"]["quasi"] == ["u"]
    for seen, rows in (
        (of_s, [(*q, s) for q, s, _ in drawn]),
        (of_u, [(*q, u) for q, _, u in drawn]),
        (of_s["with_others"], [(*q, u, s) for q, s, u in drawn]),
        (of_u["with_others"], [(*q, s, u) for q, s, u in drawn]),
    ):
        for name, value in models(rows, nulls_first, seen["recursive_l"]).items():
            assert same(seen[name], value), name


@given(drawn=st.lists(st.tuples(quasi, st.sampled_from([None, 1, 2, 3])), min_size=1, max_size=30))
def test_entities(con: duckdb.DuckDBPyConnection, drawn: list[tuple[Row, Hashable]]) -> None:
    con.execute("CREATE OR REPLACE TABLE release (a VARCHAR, b INTEGER, person INTEGER)")
    con.executemany("INSERT INTO release VALUES (?, ?, ?)", [[*q, e] for q, e in drawn])
    found = ppdt_db.audit(con, "release", quasi=["a", "b"], entity="person").measures
    people = [len(set(values)) for values in classes([(*q, e) for q, e in drawn])]
    assert found["k"] == min(people)
    assert found["prosecutor_risk_max"] == pytest.approx(1 / min(people))
    assert found["marketer_risk"] == pytest.approx(len(people) / sum(people))
    assert found["sample_uniqueness"] == pytest.approx(people.count(1) / sum(people))
