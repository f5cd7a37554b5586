"""The experiments of Kisilevich et al., on small data in the shape of theirs."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Sequence
from math import exp
from pathlib import Path
from statistics import fmean

import duckdb
import pytest
from support import command, ppdt

from ppdt_db import learn
from ppdt_db.experiments import kactus_measure
from ppdt_db.experiments.kactus import KactusCell, KactusRecord, KactusResult, cells_of
from ppdt_db.experiments.kactus_data import (
    QUASI,
    kadet,
    learner_of,
    made,
    measured_for,
    printed,
)
from ppdt_db.experiments.kactus_tables import compared, verdicts
from ppdt_db.methods import Mondrian

GLASS = """
    SELECT i % 17 AS ri, i * 7 % 23 AS na, 'c' || i % 3 AS mg,
        CASE WHEN i % 17 < 6 OR i % 11 = 0 THEN 1 ELSE 2 END AS type
    FROM range(150) AS r (i)
"""
ADULT = """
    SELECT
        20 + i * 7 % 50 AS age, 'w' || i % 4 AS workclass, 1000 + i * 37 % 400 AS fnlwgt,
        'e' || i % 6 AS education, i % 6 AS education_num, 'm' || i * 3 % 5 AS marital_status,
        'o' || i % 7 AS occupation, 'r' || i * 5 % 6 AS relationship, 'c' || i % 2 AS race,
        's' || i * 11 % 2 AS sex, i % 13 AS capital_gain, i % 17 AS capital_loss,
        30 + i % 20 AS hours_per_week, CASE WHEN i % 50 > 0 THEN 'n' || i % 9 END AS native_country,
        CASE WHEN i * 5 % 6 < 2 OR i % 29 = 0 THEN 'a' ELSE 'b' END AS income
    FROM range(240) AS r (i)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with duckdb.connect() as con:
        con.execute(f"COPY ({GLASS}) TO '{folder}/glass.csv'")
        con.execute(f"COPY ({ADULT}) TO '{folder}/adult_train.csv'")
    return folder


def bench(data: Path, *args: object) -> dict:
    ended = ppdt("bench", "paper", "kactus", "--data", data, *args, "--json")
    assert ended.code == 0, ended.err
    return ended.json


def test_the_figures_are_the_papers() -> None:
    figures = printed()
    assert [sum(f.table == t for f in figures) for t in (2, 3, 4, 5)] == [240, 234, 234, 144]
    known = {(f.table, f.quasi, f.learner, f.method, f.k): f for f in figures if f.data == "adult"}
    for table in (3, 4):
        for (of, quasi, learner, method, k), figure in known.items():
            if of == 5 and method == "kactus":
                other = known[table, quasi, learner, "kactus", k]
                assert (other.accuracy, other.sd) == (figure.accuracy, figure.sd)
    (c45,) = (f for f in figures if f.data == "glass" and f.learner == "c45" and f.k == 30)
    assert (c45.accuracy, c45.sd) == (45.42, 5.62)


@pytest.mark.slow
def test_table_2_is_resumed(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "cells.jsonl"
    args = ("--table", 2, "--only", "glass", "--learner", "c45,bayes", "--method", "kactus,refine",
            "--k", "1,5", "--cv", 2, "--resume", kept)  # fmt: skip
    (table,) = bench(data, *args)["tables"]
    found = {(e["learner"], e["method"], e["k"]): e for e in table["entries"] if e["ours"]}
    assert len(found) == 8 and len(kept.read_text("utf-8").splitlines()) == 6
    assert found["c45", "refine", 1]["ours"] == found["c45", "kactus", 1]["ours"]
    assert found["c45", "refine", 5]["theirs"] == 61.89 and found["c45", "refine", 5]["gcp"] > 0
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    changed = [{**line, "accuracies": [0.25, 0.75]} for line in lines[:-1]]
    kept.write_text("".join(json.dumps(line) + "\n" for line in changed), "utf-8")
    (again,) = bench(data, *args)["tables"]
    ours = {(e["learner"], e["method"], e["k"]): e["ours"] for e in again["entries"] if e["ours"]}
    last = lines[-1]["learner"], lines[-1]["method"], lines[-1]["k"]
    assert ours.pop(last) == pytest.approx(found[last]["ours"])
    assert set(ours.values()) == {50}
    assert {s["n_figures"] for s in again["summaries"]} == {1}
    kept.write_text(kept.read_text("utf-8") + "{}\n", "utf-8")
    ended = ppdt("bench", "paper", "kactus", "--data", data, *args)
    assert ended.code == 2 and "line 7" in ended.err


@pytest.mark.slow
def test_discretized_numbers_are_another_experiment(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "cells.jsonl"
    args = ("--table", 2, "--only", "glass", "--learner", "bayes", "--method", "kactus", "--k", 5,
            "--cv", 2, "--resume", kept)  # fmt: skip
    bench(data, *args)
    bench(data, *args, "--discretized")
    assert len(kept.read_text("utf-8").splitlines()) == 2


@pytest.mark.slow
def test_discretized_numbers_have_no_hierarchy(data: Path, tmp_path: Path) -> None:
    """In table 3 categories go by hierarchies; the folder has none of numbers, cut or not."""
    with duckdb.connect() as con:
        for name in ("workclass", "occupation", "sex", "native_country"):
            (tmp_path / "hierarchies" / "adult").mkdir(parents=True, exist_ok=True)
            con.execute(
                f"COPY (SELECT DISTINCT {name} AS leaf, '*' AS root FROM ({ADULT}) WHERE {name} IS "
                f"NOT NULL) TO '{tmp_path}/hierarchies/adult/{name}.csv'"
            )
        con.execute(f"COPY ({ADULT}) TO '{tmp_path}/adult_train.csv'")
    for method in ("tds", "kadet"):
        args = ("--table", 3, "--qi", "8/14", "--learner", "c45", "--method", method, "--k", 5)
        for more in ((), ("--discretized",)):
            (table,) = bench(tmp_path, *args, "--cv", 2, *more)["tables"]
            ours = [e["ours"] for e in table["entries"] if e["method"] == method and e["ours"]]
            assert len(ours) == 1 and 40 < ours[0] <= 100


@pytest.mark.slow
def test_adult_is_its_complete_rows(data: Path, tmp_path: Path) -> None:
    kept, page = tmp_path / "cells.jsonl", tmp_path / "page.md"
    args = ("--only", "adult", "--learner", "bayes", "--method", "kactus", "--k", 1, "--cv", 2,
            "--table", 2, "--resume", kept)  # fmt: skip
    bench(data, *args)
    bench(data, *args, "--rows", "all")
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert [line["is_complete"] for line in lines] == [True, False]
    assert lines[0]["accuracies"] != lines[1]["accuracies"]
    text = ppdt("bench", "paper", "kactus", "--data", data, *args, "--page", page)
    assert text.code == 0 and text.out.splitlines()[-1].startswith("1 cell: ")
    assert "### Table 2" in page.read_text("utf-8")


@pytest.mark.slow
def test_a_tree_for_all_k_changes_no_figure(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("kactus-min-k", "refine"):
        options = ("--method", method, "--table", 2, "--only", "glass", "--learner", "bayes", "--k",
                   "5,20", "--cv", 2)  # fmt: skip
        shared = bench(data, *options)["tables"]
        with monkeypatch.context() as patch:
            patch.setattr(kactus_measure, "SHARING", ())
            assert bench(data, *options)["tables"] == shared


@pytest.mark.slow
def test_jobs_side_by_side_change_no_figure(data: Path) -> None:
    args = ("--table", 2, "--only", "glass", "--learner", "bayes", "--method", "kactus", "--k",
            "1,5,20", "--cv", 2)  # fmt: skip
    assert bench(data, *args, "--jobs", 3)["tables"] == bench(data, *args)["tables"]


def test_what_ends_one_job_ends_all(data: Path) -> None:
    class Ended(KactusRecord):
        def add(self, found: object) -> None:
            raise KeyboardInterrupt

    cells = cells_of(2, ["kactus"], learners=["bayes"], data=["glass"], seeds=range(1, 9), cv="2")
    with pytest.raises(KeyboardInterrupt):
        kactus_measure.measure(data, cells, Ended(), jobs=2)
    ended = ppdt("bench", "paper", "kactus", "--data", data, "--table", 3, "--method", "tds",
                 "--jobs", 2, "--cv", 2)  # fmt: skip
    assert ended.code == 2 and "hierarchies/adult/workclass.csv" in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [3, 4, 6, 9])
def test_ctrl_c_ends_every_job_whenever_it_comes(data: Path, seconds: float) -> None:
    """A terminal sends it to the jobs, too; none may stay behind."""
    asked = command(
        "bench", "paper", "kactus", "--data", data, "--table", 2, "--only", "glass", "--seeds", 99,
        "--jobs", 2, "--quiet",
    )  # fmt: skip
    with subprocess.Popen(
        asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(seconds)
        os.killpg(run.pid, signal.SIGINT)
        # The pipe ends when the last of them does.
        _, err = run.communicate(timeout=60)
    assert run.returncode == 1 and err.strip() == "ppdt: interrupted."


def test_what_is_known_is_shown_without_measuring(data: Path, tmp_path: Path) -> None:
    kept, page = tmp_path / "cells.jsonl", tmp_path / "page.md"
    args = ("--table", 2, "--learner", "bayes", "--method", "kactus", "--resume", kept)
    bench(data, *args, "--only", "glass", "--k", 5, "--cv", 2)
    found = kept.read_text("utf-8")
    text = ppdt("bench", "paper", "kactus", "--data", data, *args, "--only", "glass", "--cv", 2,
                "--known", "--page", page)  # fmt: skip
    assert text.code == 0 and kept.read_text("utf-8") == found
    assert text.out.splitlines()[-1].startswith("6 cells: ") and "5 not measured" in text.out
    assert " / 62.49 ± 4.55" in page.read_text("utf-8")
    ended = ppdt("bench", "paper", "kactus", "--data", data, "--known")
    assert ended.code == 2 and "--resume" in ended.err


@pytest.mark.slow
def test_rivals_stand_side_by_side(data: Path, tmp_path: Path) -> None:
    args = ("--learner", "bayes", "--k", 5, "--cv", 2, "--resume", tmp_path / "cells.jsonl")
    (table,) = bench(data, "--table", 5, "--method", "kactus,mondrian", *args)["tables"]
    ours = [e for e in table["entries"] if e["ours"] is not None]
    assert {(e["quasi"], e["method"], e["k"]) for e in ours} == {
        (quasi, method, 5) for quasi in QUASI for method in ("kactus", "mondrian")
    }
    own = next(r for r in table["rankings"] if r["whose"] == "ours")
    assert own["n_cases"] == 3 and set(own["mean_ranks"]) == {"kactus", "mondrian"}
    text = ppdt("bench", "paper", "kactus", "--data", data, "--table", 3, "--method", "kactus",
                *args)  # fmt: skip
    assert text.code == 0 and "- / 81.17" in text.out and "Bonferroni-Dunn" in text.out


def record_of(
    table: int, rounds: dict[str, list[float]], learners: Sequence[str] = ("c45",)
) -> tuple[list[KactusCell], KactusRecord]:
    """A table in which every method has the same rounds everywhere."""
    methods = [method for method in rounds if method != "original"]
    cells = cells_of(table, methods, learners=learners, data=["glass", "adult"], seeds=[1])
    record = KactusRecord()
    for cell in cells:
        own = rounds[cell.method]
        record.add(KactusResult(cell=cell, accuracies=own, gcp=None, seconds=0.0, n_rows=10_000))
    return cells, record


GOOD = [0.9, 0.91, 0.9, 0.92, 0.9, 0.91, 0.9, 0.9, 0.91, 0.9]
BAD = [right - 0.3 - place % 3 / 1000 for place, right in enumerate(GOOD)]


def test_marks_say_what_is_no_chance() -> None:
    found = compared(2, *record_of(2, {"original": GOOD, "kactus": BAD, "refine": GOOD}))
    marks = {(e.method, e.k > 1): e.mark for e in found.entries}
    assert marks == {
        ("kactus", False): "", ("kactus", True): "*", ("refine", False): "", ("refine", True): "",
    }  # fmt: skip
    for good, bad, mark in ((GOOD, BAD, "+"), (BAD, GOOD, "-"), (GOOD, GOOD, "")):
        table = compared(5, *record_of(5, {"kactus": good, "mondrian": bad}))
        assert {e.mark for e in table.entries if e.method == "mondrian"} == {mark}
        assert {e.mark for e in table.entries if e.method == "kactus"} == {""}


def test_mondrian_that_knows_the_class_stands_beside_the_papers() -> None:
    assert measured_for(5) == ("kactus", "mondrian", "refine", "mondrian-infogain")
    assert measured_for(3) == ("kactus", "tds", "tdr", "kadet")
    method = made("mondrian-infogain", 20)
    assert isinstance(method, Mondrian) and (method.k, method.criterion) == (20, "infogain")
    rounds = {"kactus": GOOD, "mondrian": BAD, "mondrian-infogain": BAD}
    table = compared(5, *record_of(5, rounds))
    theirs = {
        method: {(e.quasi, e.k): e.theirs for e in table.entries if e.method == method}
        for method in rounds
    }
    assert theirs["mondrian-infogain"] == theirs["mondrian"]
    assert theirs["mondrian"]["14/14", 100] == 81.11
    ranked = {ranking.whose: set(ranking.mean_ranks) for ranking in table.rankings}
    assert ranked == {"ours": set(rounds), "theirs": {"kactus", "mondrian"}}


def test_wins_are_counted_as_the_text_counts_them() -> None:
    learners = ("c45", "part", "bayes", "logistic")
    cells, record = record_of(5, {"kactus": GOOD, "refine": BAD, "mondrian": BAD}, learners)
    table = compared(5, cells, record)
    wins = {w.method: w for w in table.wins}
    assert {(w.rival, w.n_cases) for w in wins.values()} == {("mondrian", 72)}
    assert (wins["kactus"].n_better, wins["kactus"].n_worse) == (72, 0)
    assert (wins["refine"].n_better, wins["refine"].n_worse) == (0, 0)
    assert wins["kactus"].points == pytest.approx(100 * (fmean(GOOD) - fmean(BAD)))
    # "On average the accuracy of kACTUS is 7.84% higher than the accuracy of Mondrian."
    assert wins["kactus"].printed_points == pytest.approx(7.84, abs=0.005)
    assert (wins["kactus"].stated_better, wins["kactus"].stated_cases) == (58, 72)
    assert wins["refine"].stated_better is None
    text = {c.where.rpartition(": ")[2]: c for c in verdicts(table) if "text" in c.where}
    assert {name: (c.paper, c.verdict) for name, c in text.items()} == {
        "better in": (58, "better"), "worse in": (0, "equal"), "points above": (7.84, "better"),
    }  # fmt: skip
    # Of a part of the cases the text says nothing.
    some = compared(5, cells[::2], record)
    assert some.wins and not [c for c in verdicts(some) if "text" in c.where]


def test_the_papers_figures_give_the_points_of_its_text() -> None:
    cells, record = record_of(
        5, {"kactus": GOOD, "mondrian": BAD}, ("c45", "part", "bayes", "logistic")
    )
    theirs = {(f.quasi, f.learner, f.method, f.k): f.accuracy for f in printed() if f.table == 5}
    for cell in cells:
        share = theirs[cell.quasi, cell.learner, cell.method, cell.k] / 100
        record.add(KactusResult(cell=cell, accuracies=[share] * 10, gcp=None, seconds=0.0))
    table = compared(5, cells, record)
    (points,) = (c for c in verdicts(table) if c.where.endswith("points above"))
    assert points.verdict == "equal" and points.ours == pytest.approx(7.84125)


def test_an_accuracy_has_the_interval_of_its_rows() -> None:
    (table, *_) = [compared(5, *record_of(5, {"kactus": [0.5] * 10, "mondrian": [1.0] * 10}))]
    widths = {e.method: e.half_width for e in table.entries}
    # 1.96 * sqrt(0.5 * 0.5 / 10,000), in points; nothing is left to chance where all are right.
    assert widths == {"kactus": pytest.approx(0.98, abs=0.001), "mondrian": 0}
    assert KactusResult(cell=record_of(5, {"kactus": GOOD})[0][0], accuracies=GOOD, gcp=None,
                        seconds=0.0).n_rows == 0  # fmt: skip


def test_wekas_ridge_is_the_penalty_of_logistic_regression() -> None:
    """Weka minimizes the log loss + ridge * w^2; at w = 1 that is easily written down."""
    rows = "SELECT CASE WHEN i % 2 = 0 THEN -1 ELSE 1 END AS x, i % 8 IN (0, 1, 3, 5) AS y"
    assert learner_of("logistic", None) == learner_of("logistic", 1e-8)
    with duckdb.connect() as con:
        source = con.sql(f"{rows} FROM range(8) AS r (i)")
        for ridge in (1e-8, 1.0):
            model = learn(con, source, target="y", learner=learner_of("logistic", ridge))
            (w,) = model.fitted.coef_[0]
            # Of eight rows three are true at x = 1, and one at x = -1.
            assert 8 * (1 / (1 + exp(-w)) - 0.75) + 2 * ridge * w == pytest.approx(0, abs=1e-4)
    assert {c.ridge for c in cells_of(5, ["kactus"], learners=["logistic"], data=["adult"],
                                      seeds=[1])} == {1e-8}  # fmt: skip


def test_the_tree_may_ask_for_k_rows() -> None:
    options = {"learners": ["c45"], "data": ["adult"], "seeds": [1]}
    cells = cells_of(2, ["kactus", "kactus-min-k"], **options)
    asked = {(c.method, c.k): c.min_rows for c in cells}
    assert asked["kactus-min-k", 30] == 30
    assert asked["kactus", 30] == asked["original", 1] == 2 and len(asked) == 11


def test_summaries_count_what_is_below() -> None:
    found = compared(2, *record_of(2, {"original": GOOD, "kactus": BAD}))
    (summary,) = found.summaries
    assert summary.n_figures == 10 and summary.ours == pytest.approx(100 * fmean(BAD))
    own = [f for f in printed() if f.table == 2 and f.learner == "c45" and f.k > 1]
    theirs = [f for f in own if f.data in ("glass", "adult")]
    assert summary.theirs == pytest.approx(fmean(f.accuracy for f in theirs))
    for sds, counted in ((1, summary.n_below_one_sd), (2, summary.n_below_two_sd)):
        assert counted == sum(summary.ours < f.accuracy - sds * f.sd for f in theirs)


def test_the_papers_own_figures_rank_as_it_says() -> None:
    found = compared(3, *record_of(3, {"kactus": GOOD}))
    (theirs,) = (r for r in found.rankings if r.whose == "theirs")
    # "The null-hypothesis ... was rejected", and kACTUS outperforms its rivals at 95 %.
    assert theirs.friedman.is_significant
    best = theirs.mean_ranks["kactus"]
    rivals = [rank for name, rank in theirs.mean_ranks.items() if name != "kactus"]
    assert all(rank - best > theirs.critical_difference for rank in rivals)


@pytest.mark.slow
def test_scaling(data: Path, tmp_path: Path) -> None:
    args = ("--table", 6, "--k", "2,3", "--method", "kactus", "--resume", tmp_path / "cells.jsonl")
    found = bench(data, *args)["scaling"]
    assert [(s["sigma"], s["method"]) for s in found] == [
        (2, "kactus"), (3, "kactus"),
    ]  # fmt: skip
    assert {s["n_rows"] / s["sigma"] for s in found} == {235}
    assert bench(data, *args)["scaling"] == found
    text = ppdt("bench", "paper", "kactus", "--data", data, *args)
    assert text.code == 0 and "Table 6" in text.out


@pytest.mark.slow
def test_kadet_classifies_by_its_own_tree(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "cells.jsonl"
    args = ("--method", "kadet", "--k", 20, "--cv", 2, "--resume", kept)
    (table,) = bench(data, "--table", 4, "--learner", "bayes,c45", *args)["tables"]
    ours = [e for e in table["entries"] if e["ours"] is not None]
    assert {(e["quasi"], e["learner"], e["method"]) for e in ours} == {
        (quasi, "c45", "kadet") for quasi in QUASI
    }
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert all(line["gcp"] is None and len(line["accuracies"]) == 2 for line in lines)
    assert next(e["theirs"] for e in ours if e["quasi"] == "14/14") == 81.78
    learner = kadet(20, ["age", "sex"], ["sex", "race", "age"])
    assert (learner.public, learner.private) == (["age", "sex"], ["race"])
    assert learner.form == "c45" and not learner.hierarchies
    ended = ppdt("bench", "paper", "kactus", "--data", data, "--table", 3, *args)
    assert ended.code == 2 and "hierarchies/adult/workclass.csv" in ended.err
    for wrong, word in ((("--learner", "part"), "c45"), (("--table", 6), "table 6")):
        ended = ppdt("bench", "paper", "kactus", "--data", data, "--method", "kadet", *wrong)
        assert ended.code == 2 and word in ended.err


def test_everything_wrong_is_named_at_once(data: Path) -> None:
    ended = ppdt("bench", "paper", "kactus", "--data", data, "--only", "iris", "--learner", "svm",
                 "--method", "magic", "--k", "0", "--qi", "9/14")  # fmt: skip
    assert ended.code == 2
    assert all(word in ended.err for word in ("iris", "svm", "magic", "--k 0", "9/14"))
    ended = ppdt("bench", "paper", "kactus", "--data", data, "--only", "pima,vehicle", "--table", 2)
    assert ended.code == 2 and "pima_diabetes.csv" in ended.err and "vehicle.csv" in ended.err
