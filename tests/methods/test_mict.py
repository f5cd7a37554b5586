"""MiCT: who stays by levels, what the audit finds of it, and what each mode promises."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unittest import mock

import duckdb
import pytest
from hypothesis import given
from oracle.kactus_tree import attributes_above, leaf_of
from oracle.mict import in_one_step, sets
from support import PATIENTS, anonymize_patients, examples, ppdt
from test_kactus_oracle import Case, cases

import ppdt_db
from ppdt_db.engine import DuckEngine
from ppdt_db.methods import Mict
from ppdt_db.tree import tree as trees
from ppdt_db.tree.node import Branch, Node

ACCEPT = ["path-anonymity"]
# Two levels of VQIDs: {town}, then {town, age}. Five rows of Rome share the town, but not the age.
TABLE = """
    CREATE TABLE people AS
    SELECT * FROM (VALUES
        ('Rome', 30, 1), ('Rome', 30, 2), ('Rome', 30, 3), ('Rome', 41, 4), ('Rome', 52, 5),
        ('Oslo', 30, 6), ('Oslo', 31, 7), ('Oslo', 32, 8),
        ('Bonn', 60, 9)
    ) AS v (town, age, number)
"""
TREE = trees.Tree(
    target="y",
    classes=("a",),
    attributes=(
        trees.Tested(name="town", type_name="VARCHAR"),
        trees.Tested(name="age", type_name="INTEGER"),
    ),
    nodes=(
        Node(
            counts=(9,),
            attribute="town",
            branches=(
                Branch(test="=", value="Rome", child=1),
                Branch(test="=", value="Oslo", child=2),
                Branch(test="=", value="Bonn", child=3),
            ),
        ),
        Node(
            counts=(5,),
            attribute="age",
            branches=(
                Branch(test="<=", value="45", child=4),
                Branch(test=">", value="45", child=5),
            ),
        ),
        Node(counts=(3,)),
        Node(counts=(1,)),
        Node(counts=(4,)),
        Node(counts=(1,)),
    ),
    missing="branch",
)


def placed(
    con: duckdb.DuckDBPyConnection, key: str, **asked: object
) -> tuple[dict[int, int], ppdt_db.Release]:
    """The group of every row as levels leave it, -1 for the pool, and the release."""
    found: dict[int, int] = {}
    append = DuckEngine.append

    def noting(self: DuckEngine, step: str, *args: object, **more: object) -> None:
        append(self, step, *args, **more)  # type: ignore[arg-type]
        if step == "methods/mict/arrived":
            rows = self.con.execute(
                f"SELECT {key}, class_id FROM ppdt_row INNER JOIN ppdt_coarse USING (row_id)"
            )
            found.update(rows.fetchall())

    with mock.patch.object(DuckEngine, "append", noting):
        release = ppdt_db.anonymize(con, **asked)  # type: ignore[arg-type]
    return found, release


def test_the_levels_of_a_small_table(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(TABLE)
    method = Mict(k=3, mode="paper", tree=TREE)
    found, release = placed(
        con, "c0", source="people", quasi=["town", "age"], keep=["number"], method=method,
        into="o", accept=ACCEPT,
    )  # fmt: skip
    assert {number for number, group in found.items() if group >= 0} == {1, 2, 3, 6, 7, 8}
    certificate = release.certificate
    assert certificate["rows_pooled_by_level"] == [1, 2] and certificate["rows_pooled"] == 3
    assert certificate["guarantee"] == "path-anonymity"
    shown = dict(con.execute("SELECT number, (town, age) FROM o").fetchall())
    assert shown[8] == ("Oslo", 32.0) and shown[3] == ("Rome", 30.0)
    assert shown[4] == shown[5] == shown[9] and shown[4][1] == 51.0
    assert certificate["measures"]["path"] == 3 and certificate["k_measured"] == 1
    # In mode leaf the four rows of Rome up to 45 stay, though one is alone with his age.
    leaf = ppdt_db.anonymize(
        con, "people", quasi=["town", "age"], keep=["number"], into="l",
        method=replace(method, k=2, mode="leaf"), accept=["leaf-anonymity", "several-releases"],
    )  # fmt: skip
    assert con.execute("SELECT age FROM l WHERE number = 4").fetchall() == [(41.0,)]
    assert (leaf.certificate["measures"]["path"], leaf.certificate["measures"]["leaf"]) == (1, 2)


def test_a_pool_that_is_too_small_takes_the_nearest_group(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(TABLE + "; DELETE FROM people WHERE number IN (4, 5)")
    found, release = placed(
        con, "c0", source="people", quasi=["town", "age"], keep=["number"],
        method=Mict(k=3, mode="paper", tree=TREE), into="o", accept=ACCEPT,
    )  # fmt: skip
    assert [number for number, group in found.items() if group < 0] == [9]
    assert release.certificate["rows_pooled"] == 4
    assert release.certificate["measures"]["path"] >= 3


@examples(25)
@given(case=cases())
def test_the_sets_are_the_naive_ones(case: Case) -> None:
    rows, k = case.rows, 3
    stay, by_level = sets(case.nodes, rows, k)
    assert stay == in_one_step(case.nodes, rows, k)
    with duckdb.connect() as con:
        case.table.make(con)
        found, release = placed(
            con, "c0", source="t", quasi=case.table.names, keep=["rid"], into="o", accept=ACCEPT,
            method=Mict(k=k, mode="paper", tree=case.tree),
        )  # fmt: skip
        if by_level:
            assert {row for row, group in found.items() if group >= 0} == stay
        assert release.certificate["rows_pooled_by_level"] == by_level
        n_pooled = release.certificate["rows_pooled"]
        assert n_pooled == sum(by_level) or sum(by_level) < k <= n_pooled
        assert release.certificate["measures"]["path"] >= k
        checked = ppdt_db.audit(con, "o", quasi=case.table.names, tree=case.tree, require="path=3")
        assert checked.passed
        assert checked.measures["path"] == release.certificate["measures"]["path"]


@examples(25)
@given(case=cases())
def test_the_audit_counts_as_python_does(case: Case) -> None:
    """Of a table as it is: no method has a hand in it."""
    at = [leaf_of(case.nodes, row) for row in case.rows]
    paths = Counter(
        (leaf, *(row[a] for a in sorted(attributes_above(case.nodes, leaf))))
        for leaf, row in zip(at, case.rows, strict=True)
    )
    with duckdb.connect() as con:
        case.table.make(con)
        measures = ppdt_db.audit(con, "t", quasi=case.table.names, tree=case.tree).measures
    assert measures["leaf"] == min(Counter(at).values())
    assert measures["path"] == min(paths.values())


def test_people_count_and_not_rows(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(TABLE + "; ALTER TABLE people ADD COLUMN person INTEGER")
    con.execute("UPDATE people SET person = CASE WHEN number <= 3 THEN 1 ELSE number END")
    asked: Mapping[str, object] = {"quasi": ["town", "age"], "tree": TREE}
    con.execute("CREATE TABLE three AS FROM people WHERE number <= 3")
    rows = ppdt_db.audit(con, "three", **asked)  # type: ignore[arg-type]
    people = ppdt_db.audit(con, "three", entity="person", **asked)  # type: ignore[arg-type]
    assert (rows.measures["path"], people.measures["path"]) == (3, 1)
    release = ppdt_db.anonymize(
        con, "people", quasi=["town", "age"], entity="person", keep=["number"], into="o",
        accept=ACCEPT, method=Mict(k=3, mode="paper", tree=TREE),
    )  # fmt: skip
    assert release.certificate["measures"]["path"] >= 3
    assert release.certificate["rows_pooled"] >= 6


def test_each_mode_promises_by_name(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    for mode, name, measure in (("paper", "path", "path"), ("leaf", "leaf", "leaf")):
        method = Mict(k=20, mode=mode)  # type: ignore[arg-type]
        with pytest.raises(ppdt_db.RequestError, match=f"--accept {name}-anonymity"):
            anonymize_patients(con, method=method, target="readmitted")
        made = anonymize_patients(
            con, method=method, target="readmitted", into=f"o_{mode}",
            accept=[f"{name}-anonymity", "several-releases"],
        ).certificate  # fmt: skip
        assert made["guarantee"] == f"{name}-anonymity"
        assert made["findings"][0]["name"] == measure and made["findings"][0]["passed"]
        assert made["k_measured"] < 20 <= made["measures"][measure]


def test_a_tree_that_the_release_does_not_show_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute(TABLE)
    with pytest.raises(ppdt_db.RequestError, match='tests "age", which is not a quasi-identifier'):
        ppdt_db.audit(con, "people", quasi=["town"], tree=TREE)
    with pytest.raises(ppdt_db.RequestError, match="path needs the tree"):
        ppdt_db.audit(con, "people", quasi=["town", "age"], require="path=2")
    con.execute("CREATE TABLE ranged AS SELECT town, '[30, 41]' AS age FROM people")
    with pytest.raises(ppdt_db.RequestError, match="as ranges, sets or nodes"):
        ppdt_db.audit(con, "ranged", quasi=["town", "age"], tree=TREE)
    con.execute("CREATE TABLE worded AS SELECT town, 'x' || age AS age FROM people")
    with pytest.raises(ppdt_db.RequestError, match="Cast it in a view"):
        ppdt_db.audit(con, "worded", quasi=["town", "age"], tree=TREE)
    con.execute(f"COPY people TO '{tmp_path}/people.parquet'")
    (tmp_path / "tree.json").write_text(TREE.as_json(), "utf-8")
    asked = ["audit", tmp_path / "people.parquet", "--qi", "town,age"]
    asked += ["--tree", tmp_path / "tree.json", "--require", "path=2"]
    ended = ppdt(*asked)
    assert ended.code == 3 and "path >= 2  (measured 1)" in ended.out
    assert "fewest people who share their path" in ended.out
