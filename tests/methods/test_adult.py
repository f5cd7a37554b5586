"""Adult's 30,162 complete rows, nine quasi-identifiers, k = 10: known class counts and losses."""

import os
from pathlib import Path

import duckdb
import pytest
from support import mostly_slow, smallest

import ppdt_db
from ppdt_db import Mondrian

DATA = Path(os.environ.get("PPDT_DATA", "nowhere"))
FILE = DATA / "adult_train.csv"
QUASI = [
    "age", "workclass", "education", "marital_status", "occupation", "race", "sex",
    "native_country", "hours_per_week",
]  # fmt: skip
KNOWN = {
    "median": (2200, 0.107), "median-left": (1887, 0.234), "balanced": (2200, 0.107),
    "ncp": (2196, 0.097),
}  # fmt: skip

pytestmark = pytest.mark.skipif(
    not FILE.exists(), reason="set PPDT_DATA to the folder that holds adult_train.csv"
)


@pytest.mark.parametrize("criterion", mostly_slow(KNOWN, "balanced"))
def test_classes_and_loss_are_the_known_ones(
    con: duckdb.DuckDBPyConnection, criterion: str
) -> None:
    con.execute(f"CREATE TABLE raw AS FROM read_csv('{FILE}', nullstr = ['?', ' ?', ''])")
    listed = ", ".join(QUASI)
    missing = " OR ".join(f"{name} IS NULL" for name in QUASI)
    con.execute(f"CREATE TABLE adult AS SELECT {listed} FROM raw WHERE NOT ({missing})")
    assert con.execute("SELECT count(*) FROM adult").fetchall() == [(30162,)]
    method = Mondrian(k=10, criterion=criterion)  # type: ignore[arg-type]
    release = ppdt_db.anonymize(con, "adult", quasi=QUASI, method=method, into="safe")
    classes, gcp = KNOWN[criterion]
    assert release.certificate["classes"] == pytest.approx(classes, rel=0.02)
    assert release.certificate["gcp"] == pytest.approx(gcp, rel=0.02)
    assert smallest(con, "safe", QUASI) >= 10
