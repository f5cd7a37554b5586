"""The experiment of Yang et al., on small data in the shape of theirs."""

import json
from pathlib import Path

import duckdb
import pytest
from support import ppdt

from ppdt_db import Attribute, Erp, Mondrian, anonymize
from ppdt_db.experiments.erp import ErpCell, ErpResult, cells_of
from ppdt_db.experiments.erp_data import ALL, KS, made, printed
from ppdt_db.experiments.erp_groups import Grouped, Groups
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
    found = [made("mondrian", 20, None), made("erp", 10, 2, "many-way")]
    found.append(made("tiered", 10, 7, "narrow"))
    plain = [Mondrian(k=20, criterion="infogain"), Erp(k=10, min_rows=2)]
    plain.append(Erp(k=10, min_rows=7, tiered=True, binary=True, narrow=True))
    assert [one.parameters for one in found] == [one.parameters for one in plain]
    assert [isinstance(one, type(of)) for one, of in zip(found, plain, strict=True)] == [True] * 3


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
        assert all(one["n_right_shown"] <= one["n_shown"] <= one["n_rows"] for one in own)
        n_right = sum(one["n_right"] for one in own)
        assert line["error"] == pytest.approx(100 - 100 * n_right / 32)
        shown = sum(one["n_shown"] for one in own)
        assert line["withheld"] == pytest.approx(100 - 100 * shown / 32)
        if k > 1:
            assert 0 < line["gcp"] <= 1 and line["seconds"] > 0 and line["their_gcp"] is None
    changed = [
        {**line, "n_shown": 8, "n_right": 2, "n_right_shown": 6, "n_right_untouched": 4}
        for line in lines[:-1]
    ]
    kept.write_text("".join(json.dumps(line) + "\n" for line in changed), "utf-8")
    again = bench(data, *args)
    *others, last = again.values()
    assert {
        (o["error"], o["error_shown"], o["withheld"], o["error_untouched"]) for o in others
    } == {(87.5, 25, 50, 75)}
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
        of = (10, 8, 6, 5, 9) if cell.fold else (10, 0, 0, 7, 4)
        record.add(measured(cell, *of))
    (original, ten, twenty) = table_of(cells, record)
    assert (original.method, ten.k, twenty.k) == ("original", 10, 20)
    assert (ten.error_shown, ten.withheld, ten.error_untouched) == (25, 60, 40)
    assert ten.error == 35
    nothing = ResultsFile(ErpResult)
    for cell in cells:
        nothing.add(measured(cell, 10, 0, 0, 7, 5))
    assert [line.error_shown for line in table_of(cells, nothing)] == [None] * 3


def measured(cell: ErpCell, *counts: int) -> ErpResult:
    n_rows, n_shown, n_right_shown, n_right_untouched, n_right = counts
    return ErpResult(
        cell=cell, seconds=1.0, gcp=0.5, n_rows=n_rows, n_shown=n_shown, n_right=n_right,
        n_right_shown=n_right_shown, n_right_untouched=n_right_untouched, size=1,
    )  # fmt: skip


ROWS = """
    SELECT i % 23 AS age, 't' || i * 7 % 5 AS town, CASE WHEN i % 23 < 9 THEN 'a' ELSE 'b' END AS y
    FROM range({}, {}) AS r (i)
"""


@pytest.mark.parametrize("method", ["mondrian", "erp", "tiered"])
def test_test_rows_are_generalized_in_the_groups_of_others(method: str) -> None:
    """Every row is shown, in the group to which the tree of other rows leads it."""
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE train AS {ROWS.format(0, 90)} WHERE i % 5 <> 4")
        con.execute(f"CREATE TABLE test AS {ROWS.format(90, 130)}")
        own = made(method, 6, 2, None if method == "mondrian" else "many-way")
        shared = {
            "quasi": [Attribute("age", "range"), Attribute("town", "set")],
            "target": "y",
            "record": False,
            "accept": ["kk-anonymity"] if method == "tiered" else [],
        }
        anonymize(con, "train", method=own, into="released", **shared)
        (groups,) = own.found
        is_tiered = method == "tiered"
        grouped = Grouped(k=6, groups=groups, tiered=is_tiered)
        anonymize(con, "test", method=grouped, into="shown", **shared)
        rows = con.execute("SELECT age, town, y FROM test").fetchall()
        # Every group shows its own rows: the tight box of each, and no other label.
        found: dict[int, list] = {}
        for row in rows:
            found.setdefault(group_of(groups, row), []).append(row)
        labels = [
            (age, tuple(towns), y)
            for age, towns, y in con.execute("SELECT age, town, y FROM shown").fetchall()
        ]
    assert len(labels) == 40 and all(age is not None for age, *_ in labels)
    if method == "tiered":
        assert len({label[:2] for label in labels}) >= len(found)
        return
    expected = [
        (interval([row[0] for row in own]), tuple(sorted({row[1] for row in own})), y)
        for own in found.values()
        for _, _, y in own
    ]
    assert sorted(labels) == sorted(expected)


def interval(ages: list[int]) -> str:
    return f"[{min(ages)}, {max(ages)}]"


def group_of(groups: Groups, row: tuple) -> int:
    """The group of a row; of several branches without its value, that of most rows."""
    number, nodes = 0, groups.tree.nodes
    while nodes[number].branches:
        node = nodes[number]
        value = row[0] if node.attribute == "age" else row[1]
        tests = {
            "<=": lambda bound, value=value: value <= float(bound),
            ">": lambda bound, value=value: value > float(bound),
            "=": lambda known, value=value: value == known,
        }
        fits = [b.child for b in node.branches if b.value is not None and tests[b.test](b.value)]
        rest = sorted({b.child for b in node.branches}, key=lambda n: (-nodes[n].total, n))
        number = (fits or rest)[0]
    return groups.group_of[number]


def test_everything_wrong_is_named_at_once(data: Path, tmp_path: Path) -> None:
    wrong = ("--only", "iris", "--method", "magic", "--k", "1,x")
    ended = ppdt("bench", "paper", "erp", "--data", data, *wrong)
    assert ended.code == 2
    assert all(word in ended.err for word in ("iris", "magic", "--k 1", "--k x"))
    ended = ppdt("bench", "paper", "erp", "--data", tmp_path)
    assert ended.code == 2 and "cmc.csv" in ended.err and "adult_*.csv" in ended.err
