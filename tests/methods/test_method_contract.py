"""Methods of other families fit the contract: nothing but members and labels is read of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import pytest

import ppdt_db
from ppdt_db.coded import Wants
from ppdt_db.guard import Guard
from ppdt_db.methods import METHODS, Method, parameters_of
from ppdt_db.methods.contract import Grain, LabelColumn, Task
from ppdt_db.policy import Roles

PEOPLE = "SELECT i, i % 9 AS age, 'c' || i % 4 AS city, i % 3 AS illness FROM range(100) AS r (i)"


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """Rows in the order of their draw, k at a time; the last k rows are dropped."""

    k: int = 5
    name = "blocks"
    guarantee = "k-anonymity"
    is_global = False
    has_own_shapes = True
    no_rules = ""
    cuts_leaves = False

    @property
    def grain(self) -> Grain:
        return "row"

    @property
    def guard(self) -> Guard:
        return Guard(k=self.k)

    @property
    def required(self) -> Mapping[str, float | str]:
        return self.guard.required

    @property
    def weaker(self) -> Mapping[str, str]:
        return {}

    @property
    def parameters(self) -> Mapping[str, object]:
        return {"k": self.k}

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        return []

    def wants(self, roles: Roles) -> Wants:
        return Wants(rows=True)

    def run(self, task: Task) -> Sequence[LabelColumn]:
        con, n_rows = task.engine.con, task.encoded.n_rows
        con.execute(
            "CREATE OR REPLACE TEMP TABLE ppdt_member AS "
            f"SELECT row_id, (row_id - 1) // {self.k} AS class_id FROM ppdt_row "
            f"WHERE row_id <= {n_rows - self.k}"
        )
        # Some classes keep the age as a mean, some show nothing; a city is a node or nothing.
        con.execute(
            "CREATE OR REPLACE TEMP TABLE ppdt_label AS SELECT class_id, "
            "CASE WHEN class_id % 2 = 0 THEN class_id * 0.5 END AS q0, "
            "CASE WHEN class_id % 3 = 0 THEN 'north' END AS q1 "
            "FROM (SELECT DISTINCT class_id FROM ppdt_member)"
        )
        return [
            LabelColumn(name="q0", released="age", attribute="age", shape="mean"),
            LabelColumn(name="q1", released="city", attribute="city", shape="node"),
        ]


class Loners(Blocks):
    """Promises k and shows every row alone."""

    def run(self, task: Task) -> Sequence[LabelColumn]:
        labels = super().run(task)
        con = task.engine.con
        con.execute("UPDATE ppdt_member SET class_id = row_id")
        con.execute(
            "CREATE OR REPLACE TEMP TABLE ppdt_label AS "
            "SELECT class_id, class_id + 0.5 AS q0, 'north' AS q1 FROM ppdt_member"
        )
        return labels


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(f"CREATE TABLE people AS {PEOPLE}")
    return con


def release(con: duckdb.DuckDBPyConnection, **wishes: object) -> ppdt_db.Release:
    return ppdt_db.anonymize(
        con,
        "people",
        quasi=["age", "city"],
        sensitive=["illness"],
        keep=["i"],
        into="o",
        **{"method": Blocks(), "seed": 1, **wishes},
    )


def test_rows_go_where_the_method_says(con: duckdb.DuckDBPyConnection) -> None:
    made = release(con)
    assert con.execute("SELECT count(*) FROM o").fetchone() == (95,)
    assert made.certificate["rows_dropped"] == 5
    smallest = con.execute(
        "SELECT min(n) FROM (SELECT count(*) AS n FROM o GROUP BY age, city)"
    ).fetchone()
    assert smallest == (made.certificate["k_measured"],)
    # Whole rows: what was kept still stands beside the sensitive value that it came with.
    assert con.execute("SELECT count(*) FROM o WHERE illness <> i % 3").fetchone() == (0,)


def test_classes_that_show_the_same_are_one(con: duckdb.DuckDBPyConnection) -> None:
    classes = release(con).certificate["classes"]
    assert classes == 10 + 1 + 1, "ten even classes, odd ones with north, odd ones without"


def test_draws_follow_the_seed(con: duckdb.DuckDBPyConnection) -> None:
    def ages(seed: int) -> list[tuple]:
        release(con, seed=seed, replace=True)
        return con.execute("SELECT age, i FROM o ORDER BY ALL").fetchall()

    first = ages(1)
    assert ages(1) == first
    assert ages(2) != first


def test_a_failed_audit_takes_its_catalog_along(con: duckdb.DuckDBPyConnection) -> None:
    con.begin()
    with pytest.raises(ppdt_db.GuaranteeError, match="audit failed"):
        release(con, method=Loners())
    con.commit()
    left = con.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
    assert {name for _, name in left} - {"ppdt_member", "ppdt_label"} == {"people"}
    assert con.execute(
        "SELECT count(*) FROM duckdb_schemas() WHERE schema_name = 'ppdt'"
    ).fetchone() == (0,)


def test_a_live_view_needs_membership_by_value(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ppdt_db.RequestError, match="equal rows"):
        release(con, live=True, accept=["state-by-state", "reader-side-channels"])


@pytest.mark.parametrize("name", METHODS)
def test_what_a_method_is_cannot_be_asked_for(name: str) -> None:
    said = {word for word in vars(Method) if not word.startswith("_")}
    assert not said & set(parameters_of(name))
