"""Datafly: against a naive reading, a known answer, bad input, what a release must keep."""

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle.datafly import climbing, datafly, flat
from support import PATIENTS, anonymize_patients, bag, classes, faults, ppdt, read, smallest
from tables import Table, tables

import ppdt_db
from ppdt_db import Attribute, Datafly, RequestError
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.policy.hierarchy_specs import grouping, intervals


@given(table=tables(max_rows=30), k=st.integers(2, 4), data=st.data())
def test_the_release_is_the_oracles(table: Table, k: int, data: st.DataObject) -> None:
    n = table.n_rows
    told = data.draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n))
    people = data.draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    has_l = data.draw(st.booleans()) and len(set(told)) > 1
    has_people = data.draw(st.booleans()) and len(set(people)) >= k
    suppress = data.draw(st.sampled_from([0, 0.01, 0.1, 0.3, 0.29, 0.9]))
    ladders, quasi = [], []
    for column in table.columns:
        if column.type not in ("VARCHAR", "INTEGER") or data.draw(st.booleans()):
            ladders.append(flat(column.keys()))
            quasi.append(Attribute(column.name))
            continue
        has_null = data.draw(st.booleans())
        values = sorted({text for text in column.texts if text is not None or has_null}, key=str)
        assume(values)
        spots = data.draw(st.lists(st.integers(0, 3), min_size=6, max_size=6))
        paths = {v: [f"group {p}", f"large {p // 2}", "*"] for v, p in zip(values, spots)}  # noqa: B905
        named: dict[str, dict[str, list]] = {}
        for value, (inner, outer, _) in paths.items():
            named.setdefault(outer, {}).setdefault(inner, []).append(value)
        ladders.append(climbing(column.texts, paths))
        quasi.append(Attribute(column.name, hierarchy=grouping(named)))

    def allows(rows: list[int]) -> bool:
        is_large = len({people[r] for r in rows} if has_people else rows) >= k
        return is_large and len(rows) >= k and (not has_l or len({told[r] for r in rows}) > 1)

    levels, kept = datafly(ladders, allows, Fraction(str(suppress)))
    with duckdb.connect() as con:
        table.make(con)
        more = ", ".join(f"({i}, '{s}', {p})" for i, (s, p) in enumerate(zip(told, people)))  # noqa: B905
        con.execute(f"CREATE TABLE x AS FROM (VALUES {more}) AS v (rid, told, who)")
        con.execute("CREATE VIEW s AS SELECT t.*, told, who FROM t INNER JOIN x USING (rid)")
        release = ppdt_db.anonymize(
            con, "s", quasi=quasi, sensitive=["told"], into="o",
            keep=["rid"], **({"entity": "who"} if has_people else {"identifiers": ["who"]}),
            method=Datafly(k=k, l=2 if has_l else 1, suppress=suppress),
        )  # fmt: skip
        found = {row[-1]: row[:-1] for row in read(con, "o", [*table.names, "rid"])}
    assert sorted(found) == sorted(row for rows in kept for row in rows)
    assert release.certificate["rows_dropped"] == n - len(found)
    for number, ladder in enumerate(ladders):
        ours: dict[object, set[int]] = {}
        theirs: dict[object, set[int]] = {}
        for row, label in found.items():
            ours.setdefault(label[number], set()).add(row)
            theirs.setdefault(ladder[levels[number]][row], set()).add(row)
        assert sorted(map(sorted, ours.values())) == sorted(map(sorted, theirs.values()))


@pytest.fixture
def patients(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(PATIENTS)
    return con


ZIPS = Attribute("zip", hierarchy=intervals(4, 8))
ASKED = {"quasi": ["age", "sex", ZIPS]}
FLAGS = ["--qi", "age,sex,zip", "--id", "name", "--keep", "rest"]
LIVE = {"live": True, "accept": ["state-by-state", "reader-side-channels"]}


def test_a_known_answer(con: duckdb.DuckDBPyConnection) -> None:
    """By hand: six rows are alone at first; zip has more values than sex, so it climbs."""
    con.execute(
        "CREATE TABLE t AS FROM (VALUES ('1001', 'f'), ('1001', 'm'), ('1002', 'f'), ('1002', 'm'),"
        " ('1002', 'f'), ('2001', 'f'), ('2001', 'f'), ('2002', 'f'), ('2002', 'm'), (NULL, 'm'))"
        " AS v (zip, sex)"
    )
    made = {}
    for share in (0.3, 0.2, 0.0):
        release = ppdt_db.anonymize(
            con, "t", quasi=[Attribute("zip", hierarchy="prefixes:2"), "sex"], into="o",
            method=Datafly(k=2, suppress=share), replace=True, accept=["several-releases"],
        )  # fmt: skip
        made[share] = (release.certificate["levels"], bag(con, "o"))
    # A level up zip shows 10*, 20* and NULL: of 2002 the man, and NULL, are alone; these are two.
    of_prefixes = {("10*", ("f",)): 3, ("10*", ("m",)): 2, ("20*", ("f",)): 3}
    assert made[0.3] == made[0.2] == ({"zip": 1, "sex": 0}, of_prefixes)
    assert made[0.0] == ({"zip": 2, "sex": 0}, {("*", ("f",)): 6, ("*", ("m",)): 4})


def test_a_share_is_exact(con: duckdb.DuckDBPyConnection) -> None:
    """29 of 100 rows are not more than 0.29 of them, whatever 0.29 is as a binary number."""
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i < 71 THEN -1 ELSE i END AS x FROM range(100) r (i)"
    )
    release = ppdt_db.anonymize(con, "t", quasi=["x"], method=Datafly(suppress=0.29), into="o")
    assert release.certificate["rows_dropped"] == 29 and bag(con, "o") == {("-1",): 71}


def test_a_branch_of_one_value_waits_for_no_level(con: duckdb.DuckDBPyConnection) -> None:
    """62 and 75 are alone in their tens: a level up they show themselves, not [60, 80)."""
    con.execute("CREATE TABLE t AS SELECT unnest([21, 22, 23, 62, 62, 62, 75, 75, 75]) AS age")
    release = ppdt_db.anonymize(
        con, "t", quasi=[Attribute("age", hierarchy=intervals(10, 20))], into="o",
        method=Datafly(k=3, suppress=0),
    )  # fmt: skip
    assert release.certificate["levels"] == {"age": 1}
    assert bag(con, "o") == {("[20, 30)",): 3, ("62",): 3, ("75",): 3}


@pytest.mark.parametrize("shape", ["range", "set", "bounds"])
def test_nothing_is_shown_of_values_that_only_dropped_rows_had(con, shape: str) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT i % 40 AS x, CASE WHEN i = 0 THEN 'rare' ELSE 'a' END AS y,"
        " CASE WHEN i = 0 THEN 999 ELSE i % 41 END AS z FROM range(200) r (i)"
    )
    quasi = [Attribute("x", shape), "y", Attribute("z", shape)]
    release = ppdt_db.anonymize(con, "t", quasi=quasi, method=Datafly(k=5), into="o")
    assert release.certificate["rows_dropped"] == 1
    assert "rare" not in str(bag(con, "o")) and "999" not in str(bag(con, "o"))


def test_one_recoding_holds_for_the_whole_table(patients) -> None:
    release = anonymize_patients(patients, method=Datafly(k=5, suppress=0.1), **ASKED)
    assert smallest(patients, "patients_k5", ["age", "sex", "zip"]) >= 5
    certificate = release.certificate
    assert certificate["k_measured"] >= 5 and certificate["guarantee"] == "k-anonymity"
    assert certificate["rows_dropped"] <= 20
    assert certificate["rows_in"] - certificate["rows_out"] == certificate["rows_dropped"]
    joined = "patients INNER JOIN patients_k5 AS shown USING (number)"
    for column in ("age", "sex", "zip"):
        labels = read(
            patients, f"(SELECT DISTINCT patients.{column}, shown.{column} FROM {joined})"
        )
        assert len(labels) == len({value for value, _ in labels}), column


def test_other_terms_of_the_guard_are_kept(patients) -> None:
    method = Datafly(k=4, l=2, t=0.5, suppress=0)
    release = anonymize_patients(
        patients,
        method=method,
        entity="number",
        keep=["readmitted"],
        **{**ASKED, "sensitive": ["diagnosis"]},
    )
    assert release.certificate["k_measured"] >= 4 and release.certificate["rows_dropped"] == 0
    groups = classes(read(patients, "patients_k5", ["age", "sex", "zip", "diagnosis"]), 3)
    assert min(len({told for (told,) in rows}) for rows in groups.values()) >= 2


def test_the_release_is_the_same_whatever_the_order_and_the_threads(patients) -> None:
    patients.execute("CREATE TABLE other AS FROM patients ORDER BY number * 7919 % 200")
    found = []
    for source, threads in (("patients", 1), ("other", 2)):
        patients.execute(f"SET threads = {threads}")
        method = Datafly(k=3, suppress=0.1)
        anonymize_patients(patients, source, method=method, into=f"by_{source}", seed=1, **ASKED)
        found.append(bag(patients, f"by_{source}"))
    assert found[0] == found[1]


@pytest.mark.slow
def test_test_rows_are_mapped_through_the_recoding(patients) -> None:
    privacy = Privacy(method=Datafly(k=5), quasi=["age", "sex", ZIPS])
    found = ppdt_db.evaluate(patients, "patients", target="readmitted", cv="2", privacy=privacy)
    assert sum(fold.n_rows for fold in found.folds) == 200


def test_a_live_view_follows_the_source(patients) -> None:
    anonymize_patients(patients, method=Datafly(k=5, suppress=0.1), **LIVE, **ASKED)
    before = bag(patients, "patients_k5")
    patients.execute("DELETE FROM patients WHERE number = 7")
    after = bag(patients, "patients_k5")
    assert after <= before
    assert smallest(patients, "patients_k5", ["age", "sex", "zip"]) >= 5


def test_bad_requests(clinic: Path) -> None:
    base = ["patients", "--db", clinic, *FLAGS, "--into", "o"]
    told = faults(clinic, *base, "--method", "datafly", "--suppress", "1", "--recode", "age=mean")
    assert "suppress=1: must be at least 0 and below 1." in told
    assert 'recode "age": mean differs from class to class' in told
    told = faults(clinic, *base, "--suppress", "0.1")
    assert "--suppress does not apply to method mondrian; remove it." in told
    told = faults(clinic, *base, "--method", "datafly", "--k", "500")
    assert "k=500" in told


def test_what_compares_with_the_whole_release_drops_no_row(patients) -> None:
    with pytest.raises(RequestError, match="every row that datafly drops"):
        anonymize_patients(patients, method=Datafly(k=4, t=0.5), **ASKED)


def test_the_command_line_and_a_policy(clinic: Path, tmp_path: Path) -> None:
    ended = ppdt(
        "anonymize", "patients", "--db", clinic, *FLAGS, "--method", "datafly", "--k", "5",
        "--suppress", "0.1", "--hierarchy", "zip=intervals:4,8", "--into", "o", "--seed", "1",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"source: patients\ndb: {clinic}\nidentifiers: [name]\nquasi: [age, sex, zip]\n"
        "keep: rest\nmethod: datafly\nk: 5\nsuppress: 0.1\nhierarchy: {zip: 'intervals:4,8'}\n"
        "into: p\nseed: 1\naccept: [several-releases]\n"
    )
    ended = ppdt("anonymize", "--policy", policy)
    assert ended.code == 0, ended.err
    with duckdb.connect(str(clinic), read_only=True) as con:
        assert smallest(con, "o", ["age", "sex", "zip"]) >= 5
        assert bag(con, "o") == bag(con, "p")
