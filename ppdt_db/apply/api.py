"""Apply the saved rules of a release to new rows, so that they show what its rows show.

new rows ──encode──▶ cells ──tree──▶ leaves ──fit──▶ classes ──recode──▶ a table or a file

A row is withheld if the tree has no branch for it, if its leaf has no released class, or if no
class of its leaf covers its quasi-identifiers. New rows do not count towards k.
"""

import weakref
from contextlib import ExitStack
from dataclasses import dataclass, field
from dataclasses import replace as with_field
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.apply.assign import place_cells
from ppdt_db.apply.checks import MADE, admission_faults, own_names, renamed
from ppdt_db.encode.bins import binned_source
from ppdt_db.encode.columns import EncodedTable, EncodeOptions
from ppdt_db.encode.encode import encode
from ppdt_db.encode.pseudonyms import pseudonym_params
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.atomic_file import swap_into_place, temporary_sibling
from ppdt_db.engine.interrupt import ignore_late_interrupts, interruptible
from ppdt_db.engine.run_folder import run_folder, system_place
from ppdt_db.errors import EngineError
from ppdt_db.learn.trees.node import as_int
from ppdt_db.methods.algorithms.tree_partition import take_over, walk_down
from ppdt_db.policy.roles import raise_all
from ppdt_db.progress import Progress, no_progress
from ppdt_db.release.arrange import ReleaseInputs, release_columns, sort_rows
from ppdt_db.release.recode import form_of, written
from ppdt_db.release.request import Request
from ppdt_db.release.rules_file import read_about
from ppdt_db.release.rules_header import About
from ppdt_db.release.saved_rules import ApplyResult
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, check_count, opened
from ppdt_db.sqltext.quoting import ident


class OwnFolder:
    """A folder that only its owner may read, deleted when the last reference to it is gone."""

    def __init__(self) -> None:
        held = ExitStack()
        self.path = held.enter_context(run_folder(system_place()))
        self._end = weakref.finalize(self, held.close)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a release in their file; protect it like the source."""

    path: Path
    about: About = field(repr=False)
    folder: "OwnFolder | None" = field(default=None, repr=False)
    """The folder that is deleted along with the rules, if the caller named no file for them."""

    def apply(
        self,
        con: duckdb.DuckDBPyConnection,
        new: SourceLike,
        *,
        into: str | None = None,
        out: str | Path | None = None,
        replace: bool = False,
        pseudonym_key: str | None = None,
        progress: Progress = no_progress,
        sql_log: TextIO | None = None,
        csv: CsvOptions = None,
    ) -> ApplyResult:
        """Recode new rows as the release would, into a table of the database or a file."""
        request = Request(into=into, out=out, replace=replace)
        engine = DuckEngine(con, sql_log)
        engine.aftermath = "Nothing was released."
        with ExitStack() as stack:
            stack.enter_context(interruptible(con))
            stack.enter_context(engine.cleared())
            found = stack.enter_context(opened(engine, with_csv(new, csv)))
            request = request.placed(engine)
            with engine.unordered():
                with engine.transaction():
                    progress("read", 0.0)
                    key = pseudonym_key
                    raise_all(admission_faults(engine, self.about, self.path, found, request, key))
                    read = self._stage(engine, found)
                params = pseudonym_params(pseudonym_key, self.about.salt)
                progress("encode", 0.0)
                bins = self.about.bins
                shown = binned_source(engine, read, bins) if bins else read
                encoded = encode(engine, shown, self.about.roles, EncodeOptions(), params)
                if bins:
                    engine.drop("ppdt_binned")
                self._assign_classes(engine, encoded)
            progress("recode", 0.0)
            return self._recode_rows(engine, read, encoded, request)

    def _assign_classes(self, engine: DuckEngine, encoded: EncodedTable) -> None:
        """Find the leaf of each new row, and in it the class."""
        if self.about.tree is None:
            engine.make("apply/one_leaf", to="ppdt_leaf")
        else:
            walk_down(engine, encoded, take_over(engine, encoded, self.about.tree))
        place_cells(engine, encoded, self.about, self.path)

    def _recode_rows(
        self, engine: DuckEngine, read: Source, encoded: EncodedTable, request: Request
    ) -> ApplyResult:
        """Recode the rows that have a class, sorted by what they show."""
        about = self.about
        counts = map(as_int, engine.row("apply/withheld"))
        n_rows, n_shown, n_no_branch, n_no_class, n_outside = counts
        columns = release_columns(read, encoded, about.labels)
        parts = ReleaseInputs(
            source=read, encoded=encoded, labels=about.labels, columns=columns, grain="cell"
        )
        sort_rows(engine, parts)
        name = _show(engine, parts, request)
        ignore_late_interrupts()
        return ApplyResult(
            name=name,
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
        """Return the new rows under the names of the release, read once."""
        names = {"source": found.relation, "pairs": own_names(self.about, found)}
        engine.make("apply/given", names=names)
        check_count(found, engine.count("encode/size", names={"source": ident("ppdt_given")}))
        return with_field(renamed(self.about, found), relation=ident("ppdt_given"))


def load_rules(path: str | Path) -> Rules:
    """Read the rules that `anonymize(..., rules=PATH)` wrote."""
    place = Path(path)
    return Rules(path=place, about=read_about(place))


# -- places --------------------------------------------------------------------------------------


def _show(engine: DuckEngine, parts: ReleaseInputs, request: Request) -> str:
    """Write everything or nothing; return the name of the destination."""
    if request.file is not None:
        return _to_file(engine, parts, request.file, replace=request.replace)
    name, path = str(request.into), request.path
    with engine.transaction():
        if request.replace:
            engine.run("lib/engine/drop_table", {"name": path})
        engine.make_table("recode/release", path, names=parts.names)
        engine.run("lib/engine/comment", {"name": path, "text": MADE})
    return name


def _to_file(engine: DuckEngine, parts: ReleaseInputs, path: Path, *, replace: bool) -> str:
    try:
        with temporary_sibling(path) as part:
            with written(engine, parts, part, form_of(path), path.stem):
                pass
            with swap_into_place(part, path, replace=replace):
                pass
    except OSError as error:
        raise EngineError(
            f"{path} cannot be written: {error.strerror}. Nothing was written."
        ) from None
    return path.name
