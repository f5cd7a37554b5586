"""Releases as learners read them: values, sets, ranges and bounds, in the terms of a model."""

from datetime import UTC, datetime

import duckdb
import pytest

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.learn.feature_types import Trait, make_reading
from ppdt_db.learn.features import find_features
from ppdt_db.source.source import opened


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'Asia/Tokyo'")
        yield connection


def read(con, query, names, traits=None):
    """The kinds, forms and types of the features, and the rows as they are read."""
    engine = DuckEngine(con)
    with engine.cleared(), opened(engine, con.sql(query)) as source:
        features = find_features(engine, source, names, traits)
        table = make_reading(engine, source, features)
        rows = con.execute(f"FROM {table}").fetchall()
    return [(f.kind, f.form, f.trait.type_name) for f in features], sorted(rows, key=repr)


def seconds(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


UNKNOWN = (None, None, True)
FORMS = [
    ("(1::DOUBLE), (2.5), (NULL), ('nan')", "ordered", "value", "DOUBLE",
     [(1, 1, False), (2.5, 2.5, False), UNKNOWN, UNKNOWN]),
    ("('[20, 30]'), ('[20, 30] or NULL'), ('7'), ('7 or NULL or NaN'), ('NULL or NaN'), (NULL)",
     "ordered", "range", "BIGINT",
     [(20, 30, False), (20, 30, True), (7, 7, False), (7, 7, True), UNKNOWN, UNKNOWN]),
    ("('[-1.5, 2e3]'), ('4')", "ordered", "range", "DOUBLE", [(-1.5, 2000, False), (4, 4, False)]),
    ("('[2020-01-01, 2020-01-03]'), ('1969-12-31')", "ordered", "range", "DATE",
     [(seconds("2020-01-01"), seconds("2020-01-03"), False), (-86400, -86400, False)]),
    ("('[2020-01-01 00:00:00+00, 2020-01-01 12:00:00+00]')", "ordered", "range",
     "TIMESTAMP WITH TIME ZONE", [(seconds("2020-01-01"), seconds("2020-01-01 12:00"), False)]),
    ("('[08:00:00, 09:30:00]'), ('00:00:01')", "ordered", "range", "TIME",
     [(28800, 34200, False), (1, 1, False)]),
    ("('[20, 30]'), ('old')", "nominal", "value", "VARCHAR",
     [(["[20, 30]"], False), (["old"], False)]),
    ("('12'), ('13')", "nominal", "value", "VARCHAR", [(["12"], False), (["13"], False)]),
    ("(['b', 'a', 'b']), (['a', NULL]), ([]), (NULL), ([NULL])", "nominal", "set", "VARCHAR",
     [(["a", "b"], False), (["a"], True), (None, True), (None, True), (None, True)]),
    ("([2, 10]), ([3, NULL])", "nominal", "set", "INTEGER", [(["10", "2"], False), (["3"], True)]),
    ("(TIMESTAMPTZ '2020-01-01 00:00:00+00'), (NULL), ('infinity')", "ordered", "value",
     "TIMESTAMP WITH TIME ZONE", [(*[seconds("2020-01-01")] * 2, False), UNKNOWN, UNKNOWN]),
    ("(true), (NULL)", "nominal", "value", "BOOLEAN", [(["true"], False), (None, True)]),
]  # fmt: skip


@pytest.mark.parametrize(("values", "kind", "form", "type_name", "rows"), FORMS)
def test_forms_are_found_and_read(con, values, kind, form, type_name, rows):
    query = f"""SELECT * FROM (VALUES {values}) AS t ("a ""b")"""
    assert read(con, query, ['A "b']) == ([(kind, form, type_name)], sorted(rows, key=repr))


def test_bounds_are_read_as_the_range_that_they_stand_for(con):
    query = """
        SELECT * FROM (VALUES (1, 3, false, DATE '2020-01-01', DATE '2020-01-02'),
        (4, 4, true, NULL, NULL), (NULL, NULL, true, DATE '2020-01-05', DATE '2020-01-05'))
        AS t ("x y_lo", "X Y_hi", "x y_has_null", d_lo, d_hi)"""
    kinds, rows = read(con, query, ["x y", "d"])
    assert kinds == [("ordered", "bounds", "INTEGER"), ("ordered", "bounds", "DATE")]
    assert set(rows) == {
        (1, 3, False, seconds("2020-01-01"), seconds("2020-01-02"), False),
        (4, 4, True, None, None, True),
        (None, None, True, seconds("2020-01-05"), seconds("2020-01-05"), False),
    }


def test_a_model_has_its_own_way(con):
    number = Trait(name="x", kind="ordered", type_name="BIGINT")
    name = Trait(name="x", kind="nominal", type_name="INTEGER")
    assert read(con, "SELECT 7.5 AS x", ["x"], [number])[1] == [(7.5, 7.5, False)]
    assert read(con, "SELECT '7' AS x", ["x"], [number])[1] == [(7, 7, False)]
    assert read(con, "SELECT NULL::VARCHAR AS x", ["x"], [number])[1] == [(None, None, True)]
    assert read(con, "SELECT 7 AS x", ["x"], [name])[1] == [(["7"], False)]
    assert read(con, "SELECT [7, 8] AS x", ["x"], [name])[1] == [(["7", "8"], False)]


def test_what_cannot_be_read_is_told_at_once(con):
    number = Trait(name="x", kind="ordered", type_name="INTEGER")
    name = Trait(name="x", kind="nominal", type_name="VARCHAR")
    query = """SELECT [1] AS a, 'secret' AS b, DATE '2020-01-01' AS c, 1 AS d_lo, 2 AS d_hi,
        {'s': 1} AS e"""
    with pytest.raises(RequestError) as caught:
        read(con, query, [*"abcdef"], [number, number, number, name, number, number])
    assert len(caught.value.faults) == 6
    assert "secret" not in str(caught.value)
