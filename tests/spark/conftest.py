"""A Spark session for the tests, on this machine; they skip where Spark or Java is missing."""

import importlib.util
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip with the reason, rather than fail in the fixture."""
    missing = ""
    if importlib.util.find_spec("pyspark") is None:
        missing = "pyspark is not installed: pip install 'ppdt-db[spark]'"
    elif shutil.which("java") is None:
        missing = "Spark needs Java, and there is no `java` here"
    for item in items:
        if Path(__file__).parent in Path(item.path).parents:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            if missing and "spark" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason=missing))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """Two cores of this machine."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = (
            SparkSession.builder.master("local[2]")
            .appName("ppdt tests")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.memory", "4g")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
            .getOrCreate()
        )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
