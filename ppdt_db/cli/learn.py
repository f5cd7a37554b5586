"""`ppdt learn` and `ppdt predict`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from ppdt_db.cli import kadet as of_kadet
from ppdt_db.cli.command import PpdtCommand, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.script import check_script, script
from ppdt_db.cli.terminal import Names, progress
from ppdt_db.engine import ENGINES, Limits, session
from ppdt_db.errors import RequestError
from ppdt_db.learn import C45, ID3, Kadet, NaiveBayes, Part, SetID3, predict_into, read_model, store
from ppdt_db.learn import learn as learn_from
from ppdt_db.learn.distribution import with_distribution
from ppdt_db.learn.kadet.kadet import KadetTree
from ppdt_db.learn.model import Learner
from ppdt_db.learn.trees.learners import TreeLearner
from ppdt_db.learn.trees.set_id3 import CONVERSIONS, SCORINGS
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.source.source import files_of
from ppdt_db.span_table import publish_spans
from ppdt_db.tree.tree_json import read_from

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _with_kadet(command: Decorated) -> Decorated:
    """Add the options of kadet to a command."""
    for option in reversed(of_kadet.OPTIONS):
        command = option(command)
    return command


@click.command(cls=PpdtCommand)
@click.argument(
    "learner", type=click.Choice(["c45", "id3", "bayes", "part", "kadet"], case_sensitive=False)
)
@click.argument("source")
@_with_kadet
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@click.option("--engine", type=click.Choice(ENGINES), help="Engine to run on. Default: duckdb.")
@click.option("--target", required=True, help="The column to predict.")
@click.option("--features", type=Names(), help="Columns to learn from. Default: all others.")
@click.option("--weight", help="Column with the weight of each row.")
@click.option(
    "--min-rows",
    type=int,
    help="Rows that two branches of a split must hold. Default: 2, ID3: 1.",
)
@click.option("--unpruned", is_flag=True, help="Do not prune the tree.")
@click.option(
    "--binary", is_flag=True, help="C4.5: divide the values of a category in two at every split."
)
@click.option("--no-raising", is_flag=True, help="Prune without subtree raising.")
@click.option(
    "--confidence",
    type=float,
    default=0.25,
    show_default=True,
    help="C4.5, PART: a lower one prunes more.",
)
@click.option(
    "--missing",
    type=click.Choice(["fractional", "branch"]),
    default="fractional",
    show_default=True,
    help="Split rows with missing values between branches, or use a branch for them.",
)
@click.option("--scoring", type=click.Choice(SCORINGS), help="ID3 on sets: how to count a set.")
@click.option(
    "--conversion",
    type=click.Choice(CONVERSIONS),
    help="ID3 on sets: which member to use; own_value: a branch for every set.",
)
@click.option(
    "--original-distribution",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="ID3 on sets: file of `ppdt distribution`, by which members are drawn.",
)
@click.option("--seed", type=int, help="Random seed for ID3 on sets. Default: 1.")
@click.option(
    "--ties",
    type=click.Choice(["first", "last"]),
    default="first",
    show_default=True,
    help="C4.5, ID3: which of equally frequent classes a leaf takes.",
)
@click.option(
    "--text", "form", flag_value="text", default=True, help="Print the model as J48 does (default)."
)
@click.option("--json", "form", flag_value="json", help="Print it as JSON, for `ppdt predict`.")
@click.option("--sql", "form", flag_value="sql", help="Print it as a SQL CASE expression.")
@click.option("--into", help="Also write the nodes to a table of --db.")
@limited()
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def learn(
    learner: str,
    source: str,
    db: str | None,
    csv: CsvOptions,
    engine: str | None,
    target: str,
    features: list[str] | None,
    weight: str | None,
    form: str,
    into: str | None,
    sql_log: Path | None,
    **given: object,
) -> None:
    """Learn from SOURCE: a table or view of --db, or a Parquet or CSV file."""
    table = str(given["publish_table"]) if given["publish_table"] else None
    place = of_kadet.place_of(table, db)
    if into is not None and db is None:
        raise RequestError("--into writes a table to a database: give its file with --db.")
    limits = limits_of(given)
    other = make_other(learner, given, {"weight": weight, "into": into, "features": features})
    out = Path(str(given["out"])) if given["out"] else None
    of_kadet.check_out(out)
    if engine == "spark" and (db or limits != Limits()):
        raise RequestError(
            "--db and limits (--threads, --memory-limit ...) are not supported on Spark. Remove "
            "them; Spark's resources are set by spark-submit or spark-defaults.conf."
        )
    path = Path(db) if db else None
    check_script(sql_log, [db, out, *files_of(source)])
    with (
        session(
            path, limits, read_only=into is None and "into" not in place and db is not None
        ) as con,
        progress(is_quiet=False) as report,
        script(sql_log) as log,
    ):
        common = partial(
            learn_from, None if engine == "spark" else con, source, target=target,
            features=features, progress=report, sql_log=log, engine=engine,
            csv=csv,
        )  # fmt: skip
        model: _Written
        if other is not None:
            model = common(learner=other)
            if table is not None and isinstance(other, Kadet) and isinstance(model, KadetTree):
                released = publish_spans(con, source, other, model.tree, csv=csv, **place)
                tell(f"wrote {table}: k measured {released.certificate['k_measured']}", err=True)
        else:
            model = tree = common(learner=make_learner(learner, given), weight=weight)
            if into is not None:
                store(con, tree, into=into)
    if isinstance(model, KadetTree) and out is not None:
        of_kadet.write_kadet(model, out)
    written = {"text": model.as_text, "json": model.as_json, "sql": model.as_sql}[form]
    click.echo(written())


class _Written(Protocol):
    """A model that can be written out."""

    def as_text(self) -> str:
        """Return the model for people."""
        ...

    def as_json(self) -> str:
        """Return the model for programs."""
        ...

    def as_sql(self) -> str:
        """Return the model for the database."""
        ...


def make_other(
    name: str, options: dict[str, object], others: dict[str, object]
) -> Learner[_Written] | None:
    """Return the learner if it is not a plain tree, else None; raise every fault at once."""
    context = click.get_current_context()
    given = [
        option
        for option in options
        if context.get_parameter_source(option) is click.core.ParameterSource.COMMANDLINE
    ]
    if name == "kadet":
        given += [option for option, value in others.items() if value is not None]
        return of_kadet.make_kadet(options, given)
    if name in ("bayes", "part"):
        takes = ("min_rows", "confidence") if name == "part" else ()
        given = [option for option in given if option not in takes]
        given += [o for o in ("weight", "into") if others[o] is not None]
    else:
        given = [option for option in given if option in of_kadet.OWN]
    if given:
        raise RequestError(
            *(
                f"{of_kadet.flag_of(option)} does not apply to {name}; remove it."
                for option in given
            )
        )
    if name not in ("bayes", "part"):
        return None
    if name == "bayes":
        return NaiveBayes()
    min_rows = options["min_rows"]
    return Part(
        min_rows=2 if min_rows is None else int(str(min_rows)),
        confidence=float(str(options["confidence"])),
    )


def make_learner(name: str, given: dict[str, object]) -> TreeLearner:
    """Return the tree learner for the options."""
    options = {key: value for key, value in given.items() if value is not None}
    min_rows = {"min_rows": options["min_rows"]} if "min_rows" in options else {}
    ties = options.get("ties", "first")
    told = ("scoring", "conversion", "original_distribution", "seed")
    of_sets = with_distribution({key: options[key] for key in told if key in options})
    if of_sets and name != "id3":
        raise RequestError(
            "--scoring, --conversion, --original-distribution and --seed apply to id3 only; "
            "remove them."
        )
    if options.get("binary") and name == "id3":
        raise RequestError("--binary applies to c45 only; remove it.")
    if of_sets:
        return SetID3(ties=ties, **min_rows, **of_sets)  # type: ignore[arg-type]
    if name == "id3":
        return ID3(missing=options["missing"], ties=ties, **min_rows)  # type: ignore[arg-type]
    return C45(
        unpruned=bool(options["unpruned"]),
        raising=not options["no_raising"],
        binary=bool(options.get("binary")),
        confidence=options["confidence"],  # type: ignore[arg-type]
        missing=options["missing"],  # type: ignore[arg-type]
        ties=ties,  # type: ignore[arg-type]
        **min_rows,  # type: ignore[arg-type]
    )


@click.command(cls=PpdtCommand)
@click.argument("model", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("source")
@click.option("--db", required=True, help="DuckDB database file for the table.")
@csv_option
@click.option("--into", required=True, help="The table to write.")
@limited()
def predict(model: Path, source: str, db: str, csv: CsvOptions, into: str, **given: object) -> None:
    """Write SOURCE with a prediction for every row by MODEL (a file of `ppdt learn --json`)."""
    loaded = read_from(model, read_model)
    with session(Path(db), limits_of(given)) as con, progress(is_quiet=False) as report:
        predict_into(con, loaded, source, into=into, progress=report, csv=csv)
    tell(f"wrote {into}, with the column predicted_{loaded.target}")
