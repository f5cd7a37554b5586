"""Attacks: what a hostile or merely unlucky table, name, file or database could make go wrong."""

import re
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import duckdb
import pytest
from pytest import MonkeyPatch
from support import (
    FLAGS,
    PATIENTS,
    anonymize_patients,
    every,
    make_database,
    mostly_slow,
    ppdt,
    read,
)

import ppdt_db
from ppdt_db import Mdav, Mondrian
from ppdt_db.methods import Method


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.0::DOUBLE", "-0.0::DOUBLE"),
        ("[0.0::FLOAT]", "[-0.0::FLOAT]"),
        ("INTERVAL '1 month'", "INTERVAL '30 days'"),
        ("{'a': 'NULL'}", "{'a': NULL}"),
        ("'a' COLLATE nocase", "'A' COLLATE nocase"),
    ],
)
def test_an_audit_tells_values_apart_that_only_compare_as_equal(
    con: duckdb.DuckDBPyConnection, one: str, other: str
) -> None:
    con.execute(f"CREATE TABLE t AS SELECT {one} AS q FROM range(9)")
    con.execute(f"INSERT INTO t SELECT {other} FROM range(1)")
    assert ppdt_db.audit(con, "t", quasi=["q"]).measures["k"] == 1


def test_an_audit_measures_losses_against_the_original(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE original AS SELECT i AS Q, i AS lower FROM range(101) AS r (i)")
    con.execute(
        "CREATE TABLE released AS SELECT '[0, 50]' AS q, 0 AS lower_lo, 25 AS lower_hi "
        "FROM range(101)"
    )
    quasi = ["q", "lower_lo", "lower_hi"]
    alone = ppdt_db.audit(con, "released", quasi=quasi).measures
    assert alone["gcp"] == 1
    frame = con.table("original").arrow()
    for original in (
        "original",
        con.table("original"),
        getattr(frame, "read_all", lambda: frame)(),
    ):
        against = ppdt_db.audit(con, "released", quasi=quasi, original=original).measures
        assert against["ncp"] == {"q": 0.5, "lower": 0.25}
    with pytest.raises(ppdt_db.RequestError, match="no such table"):
        ppdt_db.audit(con, "released", quasi=quasi, original="nonsense")


def test_an_audit_refuses_requirements_that_it_does_not_know(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute("CREATE TABLE t AS SELECT 1 AS q FROM range(9)")
    with pytest.raises(ppdt_db.RequestError, match='requirement "zz"'):
        ppdt_db.audit(con, "t", quasi=["q"], require={"zz": 0.2})


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("folder", ["k=3", "zip=1"])
def test_a_folder_named_like_a_partition_does_not_stand_in_for_what_was_written(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, folder: str, ending: str
) -> None:
    (tmp_path / folder).mkdir()
    con.execute("CREATE TABLE t AS SELECT i % 5 AS zip, i AS number FROM range(60) AS r (i)")
    release = ppdt_db.anonymize(
        con, "t", quasi=[ppdt_db.Attribute("zip", recode="mode")], keep="rest",
        method=Mondrian(k=5), out=tmp_path / folder / f"r.{ending}",
    )  # fmt: skip
    assert release.certificate["classes"] == 5
    assert release.certificate["k_measured"] == 12


def test_a_view_of_the_owners_is_neither_replaced_nor_dropped(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute(PATIENTS)
    anonymize_patients(con, into="r")
    con.execute("CREATE OR REPLACE VIEW r AS SELECT 42 AS mine")
    with pytest.raises(ppdt_db.RequestError, match="that ppdt did not create"):
        anonymize_patients(con, into="r", replace=True)
    ppdt_db.drop(con, "r")
    assert read(con, "r") == [(42,)]
    assert objects_of_ours(con) == []


def test_a_table_in_the_place_of_a_dropped_view_is_left_alone(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute(PATIENTS)
    anonymize_patients(con, into="r")
    con.execute("DROP VIEW r")
    con.execute("CREATE TABLE r AS SELECT 42 AS mine")
    ppdt_db.drop(con, "r")
    assert read(con, "r") == [(42,)]


@pytest.mark.parametrize("live", [False, True])
def test_a_release_stays_at_its_place_whatever_the_current_schema(
    con: duckdb.DuckDBPyConnection, live: bool
) -> None:
    options = {"live": live, "accept": ["state-by-state", "reader-side-channels"], "replace": True}
    con.execute(PATIENTS)
    con.execute("CREATE SCHEMA other")
    anonymize_patients(con, into="r", **options)
    con.execute("USE other")
    con.execute("CREATE VIEW other.r AS SELECT 42 AS mine")
    anonymize_patients(con, "main.patients", into="Main.R", **options)
    assert read(con, "other.r") == [(42,)]
    assert len(read(con, "main.r")) == 200
    con.execute("CREATE TEMP VIEW r AS SELECT 43 AS mine")
    ppdt_db.drop(con, "main.r")
    assert read(con, "r") == [(43,)]
    assert read(con, "other.r") == [(42,)]
    assert objects_of_ours(con) == []


# DuckDB 1.5 keeps the database's name in a view's text, so there the source is not found.
@pytest.mark.parametrize("live", [False, True] if duckdb.__version__ >= "2" else [False])
def test_a_release_is_read_whatever_its_file_is_attached_as(tmp_path: Path, live: bool) -> None:
    with duckdb.connect(str(make_database(tmp_path / "clinic.duckdb"))) as con:
        anonymize_patients(
            con, into="r", live=live, accept=["state-by-state", "reader-side-channels"]
        )
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{tmp_path / 'clinic.duckdb'}' AS elsewhere (READ_ONLY)")
        assert len(read(con, "elsewhere.r")) == 200


def objects_of_ours(con: duckdb.DuckDBPyConnection) -> list[str]:
    """What stands in our schema beside the catalog."""
    named = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'ppdt' "
        "UNION ALL SELECT view_name FROM duckdb_views() WHERE schema_name = 'ppdt'"
    ).fetchall()
    return [name for (name,) in named if name.startswith(("live_", "snapshot_"))]


def test_nothing_is_written_over_what_is_read(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    clinic = make_database(tmp_path / "clinic.duckdb")
    with duckdb.connect(str(clinic)) as con:
        con.execute("COPY patients TO 'one.parquet'")
        con.execute("COPY patients TO 'two.parquet'")
    Path("link.parquet").symlink_to("one.parquet")
    Path("sub").mkdir()
    kept = {path: path.read_bytes() for path in tmp_path.glob("*.*")}
    of_file = ["--replace", *FLAGS]
    for source, *options in (
        ("link.parquet", "--out", "one.parquet"),
        ("one.parquet", "--out", "link.parquet"),
        ("one.parquet", "--out", "sub/../one.parquet"),
        ("*.parquet", "--out", "two.parquet"),
        ("patients", "--db", clinic, "--out", "clinic.duckdb"),
        ("patients", "--db", clinic, "--into", "r", "--sql-log", "clinic.duckdb"),
        ("one.parquet", "--out", "r.parquet", "--certificate", "link.parquet"),
        ("one.parquet", "--out", "r.parquet", "--sql-log", "one.parquet"),
        ("one.parquet", "--out", "r.parquet", "--sql-log", "r.parquet"),
        ("one.parquet", "--out", "r.parquet", "--certificate", "none/c.json"),
        ("one.parquet", "--out", "r.parquet", "--sql-log", "none/c.sql"),
        ("one.parquet", "--out", "r.parquet", "--sql-log", "sub"),
    ):
        ended = ppdt("anonymize", source, *of_file, *options)
        assert ended.code == 2, (source, options, ended)
        assert {path: path.read_bytes() for path in tmp_path.glob("*.*")} == kept


def test_no_script_is_written_over_what_is_read(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(str(make_database(tmp_path / "clinic.duckdb"))) as con:
        con.execute("COPY patients TO 'one.parquet'")
    Path("link.parquet").symlink_to("one.parquet")
    kept = {path: path.read_bytes() for path in tmp_path.glob("*.*")}
    target = ["--target", "diagnosis"]
    for command in (["learn", "c45"], ["risk", "tree", "--qi", "age"]):
        for source, *options in (
            ("one.parquet", "--sql-log", "link.parquet"),
            ("patients", "--db", "clinic.duckdb", "--sql-log", "clinic.duckdb"),
            ("one.parquet", "--sql-log", "none/run.sql"),
        ):
            ended = ppdt(*command[:2], source, *command[2:], *target, *options)
            assert ended.code == 2 and "--sql-log" in ended.err, (command, source, ended)
            assert {path: path.read_bytes() for path in tmp_path.glob("*.*")} == kept


def test_an_open_database_is_not_written_over(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "clinic.duckdb")
    with (
        duckdb.connect(str(clinic)) as con,
        pytest.raises(ppdt_db.RequestError, match="an open database"),
    ):
        anonymize_patients(con, out=clinic, replace=True)


@pytest.mark.parametrize(
    "macro", ["sha256(x) AS x", "least(a, b) AS 1000", "Min(x) AS 100", "len(x) AS 1"]
)
def test_a_macro_does_not_take_the_place_of_a_function(
    con: duckdb.DuckDBPyConnection, macro: str
) -> None:
    con.execute(PATIENTS)
    con.execute(f"CREATE MACRO {macro}")
    con.execute("CREATE MACRO harmless(x) AS x + 1")
    with pytest.raises(ppdt_db.RequestError, match="hides DuckDB's function") as refused:
        anonymize_patients(con)
    assert "harmless" not in str(refused.value)
    with pytest.raises(ppdt_db.RequestError, match="hides DuckDB's function"):
        ppdt_db.audit(con, "patients", quasi=["age"])


@pytest.mark.parametrize("recode", ["mean", "range", "bounds"])
@pytest.mark.parametrize(
    "type_name",
    mostly_slow(["DOUBLE", "DECIMAL(38, 2)", "HUGEINT", "DECIMAL(9, 2)", "DATE"], "DECIMAL(9, 2)"),
)
def test_a_script_of_a_run_holds_no_number_of_the_source(
    con: duckdb.DuckDBPyConnection, type_name: str, recode: str
) -> None:
    value = "DATE '1871-07-13' + i::INTEGER" if type_name == "DATE" else "7654321 + i"
    con.execute(
        f"CREATE TABLE t AS SELECT CAST({value} AS {type_name}) AS x, i % 3 AS y "
        "FROM range(40) AS r (i)"
    )
    script = StringIO()
    quasi = [ppdt_db.Attribute("x", recode=recode), "y"]  # type: ignore[arg-type]
    ppdt_db.anonymize(con, "t", quasi=quasi, into="r", method=Mondrian(k=5), sql_log=script)
    # A keyed digest may hold any digits.
    text = re.sub(r"\b[0-9a-f]{64}\b", "", script.getvalue())
    for number in ("76543", "7.6543", "1871"):
        assert number not in text
    # A factor made from the largest value tells it, too.
    assert str(7654360 / 2**60)[:8] not in text


def test_an_enum_tells_no_value_by_its_type(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    enum = "ENUM('Zebedee', 'BLOB', 'it''s, ENUM(')"
    con.execute(
        f"CREATE TABLE t AS SELECT i % 3 AS y, 'BLOB'::{enum} AS plain, "
        f"['BLOB']::{enum}[] AS list, {{'x': 'BLOB'::{enum}}} AS struct, "
        f"MAP {{'k': 'BLOB'::{enum}}} AS map FROM range(40) r(i)"
    )
    method = Mondrian(k=5)
    release = ppdt_db.anonymize(
        con, "t", quasi=["y"], keep=["plain"], method=method,
        identifiers=["list", "struct", "map"], out=tmp_path / "r.csv",
    )  # fmt: skip
    assert release.certificate["k_measured"] == 13
    for column in ("list", "struct", "map"):
        others = [c for c in ("list", "struct", "map") if c != column]
        with pytest.raises(ppdt_db.RequestError, match="its type contains an ENUM") as refused:
            ppdt_db.anonymize(
                con, "t", quasi=["y"], keep=["plain", column], identifiers=others, method=method,
                into="r",
            )  # fmt: skip
        assert "Zebedee" not in str(refused.value)
        with pytest.raises(
            ppdt_db.RequestError, match="is not supported, since its values have no order"
        ) as refused:
            ppdt_db.anonymize(
                con, "t", quasi=["y", column], keep=["plain"], identifiers=others, method=method,
                into="r",
            )  # fmt: skip
        assert "Zebedee" not in str(refused.value)
        assert "BLOB" not in str(refused.value)


@pytest.mark.parametrize("entity", [None, "who"])
@pytest.mark.parametrize("type_name", mostly_slow(["HUGEINT", "UHUGEINT"], "UHUGEINT"))
@pytest.mark.parametrize("method", every(2, [Mdav(k=5), Mondrian(k=5)]))
def test_means_of_huge_numbers_are_not_rounded_by_parquet(
    con: duckdb.DuckDBPyConnection,
    tmp_path: Path,
    method: Method,
    type_name: str,
    entity: str | None,
) -> None:
    con.execute(
        f"CREATE TABLE t AS SELECT ('1' || repeat('0', 36) || i % 9)::{type_name} AS x, "
        "i % 20 AS who FROM range(40) r(i)"
    )
    quasi = [ppdt_db.Attribute("x", recode="mean" if method.name == "mondrian" else None)]
    others = ["who"] if entity is None else []
    for out in ("r.parquet", "r.csv", "r.duckdb"):
        asked = partial(
            ppdt_db.anonymize, con, "t", quasi=quasi, entity=entity, identifiers=others,
            method=method, out=tmp_path / out,
        )  # fmt: skip
        if out == "r.parquet":
            with pytest.raises(ppdt_db.RequestError, match=f'"x": .* {type_name} without loss'):
                asked()
            assert list(tmp_path.iterdir()) == []
        else:
            assert asked().certificate["k_measured"] >= 5


def test_means_of_small_numbers_are_written_whatever_their_type(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("CREATE TABLE t AS SELECT (i % 9)::HUGEINT AS x FROM range(40) r(i)")
    made = ppdt_db.anonymize(con, "t", quasi=["x"], method=Mdav(k=5), out=tmp_path / "r.parquet")
    assert made.certificate["k_measured"] >= 5


def test_bounds_of_huge_numbers_are_not_rounded_for_new_rows(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("CREATE TABLE t AS SELECT 2::HUGEINT << 90 | i % 9 AS x FROM range(40) r(i)")
    made = ppdt_db.anonymize(
        con, "t", quasi=[ppdt_db.Attribute("x", recode="bounds")], method=Mondrian(k=5),
        into="o", rules=True,
    )  # fmt: skip
    with pytest.raises(ppdt_db.RequestError, match=r'"x_lo": .* HUGEINT without loss'):
        made.apply("t", out=tmp_path / "new.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_set_of_huge_numbers_is_not_rounded_by_parquet(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("CREATE TABLE t AS SELECT CAST(i % 3 AS HUGEINT) AS x FROM range(40) r(i)")
    quasi = [ppdt_db.Attribute("x", recode="set")]
    with pytest.raises(ppdt_db.RequestError, match="without loss"):
        ppdt_db.anonymize(con, "t", quasi=quasi, method=Mondrian(k=5), out=tmp_path / "r.parquet")


def test_one_seed_does_not_link_the_pseudonyms_of_two_releases(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute(PATIENTS)
    pseudonyms = {"identifiers": [], "pseudonymize": ["name"], "seed": 1}
    for name in ("one", "two"):
        anonymize_patients(con, into=name, pseudonym_key="a key of 16 bytes", **pseudonyms)
    assert not set(read(con, "one", ["name"])) & set(read(con, "two", ["name"]))
    with pytest.raises(ppdt_db.RequestError, match="pseudonyms need a key"):
        anonymize_patients(con, into="three", pseudonym_key="", **pseudonyms)


def test_a_database_named_like_our_schema_is_refused(tmp_path: Path) -> None:
    with (
        duckdb.connect(str(make_database(tmp_path / "ppdt.duckdb"))) as con,
        pytest.raises(ppdt_db.RequestError, match="the name of ppdt's own schema"),
    ):
        anonymize_patients(con)


def test_a_duckdb_file_is_not_written_inside_a_transaction(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("BEGIN")
    con.execute(PATIENTS)
    with pytest.raises(ppdt_db.RequestError, match="inside an open transaction"):
        anonymize_patients(con, out=tmp_path / "r.duckdb")
    con.execute("COMMIT")
    assert len(read(con, "patients")) == 200
    anonymize_patients(con, out=tmp_path / "r.duckdb")


def test_an_interruption_inside_the_callers_transaction_leaves_nothing_to_commit(
    con: duckdb.DuckDBPyConnection,
) -> None:
    def interrupt(stage: str, _: float) -> None:
        if stage == "audit":
            raise KeyboardInterrupt

    con.execute(PATIENTS)
    con.execute("BEGIN")
    with pytest.raises(KeyboardInterrupt):
        anonymize_patients(con, into="r", progress=interrupt)
    con.execute("COMMIT")
    assert objects_of_ours(con) == []
    anonymize_patients(con, into="r")


@pytest.mark.parametrize("value", ["INTERVAL '1 microsecond'", "union_value(a := 1)"])
def test_parquet_is_not_asked_to_hold_what_it_rounds_or_rebuilds(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, value: str
) -> None:
    con.execute(f"CREATE TABLE t AS SELECT i % 3 AS q, {value} AS kept FROM range(40) AS r (i)")
    asked = {"quasi": ["q"], "keep": ["kept"], "method": Mondrian(k=5)}
    with pytest.raises(ppdt_db.RequestError, match="without loss"):
        ppdt_db.anonymize(con, "t", out=tmp_path / "r.parquet", **asked)
    ppdt_db.anonymize(con, "t", into="r", **asked)


@pytest.mark.parametrize("name", [" a ", "\t", "a "])
def test_a_csv_header_that_would_lose_blanks_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, name: str
) -> None:
    con.execute(f'CREATE TABLE t AS SELECT i % 3 AS "{name}" FROM range(40) AS r (i)')
    with pytest.raises(ppdt_db.RequestError, match="loses the spaces"):
        ppdt_db.anonymize(con, "t", quasi=[name], method=Mondrian(k=5), out=tmp_path / "r.csv")


def test_runs_beside_each_other_put_the_setting_back(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute(PATIENTS)
    barrier = Barrier(2)

    def run(number: int) -> None:
        def meet(stage: str, _: float) -> None:
            if stage in ("read", "audit"):
                with suppress(BrokenBarrierError):
                    barrier.wait(5)

        with con.cursor() as cursor:
            anonymize_patients(cursor, out=tmp_path / f"{number}.parquet", progress=meet)

    threads = [Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(tmp_path.glob("*.parquet"))) == 2
    setting = "SELECT current_setting('preserve_insertion_order')"
    assert con.execute(setting).fetchall() == [(True,)]


@pytest.mark.parametrize("wish", ["recode: {1: range}", "order: {sex: 5}", "recode: {age: 2}"])
def test_a_policy_with_odd_yaml_is_refused(tmp_path: Path, wish: str) -> None:
    path, policy = make_database(tmp_path / "clinic.duckdb"), tmp_path / "policy.yaml"
    policy.write_text(
        f"source: patients\ndb: {path}\nquasi: [age, sex]\nkeep: rest\ninto: r\nk: 5\n{wish}\n"
    )
    assert ppdt("anonymize", "--policy", policy).code == 2


@pytest.mark.parametrize("macro", ["count_star() AS 1000", "max(x) AS 999", '"+"(a, b) AS 999'])
def test_a_readers_macro_does_not_lift_the_guard_of_a_live_view(
    con: duckdb.DuckDBPyConnection, macro: str
) -> None:
    con.execute(PATIENTS)
    method = Mondrian(k=5, l=2)
    anonymize_patients(
        con, into="r", live=True, accept=["state-by-state", "reader-side-channels"], method=method
    )
    con.execute("UPDATE patients SET diagnosis = 'flu'")
    con.execute("DELETE FROM patients WHERE number >= 4")
    con.execute(f"CREATE TEMP MACRO {macro}")
    try:
        assert con.execute("SELECT age FROM r").fetchall() == []
    except duckdb.Error:
        return
