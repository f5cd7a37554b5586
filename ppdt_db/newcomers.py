"""Newcomers: new rows as a release would show them, by the rules that were kept of it.

new rows ──encode──▶ cells ──tree──▶ leaves ──fit──▶ classes ──recode──▶ a table or a file

A row is withheld where the tree has no branch for it, where its leaf has no released class, and
where no class of its leaf holds its quasi-identifiers. New rows do not count into k.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import duckdb

from ppdt_db.encode import Encoded, Wants, encode, family_of, told
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import EngineError
from ppdt_db.inducer import SORTS, walk_down
from ppdt_db.learn.grown import whole
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import fold, ident, is_reserved, nearest, view_path
from ppdt_db.placing import place_cells
from ppdt_db.policy import raise_all
from ppdt_db.pseudonym import key_check, pseudonym_params
from ppdt_db.recode import Parts, arrange, beside, form_of, sort_rows, written
from ppdt_db.request import (
    Request,
    file_faults,
    hidden_functions,
    overwritten_faults,
    unread_collation,
    written_faults,
)
from ppdt_db.rules import About, read_about
from ppdt_db.source import Given, Source, opened

MADE = "rows shown by the rules of a release (ppdt apply)"
NOT_COUNTED = (
    "New rows do not count into k: the guarantee is that of the release whose labels they show."
)


@dataclass(frozen=True, kw_only=True)
class Applied:
    """What became of new rows."""

    name: str
    method: str
    rows_in: int
    rows_shown: int
    withheld: Mapping[str, int]

    @property
    def summary(self) -> dict[str, object]:
        """All of it in plain dictionaries."""
        return {
            "name": self.name,
            "method": self.method,
            "rows_in": self.rows_in,
            "rows_shown": self.rows_shown,
            "rows_withheld": dict(self.withheld),
            "note": NOT_COUNTED,
        }


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a release, in their file; keep it as safe as the source."""

    path: Path
    about: About = field(repr=False)
    folder: "TemporaryDirectory[str] | None" = field(default=None, repr=False)
    """The folder that goes when the rules go, where nobody named a file for them."""

    def apply(
        self,
        con: duckdb.DuckDBPyConnection,
        new: Given,
        *,
        into: str | None = None,
        out: str | Path | None = None,
        replace: bool = False,
        pseudonym_key: str | None = None,
        progress: Progress = no_progress,
        sql_log: TextIO | None = None,
    ) -> Applied:
        """Show new rows as the release would: in a table of the database, or in a file."""
        request = Request(into=into, out=Path(out) if out is not None else None, replace=replace)
        engine = DuckEngine(con, sql_log)
        with ExitStack() as stack:
            stack.enter_context(interruptible(con))
            stack.enter_context(engine.cleared())
            found = stack.enter_context(opened(engine, new))
            stack.enter_context(engine.unordered())
            with engine.transaction():
                progress("read", 0.0)
                raise_all(self._faults(engine, found, request, pseudonym_key))
                read = self._stage(engine, found)
            params = pseudonym_params(pseudonym_key, self.about.salt)
            progress("encode", 0.0)
            encoded = encode(engine, read, self.about.roles, Wants(), params)
            return self._placed(engine, read, encoded, request, progress)

    def _placed(
        self,
        engine: DuckEngine,
        read: Source,
        encoded: Encoded,
        request: Request,
        progress: Progress,
    ) -> Applied:
        """Find the classes of the new rows, and show them."""
        about = self.about
        if about.tree is None:
            engine.make("apply/one_way", to="ppdt_leaf")
        else:
            walk_down(engine, encoded, about.tree)
        place_cells(engine, encoded, about.labels, self.path)
        n_rows, n_shown, n_no_branch, n_no_class, n_outside = map(
            whole, engine.row("apply/withheld")
        )
        progress("recode", 0.0)
        for_csv = request.file_form == "csv"
        columns = arrange(read, encoded, about.labels, for_csv=for_csv)
        parts = Parts(
            source=read, encoded=encoded, labels=about.labels, columns=columns, grain="cell"
        )
        sort_rows(engine, parts)
        return Applied(
            name=_show(engine, parts, request),
            method=about.method,
            rows_in=n_rows,
            rows_shown=n_shown,
            withheld={
                "no branch": n_no_branch,
                "no released class": n_no_class,
                "outside the label": n_outside,
            },
        )

    def _stage(self, engine: DuckEngine, found: Source) -> Source:
        """The new rows under the names of the release, read once."""
        by_fold = {fold(column): column for column in found.columns}
        pairs = {name: by_fold[fold(name)] for name in self.about.columns}
        engine.make("apply/given", names={"source": found.relation, "pairs": pairs})
        return Source(
            kind="table",
            title=found.title,
            relation=ident("ppdt_given"),
            columns={name: found.columns[own] for name, own in pairs.items()},
        )

    # -- faults ----------------------------------------------------------------------------------

    def _faults(
        self, engine: DuckEngine, found: Source, request: Request, key: str | None
    ) -> list[str]:
        faults = [*unread_collation(engine), *hidden_functions(engine)]
        if engine.is_inside_transaction:
            faults.append("rules are not applied inside an open transaction. Commit it first.")
        faults += self._column_faults(found)
        faults += _place_faults(engine, request)
        faults += overwritten_faults(engine, found, request)
        if request.out is not None and request.out.resolve() == self.path.resolve():
            faults.append(f"--out {request.out}: these are the rules. Take another file.")
        by_fold = {fold(c): of for c, of in found.columns.items()}
        has_all = all(fold(name) in by_fold for name in self.about.columns)
        if request.out is not None and form_of_is_known(request.out) and has_all:
            columns = {name: by_fold[fold(name)] for name in self.about.columns}
            as_read = Source(
                kind="table", title=found.title, relation=found.relation, columns=columns
            )
            faults += written_faults(as_read, self.about.roles, request)
        if self.about.key_check is not None and key is None:
            faults.append(
                "pseudonyms need the key of the release: set PPDT_PSEUDONYM_KEY, or name a file "
                "that holds it (--pseudonym-key-file)."
            )
        elif self.about.key_check is not None and key is not None:
            if key_check(key, self.about.salt) != self.about.key_check:
                faults.append("the pseudonym key is not the one that the release was made with.")
        if engine.count("encode/size", names={"source": found.relation}) == 0:
            faults.append("the new rows are none.")
        return faults

    def _column_faults(self, found: Source) -> list[str]:
        by_fold = {fold(column): column for column in found.columns}
        faults: list[str] = []
        for name, type_name in self.about.columns.items():
            own = by_fold.get(fold(name))
            if own is None:
                hint = nearest(name, found.columns)
                faults.append(f'"{name}": the new rows lack this column.{hint}')
            elif not are_alike(type_name, found.columns[own]):
                faults.append(
                    f'"{name}": {told(type_name)} in the release, {told(found.columns[own])} in '
                    "the new rows. Cast it in a view."
                )
        return faults


def load_rules(path: str | Path) -> Rules:
    """Read the rules of a release that `anonymize(..., rules=PATH)` wrote."""
    place = Path(path)
    return Rules(path=place, about=read_about(place))


def are_alike(one: str, other: str) -> bool:
    """Whether values of two types can be the same."""
    if one == other:
        return True
    families = (family_of(one), family_of(other))
    if None in families:
        return False
    sorts = [SORTS.get(str(family)) for family in families]
    return sorts[0] == sorts[1] and (sorts[0] is not None or set(families) <= {"text", "enum"})


def form_of_is_known(path: Path) -> bool:
    """Whether a file's ending is one that can be written."""
    return fold(path.suffix) in (".parquet", ".csv", ".duckdb")


def _place_faults(engine: DuckEngine, request: Request) -> list[str]:
    if (request.into is None) == (request.out is None):
        return ["say where the rows go: either --into NAME or --out FILE."]
    if request.out is not None:
        return file_faults(request.out, request)
    name = str(request.into)
    path = view_path(name)
    if is_reserved(path[-1]) or fold(path[0]) == "ppdt":
        return [f'--into "{name}": this name is reserved. Take another.']
    if len(path) > 2 or not all(path):
        return [f'--into "{name}": write NAME or SCHEMA.NAME.']
    database = next(row for row in engine.rows("engine/database") if row[4])
    if database[2]:
        return ["--into: the database is open for reading only. Open it for writing, or use --out."]
    schemas = [str(row[1]) for row in engine.rows("engine/schemas") if row[0] == database[0]]
    if fold(path[0]) not in map(fold, schemas):
        hint = nearest(path[0], schemas)
        return [f'--into "{name}": there is no schema "{path[0]}". Make it first.{hint}']
    return _standing_faults(engine, (str(database[0]), *path), request)


def _standing_faults(engine: DuckEngine, path: tuple[str, str, str], request: Request) -> list[str]:
    same = [
        row for row in engine.rows("engine/tables")
        if fold(str(row[2])) == fold(path[2])
        and (row[0] == "temp" or (row[0] == path[0] and fold(str(row[1])) == fold(path[1])))
    ]  # fmt: skip
    if not same:
        return []
    noted = {tuple(map(str, row[:3])) for row in engine.rows("engine/commented") if row[3] == MADE}
    if any(tuple(map(str, row[:3])) not in noted for row in same):
        return [
            f'--into "{request.into}": a table or view of that name exists, and ppdt apply did not '
            "make it. Take another name, or remove it yourself."
        ]
    if not request.replace:
        return [f'--into "{request.into}": this table exists. Add --replace, or drop it first.']
    return []


# -- places --------------------------------------------------------------------------------------


def _show(engine: DuckEngine, parts: Parts, request: Request) -> str:
    """Write everything or nothing; returns the name of the place."""
    if request.out is not None:
        return _to_file(engine, parts, request.out)
    name = str(request.into)
    path = (engine.database, *view_path(name))
    with engine.transaction():
        if request.replace:
            engine.run("engine/drop_table", {"name": path})
        engine.make_table("recode/release", path, names=parts.names)
        engine.run("engine/comment", {"name": path, "text": MADE})
    return name


def _to_file(engine: DuckEngine, parts: Parts, path: Path) -> str:
    try:
        with beside(path) as part:
            with written(engine, parts, part, form_of(path), path.stem):
                pass
            part.replace(path)
    except OSError as error:
        raise EngineError(
            f"{path} cannot be written: {error.strerror}. Nothing was shown."
        ) from None
    return path.name
