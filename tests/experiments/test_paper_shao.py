"""The experiment of Shao and Beckford: on a small table, and on Adult where it is at hand."""

import os
from importlib import import_module
from pathlib import Path

import duckdb
import pytest
from support import ppdt

from ppdt_db.engine import DuckEngine
from ppdt_db.experiments import shao_data
from ppdt_db.experiments.adult import complete
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.experiments.shao import measure, table_3
from ppdt_db.experiments.shao_rows import rows_of
from ppdt_db.experiments.shao_table import cells_of_table_3, lines_of

# The module, whose name in its package is the command's too.
bench = import_module("ppdt_db.cli.bench.shao")

ROWS = """
    SELECT
        20 + i * 7 % 50 AS age, 'w' || i % 4 AS workclass, 'e' || i % 6 AS education,
        'm' || i * 3 % 5 AS marital_status, 'o' || i % 7 AS occupation,
        'r' || i * 5 % 6 AS relationship, 'c' || i % 2 AS race, 's' || i * 11 % 2 AS sex,
        'n' || i % 9 AS native_country, 30 + i % 20 AS hours_per_week, i % 13 AS capital_gain,
        i % 17 AS capital_loss,
        CASE WHEN i * 5 % 6 < 2 OR i % 29 = 0 THEN 'a' ELSE 'b' END AS income
    FROM range({}, {}) AS r (i)
    UNION ALL SELECT {}
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    incomplete = "30, NULL, 'e', 'm', 'o', 'r', 'c', 's', 'n', 1, 1, 1, 'a'"
    with duckdb.connect() as con:
        for part, bounds in (("train", (0, 400)), ("test", (400, 500))):
            rows = ROWS.format(*bounds, incomplete)
            con.execute(f"COPY ({rows}) TO '{tmp_path}/adult_{part}.csv'")
    return tmp_path


@pytest.mark.slow
def test_on_a_small_table(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (shao_data, bench):
        monkeypatch.setattr(module, "N_QUASI", (6, 9))
    kept, page = small / "kept.jsonl", small / "page.md"
    args = ("bench", "paper", "shao", "--data", small, "--seeds", 2, "--resume", kept, "--k", 4)
    ended = ppdt(*args, "--json", "--page", page)
    assert ended.code == 0, ended.err
    lines = {(x["reading"], x["criterion"], x["k"], x["n_quasi"]): x for x in ended.json["lines"]}
    plain = lines[shao_data.PAPER, "none", 1, 0]["accuracy"]
    for (reading, criterion, k, n_quasi), line in lines.items():
        if criterion != "none" and reading == shao_data.PAPER:
            assert line["loss"] == pytest.approx(plain - line["accuracy"])
            assert line["seeds"] == 2 and k in (4, 64) and n_quasi in (6, 9)
    assert {x["n_quasi"] for x in lines.values()} == {0, 6, 9}
    assert {x["reading"] for x in lines.values()} == set(shao_data.READINGS)
    wheres = [cell["where"] for cell in ended.json["cells"]]
    assert len(wheres) == len(set(wheres))
    for start in ("plain ID3", "table III,", "figure 2, points", "figure 3, greatest", "table IV,"):
        assert any(where.startswith(start) for where in wheres), start
    # Nothing is measured twice, and the tables say the same.
    before = kept.read_bytes()
    text = ppdt(*args)
    assert text.code == 0 and kept.read_bytes() == before
    assert text.out.splitlines()[-1].startswith(f"{len(wheres)} cells: ")
    for title in ("Table III", "Figure 2", "Figure 3", "Table IV"):
        assert title in text.out and title in page.read_text("utf-8")


def test_test_rows_in_the_sets_of_a_release(small: Path) -> None:
    """A row that a class covers shows sets that hold its values; the others show sets of one."""
    cell = shao_data.ShaoCell(
        reading=shao_data.OWN_VALUE_OF_TESTS, criterion="median", k=4, n_quasi=6, seed=1
    )
    quasi = [name for name in shao_data.quasi_of(cell) if name in shao_data.FEATURES]
    with duckdb.connect() as con:
        engine = DuckEngine(con)
        train, test = (complete(engine, small, p, shao_data.COLUMNS) for p in ("train", "test"))
        with rows_of(engine, train, test, cell, tests_sets=True) as rows:
            assert rows.test_in_sets is not None
            names = ", ".join(test.columns)
            shown = con.execute(f"SELECT {names} FROM {rows.test_in_sets.relation}").fetchall()
            released = con.execute(f"SELECT {names} FROM {rows.train.relation}").fetchall()
        plain = con.execute(f"SELECT {names} FROM {test.relation}").fetchall()
        assert con.execute("SELECT count(*) FROM duckdb_tables() WHERE temporary").fetchone() == (
            2,
        )
    at = {name: list(test.columns).index(name) for name in quasi}
    kept = [i for i, name in enumerate(test.columns) if name not in shao_data.quasi_of(cell)]
    others = [tuple(row[i] for i in kept) for row in plain]
    assert sorted(tuple(row[i] for i in kept) for row in shown) == sorted(others)
    for row in shown:
        mine = tuple(row[i] for i in kept)
        owners = [one for one, kept_of in zip(plain, others, strict=True) if kept_of == mine]
        assert any(all(one[i] in row[i] for i in at.values()) for one in owners)
    of_release = [{tuple(row[i]) for row in released} for i in at.values()]
    covered = [row for row in shown if any(len(row[i]) > 1 for i in at.values())]
    assert covered
    for row in covered:
        assert all(tuple(row[i]) in s for i, s in zip(at.values(), of_release, strict=True))


def test_table_3_is_the_papers() -> None:
    """It needs no data: the eight rows are printed, and so are the counts and the entropies."""
    with duckdb.connect() as con:
        cells = cells_of_table_3(table_3(con))
    assert len(cells) == 7 and {cell.verdict for cell in cells} == {"equal"}


@pytest.mark.slow
def test_one_part_alone(small: Path) -> None:
    args = ("bench", "paper", "shao", "--data", small, "--seeds", 1, "--json")
    ended = ppdt(*args, "--only", "figure2", "--criterion", "median", "--k", 8)
    assert ended.code == 0, ended.err
    assert [(x["criterion"], x["k"]) for x in ended.json["lines"]] == [
        ("none", 1), ("none", 1), ("median", 8)
    ]  # fmt: skip
    wrong = ppdt(*args, "--only", "figure9", "--criterion", "best", "--k", 1)
    assert wrong.code == 2
    for fault in ("--only figure9", "--criterion best", "--k 1"):
        assert fault in wrong.err


def test_data_that_are_not_there(tmp_path: Path) -> None:
    ended = ppdt("bench", "paper", "shao", "--data", tmp_path)
    assert ended.code == 2 and "adult_train.csv" in ended.err
    (tmp_path / "adult_train.csv").write_text("age,income\n1,a\n")
    ended = ppdt("bench", "paper", "shao", "--data", tmp_path)
    assert ended.code == 2 and '"workclass" is missing' in ended.err
    assert '"native_country" is missing' in ended.err


@pytest.mark.slow
@pytest.mark.skipif("PPDT_DATA" not in os.environ, reason="needs the folder of Adult in PPDT_DATA")
def test_adult() -> None:
    """The tree of the originals, the losses within a point, and all roots of table IV."""
    cells = shao_data.cells_of(("figure2", "table4"), (), (4, 64), 1)
    wanted = (shao_data.PAPER, shao_data.ROOTS_OF_TABLE_4, "last class of equals")
    cells = [c for c in cells if c.reading in wanted]
    record = ResultsFile(shao_data.ShaoResult)
    with duckdb.connect() as con:
        measure(con, Path(os.environ["PPDT_DATA"]), cells, record)
    lines = lines_of(cells, record)
    first, last = (lines[r, "none", 1, 0].accuracy for r in (wanted[0], wanted[2]))
    assert 80.4 <= last < first - 0.4 and first <= 82
    for k, paper in shao_data.LOSSES.items():
        assert lines[shao_data.PAPER, "median", k, 6].loss <= paper + shao_data.SPREADS["figure 2"]
    for n_quasi, root in shao_data.ROOTS.items():
        assert lines[shao_data.ROOTS_OF_TABLE_4, "median", 64, n_quasi].root == root
