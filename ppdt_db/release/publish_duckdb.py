"""Publish with DuckDB: a view in the database or a file, with a record in the catalog."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.atomic_file import swap_into_place, temporary_sibling
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.release import recode
from ppdt_db.release.catalog import CatalogEntry
from ppdt_db.release.publish import Publisher
from ppdt_db.release.recode import StagedRelease, why_not_secure
from ppdt_db.release.record import CatalogRecord
from ppdt_db.release.stages import Run
from ppdt_db.sqltext.json_text import as_json
from ppdt_db.sqltext.quoting import Sql, ident, join_path, normalize_name

# What readers of a live view learn from side channels; the key is whether it is a SECURE VIEW.
READERS = {
    True: "live view: it is a SECURE VIEW. A reader who may run EXPLAIN or a profile learns how "
    "many rows are withheld, but nothing about their values.",
    False: "live view: it is not a SECURE VIEW. A reader's filter may run before the guard: its "
    "errors, and the counts of EXPLAIN ANALYZE, reveal facts about withheld classes "
    "(accepted: reader-side-channels).",
}
STATES = (
    "live view: each state keeps the guarantee; the difference between two states is not protected "
    "(accepted: state-by-state). Labels are frozen until a refresh."
)


class DuckPublisher(Publisher):
    """The publisher into a DuckDB database, or from one into a file."""

    def __init__(self, engine: DuckEngine, run: Run) -> None:
        super().__init__(run)
        assert isinstance(run.record, CatalogRecord)
        self.duck, self.record, self.catalog = engine, run.record, run.record.catalog

    @property
    def name(self) -> str:
        """The name of the release: of the view as requested, or of the file."""
        return self.request.into or Path(str(self.request.out)).name

    @contextmanager
    def hidden(self) -> Iterator[Sql]:
        """Fill the release out of sight; make it visible when the block ends, or nothing."""
        # Runs on other cursors write the same catalog: one at a time.
        with self.record.held(self.run.source, self.run.staged):
            file = self.request.file
            with self._inside() if file is None else self._to_file(file) as relation:
                yield relation

    # -- places --------------------------------------------------------------------------------

    @contextmanager
    def _inside(self) -> Iterator[Sql]:
        engine, path, database = self.duck, self.request.path, self.catalog.database
        with engine.transaction():
            is_first = not self.catalog.has_schema()
            self.catalog.make_schema()
            run_id = self.catalog.next_run()
            old = self._replaced()
            with self._dropped_on_error(run_id, is_first=is_first):
                staged = self._stage(run_id)
                yield ident(staged.relation)
            self.record.prepare()
            recode.show(engine, staged, path, replace=old is not None)
            if old is not None:
                recode.drop_parts(engine, database, old.run_id)
                self.catalog.end(old)
            known_as = join_path(path[-1:] if normalize_name(path[1]) == "main" else path[1:])
            self._record(run_id, known_as, join_path(path[1:]))

    def _replaced(self) -> CatalogEntry | None:
        """Return the release of this name that stands; raise if it is not to be replaced."""
        old = self.catalog.standing(self.request.path)
        if old is not None and not self.request.replace:
            raise RequestError(
                f'--into "{self.name}": another run has created a release of this name meanwhile. '
                "Add --replace, or choose another name."
            )
        return old

    def _stage(self, run_id: int) -> StagedRelease:
        """Create what holds the release: a table, or the parts of a live view."""
        engine, inputs, database = self.duck, self.run.inputs, self.catalog.database
        if not self.request.live:
            return recode.make_snapshot(engine, inputs, database, run_id)
        is_secure = why_not_secure(engine, database) is None
        self.run.notes += [STATES, READERS[is_secure]]
        place = (database, run_id)
        return recode.make_live(engine, inputs, place, self._live_guard(), secure=is_secure)

    @contextmanager
    def _dropped_on_error(self, run_id: int, *, is_first: bool) -> Iterator[None]:
        """Drop what a run has created if it fails here inside a transaction of the caller's."""
        try:
            yield
        except BaseException:
            if self.duck.is_inside_transaction:
                # If the transaction is aborted, its rollback drops everything.
                with suppress(EngineError):
                    recode.drop_parts(self.duck, self.catalog.database, run_id)
                    if is_first:
                        self.catalog.drop_schema()
            raise

    @contextmanager
    def _to_file(self, path: Path) -> Iterator[Sql]:
        form = recode.form_of(path)
        inputs, is_over = self.run.inputs, self.request.replace
        try:
            with temporary_sibling(path) as part:
                with recode.written(self.duck, inputs, part, form, path.stem) as relation:
                    yield relation
                with swap_into_place(part, path, replace=is_over), self.duck.transaction():
                    if self.record.is_kept:
                        self.record.prepare()
                        self._record(self.catalog.next_run(), path.name, str(path.absolute()))
        except OSError as error:
            raise EngineError(
                f"{path} cannot be written: {error.strerror}. Nothing was released."
            ) from None

    # -- record --------------------------------------------------------------------------------

    def _record(self, run_id: int, name: str, place: str) -> None:
        order = self.run.order
        run = {
            "run_id": run_id,
            "source": self.run.source.title,
            "source_fingerprint": self.record.fingerprint.digest,
            "method": order.method.name,
            "policy": as_json({"policy": self.certificate["policy"]}),
            "run_key": order.keys.run,
        }
        release = {
            "run_id": run_id,
            "name": name,
            "form": self.request.form,
            "place": place,
            "certificate": as_json(self.certificate),
        }
        self.record.write(run, release, self.evidence.audit.findings)

    def _more_warnings(self) -> list[str]:
        record, warnings = self.record, super()._more_warnings()
        if self.request.form == "file" and not record.is_kept and record.is_in_file:
            why = "is read-only" if record.kind == "duckdb" else f"is one of {record.kind}"
            warnings.append(
                f"the database {record.database} {why}: the release is not recorded. To record "
                "it, remove --read-only, or name a DuckDB file with --db."
            )
        return warnings

    # -- live ----------------------------------------------------------------------------------

    def _live_guard(self) -> dict[str, object]:
        inside, guard = self.run.encoded.released, self.run.order.method.guard
        limits = self.run.roles.sensitive if guard.l > 1 else ()
        return {"k": guard.k, "l": guard.l, "sensitive": [inside[column] for column in limits]}
