"""The examples of README.md run, in the order in which they stand."""

import re
import shlex
from pathlib import Path

import duckdb
import pytest
from support import ppdt, ppdt_process

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def run_block(kind: str, text: str) -> None:
    if kind == "sh":
        for line in text.replace("\\\n", " ").splitlines():
            if line.startswith("ppdt "):
                ended = ppdt(*shlex.split(line, comments=True)[1:])
                assert ended.code == 0, (line, ended.err)
    elif kind == "yaml":
        name = re.match(r"# (\S+\.yaml)", text)
        assert name, "a policy begins with the name of its file"
        Path(name.group(1)).write_text(text)
    elif kind == "python":
        exec(compile(text, "README.md", "exec"), {})


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PPDT_PSEUDONYM_KEY", "a key")
    assert ppdt("demo", "--db", "clinic.duckdb").code == 0
    with duckdb.connect("clinic.duckdb") as con:
        con.execute("COPY patients TO 'patients.parquet'")
        con.execute("COPY patients TO 'patients.csv'")
    for kind, text in BLOCKS:
        run_block(kind, text)


def test_commands_in_the_text_are_known() -> None:
    for command in re.findall(r"`ppdt (\w+)", README.read_text("utf-8")):
        assert ppdt(command, "--help").code == 0


def test_the_two_commands_stand_first() -> None:
    commands = [text.strip() for kind, text in BLOCKS if kind == "sh"][:2]
    for text in commands:
        assert len(text.splitlines()) == 1 and text.startswith("python3 -m venv")
    assert "demo" in commands[0] and "pytest" in commands[1]


def test_help_of_the_whole_is_for_people() -> None:
    ended = ppdt_process("--help")
    assert ended.returncode == 0 and "anonymize" in ended.stdout
