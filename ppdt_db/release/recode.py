"""Recode: rows, members and labels become the released relation, at the place that was asked for.

Every place is filled out of sight, audited there, and shown only then.
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

from ppdt_db.catalog import SCHEMA
from ppdt_db.coded import Coded, Encoded, Other, Word
from ppdt_db.csv_written import types_of, write_csv
from ppdt_db.engine import DuckEngine, Engine, lent
from ppdt_db.errors import RequestError
from ppdt_db.families import told
from ppdt_db.methods.contract import Grain, LabelColumn
from ppdt_db.names import Sql, fold, ident
from ppdt_db.policy import raise_all
from ppdt_db.source import Source
from ppdt_db.template import render

Form = Literal["parquet", "csv", "duckdb"]
FORMS: dict[str, Form] = {".parquet": "parquet", ".csv": "csv", ".duckdb": "duckdb"}
LOSSY: dict[Form, tuple[str, ...]] = {
    "parquet": ("HUGEINT", "UHUGEINT", "TIME WITH TIME ZONE", "INTERVAL", "UNION("),
    "csv": ("BLOB",),
    "duckdb": (),
}
OUT = "ppdt_out"
# Moments in seconds and milliseconds, as a type is spelled: a name has a type behind it.
UNIT = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*')|\bTIMESTAMP_M?S(?=[\[,)]|$)""")


@dataclass(frozen=True, kw_only=True)
class Column:
    """One released column: where it comes from and how it is called."""

    table: Literal["shown", "sorted"]
    inside: str
    released: str
    as_type: Sql | None = None
    """Another type to release it in."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """All that a release is made of."""

    source: Source
    encoded: Encoded
    labels: Sequence[LabelColumn]
    columns: Sequence[Column]
    grain: Grain

    @property
    def names(self) -> dict[str, object]:
        """The names that the recode room may ask for."""
        return {
            **self.encoded.names,
            "labels": self.labels,
            "columns": self.columns,
            "unit": "row_id" if self.grain == "row" else "cell_id",
        }


def arrange(source: Source, encoded: Encoded, labels: Sequence[LabelColumn]) -> list[Column]:
    """The released columns in the source's order."""
    columns: list[Column] = []
    for name in source.columns:
        columns += [
            Column(table="shown", inside=label.name, released=label.released)
            for label in labels
            if label.attribute == name
        ]
        if name in encoded.released:
            columns.append(Column(table="sorted", inside=encoded.released[name], released=name))
    return columns


def sort_rows(engine: Engine, parts: Parts) -> None:
    """Put the rows into an order that follows from what they will show."""
    engine.make("recode/rank", names=parts.names)
    engine.make("recode/sorted", names=parts.names)
    engine.make("recode/shown", names=parts.names)


def form_of(path: Path) -> Form:
    """The form of a file, by its ending."""
    form = FORMS.get(fold(path.suffix))
    if form is None:
        raise RequestError(f"--out {path}: the ending must be one of {', '.join(FORMS)}.")
    return form


def lossy_faults(form: Form, columns: Mapping[str, str]) -> list[str]:
    """What a form of file cannot hold, of columns and their types."""
    return [
        f'"{column}": a {form} file cannot hold type {told(type_name)} without loss. Cast it in a '
        "view."
        for column, type_name in columns.items()
        if any(lossy in told(type_name) for lossy in LOSSY[form])
    ]


# -- files -------------------------------------------------------------------------------------


@contextmanager
def written(engine: DuckEngine, parts: Parts, part: Path, form: Form, table: str) -> Iterator[Sql]:
    """Write the release to a file, and read back from it what was written."""
    if form == "csv":
        yield write_csv(engine, parts.columns, part)
        return
    if form == "parquet":
        types = types_of(engine)
        # Of what type means are depends on the values.
        own = {c.released: types[c.table, c.inside] for c in parts.columns}
        raise_all(lossy_faults(form, own))
        names = {**parts.names, "columns": _in_micros(parts.columns, types)}
        engine.copy("recode/release", part, form, names=names)
        yield Sql(render("form/back_parquet", {"path": escape(str(part))}).text)
        return
    out, back = lent(OUT), lent(OUT)
    with engine.attached(part, out, read_only=False):
        engine.make_table("recode/release", (out, "main", table), names=parts.names)
    with engine.attached(part, back, read_only=True):
        yield ident((back, "main", table))


def _in_micros(columns: Sequence[Column], types: Mapping[tuple[str, str], str]) -> list[Column]:
    """Moments of other units as TIMESTAMP, which they are read back as.

    Infinite ones of seconds cannot be written by DuckDB 1, and of milliseconds not be read.
    """
    return [
        replace_field(column, as_type=Sql(known)) if known != own else column
        for column in columns
        for own in [types[column.table, column.inside]]
        for known in [UNIT.sub(lambda found: found[1] or "TIMESTAMP", own)]
    ]


# -- releases inside the database ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """A release that stands in our own schema, and the view that will show it."""

    relation: tuple[str, ...]
    step: str
    names: Mapping[str, object]
    is_secure: bool = False


def make_snapshot(engine: DuckEngine, parts: Parts, database: str, run_id: int) -> Hidden:
    """A table that holds the release."""
    table = (SCHEMA, f"snapshot_{run_id}")
    engine.make_table("recode/release", (database, *table), names=parts.names)
    # The view names no database of its own: its file may be opened under another name.
    names = {**parts.names, "snapshot": table}
    return Hidden(relation=(database, *table), step="recode/view", names=names)


def why_not_secure(engine: DuckEngine, database: str) -> str | None:
    """Return why a live view of this database would be no SECURE VIEW, or None where it is one."""
    version = duckdb.__version__
    if int(version.partition(".")[0]) < 2:
        return f"DuckDB {version} has none (it needs version 2)"
    rows = engine.rows("engine/database")
    _, path, _, storage, *_ = next(row for row in rows if fold(str(row[0])) == fold(database))
    made_for = str(storage).removeprefix("v").partition(".")[0]
    if path is None or (made_for.isdigit() and int(made_for) >= 2):
        return None
    return f"the database file was made for an older DuckDB (storage {storage})"


def make_live(
    engine: DuckEngine,
    parts: Parts,
    place: tuple[str, int],
    guard: Mapping[str, object],
    *,
    secure: bool,
) -> Hidden:
    """The frozen dictionaries, members and labels, and a view that asks them, out of sight."""
    database, run_id = place
    stem = f"live_{run_id}"
    frozen: list[Coded] = []
    for coded in parts.encoded.attributes:
        table = (SCHEMA, f"{stem}_code_{coded.position}")
        names_of = {"dictionary": coded.dictionary}
        engine.make_table("recode/live_code", (database, *table), names=names_of)
        frozen.append(replace_field(coded, dictionary=table))
    for part in ("member", "label"):
        kept = (database, SCHEMA, f"{stem}_{part}")
        engine.make_table(f"recode/live_{part}", kept, names=parts.names)
    others = [_raw(other) for other in parts.encoded.others if other.form != "code"]
    entity = next((o for o in parts.encoded.others if o.name == "entity"), None)
    if entity is not None:
        others.append(_raw(entity))
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
    return Hidden(relation=trial, step="recode/live", names=names, is_secure=secure)


def show(engine: DuckEngine, hidden: Hidden, path: tuple[str, ...], *, replace: bool) -> None:
    """Let a release be seen under its full name."""
    engine.make_view(hidden.step, path, hidden.names, secure=hidden.is_secure, replace=replace)
    if hidden.step == "recode/live":
        engine.run("engine/drop_view", {"name": hidden.relation})


def _raw(other: Other) -> Other:
    form: Literal["column", "text"] = "text" if other.form == "text" else "column"
    return replace_field(other, form=form, alias="")


def is_shown(engine: DuckEngine, run_id: int, path: tuple[str, ...]) -> bool:
    """Whether the view at a path still shows what a run made; its owner may have put another."""
    made = re.compile(rf"\b(snapshot_{run_id}|live_{run_id}_row)\b")
    return any(
        kind == "view" and made.search(str(definition))
        for database, schema, table, kind, definition in engine.rows("engine/tables")
        if _same((str(database), str(schema), str(table)), path)
    )


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return [*map(fold, one)] == [*map(fold, other)]


def drop_parts(
    engine: DuckEngine, database: str, run_id: int, view: tuple[str, ...] | None = None
) -> None:
    """Remove what a run made inside a database; the view too, where it is given."""
    if view is not None and is_shown(engine, run_id, (database, *view)):
        engine.run("engine/drop_view", {"name": (database, *view)})
    for of_database, schema, table, kind, _ in engine.rows("engine/tables"):
        is_part = str(table).startswith(f"live_{run_id}_") or table == f"snapshot_{run_id}"
        if (of_database, schema) == (database, SCHEMA) and is_part:
            engine.run(f"engine/drop_{kind}", {"name": (database, SCHEMA, str(table))})
