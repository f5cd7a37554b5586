"""Releases under hierarchies: cuts, labels, losses and t, beside readings of their own."""

from collections import Counter
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.mondrian_tree import Attribute as Naive
from oracle.mondrian_tree import release
from support import bag, examples, mostly_slow, ppdt

import ppdt_db
from ppdt_db import Attribute, Mondrian, RequestError
from ppdt_db.methods.algorithms.partition import Criterion
from ppdt_db.policy.hierarchy_specs import grouping

TREES = {
    'a "b"': [
        ("x1", "x", "*"), ("x2", "x", "*"), ("y1", "y", "*"), ("y2", "y2", "*"), ("z", "y", "*"),
    ],
    "c;d": [
        ("p", "low", "half", "*"), ("q", "low", "half", "*"), (None, "low", "half", "*"),
        ("r", "r", "half", "*"), ("s", "other", "other", "*"), ("t", "other", "other", "*"),
    ],
}  # fmt: skip
JOBS = [
    ("nurse", "care", "*"), ("doctor", "care", "*"), ("smith", "craft", "*"), ("cook", "craft", "*")
]  # fmt: skip


def make(con: duckdb.DuckDBPyConnection, name: str, rows: list[tuple], columns: list[str]) -> None:
    listed = ", ".join('"' + column.replace('"', '""') + '" VARCHAR' for column in columns)
    con.execute(f'CREATE TABLE "{name}" ({listed})')
    con.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(columns))})', rows)


def make_trees(con: duckdb.DuckDBPyConnection) -> None:
    for number, rows in enumerate(TREES.values()):
        make(con, f"tree {number}", rows, [f"l {i}" for i in range(len(rows[0]))])


@st.composite
def tables(draw: st.DrawFn) -> list[tuple]:
    first = st.sampled_from([None, *(row[0] for row in TREES['a "b"'])])
    second = st.sampled_from([row[0] for row in TREES["c;d"]])
    return draw(st.lists(st.tuples(first, second), min_size=4, max_size=40))


# Where k rows are all that is asked, no cut is allowed but where one beside the median's child is.
@pytest.mark.parametrize("criterion", ["balanced", "median"])
@examples(12)
@given(table=tables(), k=st.integers(2, 4))
def test_balanced_is_the_naive_reading(table: list[tuple], k: int, criterion: Criterion) -> None:
    with duckdb.connect() as con:
        make_trees(con)
        make(con, "t", table, list(TREES))
        quasi = [Attribute(name, hierarchy=f"tree {i}") for i, name in enumerate(TREES)]
        made = ppdt_db.anonymize(
            con, "t", quasi=quasi, method=Mondrian(k=k, criterion=criterion), into="r"
        )
        naive = [
            Naive(rows, [row[place] for row in table]) for place, rows in enumerate(TREES.values())
        ]
        assert bag(con, "r") == Counter(release(naive, table, k))
        assert min(bag(con, "r").values()) >= k
        names = {name: f"tree {i}" for i, name in enumerate(TREES)}
        audited = ppdt_db.audit(con, "r", quasi=list(TREES), original="t", hierarchies=names)
        assert audited.measures["gcp"] == made.certificate["gcp"]
        for place, (name, attribute) in enumerate(zip(TREES, naive, strict=True)):
            sizes = {words: len(held) for held, words in attribute.nodes.items()}
            shown = [row[place] for row in bag(con, "r").elements()]
            losses = [0 if sizes[s] == 1 else sizes[s] / attribute.n_values for s in shown]
            expected = sum(losses) / len(shown) if attribute.n_values > 1 else 0
            assert made.certificate["measures"]["ncp"][name] == pytest.approx(expected)


@pytest.mark.parametrize(
    "criterion",
    mostly_slow(["median", "median-left", "ncp", "foresight", "infogain"], "median", "infogain"),
)
def test_other_criteria_keep_to_the_nodes(con: duckdb.DuckDBPyConnection, criterion: str) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT (i * 37) % 61 AS age, ['p', 'q', 'r', NULL][1 + i % 4] AS part, "
        "i % 5 = 0 AS goal FROM range(300) r (i)"
    )
    groups = grouping({"low": ["p", "q"], "high": ["r"]})
    quasi = [Attribute("age", hierarchy="intervals:5,20"), Attribute("part", hierarchy=groups)]
    method = Mondrian(k=7, criterion=criterion)  # type: ignore[arg-type]
    ppdt_db.anonymize(con, "t", quasi=quasi, target="goal", method=method, into="r")
    found = bag(con, "r", ["age", "part"])
    assert min(found.values()) >= 7 and len(found) > 4
    assert {part for _, part in found} <= {"low", "high", "*", "p", "q", "r", None}


@examples(12)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([*(j[0] for j in JOBS), None])),
                min_size=6, max_size=30), st.sampled_from([0.2, 0.35, 0.5]))  # fmt: skip
def test_t_goes_by_the_hierarchy(rows: list[tuple], t: float) -> None:
    with duckdb.connect() as con:
        make(con, "jobs", JOBS, ["job", "field", "root"])
        con.execute("CREATE TABLE t (age INTEGER, job VARCHAR)")
        con.executemany("INSERT INTO t VALUES (?, ?)", rows)
        ppdt_db.anonymize(
            con, "t", quasi=["age"], sensitive=[Attribute("job", hierarchy="jobs")],
            method=Mondrian(k=2, t=t), into="r",
        )  # fmt: skip
        field = {job: field for job, field, _ in JOBS} | {None: None}
        whole = [job for _, job in rows]
        for age in {row[0] for row in bag(con, "r", ["age"])}:
            held = [job for shown, job in bag(con, "r", ["age", "job"]).elements() if shown == age]
            distances = []
            for level in ({job: job for job in field}, field):
                one, all_ = (Counter(level[j] for j in jobs) for jobs in (held, whole))
                distances.append(
                    sum(max(one[w] / len(held) - all_[w] / len(whole), 0) for w in all_)
                )
            assert sum(distances) / 2 <= t + 1e-9


def test_t_by_a_hierarchy_allows_what_equal_distances_forbid(
    con: duckdb.DuckDBPyConnection,
) -> None:
    make(con, "jobs", JOBS, ["job", "field", "root"])
    con.execute(
        "CREATE TABLE t AS SELECT i % 2 AS age, [['nurse', 'cook'], ['doctor', 'smith']]"
        "[1 + i % 2][1 + (i // 2) % 2] AS job FROM range(80) r (i)"
    )
    # Each class has one of the two jobs of each field: distance 1/2 of values, 0 of fields.
    for tree, n_classes in ((None, 1), ("jobs", 2)):
        made = ppdt_db.anonymize(
            con, "t", quasi=["age"], sensitive=[Attribute("job", hierarchy=tree)],
            method=Mondrian(k=5, t=0.25), into="r", replace=True,
        )  # fmt: skip
        assert made.certificate["classes"] == n_classes


FAULTY = {
    "values that are missing": ([("1", "*")], "2 values of the column are missing"),
    "leaves twice": (
        [("1", "a", "*"), ("1", "b", "*"), ("2", "a", "*"), ("3", "a", "*")], "1 leaves are listed",
    ),
    "several roots": ([("1", "*"), ("2", "+"), ("3", "*")], "it has 2 roots"),
    "several parents": (
        [("1", "a", "b", "*"), ("2", "a", "c", "*"), ("3", "c", "c", "*")],
        "1 nodes have two parents",
    ),
    "a circle": (
        [("1", "*", "a", "*"), ("2", "a", "a", "*"), ("3", "a", "a", "*")],
        "nodes have two parents",
    ),
    "nothing": ([], "it is empty"),
    "one column": ([("1",), ("2",)], "it has only one column"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTY)
def test_faults_are_told_as_counts(con: duckdb.DuckDBPyConnection, case: str) -> None:
    rows, message = FAULTY[case]
    columns = [f"l{i}" for i in range(len(rows[0]) if rows else 2)]
    con.execute(f"CREATE TABLE h ({', '.join(column + ' VARCHAR' for column in columns)})")
    if rows:
        con.executemany(f"INSERT INTO h VALUES ({', '.join('?' * len(columns))})", rows)
    con.execute("CREATE TABLE t AS SELECT unnest([1, 2, 3, NULL]) AS age, 1 AS extra")
    quasi = [Attribute("age", hierarchy="h"), Attribute("nobody")]
    with pytest.raises(RequestError) as caught:
        ppdt_db.anonymize(con, "t", quasi=quasi, method=Mondrian(k=2), into="r")
    text = str(caught.value)
    # All faults at once: also the column without a role and the one that is not there.
    assert message in text and '"extra": no role' in text and '"nobody"' in text


WRONG = {
    "lines of prefixes": ({"hierarchy": {"prefixes": ["a"]}}, "prefixes: give whole numbers"),
    "quantiles of text": ({"hierarchy": "quantiles:4"}, "quantiles need numbers"),
    "dates of text": ({"hierarchy": "dates:month"}, "dates need dates"),
    "widths": ({"hierarchy": {"intervals": [5, 7]}}, "multiple of the one before"),
    "a subquery": (
        {"hierarchy": {"a": "(SELECT 1)"}},
        'level "a" must be one deterministic SQL expression',
    ),
    "another column": ({"hierarchy": {"a": "upper(name)"}}, 'level "a" must be'),
    "chance": ({"hierarchy": {"a": "concat(sex, random())"}}, 'level "a" must be'),
    "an aggregate": ({"hierarchy": {"a": "max(sex)"}}, 'level "a" must be'),
    "an unknown function": ({"hierarchy": {"a": "nothing_like(sex)"}}, r"nothing_like\(\) is not"),
    "too few arguments": ({"hierarchy": {"a": "date_part(sex)"}}, "be read or computed"),
    "NULL words": ({"hierarchy": {"a": "nullif(sex, 'f')"}}, "1 values have no node"),
    "no file": ({"hierarchy": "nowhere/sex.csv"}, "no such file"),
    "a range": (
        {"hierarchy": "prefixes:1", "recode": "range"},
        "does not apply to a column with a hierarchy",
    ),
    "a node without one": ({"recode": "node"}, "node needs a hierarchy"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_wishes(con: duckdb.DuckDBPyConnection, case: str) -> None:
    wish, message = WRONG[case]
    con.execute(
        "CREATE TABLE t AS SELECT ['f', 'm'][1 + i % 2] AS sex, i AS name FROM range(9) r (i)"
    )
    quasi = [Attribute("sex", **wish)]  # type: ignore[arg-type]
    with pytest.raises(RequestError, match=message):
        ppdt_db.anonymize(con, "t", quasi=quasi, keep="rest", method=Mondrian(k=2), into="r")
    assert not con.execute("SELECT * FROM duckdb_views() WHERE view_name = 'r'").fetchall()


def test_methods_without_use_for_one_say_so(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT 'f' AS sex, 1 AS goal FROM range(9)")
    quasi = [Attribute("sex", hierarchy="prefixes:1")]
    with pytest.raises(RequestError, match="kactus does not support hierarchies"):
        ppdt_db.anonymize(
            con, "t", quasi=quasi, target="goal", method=ppdt_db.Kactus(k=2), into="r"
        )
    with pytest.raises(RequestError, match="relaxed Mondrian"):
        ppdt_db.anonymize(
            con, "t", quasi=quasi, keep="rest", method=Mondrian(k=2, relaxed=True), into="r"
        )


def test_commands(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        con.execute(
            f"COPY (SELECT (i * 7) % 40 AS age, lpad(((i * 13) % 90)::VARCHAR, 5, '8') AS zip "
            f"FROM range(200) r (i)) TO '{tmp_path}/t.parquet'"
        )
    source, tree = tmp_path / "t.parquet", tmp_path / "age.csv"
    build = ["hierarchy", "build", source, "intervals", "5", "20", "--column", "age", "--out", tree]
    assert "40 values" in ppdt(*build).out
    assert ppdt(*build).code == 2 and ppdt(*build, "--replace").code == 0
    checked = ppdt("hierarchy", "check", source, "--column", "age", "--hierarchy", tree)
    assert "40 values, 51 nodes, 3 levels" in checked.out
    shown = ppdt("hierarchy", "show", tree, "--depth", "1").out.splitlines()
    assert shown[0] == "*  (40 values, 40 rows)" and shown[1].startswith("├─ [0, 20)")
    wrong = ppdt("hierarchy", "check", source, "--column", "zip", "--hierarchy", tree)
    assert wrong.code == 2 and "values of the column are missing" in wrong.err
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"source: {source}\nquasi: [age, zip]\nk: 5\nout: {tmp_path}/r.csv\n"
        f"hierarchy:\n  age: {tree}\n  zip: {{prefixes: [4, 3]}}\n"
    )
    made = ppdt("anonymize", "--policy", policy, "--json")
    assert made.code == 0 and made.json["gcp"] is not None
    audited = ppdt(
        "audit", tmp_path / "r.csv", "--qi", "age,zip", "--original", source, "--json",
        "--hierarchy", f"age={tree}", "--hierarchy", "zip=prefixes:4,3", "--require", "k=5",
    )  # fmt: skip
    assert audited.code == 0
    assert audited.json["gcp"] == made.json["gcp"]


def test_a_live_view_shows_nodes(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 40 AS age FROM range(200) r (i)")
    made = ppdt_db.anonymize(
        con, "t", quasi=[Attribute("age", hierarchy="intervals:5,20")], method=Mondrian(k=20),
        into="r", live=True, accept=["state-by-state", "reader-side-channels"],
    )  # fmt: skip
    before = bag(con, "r")
    assert sum(before.values()) == 200 and all(age.startswith("[") for (age,) in before)
    con.execute("INSERT INTO t VALUES (3), (1000)")
    assert sum(bag(con, "r").values()) == 201
    assert made.certificate["policy"]["hierarchies"] == {"age": "intervals"}


def test_sensitive_columns_take_no_other_wish(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 4 AS age, 'a' AS job FROM range(20) r (i)")
    with pytest.raises(RequestError, match='sensitive "job": it is released unchanged'):
        ppdt_db.anonymize(con, "t", quasi=["age"], sensitive=[Attribute("job", "set")], into="r")
