"""Wide sources: no step grows faster than the columns, and no message grows with them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest import mock

import duckdb
import pytest
from support import every, mostly_slow

import ppdt_db
from ppdt_db.engine import DuckEngine
from ppdt_db.methods import METHODS, Method
from ppdt_db.sqltext.quoting import did_you_mean
from ppdt_db.sqltext.templates import Statement

FEW, MANY = 8, 16
# Every statement has parts that do not grow with the columns, and numbers grow by a digit.
LINEAR = MANY / FEW * 1.1


@dataclass
class Traced:
    """What was asked of the engine: by step the statements, their text and joins at most."""

    statements: Counter[str] = field(default_factory=Counter)
    text: dict[str, int] = field(default_factory=dict)
    joins: dict[str, int] = field(default_factory=dict)
    texts: list[tuple[str, str]] = field(default_factory=list)
    distinct: int = 0

    def note(self, statement: Statement) -> None:
        step, text = statement.step, statement.text
        self.statements[step] += 1
        self.texts.append((step, text))
        self.text[step] = max(self.text.get(step, 0), len(text))
        self.joins[step] = max(self.joins.get(step, 0), text.count(" JOIN "))
        self.distinct = max(self.distinct, text.count("count(DISTINCT"))


@contextmanager
def traced() -> Iterator[Traced]:
    """Note all statements of a block."""
    found = Traced()
    execute = DuckEngine._execute

    def noted(
        engine: DuckEngine, statement: Statement, params: Mapping[str, object]
    ) -> list[tuple[object, ...]]:
        found.note(statement)
        return execute(engine, statement, params)

    with mock.patch.object(DuckEngine, "_execute", noted):
        yield found


def wide(con: duckdb.DuckDBPyConnection, n_columns: int, n_rows: int = 120) -> list[str]:
    """A table `wide` whose columns say the same, so that levels do not depend on their number."""
    names = [f"c{number:04}" for number in range(n_columns)]
    kinds = ("i % 5", "concat('v', i % 5)")
    listed = ", ".join(f"{kinds[n % 2]} AS {name}" for n, name in enumerate(names))
    con.execute(
        f"CREATE OR REPLACE TABLE wide AS SELECT {listed}, i % 3 AS s, i % 2 AS y "
        f"FROM range({n_rows}) AS r (i)"
    )
    return names


def run_of(n_columns: int, role: str, name: str) -> Traced:
    """The statements of a run with so many columns in one role."""
    method: Method = METHODS[name](k=5)
    with duckdb.connect() as con, traced() as found:
        columns = wide(con, n_columns)
        quasi, rest = (columns, []) if role == "quasi" else (columns[:2], columns[2:])
        roles: dict[str, list[str]] = {} if role == "quasi" else {role: rest}
        roles["sensitive"] = ["s", *roles.get("sensitive", [])]
        ppdt_db.anonymize(
            con, "wide", quasi=quasi, **roles, target="y", method=method, into="released",
            seed=1, accept=[*method.requires_accept], pseudonym_key="k" * 32,
        )  # fmt: skip
    return found


def compared(few: Traced, many: Traced) -> list[str]:
    """What grew by more than the columns."""
    measures = {
        "statements": (few.statements, many.statements),
        "text": (few.text, many.text),
        "joins": (few.joins, many.joins),
    }
    return [
        f"{step}: {what} grew from {before[step]} to {count}"
        for what, (before, after) in measures.items()
        for step, count in after.items()
        # A level more or less is no growth.
        if count > before.get(step, 0) * LINEAR + 2
    ]


@pytest.mark.parametrize(
    "name",
    mostly_slow([n for n in METHODS if n != "univariate"], "mondrian", "kactus"),
)
def test_no_step_grows_faster_than_the_quasi_identifiers(name: str) -> None:
    assert not compared(run_of(FEW, "quasi", name), run_of(MANY, "quasi", name))


@pytest.mark.parametrize("role", every(2, ["keep", "sensitive", "identifiers", "pseudonymize"]))
@pytest.mark.parametrize("name", mostly_slow(["mondrian", "kactus"], "mondrian"))
def test_no_step_grows_faster_than_other_columns(role: str, name: str) -> None:
    assert not compared(run_of(FEW, role, name), run_of(MANY, role, name))


def test_nodes_are_measured_without_a_join_for_each_column() -> None:
    """A level costs as many joins as there are kinds of tables, not as there are columns."""
    found = run_of(MANY, "quasi", "mondrian")
    assert {
        step: n for step, n in found.joins.items() if step.startswith("methods/mondrian/") and n > 4
    } == {}


def test_a_statement_counts_the_values_of_some_columns_only() -> None:
    """The engine takes longer for many counts of different values: a hundred sets at once."""
    found = run_of(120, "keep", "mondrian")
    assert found.statements["audit/alone"] == 2
    assert found.distinct <= 32


def test_the_text_of_a_row_names_no_column_twice() -> None:
    """The engine looks for expressions that repeat, and takes longer for it than columns grow."""
    found = run_of(FEW, "keep", "kactus")
    for step, column in (("encode/fingerprint", "c0005"), ("encode/drawn", "c5")):
        texts = [text for of_step, text in found.texts if of_step == step]
        assert texts
        assert max(len(re.findall(rf'"{column}" AS VARCHAR', text)) for text in texts) == 1, step


def test_many_columns_without_a_role_are_told_in_a_few_lines() -> None:
    with duckdb.connect() as con:
        wide(con, 400)
        with traced() as found, pytest.raises(ppdt_db.RequestError) as refused:
            ppdt_db.anonymize(con, "wide", quasi=["c0000"], into="r")
    told = refused.value.faults
    assert len(told) <= 25
    assert told[0] == '"c0001": no role. It has 5 distinct values in 120 rows.'
    assert any(line == "... and 381 more columns without a role." for line in told)
    assert "--keep rest" in told[-1]
    assert found.distinct <= 32


def test_many_names_that_are_no_columns_are_told_in_a_few_lines() -> None:
    with duckdb.connect() as con:
        wide(con, 400)
        with (
            mock.patch("ppdt_db.sqltext.quoting.did_you_mean", wraps=did_you_mean) as nearest,
            pytest.raises(ppdt_db.RequestError) as refused,
        ):
            unknown = [f"d{number:04}" for number in range(400)]
            ppdt_db.anonymize(con, "wide", quasi=["c0000", *unknown], keep="rest", into="r")
    assert len(refused.value.faults) <= 25
    assert "... and 380 more names given as quasi-identifier that are not columns" in str(
        refused.value
    )
    # Each guess looks at all columns.
    assert nearest.call_count <= 25


@pytest.mark.slow
def test_fifteen_hundred_columns_are_refused_and_kept() -> None:
    with duckdb.connect() as con:
        columns = wide(con, 1500)
        with pytest.raises(ppdt_db.RequestError, match=r"1,4\d\d more columns without a role"):
            ppdt_db.anonymize(con, "wide", quasi=columns[:1], into="r")
        release = ppdt_db.anonymize(con, "wide", quasi=columns[:2], keep="rest", into="r")
    assert len(release.certificate["kept_columns_uniqueness"]) == 1500
