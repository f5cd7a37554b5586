"""What keeps a release from the place, or the form, that is asked for."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ppdt_db.accept import READER, STATE_BY_STATE
from ppdt_db.catalog import SCHEMA, Catalog
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Row
from ppdt_db.errors import RequestError
from ppdt_db.methods.contract import Method
from ppdt_db.names import fold, is_reserved, parts_of
from ppdt_db.policy import Roles
from ppdt_db.recode import FORMS, form_of, is_shown, lossy_faults, why_not_secure
from ppdt_db.request.request import Request
from ppdt_db.source import Source


def release_faults(engine: DuckEngine, request: Request) -> list[str]:
    """What keeps a release from the place that was asked for."""
    return place_faults(engine, request, "the release goes", _standing_faults)


def place_faults(
    engine: DuckEngine,
    request: Request,
    what: str,
    standing: Callable[[DuckEngine, Sequence[Row], tuple[str, ...], Request], list[str]],
) -> list[str]:
    """What keeps anything from its place; `standing` judges what has the name already."""
    if (request.into is None) == (request.file is None):
        return [f"say where {what}: either --into NAME or --out FILE."]
    if request.file is not None:
        return _file_faults(request.file, request)
    assert request.into is not None
    *above, name = parts_of(request.into)
    if is_reserved(name) or fold(above[-1] if above else "") == SCHEMA:
        return [f'--into "{request.into}": this name is reserved. Take another.']
    if request.path_faults:
        return [*request.path_faults]
    path = request.path
    if fold(path[1]) == SCHEMA:
        return [f'--into "{request.into}": this name is reserved. Take another.']
    # What is temporary would be read in the place of the release.
    places = [[*map(fold, path)], ["temp", "main", fold(path[-1])]]
    tables = engine.rows("engine/alike", {"name": path[-1]})
    same = [row for row in tables if [fold(str(part)) for part in row[:3]] in places]
    return standing(engine, same, path, request) if same else []


def _standing_faults(
    engine: DuckEngine, _: Sequence[Row], path: tuple[str, ...], request: Request
) -> list[str]:
    """Only a release of ours is replaced, and only when asked for."""
    standing = Catalog(engine, path[0]).standing(path)
    if standing is None or not is_shown(engine, standing.run_id, path):
        return [
            f'--into "{request.into}": a table or view of that name exists, and ppdt did not make '
            "it. Take another name, or remove it yourself."
        ]
    if not request.replace:
        return [f'--into "{request.into}": this release exists. Add --replace, or drop it first.']
    return []


def _file_faults(path: Path, request: Request) -> list[str]:
    """What keeps a file from being written."""
    faults: list[str] = []
    try:
        form_of(path)
    except RequestError as error:
        faults += error.faults
    if not path.parent.is_dir():
        faults.append(f"--out {path}: the folder does not exist. Make it first.")
    elif not os.access(path.parent, os.W_OK):
        faults.append(f"--out {path}: the folder cannot be written to.")
    if path.exists() and not request.replace:
        faults.append(f"--out {path}: the file exists. Add --replace, or remove it first.")
    return faults


def overwritten_faults(engine: DuckEngine, source: Source, request: Request) -> list[str]:
    """A release must not take the place of what it is made from, under whatever name."""
    if request.file is None:
        return []
    out = request.file.resolve()
    if any(out == read.resolve() for read in source.files):
        return [f"--out {request.file}: this is the source itself. Take another file."]
    paths = [str(row[1]) for row in engine.rows("engine/database") if row[1] is not None]
    if any(out == Path(path).resolve() for path in paths):
        return [f"--out {request.file}: this is a database that is open. Take another file."]
    return []


def written_faults(source: Source, roles: Roles, request: Request) -> list[str]:
    """What the file that is asked for cannot hold."""
    faults: list[str] = []
    form = FORMS.get(fold(request.file.suffix)) if request.file is not None else None
    if form is not None:
        shown = {c: t for c, t in source.columns.items() if c in roles.shown or _is_plain(c, roles)}
        faults += lossy_faults(form, shown)
    if form == "csv":
        faults += [
            f'"{column}": a CSV header loses the blanks around a name, and carriage returns. '
            "Rename it in a view."
            for column in source.columns
            if (column != column.strip() or "\r" in column)
            and column not in {*roles.dropped, roles.entity}
        ]
    return faults


def _is_plain(column: str, roles: Roles) -> bool:
    return any(a.name == column and a.recode in ("bounds", "mode", "set") for a in roles.quasi)


def live_faults(
    engine: DuckEngine, source: Source, roles: Roles, method: Method, request: Request
) -> list[str]:
    """Why a release cannot be a view that follows its source."""
    if not request.live:
        return []
    faults: list[str] = []
    if request.into is None:
        faults.append("--live makes a view in the database: give its name with --into.")
    if method.guard.has_models:
        faults.append(
            "--live keeps k and distinct l at every query; "
            f"{', '.join(method.guard.models)} would hold at first only. Make a snapshot."
        )
    faults += [
        f"{option} would hold at first only: --live shows what the source holds at every query. "
        "Make a snapshot."
        for option in request.bounds.given
    ]
    if method.grain == "row":
        faults.append(
            f"--live goes by values alone; {method.name} as asked divides equal rows. "
            "Make a snapshot, or go by values (mondrian without --relaxed)."
        )
    if source.kind == "frame":
        faults.append("--live needs a source that stays: a table, a view or a file, not a frame.")
    if source.table is not None and source.table[0] == "temp":
        faults.append("--live needs a source that stays: this table is temporary.")
    if roles.pseudonymized:
        faults.append("--live cannot pseudonymize: the key would stand in the view.")
    if STATE_BY_STATE not in request.accept:
        faults.append(
            "--live guards each state, not the difference of two: who sees the view before and "
            "after one change learns the changed row. Say that you accept it: "
            f"--accept {STATE_BY_STATE}."
        )
    why = why_not_secure(engine, request.path[0] if request.path else engine.database)
    if why is not None and READER not in request.accept:
        faults.append(
            f"--live would be no SECURE VIEW: {why}. A reader's own filter then runs below the "
            "guard: its errors, and the counts of EXPLAIN ANALYZE, tell of classes that are held "
            f"back. Make a snapshot, or say that you accept it: --accept {READER}."
        )
    return faults
