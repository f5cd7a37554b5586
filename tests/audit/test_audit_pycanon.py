"""Another auditor, pycanon: equal where it keeps the definitions, named where it does not."""

import warnings

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ppdt_db

pytest.importorskip(
    "pycanon", reason="pycanon is not installed: pip install 'ppdt-db[pycanon]' to compare with it"
)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pycanon import anonymity

QI, S = ["a", "b"], ["s"]


def measured(sql: str, **asked: object) -> dict:
    with duckdb.connect() as con:
        measures = ppdt_db.audit(con, con.sql(sql), quasi=QI, sensitive=S, **asked).measures  # type: ignore[arg-type]
    found = measures["sensitive"]["s"]  # type: ignore[index]
    return {**found, "k": measures["k"]}


def frame(sql: str) -> object:
    with duckdb.connect() as con:
        return con.sql(sql).df()


def sql_of(rows: list[tuple[int, int, int]], column: str) -> str:
    values = ", ".join(str(row) for row in rows)
    return f"SELECT a, b, {column} AS s FROM (VALUES {values}) AS r (a, b, n)"


rows = st.lists(st.tuples(*[st.integers(0, n) for n in (1, 1, 4)]), min_size=2, max_size=40).filter(
    lambda drawn: len({n for _, _, n in drawn}) > 1
)


@given(drawn=rows, column=st.sampled_from(["n", "'w' || n"]))
def test_equal_where_it_keeps_the_definition(
    drawn: list[tuple[int, int, int]], column: str
) -> None:
    sql = sql_of(drawn, column)
    found, data = measured(sql), frame(sql)
    distance = found["t_ordered"] if column == "n" else found["t_equal"]
    ours_and_theirs = {
        "k": (found["k"], anonymity.k_anonymity(data, QI)),
        "alpha": (found["alpha"], anonymity.alpha_k_anonymity(data, QI, S)[0]),
        "l": (found["distinct_l"], anonymity.l_diversity(data, QI, S)),
        "t": (distance, anonymity.t_closeness(data, QI, S)),
        "beta": (found["basic_beta"], anonymity.basic_beta_likeness(data, QI, S)),
        "delta": (
            found["delta_disclosure_ignoring_absent"],
            anonymity.delta_disclosure(data, QI, S),
        ),
    }
    for name, (ours, theirs) in ours_and_theirs.items():
        assert ours == pytest.approx(theirs, abs=1e-9), name


def test_it_truncates_entropy_l() -> None:
    """Two values, 3 and 1: the entropy's exponential is 1.75, and pycanon says 1."""
    sql = "SELECT 0 AS a, 0 AS b, i // 3 AS s FROM range(4) AS r (i)"
    assert measured(sql)["entropy_l"] == pytest.approx(4 / 27**0.25)
    assert anonymity.entropy_l_diversity(frame(sql), QI, S) == 1


def test_it_sorts_recursive_counts_upwards() -> None:
    """Counts 5, 2, 1 and l = 3: 5 < c * 1 for every c above 5; pycanon starts from the rarest."""
    sql = "SELECT 0 AS a, 0 AS b, unnest([1, 1, 1, 1, 1, 2, 2, 3]) AS s"
    found = measured(sql)
    assert (found["recursive_c"], found["recursive_l"]) == (5, 3)
    assert anonymity.recursive_c_l_diversity(frame(sql), QI, S) == (1, 3)


def test_it_drops_classes_with_null() -> None:
    """A class of one row that shows NULL: k is 1, and pycanon does not see it."""
    sql = "SELECT unnest([1, 1, NULL]) AS a, unnest([1, 2, 3]) AS s"
    with duckdb.connect() as con:
        assert ppdt_db.audit(con, con.sql(sql), quasi=["a"]).measures["k"] == 1
    assert anonymity.k_anonymity(frame(sql), ["a"]) == 2


def test_it_caps_enhanced_beta_instead_of_refusing() -> None:
    """A value of share 0.4 that fills a class gains 1.5 > -ln 0.4: no beta satisfies that."""
    sql = (
        "SELECT CAST(i < 4 AS INTEGER) AS a, 0 AS b, CAST(i < 4 AS INTEGER) AS s "
        "FROM range(10) AS r (i)"
    )
    assert measured(sql)["enhanced_beta"] == float("inf")
    assert anonymity.enhanced_beta_likeness(frame(sql), QI, S) < 1


def test_it_ignores_absent_values_in_delta_disclosure() -> None:
    """A value that is absent from a class makes the strict measure infinite."""
    sql = "SELECT unnest([0, 0, 1]) AS a, 0 AS b, unnest([1, 2, 1]) AS s"
    assert measured(sql)["delta_disclosure"] == float("inf")
    assert anonymity.delta_disclosure(frame(sql), QI, S) < 1
