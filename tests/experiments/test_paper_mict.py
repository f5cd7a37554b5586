"""The experiment of Chettri and Ray, on small data in the shape of theirs."""

import json
from pathlib import Path
from random import Random

import duckdb
import pytest
from support import mostly_slow, ppdt

from ppdt_db import Mdav2k, Mict
from ppdt_db.evaluate.plot import as_svg
from ppdt_db.experiments.mict import cells_of
from ppdt_db.experiments.mict_data import KS, MODELS, OURS, MictCell, MictResult, made
from ppdt_db.experiments.mict_table import IL, figures_of, table_of
from ppdt_db.experiments.results_file import ResultsFile

GERMAN = """
    SELECT
        'A' || i % 4 AS checking_status, 6 + i * 7 % 42 AS duration_months,
        250 + i * 137 % 5000 AS credit_amount, 'A' || i * 11 % 5 AS purpose,
        CASE WHEN i % 4 < 2 OR i % 13 = 0 THEN 1 ELSE 2 END AS class
    FROM range(120) AS r (i)
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
        con.execute(f"COPY ({GERMAN}) TO '{folder}/german_credit.csv'")
        con.execute(f"COPY ({ADULT}) TO '{folder}/adult_train.csv'")
    return folder


def bench(data: Path, *args: object) -> dict[tuple[str, str, int], dict]:
    ended = ppdt("bench", "paper", "mict", "--data", data, *args, "--json")
    assert ended.code == 0, ended.err
    return {(line["data"], line["method"], line["k"]): line for line in ended.json["lines"]}


def kept_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_methods_are_the_papers() -> None:
    assert made("mict", 5) == Mict(k=5)
    assert made("mict-paper", 20) == Mict(k=20, mode="paper")
    assert made("mdav2k", 2) == Mdav2k(k=2)
    assert (KS[0], KS[-1]) == (2, 20)


@pytest.mark.parametrize("way", mostly_slow(["whole", "parts"], "whole"))
@pytest.mark.slow
def test_every_method_is_resumed_and_drawn(data: Path, tmp_path: Path, way: str) -> None:
    kept, picture = tmp_path / "folds.jsonl", tmp_path / "figure.svg"
    args = ("--only", "german", "--k", 4, "--folds", 1, "--resume", kept, "--perturb", way)
    found = bench(data, *args, "--plot", picture)
    lines = kept_lines(kept)
    assert [line["method"] for line in lines] == ["original", *OURS]
    assert [line["way"] for line in lines] == [None, *[way] * len(OURS)]
    assert list(found) == [("german", method, 4) for method in OURS]
    assert set(lines[0]["n_right"]) == {"OO"} and lines[0]["il"] is None
    for line, shown in zip(lines[1:], found.values(), strict=True):
        assert (line["n_learnt"], line["n_rows"]) == (108, 12)
        for model in MODELS:
            assert shown["accuracy"][model] == pytest.approx(100 * line["n_right"][model] / 12)
            lost = 100 * (lines[0]["n_right"]["OO"] - line["n_right"][model]) / 12
            assert shown["lost"][model] == pytest.approx(lost)
        assert 0 <= line["il"] <= 100 and line["sse"] >= 0
        assert shown["least"] >= 4 or line["method"] == "mict-paper"
    text = picture.read_text("utf-8")
    # Three models and one IL for each of four methods, and the legend.
    assert text.count("<circle") == 4 * (3 + 1) + 3 and f"german, mict-paper, {way}: inf" in text
    changed = [{**line, "il": 1.0, "n_right": dict.fromkeys(line["n_right"], 6)} for line in lines]
    kept.write_text("".join(json.dumps(line) + "\n" for line in changed[:-1]), "utf-8")
    *others, last = bench(data, *args).values()
    assert all(o["accuracy"] == {"PP": 50, "PO": 50, "OP": 50} and o["il"] == 1 for o in others)
    again = kept_lines(kept)[-1]
    assert {**again, "seconds": 0} == {**lines[-1], "seconds": 0}
    assert last["il"] == found["german", "microaggregate", 4]["il"]
    kept.write_text(kept.read_text("utf-8") + "{}\n", "utf-8")
    ended = ppdt("bench", "paper", "mict", "--data", data, *args)
    assert ended.code == 2 and "line 6" in ended.err


@pytest.mark.slow
def test_a_sample_follows_from_the_seed_and_has_complete_rows(data: Path, tmp_path: Path) -> None:
    with duckdb.connect() as con:
        order = list(range(100))
        Random(1).shuffle(order)
        con.execute(f"CREATE TABLE adult AS FROM '{data}/adult_train.csv'")
        rows = con.execute("SELECT * FROM adult").fetchall()
        con.execute("DELETE FROM adult")
        con.executemany("INSERT INTO adult VALUES (?, ?, ?, ?)", [rows[i] for i in order])
        con.execute(f"COPY adult TO '{tmp_path}/adult_train.csv'")
    args = ("--only", "adult", "--method", "mict", "--k", 3, "--folds", 1)
    (one,) = bench(data, *args, "--rows", 60).values()
    (two,) = bench(tmp_path, *args, "--rows", 60).values()
    (other,) = bench(data, *args, "--rows", 60, "--seed", 2).values()
    (whole,) = bench(data, *args).values()
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert (one["rows"], other["rows"], whole["rows"]) == (60, 60, 95)
    assert other["sse"] != one["sse"]
    said = ppdt("bench", "paper", "mict", "--data", data, *args, "--rows", 60).out
    assert "1 of 10 folds" in said and "a sample of at most 60 rows" in said


def test_lines_add_folds_up() -> None:
    cells = cells_of(["german"], ["mict"], [2, 5], n_folds=2, ways=["parts"])
    assert {cell.k for cell in cells if cell.method == "original"} == {1} and len(cells) == 6
    record = ResultsFile(MictResult)
    for cell in cells:
        record.add(measured(cell))
    two, five = table_of(cells, record)
    assert (two.k, five.k, two.original, two.folds) == (2, 5, 70, 2)
    assert two.accuracy == {"PP": 50, "PO": 60, "OP": 75}
    assert two.lost == {"PP": 20, "PO": 10, "OP": -5}
    assert (two.il, two.sse, two.least) == (15, 5, 3)
    assert IL.of(figures_of(cells, record)["german, mict, parts"].evaluations[0]) == 15
    assert "k=5: IL 15.000" in as_svg(figures_of(cells, record), IL)


def measured(cell: MictCell) -> MictResult:
    """Ten rows in the first fold, thirty in the second."""
    if cell.method == "original":
        right = {"OO": 4 if cell.fold == 0 else 24}
    else:
        right = {"PP": 5, "PO": 6, "OP": 9} if cell.fold == 0 else {"PP": 15, "PO": 18, "OP": 21}
    return MictResult(
        cell=cell, n_learnt=90, n_rows=30 if cell.fold else 10, n_right=right, seconds=1.0,
        sse=5.0, il=10.0 + 10 * cell.fold, gcp=0.5, least=3 + cell.fold,
    )  # fmt: skip


def test_everything_wrong_is_named_at_once(data: Path, tmp_path: Path) -> None:
    wrong = ("--only", "iris", "--method", "magic", "--k", "1,x", "--neighbours", 0, "--rows", 30)
    wrong = (*wrong, "--perturb", "none")
    ended = ppdt("bench", "paper", "mict", "--data", data, *wrong)
    assert ended.code == 2
    for word in (
        "iris",
        "magic",
        "--perturb none",
        "--k 1",
        "--k x",
        "--neighbours",
        "--rows 30: ",
    ):
        assert word in ended.err
    ended = ppdt("bench", "paper", "mict", "--data", tmp_path)
    assert ended.code == 2 and "german_credit.csv" in ended.err and "adult_train.csv" in ended.err
    ended = ppdt("bench", "paper", "mict", "--data", data, "--plot", tmp_path / "p.gif")
    assert ended.code == 2 and ".svg or .png" in ended.err
