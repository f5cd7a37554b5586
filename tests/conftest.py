"""Fixtures of the whole suite."""

import os
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import HealthCheck, settings

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
