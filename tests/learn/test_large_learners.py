"""Numbers beyond 2^53 are learnt from, and asked of, as what they are.

A column that is shifted, every number by the same, teaches the same: what a learner makes of the
numbers from 100 on it makes of those from 2^60 on, thresholds shifted alike.
"""

import json
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest
from support import every, mostly_slow

from ppdt_db import C45, ID3, KNN, Mondrian, NaiveBayes, Part, evaluate
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.learn import learn, predict_into
from ppdt_db.learn.model import Model
from ppdt_db.learn.model_json import read_model
from ppdt_db.tree.node import Node
from ppdt_db.tree.tree import Tree

SHIFTS = {
    "BIGINT": 2**60,
    "UBIGINT": 2**63 + 2**60,
    "HUGEINT": 2**100,
    "UHUGEINT": 2**127 + 2**100,
    "DECIMAL(38,0)": 10**37,
    "DECIMAL(38,2)": 10**30,
    "DECIMAL(20,3)": 10**16,
    "DECIMAL(38,6)": 10**30,
}
PLAIN = 100
"""A shift that no number is large by; the texts of the numbers from there on sort as they do."""
MOMENTS = {
    "TIMESTAMP": ("TIMESTAMP '290000-01-01 00:00:00'", "to_microseconds"),
    "TIMESTAMP WITH TIME ZONE": ("TIMESTAMPTZ '9000-01-01 00:00:00+00'", "to_microseconds"),
}
SHAPES = ("value", "range", "bounds", "set")
TREES = {
    "c45": C45(),
    "c45 whole": C45(unpruned=True, min_rows=1),
    "c45 branch": C45(missing="branch"),
    "id3": ID3(),
}
OTHERS = {"knn": KNN(k=3), "bayes": NaiveBayes(), "part": Part()}


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'Asia/Tokyo'")
        yield connection


def at(type_name: str, shift: int, offset: str) -> str:
    """A number, so many of the type's smallest steps above the shift."""
    if type_name in MOMENTS:
        start, steps = MOMENTS[type_name]
        start = start if shift != PLAIN else start.replace("290000", "1970").replace("9000", "1970")
        return f"({start} + {steps}(CAST({offset} AS BIGINT)))"
    if type_name.startswith("DECIMAL"):
        point = int(type_name[:-1].split(",")[1])
        step = f"'{'0.' + '1'.rjust(point, '0') if point else '1'}'"
        return (
            f"CAST('{shift}'::{type_name} + CAST(({offset})::INTEGER * {step}::{type_name}"
            f" AS {type_name}) AS {type_name})"
        )
    return f"CAST('{shift}'::{type_name} + ({offset})::{type_name} AS {type_name})"


def make(con: duckdb.DuckDBPyConnection, type_name: str, shift: int) -> None:
    """Eighty people with two numbers, as they are and as they are released, and who to ask about.

    The class changes from one number to the very next.
    """
    con.execute(
        f"""
        CREATE OR REPLACE TABLE people AS
        SELECT i, {at(type_name, shift, "i % 40")} AS n, (i * 7) % 5 AS m,
            CASE WHEN i % 40 < 13 THEN 'a' WHEN i % 40 < 26 THEN 'b' ELSE 'c' END AS y
        FROM range(80) r(i)
        """
    )
    con.execute(
        f"""
        CREATE OR REPLACE TABLE ends AS
        SELECT i, m, y, n, {at(type_name, shift, "i % 40 + (CASE i % 40 WHEN 12 THEN 0 WHEN 25 THEN 0 WHEN 39 THEN 0 ELSE i % 2 END)")} AS hi
        FROM people
        """  # noqa: E501
    )
    shown = "decode(encode(concat('[', {lo}, ', ', {hi}, ']'))) AS n"
    utc = "make_timestamp(epoch_us({}))::VARCHAR || '+00'"
    zoned = type_name == "TIMESTAMP WITH TIME ZONE"
    lo, hi = (utc.format("n"), utc.format("hi")) if zoned else ("n", "hi")
    con.execute(f"CREATE OR REPLACE TABLE t_range AS SELECT i, {shown.format(lo=lo, hi=hi)}, m, y"
                " FROM ends")  # fmt: skip
    con.execute("CREATE OR REPLACE TABLE t_bounds AS SELECT i, n AS n_lo, hi AS n_hi, m, y"
                " FROM ends")  # fmt: skip
    con.execute("CREATE OR REPLACE TABLE t_set AS SELECT i, list_distinct([n, hi]) AS n, m, y"
                " FROM ends")  # fmt: skip
    con.execute("CREATE OR REPLACE TABLE t_value AS SELECT i, n, m, y FROM people")


def learnt(con: duckdb.DuckDBPyConnection, shape: str, learner: object) -> Tree | Model:
    return learn(con, f"t_{shape}", target="y", features=["n", "m"], learner=learner)  # type: ignore[call-overload,no-any-return]


def answers(con: duckdb.DuckDBPyConnection, model: Tree | Model, shape: str) -> list[str]:
    con.execute("DROP TABLE IF EXISTS answers")
    predict_into(con, model, f"t_{shape}", into="answers")
    return [row[0] for row in con.execute("SELECT predicted_y FROM answers ORDER BY i").fetchall()]


def by_sql(con: duckdb.DuckDBPyConnection, model: Tree | Model) -> list[str]:
    sql = model.as_sql()  # type: ignore[union-attr]
    return [row[0] for row in con.execute(f"SELECT {sql} FROM t_value ORDER BY i").fetchall()]


def places(con: duckdb.DuckDBPyConnection, tree: Tree, type_name: str, shift: int) -> list[object]:
    """A tree with thresholds and members as how many steps they lie above the shift."""
    steps = {
        text: i
        for i, text in con.execute(
            f"SELECT i, {'make_timestamp(epoch_us(x))' if type_name in MOMENTS else 'x'}::VARCHAR"
            f" FROM (SELECT i, {at(type_name, shift, 'i')} AS x FROM range(40) r(i))"
        ).fetchall()
    }

    def place(node: Node) -> list[object]:
        known = steps if node.attribute == "n" and node.branches[-1].test != "=" else None
        return [node.attribute, node.counts] + [
            (b.test, b.child, known[b.value.removesuffix("+00")] if known and b.value else None)
            for b in node.branches
        ]

    return [place(node) for node in tree.nodes]


@pytest.mark.parametrize("shape", mostly_slow(SHAPES, "bounds"))
@pytest.mark.parametrize(
    ("type_name", "learner"),
    mostly_slow(
        [*((name, "c45") for name in (*SHIFTS, *MOMENTS)), *(("BIGINT", name) for name in TREES)],
        ("DECIMAL(38,2)", "c45"),
    ),
)  # fmt: skip
def test_a_shift_changes_no_tree(
    con: duckdb.DuckDBPyConnection, type_name: str, shape: str, learner: str
) -> None:
    make(con, type_name, PLAIN)
    plain = learnt(con, shape, TREES[learner])
    expected = {asked: outcome(con, plain, asked) for asked in SHAPES}
    assert isinstance(plain, Tree)
    grown = places(con, plain, type_name, PLAIN)
    shift = SHIFTS.get(type_name, 1)
    make(con, type_name, shift)
    tree = learnt(con, shape, TREES[learner])
    assert isinstance(tree, Tree)
    assert places(con, tree, type_name, shift) == grown
    again = read_model(tree.as_json())
    assert again == tree
    for one in (tree, again):
        for asked in SHAPES:
            assert outcome(con, one, asked) == expected[asked], asked
    if shape != "set":
        assert by_sql(con, tree) == expected["value"]
        truth = [y for (y,) in con.execute("SELECT y FROM people ORDER BY i").fetchall()]
        if shape == "value" and type_name != "DECIMAL(38,6)":
            # Closer than 0.00001 no two numbers are parted.
            assert expected["value"] == truth


def outcome(con: duckdb.DuckDBPyConnection, model: Tree | Model, shape: str) -> object:
    """What a model says, or that it cannot be asked of such a form."""
    try:
        return answers(con, model, shape)
    except RequestError:
        return "refused"


MARKS: dict[str, list] = {
    "BIGINT": [],
    "HUGEINT": [pytest.mark.slow],
    "DECIMAL(38,2)": [pytest.mark.slow],
    "TIMESTAMP WITH TIME ZONE": [pytest.mark.slow],
}


@pytest.mark.parametrize("learner", every(2, OTHERS))
@pytest.mark.parametrize("shape", every(2, SHAPES))
@pytest.mark.parametrize(
    "type_name",
    [
        pytest.param(name, marks=MARKS.get(name, pytest.mark.by_hand))
        for name in (*SHIFTS, *MOMENTS)
    ],
)
def test_a_shift_changes_no_answer(
    con: duckdb.DuckDBPyConnection, type_name: str, shape: str, learner: str
) -> None:
    make(con, type_name, PLAIN)
    model = learnt(con, shape, OTHERS[learner])
    expected = {asked: outcome(con, model, asked) for asked in SHAPES}
    told = by_sql(con, model) if learner == "part" and shape != "set" else None
    make(con, type_name, SHIFTS.get(type_name, 1))
    model = learnt(con, shape, OTHERS[learner])
    models = [model] if learner == "knn" else [model, read_model(model.as_json())]  # type: ignore[union-attr]
    assert models[0] == models[-1]
    for one in models:
        for asked in SHAPES:
            assert outcome(con, one, asked) == expected[asked], asked
        if told is not None:
            assert by_sql(con, one) == told


def naive(tree: Tree, number: Fraction) -> str:
    """Walk down a tree of one ordered column, in exact arithmetic."""
    node = tree.nodes[0]
    while node.branches:
        at_ = next(Fraction(b.value) for b in node.branches if b.value is not None)
        test = "<=" if number <= at_ else ">"
        node = tree.nodes[next(b.child for b in node.branches if b.test == test)]
    return tree.label(node)


NUMBERS = {
    "BIGINT": [2**53, 2**53 + 1, 2**53 + 2, -(2**63), -(2**53) - 1, -(2**53), 0, 7, 2**63 - 1],
    "UBIGINT": [0, 1, 2**53, 2**53 + 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1],
    "HUGEINT": [-(2**127), 1 - 2**127, -1, 0, 1, 2**53, 2**53 + 1, 2**126, 2**127 - 2, 2**127 - 1],
    "UHUGEINT": [0, 1, 2**53, 2**53 + 1, 2**127 - 1, 2**127, 2**127 + 1, 2**128 - 2, 2**128 - 1],
    "DECIMAL(38,2)": ["-999999999999999999999999999999999999.99", "-0.01", "0.00", "0.01",
                      "9007199254740992.00", "9007199254740992.01",
                      "999999999999999999999999999999999999.98",
                      "999999999999999999999999999999999999.99"],
    "DECIMAL(38,6)": ["0.000000", "0.000100", "10000000000000000000000000.000000",
                      "10000000000000000000000000.000100",
                      "99999999999999999999999999999999.999900",
                      "99999999999999999999999999999999.999999"],
    "DECIMAL(20,0)": [-(10**20) + 1, 0, 2**53, 2**53 + 1, 10**20 - 2, 10**20 - 1],
}  # fmt: skip


@pytest.mark.parametrize("learner", every(2, [C45(unpruned=True, min_rows=1), ID3()]))
@pytest.mark.parametrize("shape", mostly_slow(["value", "range", "bounds"], "range"))
@pytest.mark.parametrize("type_name", mostly_slow(NUMBERS, "HUGEINT"))
def test_neighbours_are_told_apart_over_the_whole_type(
    con: duckdb.DuckDBPyConnection, type_name: str, shape: str, learner: C45 | ID3
) -> None:
    """Every other number is of another class; each stands there ten times."""
    values = ", ".join(
        f"({i}, '{number}'::{type_name})" for i, number in enumerate(NUMBERS[type_name])
    )
    con.execute(
        f"CREATE TABLE people AS SELECT i, x AS n, 'uv'[i % 2 + 1] AS y FROM (VALUES {values})"
        " v(i, x), range(10)"
    )
    con.execute("CREATE TABLE t_value AS FROM people")
    con.execute("CREATE TABLE t_bounds AS SELECT i, n AS n_lo, n AS n_hi, y FROM people")
    con.execute("CREATE TABLE t_range AS SELECT i, concat('[', n, ', ', n, ']') AS n, y"
                " FROM people")  # fmt: skip
    tree = learn(con, f"t_{shape}", target="y", features=["n"], learner=learner)
    known = [Fraction(number) for number in NUMBERS[type_name]]
    for node in tree.nodes:
        for branch in node.branches:
            assert branch.value is not None and Fraction(branch.value) in known
    expected = [naive(tree, number) for number in known for _ in range(10)]
    assert expected == [y for (y,) in con.execute("SELECT y FROM people ORDER BY i").fetchall()]
    again = read_model(tree.as_json())
    assert again == tree and isinstance(again, Tree)
    for asked in ("value", "range", "bounds"):
        assert answers(con, again, asked) == expected, asked
    assert by_sql(con, tree) == expected
    rules = learn(con, f"t_{shape}", target="y", features=["n"], learner=Part(min_rows=1))
    for asked in ("value", "range", "bounds"):
        assert answers(con, read_model(rules.as_json()), asked) == answers(con, rules, asked)
    assert by_sql(con, rules) == answers(con, rules, "value")


@pytest.mark.parametrize("shape", mostly_slow(["value", "range", "bounds"], "bounds"))
@pytest.mark.parametrize(
    ("type_name", "lower", "middle", "upper"),
    [
        ("BIGINT", 2**60, [2**60 + 3, 2**60 + 4, 2**60 + 5, 2**60 + 6], 2**60 + 9),
        ("BIGINT", -(2**63), [-2, -1, 0, 1], 2**63 - 1),
        ("HUGEINT", -(2**127), [-2, -1, 0, 1], 2**127 - 1),
        ("HUGEINT", 2**120, [2**120 + 3, 2**120 + 4, 2**120 + 5, 2**120 + 6], 2**120 + 9),
        ("UHUGEINT", 0, [2**127 - 2, 2**127 - 1, 2**127, 2**127 + 1], 2**128 - 1),
        ("DECIMAL(38,0)", 10**37, [10**37 + 3, 10**37 + 4, 10**37 + 5], 10**37 + 9),
        ("DECIMAL(38,0)", 1 - 10**38, [-2, -1, 0, 1], 10**38 - 1),
    ],
)
def test_a_threshold_is_the_last_value_below_the_exact_middle(
    con: duckdb.DuckDBPyConnection,
    type_name: str,
    shape: str,
    lower: int,
    middle: list[int],
    upper: int,
) -> None:
    """The values in the middle have no class: they teach nothing, but thresholds stand at them."""
    rows = [(lower, "'u'"), *((value, "NULL") for value in middle), (upper, "'v'")]
    values = ", ".join(f"('{value}'::{type_name}, {label})" for value, label in rows)
    shown = {
        "value": "n", "bounds": "n AS n_lo, n AS n_hi", "range": "concat('[', n, ', ', n, ']') AS n"
    }[shape]  # fmt: skip
    con.execute(f"CREATE TABLE t AS SELECT {shown}, y FROM (VALUES {values}) v(n, y), range(5)")
    tree = learn(con, "t", target="y", features=["n"], learner=C45(unpruned=True))
    expected = max(v for v in middle if 2 * v <= lower + upper)
    assert {branch.value for branch in tree.nodes[0].branches} == {str(expected)}


@pytest.mark.parametrize(
    "threshold",
    mostly_slow([2**53 + 1, 2**60 + 200, -(2**53) - 1, 2**70, -(2**70), 3], 2**53 + 1),
)
@pytest.mark.parametrize("asked", every(3, [*SHIFTS, "DOUBLE", "INTEGER", "UTINYINT"]))
@pytest.mark.parametrize(
    "of_tree", mostly_slow(["BIGINT", "HUGEINT", "DECIMAL(38,2)", "DOUBLE"], "HUGEINT")
)
def test_columns_of_other_types_meet_a_threshold_exactly(
    con: duckdb.DuckDBPyConnection, of_tree: str, asked: str, threshold: int
) -> None:
    if of_tree == "BIGINT" and abs(threshold) > 2**63:
        pytest.skip("no number of that type")
    text = str(float(threshold)) if of_tree == "DOUBLE" else str(threshold)
    branches = [{"test": "<=", "value": text, "node": 1}, {"test": ">", "value": text, "node": 2}]
    tree = read_model(
        json.dumps(
            {
                "format": "ppdt tree 1", "target": "y", "classes": ["u", "v"],
                "missing": "fractional", "attributes": [{"name": "n", "type": of_tree}],
                "nodes": [{"weights": [1, 1], "attribute": "n", "branches": branches},
                          {"weights": [1, 0]}, {"weights": [0, 1]}],
            }
        )
    )  # fmt: skip
    exact = Fraction(float(threshold)) if of_tree == "DOUBLE" else Fraction(threshold)
    near = [threshold + step for step in (-512, -256, -2, -1, 0, 1, 2, 256, 512)]
    values = ", ".join(f"({value}, TRY_CAST('{value}' AS {asked}))" for value in [0, 1, 250, *near])
    con.execute(
        f"CREATE TABLE given AS SELECT n FROM (VALUES {values}) v(i, n) WHERE n IS NOT NULL"
    )
    con.execute("CREATE TABLE t_value AS SELECT row_number() OVER (ORDER BY n) AS i, n FROM given")
    con.execute("CREATE TABLE t_bounds AS SELECT i, n AS n_lo, n AS n_hi FROM t_value")
    rows = con.execute("SELECT n FROM t_value ORDER BY i").fetchall()
    expected = ["u" if Fraction(n) <= exact else "v" for (n,) in rows]
    for shape in ("value", "bounds"):
        assert answers(con, tree, shape) == expected, shape


@pytest.mark.parametrize("learner", [C45(), ID3(), KNN(k=1), NaiveBayes(), Part()])
@pytest.mark.parametrize("shape", mostly_slow(["value", "range", "bounds"], "range"))
def test_nanoseconds_are_told_apart(
    con: duckdb.DuckDBPyConnection, shape: str, learner: object
) -> None:
    con.execute(
        "CREATE TABLE t_value AS SELECT i, make_timestamp_ns(1600000000000000000 + i % 40) AS n,"
        " CASE WHEN i % 40 < 13 THEN 'a' ELSE 'b' END AS y FROM range(80) r(i)"
    )
    con.execute("CREATE TABLE t_bounds AS SELECT i, n AS n_lo, n AS n_hi, y FROM t_value")
    con.execute("CREATE TABLE t_range AS SELECT i, concat('[', n, ', ', n, ']') AS n, y"
                " FROM t_value")  # fmt: skip
    truth = [y for (y,) in con.execute("SELECT y FROM t_value ORDER BY i").fetchall()]
    model = learn(con, f"t_{shape}", target="y", features=["n"], learner=learner)  # type: ignore[call-overload]
    for asked in ("value", "range", "bounds"):
        assert answers(con, model, asked) == truth, asked


@pytest.mark.parametrize(
    ("values", "type_name"),
    [
        ("'[9007199254740992, 9007199254740993]'", "BIGINT"),
        ("'[9223372036854775807, 9223372036854775808]'", "HUGEINT"),
        (f"'[1, {2**128 - 1}]'", "UHUGEINT"),
        ("'[0.10, 10000000000000000.25]'", "DECIMAL(38,2)"),
        ("'[0.30000000000000004, 1e300]'", "DOUBLE"),
        ("'[0.1, 1234567890123.5]'", "DOUBLE"),
        ("'[0.500000000000000000000, 1.5]'", "DOUBLE"),
        ("'[2020-01-01 00:00:00.123456789, 2020-01-01 00:00:00.123456790]'", "TIMESTAMP_NS"),
        ("'[2020-01-01 00:00:00.123456, 2020-01-01 00:00:01]'", "TIMESTAMP"),
    ],
)
def test_written_ranges_are_of_a_type_that_holds_them(
    con: duckdb.DuckDBPyConnection, values: str, type_name: str
) -> None:
    con.execute(f"CREATE TABLE t AS SELECT {values} AS n, 'uv'[i % 2 + 1] AS y FROM range(9) r(i)")
    model = learn(con, "t", target="y", features=["n"], learner=KNN())
    assert [trait.type_name for trait in model.traits] == [type_name]


@pytest.mark.parametrize("learner", mostly_slow([C45(), KNN(k=3), NaiveBayes(), Part()], KNN(k=3)))
@pytest.mark.parametrize("privacy", [None, Privacy(method=Mondrian(k=4), quasi=["n"])])
def test_folds_of_large_numbers_are_learnt_from(
    con: duckdb.DuckDBPyConnection, privacy: Privacy | None, learner: object
) -> None:
    """The folds are drawn by the values; guessing is right about 28 rows of 80."""
    make(con, "BIGINT", 2**60)
    con.execute("ALTER TABLE t_value DROP COLUMN i")
    found = evaluate(con, "t_value", target="y", learner=learner, cv="2", privacy=privacy)
    assert sum(fold.n_right for fold in found.folds) >= 52


@pytest.mark.parametrize(
    "ranges",
    [["[1, 340282366920938463463374607431768211455]"] * 2,
     [f"[-{10**30}, {10**30}]", f"[-{10**30 + 2}, {10**30}]"]],
)  # fmt: skip
def test_naive_bayes_takes_ranges_far_wider_than_their_middles_are_apart(
    con: duckdb.DuckDBPyConnection, ranges: list[str]
) -> None:
    con.execute("CREATE TABLE t AS SELECT unnest(?) AS x, unnest(['a', 'b']) AS y", [ranges])
    model = learn(con, "t", target="y", features=["x"], learner=NaiveBayes())
    predict_into(con, model, "t", into="told")
    assert con.execute("SELECT count(*) FROM told WHERE predicted_y IN ('a', 'b')").fetchone() == (
        2,
    )
