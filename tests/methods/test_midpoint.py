"""Midpoints: the middle of the range of each class, exactly, whatever the type."""

from collections import defaultdict
from fractions import Fraction
from random import Random

import duckdb
import pytest
from fuzz.values import DRAWN, exact, is_ordered
from hypothesis import given
from hypothesis import strategies as st
from oracle.midpoint import midpoint, step_of
from support import every

import ppdt_db
from ppdt_db import Attribute, Mondrian

WIDE = {
    **{name: draw for name, draw in DRAWN.items() if is_ordered(name)},
    "DECIMAL(38,37)": lambda rng: rng.choice(["-9", "1.5", "7", "0." + "1" * 37]),
}


def shown(con: duckdb.DuckDBPyConnection) -> tuple[str, dict[str | None, list[int]]]:
    """The type of what the classes show; and this, as text, with their rows."""
    classes: dict[str | None, list[int]] = defaultdict(list)
    for label, row in con.execute("SELECT CAST(x AS VARCHAR), rid FROM o").fetchall():
        classes[label].append(row)
    return con.execute("DESCRIBE SELECT x FROM o").fetchall()[0][1], classes


def make(con: duckdb.DuckDBPyConnection, type_name: str, texts: list[str | None]) -> None:
    con.execute("SET TimeZone = 'UTC'")
    con.execute(f"CREATE TABLE t (x {type_name}, rid INTEGER)")
    con.executemany("INSERT INTO t VALUES (?, ?)", [[text, i] for i, text in enumerate(texts)])


def faults(
    type_name: str, texts: list[str | None], kind: str, classes: dict[str | None, list[int]]
) -> list[tuple[object, ...]]:
    """The classes that do not show the middle of their rows' range."""
    values = [exact(type_name, text) for text in texts]
    column = [value for value in values if isinstance(value, Fraction)]
    # A decimal is divided as a DOUBLE, which rounds its last digit.
    slack = Fraction(1, 2**52) if kind == "DOUBLE" and step_of(type_name) < 1 else Fraction(0)
    found = []
    for label, rows in classes.items():
        own = [value for row in rows if isinstance(value := values[row], Fraction)]
        told, middle = exact(kind, label), midpoint(type_name, own, column)
        if told is None or middle is None:
            found += [(label, middle)] * (told is not middle)
            continue
        assert isinstance(told, Fraction)
        is_inside = min(own) <= told <= max(own) or slack > 0
        found += [(label, middle)] * (abs(told - middle) > slack * abs(middle) or not is_inside)
    return found


@given(
    type_name=st.sampled_from(sorted(WIDE)),
    seed=st.integers(0, 2**32),
    k=st.sampled_from([2, 3, 30]),
)
def test_the_middle_is_exact(type_name: str, seed: int, k: int) -> None:
    rng = Random(seed)
    texts = [WIDE[type_name](rng) if rng.random() < 0.9 else None for _ in range(30)]
    with duckdb.connect() as con:
        make(con, type_name, texts)
        made = ppdt_db.anonymize(
            con, "t", quasi=[Attribute("x", "midpoint")], keep=["rid"], method=Mondrian(k=k),
            into="o",
        )  # fmt: skip
        kind, classes = shown(con)
    assert sum(map(len, classes.values())) == 30
    assert made.certificate["k_measured"] == min(map(len, classes.values())) >= k
    assert not faults(type_name, texts, kind, classes)


HUGE = 2**127
ENDS = {
    "TINYINT": ("-128", "127", "-0.5", "DOUBLE"),
    "INTEGER": ("-2147483648", "2147483647", "-0.5", "DOUBLE"),
    "BIGINT": ("-9223372036854775808", "9223372036854775807", "-0.5", "DECIMAL(38,1)"),
    "UBIGINT": ("18446744073709551614", "18446744073709551615", "18446744073709551614.5",
                "DECIMAL(38,1)"),
    "HUGEINT": (str(-HUGE), str(HUGE - 1), "-1", "HUGEINT"),
    "UHUGEINT": (str(2 * HUGE - 2), str(2 * HUGE - 1), str(2 * HUGE - 2), "UHUGEINT"),
    "DECIMAL(4,2)": ("0.01", "0.02", "0.015", "DOUBLE"),
    "DECIMAL(18,2)": ("-9999999999999999.99", "0.00", "-4999999999999999.995", "DECIMAL(38,3)"),
    "DECIMAL(38,0)": ("-" + "9" * 38, "-" + "9" * 37 + "6", "-" + "9" * 37 + "8", "DECIMAL(38,0)"),
    "DECIMAL(38,2)": ("-" + "9" * 36 + ".99", "9" * 36 + ".98", "-0.01", "DECIMAL(38,2)"),
    "DECIMAL(38,38)": ("0." + "9" * 38, "0." + "9" * 37 + "8", "." + "9" * 37 + "8",
                       "DECIMAL(38,38)"),
    "DOUBLE": ("-1.7976931348623157e308", "1.7976931348623155e308", "-9.9792015476736e+291",
               "DOUBLE"),
    "FLOAT": ("0.5", "0.75", "0.625", "DOUBLE"),
    "DATE": ("2020-02-28", "2020-02-29", "2020-02-28", "DATE"),
    "TIMESTAMP": ("2020-01-01 00:00:00", "2020-01-01 00:00:00.000003",
                  "2020-01-01 00:00:00.000001", "TIMESTAMP"),
    "TIMESTAMP_S": ("2020-01-01 00:00:00", "2020-01-01 00:00:01", "2020-01-01 00:00:00.5",
                    "TIMESTAMP"),
    "TIMESTAMP_NS": ("1677-09-22 00:00:00", "2262-04-11 00:00:00.000000003",
                     "1970-01-01 00:00:00.000000001", "TIMESTAMP_NS"),
    "TIMESTAMPTZ": ("7000-01-01 00:00:00.000001+00", "7000-01-01 00:00:00.000003+00",
                    "7000-01-01 00:00:00.000002+00", "TIMESTAMP WITH TIME ZONE"),
    "TIME": ("24:00:00", "24:00:00", "24:00:00", "TIME"),
}  # fmt: skip


@pytest.mark.parametrize("type_name", every(3, ENDS))
def test_the_ends_of_a_type(con: duckdb.DuckDBPyConnection, type_name: str) -> None:
    low, high, middle, kind = ENDS[type_name]
    make(con, type_name, [low, high] * 2)
    ppdt_db.anonymize(
        con, "t", quasi=[Attribute("x", "midpoint")], keep=["rid"], method=Mondrian(k=4), into="o"
    )
    found = con.execute("SELECT DISTINCT CAST(x AS VARCHAR), typeof(x) FROM o").fetchall()
    assert found == [(middle, kind)]
