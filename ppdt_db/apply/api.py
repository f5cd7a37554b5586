"""Newcomers: new rows as a release would show them, by the rules that were kept of it.

new rows ──encode──▶ cells ──tree──▶ leaves ──fit──▶ classes ──recode──▶ a table or a file

A row is withheld where the tree has no branch for it, where its leaf has no released class, and
where no class of its leaf holds its quasi-identifiers. New rows do not count into k.
"""

import weakref
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from dataclasses import replace as with_field
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.admission import MADE, admission_faults, own_names, renamed
from ppdt_db.coded import Encoded, Wants
from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible, too_late
from ppdt_db.engine.spill import run_folder, system_place
from ppdt_db.errors import EngineError
from ppdt_db.inducer import take_over, walk_down
from ppdt_db.learn.grown import whole
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import ident
from ppdt_db.placing import place_cells
from ppdt_db.policy import raise_all
from ppdt_db.pseudonym import pseudonym_params
from ppdt_db.recode import Parts, arrange, form_of, sort_rows, written
from ppdt_db.request import Request
from ppdt_db.rules import read_about
from ppdt_db.rules_head import About
from ppdt_db.source import Given, Source, check_count, opened
from ppdt_db.whole_file import beside, in_place

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


class OwnFolder:
    """A folder that only its owner may read, and that goes when nobody holds it any more."""

    def __init__(self) -> None:
        held = ExitStack()
        self.path = held.enter_context(run_folder(system_place()))
        self._end = weakref.finalize(self, held.close)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a release, in their file; keep it as safe as the source."""

    path: Path
    about: About = field(repr=False)
    folder: "OwnFolder | None" = field(default=None, repr=False)
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
        csv: CsvWish = None,
    ) -> Applied:
        """Show new rows as the release would: in a table of the database, or in a file."""
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
                encoded = encode(engine, read, self.about.roles, Wants(), params)
                self._place(engine, encoded)
            progress("recode", 0.0)
            return self._shown(engine, read, encoded, request)

    def _place(self, engine: DuckEngine, encoded: Encoded) -> None:
        """Find the leaves of the new rows, and in them their classes."""
        if self.about.tree is None:
            engine.make("apply/one_leaf", to="ppdt_leaf")
        else:
            walk_down(engine, encoded, take_over(engine, encoded, self.about.tree))
        place_cells(engine, encoded, self.about, self.path)

    def _shown(
        self, engine: DuckEngine, read: Source, encoded: Encoded, request: Request
    ) -> Applied:
        """Show the rows that have a class, in the order of what they show."""
        about = self.about
        counts = map(whole, engine.row("apply/withheld"))
        n_rows, n_shown, n_no_branch, n_no_class, n_outside = counts
        columns = arrange(read, encoded, about.labels)
        parts = Parts(
            source=read, encoded=encoded, labels=about.labels, columns=columns, grain="cell"
        )
        sort_rows(engine, parts)
        name = _show(engine, parts, request)
        too_late()
        return Applied(
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
        """The new rows under the names of the release, read once."""
        names = {"source": found.relation, "pairs": own_names(self.about, found)}
        engine.make("apply/given", names=names)
        check_count(found, engine.count("encode/size", names={"source": ident("ppdt_given")}))
        return with_field(renamed(self.about, found), relation=ident("ppdt_given"))


def load_rules(path: str | Path) -> Rules:
    """Read the rules of a release that `anonymize(..., rules=PATH)` wrote."""
    place = Path(path)
    return Rules(path=place, about=read_about(place))


# -- places --------------------------------------------------------------------------------------


def _show(engine: DuckEngine, parts: Parts, request: Request) -> str:
    """Write everything or nothing; returns the name of the place."""
    if request.file is not None:
        return _to_file(engine, parts, request.file, replace=request.replace)
    name, path = str(request.into), request.path
    with engine.transaction():
        if request.replace:
            engine.run("engine/drop_table", {"name": path})
        engine.make_table("recode/release", path, names=parts.names)
        engine.run("engine/comment", {"name": path, "text": MADE})
    return name


def _to_file(engine: DuckEngine, parts: Parts, path: Path, *, replace: bool) -> str:
    try:
        with beside(path) as part:
            with written(engine, parts, part, form_of(path), path.stem):
                pass
            with in_place(part, path, replace=replace):
                pass
    except OSError as error:
        raise EngineError(
            f"{path} cannot be written: {error.strerror}. Nothing was shown."
        ) from None
    return path.name
