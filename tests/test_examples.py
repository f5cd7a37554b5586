"""The examples in the docstrings say what is true."""

import doctest
import importlib
import pkgutil

import pytest

import ppdt_db

# What needs an extra is looked at where the extra is installed.
EXTRAS = ("pyspark", "sklearn", "cairosvg", "py4j")
MODULES = sorted(
    found.name for found in pkgutil.walk_packages(ppdt_db.__path__, f"{ppdt_db.__name__}.")
)


@pytest.mark.parametrize("name", ["ppdt_db", *MODULES])
def test_examples_hold(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert error.name is not None and error.name.partition(".")[0] in EXTRAS
        pytest.skip(f"{error.name} is not installed")
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    results = [doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test) for test in tests]
    assert sum(result.failed for result in results) == 0


def test_there_are_examples() -> None:
    found = [
        test.name
        for name in ("ppdt_db.anonymize", "ppdt_db.plan.api", "ppdt_db.cost.scaling")
        for test in doctest.DocTestFinder().find(importlib.import_module(name))
        if test.examples
    ]
    assert {
        "ppdt_db.anonymize.anonymize",
        "ppdt_db.plan.api.plan",
        "ppdt_db.cost.scaling.line",
    } <= set(found)
