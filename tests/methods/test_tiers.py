"""Tiered generalization: the paper's table, naive Python on random tables, and the proof of it."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.tiers import Space, tiers
from support import every, examples, make_database, mostly_slow, objects, ppdt, temporaries
from tables import Table, tables

import ppdt_db
from ppdt_db import Attribute, Erp, GuaranteeError, RequestError
from ppdt_db.engine import DuckEngine
from ppdt_db.release.prove_kk import PROVED
from ppdt_db.tree import tree as trees
from ppdt_db.tree.node import Branch, Node

ACCEPT = ["kk-anonymity"]
NODE_2 = (
    "(VALUES (1, 57, 'M', 'yes'), (2, 61, 'M', 'yes'), (3, 42, 'N', 'no'), (4, 29, 'N', 'no'), \
(5, 38, 'N', 'no')) AS t(record, age, marital, class)"
)
RESULT = [
    ("[42, 61]", ["M", "N"]),
    ("[42, 61]", ["M", "N"]),
    ("[29, 61]", ["M", "N"]),
    ("[29, 42]", ["N"]),
    ("[29, 42]", ["N"]),
]


def make_node_2(con: duckdb.DuckDBPyConnection, order: str = "record") -> None:
    con.execute(f"CREATE TABLE node_2 AS SELECT * FROM {NODE_2} ORDER BY {order}")


def by_marital() -> trees.Tree:
    """Figure 1 below node 2: leaves 4 and 5."""
    branches = (
        Branch(test="=", value="M", child=1), Branch(test="=", value="N", child=2),
    )  # fmt: skip
    nodes = (
        Node(counts=(2, 3), attribute="marital", branches=branches),
        Node(counts=(2, 0)), Node(counts=(0, 3)),
    )  # fmt: skip
    return trees.Tree(
        target="class", classes=("yes", "no"), nodes=nodes, missing="branch",
        attributes=(trees.Tested(name="marital", type_name="VARCHAR"),),
    )  # fmt: skip


@pytest.mark.parametrize("order", ["record", "record DESC"])
@pytest.mark.parametrize("threads", [1, 2])
def test_table_1_of_the_paper(order: str, threads: int) -> None:
    with duckdb.connect(config={"threads": threads}) as con:
        make_node_2(con, order)
        release = ppdt_db.anonymize(
            con, "node_2", quasi=["age", "marital"], target="class", keep=["record"],
            method=Erp(k=3, tree=by_marital(), tiered=True), into="o", accept=ACCEPT,
        )  # fmt: skip
        shown = con.execute("SELECT age, marital FROM o ORDER BY record").fetchall()
        assert shown == RESULT
        assert release.certificate["guarantee"] == "(k,k)-anonymity"
        assert release.certificate["parts_that_borrow"] == release.certificate["rows_lent"] == 1
        found = next(f for f in release.certificate["findings"] if f["name"] == PROVED)
        assert found["measured"] == 3 and found["passed"]


# -- random tables ---------------------------------------------------------------------------------


@contextmanager
def watched(seen: dict[str, list]) -> Iterator[None]:
    """Notes the leaf and the draw of every row, the group of every leaf, and the way up."""
    make = DuckEngine.make

    def noting(self: DuckEngine, step: object, *args: object, **more: object) -> str:
        if step == "methods/tiers/node_rows":
            for name, sql in {
                "row": "SELECT c0, leaf_id, row_id FROM ppdt_row JOIN ppdt_leaf USING (cell_id)",
                "group": "SELECT leaf_id, class_id FROM ppdt_outcome",
                "above": "SELECT node_id, list(above_id) FROM ppdt_above GROUP BY node_id",
            }.items():
                seen[name] = self.con.execute(sql).fetchall()
        return make(self, step, *args, **more)  # type: ignore[arg-type]

    with mock.patch.object(DuckEngine, "make", noting):
        yield


def run(
    table: Table, k: int, order: list[int] | None = None, threads: int = 1, **more: object
) -> tuple[dict[str, list], dict[int, tuple], ppdt_db.Release]:
    """What was seen on the way, and what every row shows."""
    seen: dict[str, list] = {}
    with duckdb.connect(config={"threads": threads}) as con:
        table.make(con, order=order)
        con.execute("CREATE VIEW s AS SELECT *, rid % 3 AS y FROM t")
        with watched(seen):
            release = ppdt_db.anonymize(
                con, "s", quasi=table.names, keep=["rid"], target="y", seed=7, into="o",
                method=Erp(k=k, tiered=True), accept=ACCEPT, **more,
            )  # fmt: skip
        found = con.execute("SELECT rid, COLUMNS(* EXCLUDE (rid, y)) FROM o").fetchall()
    return seen, {row[0]: row[1:] for row in found}, release


EXACT = ["TINYINT", "INTEGER", "DECIMAL(5, 2)", "VARCHAR", "ENUM('low', 'mid', 'high')", "BOOLEAN"]


@examples(8)
@given(tables(types=EXACT, max_rows=30), st.integers(2, 5), st.randoms())
def test_like_naive_python(table: Table, k: int, random: object) -> None:
    if k > table.n_rows:
        return
    seen, shown, _ = run(table, k)
    rows = list(zip(*(column.keys() for column in table.columns), strict=True))
    space = Space(rows, [column.is_ordered for column in table.columns])
    placed = sorted(seen["row"])
    n_above = {node: len(above) for node, above in seen["above"]}
    expected = tiers(
        space,
        k,
        [leaf for _, leaf, _ in placed],
        dict(seen["group"]),
        {node: sorted(above, key=lambda n: -n_above[n]) for node, above in seen["above"]},
        [draw for _, _, draw in placed],
    )
    for rid, labels in enumerate(expected):
        for column, value, keys in zip(table.columns, shown[rid], labels, strict=True):
            text_of = dict(zip(column.keys(), column.texts, strict=True))
            if not column.is_ordered:
                wanted = [text_of[key] for key in sorted(keys)]
                assert [None if v is None else str(v).lower() if column.type == "BOOLEAN" else v
                        for v in value] == wanted  # fmt: skip
            else:
                assert value == written(text_of, keys)
    assert least_agreeing(rows, expected, space.is_number) >= k
    mixed = list(range(table.n_rows))
    random.shuffle(mixed)  # type: ignore[attr-defined]
    _, again, _ = run(table, k, mixed, threads=2)
    assert again == shown


def least_agreeing(rows: list[tuple], labels: list[list[set]], is_number: list[bool]) -> int:
    """Each row of either side against each of the other: the fewest that agree."""

    def fits(row: tuple, label: list[set]) -> bool:
        for key, known, number in zip(row, label, is_number, strict=True):
            finite = [k for k in known if k[0] == 4]
            inside = number and key[0] == 4 and bool(finite) and min(finite) <= key <= max(finite)
            if not inside and key not in known:
                return False
        return True

    agree = [[fits(row, label) for row in rows] for label in labels]
    return min([sum(of_row) for of_row in agree] + [sum(one) for one in zip(*agree, strict=True)])


def written(text_of: Mapping[object, str | None], keys: set) -> str | None:
    """A range as the release writes it."""
    finite = sorted(key for key in keys if key[0] == 4)
    has_null = any(key[0] == 0 for key in keys)
    if not finite:
        return None
    low, high = text_of[finite[0]], text_of[finite[-1]]
    return (low if low == high else f"[{low}, {high}]") + (" or NULL" if has_null else "")


@examples(8)
@given(tables(max_rows=30), st.integers(2, 5), st.sampled_from(["range", "set", "bounds"]))
def test_every_row_agrees_with_k_rows_on_the_other_side(table: Table, k: int, shape: str) -> None:
    if k > table.n_rows:
        return
    quasi = [Attribute(c.name, shape if c.is_ordered else None) for c in table.columns]  # type: ignore[arg-type]
    with duckdb.connect() as con:
        table.make(con)
        con.execute("CREATE VIEW s AS SELECT *, rid % 2 AS y FROM t")
        release = ppdt_db.anonymize(
            con, "s", quasi=quasi, keep=["rid"], target="y", into="o", seed=1,
            method=Erp(k=k, tiered=True), accept=ACCEPT,
        )  # fmt: skip
    assert all(finding["passed"] for finding in release.certificate["findings"])


def test_parts_that_see_only_a_draw_of_the_pool_still_agree_with_k_rows() -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE s AS SELECT CAST(i * 7919 % 61 AS VARCHAR) AS town, i * 31 % 83 AS age, "
            "i * 7919 % 61 % 3 AS y, i AS rid FROM range(400) AS r (i)"
        )
        with (
            mock.patch("ppdt_db.methods.algorithms.tiers.MOST_PAIRS", 0),
            mock.patch("ppdt_db.methods.algorithms.tiers.LEAST_CELLS", 0),
        ):
            release = ppdt_db.anonymize(
                con, "s", quasi=["town", "age"], target="y", keep=["rid"], into="o", seed=1,
                method=Erp(k=10, tiered=True), accept=ACCEPT,
            )  # fmt: skip
        assert release.certificate["pools_seen_in_part"] > 0  # type: ignore[operator]
        asked = {"quasi": ["town", "age"], "original": "s", "require": "kk=10"}
        assert ppdt_db.audit(con, "o", **asked).passed  # type: ignore[arg-type]


# -- the proof -------------------------------------------------------------------------------------


@contextmanager
def tampered(step: str, *statements: str) -> Iterator[None]:
    """Changes what a step has made."""
    make = DuckEngine.make

    def changing(self: DuckEngine, made: object, *args: object, **more: object) -> str:
        name = make(self, made, *args, **more)  # type: ignore[arg-type]
        if made == step:
            for statement in statements:
                self.con.execute(statement)
        return name

    with mock.patch.object(DuckEngine, "make", changing):
        yield


def release_node_2(con: duckdb.DuckDBPyConnection, **more: object) -> ppdt_db.Release:
    place = {} if "out" in more else {"into": "o"}
    return ppdt_db.anonymize(
        con, "node_2", quasi=["age", "marital"], target="class", keep=["record"],
        method=Erp(k=3, tree=by_marital(), tiered=True), accept=ACCEPT, **place, **more,
    )  # type: ignore[arg-type]  # fmt: skip


EVERY_PAIR = (
    "CREATE OR REPLACE TEMP TABLE ppdt_hint AS SELECT DISTINCT class_id, cell_id "
    "FROM ppdt_label, ppdt_cell"
)
WITHOUT_CLASS = "DELETE FROM ppdt_hint WHERE class_id = (FROM ppdt_hint SELECT min(class_id))"
WITHOUT_CELL = "DELETE FROM ppdt_hint WHERE cell_id = (FROM ppdt_hint SELECT max(cell_id))"
WITHOUT_ROW = "DELETE FROM ppdt_member WHERE row_id = (FROM ppdt_member SELECT max(row_id))"
FAULTS = {
    "a label that one row no longer fits": [
        ("label/label", "UPDATE ppdt_label SET q0 = '[29, 57]' WHERE q0 = '[29, 61]'"),
    ],
    "the same, and every pair hinted at": [
        ("label/label", "UPDATE ppdt_label SET q0 = '[29, 57]' WHERE q0 = '[29, 61]'"),
        ("label/label", EVERY_PAIR),
    ],
    "a set that lacks a value": [
        ("label/label", "UPDATE ppdt_label SET q1 = ['N'] WHERE q0 = '[29, 61]'"),
    ],
    "a class without hints": [
        ("methods/tiers/hint", WITHOUT_CLASS),
    ],
    "a cell without hints": [
        ("methods/tiers/hint", WITHOUT_CELL),
    ],
    "hints that repeat themselves": [
        ("methods/tiers/hint", WITHOUT_CELL),
        (
            "methods/tiers/hint",
            "INSERT INTO ppdt_hint SELECT hint.* FROM ppdt_hint AS hint, range(9)",
        ),
    ],
    "too small a loan": [
        ("methods/tiers/needy", "UPDATE ppdt_needy SET n_needed = n_needed - 1"),
    ],
    "a row left out": [
        ("methods/tiers/member", WITHOUT_ROW),
    ],
}  # fmt: skip


@pytest.mark.parametrize("fault", every(2, FAULTS))
@pytest.mark.parametrize(
    "form", mostly_slow(["view", ".parquet", ".csv", ".duckdb"], "view", ".csv")
)
def test_what_cannot_be_proved_is_not_released(fault: str, form: str, tmp_path: Path) -> None:
    out = tmp_path / f"o{form}"
    with duckdb.connect() as con:
        make_node_2(con)
        before = objects(con)
        steps = {step for step, _ in FAULTS[fault]}
        with ExitStack() as stack:
            for step in steps:
                mine = [text for at, text in FAULTS[fault] if at == step]
                stack.enter_context(tampered(step, *mine))
            with pytest.raises(GuaranteeError, match="kk at least >= 3"):
                release_node_2(con, **({} if form == "view" else {"out": out}))
        assert objects(con) == before and temporaries(con) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", [".parquet", ".csv", ".duckdb"])
def test_files_are_proved_as_they_were_written(form: str, tmp_path: Path) -> None:
    with duckdb.connect() as con:
        make_node_2(con)
        release = release_node_2(con, out=tmp_path / f"o{form}")
    assert next(f["passed"] for f in release.certificate["findings"] if f["name"] == PROVED)


def test_an_audit_finds_a_release_that_breaks_it_by_one_row() -> None:
    with duckdb.connect() as con:
        make_node_2(con)
        release_node_2(con)
        asked = {"quasi": ["age", "marital"], "original": "node_2", "require": "kk=3"}
        assert ppdt_db.audit(con, "o", **asked).passed  # type: ignore[arg-type]
        con.execute(
            "CREATE TABLE broken AS SELECT * REPLACE "
            "(CASE WHEN record = 3 THEN '[29, 57]' ELSE age END AS age) FROM o"
        )
        broken = ppdt_db.audit(con, "broken", **asked)  # type: ignore[arg-type]
        assert not broken.passed and broken.measures["kk"] == 2


# -- what is asked for -----------------------------------------------------------------------------


def test_the_weaker_guarantee_must_be_accepted_by_name() -> None:
    with duckdb.connect() as con:
        make_node_2(con)
        with pytest.raises(RequestError, match="--accept kk-anonymity") as error:
            ppdt_db.anonymize(
                con, "node_2", quasi=["age", "marital"], target="class", keep=["record"],
                method=Erp(k=3, tiered=True), into="o",
            )  # fmt: skip
        for words in (
            "not give plain k-anonymity",
            "at least k released rows",
            "which rows were lent",
        ):
            assert words in str(error.value)


def test_the_command_line_says_the_same(tmp_path: Path) -> None:
    path = make_database(tmp_path / "d.duckdb", f"CREATE TABLE node_2 AS FROM {NODE_2}")
    asked = [
        "anonymize", "node_2", "--db", path, "--qi", "age,marital", "--target", "class", "--id",
        "record", "--method", "erp", "--tiered", "--k", 3, "--into", "o",
    ]  # fmt: skip
    refused = ppdt(*asked)
    assert refused.code == 2 and "--accept kk-anonymity" in refused.err
    accepted = ppdt(*asked, "--accept", "kk-anonymity")
    assert accepted.code == 0, accepted.err
    assert re.search(r"\(k,k\) at least +3\b", accepted.out)
    audited = ["audit", "o", "--db", path, "--qi", "age,marital", "--original", "node_2"]
    assert ppdt(*audited, "--require", "kk=3").code == 0


def test_all_that_tiers_cannot_keep_is_refused_at_once() -> None:
    method = Erp(k=3, l=2, t=0.5, alpha=0.9, tiered=True)
    with duckdb.connect() as con:
        make_node_2(con)
        with pytest.raises(RequestError) as error:
            ppdt_db.anonymize(
                con, "node_2", quasi=[Attribute("age", "mean"), Attribute("marital", "mode")],
                sensitive=["class"], target="class", entity="record", method=method, into="o",
            )  # fmt: skip
    found = error.value.faults
    for start in ('recode "age"', 'recode "marital"', "l:", "t:", "alpha:", 'entity "record"'):
        assert any(fault.startswith(start) for fault in found), start


def test_the_certificate_says_what_is_kept() -> None:
    with duckdb.connect() as con:
        make_node_2(con)
        made = release_node_2(con).certificate
    assert made["guarantee"] == "(k,k)-anonymity" and made["k_measured"] == 1
    notes = " ".join(made["notes"])  # type: ignore[arg-type]
    assert "not give plain k-anonymity" in notes and "which rows were lent" in notes
