"""The audit as SQL: macros of the database, asked from plain connections without our Python."""

import json
import shutil
import subprocess
import sys
from math import inf
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.audit import classes, models

import ppdt_db

Row = tuple[object, ...]
HOSTILE = ['a"b; --', "select", "tbl", "qis", "sensitive", "n_rows", "class_id", "x", "q", "ünï 'ß",
           "value", "shown", "l"]  # fmt: skip
MODELS = (
    "l_diversity", "alpha_k_anonymity", "t_closeness", "beta_likeness", "delta_disclosure"
)  # fmt: skip
MIGRATIONS = sorted((Path(__file__).parents[2] / "migrations").glob("*.sql"))
SHELL = shutil.which("duckdb", path=str(Path(sys.executable).parent)) or shutil.which("duckdb")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def nulls_first(value: object) -> tuple[bool, object]:
    return value is not None, value or 0


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
    """Hostile names, also of the table, and a collation that would merge "a" and "A".

    DuckDB's query_table finds no table whose own name holds a double quote.
    """
    first, second, third = map(quoted, names[:3])
    table = quoted(next(name for name in names[3:] if '"' not in name))
    with duckdb.connect() as con:
        ppdt_db.migrate(con)
        con.execute(
            f"CREATE TABLE {table} ({first} VARCHAR COLLATE nocase, {second} VARCHAR, "
            f"{third} INTEGER)"
        )
        con.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", [list(row) for row in drawn])
        quasi = names[:2]
        k = con.execute("FROM ppdt.k_anonymity(?, ?)", [table, quasi]).fetchone()
        risk = con.execute("FROM ppdt.risk(?, ?)", [table, quasi]).fetchone()
        measured: dict[str, object] = {}
        for model in MODELS:
            found = con.execute(f"FROM ppdt.{model}(?, ?, ?)", [table, quasi, names[2]])
            columns = [column[0] for column in found.description]
            measured |= dict(zip(columns, found.fetchone(), strict=True))
        found = con.execute("FROM ppdt.recursive_diversity(?, ?, ?, 3)", [table, quasi, names[2]])
        (measured["recursive_c"],) = found.fetchone()
    sizes = [len(values) for values in classes(drawn)]  # type: ignore[arg-type]
    assert k == (min(sizes), len(sizes), len(drawn)) and measured["k"] == min(sizes)
    assert risk == pytest.approx((
        1 / min(sizes), len(sizes) / len(drawn), len(sizes) / len(drawn),
        sizes.count(1) / len(drawn), sum(size for size in sizes if size < 5),
    ))  # fmt: skip
    for name, value in models(drawn, nulls_first, 3).items():  # type: ignore[arg-type]
        assert measured[name] == value or measured[name] == pytest.approx(value, abs=1e-9), name


@pytest.mark.parametrize(
    ("type_name", "is_ordered"),
    [("VARCHAR", False), ("BOOLEAN", False), ("INTERVAL", False), ("TIME WITH TIME ZONE", False),
     ("UTINYINT", True), ("DECIMAL(9, 2)", True), ("DATE", True), ("DOUBLE", True)],
)  # fmt: skip
def test_only_what_has_an_order_has_an_ordered_distance(type_name: str, is_ordered: bool) -> None:
    with duckdb.connect() as con:
        ppdt_db.migrate(con)
        con.execute(f"CREATE TABLE r (a INTEGER, s {type_name})")
        con.execute("INSERT INTO r (a) VALUES (1), (2)")
        (t_ordered, t_equal) = con.execute("FROM ppdt.t_closeness('r', ['a'], 's')").fetchone()
    assert t_ordered == (0 if is_ordered else None) and t_equal == 0


def test_values_beyond_every_axis_stand_first() -> None:
    """NaN and the infinities, as our own audit orders them."""
    with duckdb.connect() as con:
        ppdt_db.migrate(con)
        con.execute(
            "CREATE TABLE r AS SELECT i % 2 AS a, CAST(s AS DOUBLE) AS s FROM (SELECT unnest("
            "['NaN', 'Infinity', '-Infinity', NULL, '1', '2', '7', '8', '-0.0', '0.0']) AS s, "
            "unnest(range(10)) AS i)"
        )
        ours = ppdt_db.audit(con, "r", quasi=["a"], sensitive=["s"]).measures["sensitive"]["s"]  # type: ignore[index]
        asked = "SELECT t_ordered FROM ppdt.t_closeness('r', ['a'], 's')"
        assert con.execute(asked).fetchone() == (ours["t_ordered"],)


@pytest.mark.skipif(SHELL is None, reason="no DuckDB shell here: pip install duckdb-cli to ask it")
def test_the_shell_of_duckdb_asks(tmp_path: Path) -> None:
    """The shell installs the macros from their files and answers: no Python at all."""
    table, quasi, sensitive = "class'; --", 'sel"ect', "ünï 'ß"
    rows = [("a", 1), ("a", 2), ("a", 2), (None, 1), (None, 1), (None, 3)]
    values = ", ".join(f"({'NULL' if a is None else repr(a)}, {s})" for a, s in rows)
    named, held = quoted(table), quoted(sensitive)
    of = f"{_text(named)}, [{_text(quasi)}]"
    script = tmp_path / "ask.sql"
    script.write_text("\n".join([
        *(path.read_text("utf-8") for path in MIGRATIONS),
        f"CREATE TABLE {named} AS FROM (VALUES {values}) AS r ({quoted(quasi)}, {held});",
        ".mode json",
        f"FROM ppdt.k_anonymity({of});",
        f"FROM ppdt.risk({of});",
        *(f"FROM ppdt.{model}({of}, {_text(sensitive)});" for model in MODELS),
        f"FROM ppdt.recursive_diversity({of}, {_text(sensitive)}, 2);",
    ]), "utf-8")  # fmt: skip
    ended = subprocess.run(
        [str(SHELL), "-init", "/dev/null", "-bail", str(tmp_path / "r.duckdb"), "-f", str(script)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    measured: dict[str, object] = {}
    for line in filter(None, ended.stdout.split("]\n")):
        measured |= json.loads(line.strip().removesuffix("]") + "]")[0]
    assert measured["k"] == 3 and measured["prosecutor_risk_max"] == pytest.approx(1 / 3)
    for name, value in models(rows, nulls_first, 2).items():  # type: ignore[arg-type]
        found = inf if measured[name] in (None, "inf", "Infinity", 1e999) else measured[name]
        assert found == value or found == pytest.approx(value, abs=1e-9), name


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


@pytest.mark.parametrize(
    "sql",
    [
        "FROM ppdt.k_anonymity('patients', ['age', 'zap'])",
        "FROM ppdt.risk('patients', ['zap', 'age'])",
        "FROM ppdt.l_diversity('patients', ['age', 'zap'], 'diagnosis')",
        "FROM ppdt.l_diversity('patients', ['age'], 'zap')",
        "FROM ppdt.k_anonymity('patients', ['zap'])",
        "FROM ppdt.t_closeness('patients', ['age', 'zap'], 'diagnosis')",
        "FROM ppdt.recursive_diversity('patients', ['age'], 'zap', 2)",
        "FROM ppdt.k_anonymity('ppdt_shown', ['age'])",
    ],
)
def test_a_misspelt_name_is_an_error(file: Path, sql: str) -> None:
    """So is a name that could be taken for a step of the macros."""
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE VIEW ppdt_shown AS FROM patients")
        with pytest.raises(duckdb.Error):
            con.execute(sql).fetchall()


def test_an_older_catalog_gets_them_when_told(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "old.duckdb")) as con:
        assert ppdt_db.migrate(con) == [
            "0001_catalog",
            "0002_audit",
            "0003_models",
            "0004_source_row",
        ]
        assert ppdt_db.migrate(con) == []
