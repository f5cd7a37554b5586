"""TDS and TDR: against a naive reading, bad input, what a release must keep."""

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle.hierarchy import node_sets
from oracle.specialize import HIDDEN, Axis, shown, specialize
from support import (
    PATIENTS,
    anonymize_patients,
    bag,
    classes,
    faults,
    mostly_slow,
    ppdt,
    read,
    smallest,
)
from tables import Column, Table, tables

import ppdt_db
from ppdt_db import Attribute, Tdr, Tds
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.experiments.kactus_data import attributes, takes_hierarchies
from ppdt_db.policy.hierarchy_specs import Grouping, grouping, intervals

METHODS = {"tds": Tds, "tdr": Tdr}
SCORES = {
    "tds": lambda gain, loss: gain / loss if loss else gain,
    "tdr": lambda gain, loss: gain / (loss + 1),
}


def grouped(column: Column, places: Sequence[int]) -> tuple[Grouping, frozenset, list[int]]:
    """A hierarchy of a column; its nodes as codes in depth-first order, and each row's code."""
    order = dict(sorted(zip(column.keys(), column.texts, strict=True)))
    values = list(order.values())
    spread = dict(zip(values, places, strict=False))
    rows = [(v, f"group {p}", f"large {p // 2}", "*") for v, p in spread.items()]
    named: dict[str, dict[str, list]] = {}
    for value, inner, outer, _ in rows:
        named.setdefault(outer, {}).setdefault(inner, []).append(value)
    sets = list(node_sets(rows, values))

    def depth_first(node: frozenset) -> list:
        inside = [other for other in sets if other < node]
        largest = [o for o in inside if not any(o < other for other in inside)]
        largest.sort(key=lambda child: min(map(values.index, child)))
        return [v for child in largest for v in depth_first(child)] or list(node)

    code_of = {value: code for code, value in enumerate(depth_first(frozenset(values)))}
    nodes = frozenset(frozenset(code_of[value] for value in held) for held in sets)
    return grouping(named), nodes, [code_of[text] for text in column.texts]


def axis_of(column: Column, places: Sequence[int] | None) -> tuple[Axis, object]:
    if places is not None:
        tree, nodes, codes = grouped(column, places)
        return Axis(codes, nodes), Attribute(column.name, hierarchy=tree)
    keys = column.keys()
    order = sorted(set(keys))
    codes = [order.index(key) for key in keys]
    if column.is_ordered:
        return Axis(codes, None), column.name
    single = {frozenset({code}) for code in codes}
    return Axis(codes, frozenset({frozenset(codes), *single})), column.name


@pytest.mark.parametrize("name", METHODS)
@given(table=tables(max_rows=30), k=st.integers(2, 4), data=st.data())
def test_the_recoding_is_the_oracles(name: str, table: Table, k: int, data: st.DataObject) -> None:
    n = table.n_rows
    targets = data.draw(st.lists(st.sampled_from(["x", "y", "y", "z"]), min_size=n, max_size=n))
    ls = data.draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n))
    assume(len(set(targets)) > 1)
    has_l = data.draw(st.booleans()) and len(set(ls)) > 1
    axes, quasi, roots = [], [], []
    for column in table.columns:
        places = None
        if column.type in ("VARCHAR", "INTEGER") and data.draw(st.booleans()):
            places = data.draw(st.lists(st.integers(0, 3), min_size=5, max_size=5))
        axis, wish = axis_of(column, places)
        is_hidden = name == "tdr" and not column.is_ordered and places is None
        axes.append(axis)
        quasi.append(wish)
        roots.append(frozenset({*axis.codes, *([HIDDEN] if is_hidden else [])}))

    def allows(rows: list[int]) -> bool:
        return len(rows) >= k and (not has_l or len({ls[r] for r in rows}) > 1)

    cuts = specialize(axes, roots, targets, allows, SCORES[name])
    with duckdb.connect() as con:
        table.make(con)
        more = ", ".join(f"({i}, '{y}', '{s}')" for i, (y, s) in enumerate(zip(targets, ls)))  # noqa: B905
        con.execute(f"CREATE TABLE x AS FROM (VALUES {more}) AS v (rid, goal, told)")
        con.execute("CREATE VIEW s AS SELECT t.*, goal, told FROM t INNER JOIN x USING (rid)")
        ppdt_db.anonymize(
            con, "s", quasi=quasi, target="goal", sensitive=["told"], keep=["rid"], into="o",
            method=METHODS[name](k=k, l=2 if has_l else 1),
        )  # fmt: skip
        found = {row[-1]: row[:-1] for row in read(con, "o", [*table.names, "rid"])}
    for number, column in enumerate(table.columns):
        ours: dict[object, set[int]] = {}
        theirs: dict[object, set[int]] = {}
        for row in range(n):
            group = shown(axes, cuts, row)[number]
            hides = HIDDEN in group or (HIDDEN in roots[number] and column.texts[row] is None)
            theirs.setdefault(None if hides else group, set()).add(row)
            ours.setdefault(found[row][number], set()).add(row)
        assert sorted(map(sorted, ours.values())) == sorted(map(sorted, theirs.values()))


@pytest.fixture
def patients(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(PATIENTS)
    return con


ZIPS = Attribute("zip", hierarchy=intervals(4, 8))
ASKED = {"quasi": ["age", "sex", ZIPS], "target": "readmitted"}
FLAGS = ["--qi", "age,sex,zip", "--id", "name", "--keep", "rest"]


@pytest.mark.parametrize("name", METHODS)
def test_one_recoding_holds_for_the_whole_table(name: str, patients) -> None:
    release = anonymize_patients(patients, method=METHODS[name](k=5), **ASKED)
    assert smallest(patients, "patients_k5", ["age", "sex", "zip"]) >= 5
    certificate = release.certificate
    assert certificate["k_measured"] >= 5 and certificate["guarantee"] == "k-anonymity"
    joined = "patients INNER JOIN patients_k5 AS shown USING (number)"
    for column in ("age", "sex", "zip"):
        labels = read(
            patients, f"(SELECT DISTINCT patients.{column}, shown.{column} FROM {joined})"
        )
        assert len(labels) == len({value for value, _ in labels}), column
        assert certificate["cuts"][column] == len({label for _, label in labels})
    assert certificate["steps"] > 0


@pytest.mark.parametrize("name", METHODS)
def test_other_terms_of_the_guard_are_kept(name: str, patients) -> None:
    method = METHODS[name](k=4, l=2, t=0.5)
    release = anonymize_patients(patients, method=method, entity="number", keep=[], **{
        **ASKED, "sensitive": ["diagnosis"],
    })  # fmt: skip
    assert release.certificate["k_measured"] >= 4
    groups = classes(read(patients, "patients_k5", ["age", "sex", "zip", "diagnosis"]), 3)
    assert min(len({told for (told,) in rows}) for rows in groups.values()) >= 2


def test_without_a_hierarchy_values_are_disclosed_at_once_or_one_by_one(con) -> None:
    """a alone has enough rows: TDR tells it and suppresses the others; TDS tells all or none."""
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i < 5 THEN 'a' WHEN i < 7 THEN 'b' "
        "WHEN i < 9 THEN NULL ELSE 'c' END AS x, i < 5 AS y FROM range(10) AS r (i)"
    )
    for method in (Tds(k=5), Tdr(k=5)):
        ppdt_db.anonymize(con, "t", quasi=["x"], target="y", keep="rest", method=method,
                          into=method.name)  # fmt: skip
    assert bag(con, "tds") == {((None, "a", "b", "c"), True): 5, ((None, "a", "b", "c"), False): 5}
    assert bag(con, "tdr") == {("a", True): 5, (None, False): 5}


def test_numbers_are_cut_where_the_target_gains_most(con) -> None:
    """NULL lies below all numbers; 6 | 4 tells everything, and nothing more keeps k = 4."""
    con.execute("CREATE TABLE t AS SELECT nullif(i, 0) AS x, i < 6 AS y FROM range(10) AS r (i)")
    ppdt_db.anonymize(con, "t", quasi=["x"], target="y", keep="rest", method=Tds(k=4), into="o")
    assert bag(con, "o") == {("[1, 5] or NULL", True): 6, ("[6, 9]", False): 4}


def test_the_score_weighs_gain_against_the_loss_of_anonymity(con) -> None:
    """Cutting a gains more but leaves 2 rows; b costs nothing against the smallest of 2 then."""
    con.execute(
        "CREATE TABLE t AS SELECT i < 2 AS a, i < 10 AS b, i < 2 OR i = 9 AS y FROM range(20) r (i)"
    )
    for method, steps in ((Tds(k=10), {"a": 1, "b": 2}), (Tds(k=2), {"a": 2, "b": 2})):
        release = ppdt_db.anonymize(
            con, "t", quasi=["a", "b"], target="y", keep="rest", method=method, into="o",
            replace=True,
        )  # fmt: skip
        assert release.certificate["cuts"] == steps


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_the_release_is_the_same_whatever_the_order_and_the_threads(name: str, con) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE TABLE other AS FROM patients ORDER BY number * 7919 % 200")
    found = []
    for source, threads in (("patients", 1), ("other", 2)):
        con.execute(f"SET threads = {threads}")
        anonymize_patients(
            con, source, method=METHODS[name](k=3), into=f"by_{source}", seed=1, **ASKED
        )
        found.append(bag(con, f"by_{source}"))
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(METHODS, "tdr"))
def test_test_rows_are_mapped_through_the_recoding(name: str, patients) -> None:
    """One label for each value is what mapping asks for; mapped rows meet labels of the release."""
    privacy = Privacy(method=METHODS[name](k=5), quasi=["age", "sex", ZIPS])
    found = ppdt_db.evaluate(patients, "patients", target="readmitted", cv="2", privacy=privacy)
    assert sum(fold.n_rows for fold in found.folds) == 200


def test_bad_requests(clinic: Path) -> None:
    base = ["patients", "--db", clinic, *FLAGS, "--into", "o"]
    told = faults(clinic, *base, "--method", "tds")
    assert "tds needs a target (--target)" in told
    told = faults(clinic, *base, "--method", "tdr", "--target", "readmitted", "--recode", "sex=set",
                  "--recode", "age=mean")  # fmt: skip
    assert 'recode "sex": tdr shows its value or null' in told
    assert 'recode "age": mean differs from class to class' in told
    told = faults(clinic, *base, "--method", "tds", "--target", "readmitted", "--k", "500")
    assert "k=500" in told


def test_a_target_must_tell_something(con) -> None:
    con.execute("CREATE TABLE t AS SELECT i AS x, 1 AS y, i AS z FROM range(1500) AS r (i)")
    for target, words in (("y", "one value in the whole table"), ("z", "too many classes")):
        with pytest.raises(ppdt_db.RequestError, match=words):
            ppdt_db.anonymize(
                con, "t", quasi=["x"], target=target, keep="rest", method=Tds(), into="o"
            )


def test_the_command_line(clinic: Path) -> None:
    ended = ppdt(
        "anonymize", "patients", "--db", clinic, *FLAGS, "--method", "tdr", "--k", "5",
        "--target", "readmitted", "--hierarchy", "zip=intervals:4,8", "--into", "o",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    with duckdb.connect(str(clinic), read_only=True) as con:
        assert smallest(con, "o", ["age", "sex", "zip"]) >= 5


@pytest.mark.parametrize("name", METHODS)
def test_a_live_view_follows_the_source(name: str, patients) -> None:
    anonymize_patients(
        patients,
        method=METHODS[name](k=5),
        live=True,
        accept=["state-by-state", "reader-side-channels"],
        **ASKED,
    )
    before = bag(patients, "patients_k5")
    patients.execute("DELETE FROM patients WHERE number = 7")
    after = bag(patients, "patients_k5")
    assert after <= before and sum((before - after).values()) >= 1
    assert smallest(patients, "patients_k5", ["age", "sex", "zip"]) >= 5


def test_hierarchies_of_the_bench_are_those_of_the_folder(tmp_path: Path) -> None:
    columns = {"age": "BIGINT", "sex": "VARCHAR"}
    assert takes_hierarchies(3, "tds") and not takes_hierarchies(4, "tds")
    assert not takes_hierarchies(3, "kactus")
    with pytest.raises(ppdt_db.RequestError, match=r"no file hierarchies/adult/sex\.csv"):
        attributes(tmp_path, "adult", list(columns), columns)
    path = tmp_path / "hierarchies" / "adult" / "sex.csv"
    path.parent.mkdir(parents=True)
    path.write_text("leaf,root\nf,*\n")
    found = attributes(tmp_path, "adult", list(columns), columns)
    assert found == [Attribute("age"), Attribute("sex", hierarchy=path)]
