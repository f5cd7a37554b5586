"""`ppdt evaluate`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import click

from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.evaluate_kadet import NAME as KADET
from ppdt_db.cli.evaluate_kadet import kadet_options, make_kadets
from ppdt_db.cli.evaluate_output import print_one, print_several
from ppdt_db.cli.release_options import job_of, release_options
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.terminal import Names, Pairs, print_json, progress
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.evaluate import Privacy, compare, store_rounds
from ppdt_db.evaluate.learners import LEARNERS, AnyLearner
from ppdt_db.evaluate.perturb import LEARNED, PROTOCOLS, Reading
from ppdt_db.evaluate.plot import check_plot, plot
from ppdt_db.evaluate.run import check_place
from ppdt_db.learn.distribution import with_distribution
from ppdt_db.learn.trees.set_id3 import CONVERSIONS, SCORINGS
from ppdt_db.source.csv.dialect import CsvOptions

READINGS = ("centre", "released", "sets")
# Options of published releases only, and those that this command defines itself.
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


@click.command(cls=PpdtCommand)
@click.argument("source")
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@click.option("--target", required=True, help="The column to predict.")
@click.option("--features", type=Names(), help="Columns to learn from. Default: all others.")
@click.option(
    "--learner",
    "learners",
    type=Names(),
    default="c45",
    show_default=True,
    help=f"{' | '.join(LEARNERS)} (ID3 on sets) | {KADET}; several to compare them.",
)
@kadet_options
@click.option("--min-rows", type=int, help="Trees: rows that two branches of a split must hold.")
@click.option("--unpruned", is_flag=True, help="C4.5: do not prune.")
@click.option(
    "--ties", type=click.Choice(["first", "last"]), help="ID3: how to break ties between classes."
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
@click.option(
    "--cv",
    default="5x2",
    show_default=True,
    help="Folds, REPETITIONSxFOLDS, or holdout=FILE: learn from all of SOURCE, test on FILE.",
)
@click.option("--stratified", is_flag=True, help="Stratify the folds by class.")
@click.option("--k", "ks", type=Names(), help="Minimum class sizes, such as 10 or 2,5,10.")
@click.option(
    "--recode",
    type=Recode(),
    multiple=True,
    help="What learners get: centre (means and modes), released (ranges and sets), sets; or "
    f"COLUMN={'|'.join(LEARNED)}. Default: the most detailed that they can read.",
)
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default="PO",
    show_default=True,
    help="Data to train and to test on: P(erturbed) or O(riginal).",
)
@click.option(
    "--test-rows",
    type=click.Choice(["original", "mapped"]),
    help="Test on original rows, or on rows mapped by the recoding. Default: by method.",
)
@click.option("--into", help="Also write the rounds to a table of --db.")
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Plot accuracy and information loss against k to FILE.svg or FILE.png.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Makes folds and draws repeatable."
)
@release_options(without=NOT_HERE)
@click.option("--accept", type=Names(), help="Risks and weaker guarantees to accept, by name.")
@limited()
@click.option("--json", "is_json", is_flag=True, help="Print everything as JSON.")
def evaluate(
    source: str,
    db: str | None,
    csv: CsvOptions,
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
    """Cross-validate learners on SOURCE; with --method, measure the cost of anonymization."""
    if into is not None and db is None:
        raise RequestError("--into writes a table to a database: give its file with --db.")
    if picture is not None:
        check_plot(picture)
    limits = limits_of(given)
    options = {name: given.pop(name) for name in LEARNER_OPTIONS}
    if given.get("method") is None:
        # With a method, --binary is of the tree that it grows; learners may have to read sets.
        options["binary"] = given.pop("binary")
    kadets = make_kadets(learners, given, _numbers(ks or ()), options["min_rows"])
    made = _make(learners, {**with_distribution(options), "seed": seed}, kadets)
    ks = None if kadets else ks
    privacies = _privacies(given, ks, recode, protocol, test_rows)
    if picture is not None and not privacies:
        raise RequestError("--plot shows accuracy against k: give a --method and several --k.")
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


LEARNER_OPTIONS = (
    "min_rows", "unpruned", "ties", "scoring", "conversion", "original_distribution",
)  # fmt: skip


def _make(
    names: Sequence[str], options: Mapping[str, object], kadets: Mapping[str, AnyLearner]
) -> dict[str, AnyLearner]:
    """Return the learners by the names that the result shows."""
    unknown = [name for name in names if name not in LEARNERS and name != KADET]
    if unknown:
        raise RequestError(
            *(
                f"--learner {name}: choose one of {', '.join([*LEARNERS, KADET])}."
                for name in unknown
            )
        )
    plain = {name: LEARNERS[name](options) for name in names if name != KADET}
    return {**plain, **kadets}


def _privacies(
    given: dict[str, object],
    ks: Sequence[str] | None,
    recode: Sequence[tuple[str, str]],
    protocol: str,
    test_rows: str | None,
) -> list[Privacy]:
    """Return one anonymization for every k, from the options of `ppdt anonymize`."""
    if given.get("method") is None:
        if ks or recode or any(value not in (None, ()) for value in given.values()):
            raise RequestError(
                "--qi, --k, --sensitive, --recode and other release options need "
                "--method: add it, or remove them."
            )
        return []
    columns = {name: shape for name, shape in recode if name}
    readings = [shape for name, shape in recode if not name]
    job = job_of({**given, "recode": columns})
    jobs = [job.with_options({"k": k}) for k in _numbers(ks)] if ks else [job]
    return [
        Privacy(
            method=one.make_method(),
            quasi=one.attributes(),
            protocol=protocol,  # type: ignore[arg-type]
            sensitive=one.sensitive_attributes(),
            accept=one.accept,
            bins=one.bins,
            reading=cast("Reading", readings[-1]) if readings else None,
            is_mapped=None if test_rows is None else test_rows == "mapped",
        )
        for one in jobs
    ]


def _numbers(ks: Sequence[str]) -> list[int]:
    if not all(k.isdecimal() for k in ks):
        raise RequestError(f"--k {','.join(ks)}: write whole numbers separated by commas.")
    return sorted({int(k) for k in ks})
