"""What `ppdt learn kadet` takes and writes; `ppdt verify`."""

from pathlib import Path

import click
from duckdb import DuckDBPyConnection

from ppdt_db.anonymize import anonymize
from ppdt_db.cli.command import Command, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.terminal import Names, Pairs, print_json, progress
from ppdt_db.csv_dialect import CsvWish
from ppdt_db.engine import DuckEngine, connect
from ppdt_db.errors import EngineError, GuaranteeError, RequestError
from ppdt_db.learn import Kadet, verify_tree
from ppdt_db.learn.kadet import KadetTree
from ppdt_db.methods.spans import Spans
from ppdt_db.names import fold
from ppdt_db.source import Given, opened
from ppdt_db.tree import Tree
from ppdt_db.tree_file import read_tree
from ppdt_db.whole_file import write_whole

OPTIONS = [
    click.option("--public", type=Names(), help="kadet: columns that an outsider may know."),
    click.option("--private", type=Names(), help="kadet: the other columns to learn from."),
    click.option("--public-class", is_flag=True, help="kadet: an outsider may know the class too."),
    click.option("--k", type=int, help="kadet: least rows that anybody can be linked to."),
    click.option("--l", type=float, help="kadet: entropy l-diversity of the class."),
    click.option("--form", "grown_as", type=click.Choice(["c45", "id3"]), help="kadet: as which."),
    click.option(
        "--hierarchy", type=Pairs(), multiple=True,
        help="kadet: COLUMN=FILE.csv, what stands in for public values; also COLUMN=RELATION or "
        "COLUMN=prefixes:3,2; may be repeated.",
    ),
    click.option("--publish-table", help="kadet: also a table of --db with each row's span."),
    click.option("--out", type=click.Path(path_type=Path), help="kadet: the tree's JSON file."),
]  # fmt: skip
OWN = (
    "public",
    "private",
    "public_class",
    "k",
    "l",
    "grown_as",
    "hierarchy",
    "publish_table",
    "out",
)
SHARED = ("min_rows", "confidence")


def make_kadet(given: dict[str, object], asked: list[str]) -> Kadet:
    """The learner that the options describe; lists every fault at once."""
    faults = [
        f"{spelled(name)}: kadet takes no such option."
        for name in asked
        if name not in OWN and name not in SHARED
    ]
    if given["k"] is None:
        faults.append("kadet needs --k: the least rows that anybody can be linked to.")
    if given["publish_table"] is not None and given["public_class"]:
        faults.append("--publish-table needs a private class: the table shows it beside the span.")
    if faults:
        raise RequestError(*faults)
    return Kadet(
        k=given["k"],  # type: ignore[arg-type]
        public=given["public"] or (),  # type: ignore[arg-type]
        private=given["private"] or (),  # type: ignore[arg-type]
        public_class=bool(given["public_class"]),
        l=given["l"],  # type: ignore[arg-type]
        hierarchies=dict(given["hierarchy"]),  # type: ignore[call-overload]
        form=given["grown_as"] or "c45",  # type: ignore[arg-type]
        min_rows=given["min_rows"],  # type: ignore[arg-type]
        confidence=given["confidence"],  # type: ignore[arg-type]
    )


def spelled(option: str) -> str:
    """An option as it is written on the command line."""
    return "--form" if option == "grown_as" else f"--{option.replace('_', '-')}"


def check_out(out: Path | None) -> None:
    """Raise where the tree's files cannot be written, before any work."""
    if out is None:
        return
    faults = [
        f"{path} exists. Choose another name for --out, or remove it."
        for path in (out, beside(out))
        if path.exists()
    ]
    if not out.parent.is_dir():
        faults.append(f"the folder {out.parent} of --out does not exist. Make it first.")
    if faults:
        raise RequestError(*faults)


def publish(con: DuckDBPyConnection, source: Given, learner: Kadet, tree: Tree, into: str) -> None:
    """Release the table that is equivalent to a tree: all that it did not learn from is dropped."""
    with opened(DuckEngine(con), source) as found:
        columns = list(found.columns)
    shown = {fold(name) for name in (*learner.public, *learner.private, tree.target)}
    release = anonymize(
        con, source, quasi=learner.public, sensitive=learner.private, target=tree.target,
        identifiers=[column for column in columns if fold(column) not in shown],
        method=Spans(k=learner.k, tree=tree), into=into,
    )  # fmt: skip
    tell(f"wrote {into}: k measured {release.certificate['k_measured']}", err=True)


def write_kadet(found: KadetTree, out: Path) -> None:
    """Write the tree, and before it its certificate beside it."""
    try:
        write_whole(beside(out), found.certificate_json() + "\n")
        write_whole(out, found.as_json() + "\n")
    except OSError as error:
        raise EngineError(f"--out {out}: it cannot be written: {error.strerror}.") from None
    tell(f"wrote {out} and {beside(out)}: k measured {found.certificate['k_measured']}", err=True)


def beside(out: Path) -> Path:
    """Where the certificate of a tree lies."""
    return out.with_name(out.name + ".certificate.json")


@click.command(cls=Command)
@click.argument("tree", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("source")
@click.option("--db", help="The DuckDB file that holds SOURCE.")
@csv_option
@click.option("--public", type=Names(), required=True, help="Columns that an outsider may know.")
@click.option("--public-class", is_flag=True, help="An outsider may know the class too.")
@click.option("--k", type=int, required=True, help="Least rows that anybody can be linked to.")
@click.option("--threads", type=click.IntRange(min=1))
@click.option("--memory-limit", help="Such as 4GB.")
def verify(
    tree: Path,
    source: str,
    db: str | None,
    csv: CsvWish,
    public: list[str],
    public_class: bool,
    k: int,
    threads: int | None,
    memory_limit: str | None,
) -> None:
    """Is TREE (JSON, of any learner) k-anonymous for the rows of SOURCE? Exit code 3: it is not."""
    known = read_tree(tree.read_text("utf-8"))
    path = Path(db) if db else None
    with (
        connect(path, read_only=db is not None, threads=threads, memory_limit=memory_limit) as con,
        progress(is_quiet=False),
    ):
        verdict = verify_tree(
            con, known, source, public=public, k=k, public_class=public_class, csv=csv
        )
    print_json(verdict.as_dict())
    if failed := verdict.failures(k):
        raise GuaranteeError("\n".join(failed))
