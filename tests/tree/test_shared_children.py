"""Trees in which several values lead to one child, through every reader of trees.

kADET's trees over hierarchies are such trees. Every reader is held against the same naive walk.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import log2
from pathlib import Path

import duckdb
import pytest
from support import mostly_slow, ppdt, read

import ppdt_db
from ppdt_db import Erp, Kactus, Mict, RequestError
from ppdt_db.learn import Kadet, learn, predict_into, verify_tree
from ppdt_db.tree import tree as trees
from ppdt_db.tree.node import Branch, Node
from ppdt_db.tree.outline import outline
from ppdt_db.tree.tree import Tree
from ppdt_db.tree.tree_json import read_tree

PLACES = {f"town {i}": (f"region {i // 3}", f"country {i // 6}") for i in range(12)}
QUASI = ["town", "age", "member"]
PEOPLE = """
    CREATE TABLE people AS SELECT
        'town ' || (i * 7919) % 1009 % 12 AS town, 20 + (i * 104729) % 997 % 40 AS age,
        (i * 31) % 101 % 3 = 0 AS member,
        CASE WHEN (i * 7919) % 1009 % 12 < 3 THEN 'sick'
            WHEN (i * 7919) % 1009 % 12 < 6 AND i % 5 > 0 THEN 'frail'
            WHEN (i * 104729) % 997 % 40 > 25 THEN 'frail' ELSE 'well' END AS health,
        i AS number
    FROM range(360) AS r (i)
"""


@pytest.fixture(scope="module")
def hierarchy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("places") / "places.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("leaf", "region", "country", "root"))
        writer.writerows((town, *above, "all") for town, above in PLACES.items())
    return path


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(PEOPLE)
        yield connection


GROWN: dict[str, Tree] = {}


@pytest.fixture(params=mostly_slow(["c45 40", "id3 40", "c45 50", "id3 90"], "c45 40", "id3 90"))
def tree(con: duckdb.DuckDBPyConnection, hierarchy: Path, request: pytest.FixtureRequest) -> Tree:
    """A tree of kADET in which some child is reached by several towns."""
    if request.param in GROWN:
        return GROWN[request.param]
    form, k = request.param.split()
    learner = Kadet(k=int(k), public=QUASI, form=form, hierarchies={"town": str(hierarchy)})
    found = learn(con, "people", target="health", learner=learner).tree
    assert any(len(node.children) < len(node.branches) for node in found.nodes)
    GROWN[request.param] = found
    return found


def people(con: duckdb.DuckDBPyConnection) -> list[dict]:
    names = ["number", *QUASI, "health"]
    return [dict(zip(names, row, strict=True)) for row in read(con, "people", names)]


def path_of(tree: Tree, row: dict) -> list[int]:
    """The nodes on a row's way, by its values alone."""
    path = [0]
    while tree.nodes[path[-1]].branches:
        node = tree.nodes[path[-1]]
        value = row[node.attribute]
        for branch in node.branches:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            taken = value is None if branch.test == "missing" else text == branch.value
            if branch.test in ("<=", ">") and value is not None:
                taken = (value <= Fraction(branch.value)) == (branch.test == "<=")
            if taken:
                path.append(branch.child)
                break
        else:
            break
    return path


def test_json_reads_it_back(tree: Tree) -> None:
    again = read_tree(tree.as_json())
    assert again == tree
    assert [n for node in tree.nodes for n in node.children] == [*tree.arrivals]
    assert len({*tree.arrivals}) == len(tree.nodes) - 1


def test_text_and_columns_have_one_line_for_a_node(tree: Tree) -> None:
    lines = tree.as_text().split("\n\n")[0].splitlines()
    assert len(lines) == len(tree.nodes) - 1
    columns = tree.as_columns()
    for number, (parent, test, value) in enumerate(
        zip(columns["parent_ids"], columns["tests"], columns["path_values"], strict=True)
    ):
        leading = [b for node in tree.nodes for b in node.branches if b.child == number]
        assert (test == "in") == (len([b for b in leading if b.test == "="]) > 1)
        assert (parent is None) == (number == 0)
        if test == "in":
            assert value.count('"') == 2 * len(leading) - 2 * ("missing" in test)


def test_sql_and_prediction_agree(con: duckdb.DuckDBPyConnection, tree: Tree) -> None:
    wanted = {row["number"]: tree.label(tree.nodes[path_of(tree, row)[-1]]) for row in people(con)}
    by_sql = con.execute(f"SELECT number, {tree.as_sql()} FROM people").fetchall()
    assert dict(by_sql) == wanted
    predict_into(con, tree, "people", into="told")
    assert dict(read(con, "told", ["number", "predicted_health"])) == wanted


def test_risks_are_counted_by_values(con: duckdb.DuckDBPyConnection, tree: Tree) -> None:
    found = ppdt_db.tree_risk(con, "people", quasi=QUASI, target="health", tree=tree).nodes
    paths = [path_of(tree, row) for row in people(con)]
    sizes = Counter(number for path in paths for number in path)
    assert [node.n_rows for node in found] == [sizes[n] for n in range(len(tree.nodes))]
    towns: dict[int, set[str]] = {0: set(PLACES)}
    for child, (parent, way) in tree.arrivals.items():
        is_town = tree.nodes[parent].attribute == "town"
        towns[child] = towns[parent] & {*way.values} if is_town else towns[parent]
    for number, node in enumerate(found):
        above = {tree.nodes[n].attribute for n in ancestors(tree, number)}
        if above <= {"town"}:
            assert node.big == pytest.approx(log2(12 / max(1, len(towns[number]))), abs=1e-9)
        assert node.branch_wrong <= node.n_wrong


def ancestors(tree: Tree, number: int) -> list[int]:
    if number not in tree.arrivals:
        return []
    parent, _ = tree.arrivals[number]
    return [parent, *ancestors(tree, parent)]


def test_an_outline_counts_every_row_once(con: duckdb.DuckDBPyConnection, tree: Tree) -> None:
    sizes = Counter(path_of(tree, row)[-1] for row in people(con))
    record = outline(tree, sizes, 1)
    nodes = record["nodes"]
    assert isinstance(nodes, list) and len(nodes) <= len(tree.nodes)
    assert nodes[0]["weights"] == [360]
    for node in nodes:
        below = [nodes[branch["node"]]["weights"][0] for branch in node.get("branches", [])]
        assert not below or sum(below) == node["weights"][0]


METHODS: list[Callable[[Tree], Kactus | Erp | Mict]] = [
    lambda tree: Kactus(k=10, tree=tree),
    lambda tree: Kactus(k=10, tree=tree, refine=True),
    lambda tree: Erp(k=10, tree=tree),
    lambda tree: Erp(k=10, tree=tree, tiered=True),
    lambda tree: Mict(k=10, tree=tree),
]


@pytest.mark.parametrize(
    "make",
    mostly_slow(METHODS, METHODS[1], METHODS[3]),
    ids=["kactus", "kactus refined", "erp", "erp tiered", "mict"],
)
def test_methods_take_it(con: duckdb.DuckDBPyConnection, tree: Tree, make: Callable) -> None:
    method = make(tree)
    accept = ["kk-anonymity"] if isinstance(method, Erp) and method.tiered else []
    record = ppdt_db.anonymize(
        con, "people", quasi=QUASI, target="health", keep=["number"], method=method, into="o",
        accept=accept,
    ).certificate  # fmt: skip
    shown = read(con, "o", QUASI)
    if not accept:
        assert min(Counter(shown).values()) >= 10 and record["k_measured"] >= 10
    told = record.get("tree")
    if told is not None:
        assert told["nodes"][0]["weights"][0] == 360
        ppdt_db.report(con, "o")


def test_verify_and_the_command_line_take_it(
    con: duckdb.DuckDBPyConnection, tree: Tree, tmp_path: Path
) -> None:
    verdict = verify_tree(con, tree, "people", public=QUASI, k=2)
    sizes = Counter(path_of(tree, row)[-1] for row in people(con))
    assert (verdict.k, verdict.rows) == (min(sizes.values()), 360)
    file, model = tmp_path / "people.parquet", tmp_path / "tree.json"
    con.execute(f"COPY people TO '{file}'")
    model.write_text(tree.as_json(), "utf-8")
    ended = ppdt("risk", "tree", file, "--qi", ",".join(QUASI), "--target", "health",
                 "--tree", model)  # fmt: skip
    assert ended.code == 0, ended.err
    printed = [line.split()[0] for line in ended.out.splitlines()[1:]]
    assert sorted(map(int, printed)) == list(range(len(tree.nodes)))


# -- a child of several branches of other kinds ----------------------------------------------------


def with_missing(con: duckdb.DuckDBPyConnection) -> Tree:
    """Missing ages go with the low ones, missing towns with two others."""
    con.execute("UPDATE people SET age = NULL WHERE number % 5 = 0")
    con.execute("UPDATE people SET town = NULL WHERE number % 7 = 0")
    named = [f"town {i}" for i in range(12)]
    towns = [
        *(Branch(test="=", value=town, child=1) for town in named[:2]),
        Branch(test="missing", value=None, child=1),
        *(Branch(test="=", value=town, child=2) for town in named[2:]),
    ]
    ages = [
        Branch(test="<=", value="33", child=3), Branch(test=">", value="33", child=4),
        Branch(test="missing", value=None, child=3),
    ]  # fmt: skip
    return Tree(
        target="health", classes=("a", "b", "c"), missing="branch",
        attributes=(
            trees.Tested(name="town", type_name="VARCHAR"),
            trees.Tested(name="age", type_name="BIGINT"),
        ),
        nodes=(
            Node(counts=(9, 0, 0), attribute="town", branches=tuple(towns)),
            Node(counts=(3, 1, 0)),
            Node(counts=(3, 2, 0), attribute="age", branches=tuple(ages)),
            Node(counts=(0, 2, 1)), Node(counts=(0, 1, 2)),
        ),
    )  # fmt: skip


def test_missing_values_beside_others(con: duckdb.DuckDBPyConnection) -> None:
    tree = with_missing(con)
    assert read_tree(tree.as_json()) == tree
    assert [line.split(":")[0] for line in tree.as_text().splitlines()[:4]] == [
        "town in {town 0, town 1} or missing",
        "town in {" + ", ".join(f"town {i}" for i in range(2, 12)) + "}",
        "|   age <= 33 or missing",
        "|   age > 33",
    ]
    wanted = {row["number"]: tree.label(tree.nodes[path_of(tree, row)[-1]]) for row in people(con)}
    assert dict(con.execute(f"SELECT number, {tree.as_sql()} FROM people").fetchall()) == wanted
    predict_into(con, tree, "people", into="told")
    assert dict(read(con, "told", ["number", "predicted_health"])) == wanted
    found = ppdt_db.tree_risk(con, "people", quasi=QUASI, target="health", tree=tree).nodes
    assert found[1].big == pytest.approx(log2(13 / 3), abs=1e-9)
    sizes = Counter(path_of(tree, row)[-1] for row in people(con))
    assert [found[n].n_rows for n in (1, 3, 4)] == [sizes[n] for n in (1, 3, 4)]
    for public in (["town"], ["age"], ["town", "age"]):
        verify_tree(con, tree, "people", public=public, k=2, public_class=True)


def test_both_sides_of_a_threshold_are_two_nodes(con: duckdb.DuckDBPyConnection) -> None:
    text = with_missing(con).as_json().replace('"node": 4', '"node": 3')
    with pytest.raises(RequestError, match="both sides of its threshold lead to one node"):
        read_tree(text)
