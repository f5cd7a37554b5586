"""German credit and Adult at k = 5: how many rows of complying leaves break definition 3."""

import os
from pathlib import Path
from unittest import mock

import duckdb
import pytest

import ppdt_db
from ppdt_db.methods import Mict
from ppdt_db.methods.algorithms.cluster import Clustering

DATA = Path(os.environ.get("PPDT_DATA", "nowhere"))
# The file, its class, the rows outside of complying leaves, and those of such leaves that break it.
KNOWN = {
    "german": ("german_credit.csv", "class", 103, 358),
    "adult": ("adult_train.csv", "income", 323, 7920),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (DATA / "adult_train.csv").exists(),
        reason="set PPDT_DATA to the folder that holds german_credit.csv and adult_train.csv",
    ),
]


class EnoughError(Exception):
    """The rows are divided; what follows takes minutes and is not asked for."""


@pytest.mark.parametrize("name", KNOWN)
def test_rows_that_break_it_are_pooled(con: duckdb.DuckDBPyConnection, name: str) -> None:
    file, target, n_outside, n_broken = KNOWN[name]
    con.execute(f"CREATE TABLE raw AS FROM read_csv('{DATA / file}')")
    columns = [row[0] for row in con.execute("DESCRIBE raw").fetchall()]
    complete = " AND ".join(f"{column} IS NOT NULL" for column in columns)
    con.execute(f"CREATE TABLE t AS FROM raw WHERE {complete}")
    quasi = [column for column in columns if column != target]
    n_pooled: dict[str, int] = {}

    def stop(clustering: Clustering) -> None:
        mode = clustering.task.figures
        kind = "paper" if "rows_pooled_by_level" in mode else "leaf"
        n_pooled[kind] = int(str(mode["rows_pooled"]))
        raise EnoughError

    with mock.patch.object(Clustering, "run", stop):
        for mode, weaker in (("leaf", "leaf-anonymity"), ("paper", "path-anonymity")):
            method = Mict(k=5, mode=mode)  # type: ignore[arg-type]
            with pytest.raises(EnoughError):
                ppdt_db.anonymize(
                    con, "t", quasi=quasi, target=target, method=method, into="o", accept=[weaker]
                )
    assert n_pooled == {"leaf": n_outside, "paper": n_outside + n_broken}
