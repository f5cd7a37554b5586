"""The subject of a report: a recorded release, or a file with its certificate."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ppdt_db.engine import DuckEngine, lent
from ppdt_db.errors import RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.recodings import RECODINGS
from ppdt_db.release.catalog import SCHEMA, Catalog, CatalogEntry
from ppdt_db.source.connection import check_connection
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.resolve import table_of
from ppdt_db.source.source import opened
from ppdt_db.sqltext.json_text import from_json
from ppdt_db.sqltext.quoting import Sql, ident, normalize_name, parts_of

FILE = "ppdt_reported"
DATABASE = ".duckdb"
# The parts of a certificate that a page shows; without one of them it is not a certificate.
PARTS: Mapping[str, type] = {
    "guarantee": str, "method": str, "created_at": str, "source": str, "parameters": dict,
    "policy": dict, "measures": dict, "findings": list, "notes": list, "k_counts": str,
    "kept_columns_uniqueness": dict, "rows_out": int, "k_measured": int,
}  # fmt: skip

FINDING = {"name", "required", "measured", "passed"}


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A release that can be read, with its record and its classes by size."""

    entry: CatalogEntry
    relation: Sql
    columns: Mapping[str, str]
    sizes: Sequence[tuple[int, int]]


@contextmanager
def reported(
    engine: DuckEngine, name: str, certificate: str | Path | None, csv: CsvOptions = None
) -> Iterator[Reported]:
    """Yield the release of a name, readable until the block ends."""
    check_connection(engine)
    path = _path_of(engine, name)
    entry = (
        _recorded_entry(engine, name, path)
        if certificate is None
        else _file_entry(name, certificate)
    )
    if entry.form != "file":
        schema = {"schema": (path[0], SCHEMA)}
        rows = engine.rows("tools/report/class_size", {"run_id": entry.run_id}, schema)
        yield _reported(engine, entry, ident(path), rows)
        return
    with _opened_file(engine, Path(entry.place), csv) as relation:
        columns = dict(engine.describe(relation))
        quasi = _released_quasi(entry)
        raise_all(
            [
                (
                    f'{entry.name}: it has no column "{column}", which its certificate names. Pass '
                    "the certificate of this file."
                )
                for column in quasi
                if normalize_name(column) not in map(normalize_name, columns)
            ]
        )
        names = {"release": relation, "columns": quasi}
        found = _reported(
            engine, entry, relation, engine.rows("tools/report/file_class_size", names=names)
        )
        raise_all(_mismatches(found))
        yield found


def _reported(
    engine: DuckEngine, entry: CatalogEntry, relation: Sql, rows: Sequence[tuple[object, ...]]
) -> Reported:
    return Reported(
        entry=entry,
        relation=relation,
        columns=dict(engine.describe(relation)),
        sizes=[(int(str(size)), int(str(n_classes))) for size, n_classes in rows],
    )


def _path_of(engine: DuckEngine, name: str) -> tuple[str, ...]:
    """Return the full name, with its database, that a name has on this connection."""
    found = table_of(engine, name)
    return (engine.database, *parts_of(name)) if found is None else found.path


def _recorded_entry(engine: DuckEngine, name: str, path: tuple[str, ...]) -> CatalogEntry:
    """Return the record of a release in the database, or of a file written from it."""
    catalog = Catalog(engine, path[0])
    place = str(Path(name).absolute())
    files = [e for e in catalog.releases() if e.stands and e.form == "file" and e.place == place]
    return files[0] if files and Path(name).is_file() else catalog.find(name, path)


def _file_entry(name: str, certificate: str | Path) -> CatalogEntry:
    """Return the record of a file, made from its certificate."""
    faults = [f"{name}: no such file."] if not Path(name).is_file() else []
    try:
        proof = from_json(Path(certificate).read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        raise RequestError(*faults, f"--certificate {certificate}: cannot be read.") from None
    except ValueError:
        proof = None
    if not _is_certificate(proof):
        faults.append(
            f"--certificate {certificate}: not a certificate of ppdt. `ppdt anonymize "
            "--certificate FILE` writes one."
        )
    raise_all(faults)
    return CatalogEntry(
        run_id=0,
        name=Path(name).name,
        form="file",
        place=str(Path(name).absolute()),
        created_at=datetime.fromisoformat(proof["created_at"]),
        ended_at=None,
        source=proof["source"],
        source_fingerprint="",
        method=proof["method"],
        certificate=proof,
    )


def _is_certificate(proof: object) -> bool:
    if not isinstance(proof, dict):
        return False
    if not all(isinstance(proof.get(name), kind) for name, kind in PARTS.items()):
        return False
    try:
        datetime.fromisoformat(proof["created_at"])
        has_k = int(proof["parameters"]["k"]) > 0
    except (ValueError, KeyError, TypeError):
        return False
    policy, measures = proof["policy"], proof["measures"]
    return (
        has_k
        and all(isinstance(policy.get(name), dict) for name in ("quasi_identifiers", "hierarchies"))
        and all(isinstance(policy.get(name), list) for name in ("sensitive", "kept"))
        and all(isinstance(measures.get(name), dict) for name in ("sensitive", "ncp"))
        and all(
            isinstance(one, dict) and {"name", "required"} <= set(one) for one in proof["findings"]
        )
    )


@contextmanager
def _opened_file(engine: DuckEngine, path: Path, csv: CsvOptions) -> Iterator[Sql]:
    """Yield the file as a relation; for a database, its only table."""
    if normalize_name(path.suffix) != DATABASE:
        with opened(engine, with_csv(path, csv)) as source:
            yield source.relation
        return
    file = lent(FILE)
    with engine.attached(path, file, read_only=True):
        tables = [row for row in engine.rows("lib/engine/tables") if row[0] == file]
        if [row[3] for row in tables] != ["table"]:
            raise RequestError(f"{path.name}: not a release, which has exactly one table.")
        yield ident((file, str(tables[0][1]), str(tables[0][2])))


def _released_quasi(entry: CatalogEntry) -> list[str]:
    """Return the columns that show the quasi-identifiers."""
    policy = entry.certificate["policy"]
    assert isinstance(policy, dict)
    found: list[str] = []
    for name, shape in policy["quasi_identifiers"].items():
        endings = RECODINGS[shape].endings if shape in RECODINGS else ("",)
        found += [f"{name}{ending}" for ending in endings]
    return found


def _mismatches(found: Reported) -> list[str]:
    """Return the signs that a certificate belongs to another file."""
    proof, name = found.entry.certificate, found.entry.name
    n_rows = sum(size * n_classes for size, n_classes in found.sizes)
    faults: list[str] = []
    if n_rows != proof["rows_out"]:
        faults.append(
            f"{name} has {n_rows:,} rows, but its certificate says {proof['rows_out']:,}. Pass "
            "the certificate of this file."
        )
    least = found.sizes[0][0] if found.sizes else 0
    if not faults and proof["k_counts"] == "rows" and least != proof["k_measured"]:
        faults.append(
            f"the smallest class of {name} has {least:,} rows, but its certificate says "
            f"{proof['k_measured']:,}. Pass the certificate of this file."
        )
    return faults
