"""Scripts of runs are ready for the DuckDB shell: their first lines say what must be set."""

import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from support import FLAGS, PATIENTS, mostly_slow, ppdt, read

import ppdt_db
from ppdt_db.cli.showcases import showcases
from ppdt_db.engine.script import heading

SHELL = shutil.which("duckdb", path=str(Path(sys.executable).parent)) or shutil.which("duckdb")
pytestmark = pytest.mark.skipif(SHELL is None, reason="the DuckDB shell (duckdb-cli) is missing")
SETTING = re.compile(r"^-- (SET VARIABLE ppdt_\w+ = .*;)$", re.MULTILINE)
# Statements that only DuckDB 2 knows cannot be shown to an older shell.
SHOWN = [
    "methods/mondrian/candidate",
    "encode/row",
    "audit/class",
    "methods/kactus/label",
    "learn/bayes/moment",
]


def in_the_shell(script: Path, last: str = "SELECT 1") -> str:
    """Run a script in the shell, which stops at the first error; then one statement more."""
    assert SHELL is not None
    command = [SHELL, "-bail", "-init", str(script), "-csv", "-noheader", "-c", last]
    ended = subprocess.run(
        command, capture_output=True, text=True, cwd=script.parent, timeout=120, check=False
    )
    assert ended.returncode == 0 and "rror" not in ended.stderr, ended.stderr[:2000]
    return ended.stdout


def as_it_says(script: Path) -> Path:
    """The script with the settings of its first lines made: the dashes are taken away."""
    text = script.read_text()
    head, _, _ = text.partition("\n\n")
    asked = set(re.findall(r"getvariable\('(ppdt_\w+)'\)", text))
    assert {s.split()[2] for s in SETTING.findall(head)} == asked
    ready = script.with_name("ready.sql")
    ready.write_text(SETTING.sub(r"\1", head) + "\n\n" + text.partition("\n\n")[2])
    return ready


@pytest.mark.parametrize("step", mostly_slow(SHOWN, SHOWN[0]))
def test_the_demo_sets_its_own(step: str, tmp_path: Path) -> None:
    ended = ppdt("show", step, "--script")
    assert ended.code == 0, ended.err
    script = tmp_path / "run.sql"
    script.write_text(ended.out)
    name = re.findall(r"CREATE (?:OR REPLACE )?TEMP TABLE \"?(ppdt_\w+)", ended.out)[-1]
    assert int(in_the_shell(script, f"SELECT count(*) AS n FROM {name}").split()[-1]) > 0


@pytest.mark.slow
def test_every_script_of_the_demo_runs(tmp_path: Path) -> None:
    """Between them they hold every step."""
    script = tmp_path / "run.sql"
    for text in (run(5) for run in showcases().values()):
        script.write_text(heading(text, is_made_up=True) + text)
        assert not re.findall(r"needs: SET VARIABLE ppdt_\w+ = \[", text)
        if "SECURE VIEW" in text:
            # An older shell does not know them.
            with duckdb.connect() as con:
                con.execute(script.read_text())
        else:
            in_the_shell(script)


def source(tmp_path: Path) -> Path:
    path = tmp_path / "patients.parquet"
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        con.execute(f"COPY patients TO '{path}'")
    return path


RUNS = {
    "mondrian": ["anonymize", "--k", 5, "--l", 2],
    "a file with pseudonyms and orders": [
        "anonymize", "--pseudonymize", "number", "--pseudonym-key-file", "key.txt", "--k", 5,
        "--recode", "sex=set", "--order", "sex=order.txt",
    ],
    "kactus": ["anonymize", "--target", "readmitted", "--method", "kactus", "--k", 5],
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_the_log_says_what_it_needs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.txt").write_text("a key that is long enough for everybody")
    Path("order.txt").write_text("m\nf\n")
    command, *more = RUNS[name]
    log = tmp_path / "run.sql"
    ended = ppdt(command, source(tmp_path), *FLAGS, *more, "--out", "o.parquet", "--sql-log", log)
    assert ended.code == 0, ended.err
    text = log.read_text()
    assert text.startswith("-- Ready for the DuckDB shell")
    assert "a key that is long" not in text and "'m'" not in text.partition("\n\n")[0]
    in_the_shell(as_it_says(log))


def test_a_tree_that_is_learnt(tmp_path: Path) -> None:
    log = tmp_path / "run.sql"
    asked = ["learn", "c45", source(tmp_path), "--target", "readmitted", "--features", "age,sex"]
    assert ppdt(*asked, "--sql-log", log).code == 0
    assert log.read_text().startswith("-- Ready for the DuckDB shell")
    in_the_shell(as_it_says(log))


def test_the_run_s_own_key_makes_the_same_release(tmp_path: Path) -> None:
    """What the first lines name is enough: with the run's key, the same rows come out."""
    db, log = tmp_path / "c.duckdb", tmp_path / "run.sql"
    with duckdb.connect(str(db)) as con:
        con.execute(PATIENTS)
    (tmp_path / "again").mkdir()
    shutil.copy(db, tmp_path / "again")
    args = ["--db", db, *FLAGS, "--k", 5, "--seed", 7, "--relaxed", "--into", "safe"]
    assert ppdt("anonymize", "patients", *args, "--sql-log", log).code == 0
    with duckdb.connect(str(db)) as con:
        wanted = read(con, "safe")
        ((key,),) = con.execute("SELECT run_key FROM ppdt.run").fetchall()
    ready = as_it_says(log).read_text()
    ready = re.sub(r"ppdt_run_key = '[^']*'", f"ppdt_run_key = '{key}'", ready, count=1)
    with duckdb.connect(str(tmp_path / "again" / "c.duckdb")) as con:
        con.execute(ready)
        assert read(con, "safe") == wanted


def test_python_s_log_says_it_before_each_statement() -> None:
    log = io.StringIO()
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        ppdt_db.anonymize(
            con, "patients", quasi=["age"], keep="rest", method=ppdt_db.Mondrian(k=5), into="o",
            sql_log=log,
        )  # fmt: skip
    text = log.getvalue()
    asked = set(re.findall(r"getvariable\('(ppdt_\w+)'\)", text))
    assert asked == set(re.findall(r"/\* needs: SET VARIABLE (ppdt_\w+) =", text))
