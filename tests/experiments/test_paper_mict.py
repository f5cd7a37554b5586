"""The experiment of Chettri and Ray, on small data in the shape of theirs."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import duckdb
import pytest
from support import mostly_slow, ppdt

from ppdt_db import Mdav2k, Mict
from ppdt_db.engine import DuckEngine
from ppdt_db.evaluate.plot import as_svg
from ppdt_db.experiments.mict import cells_of
from ppdt_db.experiments.mict_data import KS, MODELS, OURS, MictCell, MictResult, made
from ppdt_db.experiments.mict_table import IL, cells_of_text, figures_of, table_of
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.sqltext.quoting import Sql

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


@pytest.mark.parametrize("way", mostly_slow(["whole", "parts", "nearest"], "whole"))
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
        assert shown["least"] >= 4 or line["method"] in ("mict-paper", "mict-leaf")
        assert (line["path"] or 0) >= 4 or line["method"] != "mict-paper"
        assert (line["linked"] is None) == (way != "whole")
        if line["linked"] is not None:
            assert 0 <= line["found"] <= line["linked"] <= 12
            assert shown["linked"] == pytest.approx(100 * line["linked"] / 12)
    text = picture.read_text("utf-8")
    # Three models and one IL for each of five methods, and the legend.
    assert text.count("<circle") == 5 * (3 + 1) + 3 and f"german, mict-paper, {way}: inf" in text
    changed = [{**line, "il": 1.0, "n_right": dict.fromkeys(line["n_right"], 6)} for line in lines]
    kept.write_text("".join(json.dumps(line) + "\n" for line in changed[:-1]), "utf-8")
    *others, last = bench(data, *args).values()
    assert all(o["accuracy"] == {"PP": 50, "PO": 50, "OP": 50} and o["il"] == 1 for o in others)
    again = kept_lines(kept)[-1]
    assert {**again, "seconds": 0} == {**lines[-1], "seconds": 0}
    assert last["il"] == found["german", "microaggregate", 4]["il"]
    kept.write_text(kept.read_text("utf-8") + "{}\n", "utf-8")
    ended = ppdt("bench", "paper", "mict", "--data", data, *args)
    assert ended.code == 2 and "line 7" in ended.err


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
    assert (two.linked, two.found, two.tested) == (25, 12.5, 40)
    assert IL.of(figures_of(cells, record)["german, mict, parts"].evaluations[0]) == 15
    assert "k=5: IL 15.000" in as_svg(figures_of(cells, record), IL)


def test_the_words_of_the_paper_are_counted() -> None:
    cells = cells_of(["german"], ["mict", "mict-paper"], [2, 5], n_folds=2, ways=["whole"])
    record = ResultsFile(MictResult)
    for cell in cells:
        record.add(measured(cell))
    found = cells_of_text(table_of(cells, record))
    assert len(found) == 2 * (len(MODELS) + 1)
    assert [cell.verdict for cell in found] == [
        "worse", "worse", "equal", "equal", "worse", "worse", "equal", "worse",
    ]  # fmt: skip
    assert found[0].paper == 70 and found[0].deviation == pytest.approx(7.25)
    assert (found[-1].where, found[-1].paper, found[-1].ours) == (
        "german, whole, k = 5: k of every path", 5, 2,
    )  # fmt: skip


def test_adult_leaves_out_what_takes_long() -> None:
    cells = cells_of(["german", "adult"], None, [5], n_folds=1)
    of = {name: {c.method for c in cells if c.data == name} for name in ("german", "adult")}
    assert of["german"] == {"original", *OURS} and of["adult"] == {"original", "mict-paper"}


def test_the_nearest_class_is_the_one_that_python_finds() -> None:
    chance = Random(3)
    rows = [(i, chance.randrange(50), chance.choice("abc"), i % 2) for i in range(60)]
    shown = {i: (float(x // 10 * 10), w) for i, x, w, _ in rows}
    with duckdb.connect() as con:
        engine = DuckEngine(con)
        con.execute("CREATE TABLE t (n INTEGER, x INTEGER, w VARCHAR, y INTEGER)")
        con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
        con.execute("CREATE TABLE o (n INTEGER, x DOUBLE, w VARCHAR)")
        con.executemany("INSERT INTO o VALUES (?, ?, ?)", [(i, *of) for i, of in shown.items()])
        features: dict[str, object] = {"source": Sql("o"), "columns": ["x", "w"], "number": "n"}
        engine.make("tools/bench/shown_class", names=features)
        is_number = {"x": True, "w": False}
        names = {**features, "source": Sql("t"), "columns": is_number}
        engine.make("tools/bench/nearest_class", names=names)
        found = dict(
            con.execute(
                "SELECT number, (x, w) FROM ppdt_nearest_class JOIN ppdt_shown_class "
                "USING (class_id)"
            ).fetchall()
        )
        linked = engine.rows("tools/bench/linked", names=features)
    width = max(x for x, _ in shown.values()) - min(x for x, _ in shown.values())

    def gap(row: tuple, of: tuple[float, str]) -> float:
        return ((row[1] - of[0]) / width) ** 2 + (row[2] != of[1])

    classes = sorted(set(shown.values()))
    nearest = {row[0]: min(classes, key=lambda of: (round(gap(row, of), 6), of)) for row in rows}
    assert found == nearest
    own = [i for i, of in nearest.items() if of == shown[i]]
    sizes = Counter(shown.values())
    assert dict(linked) == Counter(sizes[shown[i]] for i in own)


def measured(cell: MictCell) -> MictResult:
    """Ten rows in the first fold, thirty in the second."""
    if cell.method == "original":
        right = {"OO": 4 if cell.fold == 0 else 24}
    else:
        right = {"PP": 5, "PO": 6, "OP": 9} if cell.fold == 0 else {"PP": 15, "PO": 18, "OP": 21}
    return MictResult(
        cell=cell, n_learnt=90, n_rows=30 if cell.fold else 10, n_right=right, seconds=1.0,
        sse=5.0, il=10.0 + 10 * cell.fold, gcp=0.5, least=3 + cell.fold,
        path=None if cell.method == "original" else 2, linked=1 + 8 * cell.fold,
        found=0.5 + 4.0 * cell.fold,
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
