"""The same release from every version of DuckDB: each must give these bytes.

A digest changes only where the method or the demo's data change on purpose.
"""

import hashlib
from pathlib import Path

import duckdb
import pytest
from support import every

from ppdt_db import Mondrian, anonymize
from ppdt_db.demo import PATIENTS, make_patients

RELEASES: dict[str, tuple[Mondrian, str]] = {
    "balanced": (Mondrian(k=5), "c57eb8e02c518793"),
    "median": (Mondrian(k=5, criterion="median"), "c57eb8e02c518793"),
    "median-left": (Mondrian(k=5, criterion="median-left"), "3e6ff69f2f951e8f"),
    "ncp": (Mondrian(k=5, criterion="ncp"), "bfa673abdc4675d3"),
    "foresight": (Mondrian(k=5, criterion="foresight"), "6be4ad1aa49a5622"),
    "infogain": (Mondrian(k=5, criterion="infogain"), "d295798c1dffb073"),
    "relaxed": (Mondrian(k=5, relaxed=True), "d4d7252267eb9aa8"),
    "l": (Mondrian(k=5, l=2), "76962863b9118a4c"),
}


@pytest.mark.parametrize("name", every(3, RELEASES))
def test_the_bytes_are_the_same(name: str, tmp_path: Path) -> None:
    method, expected = RELEASES[name]
    out = tmp_path / "out.csv"
    with duckdb.connect() as con:
        make_patients(con, 500)
        anonymize(
            con, PATIENTS, identifiers=["patient_id", "name"],
            quasi=["age", "sex", "zip", "admitted"], sensitive=["diagnosis"], target="readmitted",
            method=method, out=out, seed=1,
        )  # fmt: skip
    assert hashlib.sha256(out.read_bytes()).hexdigest()[:16] == expected
