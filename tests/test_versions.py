"""The same release from every version of DuckDB: each must give these bytes.

A digest changes only where the method or the demo's data change on purpose.
"""

import hashlib
from pathlib import Path

import duckdb
import pytest

from ppdt_db import Mondrian, anonymize
from ppdt_db.demo import PATIENTS, make_patients

RELEASES: dict[str, tuple[Mondrian, str]] = {
    "balanced": (Mondrian(k=5), "71f65ff1ef8f606a"),
    "median": (Mondrian(k=5, criterion="median"), "d83e3c6d9ec5668d"),
    "ncp": (Mondrian(k=5, criterion="ncp"), "ce53970b4e723955"),
    "foresight": (Mondrian(k=5, criterion="foresight"), "39a10b9a30eff95b"),
    "infogain": (Mondrian(k=5, criterion="infogain"), "09166bd6c0f88e16"),
    "relaxed": (Mondrian(k=5, relaxed=True), "3bf29867d83c8117"),
    "l": (Mondrian(k=5, l=2), "c3f6a6d8cc1f4001"),
}


@pytest.mark.parametrize("name", RELEASES)
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
