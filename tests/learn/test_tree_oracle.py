"""Trees of the database equal those of a naive reading of C4.5, node for node."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.tree_growth import Plan, grow
from oracle.tree_pruning import collapse, prune
from support import examples

from ppdt_db.learn import C45, ID3, learn

KINDS = ["number", "text", "number", "text"]
TYPES = {"number": "INTEGER", "text": "VARCHAR"}
LETTERS = "abcde"


def table(con, rows):
    columns = ", ".join(f"x{i} {TYPES[kind]}" for i, kind in enumerate(KINDS))
    con.execute(f"CREATE OR REPLACE TABLE t ({columns}, w DOUBLE, y VARCHAR)")
    if rows:
        con.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)


def expected(rows, learner, weighted, points=None):
    """The oracle's tree; `points` are the values and members of each attribute."""
    classes = sorted({row[-1] for row in rows})
    units: dict = {}
    for *values, weight, y in rows:
        key = (tuple(values), classes.index(y))
        units[key] = units.get(key, 0) + (round(weight * 1e6) if weighted else 1_000_000)
    plan = Plan(
        kinds=KINDS,
        n_classes=len(classes),
        n_rows=len(rows),
        min_weight=learner.min_rows * 1_000_000,
        criterion=learner.criterion,
        missing=learner.missing,
        table=points or [sorted({row[i] for row in rows} - {None}) for i in range(len(KINDS))],
    )
    root = grow([(*key, w) for key, w in units.items()], plan)
    if not learner.unpruned:
        collapse(root)
        root = prune(root, plan, learner.confidence, learner.raising and points is None)
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
@examples(60)
def test_trees_equal_the_oracle(con, rows, learner, weighted):
    if len({row[-1] for row in rows}) < 2:
        return
    table(con, rows)
    features = [f"x{i}" for i in range(len(KINDS))]
    tree = learn(
        con, "t", target="y", features=features, weight="w" if weighted else None, learner=learner
    )
    assert shape(tree) == expected(rows, learner, weighted)


def spans(draw):
    """A released range: its ends, and whether it may be NULL."""
    most = draw(st.sampled_from([9, 9, 90]))
    low, high = sorted(draw(st.tuples(st.integers(0, most), st.integers(0, most))))
    return low, high, draw(st.booleans())


released_number = st.one_of(st.none(), st.composite(spans)())
released_text = st.one_of(
    st.none(), st.lists(st.one_of(st.none(), st.sampled_from(LETTERS)), min_size=1, max_size=4)
)
released_row = st.tuples(
    released_number, released_text, numbers, letters, st.sampled_from([1.0, 0.3, 2.0]),
    st.sampled_from("nyz"),
)  # fmt: skip


def shown(span):
    if span is None:
        return None
    low, high, has_null = span
    return (f"[{low}, {high}]" if low < high else f"{low}") + (" or NULL" if has_null else "")


def one_or_more(found):
    return found[0] if len(found) == 1 else tuple(found)


def possible(row, points):
    """The row with what each released value may be."""
    span, members, *rest = row
    may_be = [None]
    if span is not None:
        low, high, has_null = span
        may_be = [None] * has_null + [point for point in points if low <= point <= high]
    members = sorted(set(members or [None]), key=lambda m: (m is not None, m))
    return one_or_more(may_be), one_or_more(members), *rest


def released(con, rows, as_bounds):
    """A table of ranges or bounds, and sets."""
    con.execute(
        "CREATE OR REPLACE TABLE t (x0_lo INTEGER, x0_hi INTEGER, x0_has_null BOOLEAN, "
        "x0 VARCHAR, x1 VARCHAR[], x2 INTEGER, x3 VARCHAR, w DOUBLE, y VARCHAR)"
    )
    con.executemany(
        "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(*(row[0] or (None, None, True)), shown(row[0]), *row[1:]) for row in rows],
    )
    if as_bounds:
        con.execute("ALTER TABLE t DROP x0")


@given(
    rows=st.lists(released_row, min_size=8, max_size=60), learner=learners, as_bounds=st.booleans()
)
@examples(25)
def test_trees_of_releases_equal_the_oracle(con, rows, learner, as_bounds):
    spans = [row[0] for row in rows if row[0] is not None]
    if len({row[-1] for row in rows}) < 2 or not any(low < high for low, high, _ in spans):
        return
    released(con, rows, as_bounds)
    points = [sorted({end for span in spans for end in span[:2]})]
    read = [possible(row, points[0]) for row in rows]
    points.append(sorted({m for row in rows for m in row[1] or ()} - {None}))
    points += [sorted({row[i] for row in rows} - {None}) for i in (2, 3)]
    features = [f"x{i}" for i in range(len(KINDS))]
    tree = learn(con, "t", target="y", features=features, weight="w", learner=learner)
    assert shape(tree) == expected(read, learner, True, points)
