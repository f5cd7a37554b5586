"""Figures of the papers, and of an independent prototype, on the papers' own data."""

import os
from pathlib import Path

import duckdb
import pytest
from support import ppdt, smallest

from ppdt_db import Erp, anonymize
from ppdt_db.experiments.kactus import KactusCell
from ppdt_db.experiments.kactus_measure import KactusDesk

DATA = Path(os.environ.get("PPDT_DATA", "nowhere"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (DATA / "cmc.csv").exists(),
        reason="set PPDT_DATA to the folder that holds cmc.csv, adult_train.csv and adult_test.csv",
    ),
]


def complete(con: duckdb.DuckDBPyConnection, *names: str) -> list[str]:
    """Load the rows that miss no value as `t`; the features."""
    files = [str(DATA / name) for name in names]
    con.execute(f"CREATE TABLE raw AS FROM read_csv({files}, nullstr = ['?', ' ?', ''])")
    columns = [row[0] for row in con.execute("DESCRIBE raw").fetchall()]
    known = " AND ".join(f'"{column}" IS NOT NULL' for column in columns)
    con.execute(f"CREATE TABLE t AS SELECT * FROM raw WHERE {known}")
    return columns[:-1]


@pytest.mark.parametrize(
    ("tiered", "paper"),
    [(False, {10: 0.4093, 20: 0.5131, 30: 0.5728}), (True, {10: 0.4071, 20: 0.5127, 30: 0.5602})],
)
def test_error_risk_pruning_loses_less_than_the_paper_on_contra(con, tiered, paper) -> None:
    """Table 2 of Yang et al."""
    quasi = complete(con, "cmc.csv")
    numbers = ("wife_age", "num_children")
    texts = ", ".join(f"CAST({c} AS VARCHAR) AS {c}" for c in quasi if c not in numbers)
    con.execute(f"CREATE TABLE u AS SELECT * REPLACE ({texts}) FROM t")
    for k, published in paper.items():
        method = Erp(k=k, binary=True, narrow=True, tiered=tiered)
        made = anonymize(
            con, "u", quasi=quasi, target="contraceptive_method", method=method, into="r",
            replace=True, accept=list(method.requires_accept),
        )  # fmt: skip
        assert made.certificate["gcp"] < published
        assert tiered or smallest(con, "r", quasi) >= k


def test_error_risk_pruning_loses_less_than_the_paper_on_adult(con) -> None:
    quasi = complete(con, "adult_train.csv")
    made = anonymize(
        con, "t", quasi=quasi, target="income", method=Erp(k=10, binary=True, narrow=True), into="r"
    )
    assert con.execute("SELECT count(*) FROM r").fetchone() == (30_162,)
    assert made.certificate["gcp"] < 0.425 and made.certificate["classes"] > 500


@pytest.mark.parametrize(("k", "paper"), [(5, 85.88), (100, 84.25), (500, 82.43)])
def test_kactus_comes_to_the_published_accuracy(k, paper) -> None:
    """Tables 3 to 5 of Kisilevich et al.: C4.5, all quasi-identifiers, two of the ten rounds."""
    cell = KactusCell(
        data="adult", quasi="14/14", learner="c45", method="kactus", k=k, seed=1, discretized=True,
        cv="2", is_complete=True,
    )  # fmt: skip
    desk = KactusDesk(DATA, {"threads": 2})
    try:
        (found,) = desk.run([cell])
    finally:
        desk.close()
    assert found.n_rows == 45_222
    assert found.accuracy == pytest.approx(paper, abs=0.8)


def test_bins_of_the_training_part_alone_keep_the_accuracy() -> None:
    """Cuts from adult_train, C4.5 on the release, tested on the rows of adult_test as they are."""
    quasi = (
        "age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,"
        "sex,capital_gain,capital_loss,hours_per_week,native_country"
    )
    ended = ppdt(
        "evaluate", DATA / "adult_train.csv", "--target", "income", "--learner", "c45",
        "--method", "kactus", "--bins", "mdl", "--qi", quasi, "--k", 100,
        "--cv", f"holdout={DATA / 'adult_test.csv'}", "--json",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert ended.json["accuracy_mean"] > 0.845
