"""The catalog: schema `ppdt` of a database, with its runs, its releases and the key of its digests.

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

from ppdt_db.connection import check_connection
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Row
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.foreign import Tables, table_faults, things_of
from ppdt_db.names import Private, fold, nearest, parts_of, spelled
from ppdt_db.template import folder

SCHEMA = "ppdt"
# What migrations make, and nothing that only looks like it, is read and written to.
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
class Entry:
    """A release on record."""

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
        """Whether it was neither dropped nor replaced."""
        return self.ended_at is None

    @property
    def view(self) -> tuple[str, ...]:
        """The schema and the name under which it stands in its database."""
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
    """The catalog of a database: of the one that is named, or of the engine's current one."""

    def __init__(self, engine: DuckEngine, database: str | None = None) -> None:
        self.engine = engine
        self.database = engine.database if database is None else database
        self.schema = (self.database, SCHEMA)
        self._is_known = False

    @property
    def place(self) -> str:
        """Where it lies, for all runs that write it: its file, or its name in memory."""
        rows = self.engine.rows("engine/database")
        path = next((row[1] for row in rows if fold(str(row[0])) == fold(self.database)), None)
        return f":memory:{fold(self.database)}" if path is None else str(Path(str(path)).resolve())

    def exists(self) -> bool:
        """Whether the database has a catalog of ours; refuses what only looks like one."""
        if not self._is_known:
            check_connection(self.engine)
            things = things_of(self.engine, self.database)
            named = {thing.name for thing in things if thing.schema == SCHEMA} & TABLES.keys()
            # A table that an older catalog lacks is made by its migration.
            wanted = {n: TABLES[n] for n in TABLES if n in named or n not in LATER}
            if faults := table_faults(things, SCHEMA, wanted) if named else []:
                raise RequestError(
                    f'schema "{SCHEMA}" of this database is not a catalog of ours: '
                    f"{', '.join(faults)}. Nothing was read from it. Copy the data into another "
                    "database without that schema."
                )
            self._is_known = bool(named)
        return self._is_known

    def has_schema(self) -> bool:
        """Whether a schema of that name exists, with whatever in it."""
        rows = self.engine.rows("engine/schemas")
        return any(row[0] == self.database and row[1] == SCHEMA for row in rows)

    def make_schema(self) -> None:
        """The schema of the catalog, where it is not there yet."""
        self.engine.run("engine/make_schema", {"name": self.schema})

    def drop_schema(self) -> None:
        """Remove a schema that holds nothing."""
        self.engine.run("engine/drop_schema", {"name": self.schema})

    def missing(self) -> list[str]:
        """The migrations that this catalog has not seen; raises if it knows more than we do."""
        known = {migration.number: migration for migration in _migrations()}
        rows = self.rows("catalog/applied") if self.exists() else []
        seen = {row[0]: row[1] for row in rows}
        if unknown := [number for number in seen if number not in known]:
            raise RequestError(
                f"the catalog is newer than this ppdt (migration {unknown[0]} is unknown here). "
                "Upgrade ppdt-db."
            )
        for number, checksum in seen.items():
            assert isinstance(number, int)
            if known[number].checksum != checksum:
                raise EngineError(
                    f"migration {number} of the catalog differs from the one in this ppdt. "
                    "Restore the catalog, or use the ppdt that made it."
                )
        return [f"{m.number:04d}_{m.name}" for m in known.values() if m.number not in seen]

    def check(self) -> None:
        """Raise when an existing catalog waits for its migrations."""
        if self.exists() and (missing := self.missing()):
            raise RequestError(
                f"the catalog is older than this ppdt: {', '.join(missing)} missing. "
                "Run `ppdt migrate --db FILE` first."
            )

    def migrate(self, *, digest_key: str | None = None) -> list[str]:
        """Apply what is missing; returns its names. Call it inside a transaction."""
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
        if "0001_catalog" in missing:
            key = Private(digest_key or secrets.token_hex(32))
            self._append("secret", {"digest_key": key})
        return missing

    def digest_key(self) -> str:
        """The key under which this catalog's certificates are digested."""
        return str(self.rows("catalog/digest_key")[0][0])

    def next_run(self) -> int:
        """The number for a run that begins."""
        return int(str(self.rows("catalog/next_run")[0][0])) if self.exists() else 1

    def releases(self) -> list[Entry]:
        """All releases on record, newest first."""
        if not self.exists():
            return []
        entries: list[Entry] = []
        for row in self.rows("catalog/releases"):
            run_id, name, form, place, created, ended, source, fingerprint, method, text = row
            assert isinstance(run_id, int) and isinstance(created, datetime)
            entries.append(
                Entry(
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

    def standing(self, path: Sequence[str]) -> Entry | None:
        """The release that stands under a full name, if there is one."""
        wanted = [*map(fold, path)][-2:]
        inside = [e for e in self.releases() if e.stands and e.form in ("snapshot", "live")]
        return next((e for e in inside if [*map(fold, e.view)] == wanted), None)

    def find(self, name: str, path: Sequence[str]) -> Entry:
        """The release that stands under a full name, or an error with the nearest one."""
        entry = self.standing(path)
        if entry is None:
            stand = [e for e in self.releases() if e.stands]
            if any(e.form == "file" and e.name == Path(name).name for e in stand):
                raise RequestError(
                    f'the release "{name}" is a file, and not in the database. Remove the file '
                    "itself; what is on record of it stays."
                )
            names = {e.name for e in stand if e.form != "file"}
            meant = (
                "" if spelled(path) == name else f" It means {spelled(path)} on this connection."
            )
            raise RequestError(f'there is no release "{name}" here.{meant}{nearest(name, names)}')
        return entry

    def rows(self, step: str) -> list[Row]:
        """Return the rows of a step that reads the tables of this catalog."""
        return self.engine.rows(step, names={"schema": self.schema})

    def _append(self, table: str, params: Mapping[str, object]) -> None:
        self.engine.append(f"catalog/{table}", (*self.schema, table), params)

    def record(
        self,
        run: Mapping[str, object],
        release: Mapping[str, object],
        findings: Sequence[Mapping[str, object]],
    ) -> None:
        """Write down a run with its release and the audit's findings."""
        self._append("run", run)
        for table in ("release", "class"):
            self._append(table, release)
        for finding in findings:
            self._append("finding", {**release, **finding})

    def keep_sketch(self, run_id: int) -> None:
        """Keep the digests by which the source's rows are known again."""
        self._append("source_row", {"run_id": run_id})

    def end(self, entry: Entry) -> None:
        """Note that a release is gone."""
        names = {"schema": self.schema}
        self.engine.run("engine/end_release", names, {"run_id": entry.run_id})
