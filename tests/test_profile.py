"""A profile counts; the policy that it suggests runs."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ppdt

import ppdt_db

cell = st.sampled_from([None, "a", "A", "b", "", "c"])


@given(drawn=st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=25))
def test_counts(drawn: list[tuple]) -> None:
    """Columns, and every pair and the triple of them, against counting by hand."""
    with duckdb.connect() as con:
        con.execute('CREATE TABLE r (x VARCHAR COLLATE nocase, "y; --" VARCHAR, z VARCHAR)')
        con.executemany("INSERT INTO r VALUES (?, ?, ?)", [list(row) for row in drawn])
        found = ppdt_db.profile(con, "r")
    names = ["x", "y; --", "z"]

    def alone(places: tuple[int, ...]) -> float:
        counts = Counter(tuple(row[i] for i in places) for row in drawn)
        return sum(n == 1 for n in counts.values()) / len(drawn)

    assert found.n_rows == len(drawn)
    for place, column in enumerate(found.columns):
        assert column.n_values == len({row[place] for row in drawn})
        assert column.n_nulls == sum(row[place] is None for row in drawn)
        assert column.uniqueness == pytest.approx(alone((place,)), abs=1e-6)
    by_set = {frozenset(one.columns): one.uniqueness for one in found.worst_sets}
    open_ = [i for i, column in enumerate(found.columns) if column.likely == "quasi-identifier"]
    for size in (2, 3):
        for places in combinations(open_, size):
            share = by_set[frozenset(names[i] for i in places)]
            assert share == pytest.approx(alone(places), abs=1e-6)


def test_the_suggested_policy_runs(tmp_path: Path) -> None:
    source, policy = tmp_path / "people.parquet", tmp_path / "policy.yaml"
    with duckdb.connect() as con:
        con.execute(
            "COPY (SELECT concat('p', i) AS name, 20 + i % 40 AS age, i % 2 = 0 AS member, "
            "[i] AS visits, 'here' AS place, random() AS weight FROM range(200) AS r (i)) "
            f"TO '{source}'"
        )
    found = ppdt("profile", source, "--json").json
    assert {column["name"]: column["likely"] for column in found["columns"]} == {
        "name": "identifier", "age": "quasi-identifier", "member": "quasi-identifier",
        "visits": "identifier", "place": "constant", "weight": "quasi-identifier",
    }  # fmt: skip
    policy.write_text(found["policy"] + f"out: {tmp_path / 'out.parquet'}\n")
    ended = ppdt("anonymize", "--policy", policy, "--quiet")
    assert ended.code == 0, ended.err
    shown = ppdt("profile", source)
    assert shown.code == 0 and "identifiers:" in shown.out and "rows made unique by" in shown.out


def test_no_value_is_shown(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    source.write_text("a,b\n" + "".join(f"secret{i % 7},planted{i % 3}\n" for i in range(40)))
    for asked in (("profile", source), ("profile", source, "--json")):
        ended = ppdt(*asked)
        assert ended.code == 0 and "secret" not in ended.out and "planted" not in ended.out
