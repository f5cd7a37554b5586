"""Numbers beyond 2^53 are compared as what they are: no figure changes when a column is shifted.

A range `[lo, hi]` is text. Whoever reads it as a DOUBLE takes all of the integers between 2^60 and
2^60 + 128 for one.
"""

from collections.abc import Iterator, Mapping

import duckdb
import pytest
from support import every, mostly_slow

import ppdt_db

SHIFTS = {
    "BIGINT": 2**60,
    "UBIGINT": 2**63 + 2**60,
    "HUGEINT": 2**100,
    "UHUGEINT": 2**127 + 2**100,
    "DECIMAL(38,0)": 10**30,
    "DECIMAL(38,2)": 10**30,
    "DECIMAL(20,3)": 10**16,
}
MEASURED = (
    "k", "classes", "kk", "kk_released", "kk_original", "journalist_risk_max",
    "journalist_risk_mean", "rows_at_journalist_risk", "rows_population_unique",
    "classes_beyond_population", "delta_presence_min", "delta_presence_max", "ncp", "gcp",
    "cells_suppressed", "non_uniform_entropy", "sse", "il", "total_variation", "wasserstein",
)  # fmt: skip


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def released(con: duckdb.DuckDBPyConnection, shape: str, type_name: str, shift: int) -> None:
    """Forty people at numbers from 0 to 39, and classes of ten, all shifted."""

    def at(offset: str) -> str:
        return f"('{shift}'::{type_name} + ({offset})::{type_name})::{type_name}"

    con.execute(
        f"CREATE OR REPLACE TABLE people AS SELECT {at('i')} AS n, i % 3 AS s FROM range(40) r(i)"
    )
    con.execute(
        f"CREATE OR REPLACE TABLE classes AS SELECT {at('i // 10 * 10')} AS lo,"
        f" {at('i // 10 * 10 + 9')} AS hi, {at('i')} AS n, i % 3 AS s FROM range(40) r(i)"
    )
    shown = {
        "range": "concat('[', lo, ', ', hi, ']') AS n",
        "bounds": "lo AS n_lo, hi AS n_hi, FALSE AS n_has_null",
        "set": "list(n) OVER (PARTITION BY lo ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND"
        " UNBOUNDED FOLLOWING) AS n",
        "value": "lo AS n",
    }[shape]
    con.execute(f"CREATE OR REPLACE TABLE release AS SELECT {shown}, s FROM classes")


def figures(con: duckdb.DuckDBPyConnection, shape: str) -> Mapping[str, object]:
    names = ("n_lo", "n_hi", "n_has_null") if shape == "bounds" else ("n",)
    measures = ppdt_db.audit(
        con, "release", quasi=names, sensitive=["s"], original="people", population="people",
        require="kk=1",
    ).measures  # fmt: skip
    return {name: measures[name] for name in MEASURED}


@pytest.mark.parametrize("shape", every(2, ["range", "bounds", "set", "value"]))
@pytest.mark.parametrize("type_name", mostly_slow(SHIFTS, "HUGEINT"))
def test_a_shift_changes_no_figure(
    con: duckdb.DuckDBPyConnection, shape: str, type_name: str
) -> None:
    released(con, shape, type_name, 0)
    expected = figures(con, shape)
    if shape in ("range", "bounds"):
        assert expected["kk"] == 10 and expected["gcp"] == pytest.approx(9 / 39, abs=1e-9)
    released(con, shape, type_name, SHIFTS[type_name])
    assert figures(con, shape) == expected


@pytest.mark.parametrize("shape", ["range", "bounds"])
def test_a_scale_changes_no_figure(con: duckdb.DuckDBPyConnection, shape: str) -> None:
    """Whole numbers, and the same digits as parts of 10^30."""
    released(con, shape, "DECIMAL(38,0)", 10**30)
    expected = figures(con, shape)
    for table in ("people", "classes"):
        for column in ("n",) if table == "people" else ("n", "lo", "hi"):
            con.execute(
                f"ALTER TABLE {table} ALTER {column} TYPE DECIMAL(38, 30) USING"
                f" concat('1.', ({column}::VARCHAR)[2:])::DECIMAL(38, 30)"
            )
    shown = {
        "range": "concat('[', lo, ', ', hi, ']') AS n",
        "bounds": "lo AS n_lo, hi AS n_hi, FALSE AS n_has_null",
    }[shape]
    con.execute(f"CREATE OR REPLACE TABLE release AS SELECT {shown}, s FROM classes")
    assert figures(con, shape) == expected


@pytest.mark.parametrize("shape", ["range", "bounds"])
def test_a_forged_label_is_found(con: duckdb.DuckDBPyConnection, shape: str) -> None:
    """One label says two numbers for forty people: as DOUBLEs, all forty would fit."""
    con.execute(f"CREATE TABLE people AS SELECT {2**60} + i AS n FROM range(40) r(i)")
    shown = {"range": f"'[{2**60}, {2**60 + 1}]' AS n",
             "bounds": f"{2**60} AS n_lo, {2**60 + 1} AS n_hi"}[shape]  # fmt: skip
    con.execute(f"CREATE TABLE release AS SELECT {shown} FROM range(40)")
    names = ["n"] if shape == "range" else ["n_lo", "n_hi"]
    audit = ppdt_db.audit(con, "release", quasi=names, original="people", require="kk=40")
    assert not audit.passed and audit.measures["kk_released"] == 2


@pytest.mark.parametrize("shape", ["range", "bounds", "set", "value"])
def test_a_population_of_another_type(con: duckdb.DuckDBPyConnection, shape: str) -> None:
    """What a DOUBLE cannot hold is nobody's number there: no one is made out to stand behind it."""
    released(con, shape, "BIGINT", 2**60)
    con.execute("CREATE TABLE register AS SELECT n::DECIMAL(38, 4) AS n FROM people")
    con.execute("CREATE TABLE rounded AS SELECT n::DOUBLE AS n FROM people")
    names = ("n_lo", "n_hi", "n_has_null") if shape == "bounds" else ("n",)
    expected = ppdt_db.audit(con, "release", quasi=names, population="people").measures
    exact = ppdt_db.audit(con, "release", quasi=names, population="register").measures
    assert exact == expected
    other = ppdt_db.audit(con, "release", quasi=names, population="rounded").measures
    risk = other["journalist_risk_max"]
    assert risk is None or risk >= expected["journalist_risk_max"]


def test_a_release_alone_is_measured_in_a_type_that_holds_its_ends(
    con: duckdb.DuckDBPyConnection,
) -> None:
    for shift in (0, 2**60, 10**30, 10**37):
        con.execute(
            "CREATE OR REPLACE TABLE release AS SELECT concat('[', lo, ', ', lo + 9, ']') AS n FROM"
            f" (SELECT {shift}::HUGEINT + i // 10 * 10 AS lo FROM range(40) r(i))"
        )
        measures = ppdt_db.audit(con, "release", quasi=["n"]).measures
        assert measures["gcp"] == pytest.approx(9 / 39, abs=1e-9), shift


METHODS = {
    "mondrian": ppdt_db.Mondrian(k=5),
    "bounds": ppdt_db.Mondrian(k=5),
    "microaggregate": ppdt_db.Microaggregate(k=5),
    "mean": ppdt_db.Mondrian(k=5),
    "intervals": ppdt_db.Mondrian(k=5),
}
LOSSES = ("k_measured", "classes", "gcp", "rows_suppressed")
MEANS = ("mean", "microaggregate")


def anonymized(
    con: duckdb.DuckDBPyConnection, way: str, type_name: str, shift: int
) -> tuple[Mapping[str, object], list[tuple]]:
    """The losses of a release, and which rows came together."""
    con.execute(
        f"CREATE OR REPLACE TABLE people AS SELECT ('{shift}'::{type_name} + (i * i)::{type_name})"
        f"::{type_name} AS n, (i * 7 % 40)::INTEGER AS m, i AS id FROM range(40) r(i)"
    )
    wish = ppdt_db.Attribute("n")
    if way in ("bounds", "mean"):
        wish = ppdt_db.Attribute("n", recode=way)  # type: ignore[arg-type]
    if way == "intervals":
        wish = ppdt_db.Attribute("n", hierarchy="intervals:100,800")
    release = ppdt_db.anonymize(
        con, "people", quasi=[wish, "m"], keep=["id"], method=METHODS[way], seed=1,
        into="release", replace=True,
    )  # fmt: skip
    names = [name for name, *_ in con.execute("DESCRIBE release").fetchall() if name != "id"]
    groups = con.execute(
        f"SELECT list(id ORDER BY id) FROM release GROUP BY {', '.join(names)} ORDER BY 1"
    ).fetchall()
    return {name: release.certificate[name] for name in LOSSES}, groups


@pytest.mark.parametrize("way", METHODS)
@pytest.mark.parametrize("type_name", mostly_slow(SHIFTS, "DECIMAL(38,2)"))
def test_a_shift_changes_no_class(con: duckdb.DuckDBPyConnection, way: str, type_name: str) -> None:
    if way == "intervals" and SHIFTS[type_name] >= 2**95:
        pytest.skip("refused: no interval of such numbers can be computed")
    shift = SHIFTS[type_name] // 800 * 800
    expected = anonymized(con, way, type_name, 0)
    assert anonymized(con, way, type_name, shift) == expected
    if way in MEANS:
        true, shown = con.execute(
            "SELECT avg(p.id * p.id), avg((r.n - (SELECT min(n) FROM people))::DOUBLE)"
            " FROM release r JOIN people p USING (id)"
        ).fetchall()[0]
        assert shown == pytest.approx(true, abs=0.5)


def test_means_of_many_decimals_lie_among_them(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT (i % 2 + 7)::DECIMAL(38,37) AS x FROM range(20) r(i)")
    wish = ppdt_db.Attribute("x", recode="mean")
    ppdt_db.anonymize(con, "t", quasi=[wish], method=ppdt_db.Mondrian(k=5), into="o")
    assert con.execute("SELECT DISTINCT x FROM o ORDER BY x").fetchall() == [(7.0,), (8.0,)]
