"""Publish in DuckDB: a view of the database or a file, with its record in the catalog."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from ppdt_db import recode
from ppdt_db.catalog import Catalog
from ppdt_db.earlier import earlier_releases, make_sketch
from ppdt_db.engine import DuckEngine, alone
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.json_text import as_json
from ppdt_db.methods.contract import Progress
from ppdt_db.names import Private, fold, ident, spelled
from ppdt_db.publish import Order, Proof, Publisher, Release
from ppdt_db.recode import Parts, why_not_secure
from ppdt_db.whole_file import beside, in_place


class DuckPublisher(Publisher):
    """Publishes one release in a database, or from one into a file."""

    def __init__(self, engine: DuckEngine, order: Order) -> None:
        self.duck = engine
        # A release is on record in the database where it stands; a file's in the current one.
        place = order.request.path[0] if order.request.path else engine.database
        self.catalog = Catalog(engine, place)
        self.database = next(
            r for r in engine.rows("engine/database") if fold(str(r[0])) == fold(place)
        )
        key = self.catalog.digest_key() if self.catalog.exists() else None
        super().__init__(engine, order, key)
        self.is_secure = why_not_secure(engine, place) is None
        # Without a catalog there is nothing to compare with, and nothing that would be compared.
        self.has_sketch = order.request.record and (self.has_key or self._is_recorded())

    def fingerprint_source(self) -> None:
        """Digest the source as it was read, and the rows by which it is known again."""
        super().fingerprint_source()
        if self.has_sketch:
            make_sketch(self.duck, self.read, self.digest_key, self.rows_in)

    def _publish(self, parts: Parts, run_key: str, progress: Progress) -> Release:
        """Show the release at its place, or nothing."""
        # Runs on other cursors write the same record: one after the other, each whole.
        with alone(self.catalog.place) if self._is_recorded() else nullcontext():
            self._adopt_key()
            if self.request.record:
                self.earlier = earlier_releases(
                    self.catalog, self.source, self.source_fingerprint, has_sketch=self.has_sketch
                )
            if self.request.file is not None:
                return self._to_file(self.request.file, parts, run_key, progress)
            assert self.request.into is not None
            return self._inside(self.request.into, parts, run_key, progress)

    def _adopt_key(self) -> None:
        """Take the key of a catalog that another run has made since this one began."""
        key = self.catalog.digest_key() if self.catalog.exists() else None
        if key is None or key == self.digest_key:
            return
        self.digest_key, self.has_key = Private(key), True
        self.prover = replace(self.prover, digest_key=self.digest_key)
        self.fingerprint_source()

    # -- places --------------------------------------------------------------------------------

    def _inside(self, name: str, parts: Parts, run_key: str, progress: Progress) -> Release:
        engine, path, database = self.duck, self.request.path, self.catalog.database
        with engine.transaction():
            is_first = not self.catalog.has_schema()
            self.catalog.make_schema()
            run_id = self.catalog.next_run()
            old = self.catalog.standing(path)
            if old is not None and not self.request.replace:
                raise RequestError(
                    f'--into "{name}": a release of this name was made meanwhile. Add --replace, '
                    "or take another name."
                )
            with self._undone(run_id, is_first=is_first):
                hidden = (
                    recode.make_live(
                        engine,
                        parts,
                        (database, run_id),
                        self._live_guard(parts),
                        secure=self.is_secure,
                    )
                    if self.request.live
                    else recode.make_snapshot(engine, parts, database, run_id)
                )
                progress("audit", 0.0)
                proof = self._prove(ident(hidden.relation), parts)
            self._prepare_catalog()
            recode.show(engine, hidden, path, replace=old is not None)
            if old is not None:
                recode.drop_parts(engine, database, old.run_id)
                self.catalog.end(old)
            known_as = spelled(path[-1:] if fold(path[1]) == "main" else path[1:])
            self._record(run_id, known_as, spelled(path[1:]), run_key, proof)
        return self._released(name, proof)

    @contextmanager
    def _undone(self, run_id: int, *, is_first: bool) -> Iterator[None]:
        """Drop what a run made, should it end here inside a transaction of the caller's."""
        try:
            yield
        except BaseException:
            if self.duck.is_inside_transaction:
                # Where the transaction is aborted, its roll-back drops everything.
                with suppress(EngineError):
                    recode.drop_parts(self.duck, self.catalog.database, run_id)
                    if is_first:
                        self.catalog.drop_schema()
            raise

    def _to_file(self, path: Path, parts: Parts, run_key: str, progress: Progress) -> Release:
        form = recode.form_of(path)
        try:
            with beside(path) as part:
                with recode.written(self.duck, parts, part, form, path.stem) as relation:
                    progress("audit", 0.0)
                    proof = self._prove(relation, parts)
                is_over = self.request.replace
                with in_place(part, path, replace=is_over), self.duck.transaction():
                    if self._is_recorded():
                        self._prepare_catalog()
                        run_id = self.catalog.next_run()
                        self._record(run_id, path.name, str(path.absolute()), run_key, proof)
        except OSError as error:
            raise EngineError(
                f"{path} cannot be written: {error.strerror}. Nothing was released."
            ) from None
        return self._released(path.name, proof)

    # -- record --------------------------------------------------------------------------------

    def _is_recorded(self) -> bool:
        """A file's release is recorded where there is a database that stays and can be written."""
        _, path, is_read_only, _, _, kind = self.database
        is_kept = kind == "duckdb" and path is not None and not is_read_only and self.request.record
        return self.request.into is not None or is_kept

    def _prepare_catalog(self) -> None:
        is_new = not self.catalog.exists()
        self.catalog.migrate(digest_key=self.digest_key)
        self.has_key = self.has_key or is_new

    def _record(self, run_id: int, name: str, place: str, run_key: str, proof: Proof) -> None:
        run = {
            "run_id": run_id,
            "source": self.source.title,
            "source_fingerprint": self.source_fingerprint,
            "method": self.method.name,
            "policy": as_json({"policy": proof.certificate["policy"]}),
            "run_key": run_key,
        }
        release = {
            "run_id": run_id,
            "name": name,
            "form": self.request.form,
            "place": place,
            "certificate": as_json(proof.certificate),
        }
        findings = [
            {"name": f.name, "required": f.required, "measured": f.measured, "is_passed": f.passed}
            for f in proof.findings
        ]
        self.catalog.record(run, release, findings)
        if self.has_sketch:
            self.catalog.keep_sketch(run_id)

    def _warnings(self, proof: Proof) -> list[str]:
        warnings = super()._warnings(proof)
        name, path, *_, kind = self.database
        if self.request.form == "file" and not self._is_recorded() and path is not None:
            why = "is read-only" if kind == "duckdb" else f"is one of {kind}"
            warnings.append(
                f"the database {name} {why}: the release is not on record. Leave out --read-only, "
                "or name a DuckDB file with --db, to have it there."
            )
        return warnings

    # -- live ----------------------------------------------------------------------------------

    def _live_guard(self, parts: Parts) -> dict[str, object]:
        inside = parts.encoded.released
        limits = self.roles.sensitive if self.method.guard.l > 1 else ()
        return {
            "k": self.method.guard.k,
            "l": self.method.guard.l,
            "sensitive": [inside[column] for column in limits],
        }
