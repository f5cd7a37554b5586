"""Recode: fill the released relation at its destination, from rows, members and labels.

Every destination is filled out of sight, audited there, and made visible only then.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as replace_field
from glob import escape
from pathlib import Path
from typing import Literal

import duckdb

from ppdt_db.encode.columns import CarriedColumn, EncodedColumn, Word
from ppdt_db.engine import DuckEngine, lent
from ppdt_db.errors import RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.release.arrange import OutputColumn, ReleaseInputs
from ppdt_db.release.catalog import SCHEMA
from ppdt_db.source.csv.written import types_of, write_csv
from ppdt_db.sqltext.column_types import display_type
from ppdt_db.sqltext.quoting import Sql, ident, normalize_name
from ppdt_db.sqltext.templates import render

FileForm = Literal["parquet", "csv", "duckdb"]
FORMS: dict[str, FileForm] = {".parquet": "parquet", ".csv": "csv", ".duckdb": "duckdb"}
LOSSY: dict[FileForm, tuple[str, ...]] = {
    "parquet": ("HUGEINT", "UHUGEINT", "TIME WITH TIME ZONE", "INTERVAL", "UNION("),
    "csv": ("BLOB",),
    "duckdb": (),
}
OUT = "ppdt_out"
# Timestamps in seconds or milliseconds inside a type; quoted names are skipped.
UNIT = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*')|\bTIMESTAMP_M?S(?=[\[,)]|$)""")


def form_of(path: Path) -> FileForm:
    """Return the format of a file, by its extension."""
    form = FORMS.get(normalize_name(path.suffix))
    if form is None:
        raise RequestError(f"--out {path}: the extension must be one of {', '.join(FORMS)}.")
    return form


def lossy_faults(form: FileForm, columns: Mapping[str, str]) -> list[str]:
    """Return the faults of columns whose types a file format cannot hold."""
    return [
        f'"{column}": a {form} file cannot hold type {display_type(type_name)} without loss. '
        "Cast it in a view."
        for column, type_name in columns.items()
        if any(lossy in display_type(type_name) for lossy in LOSSY[form])
    ]


# -- files -------------------------------------------------------------------------------------


@contextmanager
def written(
    engine: DuckEngine, parts: ReleaseInputs, part: Path, form: FileForm, table: str
) -> Iterator[Sql]:
    """Write the release to a file and yield it as read back from there."""
    if form == "csv":
        yield write_csv(engine, parts.columns, part)
        return
    if form == "parquet":
        types = types_of(engine)
        # The type of means depends on the values.
        own = {c.released: types[c.table, c.inside] for c in parts.columns}
        raise_all(lossy_faults(form, own))
        names = {**parts.names, "columns": _in_micros(parts.columns, types)}
        engine.copy("recode/release", part, form, names=names)
        yield Sql(render("lib/fragments/back_parquet", {"path": escape(str(part))}).text)
        return
    out, back = lent(OUT), lent(OUT)
    with engine.attached(part, out, read_only=False):
        engine.make_table("recode/release", (out, "main", table), names=parts.names)
    with engine.attached(part, back, read_only=True):
        yield ident((back, "main", table))


def _in_micros(
    columns: Sequence[OutputColumn], types: Mapping[tuple[str, str], str]
) -> list[OutputColumn]:
    """Return the columns with timestamps of other units as TIMESTAMP, as they are read back.

    DuckDB 1 cannot write infinite timestamps in seconds, nor read those in milliseconds.
    """
    return [
        replace_field(column, as_type=Sql(known)) if known != own else column
        for column in columns
        for own in [types[column.table, column.inside]]
        for known in [UNIT.sub(lambda found: found[1] or "TIMESTAMP", own)]
    ]


# -- releases inside the database ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class StagedRelease:
    """A release in the schema of ppdt, and the view that will show it."""

    relation: tuple[str, ...]
    step: str
    names: Mapping[str, object]
    is_secure: bool = False


def make_snapshot(
    engine: DuckEngine, parts: ReleaseInputs, database: str, run_id: int
) -> StagedRelease:
    """Create the table that holds the release."""
    table = (SCHEMA, f"snapshot_{run_id}")
    engine.make_table("recode/release", (database, *table), names=parts.names)
    # The view does not name its database: the file may be attached under another name.
    names = {**parts.names, "snapshot": table}
    return StagedRelease(relation=(database, *table), step="recode/view", names=names)


def why_not_secure(engine: DuckEngine, database: str) -> str | None:
    """Return why a live view in this database would not be a SECURE VIEW; None if it would be."""
    version = duckdb.__version__
    if int(version.partition(".")[0]) < 2:
        return f"DuckDB {version} has none (it needs version 2)"
    rows = engine.rows("lib/engine/database")
    _, path, _, storage, *_ = next(
        row for row in rows if normalize_name(str(row[0])) == normalize_name(database)
    )
    made_for = str(storage).removeprefix("v").partition(".")[0]
    if path is None or (made_for.isdigit() and int(made_for) >= 2):
        return None
    return f"the database file has the storage format of an older DuckDB ({storage})"


def make_live(
    engine: DuckEngine,
    parts: ReleaseInputs,
    place: tuple[str, int],
    guard: Mapping[str, object],
    *,
    secure: bool,
) -> StagedRelease:
    """Create the frozen dictionaries, members and labels, and the live view over them."""
    database, run_id = place
    stem = f"live_{run_id}"
    frozen: list[EncodedColumn] = []
    for coded in parts.encoded.attributes:
        table = (SCHEMA, f"{stem}_code_{coded.position}")
        names_of = {"dictionary": coded.dictionary}
        engine.make_table("recode/live_code", (database, *table), names=names_of)
        frozen.append(replace_field(coded, dictionary=table))
    for part in ("member", "label"):
        kept = (database, SCHEMA, f"{stem}_{part}")
        engine.make_table(f"recode/live_{part}", kept, names=parts.names)
    others = [_plain_column(other) for other in parts.encoded.others if other.form != "code"]
    entity = next((o for o in parts.encoded.others if o.name == "entity"), None)
    if entity is not None:
        others.append(_plain_column(entity))
    by_name = {coded.name: coded for coded in frozen}
    words = [
        Word(name=w.name, type=w.type, attributes=[by_name[a.name] for a in w.attributes])
        for w in parts.encoded.words
    ]
    names: dict[str, object] = {
        "source": parts.source.relation,
        "dictionaries": frozen,
        "words": words,
        "others": others,
        "is_live": True,
    }
    row_view = (SCHEMA, f"{stem}_row")
    engine.make_view("encode/row", (database, *row_view), names, secure=False, replace=False)
    names |= {
        "columns": parts.columns,
        "row_view": row_view,
        "member": (SCHEMA, f"{stem}_member"),
        "label": (SCHEMA, f"{stem}_label"),
        "entity": entity.name if entity else None,
        **guard,
    }
    trial = (database, SCHEMA, f"{stem}_trial")
    engine.make_view("recode/live", trial, names, secure=secure, replace=False)
    return StagedRelease(relation=trial, step="recode/live", names=names, is_secure=secure)


def show(
    engine: DuckEngine, hidden: StagedRelease, path: tuple[str, ...], *, replace: bool
) -> None:
    """Make a release visible under its full name."""
    engine.make_view(hidden.step, path, hidden.names, secure=hidden.is_secure, replace=replace)
    if hidden.step == "recode/live":
        engine.run("lib/engine/drop_view", {"name": hidden.relation})


def _plain_column(other: CarriedColumn) -> CarriedColumn:
    form: Literal["column", "text"] = "text" if other.form == "text" else "column"
    return replace_field(other, form=form, alias="")


def is_shown(engine: DuckEngine, run_id: int, path: tuple[str, ...]) -> bool:
    """Return whether the view at a path is still the run's own, not one put there since."""
    made = re.compile(rf"\b(snapshot_{run_id}|live_{run_id}_row)\b")
    return any(
        kind == "view" and made.search(str(definition))
        for database, schema, table, kind, definition in engine.rows("lib/engine/tables")
        if _is_same_path((str(database), str(schema), str(table)), path)
    )


def _is_same_path(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return [*map(normalize_name, one)] == [*map(normalize_name, other)]


def drop_parts(
    engine: DuckEngine, database: str, run_id: int, view: tuple[str, ...] | None = None
) -> None:
    """Drop what a run created inside a database, and its view if given."""
    if view is not None and is_shown(engine, run_id, (database, *view)):
        engine.run("lib/engine/drop_view", {"name": (database, *view)})
    for of_database, schema, table, kind, _ in engine.rows("lib/engine/tables"):
        is_part = str(table).startswith(f"live_{run_id}_") or table == f"snapshot_{run_id}"
        if (of_database, schema) == (database, SCHEMA) and is_part:
            engine.run(f"lib/engine/drop_{kind}", {"name": (database, SCHEMA, str(table))})
