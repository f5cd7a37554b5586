"""kACTUS: bad input, the command line, what a release must keep."""

import json
from pathlib import Path

import duckdb
import pytest
from support import SECRET, bag, every, faults, make_database, mostly_slow, ppdt, read

import ppdt_db
from ppdt_db import Kactus
from ppdt_db.tree.tree_json import read_tree


def equals(attribute: str, **children: int) -> dict:
    branches = [{"test": "=", "value": v, "node": n} for v, n in children.items()]
    return {"weights": [0], "attribute": attribute, "branches": branches}


def tree_of(attributes: dict[str, str], nodes: list[dict], **changes: object) -> str:
    named = [{"name": name, "type": type_name} for name, type_name in attributes.items()]
    return json.dumps(
        {
            "format": "ppdt tree 1", "target": "y", "classes": ["a"], "missing": "branch",
            "attributes": named, "nodes": nodes, **changes,
        }
    )  # fmt: skip


# -- bad input: all faults at once, nothing released --

LEAF = {"weights": [0]}
ROLES = ["--id", "name", "--qi", "age,sex,zip", "--target", "readmitted", "--keep", "rest"]


def cut(attribute: str, at: object, *, missing: bool = True) -> list[dict]:
    branches = [{"test": "<=", "value": at, "node": 1}, {"test": ">", "value": at, "node": 2}]
    if missing:
        branches.append({"test": "missing", "value": None, "node": 3})
    return [{"weights": [0], "attribute": attribute, "branches": branches}, *[LEAF] * len(branches)]


BAD_TREES: dict[str, tuple[dict[str, str], list[dict], str]] = {
    "no branch for a value": (
        {"sex": "VARCHAR"}, [equals("sex", m=1), LEAF], "67 rows reach no leaf",
    ),
    "no branch for a missing one": (
        {"age": "BIGINT"}, cut("age", "50", missing=False), "9 rows reach no leaf",
    ),
    "no word of what to do": (
        {"age": "BIGINT"}, cut("age", "50", missing=False), "`ppdt learn c45 --missing branch`",
    ),
    "no quasi-identifier": (
        {"number": "BIGINT"}, cut("number", "50"), "which is not a quasi-identifier",
    ),
    "no such column": ({"agee": "BIGINT"}, cut("agee", "50"), 'did you mean "age"?'),
    "text by threshold": ({"sex": "VARCHAR"}, cut("sex", "f"), "must be one of ('missing', '=')"),
    "text as number": ({"sex": "BIGINT"}, cut("sex", "1"), "the column is varchar"),
    "number as date": ({"age": "DATE"}, cut("age", "2020-01-01"), "the column is bigint"),
    "no number": ({"age": "BIGINT"}, cut("age", "Zebedee-4711"), "is not a bigint"),
    "half a whole number": ({"age": "BIGINT"}, cut("age", "49.5"), "is not a bigint"),
    "too large": ({"age": "TINYINT"}, cut("age", "4900"), "is not a tinyint"),
    "not a number": ({"age": "DOUBLE"}, cut("age", "nan"), "is not a double"),
    "no text": ({"age": "BIGINT"}, cut("age", 50), "not a tree of ppdt"),
    "twice": (
        {"sex": "VARCHAR"},
        [{**LEAF, "attribute": "sex", "branches": [
            {"test": "=", "value": v, "node": n} for n, v in enumerate("fmm", 1)
        ]}, LEAF, LEAF, LEAF],
        "two branches test the same value",
    ),
    "two thresholds": (
        {"age": "BIGINT"},
        [{**LEAF, "attribute": "age", "branches": [
            {"test": "<=", "value": "20", "node": 1}, {"test": "<=", "value": "50", "node": 2},
            {"test": ">", "value": "50", "node": 3}, {"test": "missing", "value": None, "node": 4},
        ]}, LEAF, LEAF, LEAF, LEAF],
        "a threshold needs one branch <= and one >",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", every(3, BAD_TREES))
def test_a_tree_that_does_not_fit_is_refused(clinic: Path, case: str) -> None:
    attributes, nodes, words = BAD_TREES[case]
    file = clinic.parent / "tree.json"
    file.write_text(tree_of(attributes, nodes), "utf-8")
    asked = ["--method", "kactus", "--k", 5, "--tree", file, "--into", "o"]
    assert words in faults(
        clinic, "patients", "--db", clinic, *ROLES, "--sensitive", "diagnosis", *asked
    )


BAD_REQUESTS: dict[str, tuple[list[object], str]] = {
    "plain alone": (["--plain"], "--plain needs --refine"),
    "criterion alone": (["--criterion", "ncp"], "--criterion needs --refine"),
    "recode": (["--recode", "age=range"], "kactus shows a mean, the value, or null"),
    "recode with plain": (
        ["--refine", "--plain", "--recode", "age=midpoint"],
        "kactus shows a mean, the value, or null",
    ),
    "relaxed": (["--relaxed"], "--relaxed does not apply to method kactus"),
    "min rows": (["--min-rows", 0], "min_rows=0"),
    "k": (["--k", 201], "k=201 but the source has 200 rows"),
    "live": (
        ["--live", "--accept", "state-by-state,reader-side-channels"],
        "kactus with these options divides equal rows",
    ),
    "no tree": (["--tree", "nowhere.json"], "cannot be read"),
    "l": (["--l", 2], "needs a sensitive column"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_REQUESTS)
def test_a_request_that_says_nothing_is_refused(clinic: Path, case: str) -> None:
    options, words = BAD_REQUESTS[case]
    asked = ["--method", "kactus", "--into", "o", *options]
    assert words in faults(clinic, "patients", "--db", clinic, *ROLES, *asked)


@pytest.mark.parametrize(
    ("target", "words", "not_said"),
    [
        ("readmited", 'did you mean "readmitted"?', "needs a target"),
        ("age", "given as quasi-identifier and target", "two released columns"),
    ],
)
def test_one_fault_is_told_once(clinic: Path, target: str, words: str, not_said: str) -> None:
    asked = ["--id", "name", "--qi", "age,sex,zip", "--target", target, "--keep", "rest"]
    said = faults(clinic, "patients", "--db", clinic, *asked, "--method", "kactus", "--into", "o")
    assert words in said and not_said not in said


def test_all_faults_come_at_once(clinic: Path) -> None:
    file = clinic.parent / "tree.json"
    nodes = [equals("diagnosis", flu=1), *cut("nowhere", "1")[:1], LEAF, LEAF, LEAF]
    nodes[1] = {**nodes[1], "branches": [
        {**b, "node": n} for n, b in enumerate(nodes[1]["branches"], 2)
    ]}  # fmt: skip
    file.write_text(tree_of({"diagnosis": "VARCHAR", "nowhere": "BIGINT"}, nodes), "utf-8")
    said = faults(
        clinic, "patients", "--db", clinic, *ROLES, "--method", "kactus", "--into", "o",
        "--tree", file, "--plain", "--min-rows", 3, "--k", 1,
    )  # fmt: skip
    for words in ("nowhere", "diagnosis", "--plain", "--min-rows", "k=1"):
        assert words in said


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ([], "needs a target"),
        (["--target", "one"], "one value"),
        (["--target", "many"], "too many"),
    ],
)
def test_a_target_that_no_tree_can_learn_is_refused(
    tmp_path: Path, target: list[str], words: str
) -> None:
    clinic = make_database(
        tmp_path / "c.duckdb",
        "CREATE TABLE t AS SELECT i % 9 AS age, 1 AS one, i AS many FROM range(1500) AS r (i)",
    )
    asked = ["--qi", "age", "--keep", "rest", "--method", "kactus", "--into", "o", *target]
    assert words in faults(clinic, "t", "--db", clinic, *asked)


def test_what_the_whole_table_breaks_is_not_to_be_had(clinic: Path) -> None:
    asked = [*ROLES[:-2], "--sensitive", "diagnosis,number", "--method", "kactus", "--into", "o"]
    said = faults(clinic, "patients", "--db", clinic, *asked, "--l", 5, code=3)
    assert "l=5" in said and "4 distinct values" in said


@pytest.mark.parametrize("option", [["--refine"], ["--plain"], ["--min-rows", 2], ["--tree", "t"]])
def test_mondrian_takes_no_option_of_kactus(clinic: Path, option: list[object]) -> None:
    Path(clinic.parent / "t").write_text(tree_of({}, [LEAF]), "utf-8")
    option = [clinic.parent / "t" if word == "t" else word for word in option]
    said = faults(clinic, "patients", "--db", clinic, *ROLES, "--into", "o", *option)
    assert f"{option[0]} does not apply to method mondrian" in said


# -- the command line --


def test_the_certificate_says_what_was_done(clinic: Path) -> None:
    asked = ["patients", "--db", clinic, *ROLES, "--sensitive", "diagnosis", "--json"]
    plain = ppdt("anonymize", *asked, "--method", "kactus", "--k", 5, "--into", "a")
    assert plain.code == 0, plain.err
    assert plain.json["method"] == "kactus" and plain.json["guarantee"] == "k-anonymity"
    assert plain.json["parameters"] == {
        "k": 5, "l": 1, "tree": "C4.5", "min_rows": 2, "refine": False, "plain": False,
        "criterion": None, "lend": "random",
    }  # fmt: skip
    assert plain.json["k_measured"] >= 5 and plain.json["rows_dropped"] < 5
    refined = ppdt(
        "anonymize", *asked, "--method", "kactus", "--k", 5, "--into", "b", "--refine", "--l", 2,
        "--min-rows", 4, "--criterion", "balanced", "--recode", "age=bounds",
    )  # fmt: skip
    assert refined.code == 0, refined.err
    assert refined.json["guarantee"] == "k-anonymity and distinct l-diversity"
    assert refined.json["l_measured"] >= 2
    assert refined.json["parameters"]["min_rows"] == 4
    assert refined.json["parameters"]["criterion"] == "balanced"
    file = clinic.parent / "tree.json"
    file.write_text(tree_of({"age": "DOUBLE"}, cut("age", "49.5")), "utf-8")
    given = ppdt(
        "anonymize", *asked, "--method", "kactus", "--k", 5, "--into", "c", "--refine", "--plain",
        "--tree", file,
    )  # fmt: skip
    assert given.code == 0, given.err
    assert given.json["parameters"]["tree"] == "given"
    assert given.json["parameters"]["min_rows"] is None
    assert SECRET not in plain.out + refined.out + given.out


def test_a_policy_file_says_the_same(clinic: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text(tree_of({"age": "BIGINT"}, cut("age", "49")), "utf-8")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "source: patients\nidentifiers: [name]\nquasi: [age, sex, zip]\ntarget: readmitted\n"
        f"keep: rest\nmethod: kactus\nk: 5\nrefine: true\nplain: true\ntree: {tree}\nseed: 1\n"
        f"db: {clinic}\n",
        "utf-8",
    )
    by_file = ppdt("anonymize", "--policy", policy, "--into", "a", "--json")
    asked = ["--method", "kactus", "--k", 5, "--refine", "--plain", "--tree", tree, "--seed", 1]
    by_options = ppdt(
        "anonymize", "patients", "--db", clinic, *ROLES, *asked, "--into", "b", "--json"
    )
    assert by_file.code == by_options.code == 0, by_file.err + by_options.err
    assert by_file.json["parameters"] == by_options.json["parameters"]
    with duckdb.connect(str(clinic)) as con:
        assert read(con, "a") == read(con, "b")


@pytest.mark.parametrize(
    ("options", "fields", "expected"),
    every(4, [
        ([], "", {"relaxed": False, "criterion": "balanced"}),
        (["--criterion", "ncp"], "criterion: ncp", {"relaxed": False, "criterion": "ncp"}),
        (["--relaxed", "--criterion", "median"], "relaxed: true\ncriterion: median",
         {"relaxed": True, "criterion": "median"}),
        ([], "relaxed: false", {"relaxed": False, "criterion": "balanced"}),
    ]),
)  # fmt: skip
def test_mondrian_is_asked_as_before(
    clinic: Path, tmp_path: Path, options: list[str], fields: str, expected: dict
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"k: 5\n{fields}\n", "utf-8")
    asked = ["patients", "--db", clinic, *ROLES, "--json", "--into"]
    by_options = ppdt("anonymize", *asked, "a", *options, "--k", 5)
    by_file = ppdt("anonymize", *asked, "b", "--policy", policy)
    for ended in (by_options, by_file):
        assert ended.code == 0, ended.err
        assert ended.json["parameters"] == {"k": 5, "l": 1, **expected}


def test_the_tree_of_learn_can_be_given(clinic: Path) -> None:
    """What `ppdt learn` writes is what `--tree` reads."""
    file = clinic.parent / "learnt.json"
    learnt = ppdt(
        "learn", "c45", "patients", "--db", clinic, "--target", "readmitted",
        "--features", "age,sex,zip",
        "--missing", "branch", "--unpruned", "--json",
    )  # fmt: skip
    assert learnt.code == 0, learnt.err
    file.write_text(learnt.out, "utf-8")
    asked = ["--method", "kactus", "--k", 5, "--tree", file, "--into", "o", "--json"]
    ended = ppdt("anonymize", "patients", "--db", clinic, *ROLES, *asked)
    assert ended.code == 0, ended.err
    assert ended.json["k_measured"] >= 5


def test_the_table_tells_what_was_asked_and_no_more(clinic: Path) -> None:
    asked = ["patients", "--db", clinic, *ROLES, "--sensitive", "diagnosis", "--method", "kactus"]
    ended = ppdt("anonymize", *asked, "--k", 200, "--into", "o")
    assert ended.code == 0 and "k=200" in ended.out
    assert "not measured" not in ended.out, "a parameter that is not set is left out"
    assert "tells nothing about the quasi-identifiers" in ended.err, "one class of 200 rows"


# -- attacks --


@pytest.mark.parametrize("refine", [False, True])
def test_dropped_rows_do_not_move_what_classes_are_compared_with(
    con: duckdb.DuckDBPyConnection, refine: bool
) -> None:
    """Without the three rows of s, the rows of p would lie 1/3 from the whole: they stay in."""
    con.execute("CREATE TABLE t (x VARCHAR, s VARCHAR, number INTEGER)")
    of_leaf = {"p": "aaaa", "q": "aabb", "r": "aabb", "s": "aaa"}
    rows = [(x, s) for x, found in of_leaf.items() for s in found]
    con.executemany("INSERT INTO t VALUES (?, ?, ?)", [(*row, n) for n, row in enumerate(rows)])
    tree = read_tree(tree_of({"x": "VARCHAR"}, [equals("x", p=1, q=2, r=3, s=4), *[LEAF] * 4]))

    def release(**asked: object) -> ppdt_db.Release:
        return ppdt_db.anonymize(
            con, "t", quasi=["x"], sensitive=["s"], keep=["number"], into="o", replace=True,
            method=Kactus(k=4, tree=tree, refine=refine, **asked),
        )  # fmt: skip

    assert release().certificate["rows_dropped"] == 3
    assert release(t=0.3).certificate["rows_dropped"] == 0
    assert sorted(bag(con, "o", ["x"]).values()) == [4, 4, 7]
    for found in release(t=0.3).certificate["findings"]:
        assert found["passed"], found


def test_a_genuine_null_meets_the_suppressed(
    con: duckdb.DuckDBPyConnection,
) -> None:
    """Genuine NULL beside suppressed ones: one class, at least k, and no word which is which."""
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i >= 12 THEN i % 4 END AS age, "
        "CASE WHEN i < 30 THEN 'm' ELSE 'f' END AS sex, i AS number, i % 2 AS y "
        "FROM range(45) AS r (i)"
    )
    nodes = [
        {"weights": [0], "attribute": "age", "branches": [
            {"test": "<=", "value": "1", "node": 1}, {"test": ">", "value": "1", "node": 2},
            {"test": "missing", "value": None, "node": 3},
        ]},
        LEAF, equals("sex", m=4, f=5), equals("sex", m=6, f=7), LEAF, LEAF, LEAF, LEAF,
    ]  # fmt: skip
    nodes[2], nodes[3] = equals("sex", m=4, f=5), equals("sex", m=6)
    tree = read_tree(tree_of({"age": "BIGINT", "sex": "VARCHAR"}, nodes[:7]))
    ppdt_db.anonymize(
        con, "t", quasi=["age", "sex"], target="y", keep=["number"], into="o",
        method=Kactus(k=10, tree=tree),
    )  # fmt: skip
    sizes = bag(con, "o", ["age", "sex"])
    assert min(sizes.values()) >= 10
    assert sizes[None, "m"] == 12, "the rows whose age is missing"


def test_quasi_identifiers_that_are_all_null(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT CAST(NULL AS INTEGER) AS age, CAST(NULL AS VARCHAR) AS sex, "
        "i % 2 AS y FROM range(20) AS r (i)"
    )
    for wishes in ({}, {"refine": True}, {"refine": True, "plain": True}):
        release = ppdt_db.anonymize(
            con, "t", quasi=["age", "sex"], target="y", into="o", replace=True,
            method=Kactus(k=10, **wishes),
        )  # fmt: skip
        assert release.certificate["k_measured"] == 20


def test_one_person_with_many_rows_hides_nobody(con: duckdb.DuckDBPyConnection) -> None:
    """Eleven rows of one person are no group of ten."""
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i < 30 THEN 'a' ELSE 'b' END AS sex, i % 2 AS y, "
        "CASE WHEN i < 30 THEN i ELSE 99 END AS person, i AS number FROM range(41) AS r (i)"
    )
    tree = read_tree(tree_of({"sex": "VARCHAR"}, [equals("sex", a=1, b=2), LEAF, LEAF]))
    release = ppdt_db.anonymize(
        con, "t", quasi=["sex"], target="y", keep=["number"], entity="person", into="o",
        method=Kactus(k=10, tree=tree),
    )  # fmt: skip
    assert bag(con, "o", ["sex"]) == {("a",): 21, (None,): 20}
    people = {n if n < 30 else 99 for s, n in read(con, "o", ["sex", "number"]) if s is None}
    assert len(people) == 10 and release.certificate["k_measured"] == 10


def test_a_mean_tells_only_of_its_own_class(con: duckdb.DuckDBPyConnection) -> None:
    """An outlier that was drawn upwards leaves no trace in the mean of the group it came from."""
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i < 30 THEN 10 + i % 3 WHEN i = 30 THEN 20 ELSE 95 END "
        "AS age, i % 2 AS y, i AS number FROM range(36) AS r (i)"
    )
    tree = read_tree(tree_of({"age": "INTEGER"}, cut("age", "50", missing=False)))
    ppdt_db.anonymize(
        con, "t", quasi=["age"], target="y", keep=["number"], into="o",
        method=Kactus(k=10, tree=tree),
    )  # fmt: skip
    ages = dict(read(con, "t", ["number", "age"]))
    groups: dict[object, list[int]] = {}
    for age, number in read(con, "o", ["age", "number"]):
        groups.setdefault(age, []).append(ages[number])
    assert sorted(map(len, groups.values())) == [10, 26]
    for shown_age, members in groups.items():
        assert shown_age is None or shown_age == round(sum(members) / len(members), 1)


# -- what no tree keeps apart: k rows or more at the root that break another constraint --

HELD = "if(ward = 'd' OR i % 2 = 0, 'flu', 'gout')"
EACH: dict[str, tuple[str, dict[str, object], dict[str, object], list[int]]] = {
    # Rows of wards a, b, c; then of d, which all have one value, or are one person's.
    "l": (HELD, {"l": 2}, {}, [40, 30, 20, 12]),
    "entropy": (HELD, {"entropy": 1.8}, {}, [40, 20, 30, 30]),
    "t": (HELD, {"t": 0.08}, {}, [40, 10, 10, 10]),
    "people": ("if(ward = 'd', -1, i)", {}, {"entity": "held"}, [10, 10, 10, 12]),
}  # fmt: skip
JOINED = {
    "l": {("a",): 40, ("b",): 30, (None,): 32},
    "entropy": {("a",): 40, (None,): 80},
    "t": {(None,): 70},
    "people": {("b",): 10, ("c",): 10, (None,): 22},
}


@pytest.mark.parametrize("at_once", mostly_slow([1, 64], 64))
@pytest.mark.parametrize("case", EACH)
def test_an_unsafe_rest_takes_the_smallest_groups_with_it(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, case: str, at_once: int
) -> None:
    """As many as it needs: nothing is dropped, and the table as a whole is safe in any case."""
    monkeypatch.setattr("ppdt_db.methods.algorithms.suppress.JOINED_AT_ONCE", at_once)
    held, asked, roles, sizes = EACH[case]
    wards = " UNION ALL ".join(
        f"SELECT '{ward}' AS ward, i FROM range({n}) AS r (i)"
        for ward, n in zip("abcd", sizes, strict=True)
    )
    people = "row_number() OVER (ORDER BY ward, i)" if case == "people" else "i"
    con.execute(
        f"CREATE TABLE t AS SELECT ward, {held} AS held, i % 2 AS y "
        f"FROM (SELECT ward, {people} AS i FROM ({wards}))"
    )
    tree = read_tree(
        tree_of({"ward": "VARCHAR"}, [equals("ward", a=1, b=2, c=3, d=4), *[LEAF] * 4])
    )
    release = ppdt_db.anonymize(
        con, "t", quasi=["ward"], target="y", into="o", method=Kactus(k=10, tree=tree, **asked),
        **(roles or {"sensitive": ["held"]}),
    )  # fmt: skip
    assert bag(con, "o", ["ward"]) == JOINED[case]
    assert release.certificate["rows_dropped"] == 0
