"""The live view: its guard holds in every state of the source, and it fails closed."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import duckdb
import pytest
from support import PATIENTS, anonymize_patients, bag, classes, every, mostly_slow, objects, read

import ppdt_db
from ppdt_db import Attribute, Mondrian

LIVE = {
    "live": True,
    "accept": ["state-by-state", "reader-side-channels"],
    "into": "seen",
    "keep": "rest",
}
QUASI = ["age", "sex", "zip"]


@pytest.fixture(params=["memory", "file"])
def patients(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    place = ":memory:" if request.param == "memory" else str(tmp_path / "clinic.duckdb")
    with duckdb.connect(place) as con:
        con.execute(PATIENTS)
        yield con


def groups(con: duckdb.DuckDBPyConnection) -> dict[tuple, list[tuple]]:
    return classes(read(con, "seen", [*QUASI, "diagnosis", "number"]), 3)


def test_it_shows_what_a_snapshot_shows(patients: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(patients, **LIVE)
    anonymize_patients(patients, into="kept")
    assert bag(patients, "seen") == bag(patients, "kept")


def test_its_order_is_not_the_sources(patients: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(patients, **LIVE)
    before = read(patients, "seen")
    patients.execute("CREATE OR REPLACE TABLE patients AS FROM patients ORDER BY hash(number)")
    assert read(patients, "seen") == before


@pytest.mark.parametrize("l", mostly_slow([1, 2], 2))
def test_the_guard_holds_at_every_state(patients: duckdb.DuckDBPyConnection, l: int) -> None:  # noqa: E741
    anonymize_patients(patients, method=Mondrian(k=5, l=l), **LIVE)
    random = Random(3)
    for _ in range(40):
        number = random.randrange(200)
        patients.execute(
            random.choice([
                f"DELETE FROM patients WHERE number = {number}",
                f"DELETE FROM patients WHERE number % 20 = {number % 20}",
                f"UPDATE patients SET diagnosis = 'flu' WHERE number % 7 = {number % 7}",
                f"UPDATE patients SET diagnosis = NULL WHERE number % 9 = {number % 9}",
                f"UPDATE patients SET age = NULL WHERE number = {number}",
                f"UPDATE patients SET age = 300, zip = -1 WHERE number = {number}",
                f"INSERT INTO patients SELECT * FROM patients WHERE number = {number}",
                f"UPDATE patients SET sex = CASE sex WHEN 'f' THEN 'm' ELSE 'f' END "
                f"WHERE number % 11 = {number % 11}",
            ])
        )  # fmt: skip
        for members in groups(patients).values():
            assert len(members) >= 5
            assert len({diagnosis for diagnosis, _ in members}) >= l


def test_a_class_that_loses_k_rows_is_gone_and_comes_back(
    patients: duckdb.DuckDBPyConnection,
) -> None:
    anonymize_patients(patients, **LIVE)
    before = groups(patients)
    label, members = min(before.items(), key=lambda item: len(item[1]))
    numbers = [number for _, number in members]
    gone = numbers[: len(numbers) - 4]
    patients.execute("CREATE TABLE away AS FROM patients WHERE list_contains(?, number)", [gone])
    patients.execute("DELETE FROM patients WHERE list_contains(?, number)", [gone])
    after = groups(patients)
    assert label not in after
    assert after == {other: rows for other, rows in before.items() if other != label}
    patients.execute("INSERT INTO patients FROM away")
    assert bag(patients, "seen", QUASI)[label] == len(members)


def test_unseen_values_give_no_row(patients: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(patients, **LIVE)
    before = bag(patients, "seen")
    for age, sex, zip_ in ((17, "'f'", 80001), (30, "'x'", 80001), (30, "'f'", 1), (30, "NULL", 1)):
        patients.execute(
            f"INSERT INTO patients SELECT 'n', {age}, {sex}, {zip_}, 'flu', TRUE, 900 "
            "FROM range(50)"
        )
    assert bag(patients, "seen") == before


def test_known_values_in_a_new_combination_stay_behind_the_guard(
    patients: duckdb.DuckDBPyConnection,
) -> None:
    anonymize_patients(patients, **LIVE)
    patients.execute(
        "INSERT INTO patients SELECT name, age, CASE sex WHEN 'f' THEN 'm' ELSE 'f' END, zip, "
        "diagnosis, readmitted, 1000 + number FROM patients"
    )
    assert all(number < 1000 for members in groups(patients).values() for _, number in members)


CHANGES = [
    "ALTER TABLE patients DROP COLUMN age",
    "ALTER TABLE patients RENAME COLUMN zip TO post",
    "ALTER TABLE patients ALTER COLUMN zip SET DATA TYPE VARCHAR",
    "ALTER TABLE patients ALTER COLUMN age SET DATA TYPE DOUBLE",
    "ALTER TABLE patients RENAME TO others",
    "DROP TABLE patients",
    "CREATE OR REPLACE TABLE patients AS SELECT 1 AS age",
]


@pytest.mark.parametrize("change", every(5, CHANGES))
def test_it_fails_closed(patients: duckdb.DuckDBPyConnection, change: str) -> None:
    anonymize_patients(patients, **LIVE)
    patients.execute(change)
    try:
        assert read(patients, "seen") == []
    except duckdb.Error:
        return


def test_a_new_column_of_the_source_does_not_appear(patients: duckdb.DuckDBPyConnection) -> None:
    anonymize_patients(patients, **LIVE)
    before = patients.execute("DESCRIBE seen").fetchall()
    patients.execute("ALTER TABLE patients ADD COLUMN email VARCHAR DEFAULT 'secret'")
    assert patients.execute("DESCRIBE seen").fetchall() == before
    assert "secret" not in str(read(patients, "seen"))


def test_entities_count_and_stay_inside(patients: duckdb.DuckDBPyConnection) -> None:
    patients.execute("CREATE TABLE visits AS SELECT *, number // 3 AS person FROM patients")
    anonymize_patients(patients, "visits", entity="person", **LIVE)
    assert "person" not in [c for c, *_ in patients.execute("DESCRIBE seen").fetchall()]
    patients.execute("DELETE FROM visits WHERE number % 4 = 0")
    patients.execute("INSERT INTO visits FROM visits WHERE number % 3 = 1")
    person = dict(patients.execute("SELECT number, person FROM visits").fetchall())
    for members in groups(patients).values():
        assert len({person[number] for _, number in members}) >= 5


def test_every_recoding_can_live(patients: duckdb.DuckDBPyConnection) -> None:
    quasi = [Attribute("age", "mean"), Attribute("sex", "mode"), Attribute("zip", "bounds")]
    anonymize_patients(patients, quasi=quasi, **LIVE)
    assert read(patients, "seen")
    patients.execute("DELETE FROM patients WHERE number % 3 = 0")
    counts = bag(patients, "seen", ["age", "sex", "zip_lo", "zip_hi", "zip_has_null"])
    assert min(counts.values()) >= 5


def test_a_view_and_a_file_can_be_followed(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE VIEW grown AS FROM patients WHERE age >= 18 OR age IS NULL")
    anonymize_patients(con, "grown", **LIVE)
    con.execute("DELETE FROM patients WHERE number < 100")
    assert min(bag(con, "seen", QUASI).values(), default=5) >= 5
    path = tmp_path / "patients.parquet"
    con.execute(f"COPY patients TO '{path}'")
    anonymize_patients(con, path, **{**LIVE, "into": "seen_file"})
    con.execute(f"COPY (FROM patients WHERE number % 3 > 0) TO '{path}'")
    assert min(bag(con, "seen_file", QUASI).values(), default=5) >= 5


MODERN = int(duckdb.__version__.partition(".")[0]) >= 2
# What a reader may try, to learn that somebody is held back, or that his value is `lone`.
ATTACKS = [
    "FROM seen WHERE "
    "CAST(CASE WHEN (age || sex[1] || zip) = '{label}' THEN 'found' ELSE '1' END AS INTEGER) = 1",
    "SELECT count(*) FROM seen WHERE "
    "CASE WHEN (age || sex[1] || zip) = '{label}' THEN error('found') ELSE TRUE END",
    "FROM seen AS a JOIN seen AS b USING (number) "
    "WHERE CAST(CASE WHEN (a.age || a.sex[1] || a.zip) = '{label}' "
    "THEN 'found' ELSE '1' END AS INTEGER) = 1",
    "FROM seen WHERE CASE WHEN diagnosis = 'lone' THEN error('found') ELSE TRUE END",
    "FROM seen WHERE 1 / CASE WHEN diagnosis = 'lone' THEN 0 ELSE 1 END > 0 "
    "AND CAST(CASE WHEN diagnosis = 'lone' THEN 'found' ELSE '1' END AS INTEGER) = 1",
    "SELECT CAST(CASE WHEN diagnosis = 'lone' THEN 'found' ELSE '1' END AS INTEGER) FROM seen",
    "FROM seen AS a JOIN seen AS b USING (number) "
    "WHERE CASE WHEN a.diagnosis = 'lone' THEN error('found') ELSE TRUE END",
    "FROM seen WHERE number IN (SELECT CASE WHEN diagnosis = 'lone' THEN error('found') "
    "ELSE number END FROM seen)",
    "FROM seen ORDER BY CASE WHEN diagnosis = 'lone' THEN error('found') END",
    "SELECT max(CASE WHEN diagnosis = 'lone' THEN error('found') END) FROM seen",
]


def held_back(con: duckdb.DuckDBPyConnection) -> str:
    """A live view of which the class of somebody with the value `lone` is held back; its label."""
    con.execute(PATIENTS)
    con.execute("INSERT INTO patients VALUES ('x', 18, 'm', 80000, 'lone', TRUE, -1)")
    anonymize_patients(con, **LIVE)
    # Two classes may show one age: a class is told by all that it shows.
    own = "(SELECT (age || sex[1] || zip) FROM seen WHERE number = -1)"
    (label,) = con.execute(f"FROM {own}").fetchone() or ("",)
    members = con.execute(
        f"SELECT number FROM seen WHERE (age || sex[1] || zip) = {own}"
    ).fetchall()
    numbers = [number for (number,) in members if number != -1]
    con.execute("DELETE FROM patients WHERE number IN (FROM (SELECT unnest($1)))", [numbers])
    shown = {diagnosis for members in groups(con).values() for diagnosis, _ in members}
    assert shown == {"flu", "cold", "gout", "mumps"}
    return str(label)


@pytest.mark.skipif(not MODERN, reason="secure views came with DuckDB 2")
@pytest.mark.parametrize("attack", every(3, ATTACKS))
def test_a_readers_filter_learns_nothing_below_the_guard(
    con: duckdb.DuckDBPyConnection, attack: str
) -> None:
    """An error in a reader's expression would tell of rows that the guard holds back."""
    label = held_back(con)
    con.execute(attack.format(label=label)).fetchall()


@pytest.mark.skipif(not MODERN, reason="secure views came with DuckDB 2")
def test_a_plan_tells_no_value_that_is_held_back(con: duckdb.DuckDBPyConnection) -> None:
    """It does tell how many rows are held back, which the certificate says."""
    held_back(con)
    for query in ("FROM seen", "FROM seen AS a JOIN seen AS b USING (diagnosis)"):
        for wanted in ("lone", "gone"):
            where = f"{query} WHERE diagnosis = '{wanted}'"
            plan = con.execute(f"EXPLAIN ANALYZE {where}").fetchall()[-1][1]
            counts = re.findall(r"([\d,]+) rows?", plan)
            if wanted == "lone":
                first = counts
        assert counts == first, "a value that is held back makes the same plan as one that is not"
    (statistics,) = con.execute("SELECT stats(number) FROM seen LIMIT 1").fetchone() or ("",)
    assert "min" not in str(statistics).lower()


@pytest.fixture
def insecure(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in which no view can be a SECURE VIEW."""
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{tmp_path / 'old.duckdb'}' AS old (STORAGE_VERSION 'v1.0.0')")
        con.execute("USE old")
        yield con


def test_without_secure_views_it_must_be_accepted(insecure: duckdb.DuckDBPyConnection) -> None:
    insecure.execute(PATIENTS)
    with pytest.raises(ppdt_db.RequestError, match="--accept reader-side-channels") as caught:
        anonymize_patients(insecure, **{**LIVE, "accept": ["state-by-state"]})
    assert ("older DuckDB" if MODERN else "it needs version 2") in str(caught.value)
    assert "schema ppdt" not in str(objects(insecure)) and len(objects(insecure)) == 1
    made = anonymize_patients(insecure, **LIVE)
    notes = " ".join(made.certificate["notes"])  # type: ignore[arg-type]
    assert "not a SECURE VIEW" in notes and "accepted: reader-side-channels" in notes


def test_what_is_accepted_there_is_true(insecure: duckdb.DuckDBPyConnection) -> None:
    """A reader's plan shows what is below the guard, where the certificate says that it does."""
    held_back(insecure)
    n_rows = insecure.execute("SELECT count(*) FROM patients").fetchone()
    n_shown = insecure.execute("SELECT count(*) FROM seen").fetchone()
    plan = insecure.execute("EXPLAIN ANALYZE FROM seen").fetchall()[-1][1]
    assert n_rows and n_shown and n_rows[0] > n_shown[0]
    assert f"{n_rows[0]} rows" in plan and "live_1_member" in plan


@pytest.mark.skipif(not MODERN, reason="secure views came with DuckDB 2")
def test_a_secure_view_asks_for_nothing_more(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    made = anonymize_patients(con, **{**LIVE, "accept": ["state-by-state"]})
    notes = " ".join(made.certificate["notes"])  # type: ignore[arg-type]
    assert "it is a SECURE VIEW" in notes and "how many rows are withheld" in notes


@pytest.mark.skipif(MODERN, reason="DuckDB 2 has secure views")
def test_duckdb_1_has_none(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    with pytest.raises(ppdt_db.RequestError, match="it needs version 2"):
        anonymize_patients(con, **{**LIVE, "accept": ["state-by-state"]})


def test_nothing_else_is_visible_after_it_is_dropped(patients: duckdb.DuckDBPyConnection) -> None:
    ppdt_db.migrate(patients)
    before = {name for _, name, _ in objects(patients)}
    anonymize_patients(patients, **LIVE)
    ppdt_db.drop(patients, "seen")
    assert {name for _, name, _ in objects(patients)} == before


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"accept": []}, "state-by-state"),
        ({"method": Mondrian(k=5, relaxed=True)}, "relaxed"),
        ({"into": None, "out": "x.parquet"}, "--into"),
        ({"identifiers": [], "pseudonymize": ["name"], "pseudonym_key": "k" * 16}, "pseudonymize"),
    ],
)
def test_what_cannot_live_is_refused(
    con: duckdb.DuckDBPyConnection, options: dict, word: str
) -> None:
    con.execute(PATIENTS)
    with pytest.raises(ppdt_db.RequestError, match=word):
        anonymize_patients(con, **{**LIVE, **options})


def test_a_source_that_goes_away_cannot_live(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    with pytest.raises(ppdt_db.RequestError, match="temporary"):
        anonymize_patients(con, **LIVE)
    with pytest.raises(ppdt_db.RequestError, match="frame"):
        anonymize_patients(con, con.sql("FROM patients"), **LIVE)
