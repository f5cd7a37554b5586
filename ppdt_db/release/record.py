"""The record of a run: the key of its digests, and the catalog that keeps it, if there is one."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext

from ppdt_db.audit import Finding
from ppdt_db.engine import DuckEngine, Engine, alone
from ppdt_db.release.catalog import Catalog
from ppdt_db.release.earlier import Earlier, earlier_releases, make_sketch
from ppdt_db.release.request import Request
from ppdt_db.source.fingerprint import Fingerprint, fingerprint
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import Private, normalize_name


class Record:
    """The record of a run that no catalog keeps: its certificate alone."""

    keeps_key = False
    earlier: Sequence[Earlier] = ()
    fingerprint: Fingerprint

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.key = Private(secrets.token_hex(32))

    def identify(self, read: Source) -> None:
        """Take the fingerprint of the source as it was read."""
        self.fingerprint = fingerprint(self.engine, read.relation, read.columns, self.key)


class CatalogRecord(Record):
    """The record of a run in the catalog of the database that holds its release.

    A release in a file is recorded in the current database, if that is a lasting, writable one.
    """

    def __init__(self, engine: DuckEngine, request: Request) -> None:
        super().__init__(engine)
        place = request.path[0] if request.path else engine.database
        self.catalog = Catalog(engine, place)
        self.database, path, is_read_only, _, _, self.kind = next(
            row
            for row in engine.rows("lib/engine/database")
            if normalize_name(str(row[0])) == normalize_name(place)
        )
        self.is_in_file = path is not None
        is_kept = self.kind == "duckdb" and self.is_in_file and not is_read_only and request.record
        self.is_kept = request.into is not None or is_kept
        self.looks_back = request.record
        self.has_key = self._adopt_key()
        # Without a catalog there are no earlier releases to compare with.
        self.has_sketch = request.record and self.keeps_key
        self.duck = engine

    @property
    def keeps_key(self) -> bool:  # type: ignore[override]
        """Return whether the catalog has the key of the digests, or will have it."""
        return self.has_key or self.is_kept

    def identify(self, read: Source) -> None:
        """Take the fingerprint of the source, and the sketch that recognizes its rows later."""
        super().identify(read)
        if self.has_sketch:
            make_sketch(self.duck, read, self.key, self.fingerprint.n_rows)

    @contextmanager
    def held(self, source: Source, read: Source) -> Iterator[None]:
        """Keep other runs of this process out of the catalog; look for earlier releases first."""
        with alone(self.catalog.place) if self.is_kept else nullcontext():
            self._look_back(source, read)
            yield

    def _look_back(self, source: Source, read: Source) -> None:
        self.catalog.look_again()
        if self._adopt_key():
            self.has_key = True
            self.identify(read)
        if self.looks_back:
            digest = self.fingerprint.digest
            self.earlier = earlier_releases(
                self.catalog, source, digest, has_sketch=self.has_sketch
            )

    def _adopt_key(self) -> bool:
        """Use the key of the catalog; return whether it was another one than before."""
        key = self.catalog.digest_key() if self.catalog.exists() else None
        if key is None or key == self.key:
            return False
        self.key = Private(key)
        return True

    def prepare(self) -> None:
        """Create the catalog, or bring it up to date."""
        is_new = not self.catalog.exists()
        self.catalog.migrate(digest_key=self.key)
        self.has_key = self.has_key or is_new

    def write(
        self, run: Mapping[str, object], release: Mapping[str, object], findings: Sequence[Finding]
    ) -> None:
        """Write the run and its release into the catalog."""
        results = [
            {"name": f.name, "required": f.required, "measured": f.measured, "is_passed": f.passed}
            for f in findings
        ]
        self.catalog.record(run, release, results)
        if self.has_sketch:
            self.catalog.keep_sketch(int(str(run["run_id"])))
