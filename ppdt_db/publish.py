"""Publish: fill the place that was asked for out of sight, audit it there, then let it be seen."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import duckdb

from ppdt_db import recode
from ppdt_db.audit import Finding
from ppdt_db.catalog import SCHEMA, Catalog, Entry
from ppdt_db.certificate import certificate, digest
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.json_text import as_json
from ppdt_db.methods.contract import Method, Progress
from ppdt_db.names import Private, Sql, ident, view_path
from ppdt_db.newcomers import Applied, Rules
from ppdt_db.policy import Roles
from ppdt_db.prove import Prover
from ppdt_db.recode import Parts
from ppdt_db.request import Request
from ppdt_db.source import Given, Source


@dataclass(frozen=True, kw_only=True)
class Release:
    """What was published, with its record."""

    name: str
    form: Literal["snapshot", "live", "file"]
    certificate: Mapping[str, object]
    warnings: Sequence[str]
    rules: Rules | None = field(default=None, repr=False)
    con: duckdb.DuckDBPyConnection | None = field(default=None, repr=False)

    def apply(
        self,
        new: Given,
        *,
        into: str | None = None,
        out: str | Path | None = None,
        replace: bool = False,
        pseudonym_key: str | None = None,
    ) -> Applied:
        """Show new rows as this release would; it must have been made with its rules."""
        if self.rules is None or self.con is None:
            raise RequestError(
                "this release was made without its rules. Ask for them: anonymize(..., rules=True) "
                "or rules=PATH."
            )
        return self.rules.apply(
            self.con, new, into=into, out=out, replace=replace, pseudonym_key=pseudonym_key
        )


NEARLY_UNIQUE = 0.5


@dataclass(frozen=True, kw_only=True)
class _Proof:
    """What the audit of one release gave."""

    certificate: dict[str, object]
    findings: Sequence[Finding]


class Publisher:
    """Publishes one release."""

    def __init__(
        self,
        engine: DuckEngine,
        method: Method,
        request: Request,
        roles: Roles,
        source: Source,
        read: Source,
        seed: int | None,
    ) -> None:
        self.engine = engine
        self.method = method
        self.request = request
        self.roles = roles
        self.source = source
        self.read = read
        self.seed = seed
        self.catalog = Catalog(engine)
        self.database = next(row for row in engine.rows("engine/database") if row[4])
        self.has_key = self.catalog.exists()
        key = self.catalog.digest_key() if self.has_key else secrets.token_hex(32)
        self.digest_key = Private(key)
        self.prover = Prover(
            engine=engine,
            method=method,
            roles=roles,
            read=read,
            digest_key=self.digest_key,
            has_types=request.file_form != "csv",
        )
        self.source_fingerprint = ""
        self.rows_in = 0

    def fingerprint_source(self) -> None:
        """Digest the source as it was read."""
        self.rows_in, self.source_fingerprint = self.prover.fingerprint(
            self.read.relation, self.read.columns
        )

    def publish(
        self,
        parts: Parts,
        run_key: str,
        progress: Progress,
        figures: Mapping[str, object],
        last: Callable[[], Mapping[str, object]] = dict,
    ) -> Release:
        """Show the release at its place, or nothing; `last` gives what only the end can tell."""
        self.figures = figures
        self.last = last
        self.earlier = self._earlier()
        if self.request.out is not None:
            return self._to_file(self.request.out, parts, run_key, progress)
        assert self.request.into is not None
        return self._inside(self.request.into, parts, run_key, progress)

    # -- places --------------------------------------------------------------------------------

    def _inside(self, name: str, parts: Parts, run_key: str, progress: Progress) -> Release:
        engine, view = self.engine, view_path(name)
        with engine.transaction():
            is_first = not self.catalog.has_schema()
            engine.run("engine/make_schema", {"name": SCHEMA})
            run_id = self.catalog.next_run()
            old = self.catalog.standing(name)
            with self._undone(run_id, is_first=is_first):
                hidden = (
                    recode.make_live(
                        engine,
                        parts,
                        run_id,
                        self._live_guard(parts),
                        secure=self._has_secure_views(),
                    )
                    if self.request.live
                    else recode.make_snapshot(engine, parts, run_id)
                )
                progress("audit", 0.0)
                proof = self._prove(ident(hidden.relation), parts)
            self._prepare_catalog()
            recode.show(engine, hidden, view, replace=old is not None)
            if old is not None:
                recode.drop_parts(engine, old.run_id, None)
                self.catalog.end(old)
            self._record(run_id, name, name, run_key, proof)
        return self._released(name, proof)

    @contextmanager
    def _undone(self, run_id: int, *, is_first: bool) -> Iterator[None]:
        """Drop what a run made, should it end here inside a transaction of the caller's."""
        try:
            yield
        except BaseException:
            if self.engine.is_inside_transaction:
                # Where the transaction is aborted, its roll-back drops everything.
                with suppress(EngineError):
                    recode.drop_parts(self.engine, run_id, None)
                    if is_first:
                        self.engine.run("engine/drop_schema", {"name": SCHEMA})
            raise

    def _to_file(self, path: Path, parts: Parts, run_key: str, progress: Progress) -> Release:
        form = recode.form_of(path)
        try:
            with recode.beside(path) as part:
                with recode.written(self.engine, parts, part, form, path.stem) as relation:
                    progress("audit", 0.0)
                    proof = self._prove(relation, parts)
                with self.engine.transaction():
                    if self._is_recorded():
                        self._prepare_catalog()
                        run_id = self.catalog.next_run()
                        self._record(run_id, path.name, str(path.absolute()), run_key, proof)
                    part.replace(path)
        except OSError as error:
            raise EngineError(
                f"{path} cannot be written: {error.strerror}. Nothing was released."
            ) from None
        return self._released(path.name, proof)

    def _released(self, name: str, proof: _Proof) -> Release:
        return Release(
            name=name,
            form=self.request.form,
            certificate=proof.certificate,
            warnings=self._warnings(proof.certificate),
        )

    # -- proof ---------------------------------------------------------------------------------

    def _prove(self, relation: Sql, parts: Parts) -> _Proof:
        evidence = self.prover.prove(relation, parts)
        made = certificate(
            method=self.method,
            roles=self.roles,
            recodings={label.attribute: label.shape for label in parts.labels},
            audit=evidence.audit,
            figures={**self.figures, **self.last()},
            rows_in=self.rows_in,
            rows_out=evidence.rows_out,
            fingerprints=self._fingerprints(evidence.fingerprint),
            source_title=self.source.title,
            form=self.request.form,
            kept_unique=evidence.kept_uniqueness,
            earlier=[entry.name for entry in self.earlier],
            notes=self._notes(),
        )
        return _Proof(certificate=made, findings=evidence.audit.findings)

    def _fingerprints(self, release: str) -> dict[str, str | None]:
        is_kept = self.has_key or self._is_recorded()
        seed = None if self.seed is None else digest(self.digest_key, "seed", self.seed)
        return {
            "source_fingerprint": self.source_fingerprint,
            "release_fingerprint": release,
            "seed_digest": seed,
            "digest_key": "in the catalog of the database" if is_kept else "not kept",
        }

    # -- record --------------------------------------------------------------------------------

    def _is_recorded(self) -> bool:
        """A file's release is recorded where there is a database that stays and can be written."""
        _, path, is_read_only, *_ = self.database
        is_kept = path is not None and not is_read_only and self.request.record
        return self.request.into is not None or is_kept

    def _prepare_catalog(self) -> None:
        is_new = not self.catalog.exists()
        self.catalog.migrate(digest_key=self.digest_key)
        self.has_key = self.has_key or is_new

    def _record(self, run_id: int, name: str, place: str, run_key: str, proof: _Proof) -> None:
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

    def _earlier(self) -> list[Entry]:
        """Releases of the same source that are out, other than the one that is replaced."""
        return [
            entry
            for entry in self.catalog.releases()
            if entry.source_fingerprint == self.source_fingerprint
            or entry.source == self.source.title
        ]

    def _warnings(self, made: Mapping[str, object]) -> list[str]:
        warnings: list[str] = []
        uniqueness = made["kept_columns_uniqueness"]
        assert isinstance(uniqueness, dict)
        measures = made["measures"]
        assert isinstance(measures, dict)
        warnings += [
            f'in some class all rows share one value of "{column}": whoever finds the class of a '
            "person learns it. Ask for different values with --l 2."
            for column, of_column in measures["sensitive"].items()
            if of_column["distinct_l"] == 1
        ]
        if made["gcp"] == 1:
            warnings.append(
                "the release tells nothing of the quasi-identifiers: everything in them is lost. "
                "Ask for less, or choose others."
            )
        for column in self.roles.kept:
            if uniqueness[column] >= NEARLY_UNIQUE:
                warnings.append(
                    f'the kept column "{column}" has {100 * uniqueness[column]:.0f} different '
                    "values in 100 rows: it may identify people on its own."
                )
        if self.earlier:
            listed = ", ".join(dict.fromkeys(entry.name for entry in self.earlier))
            warnings.append(
                f"this source was released before ({listed}). Who holds two releases of one source "
                "can compare them and may learn more than either shows."
            )
        if self.request.form == "file" and not self._is_recorded() and self.database[1] is not None:
            warnings.append("the database is open for reading only: the release is not on record.")
        return warnings

    def _notes(self) -> list[str]:
        notes = [f"{why} (accepted: {name})" for name, why in self.method.weaker.items()]
        if self.request.live:
            notes.append(
                "live view: each state keeps the guarantee; the difference of two states is not "
                "protected (accepted: state-by-state). Labels are frozen until a refresh."
            )
        if self.roles.kept:
            notes.append("kept columns are released as they are; see their uniqueness.")
        return notes

    # -- live ----------------------------------------------------------------------------------

    def _live_guard(self, parts: Parts) -> dict[str, object]:
        inside = parts.encoded.released
        limits = self.roles.sensitive if self.method.guard.l > 1 else ()
        return {
            "k": self.method.guard.k,
            "l": self.method.guard.l,
            "sensitive": [inside[column] for column in limits],
        }

    def _has_secure_views(self) -> bool:
        """Secure views need DuckDB 2, and a file that no older version is meant to read."""
        is_new_engine = int(duckdb.__version__.partition(".")[0]) >= 2
        made_for = str(self.database[3]).removeprefix("v").partition(".")[0]
        is_new_file = made_for.isdigit() and int(made_for) >= 2
        return is_new_engine and (self.database[1] is None or is_new_file)
