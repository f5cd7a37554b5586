"""PART: equal to a naive oracle rule for rule, and what it makes of ranges, sets and NULL."""

from fractions import Fraction

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle.part import Plan
from oracle.part_rules import rules
from support import examples

from ppdt_db import Part
from ppdt_db.learn import confusion_matrix, learn

HOSTILE = 'no"; DROP TABLE t --'
CLASSES = ["a", "b", "c"]
number = st.one_of(st.none(), st.integers(0, 6))
name = st.one_of(st.none(), st.sampled_from(["p", "q'", ""]))
tables = st.lists(
    st.tuples(st.tuples(number, name, st.integers(0, 2)), st.sampled_from(CLASSES)),
    min_size=6, max_size=40,
).filter(lambda rows: len({c for _, c in rows}) > 1)  # fmt: skip


def learnt(rows, min_rows):
    with duckdb.connect() as con:
        con.execute(f"""CREATE TABLE t (x INTEGER, "{HOSTILE.replace('"', '""')}" VARCHAR,
            z INTEGER, y VARCHAR)""")
        con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [(*v, c) for v, c in rows])
        return learn(con, "t", target="y", learner=Part(min_rows=min_rows))


@examples(60)
@given(tables, st.integers(1, 3))
@example([((i % 7, "pq"[i % 3 == 0], i % 2), CLASSES[i % 5 % 3]) for i in range(40)], 2)
def test_rules_are_the_oracles(rows, min_rows):
    classes = sorted({c for _, c in rows})
    known = [sorted({v[a] for v, _ in rows} - {None}) for a in range(3)]
    plan = Plan(known, classes, min_rows)
    model = learnt(rows, min_rows)
    assert model.classes == tuple(classes)
    expected = rules([(v, c, Fraction(1)) for v, c in rows], plan)
    assert len(model.rules) == len(expected)
    for ours, (conditions, weights) in zip(model.rules, expected, strict=True):
        found = [
            (c.feature, model.members[c.feature][c.branch], None)
            if c.threshold is None
            else (c.feature, bool(c.branch), c.threshold)
            for c in ours.conditions
        ]
        assert found == conditions
        assert ours.counts == pytest.approx([float(w) for w in weights], abs=1e-6)


def test_an_interval_that_a_cut_crosses_goes_either_way():
    with duckdb.connect() as con:
        con.execute("""
            CREATE TABLE t AS SELECT '[1, 1]' AS x, 'a' AS y FROM range(20)
            UNION ALL SELECT '[9, 9]', 'b' FROM range(20)
            UNION ALL SELECT '[0, 10]', 'a' FROM range(2)
        """)
        model = learn(con, "t", target="y", learner=Part())
        assert model.as_text().startswith("x <= 5: a (21.0)\n\n: b (21.0/1.0)")
        con.execute("CREATE TABLE asked AS SELECT 4 AS x, 'a' AS y UNION ALL SELECT 6, 'b'")
        assert confusion_matrix(con, model, "asked", target="y") == {("a", "a"): 1, ("b", "b"): 1}


def test_a_set_counts_in_parts_and_null_by_shares():
    with duckdb.connect() as con:
        con.execute("""
            CREATE TABLE t AS SELECT ['p'] AS s, 'a' AS y FROM range(30)
            UNION ALL SELECT ['q'], 'b' FROM range(10)
            UNION ALL SELECT ['p', 'q'], 'a' FROM range(4)
            UNION ALL SELECT NULL, 'b' FROM range(4)
        """)
        model = learn(con, "t", target="y", learner=Part())
    first = model.rules[0]
    # Of 44 known rows 32 are p: 30, and half of each of 4; of NULL 32 / 44 goes the same way.
    assert first.counts == pytest.approx((32.0, 4 * 32 / 44), abs=1e-6)
    assert model.as_text().startswith("s = p: a")
    total = sum(sum(rule.counts) for rule in model.rules)
    assert total == pytest.approx(48.0, abs=1e-4)


@pytest.mark.parametrize("order", ["x, s", "s DESC, x DESC"])
def test_ranges_and_sets_of_one_value_teach_what_values_do(order):
    with duckdb.connect() as con:
        con.execute(
            """
            CREATE TABLE plain AS
                SELECT nullif(i * 7 % 31, 3) AS x, ['p', 'q', NULL][1 + i % 3] AS s,
                CASE WHEN i * 7 % 31 > 12 AND i % 3 = 1 OR i % 11 = 0 THEN 'u' ELSE 'v' END AS y
            FROM range(200) AS r (i)
        """.replace("AS s,\n", "AS s,\n")
        )
        con.execute(f"""
            CREATE TABLE shown AS SELECT x AS x_lo, x AS x_hi,
                CASE WHEN s IS NOT NULL THEN [s] END AS s, y FROM plain ORDER BY {order}
        """)
        one = learn(con, "plain", target="y", features=["x", "s"], learner=Part())
        other = learn(con, "shown", target="y", features=["x", "s"], learner=Part())
        assert one.as_text() == other.as_text()
        assert confusion_matrix(con, one, "plain", target="y") == confusion_matrix(
            con, other, "plain", target="y"
        )
