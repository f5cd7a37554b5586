"""The groups of one number that lose least: against every division there is; what is refused."""

import math
import random

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.line import least
from support import PATIENTS, anonymize_patients, examples, ppdt, smallest

import ppdt_db
from ppdt_db.methods import Mdav, Univariate
from ppdt_db.methods.algorithms.univariate import BITS, make_scale

NUMBERS = st.one_of(st.none(), st.integers(-9, 9), st.sampled_from([-1000, 500, 100_000]))


def released(rows: list, k: int, type_name: str = "INTEGER") -> tuple[list[tuple], dict]:
    """What a release shows, and its certificate; losses are in the numbers' own unit."""
    with duckdb.connect() as con:
        con.execute(f'CREATE TABLE t ("the ""number" {type_name})')
        con.executemany("INSERT INTO t VALUES (?)", [(row,) for row in rows])
        made = ppdt_db.anonymize(
            con, "t", quasi=['the "number'], method=Univariate(k=k, scale="none"), into="o", seed=1
        )
        shown = con.execute('SELECT "the ""number", count(*) FROM o GROUP BY 1 ORDER BY 1')
        # No certificate tells the losses of so few rows: their owner may know them.
        return shown.fetchall(), {**made.certificate, **made.figures}


@examples(20)
@given(rows=st.lists(NUMBERS, min_size=2, max_size=15), k=st.integers(2, 4))
def test_no_division_loses_less(rows: list[int | None], k: int) -> None:
    if len(rows) < k:
        return
    shown, made = released(rows, k)
    assert made["sse"] == pytest.approx(float(least(rows, k)), rel=1e-9, abs=1e-6)
    assert min(n_rows for _, n_rows in shown) >= k and made["k_measured"] >= k


@pytest.mark.parametrize(("n_rows", "k"), [(97, 3), (128, 4), (150, 7), (64, 33)])
def test_longer_lines_over_many_levels(n_rows: int, k: int) -> None:
    """A plain loop over the nodes in order, with whole sums."""
    chance = random.Random(n_rows)
    values = sorted(
        chance.choice([chance.randrange(50), chance.randrange(5000)]) for _ in range(n_rows)
    )
    best = [0.0] + [math.inf] * n_rows
    for node in range(k, n_rows + 1):
        for first in range(max(0, node - 2 * k + 1), node - k + 1):
            group = values[first:node]
            off = (len(group) * sum(v * v for v in group) - sum(group) ** 2) / len(group)
            best[node] = min(best[node], best[first] + off)
    shown, made = released(values, k)
    assert made["sse"] == pytest.approx(best[-1], abs=1e-6)
    assert sum(count for _, count in shown) == n_rows


def test_the_known_optimum_that_fixed_sizes_miss() -> None:
    """Two near rows at either end and three in the middle: sizes 2, 3, 2, not 2, 2, 3."""
    shown, made = released([1, 2, 50, 51, 52, 99, 100], 2)
    assert shown == [(1.5, 2), (51.0, 3), (99.5, 2)] and made["sse"] == 3.0


def test_what_is_no_finite_number() -> None:
    odd = [math.nan, math.inf, None, -math.inf]
    near = [1.0, 1.5, 2.0, 7.0, 7.5, 8.0]
    apart, _ = released([*near, *odd], 3, "DOUBLE")
    assert [n_rows for _, n_rows in apart] == [3, 3, 4]
    joined, _ = released([*near, None, math.nan], 3, "DOUBLE")
    assert sorted(n_rows for _, n_rows in joined) == [3, 5]
    alone, _ = released([1.0, 2.0, *odd], 3, "DOUBLE")
    assert [n_rows for _, n_rows in alone] == [6]
    nothing, made = released([None] * 5, 3, "DOUBLE")
    assert nothing == [(None, 5)] and made["il"] == 0


@pytest.mark.parametrize("type_name", ["BIGINT", "DECIMAL(12, 2)", "DOUBLE", "HUGEINT"])
def test_wide_numbers(type_name: str) -> None:
    """Two clear clusters, farther apart than sums of squares may count in 128 bits unscaled."""
    far = 10**9 if type_name.startswith("DECIMAL") else 2**60
    shown, made = released([0, 1, 2, far, far, far + 1], 3, type_name)
    assert [n_rows for _, n_rows in shown] == [3, 3]
    assert 0 <= made["il"] < 1e-6


def test_longer_steps_where_sums_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppdt_db.methods.algorithms.univariate.BITS", 40)
    far = 2**40
    rows = [0, 1, 2, far, far + 1, far + 2, 3 * far, 3 * far, 3 * far]
    shown, _ = released(rows, 3, "BIGINT")
    assert make_scale(9, 3, float(3 * far)).shift > 20
    assert shown == [(1, 3), (far + 1, 3), (3 * far, 3)]


@given(
    n_rows=st.integers(1, 10**9), k=st.integers(2, 10**4), span=st.integers(0, 2**50 - 1)
)  # fmt: skip
def test_no_sum_leaves_what_it_is_kept_in(n_rows: int, k: int, span: int) -> None:
    ruler = make_scale(n_rows, k, float(span))
    steps = span >> ruler.shift
    assert n_rows * steps**2 * ruler.fine * (ruler.mask + 1) < 2**BITS
    group = min(n_rows, 2 * k - 1)
    assert group**2 * steps**2 * ruler.fine < 2**127 and ruler.mask >= 2 * k - 2


MODELS = [Univariate(k=5), Univariate(k=5, l=3), Univariate(k=4, t=0.3), Univariate(k=3, l=2)]


@pytest.mark.parametrize("method", MODELS, ids=str)
def test_a_release_keeps_its_promise(con: duckdb.DuckDBPyConnection, method: Univariate) -> None:
    con.execute(PATIENTS)
    made = anonymize_patients(con, method=method, quasi=["age"], keep="rest").certificate
    assert smallest(con, "patients_k5", ["age"]) >= method.k
    assert made["rows_dropped"] == 0 and 0 <= made["sse"] <= made["sst"]


def test_an_entity_counts_once(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE TABLE visits AS SELECT * REPLACE (number // 3 AS number) FROM patients")
    made = anonymize_patients(
        con, "visits", method=Univariate(k=4), quasi=["age"], entity="number", keep="rest"
    ).certificate
    assert made["k_counts"] == "distinct entities" and made["k_measured"] >= 4


def test_it_loses_no_more_than_mdav(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    losses = [
        anonymize_patients(con, method=method, quasi=["zip"], keep="rest", replace=True).certificate
        for method in (Univariate(k=7), Mdav(k=7))
    ]
    assert losses[0]["sse"] <= losses[1]["sse"] and losses[0]["sst"] == losses[1]["sst"]


def test_the_order_of_rows_and_threads_do_not_matter(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE TABLE turned AS FROM patients ORDER BY number DESC")
    found = []
    for source, n_threads in (("patients", 1), ("turned", 2)):
        con.execute(f"SET threads = {n_threads}")
        anonymize_patients(
            con, source, method=Univariate(k=5), quasi=["age"], keep="rest", seed=3, replace=True
        )
        found.append(con.execute("FROM patients_k5 ORDER BY ALL").fetchall())
    assert found[0] == found[1]


def test_bad_requests_name_all_faults(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    with pytest.raises(ppdt_db.RequestError) as error:
        anonymize_patients(con, method=Univariate(k=500), quasi=["age", "sex"])
    for part in (
        "takes one quasi-identifier",
        "but 2 are given",
        '"sex" is of type VARCHAR',
        "k=500",
    ):
        assert part in str(error.value)


def test_from_the_command_line(tmp_path: object) -> None:
    path, out = f"{tmp_path}/p.csv", f"{tmp_path}/o.csv"
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        con.execute(f"COPY (SELECT age, sex FROM patients) TO '{path}'")
    asked = [path, "--method", "univariate", "--k", "4", "--out", out, "--json", "--replace"]
    ended = ppdt("anonymize", *asked, "--qi", "age", "--keep", "sex")
    assert ended.code == 0, ended.err
    assert ended.json["il"] < 1
    for asked_of, keep in (("sex", "age"), ("age,sex", "rest")):
        ended = ppdt("anonymize", *asked, "--qi", asked_of, "--keep", keep)
        assert ended.code == 2 and "Use mdav" in ended.err
