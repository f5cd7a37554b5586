"""`ppdt learn` and `ppdt predict`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from ppdt_db.cli import kadet as of_kadet
from ppdt_db.cli.command import Command, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.limits import limited, limits_of
from ppdt_db.cli.script import check_script, script
from ppdt_db.cli.terminal import Names, progress
from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.engine import ENGINES, Limits, session
from ppdt_db.errors import RequestError
from ppdt_db.learn import C45, ID3, Kadet, NaiveBayes, Part, SetID3, predict_into, read_model, store
from ppdt_db.learn import learn as learn_from
from ppdt_db.learn.api import Learns
from ppdt_db.learn.kadet import KadetTree
from ppdt_db.learn.sets import SCORINGS
from ppdt_db.learn.trees import TreeLearner
from ppdt_db.source import files_of

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _with_kadet(command: Decorated) -> Decorated:
    """The options of kadet, beside those of the other learners."""
    for option in reversed(of_kadet.OPTIONS):
        command = option(command)
    return command


@click.command(cls=Command)
@click.argument(
    "learner", type=click.Choice(["c45", "id3", "bayes", "part", "kadet"], case_sensitive=False)
)
@click.argument("source")
@_with_kadet
@click.option("--db", help="The DuckDB file that holds SOURCE.")
@csv_option
@click.option("--engine", type=click.Choice(ENGINES), help="Where it runs. Default: duckdb.")
@click.option("--target", required=True, help="The column to predict.")
@click.option("--features", type=Names(), help="Columns to learn from. Default: all others.")
@click.option("--weight", help="A column with the weight of each row.")
@click.option("--min-rows", type=int, help="Least rows of two branches. Default: 2, ID3: 1.")
@click.option("--unpruned", is_flag=True, help="Leave the grown tree as it is.")
@click.option("--no-raising", is_flag=True, help="Prune without subtree raising.")
@click.option("--confidence", type=float, default=0.25, show_default=True)
@click.option(
    "--missing",
    type=click.Choice(["fractional", "branch"]),
    default="fractional",
    show_default=True,
    help="Share a row with a missing value out, or give it a branch.",
)
@click.option("--scoring", type=click.Choice(SCORINGS), help="ID3 on sets: how a set counts.")
@click.option("--conversion", type=click.Choice(["random", "most_frequent"]), help="Its member.")
@click.option("--seed", type=int, help="Makes the draws of ID3 on sets repeatable. Default: 1.")
@click.option("--ties", type=click.Choice(["first", "last"]), default="first", show_default=True)
@click.option("--text", "form", flag_value="text", default=True, help="As J48 prints it (default).")
@click.option("--json", "form", flag_value="json", help="As JSON, for `ppdt predict`.")
@click.option("--sql", "form", flag_value="sql", help="As one SQL CASE expression.")
@click.option("--into", help="Also write the nodes to a table of --db.")
@limited()
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def learn(
    learner: str,
    source: str,
    db: str | None,
    csv: CsvWish,
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
    if table is not None and db is None:
        raise RequestError("--publish-table writes into a database: name its file with --db.")
    if into is not None and db is None:
        raise RequestError("--into writes a table into a database: name its file with --db.")
    other = make_other(learner, given, {"weight": weight, "into": into, "features": features})
    out = Path(str(given["out"])) if given["out"] else None
    of_kadet.check_out(out)
    limits = limits_of(given)
    if engine == "spark" and (db or limits != Limits()):
        raise RequestError(
            "--db and the limits (--threads, --memory-limit ...) are for DuckDB. Leave them out; "
            "what Spark may use, spark-submit or spark-defaults.conf say."
        )
    path = Path(db) if db else None
    check_script(sql_log, [db, out, *files_of(source)])
    with (
        session(path, limits, read_only=into is None and table is None and db is not None) as con,
        progress(is_quiet=False) as report,
        script(sql_log) as log,
    ):
        common = partial(
            learn_from, None if engine == "spark" else con, source, target=target,
            features=features, progress=report, sql_log=log, engine=engine,
            csv=csv,
        )  # fmt: skip
        found: _Written
        if other is not None:
            found = common(learner=other)
            if table is not None and isinstance(other, Kadet) and isinstance(found, KadetTree):
                of_kadet.publish(con, with_csv(source, csv), other, found.tree, table)
        else:
            found = tree = common(learner=make_learner(learner, given), weight=weight)
            if into is not None:
                store(con, tree, into=into)
    if isinstance(found, KadetTree) and out is not None:
        of_kadet.write_kadet(found, out)
    written = {"text": found.as_text, "json": found.as_json, "sql": found.as_sql}[form]
    click.echo(written())


class _Written(Protocol):
    """What can be written down."""

    def as_text(self) -> str:
        """For people."""
        ...

    def as_json(self) -> str:
        """For programs."""
        ...

    def as_sql(self) -> str:
        """For the database."""
        ...


def make_other(
    name: str, given: dict[str, object], apart: dict[str, object]
) -> Learns[_Written] | None:
    """The learner of no plain tree that is asked for, or None; lists every fault at once."""
    context = click.get_current_context()
    asked = [
        option
        for option in given
        if context.get_parameter_source(option) is click.core.ParameterSource.COMMANDLINE
    ]
    if name == "kadet":
        asked += [option for option, value in apart.items() if value is not None]
        return of_kadet.make_kadet(given, asked)
    if name in ("bayes", "part"):
        takes = ("min_rows", "confidence") if name == "part" else ()
        asked = [option for option in asked if option not in takes]
        asked += [o for o in ("weight", "into") if apart[o] is not None]
    else:
        asked = [option for option in asked if option in of_kadet.OWN]
    if asked:
        raise RequestError(
            *(f"{of_kadet.spelled(option)}: {name} takes no such option." for option in asked)
        )
    if name not in ("bayes", "part"):
        return None
    if name == "bayes":
        return NaiveBayes()
    min_rows = given["min_rows"]
    return Part(
        min_rows=2 if min_rows is None else int(str(min_rows)),
        confidence=float(str(given["confidence"])),
    )


def make_learner(name: str, given: dict[str, object]) -> TreeLearner:
    """The learner that the options describe."""
    wishes = {key: value for key, value in given.items() if value is not None}
    min_rows = {"min_rows": wishes["min_rows"]} if "min_rows" in wishes else {}
    ties = wishes.get("ties", "first")
    of_sets = {key: wishes[key] for key in ("scoring", "conversion", "seed") if key in wishes}
    if of_sets and name != "id3":
        raise RequestError("--scoring, --conversion and --seed are for id3 on sets.")
    if of_sets:
        return SetID3(ties=ties, **min_rows, **of_sets)  # type: ignore[arg-type]
    if name == "id3":
        return ID3(missing=wishes["missing"], ties=ties, **min_rows)  # type: ignore[arg-type]
    return C45(
        unpruned=bool(wishes["unpruned"]),
        raising=not wishes["no_raising"],
        confidence=wishes["confidence"],  # type: ignore[arg-type]
        missing=wishes["missing"],  # type: ignore[arg-type]
        ties=ties,  # type: ignore[arg-type]
        **min_rows,  # type: ignore[arg-type]
    )


@click.command(cls=Command)
@click.argument("model", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("source")
@click.option("--db", required=True, help="The DuckDB file that gets the table.")
@csv_option
@click.option("--into", required=True, help="The table to write.")
@limited()
def predict(model: Path, source: str, db: str, csv: CsvWish, into: str, **given: object) -> None:
    """Write SOURCE with the prediction of MODEL (by `ppdt learn --json`) beside every row."""
    known = read_model(model.read_text("utf-8"))
    with session(Path(db), limits_of(given)) as con, progress(is_quiet=False) as report:
        predict_into(con, known, source, into=into, progress=report, csv=csv)
    tell(f"wrote {into}, with the column predicted_{known.target}")
