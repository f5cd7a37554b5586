"""The rows of Shao and Beckford's experiment: a release in sets, and test rows in its sets."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ppdt_db.apply.api import load_rules
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.run_folder import run_folder, system_place
from ppdt_db.evaluate.perturb import Privacy, perturbed
from ppdt_db.experiments.shao_data import NUMBER, TARGET, ShaoCell, quasi_of
from ppdt_db.methods.mondrian import Mondrian
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import ident

RECODED = "recoded"


@dataclass(frozen=True, kw_only=True)
class ShaoRows:
    """The rows to learn from, and to test on: as they are, and in the sets of the release."""

    train: Source
    test: Source
    test_in_sets: Source | None = None
    gcp: float | None = None


@contextmanager
def rows_of(
    engine: DuckEngine, train: Source, test: Source, cell: ShaoCell, *, tests_sets: bool
) -> Iterator[ShaoRows]:
    """Yield the rows of a cell and of all others of its release, dropped when the block ends."""
    if cell.criterion == "none":
        yield ShaoRows(train=train, test=test)
        return
    privacy = Privacy(method=Mondrian(k=cell.k, criterion=cell.criterion), quasi=quasi_of(cell))
    with ExitStack() as stack:
        rules: Path | None = None
        given = train
        if tests_sets:
            rules = stack.enter_context(run_folder(system_place())) / "rules.duckdb"
            given = _numbered(engine, train, "ppdt_numbered_train")
        release, certificate = stack.enter_context(
            perturbed(engine, given, privacy, "sets", TARGET, 1, rules)
        )
        gcp = certificate["gcp"]
        rows = ShaoRows(train=release, test=test, gcp=gcp if isinstance(gcp, float) else None)
        if rules is not None:
            rows = replace(rows, test_in_sets=_in_sets(engine, test, release, rules, cell))
        yield rows
        engine.drop("ppdt_numbered_train", "ppdt_numbered_test", "ppdt_in_sets")


def _numbered(engine: DuckEngine, source: Source, table: str) -> Source:
    names = {"source": source.relation, "columns": list(source.columns), "number": NUMBER}
    engine.make("tools/bench/numbered", names=names, to=table)
    columns = {**source.columns, NUMBER: "BIGINT"}
    return replace(source, title=table, relation=ident(table), columns=columns)


def _in_sets(
    engine: DuckEngine, test: Source, release: Source, rules: Path, cell: ShaoCell
) -> Source:
    """Recode the test rows by the rules of a release; the others are sets of one."""
    numbered = _numbered(engine, test, "ppdt_numbered_test")
    load_rules(rules).apply(engine.con, engine.con.table(numbered.title), into=RECODED)
    quasi = set(quasi_of(cell))
    names = {
        "source": numbered.relation,
        "recoded": RECODED,
        "columns": {name: name in quasi for name in test.columns},
        "number": NUMBER,
    }
    engine.make("tools/bench/in_sets", names=names)
    columns = {name: release.columns[name] for name in test.columns}
    return Source(kind="table", title="in_sets", relation=ident("ppdt_in_sets"), columns=columns)
