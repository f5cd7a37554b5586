"""Trees of the database equal those of a naive reading of C4.5, node for node."""

import importlib.util
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdt_db.learn import C45, ID3, learn

_spec = importlib.util.spec_from_file_location(
    "oracle_c45", Path(__file__).parent / "oracle" / "c45.py"
)
assert _spec is not None and _spec.loader is not None
oracle = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(oracle)

KINDS = ["number", "text", "number", "text"]
TYPES = {"number": "INTEGER", "text": "VARCHAR"}
LETTERS = "abcde"


def table(con, rows):
    columns = ", ".join(f"x{i} {TYPES[kind]}" for i, kind in enumerate(KINDS))
    con.execute(f"CREATE OR REPLACE TABLE t ({columns}, w DOUBLE, y VARCHAR)")
    if rows:
        con.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)


def expected(rows, learner, weighted):
    classes = sorted({row[-1] for row in rows})
    units: dict = {}
    for *values, weight, y in rows:
        key = (tuple(values), classes.index(y))
        units[key] = units.get(key, 0) + (round(weight * 1e6) if weighted else 1_000_000)
    plan = oracle.Plan(
        kinds=KINDS,
        n_classes=len(classes),
        n_rows=len(rows),
        min_weight=learner.min_rows * 1_000_000,
        criterion=learner.criterion,
        missing=learner.missing,
        table=[sorted({row[i] for row in rows if row[i] is not None}) for i in range(len(KINDS))],
    )
    root = oracle.grow(units, plan)
    if not learner.unpruned:
        oracle.collapse(root)
        root = oracle.prune(root, plan, learner.confidence, learner.raising)
    return shape_of_oracle(root)


def shape_of_oracle(node):
    children = []
    for branch, child in sorted(node.children.items(), key=lambda b: (b[0] is not None, b[0])):
        if branch is None:
            test = ("missing", None)
        elif KINDS[node.attribute] == "text":
            test = ("=", branch)
        else:
            test = ("<=" if branch == 0 else ">", str(node.at))
        children.append((*test, shape_of_oracle(child)))
    name = f"x{node.attribute}" if children else None
    return tuple(node.counts), name, children


def shape(tree, number=0):
    node = tree.nodes[number]
    children = [(b.test, b.value, shape(tree, b.child)) for b in node.branches]
    return node.counts, node.attribute, children


numbers = st.one_of(st.none(), st.integers(0, 6), st.integers(0, 40))
letters = st.one_of(st.none(), st.sampled_from(LETTERS))
tidy_row = st.tuples(
    st.integers(0, 12), st.sampled_from("abc"), st.integers(0, 5), st.sampled_from("abcde"),
    st.sampled_from([0.25, 1.0, 2.0, 1.7]), st.sampled_from("nyz"),
)  # fmt: skip
untidy_row = st.tuples(
    numbers, letters, numbers, letters, st.sampled_from([1.0, 0.3, 3.0]), st.sampled_from("nyz")
)
tables = st.one_of(
    st.lists(tidy_row, min_size=8, max_size=90), st.lists(untidy_row, min_size=8, max_size=90)
)
learners = st.one_of(
    st.builds(
        C45,
        min_rows=st.integers(1, 4),
        unpruned=st.booleans(),
        raising=st.booleans(),
        missing=st.sampled_from(["fractional", "branch"]),
    ),
    st.builds(ID3, min_rows=st.integers(1, 3), missing=st.sampled_from(["fractional", "branch"])),
)


@pytest.fixture(scope="module")
def con():
    with duckdb.connect(config={"threads": 2}) as connection:
        yield connection


@given(rows=tables, learner=learners, weighted=st.booleans())
@settings(max_examples=60, deadline=None)
def test_trees_equal_the_oracle(con, rows, learner, weighted):
    if len({row[-1] for row in rows}) < 2:
        return
    table(con, rows)
    features = [f"x{i}" for i in range(len(KINDS))]
    tree = learn(
        con, "t", target="y", features=features, weight="w" if weighted else None, learner=learner
    )
    assert shape(tree) == expected(rows, learner, weighted)
