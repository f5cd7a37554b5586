"""The page of an experiment: what is written, and what around it stays."""

import sys
from pathlib import Path

import click
import pytest

from ppdt_db.cli.bench.page import END, START, Page, command
from ppdt_db.experiments.verdict import Cell, counted, worse_cells

CELLS = [
    Cell(where="a", paper=80.0, ours=80.3, deviation=0.3),
    Cell(where="b", paper=80.0, ours=80.4, deviation=0.3),
    Cell(where="c", paper=80.0, ours=79.6, deviation=0.3),
    Cell(where="d", paper=0.4, ours=0.3, better="low"),
    Cell(where="e", paper="sex", ours="sex"),
    Cell(where="f", paper="sex", ours="race"),
    Cell(where="g", paper=1.0, ours=None),
    Cell(where="h", paper=3.0, ours=4.0, better=None),
]
COUNT = "8 cells: 2 better than the paper, 2 equal within its deviation, 3 worse, 1 not measured."


def page() -> Page:
    found = Page("Two trees", cells=CELLS)
    found.table("Table 1", ("k", "a|b"), [("5", "1|2")])
    found.note("A note.")
    return found


def test_verdicts_are_counted() -> None:
    assert counted(CELLS) == COUNT
    assert [cell.where for cell in worse_cells(CELLS)] == ["c", "f", "h"]


def test_a_page_ends_with_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    page().show()
    assert capsys.readouterr().out.splitlines()[-1] == COUNT


def test_what_is_around_the_marks_stays(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    page().write(path)
    first = path.read_text("utf-8")
    assert first.startswith("# Two trees\n") and "| 5 | 1\\|2 |" in first and COUNT in first
    path.write_text(first.replace("A note.", "stale") + "Reasons.\n", "utf-8")
    page().write(path)
    assert path.read_text("utf-8") == first + "Reasons.\n"


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"{END} {START}", "utf-8")
    with pytest.raises(click.UsageError, match="lacks the marks"):
        page().write(path)
    assert path.read_text("utf-8") == f"{END} {START}"


def test_files_are_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["x/ppdt", "bench", "--data", "/a/b", "--seeds", "5", "--page=/c", "--resume", "/d"]
    monkeypatch.setattr(sys, "argv", words)
    assert command() == "ppdt bench --data DIR --seeds 5"
