"""Fixtures of the whole suite, and what a quick run leaves to a full one.

A quick run (`pytest`) leaves out the tests marked `slow` and takes a sixth of the examples of each
property. `pytest -m slow` runs just these tests, and each property with all of its examples;
`pytest -m "not by_hand"` runs everything. A test that is named (`file.py::test`) always runs.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from support import ALL_EXAMPLES, PATIENTS, SECRET, make_database

QUICK = "not slow and not by_hand"  # As pytest's options in pyproject.toml say.
ASKED = os.environ.get("PPDT_EXAMPLES")
settings.register_profile(
    "full",
    deadline=None,
    max_examples=int(ASKED or ALL_EXAMPLES),
    derandomize=ASKED is None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "quick", settings.get_profile("full"), max_examples=int(ASKED or ALL_EXAMPLES // 6)
)


def is_quick(config: pytest.Config) -> bool:
    """Whether the run leaves out what is slow."""
    return "not slow" in config.option.markexpr


def pytest_configure(config: pytest.Config) -> None:
    """Run what is named, slow or not; load the number of examples before tests are imported."""
    if config.option.markexpr == QUICK and any("::" in argument for argument in config.args):
        config.option.markexpr = ""
    settings.load_profile("quick" if is_quick(config) else "full")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every property as slow where all of its examples run."""
    if not is_quick(config):
        for item in items:
            if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
                item.add_marker(pytest.mark.slow)


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
