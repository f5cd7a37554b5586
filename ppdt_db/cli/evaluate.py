"""`ppdt evaluate`."""

from pathlib import Path

import click

from ppdt_db.cli.learn import make_learner
from ppdt_db.cli.terminal import Names, Pairs, print_json, progress, table
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.evaluate import Evaluation
from ppdt_db.evaluate import evaluate as run_evaluate
from ppdt_db.evaluate.run import PROTOCOLS, Privacy
from ppdt_db.job import Job
from ppdt_db.methods import METHODS
from ppdt_db.partition import CRITERIA


@click.command()
@click.argument("source")
@click.option("--db", help="The DuckDB file that holds SOURCE.")
@click.option("--target", required=True, help="The column to predict.")
@click.option("--features", type=Names(), help="Columns to learn from. Default: all others.")
@click.option("--learner", type=click.Choice(["c45", "id3"]), default="c45", show_default=True)
@click.option("--min-rows", type=int, help="Least rows of two branches. Default: 2, ID3: 1.")
@click.option("--unpruned", is_flag=True, help="Do not prune.")
@click.option("--cv", default="5x2", show_default=True, help="Folds, or REPETITIONSxFOLDS.")
@click.option("--stratified", is_flag=True, help="Deal every class evenly.")
@click.option("--method", type=click.Choice(list(METHODS)), help="Anonymize by this method.")
@click.option("--qi", "quasi", type=Names(), help="Quasi-identifiers, with --method.")
@click.option("--k", type=int, help="Rows in each class. Default: 10.")
@click.option("--l", type=int, help="Different sensitive values in each class.")
@click.option("--relaxed", is_flag=True, default=None)
@click.option("--criterion", type=click.Choice(CRITERIA))
@click.option("--recode", type=Pairs(), multiple=True, help="COLUMN=mean|mode; may be repeated.")
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default="PO",
    show_default=True,
    help="What is learnt from and tested on: Perturbed or Original.",
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--threads", type=click.IntRange(min=1))
@click.option("--memory-limit", help="Such as 4GB.")
@click.option("--json", "is_json", is_flag=True, help="Everything on stdout, as JSON.")
def evaluate(
    source: str,
    db: str | None,
    target: str,
    features: list[str] | None,
    learner: str,
    cv: str,
    stratified: bool,
    method: str | None,
    quasi: list[str] | None,
    protocol: str,
    recode: tuple[tuple[str, str], ...],
    seed: int,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
    min_rows: int | None,
    unpruned: bool,
    **given: object,
) -> None:
    """Cross-validate a learner on SOURCE, and with --method what anonymization costs it."""
    if method is None and quasi:
        raise RequestError("--qi is for an anonymization: name its --method too.")
    wishes = {"min_rows": min_rows, "unpruned": unpruned, **LEARNER}
    privacy = None
    if method is not None:
        job = Job().with_options({**given, "method": method, "recode": dict(recode) or None})
        privacy = Privacy(
            method=job.make_method(),
            quasi=quasi or [],
            protocol=protocol,  # type: ignore[arg-type]
            recode=job.recode,  # type: ignore[arg-type]
        )
    path = Path(db) if db else None
    with (
        connect(
            path, read_only=path is not None, threads=threads, memory_limit=memory_limit
        ) as con,
        progress(is_quiet=is_json) as report,
    ):
        result = run_evaluate(
            con,
            source,
            target=target,
            features=features,
            learner=make_learner(learner, wishes),
            cv=cv,
            stratified=stratified,
            privacy=privacy,
            seed=seed,
            progress=report,
        )
    if is_json:
        print_json(result.as_dict())
    else:
        _print(result, cv)


LEARNER = {"no_raising": False, "confidence": 0.25, "missing": "fractional"}


def _print(result: Evaluation, cv: str) -> None:
    rows: list[tuple[str, object]] = [
        ("rounds", f"{len(result.folds)} ({cv})"),
        ("accuracy", f"{100 * result.accuracy_mean:.2f} % +- {100 * result.accuracy_sd:.2f}"),
    ]
    if result.original_accuracy_mean is not None:
        loss = 100 * (result.original_accuracy_mean - result.accuracy_mean)
        rows += [
            ("accuracy of the original", f"{100 * result.original_accuracy_mean:.2f} %"),
            ("lost by anonymization", f"{loss:.2f} points"),
            ("information lost (GCP)", result.gcp),
        ]
    if result.verdict is not None:
        word = "no chance" if result.verdict.is_significant else "may be chance"
        verdict = f"F = {result.verdict.statistic:.3g}, p = {result.verdict.p_value:.3g}: {word}"
        rows.append(("combined 5x2cv F test", verdict))
    table("evaluation", rows)
