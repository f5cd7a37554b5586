"""`ppdt audit`."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.terminal import Names, print_json, table
from ppdt_db.engine import connect
from ppdt_db.manage import audit as run_audit


@click.command()
@click.argument("source")
@click.option("--db", help="The DuckDB file that holds SOURCE.")
@click.option("--qi", "quasi", type=Names(), required=True, help="The released quasi-identifiers.")
@click.option("--sensitive", type=Names(), default=[], help="Sensitive columns.")
@click.option("--original", help="The original, against which losses are measured.")
@click.option("--require", default="", help="Such as k=10,l=2: exit 3 where it does not hold.")
@click.option("--json", "is_json", is_flag=True, help="Everything on stdout, as JSON.")
def audit(
    source: str,
    db: str | None,
    quasi: list[str],
    sensitive: list[str],
    original: str | None,
    require: str,
    is_json: bool,
) -> None:
    """Measure SOURCE, a table or file that says it is anonymous, whoever made it."""
    with connect(Path(db) if db else None, read_only=db is not None) as con:
        result = run_audit(
            con, source, quasi=quasi, sensitive=sensitive, original=original, require=require
        )
    if is_json:
        findings = [asdict(finding) for finding in result.findings]
        print_json({**result.measures, "findings": findings, "passed": result.passed})
    else:
        _print(result.measures)
        for finding in result.findings:
            click.echo(finding.line)
    if not result.passed:
        sys.exit(3)


WORDS = {
    "k": "k (smallest class)",
    "classes": "classes",
    "rows": "rows",
    "rows_suppressed": "rows fully suppressed",
    "rows_unique": "rows alone in their class",
    "prosecutor_risk_max": "highest risk of a known person",
    "marketer_risk": "expected share found",
    "gcp": "information lost (GCP)",
    "discernibility": "discernibility",
}


def _print(measures: object) -> None:
    assert isinstance(measures, dict)
    rows = [(words, measures[name]) for name, words in WORDS.items()]
    for column, of_column in measures["sensitive"].items():
        rows.append((f"distinct l of {column}", of_column["distinct_l"]))
        rows.append((f"entropy l of {column}", of_column["entropy_l"]))
    table("audit", rows)
