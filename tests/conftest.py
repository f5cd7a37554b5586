"""Fixtures of the whole suite."""

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, settings
from support import PATIENTS, SECRET, make_database

settings.register_profile(
    "ppdt",
    deadline=None,
    max_examples=int(os.environ.get("PPDT_EXAMPLES", "30")),
    derandomize="PPDT_EXAMPLES" not in os.environ,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ppdt")


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory."""
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A database whose every text holds a secret."""
    return make_database(
        tmp_path / "clinic.duckdb",
        PATIENTS.replace("'name '", f"'{SECRET} '").replace("'flu'", f"'{SECRET}'"),
        "CREATE TABLE empty AS FROM patients LIMIT 0",
        "CREATE TABLE nested AS SELECT [number] AS list, {'a': number} AS struct, "
        "MAP {1: 2} AS map, number FROM patients",
        "CREATE TABLE mine AS SELECT 1 AS one",
        "CREATE TABLE ppdt_mine AS SELECT 1 AS one",
        "CREATE TABLE reserved AS SELECT 1 AS ppdt_one, 2 AS b FROM range(20)",
        "CREATE TABLE same AS SELECT i % 5 AS age, 'one' AS target FROM range(50) AS r (i)",
    )
