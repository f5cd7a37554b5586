"""Runs beside each other: on cursors of one database, on databases of their own, in processes."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import pytest
from support import (
    PATIENTS,
    anonymize_patients,
    make_database,
    mostly_slow,
    ppdt,
    ppdt_process,
    read,
    temporaries,
)

import ppdt_db
from ppdt_db import EngineError, Mondrian, RequestError
from ppdt_db.evaluate import Privacy
from ppdt_db.release.certificate import digest

N_RUNS = 3
OPEN = "SELECT count(*) FROM duckdb_databases() WHERE NOT internal"
SETTING = "SELECT current_setting('preserve_insertion_order')"


def together(runs: Sequence[Callable[[], object]]) -> list[object]:
    """What each of some runs gave, or the error that it raised; all begin at the same time."""
    ended: list[object] = [None] * len(runs)
    gate = threading.Barrier(len(runs))

    def run(number: int) -> None:
        gate.wait()
        try:
            ended[number] = runs[number]()
        except BaseException as error:
            ended[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(runs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ended


def whole(found: Sequence[object]) -> None:
    for one in found:
        if isinstance(one, BaseException):
            raise one


@pytest.mark.parametrize("place", mostly_slow(["memory", "file"], "file"))
@pytest.mark.parametrize("setting", mostly_slow([True, False], True))
def test_cursors_of_one_database_release_at_the_same_time(
    tmp_path: Path, place: str, *, setting: bool
) -> None:
    con = duckdb.connect(
        str(make_database(tmp_path / "c.duckdb")) if place == "file" else ":memory:"
    )
    if place == "memory":
        con.execute(PATIENTS)
    con.execute(f"SET preserve_insertion_order = {setting}")
    cursors = [con.cursor() for _ in range(N_RUNS)]
    for turn in range(2):
        found = together([
            lambda i=i, c=c, is_over=turn > 0: anonymize_patients(
                c, into=f"rel_{i}", replace=is_over
            )
            for i, c in enumerate(cursors)
        ])  # fmt: skip
        whole(found)
        assert con.execute(SETTING).fetchall() == [(setting,)]
    entries = ppdt_db.releases(con)
    assert sorted(e.run_id for e in entries) == list(range(1, 2 * N_RUNS + 1))
    assert sorted(e.name for e in entries if e.stands) == [f"rel_{i}" for i in range(N_RUNS)]
    for i in range(N_RUNS):
        assert len(read(con, f"rel_{i}")) == 200
    assert len({e.source_fingerprint for e in entries}) == 1, "one key for all digests"
    assert temporaries(con) == []
    key = con.execute("SELECT value FROM ppdt.secret").fetchall()
    assert len(key) == 1 and digest(key[0][0], "x")
    con.close()


@pytest.mark.slow
def test_files_rules_and_records_at_the_same_time(tmp_path: Path) -> None:
    con = duckdb.connect(str(make_database(tmp_path / "c.duckdb")))
    cursors = [con.cursor() for _ in range(4)]
    outs = [
        tmp_path / f"out_{i}.{form}"
        for i, form in enumerate(["duckdb", "duckdb", "csv", "parquet"])
    ]
    whole(together([
        lambda c=c, out=out: anonymize_patients(
            c, out=out, rules=tmp_path / f"rules_{out.stem}.duckdb"
        )
        for c, out in zip(cursors, outs, strict=True)
    ]))  # fmt: skip
    assert all(out.exists() for out in outs)
    assert len(ppdt_db.releases(con)) == 4
    rules = ppdt_db.load_rules(tmp_path / "rules_out_0.duckdb")
    shown = together([
        lambda c=c, i=i: rules.apply(c, "patients", out=tmp_path / f"shown_{i}.duckdb")
        for i, c in enumerate(cursors)
    ])  # fmt: skip
    whole(shown)
    names = con.execute(
        "SELECT database_name FROM duckdb_databases() WHERE NOT internal"
    ).fetchall()
    assert names == [("c",)]
    con.close()


@pytest.mark.slow
def test_evaluations_at_the_same_time() -> None:
    con = duckdb.connect()
    con.execute(PATIENTS)
    privacy = Privacy(method=Mondrian(k=5), quasi=["age", "zip"])
    found = together([
        lambda c=c: ppdt_db.evaluate(
            c, "patients", target="sex", features=["age", "zip"], cv="2", privacy=privacy
        )
        for c in (con.cursor(), con.cursor())
    ])  # fmt: skip
    whole(found)
    assert con.execute("SELECT count(*) FROM duckdb_databases() WHERE NOT internal").fetchall() == [
        (1,)
    ]


@pytest.mark.slow
def test_settings_are_as_found_whichever_run_ends_last() -> None:
    """Databases in memory look alike from outside; each has a setting of its own."""
    settings = [True, False, True, False]
    cons = [duckdb.connect() for _ in settings]
    for con, setting in zip(cons, settings, strict=True):
        con.execute(PATIENTS)
        con.execute(f"SET preserve_insertion_order = {setting}")
    gate = threading.Barrier(len(cons))

    def run(con: duckdb.DuckDBPyConnection, number: int) -> None:
        def slow(stage: str, _: float) -> None:
            if stage == "encode" and not seen:
                seen.append(stage)
                gate.wait()

        seen: list[str] = []
        anonymize_patients(con, into="rel", progress=slow)
        if number % 2:
            anonymize_patients(con, into="rel_2")

    whole(together([lambda c=c, i=i: run(c, i) for i, c in enumerate(cons)]))
    assert [con.execute(SETTING).fetchone()[0] for con in cons] == settings


def test_an_attached_database_changes_nothing_of_that(con: duckdb.DuckDBPyConnection) -> None:
    """What is attached while runs are under way makes no other database of it."""
    con.execute(PATIENTS)
    one, other = con.cursor(), con.cursor()
    inner: list[object] = []

    def within(stage: str, _: float) -> None:
        if stage == "encode" and not inner:
            con.execute("ATTACH ':memory:' AS meanwhile")
            inner.append(anonymize_patients(other, into="inner"))
            assert con.execute(SETTING).fetchall() == [(False,)]

    anonymize_patients(one, into="outer", progress=within)
    assert inner and con.execute(SETTING).fetchall() == [(True,)]


def test_a_transaction_that_is_still_open_elsewhere_is_named(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute(PATIENTS)
    one, other = con.cursor(), con.cursor()
    one.begin()
    anonymize_patients(one, into="first")
    with pytest.raises(EngineError, match="another connection"):
        anonymize_patients(other, into="second")
    one.commit()
    anonymize_patients(other, into="second")
    assert [e.name for e in ppdt_db.releases(con)] == ["second", "first"]
    assert temporaries(con) == []


def test_one_name_for_two_runs_goes_to_one_of_them(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    gate = threading.Barrier(2)

    def meet(seen: list[str]) -> Callable[[str, float], None]:
        def wait(stage: str, _: float) -> None:
            if stage == "encode" and not seen:
                seen.append(stage)
                gate.wait()

        return wait

    found = together([
        lambda c=c: anonymize_patients(c, into="rel", progress=meet([]))
        for c in (con.cursor(), con.cursor())
    ])  # fmt: skip
    (error,) = [one for one in found if isinstance(one, BaseException)]
    assert isinstance(error, RequestError) and "of this name meanwhile" in str(error)
    assert [e.name for e in ppdt_db.releases(con)] == ["rel"]
    assert temporaries(con) == []


@pytest.mark.slow
def test_drops_and_releases_at_the_same_time(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    for i in range(2):
        anonymize_patients(con, into=f"old_{i}")
    cursors = [con.cursor() for _ in range(4)]
    whole(together([
        *(lambda c=cursors[i], i=i: ppdt_db.drop(c, f"old_{i}") for i in range(2)),
        *(lambda c=cursors[2 + i], i=i: anonymize_patients(c, into=f"new_{i}") for i in range(2)),
    ]))  # fmt: skip
    assert sorted(e.name for e in ppdt_db.releases(con) if e.stands) == ["new_0", "new_1"]


def test_another_process_that_holds_the_file_is_named(tmp_path: Path) -> None:
    path = make_database(tmp_path / "c.duckdb")
    with duckdb.connect(str(path)):
        held = ppdt_process("profile", "patients", "--db", path)
    assert held.returncode == 1 and "is locked by" in held.stderr and "try again" in held.stderr
    assert ppdt("profile", "patients", "--db", path).code == 0
