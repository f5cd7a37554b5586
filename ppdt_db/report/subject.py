"""What a report is about: a release on record, or a file with its certificate."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ppdt_db.catalog import SCHEMA, Catalog, Entry
from ppdt_db.connection import check_connection
from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.engine import DuckEngine, lent
from ppdt_db.errors import RequestError
from ppdt_db.json_text import from_json
from ppdt_db.names import Sql, fold, ident, parts_of
from ppdt_db.policy import raise_all
from ppdt_db.resolve import table_of
from ppdt_db.source import opened

FILE = "ppdt_reported"
DATABASE = ".duckdb"
# What a page shows of a certificate; one that lacks a part is none.
PARTS: Mapping[str, type] = {
    "guarantee": str, "method": str, "created_at": str, "source": str, "parameters": dict,
    "policy": dict, "measures": dict, "findings": list, "notes": list, "k_counts": str,
    "kept_columns_uniqueness": dict, "rows_out": int, "k_measured": int,
}  # fmt: skip

FINDING = {"name", "required", "measured", "passed"}


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A release that can be read, what is on record of it, and its classes by size."""

    entry: Entry
    relation: Sql
    columns: Mapping[str, str]
    sizes: Sequence[tuple[int, int]]


@contextmanager
def reported(
    engine: DuckEngine, name: str, certificate: str | Path | None, csv: CsvWish = None
) -> Iterator[Reported]:
    """Yield the release that is meant, readable for as long as the block lasts."""
    check_connection(engine)
    path = _path_of(engine, name)
    entry = _on_record(engine, name, path) if certificate is None else _of_file(name, certificate)
    if entry.form != "file":
        schema = {"schema": (path[0], SCHEMA)}
        rows = engine.rows("report/class_size", {"run_id": entry.run_id}, schema)
        yield _reported(engine, entry, ident(path), rows)
        return
    with _readable(engine, Path(entry.place), csv) as relation:
        columns = dict(engine.describe(relation))
        quasi = _released_quasi(entry)
        raise_all(
            [
                f'{entry.name}: it has no column "{column}", which its certificate names.'
                for column in quasi
                if fold(column) not in map(fold, columns)
            ]
        )
        names = {"release": relation, "columns": quasi}
        found = _reported(
            engine, entry, relation, engine.rows("report/file_class_size", names=names)
        )
        raise_all(_strange(found))
        yield found


def _reported(
    engine: DuckEngine, entry: Entry, relation: Sql, rows: Sequence[tuple[object, ...]]
) -> Reported:
    return Reported(
        entry=entry,
        relation=relation,
        columns=dict(engine.describe(relation)),
        sizes=[(int(str(size)), int(str(n_classes))) for size, n_classes in rows],
    )


def _path_of(engine: DuckEngine, name: str) -> tuple[str, ...]:
    """Return the full name that a name means on this connection, with its database."""
    found = table_of(engine, name)
    return (engine.database, *parts_of(name)) if found is None else found.path


def _on_record(engine: DuckEngine, name: str, path: tuple[str, ...]) -> Entry:
    """Return the entry of a release in the database, or of a file that was written from it."""
    catalog = Catalog(engine, path[0])
    place = str(Path(name).absolute())
    files = [e for e in catalog.releases() if e.stands and e.form == "file" and e.place == place]
    return files[0] if files and Path(name).is_file() else catalog.find(name, path)


def _of_file(name: str, certificate: str | Path) -> Entry:
    """The entry of a file, from its certificate."""
    faults = [f"{name}: there is no such file."] if not Path(name).is_file() else []
    try:
        proof = from_json(Path(certificate).read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        raise RequestError(*faults, f"--certificate {certificate}: it cannot be read.") from None
    except ValueError:
        proof = None
    if not _is_certificate(proof):
        faults.append(
            f"--certificate {certificate}: this is no certificate of ppdt. `ppdt anonymize "
            "--certificate FILE` writes one."
        )
    raise_all(faults)
    return Entry(
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
def _readable(engine: DuckEngine, path: Path, csv: CsvWish) -> Iterator[Sql]:
    """The file as a relation; of a database, its one table."""
    if fold(path.suffix) != DATABASE:
        with opened(engine, with_csv(path, csv)) as source:
            yield source.relation
        return
    file = lent(FILE)
    with engine.attached(path, file, read_only=True):
        tables = [row for row in engine.rows("engine/tables") if row[0] == file]
        if [row[3] for row in tables] != ["table"]:
            raise RequestError(f"{path.name}: this is no release, which is one table and no more.")
        yield ident((file, str(tables[0][1]), str(tables[0][2])))


def _released_quasi(entry: Entry) -> list[str]:
    """The columns that show the quasi-identifiers."""
    policy = entry.certificate["policy"]
    assert isinstance(policy, dict)
    found: list[str] = []
    for name, shape in policy["quasi_identifiers"].items():
        ends = ("_lo", "_hi", "_has_null") if shape == "bounds" else ("",)
        found += [f"{name}{end}" for end in ends]
    return found


def _strange(found: Reported) -> list[str]:
    """What tells that a certificate is of another file."""
    proof, name = found.entry.certificate, found.entry.name
    n_rows = sum(size * n_classes for size, n_classes in found.sizes)
    faults: list[str] = []
    if n_rows != proof["rows_out"]:
        faults.append(
            f"{name} has {n_rows:,} rows, its certificate says {proof['rows_out']:,}. Give the "
            "certificate that belongs to this file."
        )
    least = found.sizes[0][0] if found.sizes else 0
    if not faults and proof["k_counts"] == "rows" and least != proof["k_measured"]:
        faults.append(
            f"the smallest class of {name} has {least:,} rows, its certificate says "
            f"{proof['k_measured']:,}. Give the certificate that belongs to this file."
        )
    return faults
