"""Microaggregation: clusters against naive Python, what a release keeps, what is refused."""

import random
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.micro import Space, mdav
from oracle.micro_growing import mdav2k, vmdav
from support import PATIENTS, anonymize_patients, examples, mostly_slow, ppdt, smallest

import ppdt_db
from ppdt_db.cli.policy_file import read_policy
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.encode.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.methods import METHODS, Mdav, Mdav2k, Microaggregate, Mict, Vmdav
from ppdt_db.methods.algorithms.cluster import Clustering
from ppdt_db.methods.algorithms.distance import DistanceMeasure, make_axes
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard
from ppdt_db.policy.roles import Attribute, Roles
from ppdt_db.source.source import opened, stage

NUMBERS = st.one_of(st.none(), st.integers(0, 6))
WORDS = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))
ROWS = st.lists(st.tuples(NUMBERS, WORDS, NUMBERS, WORDS), min_size=2, max_size=26)
QUASI = ["a number", 'a "word', "other", "select"]


def clustered(rows: list[tuple], form: str, k: int, gain: float) -> tuple[Space, set, float]:
    """The rows in the order of their keys, the classes of the product, and its SSE."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (n INTEGER, w VARCHAR, o DOUBLE, s VARCHAR)")
        con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
        names = ", ".join('"' + q.replace('"', '""') + '"' for q in QUASI)
        con.execute(f"CREATE TABLE named ({names}) AS SELECT * FROM t")
        engine = DuckEngine(con)
        roles = Roles(
            quasi=[Attribute(name) for name in QUASI], sensitive=[], target=None, dropped=[],
            pseudonymized=[], entity=None, kept=[],
        )  # fmt: skip
        with opened(engine, "named") as found:
            read = stage(engine, found)
            encoded = encode(engine, read, roles, EncodeOptions(row_ids=True), {"run_key": "a"})
        task = Task(engine=engine, encoded=encoded, run_key="a")
        axes = make_axes(engine, encoded, DistanceMeasure())
        engine.make("methods/microaggregate/whole", to="ppdt_coarse")
        clustering = Clustering(task, axes, Guard(k=k), form, gain)  # type: ignore[arg-type]
        clustering.run()
        loss = clustering.loss()
        members = con.execute("SELECT class_id, row_id FROM ppdt_member").fetchall()
        assert len(members) == len(rows)
        keyed = con.execute(
            "SELECT c0.value, c1.value, c2.value, c3.value FROM ppdt_row "
            "JOIN ppdt_cell USING (cell_id) "
            "JOIN ppdt_code_0 AS c0 ON c0.code = q0 JOIN ppdt_code_1 AS c1 ON c1.code = q1 "
            "JOIN ppdt_code_2 AS c2 ON c2.code = q2 JOIN ppdt_code_3 AS c3 ON c3.code = q3 "
            "ORDER BY row_id"
        ).fetchall()
        classes: dict[int, list[int]] = {}
        for class_id, row_id in members:
            classes.setdefault(class_id, []).append(row_id - 1)
        sizes = [len(ids) for ids in classes.values()]
        assert k <= min(sizes) and max(sizes) <= 2 * k - 1
    space = Space(keyed, [True, False, True, False])
    return space, {frozenset(ids) for ids in classes.values()}, loss.sse


@examples(25)
@given(rows=ROWS, k=st.integers(2, 4))
def test_mdav_is_the_naive_one(rows: list[tuple], k: int) -> None:
    if len(rows) < k:
        return
    space, found, sse = clustered(rows, "mdav", k, 0.0)
    expected = mdav(space, list(range(len(rows))), k)
    assert found == {frozenset(ids) for ids in expected}
    assert sse == pytest.approx(space.loss(expected), abs=1e-6)


@examples(15)
@given(rows=ROWS, k=st.integers(2, 4), gain=st.sampled_from([0.2003, 1.1007]))
def test_vmdav_is_the_naive_one(rows: list[tuple], k: int, gain: float) -> None:
    if len(rows) < k:
        return
    space, found, _ = clustered(rows, "vmdav", k, gain)
    assert found == {frozenset(ids) for ids in vmdav(space, list(range(len(rows))), k, gain)}


@examples(15)
@given(rows=ROWS, k=st.integers(2, 4), gain=st.sampled_from([0.2003, 1.1007]))
def test_mdav2k_is_the_naive_one(rows: list[tuple], k: int, gain: float) -> None:
    if len(rows) < k:
        return
    space, found, _ = clustered(rows, "mdav2k", k, gain)
    assert found == {frozenset(ids) for ids in mdav2k(space, list(range(len(rows))), k, gain)}


@pytest.mark.slow
def test_growing_loses_no_more_in_clear_clusters() -> None:
    """Over twenty sets of clusters of k to 2k - 1 rows, with the factor for clustered data."""
    k, losses = 3, {"mdav": 0.0, "vmdav": 0.0, "mdav2k": 0.0}
    for seed in range(20):
        chance = random.Random(seed)
        rows: list[tuple] = []
        for _ in range(5):
            x, y = chance.uniform(0, 10_000), chance.uniform(0, 10_000)
            rows += [
                (round(chance.gauss(x, 90)), None, round(chance.gauss(y, 90)), None)
                for _ in range(chance.randint(k, 2 * k - 1))
            ]
        for form in losses:
            losses[form] += clustered(rows, form, k, 1.1)[2]
    assert max(losses["vmdav"], losses["mdav2k"]) <= losses["mdav"]


METHODS_HERE = [
    Mdav(k=5), Vmdav(k=5, gain=1.1), Mdav2k(k=5, gain=1.1), Microaggregate(k=5, part_rows=50),
    Mict(k=5), Mdav(k=5, l=3), Microaggregate(k=5, l=3, part_rows=50), Mict(k=5, l=3),
    Mdav(k=5, t=0.3),
]  # fmt: skip


@pytest.mark.parametrize("method", mostly_slow(METHODS_HERE, *METHODS_HERE[::8]), ids=str)
def test_a_release_keeps_its_promise(con: duckdb.DuckDBPyConnection, method: Mdav) -> None:
    con.execute(PATIENTS)
    made = anonymize_patients(con, method=method, target="readmitted").certificate
    assert smallest(con, "patients_k5", ["age", "sex", "zip"]) >= 5
    assert made["rows_dropped"] == 0
    assert 0 < made["sse"] <= made["sst"]
    assert made["il"] == pytest.approx(100 * made["sse"] / made["sst"])


def test_an_entity_counts_once(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE TABLE visits AS SELECT * REPLACE (number // 3 AS number) FROM patients")
    made = anonymize_patients(con, "visits", method=Mdav(k=4), entity="number").certificate
    assert made["k_counts"] == "distinct entities" and made["k_measured"] >= 4


def test_constant_columns_do_not_divide_by_zero(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT 7 AS a, 'x' AS b, NULL::INTEGER AS c FROM range(12)")
    for name in ("mdav", "vmdav", "mdav2k", "microaggregate"):
        made = ppdt_db.anonymize(
            con, "t", quasi=["a", "b", "c"], method=METHODS[name](k=3), into=name
        ).figures
        assert (made["sse"], made["sst"], made["il"]) == (0, 0, 0)


@pytest.mark.slow
def test_the_order_of_rows_and_threads_do_not_matter(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE TABLE turned AS FROM patients ORDER BY number DESC")
    found = []
    for source, n_threads in (("patients", 1), ("turned", 2)):
        con.execute(f"SET threads = {n_threads}")
        anonymize_patients(con, source, method=Mdav2k(k=5, gain=1.1), seed=3, replace=True)
        found.append(con.execute("FROM patients_k5 ORDER BY ALL").fetchall())
    assert found[0] == found[1]


def test_bad_requests_name_all_faults(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    wrong = Vmdav(k=500, scale="log", gamma=-1.0, gain=-1.0, weight={"agee": 1.0, "zip": -2.0})  # type: ignore[arg-type]
    with pytest.raises(ppdt_db.RequestError) as error:
        anonymize_patients(con, method=wrong, quasi=["age", "sex", Attribute("zip", "range")])
    text = str(error.value)
    for part in ("scale log", "gamma=-1", "gain=-1", '"agee"', '"zip"=-2', 'recode "zip"', "k=500"):
        assert part in text


def test_a_policy_file_gives_weights(tmp_path: object) -> None:
    policy = f"{tmp_path}/p.yaml"
    wishes = "source: nowhere.csv\nquasi: [age]\nmethod: mdav\nweight:\n  age: {}\n"
    for text, is_fine in (("2.5", True), ("[1]", False)):
        Path(policy).write_text(wishes.format(text), "utf-8")
        if is_fine:
            assert read_policy(Path(policy)).make_method().parameters["weight"] == {"age": 2.5}
        else:
            with pytest.raises(ppdt_db.RequestError, match='"weight" must be'):
                read_policy(Path(policy))


def test_from_the_command_line(tmp_path: object) -> None:
    path = f"{tmp_path}/p.csv"
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        con.execute(f"COPY (SELECT age, sex, zip FROM patients) TO '{path}'")
    out = f"{tmp_path}/o.csv"
    asked = [path, "--qi", "age,sex,zip", "--k", "4", "--out", out, "--json", "--replace"]
    ended = ppdt("anonymize", *asked, "--method", "mdav", "--weight", "age=2", "--gamma", "0.5")
    assert ended.code == 0, ended.err
    assert ended.json["parameters"]["weight"] == {"age": 2.0}
    assert ppdt("anonymize", *asked, "--method", "mdav", "--weight", "age=x").code == 2
    assert ppdt("anonymize", *asked, "--method", "mdav", "--gain", "2").code == 2


@pytest.mark.parametrize("scale", mostly_slow(["deviation", "range", "none"], "deviation"))
@pytest.mark.parametrize("largest", ["5e-324", "1e-300", "1e300", "1.7e308"])
def test_magnitudes_at_the_ends_of_floats(
    con: duckdb.DuckDBPyConnection, scale: str, largest: str
) -> None:
    con.execute(
        f"CREATE TABLE t AS SELECT CASE WHEN i % 2 = 0 THEN '{largest}'::DOUBLE END AS x "
        f"FROM range(20) AS r (i) UNION ALL SELECT '-{largest}'::DOUBLE * 0.5 FROM range(10)"
    )
    method = Mdav(k=5, scale=scale)  # type: ignore[arg-type]
    if scale == "none" and float(largest) > 1:
        with pytest.raises(ppdt_db.RequestError, match="too large"):
            ppdt_db.anonymize(con, "t", quasi=["x"], method=method, into="o")
        return
    ppdt_db.anonymize(con, "t", quasi=["x"], method=method, into="o")
    assert smallest(con, "o", ["x"]) >= 5
    if largest == "1e-300" and scale == "range":
        means = con.sql("SELECT DISTINCT x FROM o WHERE x IS NOT NULL ORDER BY x").fetchall()
        assert [mean for (mean,) in means] == pytest.approx([-5e-301, 1e-300], rel=1e-12, abs=0)
