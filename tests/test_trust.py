"""What comes from somebody else is data: no SQL of its maker runs, and no file of ours is read."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from support import (
    PATIENTS,
    anonymize_patients,
    every,
    make_database,
    mostly_slow,
    objects,
    ppdt,
    temporaries,
)

from ppdt_db import Attribute, Kactus, Mondrian, RequestError, anonymize, load_rules
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.tree.tree_json import read_tree

PLANTED = "Zebedee-4711-of-another-file"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the reader's that nobody has asked to read."""
    path = tmp_path / "hostname"
    path.write_text(PLANTED)
    return path


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    return make_database(tmp_path / "clinic.duckdb", PATIENTS)


@pytest.fixture(scope="module")
def written_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules of a release, as we write them."""
    path = tmp_path_factory.mktemp("written") / "rules.duckdb"
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        anonymize_patients(con, method=Mondrian(k=5), rules=path, out=path.with_name("o.parquet"))
    return path


@pytest.fixture
def rules(tmp_path: Path, written_rules: Path) -> Path:
    """A copy of them, to do with as a test likes."""
    return Path(shutil.copy(written_rules, tmp_path / "rules.duckdb"))


# What the maker of a file of rules might write into it, each a program and no data.
ATTACKS: dict[str, str] = {
    "a view reads a file": """
        CREATE TABLE kept AS FROM label; DROP TABLE label;
        CREATE VIEW label AS SELECT kept.* REPLACE
            ((SELECT content FROM read_text('{secret}')) AS q1) FROM kept""",
    "a view reads a table of the reader": """
        CREATE TABLE kept AS FROM label; DROP TABLE label; ATTACH '{clinic}' AS clinic;
        CREATE VIEW label AS SELECT kept.* REPLACE
            ((SELECT min(name) FROM clinic.main.patients) AS q1) FROM kept; DETACH clinic""",
    "the head is a view": """
        CREATE TABLE kept AS FROM rules; DROP TABLE rules;
        CREATE VIEW rules AS SELECT kept.format, kept.about FROM kept, read_text('{secret}')""",
    "a generated column": """
        CREATE TABLE kept AS FROM label; DROP TABLE label;
        CREATE TABLE label (class_id INTEGER, q0 VARCHAR, q2 VARCHAR,
            q1 VARCHAR GENERATED ALWAYS AS (CAST(current_setting('timezone') AS VARCHAR)));
        INSERT INTO label SELECT class_id, q0, q2 FROM kept""",
    "a default": "ALTER TABLE label ALTER q0 SET DEFAULT current_setting('secret_directory')",
    "a view beside": "CREATE VIEW more AS FROM read_text('{secret}')",
    "a macro beside": "CREATE MACRO more() AS TABLE FROM read_text('{secret}')",
    "a macro of a built-in name": """
        CREATE MACRO concat(x) AS (SELECT content FROM read_text('{secret}'))""",
    "a sequence": "CREATE SEQUENCE more",
    "a type": "CREATE TYPE more AS ENUM ('a')",
    "an index": "CREATE INDEX more ON place (class_id)",
    "another schema": "CREATE SCHEMA more",
    "another table": "CREATE TABLE more (x INTEGER)",
    "another column": "ALTER TABLE label ADD COLUMN more INTEGER",
    "another type of a label": "ALTER TABLE label ALTER q0 TYPE BLOB",
    "another type of an extent": "ALTER TABLE extent ALTER low_0 TYPE VARCHAR",
    "a check": """
        CREATE TABLE kept AS FROM place; DROP TABLE place;
        CREATE TABLE place (leaf_id INTEGER, class_id INTEGER, n_rows BIGINT CHECK (n_rows > 0));
        INSERT INTO place FROM kept; DROP TABLE kept""",
}


@pytest.mark.parametrize("attack", every(3, ATTACKS))
def test_a_file_of_rules_runs_nothing(
    attack: str, rules: Path, clinic: Path, secret: Path, tmp_path: Path
) -> None:
    with duckdb.connect(str(rules)) as con:
        con.execute(ATTACKS[attack].format(secret=secret, clinic=clinic))
    with duckdb.connect(str(clinic), read_only=True) as con:
        before = objects(con)
    ended = ppdt("apply", rules, "patients", "--db", clinic, "--into", "shown")
    assert ended.code == 2 and "not a rules file" in ended.err, ended.err
    assert PLANTED not in ended.err + ended.out
    with duckdb.connect(str(clinic), read_only=True) as con:
        assert objects(con) == before


def test_rules_are_looked_at_again_when_they_are_applied(
    rules: Path, clinic: Path, secret: Path
) -> None:
    known = load_rules(rules)
    with duckdb.connect(str(rules)) as con:
        con.execute(ATTACKS["a view reads a file"].format(secret=secret))
    with duckdb.connect(str(clinic)) as con:
        with pytest.raises(RequestError, match="not a rules file"):
            known.apply(con, "patients", into="shown")
        made = con.execute("SELECT table_name FROM duckdb_tables() WHERE table_name = 'shown'")
        assert made.fetchall() == [] and temporaries(con) == []


HEADS: dict[str, Callable[[dict], object]] = {
    "labels of no attribute": lambda about: about["labels"][0].update(attribute="diagnosis"),
    "a label of no shape": lambda about: about["labels"][0].update(shape="value of x"),
    "a label of another name": lambda about: about["labels"][0].update(name="class_id"),
    "a name that is none": lambda about: about["quasi"].append(7),
    "a quasi-identifier without a type": lambda about: about["quasi"].append("more"),
    "a type that is none": lambda about: about["columns"][0].__setitem__(1, 7),
    "boxes of text": lambda about: about.update(has_boxes="yes"),
    "a salt of numbers": lambda about: about.update(salt=5),
    "a target of two": lambda about: about.update(target=["a", "b"]),
    "a list": lambda about: about.clear(),
}


@pytest.mark.parametrize("change", every(4, HEADS))
def test_the_head_of_a_file_of_rules_is_checked(change: str, rules: Path) -> None:
    with duckdb.connect(str(rules)) as con:
        about = json.loads(str(con.execute("SELECT about FROM rules").fetchone()[0]))  # type: ignore[index]
        HEADS[change](about)
        con.execute("UPDATE rules SET about = $about", {"about": json.dumps(about)})
    with pytest.raises(RequestError, match=r"damaged|not a rules file"):
        load_rules(rules)


@pytest.mark.parametrize("recode", mostly_slow([None, "set", "bounds", "mean", "mode"], "bounds"))
def test_rules_of_all_types_are_read_back(recode: str | None, tmp_path: Path) -> None:
    """What we write ourselves is never taken for another's."""
    ordered = {
        "i": "i % 7", "u": "CAST(i % 3 AS UTINYINT)", "d": "(i % 5)::DOUBLE", "f": "(i % 5)::FLOAT",
        "c": "(i % 9)::DECIMAL(9, 2)", "h": "(i % 9)::HUGEINT", "w": "(i % 9)::DECIMAL(38, 2)",
        "day": "DATE '2020-01-01' + CAST(i % 9 AS INTEGER)",
        "stamp": "TIMESTAMP '2020-01-01' + INTERVAL 1 DAY * (i % 7)",
        "nano": "CAST(TIMESTAMP '2020-01-01' + INTERVAL 1 DAY * (i % 7) AS TIMESTAMP_NS)",
        "zoned": "CAST(TIMESTAMP '2020-01-01' + INTERVAL 1 DAY * (i % 7) AS TIMESTAMPTZ)",
        "clock": "TIME '10:00' + INTERVAL 1 MINUTE * (i % 5)",
    }  # fmt: skip
    others = {
        "word": "['a', 'b'][1 + i % 2]",
        "en": "CAST(['a', 'it''s'][1 + i % 2] AS ENUM ('a', 'it''s'))",
        "yes": "i % 2 = 0", "uu": "CAST(md5(CAST(i % 4 AS VARCHAR)) AS UUID)",
    }  # fmt: skip
    listed = ", ".join(f"{text} AS {name}" for name, text in {**ordered, **others}.items())
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE t AS SELECT {listed} FROM range(100) AS r (i)")
        quasi: list = [Attribute(n, recode if n in ordered else None) for n in [*ordered, *others]]  # type: ignore[arg-type]
        if recode in ("set", "mode"):
            quasi = [Attribute(name, recode) for name in [*ordered, *others]]  # type: ignore[arg-type]
        path = tmp_path / "rules.duckdb"
        made = anonymize(con, "t", quasi=quasi, method=Mondrian(k=20), into="o", rules=path)
        assert made.apply("t", into="again").rows_shown == 100
        assert load_rules(path).about == made.rules.about  # type: ignore[union-attr]


# -- names that hide ours --------------------------------------------------------------------------


HIDING = {
    "a function": "CREATE MACRO sha256(x) AS (SELECT content FROM read_text('{secret}'))",
    "an operator": """CREATE MACRO "+"(a, b) AS (SELECT content FROM read_text('{secret}'))""",
    "the list of functions": """
        CREATE MACRO sha256(x) AS (SELECT content FROM read_text('{secret}'));
        CREATE MACRO duckdb_functions() AS TABLE SELECT '' AS function_name, TRUE AS internal,
            '' AS database_name""",
    "the current database": """
        CREATE MACRO sha256(x) AS (SELECT content FROM read_text('{secret}'));
        CREATE MACRO current_database() AS 'elsewhere'""",
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "anonymize": (
        "anonymize", "patients", "--id", "name", "--qi", "age,sex", "--keep", "rest", "--into", "x",
        "--db",
    ),
    "profile": ("profile", "patients", "--db"),
    "audit": ("audit", "patients", "--qi", "age,sex", "--db"),
    "plan": ("plan", "patients", "--id", "name", "--qi", "age,sex", "--keep", "rest", "--db"),
    "learn": ("learn", "c45", "patients", "--target", "sex", "--features", "age", "--db"),
    "evaluate": ("evaluate", "patients", "--target", "sex", "--features", "age", "--db"),
    "risk": ("risk", "tree", "patients", "--qi", "age,zip", "--target", "sex", "--db"),
    "hierarchy": ("hierarchy", "show", "patients", "--db"),
    "releases": ("releases", "--db"),
    "drop": ("drop", "x", "--db"),
    "report": ("report", "x", "--out", "x.html", "--db"),
    "migrate": ("migrate", "--db"),
}  # fmt: skip


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("command", every(4, COMMANDS))
def test_a_database_whose_macros_hide_our_functions_is_refused(
    command: str, hiding: str, clinic: Path, secret: Path
) -> None:
    with duckdb.connect(str(clinic)) as con:
        con.execute(HIDING[hiding].format(secret=secret))
    ended = ppdt(*COMMANDS[command], clinic)
    assert ended.code == 2 and "it hides DuckDB's function of that name" in ended.err, ended.err
    assert PLANTED not in ended.err + ended.out


# -- catalogs of others ----------------------------------------------------------------------------

CATALOGS = {
    "releases are a view": """
        ALTER TABLE ppdt.release RENAME TO kept;
        CREATE VIEW ppdt.release AS SELECT kept.* REPLACE
            ((SELECT content FROM read_text('{secret}')) AS name) FROM ppdt.kept""",
    "the key is a view": """
        ALTER TABLE ppdt.secret RENAME TO kept;
        CREATE VIEW ppdt.secret AS SELECT 'digest_key' AS name, content AS value
            FROM read_text('{secret}')""",
    "migrations are a view": """
        ALTER TABLE ppdt.migration RENAME TO kept;
        CREATE VIEW ppdt.migration AS SELECT kept.* FROM ppdt.kept, read_text('{secret}')""",
    "a generated column": """
        ALTER TABLE ppdt.run RENAME TO kept;
        CREATE TABLE ppdt.run (run_id INTEGER, ended_at TIMESTAMP, source_fingerprint VARCHAR,
            method VARCHAR, policy VARCHAR, run_key VARCHAR,
            source VARCHAR AS (CAST(current_setting('timezone') AS VARCHAR)))""",
    "a default": "ALTER TABLE ppdt.finding ALTER name SET DEFAULT current_setting('timezone')",
}


@pytest.mark.parametrize("attack", every(2, CATALOGS))
@pytest.mark.parametrize(
    "command",
    mostly_slow(["anonymize", "releases", "drop", "report", "migrate"], "anonymize"),
)
def test_a_catalog_of_another_runs_nothing(
    command: str, attack: str, clinic: Path, secret: Path
) -> None:
    with duckdb.connect(str(clinic)) as con:
        anonymize_patients(con, into="x")
        con.execute(CATALOGS[attack].format(secret=secret))
        before = objects(con)
    asked = [*COMMANDS[command], clinic]
    ended = ppdt(
        *(f"{word}2" if word == "x" and command == "anonymize" else word for word in asked)
    )
    assert ended.code == 2 and "not a ppdt catalog" in ended.err, ended.err
    assert PLANTED not in ended.err + ended.out
    with duckdb.connect(str(clinic), read_only=True) as con:
        assert objects(con) == before


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB has triggers from version 2")
def test_a_trigger_in_a_catalog_does_not_fire(clinic: Path, secret: Path) -> None:
    with duckdb.connect(str(clinic)) as con:
        anonymize_patients(con, into="x")
        con.execute("CREATE TABLE taken (text VARCHAR)")
        con.execute(
            "CREATE TRIGGER t AFTER INSERT ON ppdt.run FOR EACH STATEMENT "
            f"INSERT INTO taken SELECT content FROM read_text('{secret}')"
        )
        with pytest.raises(RequestError, match="not a ppdt catalog"):
            anonymize_patients(con, into="y")
        assert con.execute("FROM taken").fetchall() == []


# -- trees and models ------------------------------------------------------------------------------

INJECTED = "ENUM('a')), (SELECT content FROM read_text('{secret}')), CAST(NULL AS ENUM('a')"


def test_a_type_is_looked_at_as_a_whole(secret: Path) -> None:
    assert family_of("ENUM('a', 'it''s, (b)')") == "enum"
    for text in (
        INJECTED.format(secret=secret), "ENUM('a')) --')", "ENUM()", "ENUM('a' || 'b')",
        "ENUM('a''')", "ENUM('a'\n)", "DECIMAL(9,2)\n", "INTEGER; DROP TABLE t", "DECIMAL(٣,١)",
    ):  # fmt: skip
        assert family_of(text) is (None if text != "ENUM('a''')" else "enum"), text


def _tree(secret: Path) -> str:
    type_name = INJECTED.format(secret=secret)
    nodes = [
        {
            "weights": [1, 1], "attribute": "sex",
            "branches": [
                {"test": "=", "value": "f", "node": 1}, {"test": "=", "value": "m", "node": 2},
            ],
        },
        {"weights": [1, 0]},
        {"weights": [0, 1]},
    ]  # fmt: skip
    return json.dumps(
        {
            "format": "ppdt tree 1", "target": "readmitted", "classes": ["false", "true"],
            "attributes": [{"name": "sex", "type": type_name}], "missing": "branch", "nodes": nodes,
        }
    )  # fmt: skip


def test_a_tree_runs_nothing(clinic: Path, secret: Path, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_text(_tree(secret))
    for args in (
        ("anonymize", "patients", "--id", "name", "--qi", "sex", "--target", "readmitted",
         "--keep", "rest", "--method", "kactus", "--tree", path, "--into", "x"),
        ("predict", path, "patients", "--into", "told"),
        ("verify", path, "patients", "--public", "sex", "--k", "2"),
    ):  # fmt: skip
        ended = ppdt(*args, "--db", clinic)
        assert ended.code == 2 and "cannot be" in ended.err, ended.err
        assert PLANTED not in ended.err + ended.out
    with pytest.raises(RequestError):
        Kactus(k=2, tree=read_tree(path.read_text()))
