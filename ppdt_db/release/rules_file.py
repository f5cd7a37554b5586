"""The rules file: everything needed to apply a release to new rows.

ppdt_reached, ppdt_member, ppdt_extent, ppdt_label ──▶ FILE: rules, place, extent, label

A rules file contains thresholds and values of the source. It is written only on request.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import DuckEngine, alone, apart, lent, only_duckdb
from ppdt_db.engine.atomic_file import temporary_sibling
from ppdt_db.engine.connection import DUCKDB
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.learn.model_json import is_model
from ppdt_db.methods.base import LabelColumn, Task
from ppdt_db.policy.roles import Roles
from ppdt_db.release.arrange import ReleaseInputs
from ppdt_db.release.rules_header import HEAD, About, about_of, rules_tables
from ppdt_db.release.stages import Run
from ppdt_db.source.foreign import more_faults, objects_of, table_faults
from ppdt_db.sqltext.json_text import from_json
from ppdt_db.sqltext.quoting import Private

# 2: pseudonyms differ by column.
FORMAT = "ppdt release rules 2"
# The mark of the same format when lists of rules that are learnt had nearly the same one.
FORMER_FORMAT = "ppdt rules 2"
FILE = "ppdt_rules"


@contextmanager
def written_rules(run: Run, path: Path) -> Iterator[None]:
    """Write the rules out of sight; move them to their path when the block succeeds."""
    task, method, keys = run.task, run.order.method, run.order.keys
    about = About(
        method=method.name,
        columns=_needed_columns(run.inputs, run.roles),
        roles=run.roles,
        labels=run.labels,
        tree=task.trees[-1] if task.trees else None,
        has_boxes=method.boxes_decide,
        salt=keys.salt,
        key_check=keys.check if run.roles.pseudonymized else None,
        bins=run.bins,
        shows_reach=not method.controls_recoding,
    )
    is_shown = False
    try:
        with temporary_sibling(path) as part:
            _fill(task, run.inputs, about, part)
            part.chmod(0o600)
            yield
            is_shown = True
            part.replace(path)
    except OSError as error:
        what = (
            "The release was made, but without its rules." if is_shown else "Nothing was released."
        )
        raise EngineError(f"--rules {path} cannot be written: {error.strerror}. {what}") from None


def read_about(path: Path) -> About:
    """Return the header of a rules file; raise if it is not one, or of another version."""
    if not path.is_file():
        raise RequestError(f"rules {path}: no such file.")
    if _is_model(path):
        raise RequestError(
            f"rules {path}: this is a model of `ppdt learn`, not a rules file. `ppdt predict` "
            "reads models; `ppdt anonymize --rules FILE` writes rules."
        )
    with apart(path, FILE) as engine:
        about = _read(engine, path)
        check_kept(engine, about, path)
    return about


def _is_model(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(12)
        is_json = start[:1] == b"{" and start[8:] != DUCKDB
        return is_json and is_model(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return False  # DuckDB reports the reason.


def check_kept(engine: DuckEngine, about: About, path: Path, database: str = FILE) -> None:
    """Raise if an attached file holds anything but the tables of these rules."""
    objects = objects_of(engine, database)
    tables = rules_tables(about)
    _refuse(path, table_faults(objects, "main", tables) or more_faults(objects, tables))


def _read(engine: DuckEngine, path: Path) -> About:
    """Return the header of an attached file."""
    _refuse(path, table_faults(objects_of(engine, FILE), "main", HEAD))
    rows = engine.rows("apply/read_rules", names={"kept": (FILE, "main", "rules")})
    if len(rows) != 1:
        _refuse(path, ['"rules" does not have exactly one row'])
    found, text = rows[0]
    if found not in (FORMAT, FORMER_FORMAT):
        is_ours = str(found).startswith(("ppdt release rules ", "ppdt rules "))
        shown = f'"{found}"' if is_ours else "of another kind"
        raise RequestError(
            f'rules {path}: the format is {shown}, but this ppdt reads "{FORMAT}". Use the ppdt '
            "that wrote it, or anonymize again with --rules."
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
    """Attach a rules file, check its contents again, and yield the name to read it by."""
    # DuckDB attaches a file only once, so others that apply the same rules wait.
    name = lent(FILE)
    with alone(str(path.resolve())), engine.attached(path, name, read_only=True):
        check_kept(engine, about, path, name)
        yield name


# -- helpers -----------------------------------------------------------------------------------


def shaped(
    attributes: Sequence[EncodedColumn], labels: Sequence[LabelColumn]
) -> list[EncodedColumn]:
    """Return the attributes in the shapes of their labels, whatever the request said."""
    shapes = {label.attribute: label.shape for label in labels}
    return [replace(a, recode=shapes[a.name]) for a in attributes]


def _fill(task: Task, parts: ReleaseInputs, about: About, path: Path) -> None:
    engine = only_duckdb(task.engine, "a file of rules")
    attributes = shaped(parts.encoded.attributes, parts.labels)
    names = {"attributes": attributes, "labels": parts.labels, "grain": parts.grain}
    if about.tree is None:
        engine.make("apply/one_leaf", to="ppdt_reached")
    helpers = ["ppdt_reached"]
    for attribute in attributes:
        one, number = {"attribute": attribute}, attribute.position
        if not attribute.has_ends:
            helpers.append(engine.make("label/set", names=one, to=f"ppdt_set_{number}"))
        elif attribute.n_special:
            helpers.append(engine.make("label/special", names=one, to=f"ppdt_special_{number}"))
    file = lent(FILE)
    with engine.attached(path, file, read_only=False):
        text = {"format": FORMAT, "about": Private(json.dumps(_header(about), allow_nan=False))}
        engine.make_table("apply/rules", (file, "main", "rules"), text)
        engine.make_table("apply/place", (file, "main", "place"), names=names)
        engine.make_table("apply/extent", (file, "main", "extent"), names=names)
        kept = {**names, "kept": "ppdt_label"}
        engine.make_table("apply/shown", (file, "main", "label"), names=kept)
    engine.drop(*helpers)


def _needed_columns(parts: ReleaseInputs, roles: Roles) -> dict[str, str]:
    """Return the columns that new rows must have, with their types, in the release's order."""
    wanted = {*roles.shown, *(attribute.name for attribute in roles.quasi)}
    return {name: of for name, of in parts.source.columns.items() if name in wanted}


def _header(about: About) -> dict[str, object]:
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
        "bins": [
            {"name": one.name, "lows": list(one.lows), "highs": list(one.highs)}
            for one in about.bins
        ],
        "shows_reach": about.shows_reach,
    }
