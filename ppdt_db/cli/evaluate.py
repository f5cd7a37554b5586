"""`ppdt evaluate`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import click

from ppdt_db.cli.command import Command
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.evaluated import print_one, print_several
from ppdt_db.cli.limits import limited, limits_of
from ppdt_db.cli.terminal import Names, Pairs, print_json, progress
from ppdt_db.cli.wishes import job_of, wishing
from ppdt_db.csv_dialect import CsvWish
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.evaluate import Privacy, compare, store_rounds
from ppdt_db.evaluate.learners import LEARNERS, Any
from ppdt_db.evaluate.perturb import PROTOCOLS, Reading
from ppdt_db.evaluate.plot import check_plot, plot
from ppdt_db.evaluate.run import check_place
from ppdt_db.learn.sets import SCORINGS

READINGS = ("centre", "released", "sets")
# What is about a release that stays, and what is asked for in another way here.
NOT_HERE = ("target", "identifiers", "entity", "pseudonymize", "keep", "k", "min_rows", "recode")


class Recode(Pairs):
    """COLUMN=SHAPE, or one word for all columns."""

    name = "column=shape | word"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if value in READINGS:
            return "", str(value)
        return super().convert(value, param, ctx)


@click.command(cls=Command)
@click.argument("source")
@click.option("--db", help="The DuckDB file that holds SOURCE.")
@csv_option
@click.option("--target", required=True, help="The column to predict.")
@click.option("--features", type=Names(), help="Columns to learn from. Default: all others.")
@click.option(
    "--learner",
    "learners",
    type=Names(),
    default="c45",
    show_default=True,
    help=f"{' | '.join(LEARNERS)} (ID3 on sets); several to compare them.",
)
@click.option("--min-rows", type=int, help="Trees: least rows of two branches.")
@click.option("--unpruned", is_flag=True, help="C4.5: do not prune.")
@click.option("--ties", type=click.Choice(["first", "last"]), help="ID3: which of equal classes.")
@click.option("--scoring", type=click.Choice(SCORINGS), help="ID3 on sets: how a set counts.")
@click.option("--conversion", type=click.Choice(["random", "most_frequent"]), help="Its member.")
@click.option(
    "--cv",
    default="5x2",
    show_default=True,
    help="Folds, REPETITIONSxFOLDS, or holdout=FILE: learn from all of SOURCE, test on FILE.",
)
@click.option("--stratified", is_flag=True, help="Deal every class evenly.")
@click.option("--k", "ks", type=Names(), help="Rows in each class, such as 10 or 2,5,10.")
@click.option(
    "--recode",
    type=Recode(),
    multiple=True,
    help="What a learner is shown: centre (means and modes), released (ranges and sets), sets; or "
    "COLUMN=range|set|mean|mode. Default: the most that it reads.",
)
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default="PO",
    show_default=True,
    help="What is learnt from and tested on: Perturbed or Original.",
)
@click.option(
    "--test-rows",
    type=click.Choice(["original", "mapped"]),
    help="Test rows as they are, or as a global recoding shows them. Default: by the method.",
)
@click.option("--into", help="Also write every round to a table of --db.")
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw accuracy and information lost against k, to FILE.svg or FILE.png.",
)
@click.option("--seed", type=int, default=1, show_default=True)
@wishing(without=NOT_HERE)
@click.option("--accept", type=Names(), help="Weaker promises that you accept, by their names.")
@limited()
@click.option("--json", "is_json", is_flag=True, help="Everything on stdout, as JSON.")
def evaluate(
    source: str,
    db: str | None,
    csv: CsvWish,
    target: str,
    features: list[str] | None,
    learners: list[str],
    cv: str,
    stratified: bool,
    ks: list[str] | None,
    protocol: str,
    recode: tuple[tuple[str, str], ...],
    test_rows: str | None,
    into: str | None,
    picture: Path | None,
    seed: int,
    is_json: bool,
    **given: object,
) -> None:
    """Cross-validate learners on SOURCE, and with --method what anonymization costs them."""
    if into is not None and db is None:
        raise RequestError("--into writes a table into a database: name its file with --db.")
    if picture is not None:
        check_plot(picture)
    limits = limits_of(given)
    wishes = {name: given.pop(name) for name in WISHES}
    made = _make(learners, {**wishes, "seed": seed})
    privacies = _privacies(given, ks, recode, protocol, test_rows)
    if picture is not None and not privacies:
        raise RequestError("--plot draws accuracy against k: name a --method and several --k.")
    path = Path(db) if db else None
    with (
        session(path, limits, read_only=into is None and db is not None) as con,
        progress(is_quiet=is_json) as report,
    ):
        if into is not None:
            check_place(con, into)
        result = compare(
            con,
            source,
            target=target,
            features=features,
            learners=made,
            cv=cv,
            stratified=stratified,
            privacies=privacies,
            seed=seed,
            progress=report,
            csv=csv,
        )
        if into is not None:
            store_rounds(con, result, into=into)
    if picture is not None:
        plot(result, picture)
    if is_json:
        print_json(result.as_dict())
    elif len(result.evaluations) == 1:
        print_one(result.evaluations[0], cv)
    else:
        print_several(result)


WISHES = ("min_rows", "unpruned", "ties", "scoring", "conversion")


def _make(names: Sequence[str], wishes: Mapping[str, object]) -> dict[str, Any]:
    unknown = [name for name in names if name not in LEARNERS]
    if unknown:
        raise RequestError(
            *(f"--learner {name}: choose one of {', '.join(LEARNERS)}." for name in unknown)
        )
    return {name: LEARNERS[name](wishes) for name in names}


def _privacies(
    given: dict[str, object],
    ks: Sequence[str] | None,
    recode: Sequence[tuple[str, str]],
    protocol: str,
    test_rows: str | None,
) -> list[Privacy]:
    """One for every k, by the method and the options of `ppdt anonymize`."""
    if given.get("method") is None:
        if ks or recode or any(wish not in (None, ()) for wish in given.values()):
            raise RequestError(
                "--qi, --k, --sensitive, --recode and other options of releases are for an "
                "anonymization: name its --method."
            )
        return []
    columns = {name: wish for name, wish in recode if name}
    readings = [wish for name, wish in recode if not name]
    job = job_of({**given, "recode": columns})
    jobs = [replace(job, k=k) for k in _numbers(ks)] if ks else [job]
    return [
        Privacy(
            method=one.make_method(),
            quasi=one.attributes(),
            protocol=protocol,  # type: ignore[arg-type]
            sensitive=one.secrets(),
            accept=one.accept,
            reading=cast("Reading", readings[-1]) if readings else None,
            is_mapped=None if test_rows is None else test_rows == "mapped",
        )
        for one in jobs
    ]


def _numbers(ks: Sequence[str]) -> list[int]:
    if not all(k.isdecimal() for k in ks):
        raise RequestError(f"--k {','.join(ks)}: write whole numbers with commas between them.")
    return sorted({int(k) for k in ks})
