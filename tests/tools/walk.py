"""The walk of a run through the packages: how many it enters, how often it changes between them.

    python -m tests.tools.walk

Counted are calls of functions while 400 patients are anonymized, a run like that having gone
before, so that nothing is loaded on the way. What all packages speak in (errors, recodings, the
engine) makes no change when it is called.
"""

import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import FrameType

import duckdb

import ppdt_db
from ppdt_db.demo import ROLES, TARGET, make_patients
from ppdt_db.engine.duckdb import DuckEngine

HOME = Path(ppdt_db.__file__).parent
SPOKEN = {"arguments", "engine", "errors", "progress", "recodings", "sqltext"}
MADE = re.compile(r"^CREATE[ \w]*? (?:TABLE|VIEW|SCHEMA)(?: IF NOT EXISTS)? ([^\s(]+)")
RENAMED = re.compile(r"^ALTER .* RENAME TO (\S+)")
DROPPED = re.compile(r"^DROP \w+(?: IF EXISTS)? ([^\s;]+)")


class Walk:
    """The packages whose functions are called, in order."""

    def __init__(self) -> None:
        self.packages: list[str] = []
        self.spoken: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note the call of a function."""
        path = Path(frame.f_code.co_filename)
        # Installed, the templates lie inside the package, and their rendering is a call, too.
        if event != "call" or path.suffix != ".py" or HOME not in path.parents:
            return
        package = path.relative_to(HOME).parts[0].removesuffix(".py")
        if package in SPOKEN:
            self.spoken.add(package)
        elif self.packages[-1:] != [package]:
            self.packages.append(package)

    @property
    def n_changes(self) -> int:
        """How often the run went from one package to another."""
        return len(list(pairwise(self.packages)))


def walked() -> tuple[Walk, list[str]]:
    """Anonymize 400 patients; return the walk, and the statements that the engine was given."""
    walk, texts = Walk(), []
    execute = DuckEngine._execute

    def noted(self: DuckEngine, statement, params):  # type: ignore[no-untyped-def]
        texts.append(statement.text)
        return execute(self, statement, params)

    with duckdb.connect() as con:
        make_patients(con, 400)
        DuckEngine._execute = noted  # type: ignore[method-assign]
        sys.setprofile(walk)
        try:
            ppdt_db.anonymize(con, "patients", **ROLES, target=TARGET, into="o", seed=1)  # type: ignore[arg-type]
        finally:
            sys.setprofile(None)
            DuckEngine._execute = execute  # type: ignore[method-assign]
    return walk, texts


def never_made(texts: Sequence[str]) -> list[str]:
    """Return the names that are dropped where they do not stand."""
    standing: set[str] = set()
    missing: list[str] = []
    for text in texts:
        if found := MADE.match(text) or RENAMED.match(text):
            standing.add(last_of(found.group(1)))
        elif found := DROPPED.match(text):
            name = last_of(found.group(1))
            if name not in standing:
                missing.append(name)
            standing.discard(name)
    return missing


def last_of(path: str) -> str:
    """Return the last part of a qualified name."""
    return path.rpartition(".")[2].strip('"')


def main() -> None:
    """Print the figures of the walk."""
    walked()
    walk, texts = walked()
    entered = sorted({*walk.packages, *(walk.spoken & {"engine"})})
    drops = [text for text in texts if DROPPED.match(text)]
    print(f"packages entered: {len(entered)} ({', '.join(entered)})")
    print(f"changes of package: {walk.n_changes}")
    print(f"statements: {len(texts)}, of which DROPs: {len(drops)}")
    print(f"dropped without having been made: {', '.join(never_made(texts)) or 'none'}")


if __name__ == "__main__":
    main()
