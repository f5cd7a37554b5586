"""Publish: a release is filled out of sight, audited there, and only then can it be seen.

Here is what every place has in common: the proof, the certificate, the warnings. Where releases
lie, `publish_duckdb` and `publish_spark` know.
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import duckdb

from ppdt_db.audit import Finding
from ppdt_db.certificate import certificate, digest
from ppdt_db.csv_dialect import CsvWish
from ppdt_db.earlier import Earlier
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.lints import Facts, Lint, find_lints, without_solvable
from ppdt_db.methods.contract import Method, Progress
from ppdt_db.names import Private, Sql
from ppdt_db.newcomers import Applied, Rules
from ppdt_db.policy import Roles
from ppdt_db.prove import Evidence, Prover
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
    figures: Mapping[str, object] = field(default_factory=dict, repr=False)
    """What the method measured of its own work; not all of it may be told to others."""

    def apply(
        self,
        new: Given,
        *,
        into: str | None = None,
        out: str | Path | None = None,
        replace: bool = False,
        pseudonym_key: str | None = None,
        csv: CsvWish = None,
    ) -> Applied:
        """Show new rows as this release would; it must have been made with its rules."""
        if self.rules is None or self.con is None:
            raise RequestError(
                "this release was made without its rules. Ask for them: anonymize(..., rules=True) "
                "or rules=PATH."
            )
        return self.rules.apply(
            self.con,
            new,
            into=into,
            out=out,
            replace=replace,
            pseudonym_key=pseudonym_key,
            csv=csv,
        )


SEVERAL = "several-releases"
# What readers of a live view learn beside it, by whether it is a SECURE VIEW.
READERS = {
    True: "live view: it is a SECURE VIEW. A reader who may run EXPLAIN or a profile learns how "
    "many rows are held back, but nothing of what they hold.",
    False: "live view: it is no SECURE VIEW. A reader's filter runs below the guard: its errors, "
    "and the counts of EXPLAIN ANALYZE, tell of classes that are held back "
    "(accepted: reader-side-channels).",
}


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What the audit of one release gave."""

    certificate: dict[str, object]
    findings: Sequence[Finding]
    lints: Sequence[Lint] = ()


@dataclass(frozen=True, kw_only=True)
class Order:
    """Everything that was asked, and what it was asked of."""

    method: Method
    request: Request
    roles: Roles
    source: Source
    read: Source
    seed: int | None


class Publisher(ABC):
    """Publishes one release."""

    def __init__(self, engine: Engine, order: Order, known_key: str | None) -> None:
        self.engine = engine
        self.method = order.method
        self.request = order.request
        self.roles = order.roles
        self.source = order.source
        self.read = order.read
        self.seed = order.seed
        self.has_key = known_key is not None
        self.is_secure = False
        self.digest_key = Private(known_key or secrets.token_hex(32))
        self.earlier: Sequence[Earlier] = []
        self.figures: Mapping[str, object] = {}
        self.last: Callable[[], Mapping[str, object]] = dict
        self.prover = Prover(
            engine=engine,
            method=order.method,
            roles=order.roles,
            read=order.read,
            digest_key=self.digest_key,
            bounds=order.request.bounds,
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
        return self._publish(parts, run_key, progress)

    @abstractmethod
    def _publish(self, parts: Parts, run_key: str, progress: Progress) -> Release:
        """Show the release at its place, or nothing."""

    @abstractmethod
    def _is_recorded(self) -> bool:
        """Whether the release goes on record."""

    def _released(self, name: str, proof: Proof) -> Release:
        return Release(
            name=name,
            form=self.request.form,
            certificate=proof.certificate,
            warnings=self._warnings(proof),
            figures=self.figures,
        )

    # -- proof ---------------------------------------------------------------------------------

    def _prove(self, relation: Sql, parts: Parts) -> Proof:
        evidence = self.prover.prove(relation, parts)
        measured = {**self.figures, **self.last()}
        figures = without_solvable(measured, evidence.audit.measures)
        lints = self._lints(evidence, parts, is_told=figures == measured)
        made = certificate(
            method=self.method,
            roles=self.roles,
            recodings={label.attribute: label.shape for label in parts.labels},
            audit=evidence.audit,
            figures=figures,
            rows_in=self.rows_in,
            rows_out=evidence.rows_out,
            fingerprints=self._fingerprints(evidence.fingerprint),
            source_title=self.source.title,
            release_title=self.request.title,
            form=self.request.form,
            policy_name=self.request.policy_name,
            kept=evidence.kept,
            lints=lints,
            earlier=self.earlier,
            notes=self._notes(),
            engine=self.engine.versions,
        )
        return Proof(certificate=made, findings=evidence.audit.findings, lints=lints)

    def _lints(self, evidence: Evidence, parts: Parts, *, is_told: bool) -> Sequence[Lint]:
        encoded = parts.encoded
        facts = Facts(
            method=self.method,
            roles=self.roles,
            labels=parts.labels,
            measures=evidence.audit.measures,
            kept=evidence.kept,
            values_per_row={a.name: a.n_codes / encoded.n_rows for a in encoded.attributes},
            left_out=not is_told,
            linked=self.request.links_pseudonyms,
        )
        return find_lints(facts)

    def _fingerprints(self, release: str) -> dict[str, str | None]:
        is_kept = self.has_key or self._is_recorded()
        seed = None if self.seed is None else digest(self.digest_key, "seed", self.seed)
        return {
            "source_fingerprint": self.source_fingerprint,
            "release_fingerprint": release,
            "seed_digest": seed,
            "digest_key": "in the catalog of the database" if is_kept else "not kept",
        }

    def _warnings(self, proof: Proof) -> list[str]:
        warnings = [lint.says for lint in proof.lints if lint.warns]
        if self.earlier and SEVERAL not in self.request.accept:
            told = {earlier.entry.name: earlier.told for earlier in reversed(self.earlier)}
            warnings.append(
                f"this source, or rows of it, were released before ({'; '.join(told.values())}). "
                "Who holds two releases of one source can compare them and may learn more than "
                "either shows. Keep one of them only (`ppdt drop`, or --replace); a job that "
                f"releases again and again says --accept {SEVERAL}."
            )
        return warnings

    def _notes(self) -> list[str]:
        notes = [f"{why} (accepted: {name})" for name, why in self.method.weaker.items()]
        if self.request.live:
            notes.append(
                "live view: each state keeps the guarantee; the difference of two states is not "
                "protected (accepted: state-by-state). Labels are frozen until a refresh."
            )
            notes.append(READERS[self.is_secure])
        if self.source.read_as is not None:
            notes.append(
                f"the source was read as CSV, {self.source.read_as}; its rows were counted in two "
                "ways."
            )
        if self.earlier and SEVERAL in self.request.accept:
            notes.append(f"earlier releases of this source, or of rows of it (accepted: {SEVERAL})")
        if self.roles.kept:
            notes.append("kept columns are released as they are; see their uniqueness.")
        return notes
