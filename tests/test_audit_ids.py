"""Classes are carried as hashes: two that share one are numbered again, and never merged."""

import duckdb
import pytest

import ppdt_db
from ppdt_db import EngineError
from ppdt_db.audit.measure import SALTS
from ppdt_db.engine import DuckEngine


def test_classes_that_share_an_id_are_numbered_again(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No such table is known for DuckDB's hash: the first two answers are made to tell of one."""
    con.execute("CREATE TABLE r AS SELECT i % 3 AS zip, i AS s FROM range(12) AS r (i)")
    asked = {"quasi": ["zip"], "sensitive": ["s"]}
    expected = ppdt_db.audit(con, "r", **asked).measures  # type: ignore[arg-type]
    salts = sharing(monkeypatch, times=2)
    assert ppdt_db.audit(con, "r", **asked).measures == expected  # type: ignore[arg-type]
    assert salts["audit/class"] == [0, 1, 2] and salts["audit/class_row"] == [2]


def test_classes_that_cannot_be_told_apart_prove_nothing(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    con.execute("CREATE TABLE r AS SELECT i % 3 AS zip FROM range(12) AS r (i)")
    sharing(monkeypatch, times=SALTS)
    with pytest.raises(EngineError, match="could not tell the classes"):
        ppdt_db.audit(con, "r", quasi=["zip"])


def sharing(monkeypatch: pytest.MonkeyPatch, *, times: int) -> dict[str, list[int]]:
    """Let the count of ids be one short so many times; the salts that each step was made with."""
    row, make = DuckEngine.row, DuckEngine.make
    salts: dict[str, list[int]] = {}
    left = [times]

    def short(self: DuckEngine, step: str, *given: object, **named: object) -> tuple:
        found = row(self, step, *given, **named)  # type: ignore[arg-type]
        if step == "audit/class_ids" and left[0]:
            left[0] -= 1
            return found[0], found[1] - 1  # type: ignore[operator]
        return found

    def noted(self: DuckEngine, step: str, *given: object, **named: object) -> str:
        if given and isinstance(given[0], dict) and "salt" in given[0]:
            salts.setdefault(step, []).append(given[0]["salt"])
        return make(self, step, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckEngine, "row", short)
    monkeypatch.setattr(DuckEngine, "make", noted)
    return salts


LISTS = ("NULL", "[]", "[NULL]", "[false]", "[true]", "[false, true]", "[true, false]",
         "[NULL, false]", "[NULL, NULL]")  # fmt: skip


def test_lists_that_hash_alike_are_classes_apart(con: duckdb.DuckDBPyConnection) -> None:
    pairs = [f"({a}::BOOLEAN[], {b}::BOOLEAN[], 1)" for a in LISTS for b in LISTS]
    con.execute(f"CREATE TABLE r AS FROM (VALUES {', '.join(pairs)}) AS v (a, b, s)")
    measures = ppdt_db.audit(con, "r", quasi=["a", "b"], sensitive=["s"]).measures
    assert (measures["classes"], measures["k"]) == (len(LISTS) ** 2, 1)
    with_others = ppdt_db.audit(con, "r", quasi=["s"], sensitive=["a", "b"]).measures
    assert with_others["k"] == len(LISTS) ** 2
