"""The audit as SQL: macros of the database, asked from plain connections without our Python."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.audit import classes, models

import ppdt_db

Row = tuple[object, ...]
HOSTILE = ['a"b; --', "select", "tbl", "qis", "sensitive", "n_rows", "class_id", "x", "q", "ünï 'ß"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with a catalog of ours, whose connection is closed."""
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(
            "CREATE TABLE patients AS SELECT 20 + i % 50 AS age, 8000 + i % 9 AS zip, "
            "['flu', 'cold', NULL][1 + i % 3] AS diagnosis FROM range(300) AS r (i)"
        )
        ppdt_db.anonymize(
            con, "patients", quasi=["age", "zip"], sensitive=["diagnosis"], into="patients_k10",
            method=ppdt_db.Mondrian(k=10, l=2),
        )  # fmt: skip
    return path


def test_a_process_without_our_python(file: Path) -> None:
    """Isolated (-I), so that only duckdb itself can be imported from elsewhere."""
    asked = [
        "FROM ppdt.k_anonymity('patients_k10', ['age', 'zip'])",
        "SELECT prosecutor_risk_max FROM ppdt.risk('patients_k10', ['AGE', 'Zip'])",
        "SELECT distinct_l FROM ppdt.l_diversity('patients_k10', ['age', 'zip'], 'diagnosis')",
    ]
    script = (
        "import duckdb, sys\n"
        "con = duckdb.connect(sys.argv[1], read_only=True)\n"
        f"print([con.execute(sql).fetchone() for sql in {asked!r}])\n"
        "assert not any(name.startswith('ppdt') for name in sys.modules)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-c", script, str(file)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    with duckdb.connect(str(file), read_only=True) as con:
        asked_of_us = {"quasi": ["age", "zip"], "sensitive": ["diagnosis"]}
        ours = ppdt_db.audit(con, "patients_k10", **asked_of_us).measures  # type: ignore[arg-type]
    distinct = ours["sensitive"]["diagnosis"]["distinct_l"]  # type: ignore[index]
    k, n_classes = ours["k"], ours["classes"]
    assert ended.stdout.strip() == str([(k, n_classes, 300), (1 / k,), (distinct,)])  # type: ignore[operator]


@given(
    drawn=st.lists(
        st.tuples(*[st.sampled_from([None, "a", "A", ""])] * 2, st.sampled_from([None, 1, 2])),
        min_size=1, max_size=30,
    ),
    names=st.permutations(HOSTILE),
)  # fmt: skip
def test_equal_to_the_definitions(drawn: list[Row], names: list[str]) -> None:
    """Hostile names, and a collation that would merge "a" and "A"."""
    first, second, third = ('"' + name.replace('"', '""') + '"' for name in names[:3])
    with duckdb.connect() as con:
        ppdt_db.migrate(con)
        con.execute(
            f'CREATE TABLE "r\'; --" ({first} VARCHAR COLLATE nocase, {second} VARCHAR, '
            f"{third} INTEGER)"
        )
        con.executemany('INSERT INTO "r\'; --" VALUES (?, ?, ?)', [list(row) for row in drawn])
        table, quasi = '"r\'; --"', names[:2]
        k = con.execute("FROM ppdt.k_anonymity(?, ?)", [table, quasi]).fetchone()
        risk = con.execute("FROM ppdt.risk(?, ?)", [table, quasi]).fetchone()
        of_third = con.execute(
            "FROM ppdt.l_diversity(?, ?, ?)", [table, quasi, names[2]]
        ).fetchone()
    sizes = [len(values) for values in classes(drawn)]  # type: ignore[arg-type]
    assert k == (min(sizes), len(sizes), len(drawn))
    assert risk == pytest.approx((
        1 / min(sizes), len(sizes) / len(drawn), len(sizes) / len(drawn),
        sizes.count(1) / len(drawn), sum(size for size in sizes if size < 5),
    ))  # fmt: skip
    defined = models(drawn, lambda v: (v is not None, v or 0), 2)  # type: ignore[arg-type]
    assert of_third == pytest.approx([defined[n] for n in ("distinct_l", "entropy_l", "alpha")])


@pytest.mark.parametrize(
    "sql",
    [
        "FROM ppdt.k_anonymity('patients', ['age', 'zap'])",
        "FROM ppdt.risk('patients', ['zap', 'age'])",
        "FROM ppdt.l_diversity('patients', ['age', 'zap'], 'diagnosis')",
        "FROM ppdt.l_diversity('patients', ['age'], 'zap')",
        "FROM ppdt.k_anonymity('patients', ['zap'])",
    ],
)
def test_a_misspelt_name_is_an_error(file: Path, sql: str) -> None:
    with duckdb.connect(str(file)) as con, pytest.raises(duckdb.Error):
        con.execute(sql).fetchall()


def test_an_older_catalog_gets_them_when_told(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "old.duckdb")) as con:
        assert ppdt_db.migrate(con) == ["0001_catalog", "0002_audit"]
        assert ppdt_db.migrate(con) == []
