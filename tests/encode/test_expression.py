"""A level's expression: what follows from the value alone is computed, all else refused by name."""

import json
from pathlib import Path

import duckdb
import pytest
from support import PATIENTS, every, make_database, ppdt

import ppdt_db
from ppdt_db import Attribute, Mondrian, RequestError
from ppdt_db.encode.allowed_functions import FUNCTIONS
from ppdt_db.encode.level_expressions import over_column
from ppdt_db.engine import DuckEngine

# What is refused, and the word by which it is named.
REFUSED = {
    "localtimestamp": "does not use the column", "concat(city, localtimestamp)": "localtimestamp",
    "concat(city, localtime)": "localtime", "concat(city, current_date)": "current_date",
    "concat(city, CURRENT_TIMESTAMP)": "timestamp", "concat(city, current_user)": "user",
    "concat(city, current_localtimestamp())": "localtimestamp",
    "concat(city, current_localtime())": "current_localtime",
    "concat(city, now())": "now", "concat(city, today())": "current_date",
    "concat(city, system.main.getvariable('x'))": "qualified",
    "concat(city, main.getvariable('x'))": "qualified",
    "concat(city, system.main.upper('x'))": "qualified", "city.upper()": "",
    "concat(city, getvariable('x'))": "getvariable", "concat(city, getenv('HOME'))": "getenv",
    "concat(city, current_setting('timezone'))": "current_setting",
    "concat(city, version())": "version", "concat(city, random())": "rand",
    "concat(city, uuid())": "uuid", "concat(city, gen_random_uuid())": "uuid",
    "concat(city, nextval('s'))": "nextval", "concat(city, txid_current())": "txid_current",
    "concat(city, current_query())": "current_query", "concat(city, hash(city))": "hash",
    "concat(city, list_sort([city, 'a']))": "list_sort",
    "concat(city, age(TIMESTAMP '2020-01-01'))": "age", "error(city)": "error",
    "concat(city, to_timestamp(5))": "to_timestamp", "stats(city)": "stats",
    "concat(city, strptime('2020-01-01 +02', '%Y-%m-%d %z'))": "str",
    "concat(city, TIMESTAMP '2020-01-01' AT TIME ZONE 'UTC')": "timezone",
    "concat(city, CAST('2020-01-01' AS TIMESTAMPTZ))": "timestamp",
    "concat(city, TIMESTAMPTZ '2020-01-01')": "timestamp",
    "concat(city, CAST('10:00' AS TIMETZ))": "time",
    "CAST(city AS ENUM ('Zebedee'))": "enum", "CAST(city AS own_type)": "type",
    "CAST(city AS STRUCT(a TIMESTAMPTZ))": "struct",
    "(SELECT city)": "subquery", "concat(city, (SELECT 1))": "subquery",
    "city IN (SELECT 'a')": "subquery", "EXISTS (SELECT city)": "subquery",
    "city = ANY (['a'])": "subquery", "max(city)": "max", "count(*) OVER (ORDER BY city)": "window",
    "lower(DISTINCT city)": "lower", "unnest([city])": "unnest", "city || $x": "parameter",
    "city || ?": "parameter", "* ": "column", "concat(city, COLUMNS('x'))": "star",
    "concat(city, name)": "another column", "concat(city, t.city)": "another column",
    "concat(city, rowid)": "another column", "'a'": "does not use the column",
    "city; DROP TABLE t": "single", "city, city": "", "city AS x": "", "city FROM t": "",
    "city COLLATE nocase": "collat", "concat(city": "", "": "", "own(city)": "own",
    "read_text('/etc/hostname') || city": "read_text", "udf(city)": "udf",
}  # fmt: skip


REFUSED["left(" * 3000 + "city" + ", 1)" * 3000] = "nested"


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT ['Oslo', 'Rome'][1 + i % 2] AS city FROM range(20) r (i)"
        )
        connection.execute("CREATE MACRO own(x) AS upper(x); CREATE TYPE own_type AS VARCHAR")
        connection.create_function("udf", lambda x: x, ["VARCHAR"], "VARCHAR")  # type: ignore[list-item]
        yield connection


@pytest.mark.parametrize("text", every(2, REFUSED), ids=lambda text: text[:50])
def test_what_is_more_than_the_value_is_refused(con: duckdb.DuckDBPyConnection, text: str) -> None:
    quasi = [Attribute("city", hierarchy={"one": text})]
    with pytest.raises(RequestError) as caught:
        ppdt_db.anonymize(con, "t", quasi=quasi, method=Mondrian(k=2), into="r")
    message = str(caught.value)
    assert 'level "one" must be one deterministic SQL expression' in message
    assert REFUSED[text] in message.lower() and "Zebedee" not in message


TAKEN = {
    "left(city, 1)": {"O", "R"}, "city[1:2]": {"Os", "Ro"},
    "upper(city) || '*'": {"OSLO*", "ROME*"},
    "CASE WHEN city LIKE 'O%' THEN 'north' ELSE 'south' END": {"north", "south"},
    "if(city ILIKE 'o%', 'n', 's')": {"n", "s"},
    "coalesce(nullif(city, 'Oslo'), '?')": {"?", "Rome"},
    "CAST(length(city) AS VARCHAR)": {"4"}, "city::TEXT": {"Oslo", "Rome"},
    "TRY_CAST(city AS INTEGER) IS NULL": {"true"}, "city IN ('Oslo')": {"true", "false"},
    "city BETWEEN 'A' AND 'P'": {"true", "false"},
    "regexp_replace(city, '[a-z]', '', 'g')": {"O", "R"},
    "array_to_string(list_transform(string_split(city, 'o'), lambda x: x[1]), '')": {"O", "Rm"},
    "array_to_string([left(x, 1) FOR x IN string_split(city, 's')], '-')": {"O-l", "R"},
    "substring(city FROM 1 FOR 2)": {"Os", "Ro"}, "trim(BOTH 'O' FROM city)": {"slo", "Rome"},
    "split_part(city, 'o', 1)": {"Osl", "R"}, "CAST(strlen(city) // 3 AS VARCHAR)": {"1"},
    "strftime(DATE '2020-01-01' + CAST(length(city) AS INTEGER), '%Y-%m')": {"2020-01"},
    "city ~ 'O.*'": {"true", "false"},
    "printf('%s!', city)": {"Oslo!", "Rome!"},
    "CITY": {"Oslo", "Rome"}, '"city"': {"Oslo", "Rome"},
    "TRY(CAST(city = 'x' AS BOOLEAN))": {"false"},
    "concat(year(DATE '2020-01-01' + INTERVAL 3 DAY), city)": {"2020Oslo", "2020Rome"},
    "CAST(CAST('12.5' AS DECIMAL(9, 2)) AS VARCHAR) || left(city, 0)": {"12.50"},
}  # fmt: skip


@pytest.mark.parametrize("text", TAKEN)
def test_what_follows_from_the_value_is_computed(con: duckdb.DuckDBPyConnection, text: str) -> None:
    engine = DuckEngine(con)
    (judged,) = over_column(engine, [text], "city")
    assert judged.fault == "" and judged.text is not None
    found = con.execute(
        f"SELECT DISTINCT CAST({judged.text} AS VARCHAR) FROM (SELECT city AS value FROM t) AS base"
    )
    assert {row[0] for row in found.fetchall()} == TAKEN[text]


def test_all_levels_are_read_in_one_query(con: duckdb.DuckDBPyConnection) -> None:
    found = over_column(
        DuckEngine(con), ["left(city, 1)", "random()", "f(city)", "upper(city)"], "city"
    )
    assert [bool(judged.fault) for judged in found] == [False, True, True, False]


def test_what_is_allowed_is_consistent_and_no_aggregate() -> None:
    """What DuckDB itself calls anything else can never be allowed."""
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT function_name, function_type, stability FROM duckdb_functions()"
        ).fetchall()
    of: dict[str, set] = {}
    for name, kind, stability in rows:
        of.setdefault(name.lower(), set()).add((kind, stability))
    for name in FUNCTIONS & of.keys():
        assert {s for k, s in of[name] if k == "scalar"} <= {"CONSISTENT"}, name
        assert not {k for k, _ in of[name]} & {"aggregate", "pragma"}, name
    # Not so by the name of a single version: one of the two that we support lacks a few.
    assert len(FUNCTIONS - of.keys()) < 12, sorted(FUNCTIONS - of.keys())


def test_the_time_zone_of_the_session_changes_no_word(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("SET TimeZone = 'UTC'")
    con.execute(
        "CREATE TABLE z AS SELECT TIMESTAMPTZ '2020-01-01 23:30:00+00' "
        " + INTERVAL 1 DAY * (i % 3) AS instant "
        "FROM range(30) r (i)"
    )
    texts = {
        "hour": "strftime(instant, '%Y-%m-%d %H')",
        "day": "CAST(CAST(instant AS DATE) AS VARCHAR)",
    }
    shown = []
    for zone in ("UTC", "Asia/Tokyo", "America/New_York"):
        con.execute(f"SET TimeZone = '{zone}'")
        ppdt_db.anonymize(
            con,
            "z",
            quasi=[Attribute("instant", hierarchy=texts)],
            method=Mondrian(k=2),
            into="r",
            replace=True,
        )
        shown.append(con.execute("SELECT DISTINCT instant FROM r ORDER BY 1").fetchall())
    assert shown[0] == shown[1] == shown[2] and "2020-01-01 23" in str(shown[0])


def test_a_policy_names_the_function(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "clinic.duckdb", PATIENTS)
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "source: patients\nquasi: [sex, age]\nidentifiers: [name]\nkeep: rest\ninto: x\n"
        f"db: {clinic}\nhierarchy: {json.dumps({'sex': {'a': 'concat(sex, localtimestamp)'}})}\n"
    )
    ended = ppdt("anonymize", "--policy", policy)
    assert (
        ended.code == 2 and "localtimestamp" in ended.err.lower() and "Traceback" not in ended.err
    )
