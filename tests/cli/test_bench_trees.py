"""The benches of trees, on small data in the shape of the data sets that they ask for."""

from collections import Counter
from pathlib import Path

import duckdb
import pytest
from support import ppdt

from ppdt_db.cli.bench.trees import SCALED_FEATURES, make_scaled
from ppdt_db.engine import DuckEngine

ADULT = """
    SELECT
        17 + i % 50 AS age, chr(97 + i % 5) AS workclass, chr(97 + (i * 7) % 9) AS education,
        chr(97 + (i * 3) % 4) AS marital_status, chr(97 + (i * 11) % 6) AS occupation,
        chr(97 + i % 3) AS race, CASE WHEN i % 9 > 0 THEN chr(97 + i % 2) END AS sex,
        CASE WHEN i % 7 < 3 THEN '>50K' ELSE '<=50K' END AS income
    FROM (SELECT CAST(range AS INTEGER) AS i FROM range(120))
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with duckdb.connect() as con:
        con.execute(f"COPY ({ADULT}) TO '{tmp_path}/adult_train.csv'")
        con.execute(
            f"COPY (SELECT age, sex, race AS type FROM ({ADULT})) TO '{tmp_path}/glass.csv'"
        )
    return tmp_path


def test_scaled_keeps_rows_and_draws_from_domains(data: Path) -> None:
    columns = [*SCALED_FEATURES]
    with duckdb.connect() as con:
        for name in ("one", "two"):
            path = data / f"{name}.parquet"
            make_scaled(DuckEngine(con), data / "adult_*.csv", columns, "income", 6, path)
        first, second = (
            Counter(con.execute(f"FROM '{data}/{name}.parquet'").fetchall())
            for name in ("one", "two")
        )
        complete = con.execute(f"FROM ({ADULT}) WHERE sex IS NOT NULL").fetchall()
    assert first == second
    assert sum(first.values()) == 6 * len(complete)
    assert Counter(complete) <= first
    for row in first:
        assert all(value in {one[i] for one in complete} for i, value in enumerate(row))
        kin = (one for one in complete if one[-1] == row[-1])
        assert max(sum(a == b for a, b in zip(row, one, strict=True)) for one in kin) >= 4


def test_bench_scaled(data: Path) -> None:
    found = ppdt("bench", "scaled", "--data", data, "--scale", 3, "--min-rows", 9, "--json").json
    assert found["rows"] == 318
    assert found["peak_memory_mb"] > 0


@pytest.mark.slow
def test_bench_trees(data: Path) -> None:
    found = ppdt("bench", "trees", "--data", data, "--only", "glass", "--seeds", 2, "--json").json
    (glass,) = found["sets"]
    assert glass["published"] == 67.63
    assert glass["within_sd"] == (abs(glass["accuracy"] - 67.63) <= 3.68)


def test_what_is_missing_is_named_at_once(data: Path) -> None:
    found = ppdt("bench", "trees", "--data", data, "--only", "iris,vehicle")
    assert found.code == 2
    assert "iris" in found.err and "vehicle.csv" in found.err
