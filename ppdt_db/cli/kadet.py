"""The options and output of `ppdt learn kadet`, and `ppdt verify`."""

from pathlib import Path

import click

from ppdt_db.cli.command import PpdtCommand, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.terminal import Names, Pairs, print_json, progress
from ppdt_db.engine import session
from ppdt_db.engine.atomic_file import write_atomically
from ppdt_db.errors import EngineError, GuaranteeError, RequestError
from ppdt_db.learn import Kadet, verify_tree
from ppdt_db.learn.kadet.kadet import KadetTree
from ppdt_db.learn.kadet.verify import KNOWN, Null
from ppdt_db.release.recode import FORMS
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.tree.tree_json import read_from, read_tree

OPTIONS = [
    click.option("--public", type=Names(), help="kadet: columns an attacker may know."),
    click.option("--private", type=Names(), help="kadet: other columns to learn from."),
    click.option("--public-class", is_flag=True, help="kadet: an attacker may know the class too."),
    click.option("--k", type=int, help="kadet: minimum rows that anyone can be linked to."),
    click.option("--l", type=float, help="kadet: entropy l-diversity of the class."),
    click.option(
        "--limit", type=float, help="kadet: how certain of a class anybody may be, in percent."
    ),
    click.option("--form", "grown_as", type=click.Choice(["c45", "id3"]), help="kadet: algorithm."),
    click.option(
        "--hierarchy", type=Pairs(), multiple=True,
        help="kadet: COLUMN=FILE.csv, to generalize public values; also COLUMN=RELATION or "
        "COLUMN=prefixes:3,2; may be repeated.",
    ),
    click.option(
        "--bins",
        help="kadet: test numbers and dates at the edges of bins only: mdl (by the target), "
        "quantiles:N, widths:W, or FILE.csv (column,edge).",
    ),
    click.option(
        "--publish-table",
        help="kadet: also write each row's span: a table of --db, or FILE.parquet or .csv.",
    ),
    click.option("--out", type=click.Path(path_type=Path), help="kadet: JSON file for the tree."),
]  # fmt: skip
OWN = (
    "public",
    "private",
    "public_class",
    "k",
    "l",
    "limit",
    "grown_as",
    "hierarchy",
    "bins",
    "publish_table",
    "out",
)
SHARED = ("min_rows", "confidence")


def make_kadet(options: dict[str, object], given: list[str]) -> Kadet:
    """Return the learner for the options; raise every fault at once."""
    faults = [
        f"{flag_of(name)} does not apply to kadet; remove it."
        for name in given
        if name not in OWN and name not in SHARED
    ]
    if options["k"] is None:
        faults.append("kadet needs --k, the minimum rows that anyone can be linked to.")
    if options["publish_table"] is not None and options["public_class"]:
        faults.append(
            "--publish-table needs a private class, which the table shows; remove --public-class."
        )
    if faults:
        raise RequestError(*faults)
    return Kadet(
        k=options["k"],  # type: ignore[arg-type]
        public=options["public"] or (),  # type: ignore[arg-type]
        private=options["private"] or (),  # type: ignore[arg-type]
        public_class=bool(options["public_class"]),
        l=options["l"],  # type: ignore[arg-type]
        limit=options["limit"],  # type: ignore[arg-type]
        hierarchies=dict(options["hierarchy"]),  # type: ignore[call-overload]
        bins=options["bins"],  # type: ignore[arg-type]
        form=options["grown_as"] or "c45",  # type: ignore[arg-type]
        min_rows=options["min_rows"],  # type: ignore[arg-type]
        confidence=options["confidence"],  # type: ignore[arg-type]
    )


def flag_of(option: str) -> str:
    """Return an option as it is written on the command line."""
    return "--form" if option == "grown_as" else f"--{option.replace('_', '-')}"


def check_out(out: Path | None) -> None:
    """Raise if the tree's files cannot be written, before any work."""
    if out is None:
        return
    faults = [
        f"--out {out}: {path} exists. Choose another name, or remove it first."
        for path in (out, beside(out))
        if path.exists()
    ]
    if not out.parent.is_dir():
        faults.append(f"--out {out}: the folder does not exist. Create it first.")
    if faults:
        raise RequestError(*faults)


def place_of(table: str | None, db: str | None) -> dict[str, str]:
    """Return where the equivalent table goes: a name in the database, or a file."""
    if table is None:
        return {}
    if Path(table).suffix.lower() in FORMS:
        return {"out": table}
    if db is None:
        raise RequestError(
            f"--publish-table {table}: give the database of the table with --db, or name a file "
            "that ends in .parquet or .csv."
        )
    return {"into": table}


def write_kadet(model: KadetTree, out: Path) -> None:
    """Write the tree's certificate, and then the tree."""
    try:
        write_atomically(beside(out), model.certificate_json() + "\n")
        write_atomically(out, model.as_json() + "\n")
    except OSError as error:
        raise EngineError(f"--out {out}: it cannot be written: {error.strerror}.") from None
    tell(f"wrote {out} and {beside(out)}: k measured {model.certificate['k_measured']}", err=True)


def beside(out: Path) -> Path:
    """Return the path of a tree's certificate."""
    return out.with_name(out.name + ".certificate.json")


@click.command(cls=PpdtCommand)
@click.argument("tree", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("source")
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@click.option("--public", type=Names(), required=True, help="Columns an attacker may know.")
@click.option("--public-class", is_flag=True, help="An attacker may know the class too.")
@click.option("--k", type=int, required=True, help="Minimum rows that anyone can be linked to.")
@click.option(
    "--null",
    type=click.Choice([KNOWN]),
    default=KNOWN,
    show_default=True,
    help="What an attacker knows of a missing public value: that it is missing. Also covers those "
    "who do not know.",
)
@limited()
def verify(
    tree: Path,
    source: str,
    db: str | None,
    csv: CsvOptions,
    public: list[str],
    public_class: bool,
    k: int,
    null: Null,
    **given: object,
) -> None:
    """Check whether TREE (JSON, of any learner) is k-anonymous for SOURCE; exit code 3 if not."""
    model = read_from(tree, read_tree)
    path = Path(db) if db else None
    with (
        session(path, limits_of(given), read_only=db is not None) as con,
        progress(is_quiet=False),
    ):
        verdict = verify_tree(
            con, model, source, public=public, k=k, public_class=public_class, null=null, csv=csv
        )
    print_json(verdict.as_dict())
    if failed := verdict.failures(k):
        raise GuaranteeError("\n".join(failed))
