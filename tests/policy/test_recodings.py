"""The table of recodings: what it promises about types, SQL and documents is there."""

from pathlib import Path
from typing import get_args

import pytest

from ppdt_db.recodings import RECODINGS, Recoding
from ppdt_db.sqltext.templates import steps

TOP = Path(__file__).parents[2]


def test_every_recoding_is_in_the_table_once() -> None:
    assert list(get_args(Recoding)) == list(RECODINGS)


@pytest.mark.parametrize("name", RECODINGS)
def test_its_sql_is_there(name: str) -> None:
    kind = RECODINGS[name]
    assert not kind.helper or kind.step in steps()
    assert f"audit/share_{kind.read_as}" in steps()


@pytest.mark.parametrize("name", RECODINGS)
def test_it_is_documented(name: str) -> None:
    assert f"\n| `{name}` | " in (TOP / "docs/roles.md").read_text("utf-8")
    glossary = (TOP / "docs/glossary.md").read_text("utf-8")
    assert name in glossary.partition("| recoding |")[2].partition("\n")[0]
