"""No step meets all values of a column with each other: work grows with the rows, not their square.

Every method runs on a table with short columns, and with long ones: numbers and dates that each row
has for itself. (Of long ones alone, a planner finds a good order by luck.) What an operator
of a step hands on is counted by the engine: of n rows a step may make some copies, not n * n.
"""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest
from fuzz import declared
from support import mostly_slow

from ppdt_db import RequestError, anonymize
from ppdt_db.engine import DuckEngine
from ppdt_db.learn import C45, ID3, Kadet, NaiveBayes, learn

N_ROWS = 1_500
# The rows that an operator may hand on for each row of the table.
COPIES = 60
WIDE = f"""
    CREATE TABLE t AS SELECT
        i % 70 AS age, i % 50 AS hours, i * 7 + i % 7 AS income, sqrt(i * 31 % {N_ROWS}) AS weight,
        DATE '2000-01-01' + CAST(i * 13 % {N_ROWS} AS INTEGER) AS born,
        chr(97 + CAST(i % 5 AS INTEGER)) AS town,
        i % 10 = 0 OR i BETWEEN 500 AND 900 AS y
    FROM range({N_ROWS}) r(i)
"""


@contextmanager
def counted(monkeypatch) -> Iterator[tuple[duckdb.DuckDBPyConnection, Counter[str]]]:
    """A connection with the table, and the most rows that an operator of each step hands on."""
    most: Counter[str] = Counter()
    plain = DuckEngine._fetched

    def watched(self: DuckEngine, statement: Any, bound: Any) -> Any:
        rows = plain(self, statement, bound)
        told = json.loads(self.con.get_profiling_information(format="json"))
        most[statement.step] = max(most[statement.step], handed_on(told))
        return rows

    with duckdb.connect() as con:
        con.execute(WIDE)
        con.execute("PRAGMA enable_profiling = 'no_output'")
        monkeypatch.setattr(DuckEngine, "_fetched", watched)
        yield con, most


def handed_on(told: Any) -> int:
    """The most rows that an operator hands on, in a profile of the engine."""
    own = [told.get("intermediate_rows", 0), told.get("operator_cardinality", 0)]
    below = [*told.get("children", ()), *(told.get("operator") or ())]
    return max([*own, *(handed_on(one) for one in below)])


def one_by_one(name: str) -> list[declared.Params]:
    """A method by default, with each of its words alone, and with all flags."""
    plain = next(declared.variants(name))
    flags = {word: True for word, value in plain.items() if value is False}
    return [
        variant
        for variant in declared.variants(name)
        if sum(variant[word] != plain[word] for word in plain) < 2
        or flags.items() <= variant.items()
    ]


def too_many(most: Counter[str]) -> dict[str, int]:
    return {step: n for step, n in most.items() if n > COPIES * N_ROWS}


@pytest.mark.parametrize("name", mostly_slow(declared.METHODS, "datafly"))
def test_a_method_grows_with_the_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quasi = (
        ["income"] if name == "univariate" else ["age", "hours", "income", "weight", "born", "town"]
    )
    n_released = 0
    with counted(monkeypatch) as (con, most):
        for variant in one_by_one(name):
            method = declared.METHODS[name](k=5 if name == "univariate" else 20, **variant)  # type: ignore[arg-type]
            try:
                anonymize(
                    con, "t", quasi=quasi, target="y", method=method, into="r", replace=True,
                    record=False, identifiers="rest", accept=list(method.requires_accept),
                )  # fmt: skip
            except RequestError:
                continue  # Words that do not go together.
            n_released += 1
    assert n_released and len(most) > 10
    assert too_many(most) == {}


LEARNERS = [
    C45(),
    C45(binary=True, narrow=True),
    ID3(),
    NaiveBayes(),
    Kadet(k=5, public=["income", "weight", "town"]),
    Kadet(k=5, public=["income", "town"], private=["weight", "born"]),
    Kadet(k=5, public=["income", "town"], private=["weight"], bins="mdl"),
]


@pytest.mark.parametrize("learner", mostly_slow(LEARNERS, LEARNERS[1]))
def test_a_learner_grows_with_the_rows(learner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as (con, most):
        learn(con, "t", target="y", learner=learner)
    assert len(most) > 10 and too_many(most) == {}


def test_pairs_of_values_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure counts what it is for."""
    with counted(monkeypatch) as (con, most):
        con.execute(
            "CREATE TABLE pair AS SELECT 1 AS n FROM t AS a, t AS b WHERE a.income < b.income"
        )
        told = json.loads(con.get_profiling_information(format="json"))
    assert handed_on(told) > 100 * N_ROWS and not too_many(most)
