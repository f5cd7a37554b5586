"""Risks and error-risk pruning against naive Python: random tables, random trees, random guards."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from unittest import mock

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.erp import below, pruned
from oracle.risk import RiskOracle
from support import classes, examples, read
from tables import Column
from test_kactus_oracle import Case, cases

import ppdt_db
from ppdt_db import Erp, GuaranteeError
from ppdt_db.engine import DuckEngine
from ppdt_db.methods.algorithms.node_risk import NodeRisk
from ppdt_db.methods.algorithms.risk_pruning import ErrorRiskPruning
from ppdt_db.sqltext.json_text import as_json
from ppdt_db.tree.tree_json import read_tree

STEPS = {"DECIMAL(5, 2)": Fraction(1, 100), "DATE": Fraction(1)}
SCALED = ("DOUBLE", "FLOAT", "HUGEINT", "DECIMAL(38, 10)")
LABELS = st.sampled_from(["a", "b", "b", "b", None])


def step_of(column: Column) -> Fraction | None:
    """The smallest step of a column, as sql/README.md tells it."""
    if not column.is_ordered:
        return None
    if column.type in SCALED:
        finite = [abs(value) for rank, value in [*column.keys()] if rank == 4]
        return Fraction(max([*finite, 0]) or 1) / 2**60
    return STEPS.get(column.type, Fraction(1, 10**6) if "TIME" in column.type else Fraction(1))


def oracle_of(case: Case, labels: list) -> RiskOracle:
    return RiskOracle(case.nodes, case.rows, labels, [step_of(c) for c in case.table.columns])


def filled(con: duckdb.DuckDBPyConnection, case: Case, **columns: list) -> None:
    case.table.make(con)
    for name, values in columns.items():
        con.execute(f"ALTER TABLE t ADD COLUMN {name} VARCHAR")
        con.executemany(
            f"UPDATE t SET {name} = ? WHERE rid = ?", [[v, i] for i, v in enumerate(values)]
        )


def listed(draw: st.DrawFn, case: Case, values: st.SearchStrategy) -> list:
    return draw(st.lists(values, min_size=case.table.n_rows, max_size=case.table.n_rows))


@examples(15)
@given(case=cases(), data=st.data())
def test_risks_are_those_of_the_oracle(case: Case, data: st.DataObject) -> None:
    labels = listed(data.draw, case, LABELS)
    oracle = oracle_of(case, labels)
    with duckdb.connect() as con:
        filled(con, case, y_=labels)
        found = ppdt_db.tree_risk(
            con, "t", quasi=case.table.names, target="y_", tree=case.tree
        ).nodes
    children = [list(dict.fromkeys(node.children.values())) for node in case.nodes]
    assert [node.node for node in found] == list(range(len(children)))
    for number, node in enumerate(found):
        assert (node.n_rows, node.n_wrong) == (len(oracle.here[number]), oracle.wrong(number))
        assert node.big == pytest.approx(oracle.big(number) / 10**12, abs=1e-9)
        assert (node.risk is None) == (node.icr is None) == (node.n_rows == 0)
        if node.risk is not None and node.icr is not None:
            assert node.risk == pytest.approx(oracle.risk(number) / 10**12, abs=1e-9)
            assert node.icr == pytest.approx(node.risk - node.big, abs=1e-9)
        # What lies below, told from the nodes themselves.
        leaves = [found[leaf] for leaf in below(children, number)]
        risks = [leaf.risk for leaf in leaves if leaf.risk is not None]
        assert node.branch_risk == min(risks, default=None)
        assert node.branch_wrong == sum(leaf.n_wrong for leaf in leaves)
        added = node.n_wrong - node.branch_wrong
        assert (node.omega is None) == (added == 0) and added >= 0
        if node.omega is not None:
            gain = node.risk - node.branch_risk
            assert node.omega == pytest.approx(gain / added, abs=1e-11)
        # Lemmas 1 and 2.
        for child in (found[child] for child in children[number]):
            assert child.big >= node.big
            assert child.icr is None or child.icr <= node.icr


@examples(15)
@given(case=cases(), k=st.integers(2, 6), kind=st.sampled_from(["rows", "l", "people"]),
       data=st.data())  # fmt: skip
def test_pruning_is_that_of_the_oracle_and_keeps_k(
    case: Case, k: int, kind: str, data: st.DataObject
) -> None:
    k, n_rows = min(k, case.table.n_rows), case.table.n_rows
    labels = listed(data.draw, case, LABELS)
    others = listed(data.draw, case, st.sampled_from(["p", "q", "r", "s", None]))
    columns = {"y_": labels} | ({"other_": others} if kind != "rows" else {})
    terms = {"rows": (1, k), "l": (2, k), "people": (min(k, 3), min(k, 3))}
    least, k = terms[kind]
    roles: dict = {"l": {"sensitive": ["other_"]}, "people": {"entity": "other_"}}.get(kind, {})
    method = Erp(k=k, l=2 if kind == "l" else 1, tree=case.tree)

    def is_small(number: int) -> bool:
        rows = oracle.here[number]
        return bool(rows) and (len(rows) < k or len({others[row] for row in rows}) < least)

    oracle = oracle_of(case, labels)
    numbers = range(len(case.nodes))
    children = [list(dict.fromkeys(node.children.values())) for node in case.nodes]
    order = pruned(
        children, [oracle.risk(n) for n in numbers], [oracle.wrong(n) for n in numbers], is_small
    )
    cut = {next((n for n in reversed(oracle.way(leaf)) if n in order), leaf): leaf
           for leaf in below(children, 0)}  # fmt: skip
    places: dict[int, int] = {}
    load = DuckEngine.load

    def noting(
        self: DuckEngine, name: str, columns: Mapping[str, str], rows: Iterable[tuple], **more: bool
    ) -> str:
        found = list(rows)
        if name == "ppdt_outcome":
            places.update(found)
        return load(self, name, columns, found, **more)

    with duckdb.connect() as con, mock.patch.object(DuckEngine, "load", noting):
        filled(con, case, **columns)
        asked: dict = {
            "quasi": case.table.names, "target": "y_", "keep": ["rid"], "method": method, **roles,
        }  # fmt: skip
        if is_small(0):
            with pytest.raises((GuaranteeError, ppdt_db.RequestError)):
                ppdt_db.anonymize(con, "t", into="o", **asked)
            return
        ppdt_db.anonymize(con, "t", into="o", **asked)
        shown = classes(read(con, "o", [*case.table.names, "rid"]), len(case.table.names))
    assert set(places.values()) == cut.keys()
    for leaf, place in places.items():
        assert place in oracle.way(leaf)
    assert sum(map(len, shown.values())) == n_rows
    for rows in shown.values():
        assert len(rows) >= k and len({others[rid] for (rid,) in rows}) >= least


# -- pruning alone, where many more trees can be tried --


@st.composite
def bare_trees(draw: st.DrawFn) -> tuple[list[int | None], list[NodeRisk], set[int]]:
    """A tree with risks of few values, so that there are ties, and nodes that may be no leaf."""
    parents: list[int | None] = [None]
    parents += [draw(st.integers(max(0, n - 6), n - 1)) for n in range(1, draw(st.integers(1, 25)))]
    is_inner = [n in parents for n in range(len(parents))]
    counts = [[0, 0, 0] for _ in parents]
    for number in range(len(parents) - 1, -1, -1):
        if not is_inner[number]:
            counts[number] = [draw(st.integers(0, 3)) for _ in range(3)]
        parent = parents[number]
        if parent is not None:
            counts[parent] = [a + b for a, b in zip(counts[parent], counts[number], strict=True)]
    nodes = [
        NodeRisk(n_rows=sum(c), n_wrong=sum(c) - max(c),
                 risk=draw(st.integers(0, 4)) * 10**12 if sum(c) else None)
        for c in counts
    ]  # fmt: skip
    k = draw(st.integers(1, 9))
    broken = {n for n, node in enumerate(nodes) if 0 < node.n_rows < k}
    if draw(st.booleans()):
        # As a guard would that unions can break: nothing rests on it that none does.
        broken ^= draw(st.sets(st.integers(0, len(nodes) - 1)))
        broken = {n for n in broken if nodes[n].n_rows}
    return parents, nodes, broken


@settings(max_examples=20 * settings().max_examples)
@given(tree=bare_trees())
def test_updating_what_is_above_is_as_good_as_all_anew(
    tree: tuple[list[int | None], list[NodeRisk], set[int]],
) -> None:
    parents, nodes, broken = tree
    children = [[n for n, above in enumerate(parents) if above == p] for p in range(len(parents))]
    pruning = ErrorRiskPruning(parents, nodes, broken)
    leaf_of = pruning.run()
    assert pruning.pruned == pruned(
        children, [n.risk for n in nodes], [n.n_wrong for n in nodes], broken.__contains__
    )
    left = {leaf_of[leaf] for leaf in below(children, 0)}
    assert not left & broken - {0}


# -- lemma 3 --


@st.composite
def covering(draw: st.DrawFn) -> tuple[list[tuple], list[dict]]:
    """Rows of all combinations, and a tree whose splits have rows for all that is left to split."""
    combined = [(sex, city, age) for sex in "fm" for city in "xyz" for age in range(6)]
    rows = [row for row in combined for _ in range(draw(st.integers(1, 3)))]
    nodes: list[dict] = [{"weights": [0]}]
    waiting = [(0, {"sex": "fm", "city": "xyz"}, (0, 5))]
    while waiting:
        number, left, (lo, hi) = waiting.pop(0)
        choices = ["leaf", *left, *(["age"] if lo < hi else [])]
        attribute = draw(st.sampled_from(choices[number == 0 :]))
        if attribute == "leaf":
            continue
        if attribute == "age":
            at = draw(st.integers(lo, hi - 1))
            ways = [("<=", str(at), left, (lo, at)), (">", str(at), left, (at + 1, hi))]
        else:
            rest = {name: values for name, values in left.items() if name != attribute}
            ways = [("=", value, rest, (lo, hi)) for value in left[attribute]]
        branches = []
        for test, value, rest, ages in ways:
            branches.append({"test": test, "value": value, "node": len(nodes)})
            waiting.append((len(nodes), rest, ages))
            nodes.append({"weights": [0]})
        nodes[number] |= {"attribute": attribute, "branches": branches}
    return rows, nodes


@examples(15)
@given(made=covering())
def test_a_branch_is_never_safer_than_its_node(made: tuple[list[tuple], list[dict]]) -> None:
    rows, nodes = made
    tree = read_tree(tree_text(nodes))
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (sex VARCHAR, city VARCHAR, age INTEGER)")
        con.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        con.execute("ALTER TABLE t ADD COLUMN y_ BOOLEAN DEFAULT TRUE")
        risk = ppdt_db.tree_risk(con, "t", quasi=["sex", "city", "age"], target="y_", tree=tree)
    for node in risk.nodes:
        assert node.risk >= node.branch_risk - 1e-9


def tree_text(nodes: list[dict]) -> str:
    types = {"sex": "VARCHAR", "city": "VARCHAR", "age": "INTEGER"}
    return as_json({
        "format": "ppdt tree 1", "target": "y_", "classes": ["true"], "missing": "branch",
        "attributes": [{"name": name, "type": kind} for name, kind in types.items()],
        "nodes": nodes,
    })  # fmt: skip
