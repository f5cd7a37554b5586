"""What comes from Spark's executors to the driver: counts and trees, never the rows of a source."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

import ppdt_db
from ppdt_db import Kactus, Mondrian

N_ROWS = 3_000
PLANTED = "planted-"
# Every row has a text of its own in each column that is text, and nearly its own number.
PEOPLE = f"""
    SELECT (i * 7919) % 2903 AS age, concat('{PLANTED}', (i * 31) % 977) AS place,
        concat('{PLANTED}note ', i) AS note, CASE WHEN i % 3 = 0 THEN 'yes' ELSE 'no' END AS answer
    FROM range({N_ROWS}) AS r (i)
"""


@pytest.fixture
def collected(spark: Any, monkeypatch: pytest.MonkeyPatch) -> list[list[Any]]:
    """All that comes to the driver meanwhile."""
    frame = type(spark.range(1))
    found: list[list[Any]] = []
    original = frame.collect

    def collect(self: Any) -> list[Any]:
        rows = original(self)
        found.append(rows)
        return rows

    def other(self: Any, *args: object, **given: object) -> None:
        raise AssertionError("rows came to the driver by another way")

    monkeypatch.setattr(frame, "collect", collect)
    for way in ("toLocalIterator", "toPandas", "toArrow", "foreach"):
        monkeypatch.setattr(frame, way, other)
    return found


@pytest.mark.parametrize("method", [Mondrian(k=5), Kactus(k=5, min_rows=20)])
def test_no_row_comes_to_the_driver(
    spark: Any, tmp_path: Path, collected: list[list[Any]], method: Any
) -> None:
    source = tmp_path / "people.parquet"
    duckdb.sql(f"COPY ({PEOPLE}) TO '{source}'")
    quasi = ["age", "place"] if method.name == "mondrian" else ["age"]
    keep = ["note"] if method.name == "mondrian" else ["note", "place"]
    release = ppdt_db.anonymize(
        spark, source, quasi=quasi, target="answer", keep=keep, method=method,
        out=tmp_path / "out.parquet",
    )  # fmt: skip
    assert release.certificate["k_measured"] >= 5
    assert collected
    assert max(map(len, collected)) < N_ROWS / 10
    assert PLANTED not in str(collected)
