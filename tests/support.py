"""What the tests share. Nothing here uses the package's own SQL: tests count by themselves."""

import contextlib
import io
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import duckdb
import pytest
from hypothesis import settings

import ppdt_db
from ppdt_db.cli import main

ALL_EXAMPLES = 30
SECRET = "Zebedee-4711"
PATIENTS = """
    CREATE TABLE patients AS
    SELECT
        concat('name ', i) AS name,
        CASE WHEN i % 23 = 0 THEN NULL ELSE 18 + (i * 37) % 61 END AS age,
        CASE WHEN i % 3 = 0 THEN 'f' ELSE 'm' END AS sex,
        80000 + (i * 13) % 17 AS zip,
        ['flu', 'cold', 'gout', 'mumps'][1 + (i * 7) % 4] AS diagnosis,
        i % 5 < 2 AS readmitted,
        i AS number
    FROM range(200) AS r (i)
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)


def ppdt(*args: object) -> Ended:
    """Run the command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.object(sys, "argv", ["ppdt", *map(str, args)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())


# A process may be started by one that ignores signals, which its children would take over.
HEEDING = (
    "import signal as s; s.signal(s.SIGINT, s.default_int_handler); "
    "s.signal(s.SIGTERM, s.SIG_DFL); s.signal(s.SIGHUP, s.SIG_DFL); "
)


def command(*args: object) -> list[str]:
    """The command line for a process of its own."""
    text = f"{HEEDING}from ppdt_db.cli import main; main()"
    return [sys.executable, "-c", text, *map(str, args)]


def ppdt_process(*args: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(  # type: ignore[call-overload]
        command(*args), capture_output=True, text=True, check=False, **options
    )


def examples(number: int) -> settings:
    """As many examples where a full run takes ALL_EXAMPLES, and fewer as others have fewer."""
    return settings(max_examples=max(2, number * settings().max_examples // ALL_EXAMPLES))


def mostly_slow(values: Iterable[object], *quick: object) -> list:
    """Parameters of which only some are for a quick run: the others repeat what those show."""
    wrapped = [(value, value if isinstance(value, tuple) else (value,)) for value in values]
    assert all(value in [other for other, _ in wrapped] for value in quick)
    return [
        value if value in quick else pytest.param(*parts, marks=pytest.mark.slow)
        for value, parts in wrapped
    ]


def every(number: int, values: Iterable[object]) -> list:
    """Parameters of which only the first of each so many are for a quick run."""
    found = list(values)
    return mostly_slow(found, *found[::number])


def for_each(values: Iterable[object]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """One test of many values, which tells all that fail: thousands of tests cost a minute."""
    found = list(values)

    def whole(test: Callable[..., None]) -> Callable[[], None]:
        def test_all() -> None:
            faults = []
            for value in found:
                try:
                    test(value)
                except AssertionError as fault:
                    faults.append(f"{value}: {fault}")
                except Exception as error:
                    error.add_note(f"of {value}")
                    raise
            assert found, "nothing to test"
            assert not faults, "\n".join(faults)

        test_all.__name__, test_all.__doc__ = test.__name__, test.__doc__
        test_all.__module__, test_all.__qualname__ = test.__module__, test.__qualname__
        return test_all

    return whole


def plain(value: object) -> object:
    """A value that can be compared and counted: lists become tuples, NaN equals itself."""
    if isinstance(value, list | tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, float) and value != value:
        return "NaN"
    return value


def read(con: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str] = ()) -> list[tuple]:
    """All rows, sorted here: the order of a table's rows is the engine's own."""
    return sorted(read_in_order(con, relation, columns), key=repr)


def read_in_order(
    con: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str] = ()
) -> list[tuple]:
    """All rows, in the order of the file that they are read from."""
    listed = ", ".join('"' + name.replace('"', '""') + '"' for name in columns) or "*"
    found = con.execute(f"SELECT {listed} FROM {relation}").fetchall()
    return [tuple(plain(value) for value in row) for row in found]


def bag(con: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str] = ()) -> Counter:
    """The rows as a multiset."""
    return Counter(read(con, relation, columns))


def classes(rows: Iterable[tuple], n_quasi: int) -> dict[tuple, list[tuple]]:
    """Group rows by their first columns, as an attacker would; NULL is a value."""
    found: dict[tuple, list[tuple]] = defaultdict(list)
    for row in rows:
        found[row[:n_quasi]].append(row[n_quasi:])
    return dict(found)


def smallest(con: duckdb.DuckDBPyConnection, relation: str, quasi: Sequence[str]) -> int:
    """The size of the smallest class."""
    return min(bag(con, relation, quasi).values())


def objects(con: duckdb.DuckDBPyConnection) -> Counter:
    """All tables and views with their contents: what must be as before after a failure."""
    found: Counter = Counter()
    named = con.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal"
    ).fetchall()
    for schema, name in named:
        relation = ".".join('"' + part.replace('"', '""') + '"' for part in (schema, name))
        found[schema, name, repr(sorted(read(con, relation), key=repr))] += 1
    return found


def temporaries(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Our temporary tables and views that are still there."""
    named = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, 'ppdt_') "
        "UNION ALL SELECT view_name FROM duckdb_views() WHERE starts_with(view_name, 'ppdt_')"
    ).fetchall()
    return [name for (name,) in named]


def make_database(path: Path, *statements: str) -> Path:
    """A database file made by some statements."""
    with duckdb.connect(str(path)) as con:
        for statement in statements or (PATIENTS,):
            con.execute(statement)
    return path


def anonymize_patients(
    con: duckdb.DuckDBPyConnection, source: object = "patients", **options: object
) -> ppdt_db.Release:
    """The usual request on the usual table, with other options on top."""
    asked: dict = {
        "identifiers": ["name"],
        "quasi": ["age", "sex", "zip"],
        "sensitive": ["diagnosis"],
        "keep": "rest",
        "method": ppdt_db.Mondrian(k=5),
        "into": "patients_k5",
        **options,
    }
    if asked.get("out") is not None and "into" not in options:
        asked["into"] = None
    return ppdt_db.anonymize(con, source, **asked)


FLAGS = ["--id", "name", "--qi", "age,sex,zip", "--sensitive", "diagnosis", "--keep", "rest"]


def faults(clinic: Path, *args: object, code: int = 2) -> str:
    """Run a bad request; check that it left nothing; its message, in small letters."""
    with duckdb.connect(str(clinic), read_only=True) as con:
        before = objects(con)
    files = sorted(path.name for path in clinic.parent.rglob("*"))
    ended = ppdt("anonymize", *args)
    assert ended.code == code, ended.err
    assert ended.out == ""
    assert SECRET not in ended.err
    assert "internal error" not in ended.err and "Traceback" not in ended.err
    assert sorted(path.name for path in clinic.parent.rglob("*")) == files
    with duckdb.connect(str(clinic), read_only=True) as con:
        assert objects(con) == before
    return ended.err.lower()
