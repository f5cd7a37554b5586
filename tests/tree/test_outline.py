"""What a record tells of the tree behind a release: counts of k rows or more, no thresholds."""

import io
import json
import re

import duckdb
import pytest
from support import every

import ppdt_db
from ppdt_db import Kactus
from ppdt_db.tree import tree as trees
from ppdt_db.tree.node import Branch, Node
from ppdt_db.tree.outline import outline
from ppdt_db.tree.tree import Tree

PEOPLE = (
    "SELECT i % 61 AS age, 'c' || i % 5 AS city, i % 7 AS visits, "
    "i % 61 > 30 AND i % 5 < 3 OR i % 7 = 6 AS ill FROM range(900) AS r (i)"
)


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(f"CREATE TABLE people AS {PEOPLE}")
    return con


def told(con: duckdb.DuckDBPyConnection, **wishes: object) -> ppdt_db.Release:
    given: dict = {"quasi": ["age", "city", "visits"], "target": "ill", "into": "o", **wishes}
    return ppdt_db.anonymize(con, "people", **given)


@pytest.mark.parametrize("refine", every(2, [True, False]))
def test_a_record_tells_no_threshold_and_no_small_count(con, refine) -> None:
    k = 20
    record = told(con, method=Kactus(k=k, refine=refine)).certificate["tree"]
    assert len(record["nodes"]) > 1
    assert all(node["weights"][0] >= k for node in record["nodes"])
    for node in record["nodes"]:
        for branch in node.get("branches", []):
            assert branch["value"] is None
            assert record["nodes"][branch["node"]]["weights"][0] <= node["weights"][0]
    assert not any(f"c{i}" in json.dumps(record) for i in range(5))


@pytest.mark.parametrize("refine", every(2, [True, False]))
def test_no_log_tells_a_value(con, refine) -> None:
    con.execute("UPDATE people SET city = 'S3CRET' || city, age = age + 7654300")
    log = io.StringIO()
    told(con, method=Kactus(k=20, refine=refine), sql_log=log)
    assert "S3CRET" not in log.getvalue() and not re.search(r"76543\d\d", log.getvalue())


def test_a_step_with_a_small_side_is_not_told() -> None:
    tree = Tree(
        target="y",
        classes=("a",),
        attributes=(
            trees.Tested(name="x", type_name="VARCHAR"),
            trees.Tested(name="n", type_name="INTEGER"),
        ),
        nodes=(
            Node(
                counts=(0,), attribute="n",
                branches=(
                    Branch(test="<=", value="77", child=1), Branch(test=">", value="77", child=2),
                ),
            ),
            Node(
                counts=(0,), attribute="x",
                branches=(
                    Branch(test="=", value="p", child=3), Branch(test="=", value="q", child=4),
                ),
            ),
            Node(counts=(0,)), Node(counts=(0,)), Node(counts=(0,)),
        ),
    )  # fmt: skip
    sizes = {2: 30, 3: 9, 4: 50}
    record = outline(tree, sizes, 10)
    assert [node["weights"] for node in record["nodes"]] == [[89], [59], [30]]
    assert "branches" not in record["nodes"][1] and "77" not in json.dumps(record)
    whole = outline(tree, sizes | {3: 10}, 10)
    tests = [b["test"] for node in whole["nodes"] for b in node.get("branches", [])]
    assert tests == ["<=", ">", "=", "="]
    assert not {"77", "p", "q"} & set(re.findall(r"\w+", json.dumps(whole)))


def test_people_are_not_counted_by_rows(con) -> None:
    con.execute("ALTER TABLE people ADD COLUMN person INTEGER")
    con.execute("UPDATE people SET person = rowid // 2")
    assert "tree" not in told(con, method=Kactus(k=20), entity="person").certificate


def test_the_report_draws_it(con) -> None:
    told(con, method=Kactus(k=20))
    page = ppdt_db.report(con, "o")
    assert "The tree that made the classes" in page
