"""What a release shows as it is: how many rows it singles out, and what may go out unnoticed."""

import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import PATIENTS, anonymize_patients, examples, make_database, objects, ppdt, read

import ppdt_db
from ppdt_db import Attribute, GuaranteeError, Mondrian, RequestError


def alone(rows: list[tuple], places: tuple[int, ...]) -> float:
    """The share of rows that no other row equals in some columns, counted by hand."""
    seen = Counter(repr([row[place] for place in places]) for row in rows)
    return sum(n for n in seen.values() if n == 1) / len(rows)


VISITS = """
    CREATE TABLE visits AS
    SELECT
        i // 2 AS person,
        20 + i % 4 AS age,
        i % 10 AS ward,
        (i * 7) % 13 AS room,
        ['a', NULL, 'c'][1 + i % 3] AS letter,
        [i % 2, NULL] AS list,
        {'x': CASE WHEN i % 5 = 0 THEN CAST('nan' AS DOUBLE) ELSE i % 5 END} AS pair,
        CAST(json_object('n', i % 6) AS JSON) AS doc,
        i % 2 = 0 AS readmitted,
        CASE WHEN i < 3 THEN 'rare ' || i ELSE 'flu' END AS illness
    FROM range(120) AS r (i)
"""
KEPT = ["ward", "room", "letter", "list", "pair", "doc"]


@pytest.fixture
def visits() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(VISITS)
    return con


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(PATIENTS)
    return con


def release(con: duckdb.DuckDBPyConnection, **options: object) -> ppdt_db.Release:
    asked: dict = {
        "quasi": ["age"], "identifiers": ["person"], "sensitive": ["illness"],
        "target": "readmitted", "keep": KEPT, "method": Mondrian(k=5), "into": "shown", **options,
    }  # fmt: skip
    return ppdt_db.anonymize(con, "visits", **asked)


def test_kept_columns_are_judged_together(visits: duckdb.DuckDBPyConnection) -> None:
    made = release(visits).certificate
    columns = [*KEPT, "readmitted"]
    rows = read(visits, "shown", [*columns, "age", "illness"])
    places = tuple(range(len(columns)))
    assert made["kept_together"] == columns
    assert made["kept_columns_uniqueness"] == {
        column: pytest.approx(alone(rows, (place,))) for place, column in enumerate(columns)
    }
    assert made["kept_uniqueness"] == pytest.approx(alone(rows, places)) != 0
    assert made["kept_with_quasi_uniqueness"] == pytest.approx(alone(rows, (*places, 7)))
    assert made["kept_with_sensitive_uniqueness"] == pytest.approx(alone(rows, (*places, 8)))


def test_uniqueness_is_of_rows_not_of_values(visits: duckdb.DuckDBPyConnection) -> None:
    # Three values in 120 rows, two of them of one row each.
    visits.execute("UPDATE visits SET letter = CASE ward + room WHEN 0 THEN 'x' ELSE 'y' END")
    visits.execute("UPDATE visits SET letter = NULL WHERE ward = 1 AND room = 7 AND person = 0")
    made = release(visits).certificate
    rows = read(visits, "shown", ["letter"])
    assert alone(rows, (0,)) == pytest.approx(made["kept_columns_uniqueness"]["letter"])
    assert 0 < made["kept_columns_uniqueness"]["letter"] < 3 / 120


def test_rows_of_one_person_do_not_hide_each_other(visits: duckdb.DuckDBPyConnection) -> None:
    visits.execute("UPDATE visits SET ward = person, room = 0, letter = '', list = [], doc = '1'")
    visits.execute("UPDATE visits SET pair = NULL, readmitted = TRUE")
    assert release(visits).certificate["kept_uniqueness"] == 0
    people = release(visits, identifiers=[], entity="person", replace=True).certificate
    # Each ward is of one person, whose rows are two.
    assert people["kept_uniqueness"] == people["kept_columns_uniqueness"]["ward"] == 1
    assert people["kept_columns_uniqueness"]["letter"] == 0


def test_columns_that_single_out_rows_are_warned_of(visits: duckdb.DuckDBPyConnection) -> None:
    made = release(visits)
    together = [text for text in made.warnings if "together" in text]
    assert len(together) == 1
    assert "ward" in together[0] and "--max-kept-uniqueness" in together[0]
    assert "kept-nearly-unique" in {lint["name"] for lint in made.certificate["lints"]}
    plain = release(visits, keep=[], identifiers=["person", *KEPT], target=None, into="plain",
                    quasi=["age", "readmitted"])  # fmt: skip
    assert plain.certificate["kept_uniqueness"] is None
    assert plain.certificate["kept_with_quasi_uniqueness"] is None
    assert not [text for text in plain.warnings if "kept" in text]


@pytest.mark.parametrize("place", [{"into": "shown"}, {"into": None, "out": "shown.parquet"}])
def test_a_bound_on_kept_columns_releases_nothing(
    visits: duckdb.DuckDBPyConnection, tmp_path: Path, place: dict[str, str]
) -> None:
    if "out" in place:
        place = {**place, "out": str(tmp_path / place["out"])}
    before = objects(visits)
    with pytest.raises(GuaranteeError, match=r"kept_uniqueness <= 0.05(.|\n)*ward"):
        release(visits, max_kept_uniqueness=0.05, **place)
    assert objects(visits) == before and not list(tmp_path.iterdir())
    made = release(visits, max_kept_uniqueness=1, **place).certificate
    bounds = {f["name"]: f["required"] for f in made["findings"]}
    assert bounds["kept_uniqueness"] == bounds["kept_with_quasi_uniqueness"] == 1


def test_what_the_quasi_identifiers_add_is_bounded_too(visits: duckdb.DuckDBPyConnection) -> None:
    asked = {"keep": ["ward"], "identifiers": ["person", *KEPT[1:]], "target": None,
             "quasi": ["age", "readmitted"], "method": Mondrian(k=2)}  # fmt: skip
    visits.execute("UPDATE visits SET ward = 99 WHERE room = 0 AND age < 22 AND person < 20")
    visits.execute("UPDATE visits SET ward = 77 WHERE room = 1 AND person = 4")
    made = release(visits, **asked).certificate
    alone_on_ward = made["kept_uniqueness"]
    with_quasi = made["kept_with_quasi_uniqueness"]
    assert alone_on_ward < with_quasi
    with pytest.raises(GuaranteeError, match="kept_with_quasi_uniqueness"):
        release(visits, **asked, replace=True, max_kept_uniqueness=(alone_on_ward + with_quasi) / 2)


@pytest.mark.parametrize("bound", [-0.1, 1.5, float("nan"), float("inf"), "0.5"])
@pytest.mark.parametrize("name", ["max_kept_uniqueness", "max_loss"])
def test_a_bound_is_a_share(visits: duckdb.DuckDBPyConnection, name: str, bound: object) -> None:
    with pytest.raises(RequestError, match=name.replace("_", "-")):
        release(visits, **{name: bound})


@pytest.mark.parametrize("name", ["max_kept_uniqueness", "max_loss"])
def test_a_live_view_promises_no_bound(visits: duckdb.DuckDBPyConnection, name: str) -> None:
    with pytest.raises(RequestError, match="only at first"):
        release(visits, live=True, accept=["state-by-state"], **{name: 1})


def test_the_command_line_and_policies_take_the_bound(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    asked = ["patients", "--db", path, "--id", "name", "--qi", "age,sex,zip", "--sensitive",
             "diagnosis", "--keep", "rest", "--into", "shown"]  # fmt: skip
    ended = ppdt("anonymize", *asked, "--max-kept-uniqueness", "0.5")
    assert ended.code == 3 and "kept_uniqueness <= 0.5  (measured 1)" in ended.err
    policy = tmp_path / "policy.yaml"
    policy.write_text("max_kept_uniqueness: 0.5\nmax_loss: 0.9\n")
    assert ppdt("anonymize", *asked, "--policy", policy).code == 3
    ended = ppdt("anonymize", *asked, "--policy", policy, "--max-kept-uniqueness", "1")
    assert ended.code == 0, ended.err
    assert '"readmitted", "number"' in ended.out and "100.0 % of the rows" in ended.out


# -- text that is shown as sets --


def test_sets_of_near_unique_text_are_warned_of(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("ALTER TABLE patients ADD COLUMN address VARCHAR")
    con.execute("UPDATE patients SET address = 'street ' || number")
    asked = {"keep": ["readmitted"], "identifiers": ["name", "number", "sex", "zip"]}
    made = anonymize_patients(con, quasi=["age", "address"], **asked)
    found = [lint for lint in made.certificate["lints"] if lint["name"] == "sets-show-values"]
    assert [lint["columns"] for lint in found] == [["address"]]
    text = next(text for text in made.warnings if '"address"' in text)
    assert "prefixes" in text and "--id" in text and "street" not in text
    coarse = Attribute("address", hierarchy="prefixes:6")
    calm = anonymize_patients(con, quasi=["age", coarse], into="calm", **asked)
    assert "sets-show-values" not in {lint["name"] for lint in calm.certificate["lints"]}


# -- columns that appear tomorrow --

REST = ["--id", "name", "--qi", "age,sex,zip", "--sensitive", "diagnosis", "--keep", "rest"]
NEW = "ALTER TABLE patients ADD COLUMN email VARCHAR"


def test_a_new_column_stops_a_run_that_keeps_the_rest(con: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(con, into="Weekly")
    anonymize_patients(con, into="weekly", replace=True)
    con.execute(NEW)
    con.execute("ALTER TABLE patients ADD COLUMN phone VARCHAR")
    before = objects(con)
    with pytest.raises(RequestError, match=r'"email"(.|\n)*"phone"(.|\n)*--accept new-columns'):
        anonymize_patients(con, into="weekly", replace=True)
    assert objects(con) == before
    ppdt_db.drop(con, "weekly")
    with pytest.raises(RequestError, match="email"):
        anonymize_patients(con, into="weekly")
    anonymize_patients(con, into="weekly", identifiers=["name", "email", "phone"])
    # What was dropped before does not go out by the rest either.
    with pytest.raises(RequestError, match="phone"):
        anonymize_patients(con, into="weekly", identifiers=["name", "email"], replace=True)
    anonymize_patients(con, into="weekly", replace=True, accept=["new-columns"])
    anonymize_patients(con, into="weekly", replace=True)
    anonymize_patients(con, into="other")


def test_named_columns_are_kept_without_a_question(con: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(con)
    con.execute(NEW)
    anonymize_patients(con, keep=["readmitted", "number", "email"], replace=True)


def test_a_policy_file_is_known_by_its_name(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    policy = tmp_path / "nightly.yaml"
    policy.write_text(
        f"source: patients\ndb: {path}\nidentifiers: [name]\nquasi: [age, sex, zip]\n"
        "sensitive: [diagnosis]\nkeep: rest\nk: 5\n"
    )
    asked = ["anonymize", "--policy", policy, "--quiet"]
    assert ppdt(*asked, "--into", "monday").code == 0
    with duckdb.connect(str(path)) as con:
        con.execute(NEW)
    ended = ppdt(*asked, "--into", "tuesday")
    assert ended.code == 2 and '"email"' in ended.err and "nightly.yaml" in ended.err
    assert ppdt("anonymize", "patients", "--db", path, *REST, "--into", "own", "--quiet").code == 0
    assert ppdt(*asked, "--into", "tuesday", "--accept", "new-columns").code == 0
    assert ppdt(*asked, "--into", "wednesday").code == 0


def test_files_are_compared_with_the_certificate_that_stands(tmp_path: Path) -> None:
    source, out, made = (tmp_path / name for name in ("p.parquet", "o.parquet", "c.json"))
    with duckdb.connect(str(make_database(tmp_path / "clinic.duckdb"))) as con:
        con.execute(f"COPY patients TO '{source}'")
        con.execute(NEW)
        asked = ["anonymize", source, *REST, "--out", out, "--certificate", made, "--quiet"]
        assert ppdt(*asked).code == 0
        assert ppdt(*asked, "--replace").code == 0
        con.execute(f"COPY patients TO '{source}'")
    held = made.read_bytes(), out.read_bytes()
    ended = ppdt(*asked, "--replace")
    assert ended.code == 2 and '"email"' in ended.err and "c.json" in ended.err
    assert (made.read_bytes(), out.read_bytes()) == held
    assert ppdt(*asked, "--replace", "--accept", "new-columns").code == 0
    assert "email" in json.loads(made.read_text())["policy"]["kept"]
    assert ppdt(*asked, "--replace").code == 0
    made.write_text("[1]")
    ended = ppdt(*asked, "--replace")
    assert ended.code == 2 and "not a certificate" in ended.err and made.read_text() == "[1]"
    made.write_text("")
    assert ppdt(*asked, "--replace").code == 0


def test_python_takes_the_certificate_of_the_last_run(con: duckdb.DuckDBPyConnection) -> None:
    last = anonymize_patients(con, into="one").certificate
    con.execute(NEW)
    with pytest.raises(RequestError, match="email"):
        anonymize_patients(con, into="two", previous=last)
    anonymize_patients(con, into="two", previous=last, accept=["new-columns"])


# -- by the definition, on any values --

CON = duckdb.connect()
VALUES = st.sampled_from(["", "a", "A", None])


@given(st.lists(st.tuples(VALUES, VALUES, st.sampled_from([0.0, -0.0, float("nan"), None])),
                min_size=6, max_size=14))  # fmt: skip
@examples(15)
def test_uniqueness_by_its_definition(rows: list[tuple]) -> None:
    con = CON
    con.execute("DROP TABLE IF EXISTS t")
    con.execute("CREATE TABLE t (q INTEGER, a VARCHAR COLLATE NOCASE, b VARCHAR, c DOUBLE)")
    con.executemany("INSERT INTO t VALUES (1, ?, ?, ?)", rows)
    made = ppdt_db.anonymize(
        con, "t", quasi=["q"], keep="rest", method=Mondrian(k=3), into="r", replace=True
    ).certificate
    held = read(con, "r", ["a", "b", "c"])
    assert made["kept_columns_uniqueness"] == {
        name: pytest.approx(alone(held, (place,))) for place, name in enumerate("abc")
    }
    assert made["kept_uniqueness"] == pytest.approx(alone(held, (0, 1, 2)))
    assert made["kept_with_quasi_uniqueness"] == made["kept_uniqueness"]
