"""Methods of other families fit the contract: nothing but members and labels is read of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, Literal

import duckdb
import pytest

import ppdt_db
from ppdt_db.cost.effort import Effort
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.methods import METHODS, OPTIONS, Method, options_of
from ppdt_db.methods.base import Grain, LabelColumn, Task
from ppdt_db.methods.guard import GuardTerms
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles

PEOPLE = "SELECT i, i % 9 AS age, 'c' || i % 4 AS city, i % 3 AS illness FROM range(100) AS r (i)"


@dataclass(frozen=True, kw_only=True)
class Blocks(Method):
    """Rows in the order of their draw, k at a time; the last k rows are dropped."""

    k: int = 5
    name = "blocks"
    effort: ClassVar[Mapping[str, Effort]] = {}
    grain: ClassVar[Grain] = "row"
    is_global = False
    controls_recoding = True
    why_not_applicable = ""

    def faults(self, roles: Roles, columns: Mapping[str, str]) -> Sequence[str]:
        return []

    def wants(self, roles: Roles) -> EncodeOptions:
        return EncodeOptions(row_ids=True)

    def form_classes(self, task: Task) -> None:
        con, n_rows = task.engine.con, task.encoded.n_rows
        con.execute(
            "CREATE OR REPLACE TEMP TABLE ppdt_member AS "
            f"SELECT row_id, (row_id - 1) // {self.k} AS class_id FROM ppdt_row "
            f"WHERE row_id <= {n_rows - self.k}"
        )

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        # Some classes keep the age as a mean, some show nothing; a city is a node or nothing.
        task.engine.con.execute(
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

    def label(self, task: Task, _: None) -> Sequence[LabelColumn]:
        labels = super().label(task, _)
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
    own = {*vars(Method), *Method.__annotations__} - {term.name for term in fields(GuardTerms)}
    said = {word for word in own if not word.startswith("_")}
    assert {"name", "grain", "form_classes", "label"} < said
    assert not said & {parameter.name for parameter in fields(METHODS[name])}


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_of_a_method_is_an_option(name: str) -> None:
    """Entropy and recursive diversity come with --l."""
    parameters = {parameter.name for parameter in fields(METHODS[name])}
    assert options_of(METHODS[name]).keys() == parameters - {"entropy", "recursive"}


@pytest.mark.parametrize("name", METHODS)
def test_the_certificate_says_every_option_of_a_method(name: str) -> None:
    own = options_of(METHODS[name]).keys() - {term.name for term in fields(GuardTerms)}
    assert own <= METHODS[name](k=5).parameters.keys()


def test_an_option_means_the_same_wherever_it_is_taken() -> None:
    for method in METHODS.values():
        for name, own in options_of(method).items():
            assert own == OPTIONS[name], f"{method.name}: {own.flag}"


@dataclass(frozen=True, kw_only=True)
class Bounded(Blocks):
    share: float = field(default=0.5, metadata=option(help="", least=0, below=1))
    way: Literal["up", "down"] = field(default="up", metadata=option(help=""))


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan"), float("inf"), 7])
def test_values_are_checked_as_declared(con: duckdb.DuckDBPyConnection, share: float) -> None:
    method = Bounded(share=share, way="aside")  # type: ignore[arg-type]
    with pytest.raises(ppdt_db.RequestError) as error:
        release(con, method=method)
    assert str(error.value).splitlines() == [
        f"share={share:g}: must be at least 0 and below 1.", "way aside: choose one of up, down.",
    ]  # fmt: skip
    assert release(con, method=Bounded(share=0, way="down")).certificate["rows_dropped"] == 5
