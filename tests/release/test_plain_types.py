"""A release's columns have plain types: no collation of ours or of the source is left in them.

DuckDB hides a collation inside a list from DESCRIBE, and DuckLake refuses a table that has one.
"""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from support import every, mostly_slow

import ppdt_db
from ppdt_db import Attribute, Mondrian

ATTRIBUTES = {
    "set": Attribute("word"),
    "mode": Attribute("word", recode="mode"),
    "node": Attribute("word", hierarchy="prefixes:1"),
    "set of numbers": Attribute("n", recode="set"),
    "range": Attribute("n"),
    "bounds": Attribute("n", recode="bounds"),
    "mean": Attribute("n", recode="mean"),
}
PLACES = ("view", "live", "parquet", "duckdb")


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(tmp_path / "source.duckdb")) as connection:
        yield connection


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("how", every(6, ATTRIBUTES))
@pytest.mark.parametrize("collation", mostly_slow(["", " COLLATE NOCASE"], " COLLATE NOCASE"))
def test_types_are_plain(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, how: str, place: str, collation: str
) -> None:
    if place == "live" and how in ("mode", "mean"):
        pytest.skip("a live view shows no centres")
    con.execute(
        f"CREATE TABLE people (n INTEGER, word VARCHAR{collation}, ill VARCHAR{collation},"
        f" kept VARCHAR{collation}, person VARCHAR{collation}, e ENUM ('u', 'v'))"
    )
    con.execute(
        "INSERT INTO people SELECT i, chr((97 + i // 8)::INTEGER) || i % 4, 'x' || i % 3,"
        " 'k' || i % 2, 'p' || i, ['u', 'v'][1 + i % 2] FROM range(40) r(i)"
    )
    into, out = ("released", None) if place in ("view", "live") else (None, tmp_path / f"r.{place}")
    attribute = ATTRIBUTES[how]
    others = {"n", "word"} - {attribute.name}
    ppdt_db.anonymize(
        con, "people", quasi=[attribute], sensitive=["ill"], keep=["kept", "e"],
        identifiers=[*sorted(others), *(["person"] if place == "live" else [])],
        pseudonymize=[] if place == "live" else ["person"],
        pseudonym_key=None if place == "live" else "a key of sixteen bytes",
        method=Mondrian(k=5), into=into, out=out, live=place == "live",
        accept=["state-by-state", "reader-side-channels"] if place == "live" else [],
    )  # fmt: skip
    source = "released"
    if place == "parquet":
        source = f"'{out}'"
    elif place == "duckdb":
        con.execute(f"ATTACH '{out}' AS other")
        source = "other.r"
    for name, kind, *_ in con.execute(f"DESCRIBE FROM {source}").fetchall():
        value = f'unnest("{name}")' if kind.endswith("[]") else f'"{name}"'
        con.execute(f"CREATE OR REPLACE TEMP TABLE probe AS SELECT {value} AS x FROM {source}")
        made = con.execute("SELECT sql FROM duckdb_tables() WHERE table_name = 'probe'").fetchone()
        assert made is not None and "COLLATE" not in made[0], (name, kind)


def test_a_release_goes_into_a_lake(tmp_path: Path) -> None:
    """With the extension that belongs to this DuckDB, where it is installed."""
    ducklake = pytest.importorskip("duckdb_extension_ducklake", reason="DuckLake is not installed")
    found = list(Path(str(ducklake.__file__)).parent.rglob("ducklake.duckdb_extension"))
    if not any(f"v{duckdb.__version__}" in str(path) for path in found):
        pytest.skip("the DuckLake that is installed belongs to another DuckDB")
    with duckdb.connect() as con:
        con.execute(f"LOAD '{found[0]}'")
        con.execute(f"ATTACH 'ducklake:{tmp_path}/m.ducklake' AS lake (DATA_PATH '{tmp_path}/d')")
        con.execute(
            "CREATE TABLE people AS SELECT i AS n, chr((97 + i // 8)::INTEGER) AS word"
            " FROM range(40) r(i)"
        )
        ppdt_db.anonymize(con, "people", quasi=["n", "word"], method=Mondrian(k=5), into="released")
        con.execute("CREATE TABLE lake.x AS FROM released")
        assert con.execute("SELECT count(*) FROM lake.x").fetchone() == (40,)


NESTED = {
    "plain": "m",
    "list": "[m, NULL]",
    "struct": "{'at': [m]}",
    "named like the type": "{'TIMESTAMP_S': m, 'b \"TIMESTAMP_MS\"': 'TIMESTAMP_MS'}",
    "map": "MAP {m: m}",
}


@pytest.mark.parametrize("place", ["parquet", "csv", "duckdb"])
@pytest.mark.parametrize(
    "type_name",
    mostly_slow(["TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "DATE"], "TIMESTAMP_MS"),
)
def test_infinite_moments_go_to_files(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, type_name: str, place: str
) -> None:
    forms = NESTED if place != "csv" else {"plain": "m"}
    columns = {f"c{i}": form for i, form in enumerate(forms.values())}
    written = ", ".join(f"{form} AS {name}" for name, form in columns.items())
    con.execute(
        f"CREATE TABLE visits AS SELECT age, m AS at, m AS day, {written} FROM (SELECT i % 7 AS "
        "age, ['infinity', '-infinity', '2020-01-01'][1 + i % 3]::"
        f"{type_name} AS m FROM range(60) AS r (i))"
    )
    out = tmp_path / f"r.{place}"
    ppdt_db.anonymize(
        con, "visits", quasi=["age", Attribute("at", recode="set"), Attribute("day")],
        keep=list(columns), method=Mondrian(k=5), out=out,
    )  # fmt: skip
    source = f"'{out}'"
    if place == "duckdb":
        con.execute(f"ATTACH '{out}' AS other")
        source = "other.r"
    for name in columns:
        asked = "SELECT replace(CAST({0} AS VARCHAR), ' 00:00:00', '') FROM {1} ORDER BY 1"
        before = con.execute(asked.format(name, "visits")).fetchall()
        assert con.execute(asked.format(name, source)).fetchall() == before


@pytest.mark.parametrize("form", every(3, NESTED.values()), ids=NESTED)
def test_infinite_milliseconds_of_parquet_are_read_or_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, form: str
) -> None:
    """DuckDB 1 writes what it cannot read."""
    path = tmp_path / "visits.parquet"
    con.execute(
        f"COPY (SELECT age, {form} AS moment FROM (SELECT i % 7 AS age, "
        "'infinity'::TIMESTAMP_MS AS m FROM range(60) AS r (i))) "
        f"TO '{path}' (FORMAT parquet)"
    )
    asked = {"quasi": ["age"], "keep": ["moment"], "method": Mondrian(k=3), "into": "o"}
    # Maps it can read.
    if int(duckdb.__version__.partition(".")[0]) >= 2 or form.startswith("MAP"):
        ppdt_db.anonymize(con, path, **asked)
        return
    with pytest.raises(ppdt_db.RequestError, match=r'column "moment".* Cast it to TIMESTAMP'):
        ppdt_db.anonymize(con, path, **asked)
    with pytest.raises(ppdt_db.RequestError, match='column "moment"'):
        ppdt_db.profile(con, path)
