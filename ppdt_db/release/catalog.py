"""The catalog: schema `ppdt` of a database, with its runs, its releases and its digest key.

It is private. Migrations run forward only, each once, checked by their checksums; a new database
gets them on first use, an older catalog only when `migrate` is called.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Row
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.source.connection import check_connection
from ppdt_db.source.foreign import Tables, objects_beside_macros, table_faults
from ppdt_db.sqltext.quoting import Private, did_you_mean, join_path, normalize_name, parts_of
from ppdt_db.sqltext.templates import folder

SCHEMA = "ppdt"
# The tables that the migrations create; only a schema of exactly these is read or written.
TABLES: Tables = {
    "migration": [
        ("number", ["INTEGER"]), ("name", ["VARCHAR"]), ("checksum", ["VARCHAR"]),
        ("applied_at", ["TIMESTAMP"]),
    ],
    "secret": [("name", ["VARCHAR"]), ("value", ["VARCHAR"])],
    "run": [
        ("run_id", ["INTEGER"]), ("ended_at", ["TIMESTAMP"]), ("source", ["VARCHAR"]),
        ("source_fingerprint", ["VARCHAR"]), ("method", ["VARCHAR"]), ("policy", ["VARCHAR"]),
        ("run_key", ["VARCHAR"]),
    ],
    "release": [
        ("run_id", ["INTEGER"]), ("name", ["VARCHAR"]), ("form", ["VARCHAR"]),
        ("place", ["VARCHAR"]), ("created_at", ["TIMESTAMP"]), ("certificate", ["VARCHAR"]),
        ("ended_at", ["TIMESTAMP"]),
    ],
    "class": [("run_id", ["INTEGER"]), ("n_rows", ["BIGINT"]), ("n_classes", ["BIGINT"])],
    "finding": [
        ("run_id", ["INTEGER"]), ("name", ["VARCHAR"]), ("required", ["DOUBLE"]),
        ("measured", ["DOUBLE"]), ("is_passed", ["BOOLEAN"]),
    ],
    "source_row": [("run_id", ["INTEGER"]), ("row_digest", ["BIGINT"]), ("reach", ["BIGINT"])],
}  # fmt: skip

LATER = ("source_row",)


@dataclass(frozen=True, kw_only=True)
class CatalogEntry:
    """A release in the catalog."""

    run_id: int
    name: str
    form: str
    place: str
    created_at: datetime
    ended_at: datetime | None
    source: str
    source_fingerprint: str
    method: str
    certificate: Mapping[str, object]

    @property
    def stands(self) -> bool:
        """Return whether the release was neither dropped nor replaced."""
        return self.ended_at is None

    @property
    def view(self) -> tuple[str, ...]:
        """The schema and the name of its view in the database."""
        path = parts_of(self.place)
        return path if len(path) == 2 else ("main", *path)


@dataclass(frozen=True, kw_only=True)
class _Migration:
    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def _migrations() -> list[_Migration]:
    def read(path: Path) -> _Migration:
        number, _, name = path.stem.partition("_")
        return _Migration(number=int(number), name=name, text=path.read_text("utf-8"))

    return [read(path) for path in sorted(folder("migrations").glob("*.sql"))]


class Catalog:
    """The catalog of a database: the one named, or the engine's current one."""

    def __init__(self, engine: DuckEngine, database: str | None = None) -> None:
        self.engine = engine
        self.database = engine.database if database is None else database
        self.schema = (self.database, SCHEMA)
        self._is_known: bool | None = None

    @property
    def place(self) -> str:
        """The location of the catalog, the same for every run: a file, or a name in memory."""
        rows = self.engine.rows("lib/engine/database")
        path = next(
            (
                row[1]
                for row in rows
                if normalize_name(str(row[0])) == normalize_name(self.database)
            ),
            None,
        )
        return (
            f":memory:{normalize_name(self.database)}"
            if path is None
            else str(Path(str(path)).resolve())
        )

    def exists(self) -> bool:
        """Return whether the database has a catalog; raise if its schema only looks like one."""
        if self._is_known is None:
            check_connection(self.engine)
            has_schema = self.has_schema()
            objects = objects_beside_macros(self.engine, self.database) if has_schema else []
            named = {each.name for each in objects if each.schema == SCHEMA} & TABLES.keys()
            # A table missing from an older catalog is created by its migration.
            wanted = {n: TABLES[n] for n in TABLES if n in named or n not in LATER}
            if faults := table_faults(objects, SCHEMA, wanted) if named else []:
                raise RequestError(
                    f'schema "{SCHEMA}" of this database is not a ppdt catalog: '
                    f"{', '.join(faults)}. Nothing was read from it. Copy the data into another "
                    "database without that schema."
                )
            self._is_known = bool(named)
        return self._is_known

    def look_again(self) -> None:
        """Forget whether the catalog exists: another run may have created it since."""
        self._is_known = None

    def has_schema(self) -> bool:
        """Return whether a schema of that name exists, whatever it contains."""
        rows = self.engine.rows("lib/engine/schemas")
        return any(row[0] == self.database and row[1] == SCHEMA for row in rows)

    def make_schema(self) -> None:
        """Create the schema of the catalog if it does not exist."""
        self.engine.run("lib/engine/make_schema", {"name": self.schema})

    def drop_schema(self) -> None:
        """Drop a schema that is empty."""
        self.engine.run("lib/engine/drop_schema", {"name": self.schema})

    def missing(self) -> list[str]:
        """Return the migrations not applied yet; raise if the catalog is newer than this ppdt."""
        known = {migration.number: migration for migration in _migrations()}
        rows = self.rows("lib/catalog/applied") if self.exists() else []
        seen = {row[0]: row[1] for row in rows}
        if unknown := [number for number in seen if number not in known]:
            raise RequestError(
                f"the catalog is newer than this ppdt (unknown migration {unknown[0]}). Upgrade "
                "ppdt-db."
            )
        for number, checksum in seen.items():
            assert isinstance(number, int)
            if known[number].checksum != checksum:
                raise EngineError(
                    f"migration {number} of the catalog differs from the one in this ppdt. "
                    "Restore the catalog, or use the ppdt that created it."
                )
        return [f"{m.number:04d}_{m.name}" for m in known.values() if m.number not in seen]

    def check(self) -> None:
        """Raise if an existing catalog needs migrations."""
        if self.exists() and (missing := self.missing()):
            raise RequestError(
                "the catalog is older than this ppdt (missing migrations: "
                f"{', '.join(missing)}). Run `ppdt migrate --db FILE` first."
            )

    def migrate(self, *, digest_key: str | None = None) -> list[str]:
        """Apply the missing migrations and return their names. Call it inside a transaction."""
        missing = self.missing()
        for migration in _migrations():
            name = f"{migration.number:04d}_{migration.name}"
            if name in missing:
                with self.engine.inside(self.database):
                    self.engine.script(migration.text, f"migration {name}")
                params = {
                    "number": migration.number,
                    "name": migration.name,
                    "checksum": migration.checksum,
                }
                self._append("migration", params)
        self._is_known = True
        if "0001_catalog" in missing:
            key = Private(digest_key or secrets.token_hex(32))
            self._append("secret", {"digest_key": key})
        return missing

    def digest_key(self) -> str:
        """Return the key of the digests in this catalog's certificates."""
        return str(self.rows("lib/catalog/digest_key")[0][0])

    def next_run(self) -> int:
        """Return the number for a new run."""
        return int(str(self.rows("lib/catalog/next_run")[0][0])) if self.exists() else 1

    def releases(self) -> list[CatalogEntry]:
        """Return every release in the catalog, newest first."""
        if not self.exists():
            return []
        entries: list[CatalogEntry] = []
        for row in self.rows("lib/catalog/releases"):
            run_id, name, form, place, created, ended, source, fingerprint, method, text = row
            assert isinstance(run_id, int) and isinstance(created, datetime)
            entries.append(
                CatalogEntry(
                    run_id=run_id,
                    name=str(name),
                    form=str(form),
                    place=str(place),
                    created_at=created,
                    ended_at=ended if isinstance(ended, datetime) else None,
                    source=str(source),
                    source_fingerprint=str(fingerprint),
                    method=str(method),
                    certificate=json.loads(str(text)),
                )
            )
        return entries

    def standing(self, path: Sequence[str]) -> CatalogEntry | None:
        """Return the current release of a full name, or None."""
        wanted = [*map(normalize_name, path)][-2:]
        inside = [e for e in self.releases() if e.stands and e.form in ("snapshot", "live")]
        return next((e for e in inside if [*map(normalize_name, e.view)] == wanted), None)

    def find(self, name: str, path: Sequence[str]) -> CatalogEntry:
        """Return the current release of a full name; raise if there is none."""
        entry = self.standing(path)
        if entry is None:
            stand = [e for e in self.releases() if e.stands]
            if any(e.form == "file" and e.name == Path(name).name for e in stand):
                raise RequestError(
                    f'the release "{name}" is a file, not a view in the database. Delete the '
                    "file itself; its record stays in the catalog."
                )
            names = {e.name for e in stand if e.form != "file"}
            meant = (
                ""
                if join_path(path) == name
                else f" On this connection the name means {join_path(path)}."
            )
            raise RequestError(
                f'there is no release "{name}" in this database.{meant}{did_you_mean(name, names)}'
            )
        return entry

    def rows(self, step: str) -> list[Row]:
        """Return the rows of a step that reads tables of this catalog."""
        return self.engine.rows(step, names={"schema": self.schema})

    def _append(self, table: str, params: Mapping[str, object]) -> None:
        self.engine.append(f"lib/catalog/{table}", (*self.schema, table), params)

    def record(
        self,
        run: Mapping[str, object],
        release: Mapping[str, object],
        findings: Sequence[Mapping[str, object]],
    ) -> None:
        """Record a run, its release and the audit's findings."""
        self._append("run", run)
        for table in ("release", "class"):
            self._append(table, release)
        for finding in findings:
            self._append("finding", {**release, **finding})

    def keep_sketch(self, run_id: int) -> None:
        """Store the digests by which the source's rows are recognized in later runs."""
        self._append("source_row", {"run_id": run_id})

    def end(self, entry: CatalogEntry) -> None:
        """Mark a release as removed."""
        names = {"schema": self.schema}
        self.engine.run("lib/engine/end_release", names, {"run_id": entry.run_id})
