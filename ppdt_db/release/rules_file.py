"""Rules: all that it takes to apply a release to new rows, in a file of its own.

ppdt_reached, ppdt_member, ppdt_extent, ppdt_label ──▶ FILE: rules, place, extent, label

A file of rules tells thresholds and values of the source. It is written only when it is asked for.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ppdt_db.coded import Coded
from ppdt_db.engine import DuckEngine, alone, apart, lent, only_duckdb
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.foreign import more_faults, table_faults, things_of
from ppdt_db.json_text import from_json
from ppdt_db.methods.contract import LabelColumn, Method, Task
from ppdt_db.names import Private, fold
from ppdt_db.policy import Roles
from ppdt_db.recode import Parts
from ppdt_db.rules_head import HEAD, About, about_of, rules_tables
from ppdt_db.whole_file import beside

# 2: pseudonyms are told apart by column.
FORMAT = "ppdt rules 2"
FILE = "ppdt_rules"


def rules_faults(
    engine: DuckEngine, method: Method, roles: Roles, path: Path, *, replace: bool
) -> list[str]:
    """What keeps the rules of a release from being written."""
    faults = [
        f'--rules: "{attribute.name}" is shown as nodes of a hierarchy, which a file of rules does '
        "not hold. Leave --hierarchy or --rules out."
        for attribute in roles.quasi
        if attribute.hierarchy is not None
    ]
    if method.no_rules:
        faults.append(
            f"--rules: method {method.name} cannot be applied to new rows: {method.no_rules}. "
            "Take mondrian, or a method that goes by a tree."
        )
    if engine.is_inside_transaction:
        faults.append("--rules: the file cannot be written inside an open transaction. Commit it.")
    if fold(path.suffix) != ".duckdb":
        faults.append(f"--rules {path}: the ending must be .duckdb.")
    if not path.parent.is_dir():
        faults.append(f"--rules {path}: the folder does not exist. Make it first.")
    if path.exists() and not replace:
        faults.append(f"--rules {path}: the file exists. Add --replace, or remove it first.")
    opened = [Path(str(row[1])) for row in engine.rows("engine/database") if row[1] is not None]
    if any(path.resolve() == other.resolve() for other in opened):
        faults.append(f"--rules {path}: this is a database that is open. Take another file.")
    return faults


@contextmanager
def written_rules(
    task: Task, parts: Parts, roles: Roles, method: Method, path: Path, salt: str, check: str | None
) -> Iterator[None]:
    """Write the rules out of sight; they appear when the block ends well."""
    about = About(
        method=method.name,
        columns=_needed(parts, roles),
        roles=roles,
        labels=parts.labels,
        tree=task.trees[-1] if task.trees else None,
        has_boxes=method.cuts_leaves,
        salt=salt,
        key_check=check,
    )
    is_shown = False
    try:
        with beside(path) as part:
            _fill(task, parts, about, part)
            part.chmod(0o600)
            yield
            is_shown = True
            part.replace(path)
    except OSError as error:
        what = "The release stands without them." if is_shown else "Nothing was released."
        raise EngineError(f"--rules {path} cannot be written: {error.strerror}. {what}") from None


def read_about(path: Path) -> About:
    """Return what a file of rules says of itself; refuse what is none, or of another version."""
    if not path.is_file():
        raise RequestError(f"rules {path}: there is no such file.")
    with apart(path, FILE) as engine:
        about = _read(engine, path)
        check_kept(engine, about, path)
    return about


def check_kept(engine: DuckEngine, about: About, path: Path, database: str = FILE) -> None:
    """Refuse an attached file that holds anything but the tables of these rules."""
    things = things_of(engine, database)
    tables = rules_tables(about)
    _refuse(path, table_faults(things, "main", tables) or more_faults(things, tables))


def _read(engine: DuckEngine, path: Path) -> About:
    """Return what an attached file says of itself."""
    _refuse(path, table_faults(things_of(engine, FILE), "main", HEAD))
    rows = engine.rows("apply/read_rules", names={"kept": (FILE, "main", "rules")})
    if len(rows) != 1:
        _refuse(path, ['"rules" has not one row'])
    found, text = rows[0]
    if found != FORMAT:
        shown = f'"{found}"' if str(found).startswith("ppdt rules ") else "of another kind"
        raise RequestError(
            f'rules {path}: the format is {shown}, this ppdt reads "{FORMAT}". Use the ppdt that '
            "wrote it, or anonymize again with --rules."
        )
    try:
        return about_of(from_json(str(text)))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RequestError(f"rules {path}: the file is damaged. Anonymize again.") from None


def _refuse(path: Path, faults: Sequence[str]) -> None:
    if faults:
        raise RequestError(
            f"rules {path}: not a rules file: {', '.join(faults)}. Rules are plain tables; "
            "`ppdt anonymize --rules FILE` writes them."
        )


@contextmanager
def rules_attached(engine: DuckEngine, about: About, path: Path) -> Iterator[str]:
    """Attach a file of rules, look again at what it holds, and yield the name to read it by."""
    # DuckDB attaches a file once: who applies the same rules meanwhile waits.
    name = lent(FILE)
    with alone(str(path.resolve())), engine.attached(path, name, read_only=True):
        check_kept(engine, about, path, name)
        yield name


# -- helpers -----------------------------------------------------------------------------------


def shaped(attributes: Sequence[Coded], labels: Sequence[LabelColumn]) -> list[Coded]:
    """The attributes as their labels show them, whatever was asked for."""
    shapes = {label.attribute: label.shape for label in labels}
    return [replace(a, recode=shapes[a.name]) for a in attributes]  # type: ignore[arg-type]


def _fill(task: Task, parts: Parts, about: About, path: Path) -> None:
    engine = only_duckdb(task.engine, "a file of rules")
    attributes = shaped(parts.encoded.attributes, parts.labels)
    names = {"attributes": attributes, "labels": parts.labels, "grain": parts.grain}
    if about.tree is None:
        engine.make("apply/one_leaf", to="ppdt_reached")
    helpers = ["ppdt_reached"]
    for attribute in attributes:
        one, number = {"attribute": attribute}, attribute.position
        if attribute.kind == "categorical" or attribute.recode == "set":
            helpers.append(engine.make("label/set", names=one, to=f"ppdt_set_{number}"))
        elif attribute.n_special:
            helpers.append(engine.make("label/special", names=one, to=f"ppdt_special_{number}"))
    file = lent(FILE)
    with engine.attached(path, file, read_only=False):
        text = {"format": FORMAT, "about": Private(json.dumps(_written(about), allow_nan=False))}
        engine.make_table("apply/rules", (file, "main", "rules"), text)
        engine.make_table("apply/place", (file, "main", "place"), names=names)
        engine.make_table("apply/extent", (file, "main", "extent"), names=names)
        kept = {**names, "kept": "ppdt_label"}
        engine.make_table("apply/shown", (file, "main", "label"), names=kept)
    engine.drop(*helpers)


def _needed(parts: Parts, roles: Roles) -> dict[str, str]:
    """The columns that new rows must have, with their types, in the release's order."""
    wanted = {*roles.shown, *(attribute.name for attribute in roles.quasi)}
    return {name: of for name, of in parts.source.columns.items() if name in wanted}


def _written(about: About) -> dict[str, object]:
    roles = about.roles
    return {
        "method": about.method,
        "columns": [[name, of] for name, of in about.columns.items()],
        "quasi": [attribute.name for attribute in roles.quasi],
        "sensitive": list(roles.sensitive),
        "target": roles.target,
        "pseudonymized": list(roles.pseudonymized),
        "kept": list(roles.kept),
        "labels": [vars(label) for label in about.labels],
        "tree": about.tree.as_json() if about.tree else None,
        "has_boxes": about.has_boxes,
        "salt": about.salt,
        "key_check": about.key_check,
    }
