"""Every command and example of README.md runs as it is printed, in order, in an empty folder."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import duckdb
import pytest
from support import ppdt, ppdt_process

from ppdt_db.cli.main import ppdt as whole

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text("utf-8")
# What cannot run here by its nature: how it begins, and why. Its words are checked all the same.
HELD = {
    "python3 -m venv .venv && .venv/bin/pip install --quiet . ": "installs; see test_wheel.py",
    "python3 -m venv .venv && .venv/bin/pip install --quiet -e": "runs this very test",
    "spark-submit ": "needs a cluster; see tests/spark",
    "release = ppdt_db.anonymize(spark, ": "needs a Spark session; see tests/spark",
}


@dataclass(frozen=True)
class Block:
    """A piece of README that is no prose."""

    kind: str
    text: str
    line: int


def blocks() -> Iterator[Block]:
    """The fenced and the indented pieces, in order."""
    pattern = r"^```(\w+)\n((?s:.*?))^```|(?<=\n\n)((?:^    .*\n|^\n(?=    ))+)"
    for found in re.finditer(pattern, TEXT, re.MULTILINE):
        line = TEXT.count("\n", 0, found.start()) + 1
        if found.group(1):
            yield Block(found.group(1), found.group(2), line)
            continue
        text = re.sub("^    ", "", found.group(3), flags=re.MULTILINE)
        is_shell = re.match(r"(ppdt|duckdb|spark-submit|python3?|pip) ", text)
        yield Block("sh" if is_shell else "python", text, line)


BLOCKS = list(blocks())


def commands(text: str) -> list[str]:
    """The commands of a block, one a line."""
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def why_held(text: str) -> str | None:
    return next((why for start, why in HELD.items() if text.startswith(start)), None)


def run_block(block: Block) -> None:
    where = f"README.md, line {block.line}"
    if block.kind == "sh":
        for line in commands(block.text):
            if why_held(line) is None:
                words = shlex.split(line, comments=True)
                assert words[0] == "ppdt", (where, line)
                ended = ppdt(*words[1:])
                assert ended.code == 0, (where, line, ended.err)
    elif block.kind == "yaml":
        name = re.match(r"# (\S+\.yaml)", block.text)
        assert name, f"{where}: a policy begins with the name of its file"
        Path(name.group(1)).write_text(block.text)
    elif block.kind == "sql":
        with duckdb.connect("clinic.duckdb") as con:
            for statement in filter(str.strip, block.text.split(";\n")):
                assert con.execute(statement).fetchall(), (where, statement)
    else:
        assert block.kind == "python", where
        code = compile(block.text, where, "exec")
        if why_held(block.text) is None:
            exec(code, {})


def test_everything_runs_as_it_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PPDT_PSEUDONYM_KEY", raising=False)
    for block in BLOCKS:
        run_block(block)
    with duckdb.connect("clinic.duckdb") as con:
        known = con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    assert ("patients_k10",) in known and ("patients_weekly",) in known


def test_what_is_held_back_is_there_and_is_parsed() -> None:
    lines = [line for b in BLOCKS if b.kind == "sh" for line in commands(b.text)]
    lines += [b.text for b in BLOCKS if b.kind == "python"]
    for start in HELD:
        held = [line for line in lines if line.startswith(start)]
        assert len(held) == 1, start
        words = shlex.split(held[0]) if start.startswith(("python3", "spark-submit")) else []
        for place, word in enumerate(words):
            if word.endswith(("/ppdt", "ppdt.py)")):
                named(words[place + 1 :], whole)


def named(words: Sequence[str], group: click.Group) -> None:
    """Fail unless the command is there and has all the options that are named."""
    command: click.Command | None = group
    while isinstance(command, click.Group) and words and re.fullmatch(r"[\w-]+", words[0]):
        command = command.get_command(click.Context(command), words[0])
        assert command is not None, words
        words = words[1:]
    assert command is not None
    known = {word for p in command.params for word in [*p.opts, *p.secondary_opts]}
    known |= {"--help", "--version"}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, words


def test_commands_in_the_text_are_known() -> None:
    """What stands between backticks in the prose, with every option that it names."""
    prose = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    told = re.findall(r"`(ppdt [^`]+)`", prose)
    assert len(told) > 15
    for command in told:
        words = shlex.split(command.replace("...", "").replace("|", ""))
        if words[1] not in ("demo.py",):
            named(words[1:], whole)
    options = set(re.findall(r"`(--[a-z][a-z-]*)", prose))
    known = {
        word
        for command in _all(whole)
        for p in command.params
        for word in [*p.opts, *p.secondary_opts]
    }
    assert options <= known | {"--help", "--packages", "--conf"}, options - known


def _all(group: click.Group) -> Iterator[click.Command]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from _all(command)


def test_the_two_commands_stand_first() -> None:
    first = [b.text.strip() for b in BLOCKS if b.kind == "sh"][:2]
    for text in first:
        assert len(text.splitlines()) == 1 and text.startswith("python3 -m venv")
    assert "demo" in first[0] and "pytest" in first[1]


def test_help_of_the_whole_is_for_people() -> None:
    ended = ppdt_process("--help")
    assert ended.returncode == 0 and "anonymize" in ended.stdout
