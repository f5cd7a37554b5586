"""The experiment of Yang et al., on small data in the shape of theirs."""

import json
from pathlib import Path

import duckdb
import pytest
from support import ppdt

from ppdt_db import Erp, Mondrian
from ppdt_db.experiments.erp import ErpCell, ErpResult, cells_of
from ppdt_db.experiments.erp_data import ALL, KS, made, printed
from ppdt_db.experiments.erp_table import table_of
from ppdt_db.experiments.results_file import ResultsFile

CONTRA = """
    SELECT
        16 + i * 7 % 34 AS wife_age, 1 + i % 4 AS wife_education,
        1 + i * 3 % 4 AS husband_education,
        i % 9 AS num_children, i % 2 AS wife_religion, i * 5 % 3 % 2 AS wife_working,
        1 + i * 11 % 4 AS husband_occupation, 1 + i * 13 % 4 AS standard_of_living,
        i % 7 // 6 AS media_exposure,
        CASE WHEN i % 9 < 3 THEN 1 WHEN i * 7 % 34 < 15 THEN 2 ELSE 3 END AS contraceptive_method
    FROM range(160) AS r (i)
"""
ADULT = """
    SELECT
        20 + i * 7 % 30 AS age, 'e' || i % 4 AS education,
        CASE WHEN i % 20 > 0 THEN 'o' || i % 3 END AS occupation,
        CASE WHEN i * 7 % 30 < 12 OR i % 29 = 0 THEN 'a' ELSE 'b' END AS income
    FROM range(100) AS r (i)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with duckdb.connect() as con:
        con.execute(f"COPY ({CONTRA}) TO '{folder}/cmc.csv'")
        for part in ("train", "test"):
            con.execute(f"COPY ({ADULT}) TO '{folder}/adult_{part}.csv'")
    return folder


def bench(data: Path, *args: object) -> dict[tuple[str, str, int], dict]:
    ended = ppdt("bench", "paper", "erp", "--data", data, *args, "--json")
    assert ended.code == 0, ended.err
    return {(line["data"], line["method"], line["k"]): line for line in ended.json["lines"]}


def test_the_figures_are_the_papers() -> None:
    figures = printed()
    assert set(figures) == {
        (data, method, 1 if method == "original" else k)
        for data in ("contra", "adult")
        for method in ALL
        for k in KS
    }
    # What the paper says of its own table holds of these lines.
    for data in ("contra", "adult"):
        for k in KS:
            mondrian, erp, tiered = (figures[data, m, k] for m in ("mondrian", "erp", "tiered"))
            assert tiered.gcp < erp.gcp < mondrian.gcp
            assert mondrian.seconds <= erp.seconds <= tiered.seconds
            assert figures[data, "original", 1].error < tiered.error < erp.error
    assert figures["adult", "tiered", 20].error == 17.08
    assert figures["contra", "mondrian", 30].gcp == 0.5771


def test_the_methods_are_the_papers() -> None:
    assert made("mondrian", 20, None) == Mondrian(k=20, criterion="infogain")
    assert made("erp", 10, 2) == Erp(k=10, min_rows=2)
    assert made("tiered", 10, 7) == Erp(k=10, min_rows=7, tiered=True)


@pytest.mark.slow
def test_every_method_is_resumed(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "folds.jsonl"
    args = ("--only", "contra", "--k", 4, "--folds", 2, "--resume", kept)
    found = bench(data, *args)
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert {line["fold"] for line in lines} == {0, 1} and len(lines) == 8
    assert [key[1:] for key in found] == [
        ("original", 1), ("mondrian", 4), ("erp", 4), ("tiered", 4),
    ]  # fmt: skip
    original = found["contra", "original", 1]
    assert (original["gcp"], original["withheld"], original["their_error"]) == (None, 0, 47.79)
    assert original["error"] == original["error_untouched"]
    for (_, method, k), line in found.items():
        own = [one for one in lines if (one["method"], one["k"]) == (method, k)]
        assert {one["n_rows"] for one in own} == {16}
        assert all(one["n_right"] <= one["n_shown"] <= one["n_rows"] for one in own)
        shown = sum(one["n_shown"] for one in own)
        assert line["withheld"] == pytest.approx(100 - 100 * shown / 32)
        if k > 1:
            assert 0 < line["gcp"] <= 1 and line["seconds"] > 0 and line["their_gcp"] is None
    changed = [{**line, "n_shown": 8, "n_right": 6, "n_right_untouched": 4} for line in lines[:-1]]
    kept.write_text("".join(json.dumps(line) + "\n" for line in changed), "utf-8")
    again = bench(data, *args)
    *others, last = again.values()
    assert {(o["error"], o["withheld"], o["error_untouched"]) for o in others} == {(25, 50, 75)}
    added = json.loads(kept.read_text("utf-8").splitlines()[-1])
    assert {**added, "seconds": 0} == {**lines[-1], "seconds": 0}
    assert last["gcp"] == found["contra", "tiered", 4]["gcp"]
    kept.write_text(kept.read_text("utf-8") + "{}\n", "utf-8")
    ended = ppdt("bench", "paper", "erp", "--data", data, *args)
    assert ended.code == 2 and "line 9" in ended.err


@pytest.mark.slow
def test_only_complete_rows_count(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "folds.jsonl"
    args = ("--only", "adult", "--method", "original,tiered", "--k", "10", "--folds", 2)
    found = bench(data, *args, "--resume", kept)
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert [line["n_rows"] for line in lines] == 4 * [2 * 95 // 10]
    tiered = found["adult", "tiered", 10]
    assert (tiered["folds"], tiered["their_gcp"], tiered["their_error"]) == (2, 0.3648, 16.63)
    text = ppdt("bench", "paper", "erp", "--data", data, *args, "--resume", kept)
    assert text.code == 0 and f"{tiered['gcp']:.4f} / 0.3648" in text.out
    assert len(kept.read_text("utf-8").splitlines()) == 4


def test_folds_are_added_up() -> None:
    cells = cells_of(["adult"], ["original", "erp"], [10, 20], seed=1, n_folds=2, min_rows=7)
    assert {cell.min_rows for cell in cells if cell.method == "erp"} == {7}
    assert {cell.min_rows for cell in cells if cell.method == "original"} == {None}
    assert len(cells) == 6 and {cell.k for cell in cells if cell.method == "original"} == {1}
    record = ResultsFile(ErpResult)
    for cell in cells:
        of = (10, 8, 6, 5) if cell.fold else (10, 0, 0, 7)
        record.add(measured(cell, *of))
    (original, ten, twenty) = table_of(cells, record)
    assert (original.method, ten.k, twenty.k) == ("original", 10, 20)
    assert (ten.error, ten.withheld, ten.error_untouched) == (25, 60, 40)
    nothing = ResultsFile(ErpResult)
    for cell in cells:
        nothing.add(measured(cell, 10, 0, 0, 7))
    assert [line.error for line in table_of(cells, nothing)] == [None] * 3


def measured(cell: ErpCell, *counts: int) -> ErpResult:
    n_rows, n_shown, n_right, n_right_untouched = counts
    return ErpResult(
        cell=cell, seconds=1.0, gcp=0.5, n_rows=n_rows, n_shown=n_shown, n_right=n_right,
        n_right_untouched=n_right_untouched, size=1,
    )  # fmt: skip


def test_everything_wrong_is_named_at_once(data: Path, tmp_path: Path) -> None:
    wrong = ("--only", "iris", "--method", "magic", "--k", "1,x")
    ended = ppdt("bench", "paper", "erp", "--data", data, *wrong)
    assert ended.code == 2
    assert all(word in ended.err for word in ("iris", "magic", "--k 1", "--k x"))
    ended = ppdt("bench", "paper", "erp", "--data", tmp_path)
    assert ended.code == 2 and "cmc.csv" in ended.err and "adult_*.csv" in ended.err
