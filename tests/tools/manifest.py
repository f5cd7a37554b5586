"""Write the steps in running order: `python -m tests.tools.manifest [--check]`.

sql/MANIFEST.md has all steps, ARCHITECTURE.md those of one run.
"""

import argparse
import io
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import duckdb

import ppdt_db
from ppdt_db.cli.showcases import showcases
from ppdt_db.demo import make_patients
from ppdt_db.sqltext.templates import folder, steps

PLACE = folder("sql") / "MANIFEST.md"
ARCHITECTURE = folder("sql").parent / "ARCHITECTURE.md"
LISTED = re.compile(r"(\n## One run's SQL, in order\n.*?```text\n).*?(```\n)", re.DOTALL)
HEAD = """# Manifest

All steps in the order in which they first run, taken from what really runs (`ppdt show --script`
prints the same scripts). A step makes the relation that it is named after, `ppdt_` before it; where
it makes another one, an arrow says which. A bracket stands for rows that Python or the user gets.
This page is generated: run `python -m tests.tools.manifest` after a change of a step.
"""
INSIDE = re.compile(r'"(ppdt_\w+)" AS \(\n    /\* ([\w/]+) \*/')
MADE = re.compile(r'(?:CREATE (?:OR REPLACE )?TEMP TABLE|INSERT INTO) "(ppdt_\w+)"')


@dataclass(frozen=True, order=True)
class Made:
    """A step that ran, and the relation that it made, if it was one of the run's own."""

    step: str
    relation: str

    @property
    def told(self) -> str:
        """The step in one word, with its relation where that has another name."""
        file = self.step.rpartition("/")[2]
        if not self.relation:
            return f"[{file}]"
        own = self.relation.removesuffix("_<i>") == named_after(self.step)
        return file if own else f"{file} → {self.relation.removeprefix('ppdt_')}"


def made_in(script: str) -> Iterator[Made]:
    """Yield every step of a script in running order, those inside a statement before it."""
    known = {step for step in steps() if not step.startswith("lib/engine/")} | {"lib/engine/rows"}
    for part in script.split("\n-- ")[1:]:
        step, _, text = part.partition("\n")
        if step not in known:
            continue
        for relation, inner in INSIDE.findall(text):
            yield Made(inner, numbered(relation))
        found = MADE.search(text)
        yield Made(step, numbered(found.group(1)) if found else "")


def numbered(relation: str) -> str:
    """The name of a relation without the attribute's number in it."""
    return re.sub(r"_\d+$", "_<i>", relation)


def named_after(step: str) -> str:
    """The relation that a step makes where nobody says otherwise."""
    return "ppdt_" + step.rpartition("/")[2]


def runs() -> dict[str, list[Made]]:
    """What every run of the demo makes, each step once."""
    return {
        title: list(dict.fromkeys(made_in(script)))
        for title, run in showcases().items()
        for script in [run(5)]
    }


def written(ran: Mapping[str, Sequence[Made]]) -> str:
    """The page."""
    seen = {made.step for made_by in ran.values() for made in made_by}
    rest = [step for step in steps() if step not in seen and not step.startswith("lib/")]
    sections = [f"## {title[0].upper()}{title[1:]}\n\n{listed(m)}" for title, m in ran.items()]
    sections.append(
        f"## In none of these runs\n\n{listed([Made(step, named_after(step)) for step in rest])}"
    )
    return "\n".join([HEAD, *sections])


def listed(made: Sequence[Made]) -> str:
    """Steps in a table; neighbours of one room share a row."""
    lines = ["| room | steps |", "| --- | --- |"]
    for room, group in groupby(made, key=lambda one: one.step.rpartition("/")[0]):
        lines.append(f"| `{room}` | {', '.join(one.told for one in group)} |")
    return "\n".join(lines) + "\n"


def steps_of_one_run() -> list[str]:
    """The steps of one run on the demo's patients, from file to file, each once and in order."""
    log = io.StringIO()
    with tempfile.TemporaryDirectory() as name, duckdb.connect() as con:
        source = Path(name, "patients.parquet")
        make_patients(con, 500)
        con.table("patients").write_parquet(str(source))
        ppdt_db.anonymize(
            con, source, identifiers=["patient_id", "name"],
            quasi=["age", "sex", "zip", "admitted"], sensitive=["diagnosis"], keep=["readmitted"],
            method=ppdt_db.Mondrian(k=10, l=2), out=source.with_name("release.parquet"),
            record=False, sql_log=log,
        )  # fmt: skip
    ran: list[str] = []
    for part in re.split(r"^-- (?=[a-z_]+/)", log.getvalue(), flags=re.MULTILINE)[1:]:
        step = part.partition("\n")[0]
        # A step that stands in another one runs before it.
        ran += [*re.findall(r"/\* ((?:\w+/)+\w+) \*/", part), step]
    return [step for step in dict.fromkeys(ran) if not step.startswith("lib/")]


def with_one_run(page: str) -> str:
    """ARCHITECTURE.md with the steps of one run; each room begins a line."""
    lines = [
        textwrap.fill(" ".join(group), 112)
        for _, group in groupby(steps_of_one_run(), key=lambda step: step.rpartition("/")[0])
    ]
    return LISTED.sub(lambda found: found[1] + "\n".join(lines) + "\n" + found[2], page)


def main() -> int:
    """Write both pages; with --check tell whether they are as they would be written."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.manifest")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 where one differs")
    pages = {PLACE: written(runs()), ARCHITECTURE: with_one_run(ARCHITECTURE.read_text("utf-8"))}
    old = [path for path, text in pages.items() if path.read_text("utf-8") != text]
    if parser.parse_args().check:
        print(*[f"{path.name} is out of date" for path in old] or ["up to date"], sep="\n")
        return int(bool(old))
    for path in old:
        path.write_text(pages[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
