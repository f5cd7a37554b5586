"""Error-risk pruning: the paper's example, bad input, what a release and its record must keep."""

import io
import json
import re
from math import log2
from pathlib import Path

import duckdb
import pytest
from support import bag, faults, make_database, mostly_slow, ppdt, smallest

import ppdt_db
from ppdt_db import Erp
from ppdt_db.methods.algorithms.node_risk import ONE_BIT, NodeRisk
from ppdt_db.methods.algorithms.risk_pruning import ErrorRiskPruning
from ppdt_db.policy.roles import Roles
from ppdt_db.tree.tree_json import read_tree

# Figure 1: ages from 22 to 80, and what table 1 says of node 2.
FIGURE = [
    (57, "female", "married", "yes"), (61, "female", "married", "yes"),
    (42, "female", "not married", "no"), (29, "female", "not married", "no"),
    (38, "female", "not married", "no"), (64, "male", "married", "yes"),
    (47, "male", "married", "yes"), (66, "male", "married", "no"), (71, "male", "married", "no"),
    (80, "male", "married", "no"), (22, "male", "not married", "yes"),
    (35, "male", "not married", "yes"), (44, "male", "not married", "yes"),
    (50, "male", "not married", "no"),
]  # fmt: skip
QUASI = ["age", "gender", "marital"]
LEAF = {"weights": [0, 0]}
TYPES = {"age": "BIGINT", "gender": "VARCHAR", "marital": "VARCHAR"}


def cut(attribute: str, *branches: tuple[str, str | None, int]) -> dict:
    ways = [{"test": test, "value": value, "node": node} for test, value, node in branches]
    return {"weights": [0, 0], "attribute": attribute, "branches": ways}


def tree_of(*nodes: dict, **types: str) -> str:
    return json.dumps({
        "format": "ppdt tree 1", "target": "bought", "classes": ["no", "yes"], "missing": "branch",
        "attributes": [{"name": n, "type": t} for n, t in (types or TYPES).items()],
        "nodes": nodes,
    })  # fmt: skip


# Our node n is the paper's node n + 1.
TREE = tree_of(
    cut("gender", ("=", "female", 1), ("=", "male", 2)),
    cut("marital", ("=", "married", 3), ("=", "not married", 4)),
    cut("marital", ("=", "married", 5), ("=", "not married", 6)),
    LEAF, LEAF, cut("age", ("<=", "65", 7), (">", "65", 8)), LEAF, LEAF, LEAF,
)  # fmt: skip


TOWNS = """
    SELECT
        'town ' || i * 7 % 11 AS town, i % 37 AS age, ['f', 'm'][1 + i % 2] AS sex,
        CASE WHEN i * 7 % 11 < 5 AND i % 37 > 9 OR i % 23 = 0 THEN 'yes' ELSE 'no' END AS bought
    FROM range(300) AS r (i)
"""


def test_leaves_of_binary_splits_have_k_rows_from_the_start() -> None:
    assert Erp(k=9).learner.min_rows == 2
    assert Erp(k=9, binary=True).learner.min_rows == 9
    assert Erp(k=9, binary=True, min_rows=4).learner.min_rows == 4
    assert Erp(k=9, binary=True, tiered=True).learner.min_rows == 5
    assert Erp(k=9, binary=True, narrow=True).learner.narrow


@pytest.mark.parametrize("narrow", [False, True])
def test_nothing_is_pruned_where_no_value_is_missing(
    con: duckdb.DuckDBPyConnection, narrow: bool
) -> None:
    con.execute(f"CREATE TABLE t AS {TOWNS}")
    release = ppdt_db.anonymize(
        con, "t", quasi=["town", "age", "sex"], target="bought",
        method=Erp(k=12, binary=True, narrow=narrow), into="r", record=False, rules=True,
    )  # fmt: skip
    assert smallest(con, "r", ["town", "age", "sex"]) >= 12
    assert release.certificate["leaves"] == release.certificate["leaves_unpruned"] > 3
    assert release.certificate["parameters"]["binary"] is True
    applied = release.apply("t", into="again")
    assert applied.rows_shown == 300
    con.execute(
        "CREATE TABLE one AS SELECT 'town 3' AS town, 36 AS age, 'f' AS sex, 'no' AS bought"
    )
    assert release.apply("one", into="shown").withheld["no branch"] == 0


def test_missing_values_have_a_branch_of_their_own(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(f"CREATE TABLE t AS {TOWNS}")
    con.execute("INSERT INTO t SELECT NULL, NULL, 'f', 'yes' FROM range(5)")
    for tiered in (False, True):
        ppdt_db.anonymize(
            con, "t", quasi=["town", "age", "sex"], target="bought",
            method=Erp(k=8, binary=True, narrow=True, tiered=tiered), into="r", replace=True,
            record=False, accept=["kk-anonymity"] if tiered else [],
        )  # fmt: skip
        (n_rows,) = con.execute("SELECT count(*) FROM r").fetchone()
        assert n_rows == 305
        if not tiered:
            assert smallest(con, "r", ["town", "age", "sex"]) >= 8


NOBODY = Roles(
    quasi=(), sensitive=(), target="bought", dropped=(), pseudonymized=(), entity=None, kept=()
)


def test_a_given_tree_is_not_grown_in_two() -> None:
    found = Erp(k=3, tree=read_tree(TREE), binary=True, narrow=True).faults(NOBODY, {})
    assert sum("applies only when a tree is grown" in fault for fault in found) == 2


@pytest.fixture
def figure(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute("CREATE TABLE f (age BIGINT, gender VARCHAR, marital VARCHAR, bought VARCHAR)")
    con.executemany("INSERT INTO f VALUES (?, ?, ?, ?)", FIGURE)
    return con


def risk_of(con: duckdb.DuckDBPyConnection, **wishes: object) -> ppdt_db.TreeRisk:
    given: dict = {"quasi": QUASI, "target": "bought", "tree": read_tree(TREE), **wishes}
    return ppdt_db.tree_risk(con, "f", **given)


def test_the_numbers_of_figure_1(figure: duckdb.DuckDBPyConnection) -> None:
    nodes = dict(enumerate(risk_of(figure).nodes, 1))
    assert [node.n_rows for node in nodes.values()] == [14, 5, 9, 2, 3, 5, 4, 2, 3]
    assert [node.n_wrong for node in nodes.values()] == [7, 2, 4, 0, 0, 2, 1, 0, 0]
    assert (nodes[2].branch_wrong, nodes[3].branch_wrong) == (0, 1)
    assert [round(nodes[n].big, 3) for n in (1, 2, 4, 6, 8, 9)] == [0, 1, 2, 2, 2.432, 3.951]
    assert (round(nodes[2].risk, 3), round(nodes[6].risk, 3)) == (3.322, 4.322)
    assert nodes[2].branch_risk == nodes[4].risk == 3
    assert round(nodes[6].branch_risk, 3) == 3.432
    omegas = {n: round(node.omega, 3) for n, node in nodes.items() if node.omega is not None}
    assert omegas == {1: 0.135, 2: 0.161, 3: 0.246, 6: 0.445}


def test_the_pruning_of_figure_1(figure: duckdb.DuckDBPyConnection) -> None:
    nodes = [
        NodeRisk(n_rows=n.n_rows, n_wrong=n.n_wrong, risk=round(n.risk * ONE_BIT))
        for n in risk_of(figure).nodes
    ]
    pruning = ErrorRiskPruning([None, 0, 0, 1, 1, 2, 2, 5, 5], nodes, {3, 7})
    assert min(pruning.waiting)[-1] == 5
    pruning._prune(5)
    first, second, third = (
        (nodes[n].risk - branch.risk) / (nodes[n].n_wrong - branch.n_wrong) / ONE_BIT
        for n, branch in enumerate(pruning.branches[:3])
    )
    assert [round(omega, 3) for omega in (first, second, third)] == [0.202, 0.161, 0.170]
    assert set(pruning.run()) == {0}
    assert pruning.pruned == [5, 0]


@pytest.mark.parametrize(
    ("k", "ages"),
    [
        (2, {"[57, 61]": 2, "[29, 42]": 3, "[47, 64]": 2, "[66, 80]": 3, "[22, 50]": 4}),
        (3, {"[22, 80]": 14}),
    ],
)
def test_the_release_of_figure_1(
    figure: duckdb.DuckDBPyConnection, k: int, ages: dict[str, int]
) -> None:
    release = ppdt_db.anonymize(
        figure, "f", quasi=QUASI, target="bought", method=Erp(k=k, tree=read_tree(TREE)), into="o"
    )
    assert {age: n for (age,), n in bag(figure, "o", ["age"]).items()} == ages
    record = release.certificate
    assert record["guarantee"] == "k-anonymity" and record["k_measured"] >= k
    assert (record["leaves_unpruned"], record["leaves"]) == (5, len(ages))


def test_a_domain_is_what_tests_leave(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE f AS SELECT * FROM (VALUES (0.5, DATE '2020-01-01', 1, 'a'), "
        "(2.0, DATE '2020-01-09', NULL, 'b'), (8.5, NULL, 3, 'a'), "
        "(2.5, DATE '2020-01-03', 2, 'b')) AS v (price, day, one, bought)"
    )
    types = {"price": "DECIMAL(2,1)", "day": "DATE", "one": "DOUBLE"}
    tree = tree_of(
        cut("price", ("<=", "2.0", 1), (">", "2.0", 2)),
        cut("day", ("<=", "2020-01-03", 3), (">", "2020-01-03", 4)),
        cut("day", ("missing", None, 5), ("<=", "2020-01-03", 6), (">", "2020-01-03", 7)),
        cut("one", ("<=", "2.5", 8), (">", "2.5", 9), ("missing", None, 10)),
        cut("price", ("<=", "0.4", 11), (">", "0.4", 12)),
        *[LEAF] * 5, LEAF, LEAF, LEAF,
        **types,
    )  # fmt: skip
    named = ["price", "day", "one"]
    found = ppdt_db.tree_risk(con, "f", quasi=named, target="bought", tree=read_tree(tree))
    shares = [round(2**-node.big, 9) for node in found.nodes]
    price, rest = 15 / 80, 65 / 80
    # No day, and nothing above the highest or below the lowest, counts as the least distance of two
    # values: two days, half a unit of price; the integers from 1 to 3 are cut at 2.
    expected = [
        1, price, rest, price * 2 / 8, price * 6 / 8, rest * 2 / 8, rest * 2 / 8, rest * 6 / 8,
        price / 4 * 1 / 2, price / 4 * 1 / 2, price / 4 * 1 / 2, 6 / 8 * 5 / 80, price * 6 / 8,
    ]  # fmt: skip
    assert shares == [round(share, 9) for share in expected]


@pytest.mark.parametrize("type_name", ["BIGINT", "HUGEINT", "DECIMAL(9, 3)", "FLOAT", "DOUBLE"])
def test_a_missing_value_counts_the_same_in_every_type(
    con: duckdb.DuckDBPyConnection, type_name: str
) -> None:
    con.execute(
        f"CREATE TABLE f AS SELECT CAST(nullif(22 + i, 80) AS {type_name}) AS age, "
        "i % 2 AS bought FROM range(59) AS r (i)"
    )
    tree = tree_of(
        cut("age", ("<=", "30", 1), (">", "30", 2), ("missing", None, 3)), LEAF,
        cut("age", ("<=", "20", 4), (">", "20", 5)), *[LEAF] * 3, age=type_name.replace(" ", ""),
    )  # fmt: skip
    nodes = ppdt_db.tree_risk(con, "f", quasi=["age"], target="bought", tree=read_tree(tree)).nodes
    for number in (3, 4):
        assert nodes[number].big == pytest.approx(log2(57), abs=1e-9)


def test_several_values_that_lead_to_one_child_are_one_set(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE f AS SELECT ['Lyon', 'Nice', 'Brest', 'Lille'][1 + i % 4] AS town, "
        "i % 2 AS bought FROM range(16) AS r (i)"
    )
    ways = [("=", "Lyon", 1), ("=", "Nice", 1), ("=", "Brest", 2), ("=", "Lille", 2)]
    below = cut("town", ("=", "Nice", 3), ("=", "Paris", 3), ("=", "Lyon", 4), ("missing", None, 4))
    tree = read_tree(tree_of(cut("town", *ways), below, *[LEAF] * 3, town="VARCHAR"))
    nodes = ppdt_db.tree_risk(con, "f", quasi=["town"], target="bought", tree=tree).nodes
    assert [(node.n_rows, node.big) for node in nodes] == [(16, 0), (8, 1), (8, 1), (4, 2), (4, 2)]


def test_a_column_of_one_value_or_none_has_one_step(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE f AS SELECT 7 AS same, CAST(NULL AS DOUBLE) AS empty, i % 2 AS bought "
        "FROM range(6) AS r (i)"
    )
    tree = tree_of(
        cut("same", ("<=", "9", 1), (">", "9", 2)),
        cut("empty", ("<=", "1.5", 3), (">", "1.5", 4), ("missing", None, 5)),
        *[LEAF] * 4, same="INTEGER", empty="DOUBLE",
    )  # fmt: skip
    found = ppdt_db.tree_risk(
        con, "f", quasi=["same", "empty"], target="bought", tree=read_tree(tree)
    )
    assert all(node.big == 0 for node in found.nodes)
    assert [node.risk for node in found.nodes[2:5]] == [None, None, None]
    assert found.nodes[0].branch_risk == found.nodes[5].risk


# -- what a release keeps --

PEOPLE = (
    "CREATE TABLE people AS SELECT (i * 48271) % 65537 % 61 AS age, "
    "nullif('c' || (i * 40692) % 65521 % 7, 'c3') AS city, (i * 39373) % 65519 / 7.0 AS pay, "
    "CASE WHEN i % 19 > 0 THEN (i * 48271) % 65537 % 61 > 30 AND (i * 40692) % 65521 % 7 < 3 END "
    "AS ill, i AS rid FROM range(900) AS r (i)"
)
ASKED: dict = {
    "quasi": ["age", "city", "pay"], "target": "ill", "identifiers": ["rid"], "into": "o",
}  # fmt: skip


@pytest.mark.parametrize("k", mostly_slow([2, 5, 40, 899], 5, 899))
def test_a_grown_tree_keeps_k_and_every_row(con: duckdb.DuckDBPyConnection, k: int) -> None:
    con.execute(PEOPLE)
    release = ppdt_db.anonymize(con, "people", method=Erp(k=k), **ASKED)
    assert smallest(con, "o", ASKED["quasi"]) >= k
    assert bag(con, "o", ["ill"]) == bag(con, "people", ["ill"])
    outline = release.certificate["tree"]
    assert outline["is_outline"] and all(node["weights"][0] >= k for node in outline["nodes"])


def test_order_and_threads_change_nothing() -> None:
    found = []
    for threads, order in ((1, "rid"), (2, "pay, -rid")):
        with duckdb.connect(config={"threads": threads}) as con:
            con.execute(PEOPLE)
            con.execute(f"CREATE OR REPLACE TABLE people AS FROM people ORDER BY {order}")
            ppdt_db.anonymize(con, "people", method=Erp(k=7), **ASKED)
            risk = ppdt_db.tree_risk(con, "people", quasi=ASKED["quasi"], target="ill")
            found.append((bag(con, "o"), risk))
    assert found[0] == found[1]


def test_a_live_view_guards_every_state(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PEOPLE)
    wishes = {"live": True, "accept": ["state-by-state", "reader-side-channels"]}
    ppdt_db.anonymize(con, "people", method=Erp(k=7), **wishes, **ASKED)
    con.execute("DELETE FROM people WHERE rid % 3 = 0")
    assert smallest(con, "o", ASKED["quasi"]) >= 7


def test_no_log_tells_a_value(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PEOPLE)
    con.execute("UPDATE people SET city = 'S3CRET' || city, age = age + 7654300")
    log = io.StringIO()
    release = ppdt_db.anonymize(con, "people", method=Erp(k=20), sql_log=log, **ASKED)
    ppdt_db.tree_risk(con, "people", quasi=ASKED["quasi"], target="ill", sql_log=log)
    for text in (log.getvalue(), json.dumps(release.certificate, default=str)):
        assert "S3CRET" not in text and not re.search(r"76543\d\d", text)


# -- bad input, and the command line --

ROLES = ["--id", "name", "--qi", "age,sex,zip", "--keep", "rest"]
TARGET = ["--target", "readmitted"]


@pytest.mark.parametrize(
    ("options", "words", "code"),
    [
        ([], "erp needs a target", 2),
        (["--target", "age"], "given as quasi-identifier and target", 2),
        (["--target", "nobody"], 'target "nobody": the source has no such column', 2),
        ([*TARGET, "--min-rows", 0], "min_rows=0", 2),
        ([*TARGET, "--k", 201], "k=201 but the source has 200 rows", 2),
        ([*TARGET, "--refine"], "--refine does not apply to method erp", 2),
        ([*TARGET, "--tree", "nowhere.json"], "cannot be read", 2),
        ([*TARGET, "--tree", "TREE", "--min-rows", 3], "remove it", 2),
        ([*TARGET, "--tree", "TREE"], "not a quasi-identifier", 2),
        ([*TARGET, "--tree", "HOLE"], "rows reach no leaf", 2),
        ([*TARGET, "--entity", "number", "--k", 150], "k=150", 3),
    ],
)  # fmt: skip
def test_a_bad_request_is_refused(
    clinic: Path, options: list[object], words: str, code: int
) -> None:
    other, hole = clinic.parent / "other.json", clinic.parent / "hole.json"
    other.write_text(tree_of(cut("diagnosis", ("=", "gout", 1)), LEAF, diagnosis="VARCHAR"))
    hole.write_text(tree_of(cut("age", ("<=", "50", 1), (">", "50", 2)), LEAF, LEAF, age="BIGINT"))
    files = {"TREE": other, "HOLE": hole}
    options = [files.get(str(option), option) for option in options]
    if code == 3:
        with duckdb.connect(str(clinic)) as con:
            con.execute("UPDATE patients SET number = number % 100")
    asked = ["patients", "--db", clinic, *ROLES, "--method", "erp", "--into", "o", *options]
    assert words in faults(clinic, *asked, code=code)


def test_the_command_line_says_what_was_done(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "c.duckdb")
    asked = ["patients", "--db", clinic, *ROLES, *TARGET, "--method", "erp", "--k", 5, "--json"]
    record = ppdt("anonymize", *asked, "--into", "o", "--min-rows", 4).json
    assert record["method"] == "erp" and record["guarantee"] == "k-anonymity"
    grown = {"tree": "C4.5", "min_rows": 4, "binary": False, "narrow": False}
    assert record["parameters"] == {"k": 5, "l": 1, **grown, "tiered": False}
    assert record["k_measured"] >= 5 and record["rows_out"] == 200
    policy = tmp_path / "p.yaml"
    policy.write_text(
        "source: patients\nquasi: [age, sex, zip]\nidentifiers: [name]\ntarget: readmitted\n"
        f"keep: rest\nmethod: erp\nk: 5\nmin_rows: 4\ninto: o2\ndb: {clinic}\n"
    )
    again = ppdt("anonymize", "--policy", policy, "--json").json
    assert again["release_fingerprint"] == record["release_fingerprint"]


def write_figure(folder: Path) -> tuple[Path, Path]:
    source, tree = folder / "f.csv", folder / "tree.json"
    lines = [",".join(map(str, row)) for row in FIGURE]
    source.write_text("\n".join(["age,gender,marital,bought", *lines]) + "\n", "utf-8")
    tree.write_text(TREE, "utf-8")
    return source, tree


def test_risks_are_printed_by_node(tmp_path: Path) -> None:
    source, tree = write_figure(tmp_path)
    asked = [source, "--qi", "age,gender,marital", "--target", "bought"]
    ended = ppdt("risk", "tree", *asked, "--tree", tree)
    lines = [re.sub(" +", " ", line).strip() for line in ended.out.splitlines()]
    assert lines[0] == "node rows E BIG ICR R R(branch) E(branch) omega test"
    assert lines[1] == "0 14 7 0.000 3.807 3.807 3.000 1 0.135 (all rows)"
    # As the tree branches: what is below a node follows it.
    assert [int(line.split()[0]) for line in lines[1:]] == [0, 1, 3, 4, 2, 5, 7, 8, 6]
    assert lines[8] == "8 3 0 3.951 1.585 5.536 5.536 0 | | | age > 65"
    nodes = ppdt("risk", "tree", *asked, "--tree", tree, "--json").json["nodes"]
    assert nodes[8]["test"] == "age > 65" and nodes[0]["test"] is None
    assert round(nodes[5]["omega"], 3) == 0.445
    grown = ppdt("risk", "tree", *asked, "--min-rows", 1, "--json").json["nodes"]
    assert grown[0]["n_rows"] == 14 and len(grown) > 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--target", "bought", "--qi", "age,nobody"], 'quasi-identifier "nobody"'),
        (["--target", "age", "--qi", "age"], "quasi-identifier and target"),
        (["--target", "nobody", "--qi", "age"], 'target "nobody"'),
        (["--target", "bought", "--qi", "age", "--min-rows", 0], "min_rows=0"),
        (["--target", "bought", "--qi", "age", "--tree", "T", "--min-rows", 3], "remove it"),
        (["--target", "bought", "--qi", "age", "--tree", "T"], "which is not a quasi-identifier"),
        (["--target", "bought", "--qi", "age", "--tree", "none"], "cannot be read"),
    ],
)
def test_risks_of_a_bad_request_are_refused(
    tmp_path: Path, options: list[object], words: str
) -> None:
    source, tree = write_figure(tmp_path)
    ended = ppdt("risk", "tree", source, *[tree if option == "T" else option for option in options])
    assert ended.code == 2 and words in ended.err and not ended.out


VISITS = """
    CREATE TABLE visits AS
    SELECT i // 4 AS person, i // 4 % 37 AS age, ['f', 'm'][1 + i // 4 % 2] AS sex,
        i // 4 % 37 > 20 AND i % 5 > 0 AS ill
    FROM range(400) AS r (i)
"""


def test_icr_counts_people(con: duckdb.DuckDBPyConnection) -> None:
    """Four visits of each of a hundred people: the root hides one among a hundred, not 400."""
    con.execute(VISITS)
    given = {"quasi": ["age", "sex"], "target": "ill"}
    rows, people = (
        ppdt_db.tree_risk(con, "visits", entity=entity, **given).nodes
        for entity in (None, "person")
    )
    assert rows[0].n_rows == people[0].n_rows == 400
    assert (rows[0].icr, people[0].icr) == (pytest.approx(log2(400)), pytest.approx(log2(100)))
    for by_row, by_person in zip(rows, people, strict=True):
        assert by_person.big == by_row.big
        assert by_person.icr == pytest.approx(by_row.icr - 2)
        assert by_person.risk == pytest.approx(by_row.risk - 2)


def test_the_pruned_tree_is_written(tmp_path: Path) -> None:
    """Its leaves are the classes; every tool that reads trees reads it."""
    db, tree = tmp_path / "t.duckdb", tmp_path / "pruned.json"
    with duckdb.connect(str(db)) as con:
        con.execute(f"CREATE TABLE t AS {TOWNS}")
    common = ["t", "--db", db, "--qi", "town,age,sex", "--target", "bought"]
    ended = ppdt(
        "anonymize",
        *common,
        "--method",
        "erp",
        "--k",
        12,
        "--into",
        "r",
        "--tree-out",
        tree,
        "--json",
    )
    assert ended.code == 0, ended.err
    certificate = ended.json
    assert certificate["leaves"] < certificate["leaves_unpruned"]
    pruned = read_tree(tree.read_text("utf-8"))
    assert pruned.n_leaves >= certificate["leaves"] > 1
    assert tree.stat().st_mode & 0o077 == 0
    measured = ppdt("risk", "tree", *common, "--tree", tree, "--json")
    leaves = [
        node for node, own in zip(measured.json["nodes"], pruned.nodes, strict=True)
        if not own.branches
    ]  # fmt: skip
    assert sum(leaf["n_rows"] for leaf in leaves) == 300
    held = [leaf for leaf in leaves if leaf["n_rows"]]
    assert len(held) == certificate["leaves"]
    assert min(leaf["n_rows"] for leaf in held) >= 12
    again = ppdt(
        "anonymize", *common, "--method", "erp", "--k", 12, "--tree", tree, "--into", "r2",
        "--accept", "several-releases", "--json",
    )  # fmt: skip
    assert again.json["leaves_unpruned"] == again.json["leaves"] == certificate["leaves"]


def test_only_a_pruned_tree_can_be_written(tmp_path: Path) -> None:
    db = make_database(tmp_path / "t.duckdb", f"CREATE TABLE t AS {TOWNS}")
    lost = tmp_path / "nowhere" / "c.json"
    ended = ppdt("anonymize", "t", "--db", db, "--qi", "age", "--tree-out", tmp_path / "x.json",
                 "--certificate", lost)  # fmt: skip
    assert ended.code == 2 and "the folder does not exist" in ended.err
    assert "--tree-out: mondrian prunes no tree." in ended.err
