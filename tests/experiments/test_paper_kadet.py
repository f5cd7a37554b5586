"""The experiment of Friedman et al., on small data in the shape of theirs."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest
from support import ppdt

from ppdt_db.experiments.kadet import KadetCell, KadetResult, cells_of
from ppdt_db.experiments.kadet_data import CATEGORIES, FEATURES, FIGURES
from ppdt_db.experiments.kadet_figures import drawn
from ppdt_db.experiments.kadet_plot import as_svg
from ppdt_db.experiments.kadet_verdict import stated
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.learn import Kadet, confusion_matrix, learn
from ppdt_db.learn.kadet.certainty import least_l

ADULT = """
    SELECT
        20 + i * 7 % 50 AS age, 'w' || i % 4 AS workclass, 1000 + i * 37 % 400 AS fnlwgt,
        'e' || i % 6 AS education, i % 6 AS education_num, 'm' || i * 3 % 5 AS marital_status,
        'o' || i % 7 AS occupation, 'r' || i * 5 % 6 AS relationship, 'c' || i % 2 AS race,
        's' || i * 11 % 2 AS sex, i % 13 AS capital_gain, i % 17 AS capital_loss,
        30 + i % 20 AS hours_per_week, CASE WHEN i % 50 > 0 THEN 'n' || i % 9 END AS native_country,
        CASE WHEN i * 5 % 6 < 2 OR i % 29 = 0 THEN 'a' ELSE 'b' END AS income
    FROM range({}, {}) AS r (i)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Adult in small, and hierarchies whose groups are by the last digit's half."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "hierarchies" / "adult").mkdir(parents=True)
    with duckdb.connect() as con:
        for part, bounds in (("train", (0, 300)), ("test", (300, 400))):
            con.execute(f"COPY ({ADULT.format(*bounds)}) TO '{folder}/adult_{part}.csv'")
        con.execute(f"CREATE TABLE rows AS {ADULT.format(0, 400)}")
        for name in CATEGORIES:
            con.execute(
                f"COPY (SELECT DISTINCT {name}, CASE WHEN right({name}, 1) < '3' THEN 'low' ELSE "
                f"'high' END AS half, '*' AS root FROM rows WHERE {name} IS NOT NULL ORDER BY ALL) "
                f"TO '{folder}/hierarchies/adult/{name}.csv'"
            )
    return folder


def bench(data: Path, *args: object) -> dict[int, dict]:
    ended = ppdt("bench", "paper", "kadet", "--data", data, *args, "--json")
    assert ended.code == 0, ended.err
    return {figure["figure"]: figure for figure in ended.json["figures"]}


def test_limits_are_those_of_the_text() -> None:
    assert round(least_l(85), 3) == 1.526
    assert (least_l(100), least_l(50)) == (1, 2)


@pytest.mark.slow
def test_every_figure_is_drawn_and_resumed(data: Path, tmp_path: Path) -> None:
    kept, plot = tmp_path / "trees.jsonl", tmp_path / "figures.svg"
    args = ("--k", 5, "--limit", "95", "--resume", kept)
    found = bench(data, *args, "--plot", plot)
    assert list(found) == [4, 5, 6, 7, 8]
    assert set(found[4]["original"]) == set(found[7]["original"]) == {"id3", "c45"}
    assert set(found[5]["original"]) == set(found[8]["original"]) == {"c45"}
    for number in (4, 5):
        assert [line["k"] for line in found[number]["lines"]] == [5]
        for line in found[number]["lines"]:
            assert line["k_measured"] >= line["k"]
            assert line["tds_error"] is not None and line["tds_both_error"] is not None
    assert [(n["form"], n["k"]) for n in found[6]["lines"]] == [("id3", 5), ("c45", 5)]
    for number in (7, 8):
        assert [line["limit"] for line in found[number]["lines"]] == [95]
        assert all(n["l_measured"] >= round(n["l"], 6) for n in found[number]["lines"])
    ElementTree.fromstring(plot.read_text("utf-8"))
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert {line["n_rows"] for line in lines} == {98}
    assert len(lines) == 3 + 6 + 2
    changed = [{**line, "n_rows": 100, "n_right": 75, "exposed": 5.0} for line in lines]
    kept.write_text("".join(json.dumps(line) + "\n" for line in changed), "utf-8")
    again = bench(data, *args)
    assert {n["error"] for figure in again.values() for n in figure["lines"]} == {25}
    text = ppdt("bench", "paper", "kadet", "--data", data, *args)
    assert text.code == 0 and "Figure 8" in text.out and "25.00" in text.out
    assert len(kept.read_text("utf-8").splitlines()) == len(lines)
    kept.write_text('{"form": "id3"}\n', "utf-8")
    assert ppdt("bench", "paper", "kadet", "--data", data, *args).code == 2


@pytest.mark.slow
@pytest.mark.parametrize("form", ["id3", "c45"])
def test_the_tree_is_the_one_that_anybody_learns(data: Path, form: str) -> None:
    number = {"id3": 4, "c45": 5}[form]
    (line,) = bench(data, "--figure", number, "--k", 10)[number]["lines"]
    features = FEATURES[form]
    files = {name: data / "hierarchies" / "adult" / f"{name}.csv" for name in CATEGORIES}
    with duckdb.connect() as con:
        for part in ("train", "test"):
            con.execute(
                f"CREATE TABLE {part} AS FROM '{data}/adult_{part}.csv' "
                "WHERE native_country IS NOT NULL"
            )
        learner = Kadet(k=10, public=features, form=form, hierarchies=files)
        model = learn(con, "train", target="income", learner=learner)
        told = confusion_matrix(con, model, "test", target="income")
    wrong = sum(n for (truth, taken), n in told.items() if truth != taken)
    assert line["error"] == pytest.approx(100 * wrong / 98)
    assert line["nodes"] == model.size and line["root"] == model.tree.nodes[0].attribute
    certificate = model.certificate
    assert line["k_measured"] == certificate["k_measured"]
    assert line["exposed"] == pytest.approx(100 * certificate["rows_exposed"] / 294)


def measured(cell: KadetCell, n_right: int) -> KadetResult:
    return KadetResult(
        cell=cell, seconds=1.0, n_rows=100, n_right=n_right, size=3, root="sex", exposed=0.0
    )


def test_tds_stands_beside_the_same_k() -> None:
    figure = FIGURES[5]
    cells = [KadetCell(form="c45", method=m, k=k) for k in (5, 50) for m in ("kadet", "tds")]
    record = ResultsFile(KadetResult)
    for cell, n_right in zip(cells, (84, 80, 82, 80), strict=True):
        record.add(measured(cell, n_right))
    one = drawn(figure, cells, record)
    assert [(line.k, line.error, line.tds_error) for line in one.lines] == [
        (5, 16, 20), (50, 18, 20),
    ]  # fmt: skip
    assert one.below_tds == 3
    assert "TDS" in as_svg([one])
    alone = drawn(figure, [cell for cell in cells if cell.method == "kadet"], record)
    assert alone.below_tds is None and "TDS" not in as_svg([alone])
    assert [cell.method for cell in cells_of(figure, (5,), ())][:2] == ["c45", "kadet"]


def test_a_limit_that_no_tree_keeps(data: Path) -> None:
    ended = ppdt("bench", "paper", "kadet", "--data", data, "--figure", 7, "--limit", "55")
    assert ended.code == 3 and "--limit 55" in ended.err


def test_everything_wrong_is_named_at_once(data: Path, tmp_path: Path) -> None:
    wrong = ("--k", "0,x", "--limit", "40,high")
    ended = ppdt("bench", "paper", "kadet", "--data", data, *wrong)
    assert ended.code == 2
    assert all(word in ended.err for word in ("--k 0", "--k x", "--limit 40", "--limit high"))
    ended = ppdt("bench", "paper", "kadet", "--data", data, "--hierarchies", tmp_path)
    assert ended.code == 2 and "race.csv" in ended.err and "sex.csv" in ended.err
    ended = ppdt("bench", "paper", "kadet", "--data", data, "--plot", tmp_path / "p.gif")
    assert ended.code == 2 and ".svg" in ended.err


@pytest.mark.slow
def test_the_page_counts_what_the_text_states(data: Path, tmp_path: Path) -> None:
    page = tmp_path / "kadet.md"
    args = ("--k", "5,75", "--limit", "95,85", "--resume", tmp_path / "r.jsonl", "--page", page)
    ended = ppdt("bench", "paper", "kadet", "--data", data, *args)
    assert ended.code == 0, ended.err
    count = ended.out.splitlines()[-1]
    # Two of figures 4 and 5 each, one of figure 6 (k = 75), two of figures 7 and 8 each.
    assert count.startswith("9 cells: ") and f"**{count}**" in page.read_text("utf-8")
    assert all(f"Figure {number}" in page.read_text("utf-8") for number in range(4, 9))


def test_what_the_text_states_of_roots() -> None:
    figure = FIGURES[4]
    cells = [KadetCell(form="id3", method="kadet", k=k) for k in (750, 1000)]
    record = ResultsFile(KadetResult)
    for cell, root, n_right in zip(cells, ("relationship", "sex"), (80, 82), strict=True):
        record.add(replace(measured(cell, n_right), root=root))
    found = {cell.where: cell.verdict for cell in stated(drawn(figure, cells, record))}
    assert found == {
        "figure 4, points of error below TDS, mean over k": "not measured",
        "figure 4, seconds of the slowest tree: less than": "better",
        "figure 4, root at k = 750": "equal",
        "figure 4, root at k = 1000": "worse",
        "figure 4, error at k = 1000 against k = 750": "equal",
    }
