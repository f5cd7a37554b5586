"""Names mean what DuckDB takes them for on the connection: no other table, no other place."""

import json
from pathlib import Path

import duckdb
import pandas
import pytest
from support import every, mostly_slow, ppdt, read, temporaries

import ppdt_db
from ppdt_db import Attribute, Mondrian, RequestError
from ppdt_db.engine import DuckEngine
from ppdt_db.evaluate.result import Comparison
from ppdt_db.evaluate.run import store_rounds
from ppdt_db.learn import confusion_matrix, predict_into, store
from ppdt_db.source.resolve import place_of, table_of
from ppdt_db.sqltext.quoting import join_path, parts_of

# The text of each table says where it stands.
PEOPLE = (
    "CREATE TABLE {0} AS SELECT i AS id, i % 7 AS age, '{1}' AS place, "
    "concat('{1}', i % 3) AS illness FROM range(60) AS r (i)"
)


def put(con: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Tables of people under these names; each tells its own."""
    for name in names:
        con.execute(PEOPLE.format(name, name.replace('"', "")))


def hide(con: duckdb.DuckDBPyConnection, source: object, **options: object) -> ppdt_db.Release:
    asked: dict = {
        "identifiers": ["id"], "quasi": ["age"], "sensitive": ["illness"], "keep": ["place"],
        "method": Mondrian(k=5), "into": "rel", **options,
    }  # fmt: skip
    if asked.get("out") is not None:
        asked["into"] = None
    return ppdt_db.anonymize(con, source, **asked)


def told(con: duckdb.DuckDBPyConnection, relation: str) -> str:
    """The table that a relation was made from."""
    ((place,),) = con.execute(f"SELECT DISTINCT place FROM {relation}").fetchall()
    return place


def objects(con: duckdb.DuckDBPyConnection) -> list[tuple]:
    """All tables and views, in whatever database."""
    return con.execute(
        "SELECT database_name, schema_name, table_name, estimated_size FROM duckdb_tables() "
        "UNION ALL SELECT database_name, schema_name, view_name, 0 FROM duckdb_views() ORDER BY ALL"
    ).fetchall()


@pytest.fixture
def hr(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Two schemas, and another database, with a table of one name."""
    con.execute("CREATE SCHEMA hr; ATTACH ':memory:' AS far; CREATE SCHEMA far.deep")
    put(con, "main.person", "hr.person", "far.main.person", "far.deep.person", "far.deep.alone")
    return con


# -- what is read --

SETTINGS = {
    "nothing": "SELECT 1",
    "use hr": "USE hr",
    "use far": "USE far",
    "use far.deep": "USE far.deep",
    "search path": "SET search_path = 'hr,main'",
    "search path of two databases": "SET search_path = 'far.deep,memory.hr'",
}
NAMES = [
    "person", "PERSON", '"person"', '"PERSON"', "hr.person", "HR.Person", "main.person",
    "far.person",
    "far.deep.person", "FAR.deep.person", "memory.hr.person", 'memory."hr"."person"', "deep.person",
    "memory.person", "alone", "deep.alone", "nowhere.person", "far.hr.person",
]  # fmt: skip


@pytest.mark.parametrize("setting", mostly_slow(SETTINGS, "search path of two databases"))
@pytest.mark.parametrize("name", every(3, NAMES))
def test_a_source_is_what_duckdb_reads_under_its_name(
    hr: duckdb.DuckDBPyConnection, setting: str, name: str
) -> None:
    hr.execute(SETTINGS[setting])
    before = objects(hr)
    try:
        wanted = told(hr, name)
    except duckdb.Error:
        with pytest.raises(RequestError, match="no such table"):
            hide(hr, name)
        assert objects(hr) == before
        return
    release = hide(hr, name)
    path = [*map(str, release.certificate["release"].split("."))]
    assert told(hr, ".".join(path)) == wanted
    assert path == [*here(hr), "rel"]
    assert release.certificate["source"] == full(wanted)
    assert temporaries(hr) == []


def here(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    (row,) = con.execute("SELECT current_database(), current_schema()").fetchall()
    return row


def full(told_place: str) -> str:
    """The full name of a table by what its rows say."""
    return told_place if told_place.count(".") == 2 else f"memory.{told_place}"


def test_a_temporary_table_comes_first_as_it_does_for_duckdb(hr: duckdb.DuckDBPyConnection) -> None:
    hr.execute(PEOPLE.format("person", "temp.main.person").replace("TABLE", "TEMP TABLE"))
    assert hide(hr, "person").certificate["source"] == "temp.main.person"
    assert told(hr, "rel") == "temp.main.person"
    assert hide(hr, "main.person", into="r2").certificate["source"] == told(hr, "main.person")
    assert hide(hr, "memory.main.person", into="r3").certificate["source"] == "memory.main.person"


def test_a_name_of_a_schema_and_of_a_database_is_ambiguous(hr: duckdb.DuckDBPyConnection) -> None:
    hr.execute("ATTACH ':memory:' AS hr")
    put(hr, "hr.main.person")
    for options in ({"source": "hr.person"}, {"source": "person", "into": "hr.rel"}):
        before = objects(hr)
        with pytest.raises(RequestError, match="both a database and a schema"):
            hide(hr, options.pop("source"), **options)
        assert objects(hr) == before
    assert hide(hr, "hr.main.person").certificate["source"] == "hr.main.person"
    hide(hr, "memory.hr.person", into="memory.hr.rel")
    assert told(hr, "memory.hr.rel") == "hr.person"


@pytest.mark.parametrize(
    "name",
    every(3, ["a.b", "my table", "select", 'with "quotes"', "Größe", "patients.parquet", " "]),
)
def test_a_quoted_name_is_one_name(con: duckdb.DuckDBPyConnection, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    con.execute("CREATE SCHEMA hr")
    put(con, f"hr.{quoted}")
    hide(con, f"hr.{quoted}", into=f'hr."rel {name[:1]}.x"'.replace('""', "'"))
    assert table_of(DuckEngine(con), f"hr.{quoted}").path == ("memory", "hr", name)


def test_parts_are_read_as_duckdb_reads_them() -> None:
    assert parts_of('hr."a.b"') == ("hr", "a.b")
    assert parts_of('"say ""hi""".t') == ('say "hi"', "t")
    assert parts_of("a.b.c") == ("a", "b", "c")
    for text in ("my table", 'we"ird', "a..b", ".a", "a.", '""', '"open'):
        assert parts_of(text) == (text,)
    for path in (("a", "b"), ("a b", 'c"d', "e.f"), ("x",)):
        assert parts_of(join_path(path)) == path


def test_a_table_in_another_schema_is_not_found_but_named(hr: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(RequestError, match=r"far\.deep\.alone"):
        hide(hr, "alone")


def test_neither_a_variable_nor_a_file_is_taken_for_a_name(
    hr: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = pandas.DataFrame(
        {"id": [1] * 20, "age": [1] * 20, "place": "py", "illness": ["a"] * 20}
    )
    only_here = alone
    (tmp_path / "plain").write_text("id,age,place,illness\n1,1,a,b\n" * 9)
    assert len(only_here) == 20
    for name in ("only_here", "alone", "plain", "given", "engine"):
        with pytest.raises(RequestError, match="no such table"):
            hide(hr, name)


def test_a_view_that_lost_its_table_is_said_to_be_so(con: duckdb.DuckDBPyConnection) -> None:
    put(con, "gone")
    con.execute("CREATE VIEW v AS FROM gone; DROP TABLE gone")
    with pytest.raises(RequestError, match="view"):
        hide(con, "v")


def test_views_over_frames_and_registered_frames_are_found(con: duckdb.DuckDBPyConnection) -> None:
    frame = pandas.DataFrame(
        {"id": range(20), "age": [1] * 20, "place": "py", "illness": ["a"] * 20}
    )
    con.register("people", frame)
    con.execute("CREATE TEMP VIEW through AS FROM people")
    for name in ("people", "through"):
        assert hide(con, name, replace=True).certificate["source"] == f"temp.main.{name}"


# -- a caller's transaction --


def test_a_wrong_name_leaves_the_callers_transaction_alone(hr: duckdb.DuckDBPyConnection) -> None:
    hr.begin()
    hr.execute("CREATE TABLE mine AS SELECT 1 AS one")
    for options in (
        {"source": "nowhere"}, {"source": "alone"}, {"source": "person", "into": "nowhere.rel"},
        {"source": "person", "into": "far.nowhere.rel"},
    ):  # fmt: skip
        with pytest.raises(RequestError):
            hide(hr, options.pop("source"), **options)
    hide(hr, "hr.person", into="hr.rel")
    hr.commit()
    assert told(hr, "hr.rel") == "hr.person"
    assert read(hr, "mine") == [(1,)]


# -- where a release goes --


PLACES = [
    "rel", "hr.rel", "main.rel", "far.rel", "deep.rel", "far.deep.rel", "memory.rel", "REL",
    '"my rel"', 'far."a.b"', "nowhere.rel", "far.nowhere.rel", "temp.rel",
]  # fmt: skip


@pytest.mark.parametrize("setting", mostly_slow(SETTINGS, "search path of two databases"))
@pytest.mark.parametrize("into", every(3, PLACES))
def test_a_release_goes_where_duckdb_would_make_a_view(
    hr: duckdb.DuckDBPyConnection, setting: str, into: str
) -> None:
    hr.execute(SETTINGS[setting])
    search_path = hr.execute("SELECT current_setting('search_path')").fetchall()
    views = (
        "SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal "
        "AND view_name NOT LIKE 'live%'"
    )
    hr.begin()
    try:
        hr.execute(f"CREATE VIEW {into} AS SELECT 1 AS one")
        wanted = hr.execute(views).fetchall()
    except duckdb.Error:
        wanted = None
    hr.rollback()
    before = objects(hr)
    if wanted is None:
        with pytest.raises(RequestError):
            hide(hr, "memory.hr.person", into=into)
        assert objects(hr) == before
    else:
        release = hide(hr, "memory.hr.person", into=into)
        assert hr.execute(views).fetchall() == wanted
        assert release.certificate["release"] == join_path(wanted[0])
        assert told(hr, join_path(wanted[0])) == "hr.person"
        database = wanted[0][0]
        parts = hr.execute(
            "SELECT DISTINCT database_name FROM duckdb_tables() WHERE schema_name = 'ppdt'"
        ).fetchall()
        assert parts == [(database,)], "the record and the parts stand in the release's database"
        ppdt_db.drop(hr, into)
        assert hr.execute(views).fetchall() == []
    assert hr.execute("SELECT current_setting('search_path')").fetchall() == search_path


@pytest.mark.slow
def test_two_releases_of_one_name_in_two_schemas(hr: duckdb.DuckDBPyConnection) -> None:
    hide(hr, "main.person")
    hr.execute("USE hr")
    hide(hr, "person")
    assert (told(hr, "memory.main.rel"), told(hr, "memory.hr.rel")) == ("main.person", "hr.person")
    assert sorted(e.name for e in ppdt_db.releases(hr)) == ["hr.rel", "rel"]
    with pytest.raises(RequestError, match="exists"):
        hide(hr, "person")
    hide(hr, "person", replace=True)
    assert told(hr, "memory.main.rel") == "main.person"
    assert "hr.rel" in ppdt_db.report(hr, "rel")
    ppdt_db.drop(hr, "rel")
    assert told(hr, "memory.main.rel") == "main.person"
    with pytest.raises(RequestError, match="there is no release"):
        ppdt_db.drop(hr, "hr.rel")
    with pytest.raises(RequestError, match=r"On this connection the name means memory\.hr\.person"):
        ppdt_db.drop(hr, "person")
    ppdt_db.drop(hr, "main.rel")


def test_a_temporary_table_in_the_way_of_a_release_is_told(hr: duckdb.DuckDBPyConnection) -> None:
    hr.execute("CREATE TEMP TABLE rel AS SELECT 1 AS one")
    with pytest.raises(RequestError, match="exists"):
        hide(hr, "person")
    assert read(hr, "rel") == [(1,)]


def test_a_live_view_holds_full_names(hr: duckdb.DuckDBPyConnection) -> None:
    hr.execute("USE hr")
    hide(hr, "person", live=True, accept=["state-by-state", "reader-side-channels"])
    hr.execute("USE far.deep")
    assert told(hr, "memory.hr.rel") == "hr.person"
    hr.execute("DELETE FROM memory.main.person; DELETE FROM far.deep.person")
    assert len(read(hr, "memory.hr.rel")) == 60
    hr.execute("USE memory; DELETE FROM hr.person")
    assert read(hr, "hr.rel") == []


# -- every other door --


@pytest.mark.parametrize(
    "setting", mostly_slow(["use hr", "search path of two databases"], "use hr")
)
def test_every_door_takes_the_same_table(
    hr: duckdb.DuckDBPyConnection, setting: str, tmp_path: Path
) -> None:
    hr.execute("DELETE FROM memory.main.person; DELETE FROM far.main.person")
    for table in ("memory.hr.person", "far.deep.person"):
        hr.execute(f"INSERT INTO {table} SELECT i, i % 7, 'x', 'more' FROM range(11) AS r (i)")
    hr.execute(SETTINGS[setting])
    assert ppdt_db.profile(hr, "person").n_rows == 71
    audit = ppdt_db.audit(
        hr, "person", quasi=["age"], sensitive=["illness"], original="person", population="person"
    )
    assert audit.measures["rows"] == 71
    plan = ppdt_db.plan(hr, "person", quasi=["age"], identifiers=["id"], keep="rest")
    assert plan.rows == 71
    tree = ppdt_db.learn(hr, "person", target="illness", features=["age"])
    assert sum(confusion_matrix(hr, tree, "person", target="illness").values()) == 71
    predict_into(hr, tree, "person", into="guessed")
    assert len(read(hr, ".".join((*here(hr), "guessed")))) == 71
    with pytest.raises(RequestError, match="there is a table or view"):
        predict_into(hr, tree, "person", into="guessed")
    found = ppdt_db.evaluate(hr, "person", target="illness", features=["age"], cv="2")
    assert sum(fold.n_rows for fold in found.folds) == 71
    store_rounds(hr, Comparison(evaluations=[found]), into="rounds")
    store(hr, tree, into="tree")
    assert place_of(DuckEngine(hr), "tree") == (*here(hr), "tree")
    for made in ("rounds", "tree"):
        assert read(hr, ".".join((*here(hr), made)))


def test_a_hierarchy_is_the_relation_that_duckdb_reads(hr: duckdb.DuckDBPyConnection) -> None:
    for schema, root in (("main", "wrong"), ("hr", "right")):
        hr.execute(
            f"CREATE TABLE {schema}.ages AS SELECT i AS age, i // 4 AS low, '{root}' AS root "
            "FROM range(7) AS r (i)"
        )
    hr.execute("USE hr")
    hide(hr, "person", quasi=[Attribute("age", hierarchy="ages")], method=Mondrian(k=60))
    assert read(hr, "rel", ["age"])[0] == ("right",)


def test_the_command_line_takes_names_as_duckdb_does(tmp_path: Path) -> None:
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE SCHEMA hr")
        put(con, "main.person", "hr.person", 'hr."my table"')
    flags = ["--id", "id", "--qi", "age", "--keep", "rest", "--k", 5, "--db", path, "--quiet"]
    for source, into in (
        ("clinic.person", "clinic.r1"), ("clinic.hr.person", "hr.r2"),
        ('hr."my table"', 'hr."r 3"'),
    ):  # fmt: skip
        ended = ppdt("anonymize", source, *flags, "--into", into, "--json")
        assert ended.code == 0, ended.err
        made = json.loads(ended.out)
        assert made["source"].startswith("clinic.") and made["release"].startswith("clinic.")
        assert ppdt("drop", into, "--db", path).code == 0
    assert ppdt("anonymize", "hr.my table", *flags, "--into", "r").code == 0
