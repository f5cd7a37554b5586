"""What keeps a release from the place, or the form, that is asked for."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ppdt_db.catalog import SCHEMA, Catalog
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Row
from ppdt_db.errors import RequestError
from ppdt_db.families import told
from ppdt_db.methods.contract import Method
from ppdt_db.names import fold, is_reserved, nearest, view_path
from ppdt_db.policy import Roles
from ppdt_db.recode import form_of, is_shown
from ppdt_db.request.request import Request
from ppdt_db.source import Source

LOSSY = {
    "parquet": ("HUGEINT", "UHUGEINT", "TIME WITH TIME ZONE", "INTERVAL", "UNION("),
    "csv": ("BLOB",),
    "duckdb": (),
}


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
    path = view_path(request.into)
    if is_reserved(path[-1]) or fold(path[0]) == SCHEMA:
        return [f'--into "{request.into}": this name is reserved. Take another.']
    if len(path) > 2 or not all(path):
        return [f'--into "{request.into}": write NAME or SCHEMA.NAME.']
    current, _, is_read_only, *_ = next(row for row in engine.rows("engine/database") if row[4])
    if is_read_only:
        return ["--into: the database is open for reading only. Open it for writing, or use --out."]
    schemas = [str(row[1]) for row in engine.rows("engine/schemas") if row[0] == current]
    if fold(path[0]) not in map(fold, schemas):
        hint = nearest(path[0], schemas)
        return [f'--into "{request.into}": there is no schema "{path[0]}". Make it first.{hint}']
    same = [
        row for row in engine.rows("engine/tables")
        if row[0] in (current, "temp") and fold(str(row[2])) == fold(path[-1])
        and (row[0] == "temp" or fold(str(row[1])) == fold(path[0]))
    ]  # fmt: skip
    return standing(engine, same, path, request) if same else []


def _standing_faults(
    engine: DuckEngine, _: Sequence[Row], path: tuple[str, ...], request: Request
) -> list[str]:
    """Only a release of ours is replaced, and only when asked for."""
    standing = Catalog(engine).standing(request.into or "")
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
    if request.file is not None and fold(request.file.suffix).removeprefix(".") in LOSSY:
        form = fold(request.file.suffix).removeprefix(".")
        shown = [c for c in source.columns if c in roles.shown or _is_plain(c, roles)]
        faults += [
            f'"{column}": a {form} file cannot hold type {told(source.columns[column])} without '
            "loss. Cast it in a view."
            for column in shown
            if any(lossy in told(source.columns[column]) for lossy in LOSSY[form])
        ]
    if request.file is not None and fold(request.file.suffix) == ".csv":
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


def live_faults(source: Source, roles: Roles, method: Method, request: Request) -> list[str]:
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
    if "state-by-state" not in request.accept:
        faults.append(
            "--live guards each state, not the difference of two: who sees the view before and "
            "after one change learns the changed row. Say that you accept it: "
            "--accept state-by-state."
        )
    return faults
