"""Hierarchies: what they say of a column's values, whatever kind they are of."""

from collections.abc import Sequence
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.hierarchy import faults, lowest_common, node_sets

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.policy.hierarchy_specs import (
    HierarchyTable,
    Levels,
    as_hierarchy,
    dates,
    grouping,
    intervals,
    prefixes,
    quantiles,
)
from ppdt_db.policy.roles import Attribute
from ppdt_db.source.source import opened

WORDS = ["*", "a", "b", 'c "d"', "e; DROP", "ü'", " f "]


def nodes_of(
    con: duckdb.DuckDBPyConnection, relation: str, column: str, hierarchy: object
) -> tuple[EncodedColumn, list[tuple], dict[int, object]]:
    """The nodes of a column's hierarchy, and its values under their codes."""
    engine = DuckEngine(con)
    with engine.cleared(), opened(engine, relation) as source:
        wish = Attribute(column, hierarchy=hierarchy)
        dictionaries = Dictionaries(engine, source)
        if found := dictionaries.hierarchy_faults(wish):
            raise RequestError(*found)
        coded = dictionaries.make(column, 0, "code", wish)
        columns = "node_id, parent_id, depth, first_code, last_code, words"
        found = con.execute(f'SELECT {columns} FROM "{coded.node}" ORDER BY node_id').fetchall()
        # Python's instants need a package of their own: they are read as text.
        value = "CAST(value AS VARCHAR)" if coded.family == "timestamptz" else "value"
        values = con.execute(f'SELECT code, {value} FROM "{coded.dictionary}"').fetchall()
    return coded, found, dict(values)


def sets_of(nodes: Sequence[tuple], values: dict[int, object]) -> dict:
    return {
        frozenset(values[code] for code in range(first, last + 1)): words
        for _, _, _, first, last, words in nodes
    }


def check_shape(nodes: Sequence[tuple], n_codes: int) -> None:
    """A tree in depth-first order whose nodes are intervals of codes."""
    by_id = {node[0]: node for node in nodes}
    assert list(by_id) == list(range(len(nodes)))
    assert nodes[0][1:5] == (None, 0, 0, n_codes - 1)
    for node_id, parent_id, depth, first, last, _ in nodes[1:]:
        parent = by_id[parent_id]
        assert parent_id < node_id and depth == parent[2] + 1
        assert parent[3] <= first <= last <= parent[4]
        assert (first, last) != (parent[3], parent[4])
    for node in nodes:
        children = [child for child in nodes if child[1] == node[0]]
        if children:
            assert len(children) > 1
            ends = [code for child in children for code in (child[3], child[4] + 1)]
            assert ends[0] == node[3] and ends[-1] == node[4] + 1
            assert ends[1:-1:2] == ends[2::2]


@st.composite
def hierarchies(draw: st.DrawFn) -> tuple[list[tuple], list[str | None]]:
    leaves = draw(
        st.lists(
            st.one_of(st.none(), st.text("xyz'\" ,", min_size=1, max_size=3)),
            min_size=1, max_size=8, unique=True,
        )
    )  # fmt: skip
    n_levels = draw(st.integers(1, 3))
    free = st.lists(st.sampled_from(WORDS[1:]), min_size=n_levels, max_size=n_levels)
    above = draw(st.dictionaries(st.sampled_from(WORDS[1:]), st.sampled_from(WORDS[1:])))
    rows = []
    for leaf in leaves:
        words = draw(free)
        if draw(st.booleans()) or draw(st.booleans()):
            for i in range(1, n_levels):
                words[i] = above.get(words[i - 1], words[i - 1])
        rows.append((leaf, *words, draw(st.sampled_from(WORDS[:1] * 9 + WORDS[:2]))))
    values = draw(st.lists(st.sampled_from([*leaves, "missing", None]), min_size=1, max_size=20))
    return draw(st.permutations(rows)), values


@given(hierarchies())
def test_trees_and_faults_are_those_of_the_oracle(case: tuple) -> None:
    rows, values = case
    n_columns = len(rows[0])
    with duckdb.connect() as con:
        names = [f"c {i}" for i in range(n_columns)]
        listed = ", ".join('"' + name + '" VARCHAR' for name in names)
        con.execute(f"CREATE TABLE h ({listed})")
        con.executemany(f"INSERT INTO h VALUES ({', '.join('?' * n_columns)})", rows)
        con.execute('CREATE TABLE t ("a ""b""" VARCHAR)')
        con.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
        expected = faults(rows, values)
        if expected:
            with pytest.raises(RequestError) as caught:
                nodes_of(con, "t", 'a "b"', "h")
            words = {
                "missing": "values of the column are missing", "twice": "are named twice",
                "torn": "have two parents", "roots": "roots. The",
            }  # fmt: skip
            told = {kind for kind, word in words.items() if word in str(caught.value)}
            assert told == expected
            return
        coded, nodes, by_code = nodes_of(con, "t", 'a "b"', "h")
        check_shape(nodes, coded.n_codes)
        wanted = node_sets(rows, list(dict.fromkeys(values)))
        assert sets_of(nodes, by_code) == wanted
        for first in range(coded.n_codes):
            for last in range(first, coded.n_codes):
                held = [n for n in nodes if n[3] <= first and n[4] >= last]
                codes = range(first, last + 1)
                assert held[-1][5] == lowest_common(wanted, [by_code[c] for c in codes])


BUILT = [
    ("(VALUES (1), (9), (10), (-1), (NULL), (25)) v (x)", intervals(10, 20),
     {(-1,): "-1", (1, 9): "[0, 10)", (-1, 1, 9, 10, 25, None): "*", (1, 9, 10): "[0, 20)"}),
    ("(VALUES (0.3::DECIMAL(9,1)), (0.1), (0.4)) v (x)", intervals("0.1", "0.2", start="0.1"),
     {("0.3", "0.4"): "[0.3, 0.5)"}),
    ("(VALUES (0.25::DOUBLE), (0.2), (7.5), ('nan'), ('inf'), (-0.0)) v (x)",
     intervals(0.5, start=-1),
     {("0.2", "0.25", "0.0"): "[0.0, 0.5)", ("7.5",): "7.5", ("nan",): "nan"}),
    ("(SELECT i % 4 FROM range(16) r (i) UNION ALL SELECT NULL) v (x)", quantiles(2),
     {(0, 1): "[0, 1]", (2, 3): "[2, 3]", (None,): None}),
    ("(VALUES (DATE '2020-01-05'), ('2020-02-05'), ('2029-07-01'), ('1999-01-01')) v (x)",
     dates("month", "quarter", "year", "decade"),
     {("2020-01-05", "2020-02-05"): "2020-Q1",
      ("2020-01-05", "2020-02-05", "2029-07-01"): "2020s"}),
    ("(VALUES (TIMESTAMPTZ '2020-01-31 23:59:59-01'), ('2020-02-01 05:00:00+00')) v (x)", dates(),
     {("2020-02-01 00:59:59+00", "2020-02-01 05:00:00+00"): "2020-02-01"}),
    ("(VALUES ('1234'), ('1235'), ('12'), ('2'), ('')) v (x)", prefixes(3, 2, 1),
     {("1234", "1235"): "123*", ("12", "1234", "1235"): "1*", ("",): ""}),
    ("(VALUES (1), (2), (3), (NULL)) v (x)",
     grouping({"low": [1, None], "high": {"mid": [2], "top": [3]}}),
     {(1, None): "low", (2, 3): "high"}),
    ("(VALUES ('a'), ('A'), ('b')) v (x)", {"folded": "lower(x)"}, {("a", "A"): "a"}),
]  # fmt: skip


@pytest.mark.parametrize(("values", "hierarchy", "wanted"), BUILT)
def test_builders(con: duckdb.DuckDBPyConnection, values: str, hierarchy: object, wanted: dict):
    con.execute("SET TimeZone = 'UTC'")
    con.execute(f"CREATE TABLE t AS SELECT x FROM {values}")
    coded, nodes, by_code = nodes_of(con, "t", "x", hierarchy)
    check_shape(nodes, coded.n_codes)

    def plain(value: object) -> object:
        return value if value is None or isinstance(value, int) else str(value)

    found = {frozenset(map(plain, held)): words for held, words in sets_of(nodes, by_code).items()}
    for held, words in wanted.items():
        assert found[frozenset(held)] == words


def test_numbers_meet_as_numbers(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT unnest([1.0, 2.5, 10.0])::DOUBLE AS x")
    con.execute("CREATE TABLE h AS SELECT * FROM (VALUES ('1', '*'), ('2.50', '*'), ('1e1', '*'))")
    assert len(nodes_of(con, "t", "x", "h")[1]) == 4
    con.execute("CREATE TABLE whole AS SELECT unnest([1, 2]) AS x")
    con.execute("CREATE TABLE near AS SELECT * FROM (VALUES ('1.4', '*'), ('2', '*'))")
    with pytest.raises(RequestError, match="1 values of the column are missing"):
        nodes_of(con, "whole", "x", "near")


def test_decimals_are_exact(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE t AS SELECT (i / 10)::DECIMAL(5, 1) AS x FROM range(40) r (i)")
    _, nodes, by_code = nodes_of(con, "t", "x", intervals("0.3"))
    for held, words in sets_of(nodes, by_code).items():
        if words and words.startswith("["):
            low = Decimal(words[1:].partition(",")[0])
            assert min(held) == low and low % Decimal("0.3") == 0


WRITTEN = [
    ("intervals:5,10 from 15", intervals(5, 10, start=15)),
    ({"intervals": [10, 5], "from": "-2.5"}, intervals(5, 10, start="-2.5")),
    ({"intervals": 5}, intervals(5)),
    ("quantiles:4, 16", quantiles(16, 4)),
    ({"dates": ["year", "month"]}, dates("month", "year")),
    ("dates:", dates()),
    ({"prefixes": 3}, prefixes(3)),
    ({"grouping": {"a": ["x"]}}, grouping({"a": ["x"]})),
    ({"levels": {"one": "lower(x)"}}, Levels({"one": "lower(x)"})),
    ({"one": "lower(x)"}, Levels({"one": "lower(x)"})),
    ("folder/ages:10.csv", HierarchyTable("folder/ages:10.csv")),
]


@pytest.mark.parametrize(("text", "meant"), WRITTEN)
def test_written_forms(text: object, meant: object) -> None:
    assert as_hierarchy(text) == meant  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["intervals:", "intervals:0", "intervals:nan", "intervals:5,7", "quantiles:1", "quantiles:9,4",
     "prefixes:0", "prefixes:x", "dates:week", {"one": 5}, {"grouping": {"a": "x"}}],
)  # fmt: skip
def test_wrong_forms(text: object) -> None:
    with pytest.raises(RequestError):
        as_hierarchy(text)  # type: ignore[arg-type]
