"""Faults of the destination of a release: its name, its file, and its form."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Row
from ppdt_db.errors import RequestError
from ppdt_db.methods.base import Method
from ppdt_db.policy.accept import READER, STATE_BY_STATE
from ppdt_db.policy.roles import Roles
from ppdt_db.release.catalog import SCHEMA, Catalog
from ppdt_db.release.recode import FORMS, form_of, is_shown, lossy_faults, why_not_secure
from ppdt_db.release.request.request import Request
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import is_reserved, normalize_name, parts_of


def release_faults(engine: DuckEngine, request: Request) -> list[str]:
    """Return the faults of the destination of a release."""
    return place_faults(engine, request, "the release", _existing_name_faults)


def place_faults(
    engine: DuckEngine,
    request: Request,
    what: str,
    existing_faults: Callable[[DuckEngine, Sequence[Row], tuple[str, ...], Request], list[str]],
) -> list[str]:
    """Return the faults of a destination; `existing_faults` checks what exists there already."""
    if (request.into is None) == (request.file is None):
        return [f"no destination for {what}: give either --into NAME or --out FILE."]
    if request.file is not None:
        return _file_faults(request.file, request)
    assert request.into is not None
    *above, name = parts_of(request.into)
    if is_reserved(name) or normalize_name(above[-1] if above else "") == SCHEMA:
        return [f'--into "{request.into}": this name is reserved. Choose another.']
    if request.path_faults:
        return [*request.path_faults]
    path = request.path
    if normalize_name(path[1]) == SCHEMA:
        return [f'--into "{request.into}": this name is reserved. Choose another.']
    # A temporary table of that name would hide the release.
    places = [[*map(normalize_name, path)], ["temp", "main", normalize_name(path[-1])]]
    tables = engine.rows("lib/engine/alike", {"name": path[-1]})
    same = [row for row in tables if [normalize_name(str(part)) for part in row[:3]] in places]
    return existing_faults(engine, same, path, request) if same else []


def _existing_name_faults(
    engine: DuckEngine, _: Sequence[Row], path: tuple[str, ...], request: Request
) -> list[str]:
    """Return faults unless the name belongs to a release and --replace was given."""
    existing = Catalog(engine, path[0]).standing(path)
    if existing is None or not is_shown(engine, existing.run_id, path):
        return [
            f'--into "{request.into}": a table or view of that name exists that ppdt did not '
            "create. Choose another name, or drop it yourself."
        ]
    if not request.replace:
        return [f'--into "{request.into}": this release exists. Add --replace, or drop it first.']
    return []


def _file_faults(path: Path, request: Request) -> list[str]:
    """Return the faults of a file as a destination."""
    faults: list[str] = []
    try:
        form_of(path)
    except RequestError as error:
        faults += error.faults
    if not path.parent.is_dir():
        faults.append(f"--out {path}: the folder does not exist. Create it first.")
    elif not os.access(path.parent, os.W_OK):
        faults.append(
            f"--out {path}: the folder is not writable. Choose another, or change its permissions."
        )
    if path.exists() and not request.replace:
        faults.append(f"--out {path}: the file exists. Add --replace, or remove it first.")
    return faults


def overwritten_faults(engine: DuckEngine, source: Source, request: Request) -> list[str]:
    """Return a fault if the release would overwrite what it is made from, under whatever name."""
    if request.file is None:
        return []
    out = request.file.resolve()
    if any(out == read.resolve() for read in source.files):
        return [f"--out {request.file}: this is the source itself. Choose another file."]
    paths = [str(row[1]) for row in engine.rows("lib/engine/database") if row[1] is not None]
    if any(out == Path(path).resolve() for path in paths):
        return [f"--out {request.file}: this is an open database. Choose another file."]
    return []


def written_faults(source: Source, roles: Roles, request: Request) -> list[str]:
    """Return the faults of columns that the output file cannot hold."""
    faults: list[str] = []
    form = FORMS.get(normalize_name(request.file.suffix)) if request.file is not None else None
    if form is not None:
        shown = {c: t for c, t in source.columns.items() if c in roles.shown or _is_plain(c, roles)}
        faults += lossy_faults(form, shown)
    if form == "csv":
        faults += [
            f'"{column}": a CSV header loses the spaces around a name, and carriage returns. '
            "Rename it in a view."
            for column in source.columns
            if (column != column.strip() or "\r" in column)
            and column not in {*roles.dropped, roles.entity}
        ]
    return faults


def _is_plain(column: str, roles: Roles) -> bool:
    return any(
        a.name == column and a.recoding is not None and a.recoding.keeps_values for a in roles.quasi
    )


def live_faults(
    engine: DuckEngine, source: Source, roles: Roles, method: Method, request: Request
) -> list[str]:
    """Return why a release cannot be a live view of its source."""
    if not request.live:
        return []
    faults: list[str] = []
    if any(attribute.recode == "bins" for attribute in roles.quasi):
        faults.append(
            "--live keeps no bins: their ends are learnt from the rows of a run. Make a snapshot."
        )
    if request.into is None:
        faults.append("--live creates a view in the database: name it with --into.")
    if method.guard.has_models:
        faults.append(
            f"--live keeps k and distinct l at every query; {', '.join(method.guard.models)} "
            "would hold only at first. Make a snapshot."
        )
    faults += [
        f"{option} would hold only at first: --live shows what the source holds at every query. "
        "Make a snapshot."
        for option in request.bounds.named
    ]
    if method.grain == "row":
        faults.append(
            f"--live assigns rows by their values only; {method.name} with these options divides "
            "equal rows. Make a snapshot, or use mondrian without --relaxed."
        )
    if source.kind == "frame":
        faults.append(
            "--live needs a source that persists: a table, a view or a file, not a frame."
        )
    if source.table is not None and source.table[0] == "temp":
        faults.append("--live needs a source that persists: this table is temporary.")
    if roles.pseudonymized:
        faults.append("--live cannot pseudonymize: the key would be stored in the view.")
    if STATE_BY_STATE not in request.accept:
        faults.append(
            "--live protects each state, not the difference between two: whoever sees the view "
            "before and after one change learns the changed row. To accept this, add --accept "
            f"{STATE_BY_STATE}."
        )
    why = why_not_secure(engine, request.path[0] if request.path else engine.database)
    if why is not None and READER not in request.accept:
        faults.append(
            f"--live would not be a SECURE VIEW: {why}. A reader's own filter may then run "
            "before the guard: its errors, and the counts of EXPLAIN ANALYZE, reveal facts "
            f"about withheld classes. Make a snapshot, or accept this with --accept {READER}."
        )
    return faults
