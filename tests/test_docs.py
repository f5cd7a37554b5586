"""The documents are true: every command and example runs as printed, every link leads somewhere.

The examples of a page run in order in a folder of the page's own. A page that prints the command
that makes the demo's files begins with an empty folder; the others find these files there.

A block of text below the comment `<!-- output -->` is what the last command printed; below
`<!-- output: ppdt demo -->` it is what that command prints.
"""

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import click
import duckdb
import pytest
from support import mostly_slow, ppdt, ppdt_process
from test_architecture import ROWS
from tools.manifest import with_one_run

from ppdt_db.audit.requirements import MODELS
from ppdt_db.cli.main import ppdt as whole

TOP = Path(__file__).parent.parent
README = TOP / "README.md"
# Nobody runs the reference: it is written from the commands, see test_cli_reference.py.
PAGES = [README, *sorted(p for p in (TOP / "docs").rglob("*.md") if p.name != "cli.md")]
LINKED = [
    *TOP.glob("*.md"), *sorted((TOP / "docs").rglob("*.md")), *sorted((TOP / "sql").rglob("*.md")),
]  # fmt: skip
DEMO = "ppdt demo --db clinic.duckdb --parquet patients.parquet"
# What cannot run here by its nature: how it begins, and why. Its words are checked all the same.
HELD = {
    "python3 -m venv .venv && .venv/bin/pip install --quiet . ": "installs; see test_wheel.py",
    "python3 -m venv .venv && .venv/bin/pip install --quiet -e": "runs this very test",
    "pip install ": "installs",
    "spark-submit ": "needs a cluster; see tests/spark",
    "release = ppdt_db.anonymize(\n    spark,": "needs a Spark session; see tests/spark",
    "ppdt bench ": "needs the papers' data, or minutes; see tests/experiments",
}


def name_of(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


@dataclass(frozen=True)
class Block:
    """A piece of a page that is no prose."""

    kind: str
    text: str
    where: str
    is_output: bool = False
    output_of: str | None = None


def blocks(page: Path) -> Iterator[Block]:
    """The fenced pieces of a page, in order."""
    text = page.read_text("utf-8")
    pattern = r"(?:^<!-- output(?:: (.+))? (-->)\n)?^```(\w*)\n((?s:.*?))^```$"
    for found in re.finditer(pattern, text, re.MULTILINE):
        line = text.count("\n", 0, found.start()) + 1
        command, is_output, kind, body = found.groups()
        where = f"{name_of(page)}, line {line}"
        yield Block(kind, body, where, bool(is_output), command)


def prose(page: Path) -> str:
    """A page without its fenced pieces."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[str]:
    """The commands of a block, one a line."""
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def why_held(text: str) -> str | None:
    return next((why for start, why in HELD.items() if text.startswith(start)), None)


def run_line(line: str, where: str) -> str:
    """Run a command of ours, with `> FILE` as a shell would; what it printed."""
    words = shlex.split(line, comments=True)
    assert words[0] == "ppdt", (where, line)
    words, file = (words[:-2], words[-1]) if words[-2] == ">" else (words, None)
    ended = ppdt(*words[1:])
    assert ended.code == 0, (where, line, ended.err)
    if file is not None:
        Path(file).write_text(ended.out)
    return ended.out


def run_block(block: Block, printed: str) -> str:
    """Run what is to be run; what its last command printed, or what was printed before."""
    if block.kind == "sh":
        for line in commands(block.text):
            if why_held(line) is None:
                printed = run_line(line, block.where)
    elif block.kind == "yaml":
        name = re.match(r"# (\S+\.yaml)", block.text)
        assert name, f"{block.where}: a policy begins with the name of its file"
        Path(name.group(1)).write_text(block.text)
    elif block.kind == "sql":
        with duckdb.connect("clinic.duckdb") as con:
            for statement in filter(str.strip, block.text.split(";\n")):
                assert con.execute(statement).fetchall(), (block.where, statement)
    elif block.kind == "python":
        code = compile(block.text, block.where, "exec")
        if why_held(block.text) is None:
            exec(code, {})
    else:
        assert block.kind == "text", block.where
        if block.is_output:
            out = run_line(block.output_of, block.where) if block.output_of else printed
            assert trimmed(block.text) == trimmed(out), block.where
    return printed


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo's database and file."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ppdt(*shlex.split(DEMO)[1:]).code == 0
    return folder


QUICK = [page for page in PAGES if name_of(page) == "README.md"]


@pytest.mark.parametrize("page", mostly_slow(PAGES, *QUICK), ids=name_of)
def test_everything_runs_as_it_is_printed(
    page: Path, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list(blocks(page))
    folder = tmp_path / "here"
    if any(DEMO in commands(block.text) for block in found if block.kind == "sh"):
        folder.mkdir()
    else:
        shutil.copytree(demo, folder)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PPDT_PSEUDONYM_KEY", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    printed = ""
    for block in found:
        printed = run_block(block, printed)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_says_where_its_data_comes_from(page: Path) -> None:
    run = "".join(block.text for block in blocks(page) if block.kind != "text")
    if re.search(r"clinic\.duckdb|(?<!/)patients\.parquet", run) and DEMO not in run:
        assert "quickstart.md#the-demo-data)" in prose(page)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_fence_is_closed_and_nothing_is_indented_code(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(list(blocks(page)))
    assert not re.search(r"\n\n    \S", prose(page)), "an indented block would not be run"


def test_what_is_looked_for_is_found() -> None:
    """A pattern that no longer meets anything would let every page pass."""
    found = [block for page in PAGES for block in blocks(page)]
    assert sum(block.kind == "sh" for block in found) > 50
    assert sum(block.is_output for block in found) > 5
    assert sum(len(re.findall(r"`ppdt [^`]+`", prose(page))) for page in PAGES) > 15
    assert sum(len(re.findall(r"\]\([^)]+\)", prose(page))) for page in LINKED) > 150


def test_what_is_held_back_is_there_and_is_parsed() -> None:
    found = [block for page in PAGES for block in blocks(page)]
    lines = [line for b in found if b.kind == "sh" for line in commands(b.text)]
    lines += [b.text for b in found if b.kind == "python"]
    for start in HELD:
        held = [line for line in lines if line.startswith(start)]
        # Each is held back once, but for the benches.
        assert len(held) == 1 or (start == "ppdt bench " and held), start
        for line in held:
            words = shlex.split(line) if not start.startswith("release") else []
            for place, word in enumerate(words):
                if re.search(r"(^|/)ppdt$|ppdt\.py\)$", word):
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


# Options of other programs that the text names.
OF_OTHERS = {"--help", "--version", "--packages", "--conf", "--check"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_in_the_text_are_known(page: Path) -> None:
    """What stands between backticks in the prose, with every option that it names."""
    text = prose(page)
    for command in re.findall(r"`(ppdt [^`]+)`", text):
        words = shlex.split(command.replace("...", "").replace("\\|", "").replace("|", ""))
        named(words[1:], whole)
    options = set(re.findall(r"`(--[a-z][a-z-]*)", text))
    known = {
        word
        for command in _all(whole)
        for p in command.params
        for word in [*p.opts, *p.secondary_opts]
    }
    assert options <= known | OF_OTHERS, options - known


def _all(group: click.Group) -> Iterator[click.Command]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from _all(command)


def anchors(page: Path) -> set[str]:
    """The places of a page that a link can name, as GitHub makes them from headings."""
    headings = re.findall(r"^#+ +(.+?) *$", prose(page), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(page))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target


def test_every_page_is_linked_from_the_readme() -> None:
    text = README.read_text("utf-8")
    for page in (TOP / "docs").rglob("*.md"):
        assert f"]({name_of(page)}" in text, name_of(page)
    assert len(text.splitlines()) <= 150


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "sql/README.md"])
def test_files_that_are_named_are_there(page: str) -> None:
    """Where the documents name a file, a folder or a test of the project by its path."""
    text = (TOP / page).read_text("utf-8")
    named_paths = re.findall(
        r"`((?:ppdt_db|sql|tests|docs|migrations)/[\w./-]*)(?:::(\w+))?`", text
    )
    for path, test in named_paths:
        assert (TOP / path).exists(), path
        assert not test or f"def {test}(" in (TOP / path).read_text("utf-8"), f"{path}::{test}"


def test_contracts_that_are_explained_are_there() -> None:
    contracts = (TOP / "tests" / "test_contracts.py").read_text("utf-8")
    told = re.findall(
        r"^\| `(test_\w+)` \|", (TOP / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(told) == sorted(re.findall(r"^def (test_\w+)", contracts, re.MULTILINE))


def test_the_two_commands_stand_first() -> None:
    first = [b.text.strip() for b in blocks(README) if b.kind == "sh"][:2]
    for text in first:
        assert len(text.splitlines()) == 1 and text.startswith("python3 -m venv")
    assert "demo" in first[0] and "pytest" in first[1]


def test_help_of_the_whole_is_for_people() -> None:
    ended = ppdt_process("--help")
    assert ended.returncode == 0 and "anonymize" in ended.stdout


def text_block_of(page: Path, heading: str) -> str:
    """The first block of text below a heading."""
    below = page.read_text("utf-8").partition(f"\n## {heading}\n")[2]
    found = re.search(r"^```text\n(.*?)^```$", below, re.DOTALL | re.MULTILINE)
    assert found, heading
    return found.group(1)


ARCHITECTURE = TOP / "ARCHITECTURE.md"


def test_the_rows_of_packages_are_those_that_are_held() -> None:
    rows = [set(line.split()) for line in text_block_of(ARCHITECTURE, "Packages").splitlines()]
    assert rows == ROWS


def test_the_stages_of_the_driver_are_told_in_order() -> None:
    section = ARCHITECTURE.read_text("utf-8").partition("## The driver")[2].partition("\n## ")[0]
    stages = import_module("ppdt_db.anonymize").STAGES
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [s.__name__ for s in stages]


def test_the_steps_of_a_run_are_told_in_order() -> None:
    page = ARCHITECTURE.read_text("utf-8")
    assert "methods/mondrian/settled" in page
    assert with_one_run(page) == page, "write it again: python -m tests.tools.manifest"


def test_every_name_that_can_be_required_is_told() -> None:
    page = (TOP / "docs" / "audit.md").read_text("utf-8")
    table = page.partition("All names that can be required:")[2].partition("\n\nThe measures")[0]
    told = re.findall(r"`(\w+)", table)
    assert sorted(told) == sorted(MODELS)


def test_the_relations_of_the_contract_are_those_of_the_headers() -> None:
    text = ARCHITECTURE.read_text("utf-8")
    told = dict(re.findall(r"^\| `(ppdt_\w+.*?)` .* `(sql/\S+\.sql)` \|$", text, re.MULTILINE))
    assert len(told) == 4
    for relation, file in told.items():
        assert relation in (TOP / file).read_text("utf-8"), relation


def test_every_room_of_the_sql_is_in_its_table() -> None:
    text = (TOP / "sql" / "README.md").read_text("utf-8")
    told = re.findall(r"^\| \[?`([\w/]+)/`", text, re.MULTILINE)
    sql = TOP / "sql"
    rooms = {p.parent.relative_to(sql).as_posix() for p in sql.rglob("*.sql")}
    # A room of a method may say it itself.
    by_themselves = {
        r for r in rooms if r.startswith("methods/") and (sql / r / "README.md").exists()
    }
    assert len(told) == len(set(told)) and rooms - by_themselves <= set(told) <= rooms
