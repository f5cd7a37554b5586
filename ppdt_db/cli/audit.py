"""`ppdt audit`."""

import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.audit import Audit
from ppdt_db.auditing import audit as run_audit
from ppdt_db.cli.command import Command, is_quiet
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.limits import limited, limits_of
from ppdt_db.cli.terminal import Names, Pairs, Terms, print_json, shown, table
from ppdt_db.csv_dialect import CsvWish
from ppdt_db.engine import session


@click.command(cls=Command)
@click.argument("source")
@click.option("--db", help="The DuckDB file that holds SOURCE.")
@csv_option
@click.option("--qi", "quasi", type=Names(), required=True, help="The released quasi-identifiers.")
@click.option("--sensitive", type=Names(), default=[], help="Sensitive columns.")
@click.option("--entity", help="The key of a person: k and the risks count these.")
@click.option("--original", help="The original, against which losses and (k, k) are measured.")
@click.option("--population", help="The people among whom one might look, with their QIs.")
@click.option("--sampling", type=float, help="The share of the population that the rows are.")
@click.option(
    "--hierarchy",
    type=Pairs(),
    multiple=True,
    help="COLUMN=FILE.csv (leaf,level1,...,root): t of a sensitive column, the loss of one "
    "that shows nodes; may be repeated.",
)
@click.option(
    "--with-others/--alone",
    default=None,
    help="Sensitive columns also with the others known. Default: up to 2 million rows.",
)
@click.option(
    "--require",
    type=Terms(),
    default="",
    help="Such as k=10,l=2,t=0.3: exit 3 where it does not hold.",
)
@click.option("--explain", is_flag=True, help="The worst classes: counts, and what they show.")
@limited()
@click.option("--json", "is_json", is_flag=True, help="Everything on stdout, as JSON.")
def audit(
    source: str,
    db: str | None,
    csv: CsvWish,
    quasi: list[str],
    sensitive: list[str],
    entity: str | None,
    original: str | None,
    population: str | None,
    sampling: float | None,
    hierarchy: tuple[tuple[str, str], ...],
    with_others: bool | None,
    require: str,
    explain: bool,
    is_json: bool,
    **given: object,
) -> None:
    """Measure SOURCE, a table or file that says it is anonymous, whoever made it."""
    path = Path(db) if db else None
    with session(path, limits_of(given), read_only=db is not None) as con:
        result = run_audit(
            con,
            source,
            quasi=quasi,
            sensitive=sensitive,
            entity=entity,
            original=original,
            population=population,
            sampling=sampling,
            hierarchies=dict(hierarchy),
            with_others=with_others,
            explained=explain,
            require=require,
            csv=csv,
        )
    if is_json:
        print_json(_as_json(result, is_explained=explain))
    elif is_quiet():
        for finding in result.findings:
            if not finding.passed:
                click.echo(finding.line, err=True)
    else:
        _print(result)
    if not result.passed:
        sys.exit(3)


WORDS = {
    "k": "k (smallest class)",
    "k_without_suppressed": "k without suppressed rows",
    "kk": "(k, k)",
    "classes": "classes",
    "rows": "rows",
    "rows_suppressed": "rows fully suppressed",
    "rows_unique": "alone in their class",
    "sample_uniqueness": "share alone in their class",
    "population_uniqueness": "estimated share alone in the population",
    "prosecutor_risk_max": "highest risk of a known person",
    "journalist_risk_max": "highest risk in the population",
    "marketer_risk": "expected share found",
    "delta_presence_min": "lowest probability of presence",
    "delta_presence_max": "highest probability of presence",
    "gcp": "information lost (GCP)",
    "cells_suppressed": "cells suppressed",
    "discernibility": "discernibility",
    "rows_dropped": "rows dropped",
}
UTILITY = {
    "non_uniform_entropy": "{} bits left open",
    "il": "SSE/SST {}",
    "total_variation": "total variation {}",
    "wasserstein": "Wasserstein {}",
}
OF_SENSITIVE = {
    "distinct_l": "distinct l",
    "entropy_l": "entropy l",
    "recursive_c": "recursive c",
    "alpha": "alpha",
    "t_ordered": "t (ordered)",
    "t_equal": "t (equal)",
    "t_hierarchical": "t (hierarchical)",
    "basic_beta": "basic beta",
    "enhanced_beta": "enhanced beta",
    "delta_disclosure": "delta-disclosure",
    "delta_disclosure_ignoring_absent": "delta-disclosure, absent values ignored",
}


def _as_json(result: Audit, *, is_explained: bool) -> dict[str, object]:
    findings = [asdict(finding) for finding in result.findings]
    worst = {"worst": list(result.worst)} if is_explained else {}
    return {**result.measures, **worst, "findings": findings, "passed": result.passed}


def _print(result: Audit) -> None:
    measures = result.measures
    rows = [(words, measures[name]) for name, words in WORDS.items() if name in measures]
    table("audit", rows)
    sensitive = measures["sensitive"]
    assert isinstance(sensitive, dict)
    for column, found in sensitive.items():
        _print_sensitive(f'sensitive "{column}"', found)
        if "with_others" in found and found["with_others"] is None:
            others = ", ".join(name for name in sensitive if name != column)
            click.echo(f"  not measured with {others} known too: --with-others does it")
        if found.get("with_others"):
            known = ", ".join(found["with_others"]["quasi"])
            _print_sensitive(f'sensitive "{column}", {known} known too', found["with_others"])
    if "non_uniform_entropy" in measures:
        _print_utility(measures)
    for entry in result.worst:
        assert isinstance(entry["shows"], dict)
        values = ", ".join(
            f"{name}={'NULL' if value is None else value}" for name, value in entry["shows"].items()
        )
        of_column = f" of {entry['sensitive']}" if entry["sensitive"] else ""
        measured = shown(entry["measured"])
        click.echo(f"{entry['measure']}{of_column} {measured}  {entry['rows']} rows  {values}")
    for finding in result.findings:
        click.echo(finding.line)


def _print_utility(measures: Mapping[str, object]) -> None:
    """What each column keeps of the original, a line for each."""
    by_name: dict[str, Mapping[str, object]] = {}
    for name in UTILITY:
        found = measures[name]
        assert isinstance(found, dict)
        by_name[name] = found
    rows = [
        (column, ", ".join(
            words.format(shown(by_name[name][column]))
            for name, words in UTILITY.items()
            if by_name[name][column] is not None
        ) or "the original has no such column")
        for column in by_name["total_variation"]
    ]  # fmt: skip
    table("against the original", rows)


def _print_sensitive(title: str, found: dict[str, object]) -> None:
    rows = [
        (f"{words} (l = {found['recursive_l']})" if name == "recursive_c" else words, found[name])
        for name, words in OF_SENSITIVE.items()
        if found[name] is not None
    ]
    table(title, rows)
    if found["enhanced_beta_unsatisfiable"]:
        n_values = shown(found["enhanced_beta_unsatisfiable"])
        click.echo(f"  no beta can satisfy {n_values} pairs of class and value")
