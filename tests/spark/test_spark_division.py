"""Whole numbers are divided alike by both engines: beyond 64 bits too, below zero, and by NULL."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
from samples import sample
from sqlglot import exp, parse_one

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.spark.engine import SparkEngine
from ppdt_db.sqltext.templates import steps

INT128 = exp.DataType.Type.INT128
MOST = 2**63 - 1
# Each step: its tables as DuckDB makes them, its parameters, its names.
Given = tuple[Mapping[str, str], Mapping[str, object], Mapping[str, object]]
SPAN = SimpleNamespace(position=0, value_mask=(1 << 10) - 1, value_bits=10)
STEPS: dict[str, Given] = {
    # A range far along its axis, in a node as heavy as can be.
    "learn/generalized/stop": (
        {
            "ppdt_event": "SELECT node::INTEGER AS node_id, 0::INTEGER AS attribute_id, code, "
            "weight, change, n_ranges FROM (VALUES "
            "(0, 2000000000::BIGINT, 5::BIGINT, 1::BIGINT, 1::BIGINT), "
            "(0, 2000000010, 7, -1, -1), (1, 1, 3, 4, 1), (1, 9, 0, -4, -1), (1, 12, 9, 0, 0)) "
            "AS e (node, code, weight, change, n_ranges)",
            "ppdt_known": "SELECT node::INTEGER AS node_id, 0::INTEGER AS attribute_id, "
            f"weight_known FROM (VALUES (0, {MOST}::BIGINT), (1, 60)) AS k (node, weight_known)",
        },
        {"min_weight": 1.0, "n_classes": 2},
        {"criterion": "gain"},
    ),
    "learn/generalized/event": (
        {
            "ppdt_form_count": "SELECT 0::INTEGER AS node_id, 0::INTEGER AS attribute_id, "
            "(2 + (3 << 10) + (nulls << 20))::BIGINT AS code, target::INTEGER AS target, weight "
            f"FROM (VALUES (0, 0, {MOST}::BIGINT), (1, 1, 7), (1, 2, {2**53 + 1})) "
            "AS f (nulls, target, weight)"
        },
        {},
        {"spans": [SPAN]},
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_both_engines_divide_alike(spark: Any, step: str) -> None:
    tables, params, names = STEPS[step]
    there = SparkEngine(spark)
    with duckdb.connect() as con, there.cleared():
        here = DuckEngine(con)
        for name, text in tables.items():
            con.execute(f"CREATE TEMP TABLE {name} AS {text}")
            types = [f"{c} {t}" for c, t, *_ in con.execute(f"DESCRIBE {name}").fetchall()]
            rows = con.execute(f"FROM {name}").fetchall()
            there.register(name, there.session.createDataFrame(rows, ", ".join(types)))
        wanted = here.rows(step, params, names)
        assert wanted
        assert sorted(map(plain, there.rows(step, params, names))) == sorted(map(plain, wanted))


# Rooms of what runs in DuckDB alone.
ELSEWHERE = (
    "encode/bins", "encode/hierarchy", "learn/bayes", "learn/kadet", "learn/set_id3", "lib/engine",
    "lib/fragments", "methods/microaggregate", "methods/tiers", "methods/univariate", "source",
)  # fmt: skip
# What is divided without a cast fits into 64 bits, and so does what comes of it.
BOUNDED = {
    "methods/mondrian/median": "rows",
    "learn/generalized/event": "weights",
    "learn/generalized/class_count": "weights",
    "learn/generalized/piece": "weights",
}


def test_what_may_be_larger_is_cast() -> None:
    """Spark's own division wraps around without a word."""
    found = set()
    for step in steps():
        if step.rpartition("/")[0] in ELSEWHERE:
            continue
        quotients = parse_one(sample(step).text, read="duckdb").find_all(exp.IntDiv)
        casts = [[c for c in q.find_all(exp.Cast) if c.to.this == INT128] for q in quotients]
        found |= {step} if not all(casts) else set()
    assert found == BOUNDED.keys()


def plain(row: Sequence[object]) -> list[str]:
    return [str(value) for value in row]
