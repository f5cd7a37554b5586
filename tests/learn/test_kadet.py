"""k-anonymous trees: the paper's example, naive oracles, what is promised and what is refused."""

import random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import kadet as naive
from oracle.kadet_spans import spans
from oracle.tree_growth import Plan
from oracle.tree_pruning import collapse, prune
from support import examples, mostly_slow

from ppdt_db import GuaranteeError, RequestError
from ppdt_db.learn import C45, ID3, Kadet, learn, verify_tree
from ppdt_db.tree.node import Branch, Node
from ppdt_db.tree.tree import Tested as Column
from ppdt_db.tree.tree import Tree

KINDS = ["number", "text", "number", "text"]
TYPES = {"number": "INTEGER", "text": "VARCHAR"}
COLUMNS = [f"x{i}" for i in range(4)]
LOANS = """
    CREATE TABLE loans AS SELECT * FROM (VALUES
        ('Lisa', 'Unmarried', 'Yes', 'good'), ('John', 'Married', 'Yes', 'good'),
        ('Ben', 'Married', 'No', 'bad'), ('Laura', 'Married', 'No', 'bad'),
        ('Robert', 'Unmarried', 'Yes', 'bad'), ('Anna', 'Unmarried', 'No', 'bad')
    ) AS t (name, marital_status, sports_car, loan_risk)
"""


@pytest.fixture
def con():
    with duckdb.connect() as made:
        yield made


def fill(con, rows, kinds=KINDS):
    columns = ", ".join(f"x{i} {TYPES[kind]}" for i, kind in enumerate(kinds))
    con.execute(f"CREATE OR REPLACE TABLE t ({columns}, y VARCHAR)")
    if rows:
        con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * (len(kinds) + 1))})", rows)


# -- the paper's example --------------------------------------------------------------------------


def test_the_example_of_the_paper(con) -> None:
    con.execute(LOANS)
    learner = Kadet(k=3, public=["marital_status"], private=["sports_car"], form="id3")
    found = learn(con, "loans", target="loan_risk", learner=learner)
    assert found.as_text().splitlines()[:4] == [
        "sports_car = No: bad (3.0)",
        "sports_car = Yes",
        "|   marital_status = Married: good (1.0)",
        "|   marital_status = Unmarried: bad (2.0/1.0)",
    ]
    told = found.certificate
    assert (told["k_measured"], told["spans"], told["rows_exposed"]) == (3, 2, 0)
    assert told["guarantee"] == "k-anonymity of the model"
    with pytest.raises(GuaranteeError):
        learn(con, "loans", target="loan_risk", learner=Kadet(k=7, public=["marital_status"]))


def test_the_limit_of_the_paper(con) -> None:
    """85 % confidence is l = 1.526: 0.61 bits."""
    con.execute(
        "CREATE TABLE t AS SELECT i % 100 < 15 AS y, i % 100 < 50 AS x FROM range(100) r(i)"
    )
    held = learn(con, "t", target="y", learner=Kadet(k=2, l=1.52, public=["x"], form="id3"))
    assert held.size == 1
    free = learn(con, "t", target="y", learner=Kadet(k=2, public=["x"], form="id3"))
    assert free.size == 3 and free.certificate["rows_exposed"] == 50
    with pytest.raises(GuaranteeError, match=r"1\.54"):
        learn(con, "t", target="y", learner=Kadet(k=2, l=1.54, public=["x"], form="id3"))


# The public attributes of long queues.
LONG = [(0, 2), (0, 1, 2), (0, 1), (2, 3)]

# -- against naive readings -----------------------------------------------------------------------

VALUE = {"number": st.none() | st.integers(0, 6), "text": st.none() | st.sampled_from("abc")}
ROWS = st.lists(
    st.tuples(*(VALUE[kind] for kind in KINDS), st.sampled_from("uvw")), min_size=4, max_size=40
)


def shape_of_tree(tree, number=0):
    node = tree.nodes[number]
    children = [(b.test, b.value, shape_of_tree(tree, b.child)) for b in node.branches]
    return node.counts, node.attribute, children


def shape_of_oracle(node, table, hidden):
    children = []
    for branch, child in sorted(node.children.items(), key=lambda b: (b[0] is not None, b[0])):
        test, value = "=", branch
        if branch is None:
            test = "missing"
        elif KINDS[node.attribute] == "number":
            test, value = ("<=", ">")[branch], node.at
            if node.attribute in hidden:
                above = min(v for v in table[node.attribute] if v > node.at)
                value += (above - node.at) // 2 if above > node.at + 1 else 0.5
        children.append(
            (test, None if value is None else str(value), shape_of_oracle(child, table, hidden))
        )
    return tuple(node.counts), f"x{node.attribute}" if children else None, children


def borders(values, k):
    """The values where groups of at least k rows end, but the last group."""
    found, n = [], 0
    for value in sorted(set(values)):
        n += values.count(value)
        if n >= k:
            found, n = [*found, value], 0
    return found[:-1]


@examples(30)
@given(
    ROWS, st.sets(st.integers(0, 3)), st.integers(1, 4), st.booleans(), st.booleans(), st.booleans()
)
def test_the_tree_is_that_of_one_queue(
    rows, public, k, is_class_public, is_c45, is_diverse
) -> None:
    l = 1.3 if is_diverse and not is_class_public else None  # noqa: E741
    check_by_oracle(rows, public, k, l, is_class_public=is_class_public, is_c45=is_c45)


@pytest.mark.parametrize("is_class_public", [True, False])
@pytest.mark.parametrize("is_c45", [True, False])
def test_a_threshold_parts_the_known_from_the_missing(is_class_public, is_c45) -> None:
    """Also one that lies beyond all values of a span: the one `v` that is known would be alone."""
    known = [(6, "u"), (6, "u"), (3, "u"), (0, "v"), (0, "w")]
    missing = [(None, c) for c in "u" * 9 + "v" * 4 + "w" * 4]
    rows = [(x, None, None, None, c) for x, c in known + missing]
    check_by_oracle(rows, {0}, 3, None, is_class_public=is_class_public, is_c45=is_c45)


def many_rows(seed, n):
    """Rows enough for a long queue: splits of many nodes that share spans."""
    draw = random.Random(seed)
    rows = []
    for _ in range(n):
        x0, x2 = (draw.choice([None, *range(most)] * 2) for most in (24, 9))
        x1, x3 = draw.choice("abc"), draw.choice("abc")
        score = (x0 or 0) / 8 + (x1 == "b") * ((x2 or 0) > 4) - (x3 == "c") + draw.random() * 2
        rows.append((x0, x1, x2, x3, "u" if score < 1.5 else "v"))
    return rows


@pytest.mark.parametrize("is_c45", [True, False])
@pytest.mark.parametrize(
    ("seed", "public"), mostly_slow([(s, p) for s in range(4) for p in LONG], (0, LONG[0]))
)
def test_a_long_queue_gives_the_tree_of_one_queue(seed, public, is_c45) -> None:
    """Splits that are made ahead of the queue leave no trace."""
    check_by_oracle(many_rows(seed, 90), set(public), 3 + seed % 3, None, is_c45=is_c45)


# Sex, hours, gain, education, class: two splits that a third has left without a span to divide came
# in one turn, and the rows of the spans that they share counted twice.
SHARED = (
    "m5awn m3azn m2axn m3awn m3ayy f3awn m3aty m5azy m4awn f3awn f6aty f3awn m6bwy f3azn "
    "m5awy m3czy m3awn f1azn f3awn m5asn m3azn m4avy f3atn m2auy m1aun m3awy "
)


def test_no_row_counts_twice_where_splits_share_spans(con) -> None:
    con.execute("CREATE TABLE t (sex TEXT, hours TEXT, gain TEXT, education TEXT, y TEXT)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [list(row) for row in SHARED.split()])
    learner = Kadet(k=2, public=["sex", "hours", "gain"], private=["education"], form="id3")
    found = learn(con, "t", target="y", learner=learner)
    assert (found.size, found.certificate["k_measured"]) == (26, 2)


@examples(40)
@given(
    st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 4), st.integers(1, 6),
    st.booleans(), st.booleans(),
)  # fmt: skip
def test_what_is_grown_passes_its_own_check(
    seed, n_public, n_private, k, is_c45, is_ordered
) -> None:
    """Many attributes, skewed as those of people are: every tree passes when it is verified."""
    rng = random.Random(seed)
    names = [f"p{i}" for i in range(n_public)] + [f"q{i}" for i in range(n_private)]
    n_values = {name: rng.randint(2, 9) for name in names}
    rows = [
        [min(int(rng.expovariate(1) * n / 3), n) for n in n_values.values()]
        + [rng.randint(0, 2) // 2]
        for _ in range(rng.randint(max(8, k), 120))
    ]
    if len({row[-1] for row in rows}) < 2:
        return
    kind = "INTEGER" if is_ordered else "VARCHAR"
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE t ({', '.join(f'{name} {kind}' for name in names)}, y INTEGER)")
        con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * (len(names) + 1))})", rows)
        learner = Kadet(
            k=k, public=names[:n_public], private=names[n_public:], form="c45" if is_c45 else "id3"
        )
        found = learn(con, "t", target="y", learner=learner)
        assert found.certificate["k_measured"] >= k
        assert found.certificate["rows"] == len(rows)


def check_by_oracle(rows, public, k, l, *, is_class_public=False, is_c45) -> None:  # noqa: E741
    classes = sorted({row[-1] for row in rows})
    table = [sorted({row[i] for row in rows} - {None}) for i in range(4)]
    hidden = {
        a: borders([row[a] for row in rows if row[a] is not None], k)
        for a in range(4)
        if a not in public and KINDS[a] == "number"
    }
    form = C45() if is_c45 else ID3()
    plan = Plan(
        kinds=KINDS, n_classes=len(classes), n_rows=len(rows), min_weight=form.min_rows * 10**6,
        criterion=form.criterion, missing="branch", table=table, borders=hidden,
    )  # fmt: skip
    order = [*sorted(public), *(a for a in range(4) if a not in public)]
    learner = Kadet(
        k=k, l=l, public=[f"x{a}" for a in sorted(public)],
        private=[f"x{a}" for a in range(4) if a not in public],
        public_class=is_class_public, form="c45" if is_c45 else "id3",
    )  # fmt: skip
    people = [row[-1] for row in rows]
    start = [[c] * people.count(c) for c in classes] if is_class_public else [people]
    with duckdb.connect() as con:
        fill(con, rows)
        if len(classes) < 2:
            with pytest.raises(RequestError):
                learn(con, "t", target="y", learner=learner)
            return
        if not all(naive.holds(part, k, l) for part in start):
            with pytest.raises(GuaranteeError):
                learn(con, "t", target="y", learner=learner)
            return
        tree = learn(con, "t", target="y", learner=learner).tree
    units: dict = {}
    for row in rows:
        key = (tuple(row[a] for a in order), classes.index(row[-1]))
        units[key] = units.get(key, 0) + 10**6
    turned = Plan(**{
        **vars(plan), "kinds": [KINDS[a] for a in order], "table": [table[a] for a in order],
        "borders": {order.index(a): at for a, at in hidden.items()},
    })  # fmt: skip
    n_public = set(range(len(public)))
    root = naive.grow(
        [(*key, w) for key, w in units.items()], turned, n_public, k, l, is_class_public
    )
    if is_c45:
        collapse(root)
        root = prune(root, turned, 0.25, False)
    for node in walk(root):
        node.attribute = None if node.attribute is None else order[node.attribute]
    assert shape_of_tree(tree) == shape_of_oracle(root, table, hidden)


def walk(node):
    return [node, *(below for child in node.children.values() for below in walk(child))]


DOMAIN = {
    "x0": [None, *range(-1, 5)], "x1": [None, *"abcd"],
    "x2": [None, *range(-1, 5)], "x3": [None, *"abcd"],
}  # fmt: skip


@st.composite
def trees(draw):
    """Any tree, also one whose paths contradict themselves."""
    nodes = [Node(counts=(1, 1))]
    at = 0
    while at < len(nodes) < 14:
        if draw(st.integers(0, 3)):
            name = draw(st.sampled_from(COLUMNS))
            missing = [("missing", None)] * draw(st.booleans())
            if name in ("x0", "x2"):
                cut = str(draw(st.integers(0, 3)))
                tests = [("<=", cut), (">", cut), *missing]
            else:
                values = draw(st.lists(st.sampled_from("abc"), unique=True, min_size=1))
                tests = [*(("=", value) for value in values), *missing]
            branches = tuple(
                Branch(test=test, value=value, child=len(nodes) + i)
                for i, (test, value) in enumerate(tests)
            )
            nodes[at] = Node(counts=(1, 1), attribute=name, branches=branches)
            nodes += [Node(counts=(1, 1)) for _ in branches]
        at += 1
    attributes = tuple(
        Column(name=name, type_name=TYPES[kind]) for name, kind in zip(COLUMNS, KINDS, strict=True)
    )
    return Tree(
        target="y", classes=("u", "v"), attributes=attributes, nodes=tuple(nodes), missing="branch"
    )


PEOPLE = st.lists(
    st.tuples(*(st.sampled_from(DOMAIN[name]) for name in COLUMNS), st.sampled_from("uv")),
    min_size=1, max_size=25,
)  # fmt: skip


@examples(40)
@given(trees(), PEOPLE, st.sets(st.sampled_from(COLUMNS)), st.integers(1, 5), st.booleans())
def test_spans_are_those_of_the_definitions(tree, rows, public, k, is_class_public) -> None:
    people = [dict(zip([*COLUMNS, "y"], row, strict=True)) for row in rows]
    found = spans(tree, people, sorted(public), DOMAIN, "y", is_class_public).values()
    with duckdb.connect() as con:
        fill(con, rows)
        verdict = verify_tree(
            con, tree, "t", public=sorted(public), k=k, public_class=is_class_public
        )
    sizes = [len(span) for span in found]
    small = [size for size in sizes if size < k]
    assert (verdict.k, verdict.spans, verdict.rows) == (min(sizes), len(sizes), len(rows))
    assert (verdict.spans_below_k, verdict.rows_below_k) == (len(small), sum(small))
    exposed = sum(len(span) for span in found if len(set(span)) == 1)
    assert verdict.rows_exposed == (None if is_class_public else exposed)
    assert bool(verdict.failures(k)) == bool(small)
