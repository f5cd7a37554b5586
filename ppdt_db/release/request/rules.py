"""Faults of a rules file that a release is to write."""

from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.methods.base import Method
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import normalize_name


def rules_faults(
    engine: DuckEngine, method: Method, roles: Roles, path: Path, *, replace: bool
) -> list[str]:
    """Return the faults that keep the rules of a release from being written."""
    faults = [
        f'--rules: "{attribute.name}" has a hierarchy, which a rules file cannot hold. Remove '
        "--hierarchy or --rules."
        for attribute in roles.quasi
        if attribute.hierarchy is not None
    ]
    if method.why_not_applicable:
        faults.append(
            f"--rules: method {method.name} cannot be applied to new rows: "
            f"{method.why_not_applicable}. Use mondrian, or a method based on a tree."
        )
    if engine.is_inside_transaction:
        faults.append(
            "--rules: the file cannot be written inside an open transaction. Commit it first."
        )
    if normalize_name(path.suffix) != ".duckdb":
        faults.append(f"--rules {path}: the extension must be .duckdb.")
    if not path.parent.is_dir():
        faults.append(f"--rules {path}: the folder does not exist. Create it first.")
    if path.exists() and not replace:
        faults.append(f"--rules {path}: the file exists. Add --replace, or remove it first.")
    opened = [Path(str(row[1])) for row in engine.rows("lib/engine/database") if row[1] is not None]
    if any(path.resolve() == other.resolve() for other in opened):
        faults.append(f"--rules {path}: this is an open database. Choose another file.")
    return faults
