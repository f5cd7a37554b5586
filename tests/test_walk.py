"""The way of a run through the packages is short, and it removes only what it has made."""

import pytest
from tools.walk import SPOKEN, Walk, never_made, walked


@pytest.fixture(scope="module")
def found() -> tuple[Walk, list[str]]:
    walked()
    return walked()


def test_a_run_goes_through_few_packages(found: tuple[Walk, list[str]]) -> None:
    walk, _ = found
    assert len({*walk.packages}) <= 8 and walk.spoken <= SPOKEN
    assert walk.n_changes <= 128


def test_only_what_was_made_is_dropped(found: tuple[Walk, list[str]]) -> None:
    _, texts = found
    assert len(texts) > 100 and never_made(texts) == []
    assert never_made([*texts, 'DROP TABLE IF EXISTS "temp"."main"."ppdt_stranger"']) == [
        "ppdt_stranger"
    ]
