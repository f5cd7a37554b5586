"""`ppdt audit`."""

import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.audit import Audit
from ppdt_db.audit.api import audit as run_audit
from ppdt_db.cli.command import PpdtCommand, is_quiet
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.terminal import Names, Pairs, TermList, print_json, shown, table
from ppdt_db.engine import session
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.tree.tree_json import read_from, read_tree


@click.command(cls=PpdtCommand)
@click.argument("source")
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@click.option("--qi", "quasi", type=Names(), required=True, help="The released quasi-identifiers.")
@click.option("--sensitive", type=Names(), default=[], help="Sensitive columns.")
@click.option("--entity", help="Column that identifies a person: k and risks count persons.")
@click.option("--original", help="The original data, to measure information loss and (k, k).")
@click.option("--population", help="The population an attacker may search, with its QIs.")
@click.option("--sampling", type=float, help="The share of the population that is in the source.")
@click.option(
    "--hierarchy",
    type=Pairs(),
    multiple=True,
    help="COLUMN=FILE.csv (leaf,level1,...,root): for t of a sensitive column, or the loss of "
    "one generalized to nodes; may be repeated.",
)
@click.option(
    "--tree",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The tree (a file of `learn --json`) whose leaves and paths rows must share.",
)
@click.option(
    "--with-others/--alone",
    default=None,
    help="Measure sensitive columns also with the others known. Default: up to 2 million rows.",
)
@click.option(
    "--require",
    type=TermList(),
    default="",
    help="Requirements such as k=10,l=2,t=0.3: exit code 3 if one fails.",
)
@click.option("--explain", is_flag=True, help="List the weakest classes: their counts and labels.")
@limited()
@click.option("--json", "is_json", is_flag=True, help="Print everything as JSON.")
def audit(
    source: str,
    db: str | None,
    csv: CsvOptions,
    quasi: list[str],
    sensitive: list[str],
    entity: str | None,
    original: str | None,
    population: str | None,
    sampling: float | None,
    hierarchy: tuple[tuple[str, str], ...],
    tree: Path | None,
    with_others: bool | None,
    require: str,
    explain: bool,
    is_json: bool,
    **options: object,
) -> None:
    """Measure SOURCE, a table or file that claims to be anonymous, whoever made it."""
    path = Path(db) if db else None
    walked = read_from(tree, read_tree) if tree is not None else None
    with session(path, limits_of(options), read_only=db is not None) as con:
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
            tree=walked,
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
    "path": "fewest people who share their path",
    "leaf": "fewest people in a leaf of the tree",
    "classes": "classes",
    "rows": "rows",
    "rows_suppressed": "rows fully suppressed",
    "rows_unique": "unique rows",
    "sample_uniqueness": "share of unique rows",
    "population_uniqueness": "estimated share unique in the population",
    "prosecutor_risk_max": "highest risk of a known person",
    "journalist_risk_max": "highest risk in the population",
    "marketer_risk": "expected share re-identified",
    "delta_presence_min": "lowest probability of presence",
    "delta_presence_max": "highest probability of presence",
    "gcp": "information lost (GCP)",
    "cells_suppressed": "cells suppressed",
    "discernibility": "discernibility",
    "rows_dropped": "rows dropped",
}
DISCLOSURE = {
    "big": "to find a group (BIG), mean",
    "icr": "to tell its people apart (ICR), mean",
    "tidi": "both (TIDI), mean",
    "tidi_least": "both (TIDI), weakest group",
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
            click.echo(f"  not measured with {others} known: add --with-others")
        if found.get("with_others"):
            known = ", ".join(found["with_others"]["quasi"])
            _print_sensitive(f'sensitive "{column}", {known} known too', found["with_others"])
    if "disclosure" in measures:
        _print_disclosure(measures["disclosure"])
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


def _print_disclosure(measured: object) -> None:
    """Print the bits that an attacker lacks, before and after."""
    assert isinstance(measured, dict)
    before, after = (measured[side] or {} for side in ("before", "after"))
    rows = [
        (words, f"{shown(before.get(name))} / {shown(after.get(name))}")
        for name, words in DISCLOSURE.items()
    ]
    table("bits that an attacker lacks, original / release", rows)


def _print_utility(measures: Mapping[str, object]) -> None:
    """Print what each column preserves of the original, one line per column."""
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
        ) or "not in the original")
        for column in by_name["total_variation"]
    ]  # fmt: skip
    table("against the original", rows)


def _print_sensitive(title: str, measures: dict[str, object]) -> None:
    rows = [
        (
            f"{words} (l = {measures['recursive_l']})" if name == "recursive_c" else words,
            measures[name],
        )
        for name, words in OF_SENSITIVE.items()
        if measures[name] is not None
    ]
    table(title, rows)
    if measures["enhanced_beta_unsatisfiable"]:
        n_values = shown(measures["enhanced_beta_unsatisfiable"])
        click.echo(f"  no beta can satisfy {n_values} pairs of class and value")
