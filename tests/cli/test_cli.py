"""The command line: what it prints, where, and what its script does when it is replayed."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from support import FLAGS, bag, make_database, mostly_slow, ppdt, ppdt_process, read, smallest

from ppdt_db.sqltext.templates import steps

QUASI = ["age", "sex", "zip"]
CERTIFICATE = [
    "guarantee", "method", "parameters", "rows_in", "rows_out", "rows_suppressed", "classes",
    "k_measured", "l_measured", "gcp", "discernibility", "c_avg", "prosecutor_risk_max",
    "versions", "source_fingerprint", "release_fingerprint",
]  # fmt: skip


OPTIONS = """
    db qi sensitive target id entity keep method k l relaxed criterion recode order out into live
    accept replace certificate policy seed threads memory-limit json quiet sql-log
"""


@pytest.fixture
def clinic_db(tmp_path: Path) -> Path:
    return make_database(tmp_path / "clinic.duckdb")


def copy_of(path: Path) -> Path:
    """The same source in a fresh database of the same name."""
    folder = path.parent / "again"
    folder.mkdir()
    return make_database(folder / path.name)


def test_json_is_the_certificate_and_nothing_else(clinic_db: Path, tmp_path: Path) -> None:
    kept = tmp_path / "certificate.json"
    args = ["--db", clinic_db, *FLAGS, "--k", 5, "--l", 2, "--into", "safe", "--certificate", kept]
    ended = ppdt_process("anonymize", "patients", *args, "--json")
    assert ended.returncode == 0, ended.stderr
    certificate = json.loads(ended.stdout)
    assert certificate == json.loads(kept.read_text())
    assert set(CERTIFICATE) <= set(certificate)
    with duckdb.connect(str(clinic_db)) as con:
        sizes = bag(con, "safe", QUASI)
        n_diagnoses = con.execute(
            "SELECT min(n) FROM (SELECT count(DISTINCT diagnosis) AS n FROM safe GROUP BY ALL, "
            "age, sex, zip)".replace("GROUP BY ALL, ", "GROUP BY ")
        ).fetchone()
    assert certificate["k_measured"] == min(sizes.values()) >= 5
    assert (certificate["l_measured"],) == n_diagnoses
    assert certificate["classes"] == len(sizes)
    assert certificate["rows_in"] == certificate["rows_out"] == 200
    assert certificate["discernibility"] == sum(n * n for n in sizes.values())
    assert certificate["prosecutor_risk_max"] == pytest.approx(1 / min(sizes.values()))
    assert certificate["c_avg"] == pytest.approx(200 / len(sizes) / 5)
    assert certificate["guarantee"] == "k-anonymity and distinct l-diversity"
    assert certificate["parameters"]["k"] == 5
    assert certificate["versions"]["duckdb"] == duckdb.__version__


def test_quiet_says_nothing(clinic_db: Path) -> None:
    args = ["patients", "--db", clinic_db, *FLAGS, "--id", "number", "--k", 5]
    ended = ppdt("anonymize", *args, "--into", "safe", "--quiet")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_words_for_people(clinic_db: Path) -> None:
    args = ["patients", "--db", clinic_db, *FLAGS, "--id", "number", "--k", 5]
    ended = ppdt("anonymize", *args, "--into", "safe")
    assert ended.code == 0 and ended.err == ""
    for word in ("released safe", "k-anonymity", "k measured", "rows in", "classes"):
        assert word in ended.out


def test_warnings_go_to_stderr(clinic_db: Path) -> None:
    args = ["patients", "--db", clinic_db, *FLAGS, "--k", 5, "--json"]
    ppdt("anonymize", *args, "--into", "safe")
    ended = ppdt("anonymize", *args, "--into", "again")
    assert "safe" in ended.err and "warning" in ended.err
    assert ended.json["earlier_releases_of_this_source"] == ["safe"]


@pytest.mark.parametrize("live", [False, True], ids=["snapshot", "live"])
@pytest.mark.parametrize("relaxed", mostly_slow([False, True], False), ids=["strict", "relaxed"])
def test_the_script_replays_to_the_same_release(
    clinic_db: Path, tmp_path: Path, live: bool, relaxed: bool
) -> None:
    if live and relaxed:
        pytest.skip("a live view goes by values alone")
    log = tmp_path / "run.sql"
    more = ["--live", "--accept", "state-by-state,reader-side-channels"] if live else []
    more += ["--relaxed"] if relaxed else []
    args = ["--db", clinic_db, *FLAGS, "--k", 5, "--l", 2, "--seed", 7, "--into", "safe", *more]
    ended = ppdt("anonymize", "patients", *args, "--sql-log", log)
    assert ended.code == 0, ended.err
    with duckdb.connect(str(clinic_db)) as con:
        wanted = read(con, "safe")
        (run_key,) = con.execute("SELECT run_key FROM ppdt.run").fetchone() or ("",)
    assert run_key not in log.read_text()
    again = copy_of(clinic_db)
    with duckdb.connect(str(again)) as con:
        con.execute(f"SET VARIABLE ppdt_run_key = '{run_key}'")
        con.execute("SET VARIABLE ppdt_digest_key = 'another'")
        con.execute(log.read_text())
        assert read(con, "safe") == wanted


def test_the_script_of_a_file_replays_too(clinic_db: Path, tmp_path: Path) -> None:
    log, out = tmp_path / "run.sql", tmp_path / "safe.parquet"
    args = ["--db", clinic_db, *FLAGS, "--k", 5, "--seed", 7, "--out", out, "--sql-log", log]
    assert ppdt("anonymize", "patients", *args, "--read-only").code == 0
    script = log.read_text()
    with duckdb.connect(str(copy_of(clinic_db))) as con:
        con.execute("SET VARIABLE ppdt_run_key = 'k'; SET VARIABLE ppdt_digest_key = 'd'")
        written = next(line for line in script.splitlines() if line.startswith(") TO '"))
        part = Path(written.split("'")[1])
        con.execute(script)
        again = read(con, f"read_parquet('{part}')")
        assert again == read(con, f"read_parquet('{out}')")


def test_audit(clinic_db: Path, tmp_path: Path) -> None:
    out = tmp_path / "safe.parquet"
    certificate = ppdt(
        "anonymize", "patients", "--db", clinic_db, *FLAGS, "--k", 5, "--out", out, "--json"
    ).json
    args = ["audit", out, "--qi", "age,sex,zip", "--sensitive", "diagnosis"]
    audit = ppdt(*args, "--require", "k=5,l=1", "--json")
    assert audit.code == 0 and audit.json["passed"]
    assert audit.json["k"] == certificate["k_measured"]
    assert audit.json["classes"] == certificate["classes"]
    assert audit.json["discernibility"] == certificate["discernibility"]
    assert audit.json["sensitive"]["diagnosis"]["distinct_l"] == certificate["l_measured"]
    failed = ppdt(*args, "--require", "k=1000,l=2")
    assert failed.code == 3
    assert "FAILED" in failed.out and "k >= 1000" in failed.out


def test_audit_counts_null_and_what_nobody_anonymized(tmp_path: Path) -> None:
    path = make_database(
        tmp_path / "t.duckdb",
        "CREATE TABLE t AS SELECT * FROM (VALUES (1, 'a'), (1, 'a'), (NULL, 'a'), (NULL, 'b'), "
        "(2, NULL)) AS v (a, s)",
    )
    args = ["audit", "t", "--db", path, "--qi", "a", "--sensitive", "s", "--json"]
    found = ppdt(*args).json
    assert (found["k"], found["classes"], found["rows"], found["rows_unique"]) == (1, 3, 5, 1)
    assert found["rows_suppressed"] == 2
    assert found["sensitive"]["s"]["distinct_l"] == 1
    assert ppdt(*args, "--require", "k=2").code == 3


def test_the_audit_measures_against_an_original(clinic_db: Path, tmp_path: Path) -> None:
    out, original = tmp_path / "safe.parquet", tmp_path / "patients.parquet"
    with duckdb.connect(str(clinic_db), read_only=True) as con:
        con.execute(f"COPY patients TO '{original}'")
    certificate = ppdt("anonymize", original, *FLAGS, "--k", 5, "--out", out, "--json").json
    found = ppdt("audit", out, "--qi", "age,sex,zip", "--original", original, "--json").json
    assert found["gcp"] == pytest.approx(certificate["gcp"])


def test_releases_drop_migrate(clinic_db: Path) -> None:
    assert "no releases" in ppdt("releases", "--db", clinic_db).out
    assert "0001_catalog" in ppdt("migrate", "--db", clinic_db).out
    assert "up to date" in ppdt("migrate", "--db", clinic_db).out
    ppdt("anonymize", "patients", "--db", clinic_db, *FLAGS, "--k", 5, "--into", "safe")
    listed = ppdt("releases", "--db", clinic_db, "--json")
    assert [entry["name"] for entry in json.loads(listed.out)] == ["safe"]
    assert "safe" in ppdt("releases", "--db", clinic_db).out
    assert ppdt("drop", "saef", "--db", clinic_db).code == 2
    assert ppdt("drop", "safe", "--db", clinic_db).code == 0
    assert json.loads(ppdt("releases", "--db", clinic_db, "--json").out) == []
    assert len(json.loads(ppdt("releases", "--db", clinic_db, "--json", "--all").out)) == 1


def test_demo(tmp_path: Path) -> None:
    path = tmp_path / "demo.duckdb"
    ended = ppdt("demo", "--db", path, "--rows", 300, "--k", 4)
    assert ended.code == 0, ended.err
    for word in ("before", "after", "certificate", "k-anonymity"):
        assert word in ended.out
    with duckdb.connect(str(path)) as con:
        assert smallest(con, "patients_anonymous", ["age", "sex", "zip", "admitted"]) >= 4
    assert ppdt("demo", "--db", path).code == 2
    first, second = ppdt("demo", "--json").json, ppdt("demo", "--json").json
    assert first["gcp"] == second["gcp"] and first["classes"] == second["classes"]


def test_bench(tmp_path: Path) -> None:
    found = ppdt("bench", "speed", "--rows", 2000, "--k", 5, "--folder", tmp_path, "--json").json
    assert found["rows"] == 2000 and found["classes"] > 10
    assert {"read", "encode", "partition", "recode", "audit"} <= set(found["seconds"])
    assert found["peak_memory_mb"] > 0
    assert list(tmp_path.iterdir()) == []


SHOWN = [
    "methods/mondrian/candidate",
    "encode/row",
    "recode/live",
    "audit/class",
    "methods/kactus/label",
]


@pytest.mark.parametrize("step", mostly_slow(SHOWN, SHOWN[1]))
def test_show_prints_sql_that_runs(step: str) -> None:
    assert ppdt("show", step).out.startswith(f"-- {step}")
    script = ppdt("show", step, "--script").out
    with duckdb.connect() as con:
        con.execute("SET VARIABLE ppdt_run_key = 'k'; SET VARIABLE ppdt_digest_key = 'd'")
        con.execute(script)


@pytest.mark.slow
def test_show_prints_a_step_that_is_a_part_of_another() -> None:
    shown = ppdt("show", "methods/mondrian/loss").out
    assert (
        shown.startswith("-- methods/mondrian/least_loss")
        and "/* methods/mondrian/loss */" in shown
    )


def test_show_lists_the_steps() -> None:
    listed = ppdt("show").out.split()
    assert set(listed) == {
        s for s in steps() if not s.startswith(("lib/engine/", "lib/fragments/"))
    }


def test_limits_are_taken(clinic_db: Path) -> None:
    args = ["patients", "--db", clinic_db, *FLAGS, "--k", 5, "--into", "safe", "--quiet"]
    assert ppdt("anonymize", *args, "--threads", 1, "--memory-limit", "1GB").code == 0
    wrong = ppdt("anonymize", *args, "--replace", "--memory-limit", "much")
    assert wrong.code == 2 and "--memory-limit" in wrong.err


def test_help_names_every_option_and_starts_fast_enough_to_import_nothing_big() -> None:
    ended = ppdt("anonymize", "--help")
    assert ended.code == 0
    for option in OPTIONS.split():
        assert f"--{option}" in ended.out
    script = "import sys; from ppdt_db.cli import main; print('pandas' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.slow
def test_show_knows_the_steps_that_only_loans_need() -> None:
    assert ppdt("show", "methods/kactus/with_drawn").out.startswith("-- methods/kactus/with_drawn")
