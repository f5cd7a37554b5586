"""What the two dialects mean by one word, without a session."""

import pytest

from ppdt_db.engine.spark.session import duck_type
from ppdt_db.engine.spark.transpile import to_spark


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("SELECT a / 3", "CAST(a AS DOUBLE) / CAST(3 AS DOUBLE)"),
        ("SELECT a / 3 / b", "/ CAST(3 AS DOUBLE) AS DOUBLE) / CAST(b AS DOUBLE)"),
        ("SELECT a // 3", "a DIV 3"),
        (
            "SELECT CAST(a AS HUGEINT) // b",
            "CAST(((CAST(a AS DECIMAL(38, 0))) - (CAST(a AS DECIMAL(38, 0))) % (b)) / (b) "
            "AS DECIMAL(38, 0))",
        ),
        ("SELECT CAST(a AS UTINYINT)", "CAST(a AS SMALLINT)"),
        ("SELECT CAST(a AS HUGEINT)", "CAST(a AS DECIMAL(38, 0))"),
        ("SELECT CAST(1 AS HUGEINT) << b", "SHIFTLEFT(CAST(1 AS BIGINT), b)"),
        ("SELECT concat('[', a)", "CONCAT_WS('', '[', CAST(a AS STRING))"),
        ("SELECT concat_ws('|', a, b)", "CONCAT_WS('|', a, b)"),
        ("SELECT list_sum(max(a, 2))", "SLICE(SORT_ARRAY(COLLECT_LIST(a), FALSE), 1, 2)"),
        ("SELECT list_extract(a, b + 1)", "TRY_ELEMENT_AT(a, NULLIF(CAST(b + 1 AS INT), 0))"),
        ("SELECT greatest(a) + least(b)", "SELECT a + b"),
        ("SELECT epoch(a)", "CAST(UNIX_MICROS(CAST(a AS TIMESTAMP)) AS DOUBLE) / CAST(1000000"),
        (
            "SELECT CAST(CAST(a AS DECIMAL(4, 4)) AS VARCHAR)",
            "REGEXP_REPLACE(CAST(CAST(a AS DECIMAL(4, 4)) AS STRING), '^(-?)0[.]', '$1.')",
        ),
        ("SELECT TRY_CAST(a AS HUGEINT)", "TRY_CAST(a AS DECIMAL(38, 0))"),
        ("SELECT TRY_CAST(a AS UHUGEINT)", "TRY_CAST(a AS DECIMAL(38, 0))"),
        ("SELECT TRY_CAST(a AS TIMESTAMP_NS)", "TRY_CAST(a AS TIMESTAMP_NTZ)"),
        ("SELECT CAST(a AS UBIGINT)", "CAST(a AS DECIMAL(38, 0))"),
        ("SELECT hash(a, b)", "XXHASH64(a, b)"),
        ("SELECT array_length(a)", "SIZE(a)"),
        ('SELECT a COLLATE "binary"', "a COLLATE UTF8_BINARY"),
        ("SELECT sum(a) OVER up - b FROM t WINDOW up AS (ORDER BY c ASC)", "(SUM(a) OVER up) - b"),
        ("SELECT a FROM t ORDER BY a ASC", "ORDER BY a ASC NULLS LAST"),
        ("SELECT list_sort(list(DISTINCT a), 'ASC')", "ARRAY_SORT(COLLECT_SET(a))"),
        ("SELECT CAST('0x' || left(a, 15) AS BIGINT)", "CAST(CONV(LEFT(a, 15), 16, 10) AS BIGINT)"),
        ("SELECT $k + 1", ":k + 1"),
        ('SELECT "a""b`c"', '`a"b``c`'),
        (r"SELECT regexp_matches(a, '^\[.+\]$')", r"a RLIKE '^\\[.+\\]$'"),
    ],
)  # fmt: skip
def test_words(text: str, wanted: str) -> None:
    assert wanted in to_spark(text)


def test_lists_come_as_json_and_are_unfolded_side_by_side() -> None:
    text = 'SELECT unnest(CAST($ids AS INTEGER[])) AS "a", unnest($names) AS "b"'
    wanted = (
        "SELECT INLINE(ARRAYS_ZIP(FROM_JSON(:ids, 'ARRAY<INT>'), FROM_JSON(:names, "
        "'ARRAY<STRING>'))) AS (`a`, `b`)"
    )
    assert to_spark(text, frozenset({"ids", "names"})) == wanted


def test_secrets_are_read_from_relations() -> None:
    text = "SELECT sha256($run_key || a), list_position($order, a)"
    found = to_spark(text, frozenset({"order"}), secret=frozenset({"run_key", "order"}))
    assert "SHA2((SELECT MAX(value) FROM ppdt_secret_run_key) || a, 256)" in found
    assert "FROM_JSON((SELECT MAX(value) FROM ppdt_secret_order), 'ARRAY<STRING>')" in found


def test_small_relations_are_sent_to_every_worker() -> None:
    text = "SELECT x.a FROM x INNER JOIN ppdt_code_0 AS code ON code.a = x.a"
    assert "BROADCAST(`code`)" in to_spark(text, frozenset(), frozenset({"ppdt_code_0"}))
    assert "BROADCAST" not in to_spark(text)


def test_a_row_that_comes_last_before() -> None:
    text = "SELECT s.a FROM s ASOF LEFT JOIN v AS w ON s.n > w.m"
    found = to_spark(text)
    assert "ASOF" not in found
    assert "s.n > w.m AND (w.ppdt_next IS NULL OR s.n <= w.ppdt_next)" in found


def test_types() -> None:
    assert duck_type("array<int>") == "INTEGER[]"
    assert duck_type("timestamp_ntz") == "TIMESTAMP"
    assert duck_type("string collate UTF8_LCASE") == "VARCHAR"
    assert duck_type("map<string,int>") == "MAP<STRING,INT>"
