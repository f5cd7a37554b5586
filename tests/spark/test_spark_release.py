"""One result: on the same input, Spark makes the release that DuckDB makes."""

import re
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import pytest
from support import mostly_slow, ppdt

import ppdt_db
from ppdt_db import C45, Attribute, GuaranteeError, Kactus, Mondrian, RequestError
from ppdt_db.audit import Finding
from ppdt_db.encode.pseudonyms import pseudonym_params
from ppdt_db.engine.spark.folders import owner
from ppdt_db.methods.algorithms.partition import Criterion
from ppdt_db.release import prove
from ppdt_db.sqltext.quoting import Private

HOSTILE = 'ill "x` y'
# Every type that both have; NULLs, ties, dates, a name with quotes of both kinds.
PEOPLE = f"""
    CREATE TABLE people AS
    SELECT
        (i * 7919) % 60 AS age,
        ['m', 'f', NULL, 'x''y', ''][1 + (i * 31) % 5] AS sex,
        CASE WHEN i % 11 <> 0 THEN DATE '2000-01-01' + CAST((i * 13) % 40 AS INTEGER) END AS born,
        CASE (i * 17) % 9 WHEN 0 THEN 'nan' WHEN 1 THEN 'inf' WHEN 2 THEN '-0.0' WHEN 3 THEN '1e-7'
            WHEN 4 THEN '123456789.25' WHEN 5 THEN '1e20' WHEN 6 THEN NULL WHEN 7 THEN '2.0e-12'
            ELSE CAST(((i * 37) % 11) / 7 AS VARCHAR)
        END::DOUBLE AS weight,
        [-8.255807e13, 0.1, 9.504532e-9, 'nan', NULL, 3][1 + (i * 29) % 6]::FLOAT AS pace,
        (((i * 43) % 37) / 10000)::DECIMAL(4, 4) AS share,
        CAST((i * 41) % 23 AS DECIMAL(8, 2)) / 4 AS cost,
        TIMESTAMP '2020-01-01 00:00:00.5' + to_milliseconds((i * 53) % 31 * 250) AS seen,
        CAST('2020-06-01 12:00:00+00' AS TIMESTAMPTZ) + to_milliseconds((i * 7) % 5 * 750) AS told,
        i % 3 = 0 AS smokes,
        ['flu', 'cold', 'gout', NULL][1 + (i * i * 3 + i) % 4] AS "{HOSTILE.replace('"', '""')}",
        concat('person ', i // 2) AS person,
        concat('word ', (i * 59) % 70) AS word,
        i % 13 AS kept
    FROM range(400) AS r (i)
"""
ALL = ["age", "sex", "born", "weight", "pace", "share", "cost", "seen", "told", "smokes"]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "people.parquet"
    with duckdb.connect() as con:
        con.execute(PEOPLE)
        con.execute(f"COPY people TO '{path}'")
    return path


def rows(con: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    """The rows as text: NaN equals itself there."""
    text = f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM {relation} ORDER BY ALL"
    return [str(row) for row in con.execute(text).fetchall()]


def both(spark: object, people: Path, out: Path, **given: Any) -> dict[str, object]:
    """Release on both engines, compare, and give Spark's certificate."""
    on_spark = ppdt_db.anonymize(spark, str(people), out=str(out), seed=7, **given)
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        here = ppdt_db.anonymize(con, people, into="here", seed=7, **given)
        assert rows(con, f"'{out}/*.parquet'") == rows(con, "here")
        columns = con.execute("DESCRIBE here").fetchall()
        assert [c[:2] for c in con.execute(f"DESCRIBE FROM '{out}/*.parquet'").fetchall()] == [
            c[:2] for c in columns
        ]
    for name in ("k_measured", "l_measured", "classes", "measures", "rows_out", "findings"):
        assert on_spark.certificate[name] == here.certificate[name], name
    assert sorted(p.name for p in out.parent.iterdir()) == [out.name]
    return dict(on_spark.certificate)


def test_every_type(spark: object, people: Path, tmp_path: Path) -> None:
    made = both(
        spark, people, tmp_path / "o.parquet", quasi=ALL, sensitive=[HOSTILE, "kept"], keep="rest",
        pseudonymize=["person"], pseudonym_key="a key of 16 bytes", link_pseudonyms=True,
        method=Mondrian(k=7, t=0.9),
    )  # fmt: skip
    assert "spark" in made["versions"]  # type: ignore[operator]


def test_loss_and_diversity_and_people(spark: object, people: Path, tmp_path: Path) -> None:
    both(
        spark, people, tmp_path / "o.parquet", sensitive=[HOSTILE], entity="person",
        pseudonymize=["share"], pseudonym_key="a key of 16 bytes", link_pseudonyms=True,
        quasi=[Attribute("age", "bounds"), Attribute("sex", order=["", "f", "m", "x'y"]),
               Attribute("born", "mean"), Attribute("smokes", "mode"), Attribute("pace", "mode"),
               Attribute("seen", "mean"), Attribute("told", "mean"), Attribute("word", "mode")],
        keep=["kept", "weight", "cost"],
        method=Mondrian(k=4, l=2, t=0.6, criterion="ncp"),
    )  # fmt: skip


@pytest.mark.parametrize("recode", ["mean", "midpoint"])
def test_large_whole_numbers_as_one(spark: object, tmp_path: Path, recode: Any) -> None:
    source = tmp_path / "large.parquet"
    duckdb.sql(
        f"""COPY (
            SELECT
                CASE i % 50 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775808
                    ELSE (i * 7919) % 1000 * 9007199254740993 END::BIGINT AS place,
                (i % 20)::DECIMAL(38, 0) * 99999999999999999999999999 AS mass,
                concat(i % 20 - 9, '2345678901234567890123456.0123456789')::DECIMAL(38, 10) AS heft,
                i % 7 AS age
            FROM range(200) AS r (i)
        ) TO '{source}'"""
    )
    (tmp_path / "there").mkdir()
    # A DOUBLE's last digit may differ where a mean of many digits is near two.
    names = ["place", "mass", "age", *(["heft"] if recode == "midpoint" else [])]
    both(
        spark, source, tmp_path / "there" / "o.parquet",
        quasi=[Attribute(name, recode) for name in names], identifiers="rest",
        method=Mondrian(k=6),
    )  # fmt: skip


def test_midpoints_of_every_type(spark: object, people: Path, tmp_path: Path) -> None:
    names = ["age", "born", "seen", "told", "cost", "share", "pace", "weight"]
    both(
        spark, people, tmp_path / "o.parquet", quasi=[Attribute(n, "midpoint") for n in names],
        keep="rest", method=Mondrian(k=6),
    )  # fmt: skip


@pytest.mark.parametrize("criterion", mostly_slow(["median", "median-left"], "median"))
def test_cuts_at_the_median(
    spark: object, people: Path, tmp_path: Path, criterion: Criterion
) -> None:
    both(
        spark, people, tmp_path / "o.parquet", quasi=["age", "smokes", "sex"],
        sensitive=[HOSTILE], keep="rest", method=Mondrian(k=4, l=2, criterion=criterion),
    )  # fmt: skip


def test_along_a_tree(spark: object, people: Path, tmp_path: Path) -> None:
    both(
        spark, people, tmp_path / "o.parquet", quasi=["age", "sex", "born", "smokes"],
        target=HOSTILE, keep="rest",
        identifiers=["person", "weight", "pace", "share", "cost", "seen", "told"],
        method=Kactus(k=20, min_rows=4),
    )  # fmt: skip


def test_the_same_tree(spark: object, people: Path) -> None:
    given: dict[str, Any] = {
        "target": HOSTILE,
        "features": ["age", "sex", "born", "cost", "share", "smokes"],
        "learner": C45(min_rows=6),
    }
    told: list[str] = []
    run = type(spark).sql

    def sql(session: Any, text: str, **others: Any) -> Any:
        told.append(text)
        return run(session, text, **others)

    with mock.patch.object(type(spark), "sql", sql):
        tree = ppdt_db.learn(spark, str(people), **given)
    # Spark 4.0 knows no such statement, and later ones end it after a million rows.
    assert told and not any("RECURSIVE" in text for text in told)
    with duckdb.connect() as con:
        assert tree == ppdt_db.learn(con, people, **given)
    assert len(tree.nodes) > 3


def test_the_same_tree_over_ranges(spark: object, tmp_path: Path) -> None:
    source = tmp_path / "ranges.parquet"
    duckdb.sql(
        "COPY (SELECT '[' || i % 9 || ', ' || i % 9 + i % 4 || ']' AS age, i * 7 % 13 AS n, "
        f"i % 9 > 4 OR i % 13 = 2 AS ill FROM range(400) AS r (i)) TO '{source}'"
    )
    tree = ppdt_db.learn(spark, str(source), target="ill", learner=C45(min_rows=6))
    with duckdb.connect() as con:
        assert tree == ppdt_db.learn(con, source, target="ill", learner=C45(min_rows=6))
    assert len(tree.nodes) > 3


def test_the_same_tree_over_sets(spark: object, tmp_path: Path) -> None:
    source = tmp_path / "sets.parquet"
    duckdb.sql(
        "COPY (SELECT CASE WHEN i % 11 = 0 THEN [] WHEN i % 17 > 0 THEN list_distinct("
        "['a' || i % 5, 'a' || i % 3, CASE WHEN i % 7 = 0 THEN NULL ELSE 'b' END]) END AS town, "
        "CASE WHEN i % 13 > 0 THEN 'c' || i % 4 END AS kind, [CAST(i % 3 AS DOUBLE), 7] AS n, "
        "[DATE '2020-01-01' + CAST(i % 4 AS INTEGER)] AS born, "
        f"i % 5 > 2 OR i % 3 = 2 AS ill FROM range(400) AS r (i)) TO '{source}'"
    )
    tree = ppdt_db.learn(spark, str(source), target="ill", learner=C45(min_rows=6))
    with duckdb.connect() as con:
        assert tree == ppdt_db.learn(con, source, target="ill", learner=C45(min_rows=6))
    assert len(tree.nodes) > 3


SMALL: dict[str, Any] = {
    "quasi": ["age", "smokes"],
    "keep": "rest",
    "identifiers": ["person"],
    "method": Mondrian(k=40),
}


def dead_process(between: str) -> str:
    """This machine and a process that is no more, as names of ours say them."""
    machine, _, _ = owner().partition("-")
    with subprocess.Popen(["true"]) as gone:
        return f"{machine}{between}{gone.pid}"


def test_sources_and_tables(spark: Any, people: Path) -> None:
    frame = spark.read.parquet(str(people))
    frame.createOrReplaceTempView("people_view")
    for left in ("part", "replaced"):
        name = f"ppdt_{left}_{dead_process('_')}_0123abcd_{left}_table"
        spark.range(3).write.saveAsTable(name)
    # One was killed before the catalog knew its table; another one is still at it.
    warehouse = Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))
    alive = warehouse / f"ppdt_part_{owner().replace('-', '_')}_0123abcd_early"
    early = warehouse / f"ppdt_part_{dead_process('_')}_0123abcd_early"
    for folder in (alive, early):
        (folder / "_temporary").mkdir(parents=True)
    before = dict(spark.sparkContext.getConf().getAll()), spark.conf.get("spark.sql.ansi.enabled")
    for source in (frame, "people_view"):
        released = ppdt_db.anonymize(spark, source, into="people_k", replace=True, **SMALL)
        assert released.certificate["k_measured"] >= 40
        assert spark.table("people_k").count() == 400
    with pytest.raises(RequestError, match="exists"):
        ppdt_db.anonymize(spark, frame, into="people_k", **SMALL)
    again = ppdt_db.anonymize(
        spark, "people_k", quasi=["kept"], keep="rest", into="people_2", method=Mondrian(k=20)
    )
    assert again.certificate["rows_out"] == 400
    assert alive.is_dir() and not early.exists()
    alive.joinpath("_temporary").rmdir()
    alive.rmdir()
    found = {table.name for table in spark.catalog.listTables()}
    assert found == {"people_view", "people_k", "people_2", "replaced_table"}
    assert before == (
        dict(spark.sparkContext.getConf().getAll()), spark.conf.get("spark.sql.ansi.enabled")
    )  # fmt: skip


def test_nothing_is_seen_where_the_audit_fails(spark: Any, people: Path, tmp_path: Path) -> None:
    bad = [Finding(name="columns kept", required=1, measured=0, passed=False)]
    with mock.patch.object(prove, "_kept_columns_findings", lambda *_: bad):
        for place in ({"out": str(tmp_path / "o.parquet")}, {"into": "never_seen"}):
            with pytest.raises(GuaranteeError, match="columns kept"):
                ppdt_db.anonymize(spark, str(people), **SMALL, **place)
    assert list(tmp_path.iterdir()) == []
    assert "never_seen" not in {table.name for table in spark.catalog.listTables()}
    assert not any(t.name.startswith("ppdt_") for t in spark.catalog.listTables())


def test_a_standing_release_is_replaced_whole_or_kept(
    spark: Any, people: Path, tmp_path: Path
) -> None:
    out = tmp_path / "o.parquet"
    left = tmp_path / ".ppdt-elsewhere-1-aa"
    left.mkdir()
    # Runs of this machine that were killed: one at its work, one while it replaced a release.
    gone = dead_process("-")
    for place in ("1/lost.parquet", "2/back.parquet", "2/replaced"):
        (tmp_path / f".ppdt-{gone}-{place}").mkdir(parents=True)
    ppdt_db.anonymize(spark, str(people), out=str(out), **SMALL)
    first = spark.read.parquet(str(out)).count()
    with pytest.raises(RequestError, match="--replace"):
        ppdt_db.anonymize(spark, str(people), out=str(out), **SMALL)
    ppdt_db.anonymize(spark, str(people), out=str(out), replace=True, **SMALL)
    assert spark.read.parquet(str(out)).count() == first
    # What another machine left is not ours to remove.
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found == [left.name, "back.parquet", "o.parquet"]


def test_reliable_checkpoints_are_removed(spark: Any, people: Path, tmp_path: Path) -> None:
    inner = spark.sparkContext._jsc.sc()
    spark.sparkContext.setCheckpointDir(str(tmp_path / "checkpoints"))
    try:
        ppdt_db.anonymize(spark, str(people), out=str(tmp_path / "o.parquet"), **SMALL)
    finally:
        getattr(inner, "checkpointDir_$eq")(spark.sparkContext._jvm.scala.Option.empty())
    assert not [p for p in (tmp_path / "checkpoints").rglob("*") if p.is_file()]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"method": ppdt_db.Mdav(k=5)}, "method mdav is not supported on Spark"),
        ({"method": Mondrian(k=5, relaxed=True)}, "--relaxed is not supported on Spark"),
        ({"method": Mondrian(k=5, criterion="infogain")}, "criterion infogain is not supported"),
        ({"method": Kactus(k=5, refine=True), "target": "smokes"}, "--refine is not supported"),
        ({"live": True}, "--live is not supported on Spark"),
        ({"rules": "r.duckdb"}, "--rules is not supported on Spark"),
        ({"out": "a.csv"}, "Spark writes Parquet only; end the path in .parquet"),
        ({"out": "no/such/a.parquet"}, "the folder does not exist"),
        ({"out": "foo://x/a.parquet"}, "Spark cannot reach this place"),
        ({"out": None, "into": "x y"}, "write NAME or SCHEMA.NAME"),
        ({"out": None, "into": "nowhere.x"}, 'no schema "nowhere"'),
        ({"engine": "duckdb"}, "got a SparkSession"),
        ({"quasi": ["agee"]}, "Did you mean"),
    ],
)  # fmt: skip
def test_what_is_refused_by_name(
    spark: object, people: Path, given: dict[str, Any], wanted: str
) -> None:
    asked: dict[str, Any] = {
        "quasi": ["age"], "keep": "rest", "out": "never.parquet", "method": Mondrian(k=5), **given,
    }  # fmt: skip
    with pytest.raises(RequestError, match=wanted):
        ppdt_db.anonymize(spark, str(people), **asked)


def test_errors_tell_no_value(
    spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = spark.sql("SELECT CAST(concat('Zebedee-4711', id) AS INT) AS age, id FROM range(50)")
    log = spark.sparkContext._jvm.org.apache.logging.log4j.LogManager
    levels: list[str] = []

    def look(*_: object) -> None:
        levels.append(str(log.getRootLogger().getLevel()))

    spark.sparkContext.setLogLevel("WARN")
    with pytest.raises(ppdt_db.EngineError) as raised:
        ppdt_db.anonymize(spark, broken, quasi=["age"], keep="rest", method=Mondrian(k=5),
                          out=str(tmp_path / "o.parquet"), progress=look)  # fmt: skip
    look()
    spark.sparkContext.setLogLevel("OFF")
    assert levels[0] == "OFF" and levels[-1] == "WARN"
    said = capfd.readouterr()
    assert "Zebedee" not in said.out + said.err
    assert "Zebedee" not in str(raised.value) and "Nothing was released" in str(raised.value)
    assert raised.value.__cause__ is None and list(tmp_path.iterdir()) == []


def test_no_plan_holds_a_key(spark: Any, tmp_path: Path) -> None:
    """Plans stand in Spark's log of events and on its pages."""
    given: list[object] = []
    run = type(spark).sql

    def sql(session: Any, text: str, args: Any = None, **others: Any) -> Any:
        given.extend([text, *(args or {}).values()])
        return run(session, text, args, **others)

    source = spark.sql("SELECT id % 4 AS age, concat('p', id) AS name FROM range(40)")
    with mock.patch.object(type(spark), "sql", sql):
        released = ppdt_db.anonymize(
            spark, source, quasi=[Attribute("age")], pseudonymize=["name"], seed=3,
            pseudonym_key="a swordfish of 16 bytes", link_pseudonyms=True, method=Mondrian(k=5),
            out=str(tmp_path / "o.parquet"),
        )  # fmt: skip
    assert released.certificate["rows_out"] == 40 and len(given) > 40
    bound = pseudonym_params("a swordfish of 16 bytes", "").values()
    pads = {str(pad) for pad in bound if isinstance(pad, Private)}
    assert len(pads) == 2 and not any(pad in str(value) for pad in pads for value in given)
    assert not any(re.search("[0-9a-f]{64}", str(value)) for value in given)


def test_what_runs_in_duckdb_alone_says_so(spark: Any) -> None:
    with pytest.raises(RequestError, match="expected a DuckDB connection"):
        ppdt_db.audit(spark, "people", quasi=["age"])


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        (["a", "b", "b"], '"b": two columns have this name'),
        (["a", "\u00c9", "\u00e9"], "Spark ignores case"),
        (["a", ""], "has no name"),
        (["a", "x\0y"], "NUL character"),
        ([], "has no columns"),
        (["a", "x${spark.app.name}"], "as a variable"),
    ],
)
def test_names_that_no_statement_can_say(spark: Any, columns: list[str], wanted: str) -> None:
    frame = spark.range(9).selectExpr(*["id" for _ in columns]).toDF(*columns)
    with pytest.raises(RequestError, match=wanted):
        ppdt_db.anonymize(spark, frame, quasi=["a"], keep="rest", out="never.parquet")


@pytest.mark.parametrize(
    "value",
    ["map('k', id)", "named_struct('x', array(map('k', id)))", "parse_json('1')",
     "make_interval(1, 2, 3)", "TIME'12:30:00'"],
)  # fmt: skip
def test_types_that_spark_cannot_release(spark: Any, value: str) -> None:
    if value.startswith("TIME") and spark.version < "4.1":
        pytest.skip("this Spark has no times of day")
    frame = spark.sql(f"SELECT id % 4 AS a, {value} AS x FROM range(40)")
    with pytest.raises(RequestError, match=r'"x": type .* is not supported on Spark'):
        ppdt_db.anonymize(spark, frame, quasi=["a"], keep="rest", out="never.parquet")
    with pytest.raises(
        RequestError, match=r"supported( on Spark|, since its values have no order)"
    ):
        ppdt_db.anonymize(spark, frame, quasi=["x"], keep="rest", out="never.parquet")


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP", "TIMESTAMP_NTZ"])
def test_days_that_the_engines_write_otherwise(spark: Any, kind: str) -> None:
    days = ["-0043-03-15", "+10000-01-01", "2020-05-05", "9999-12-31"]
    frame = spark.sql(f"SELECT CAST({days[0]!r} AS {kind}) AS a")
    for day in [*days[1:], *days[2:]]:
        frame = frame.unionAll(spark.sql(f"SELECT CAST({day!r} AS {kind}) AS a"))
    given: dict[str, Any] = {"out": "never.parquet", "method": Mondrian(k=2)}
    with pytest.raises(
        RequestError, match='"a": 2 values are infinite or outside the years 1 to 9999'
    ):
        ppdt_db.anonymize(spark, frame, quasi=["a"], **given)


def test_what_is_read_is_spared(spark: Any, tmp_path: Path) -> None:
    folder, link = tmp_path / "my folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    source = folder / "people [1].parquet"
    spark.range(40).selectExpr("id % 4 AS a").write.parquet(str(source))
    spark.range(40).selectExpr("id % 4 AS a").write.saveAsTable("spared")
    spark.sql("CREATE VIEW spared_view AS SELECT a FROM spared")
    cached = spark.table("spared").cache()
    given: dict[str, Any] = {"quasi": ["a"], "method": Mondrian(k=5), "replace": True}
    places = [source, source / "o.parquet", link / source.name, folder / "x/.." / source.name]
    for place in places:
        with pytest.raises(RequestError, match=r"(this is the source|cannot be written)"):
            ppdt_db.anonymize(spark, str(source), out=str(place), **given)
    for read in ("spared", "spared_view", cached):
        with pytest.raises(RequestError, match="made from this table"):
            ppdt_db.anonymize(spark, read, into="default.SPARED", **given)
    cached.unpersist()
    assert spark.table("spared").columns == ["a"]
    spark.range(3).createOrReplaceTempView("spared_temp")
    for name in ("spared", "spared_view", "spared_temp"):
        with pytest.raises(RequestError, match="that ppdt did not create"):
            ppdt_db.anonymize(spark, str(source), into=name, **given)
    # Brackets in a path are only letters.
    released = ppdt_db.anonymize(spark, source, out=str(folder / "o [2].parquet"), **given)
    assert released.certificate["rows_out"] == 40
    spark.sql("DROP VIEW spared_view")
    spark.catalog.dropTempView("spared_temp")
    spark.sql("DROP TABLE spared")


def test_a_schema_of_the_callers(spark: Any) -> None:
    """What a name means to the caller it means to us, and no setting of the caller's matters."""
    spark.sql("CREATE DATABASE ward")
    mine = {
        "spark.sql.caseSensitive": "true", "spark.sql.ansi.enabled": "false",
        "spark.sql.session.timeZone": "Asia/Kolkata", "spark.sql.shuffle.partitions": "1",
        "spark.sql.parser.escapedStringLiterals": "true", "spark.sql.adaptive.enabled": "false",
    }  # fmt: skip
    before = {name: spark.conf.get(name) for name in mine}
    try:
        spark.catalog.setCurrentDatabase("ward")
        for name, value in mine.items():
            spark.conf.set(name, value)
        spark.range(40).selectExpr("id % 4 AS a", "timestamp_micros(id) AS seen").write.saveAsTable(
            "patients"
        )
        released = ppdt_db.anonymize(
            spark, "patients", quasi=["a", "seen"], into="patients_k", method=Mondrian(k=20)
        )
        assert released.certificate["rows_out"] == 40
        assert {t.namespace[0] for t in spark.catalog.listTables() if not t.isTemporary} == {"ward"}
        shown = {row[1] for row in spark.table("patients_k").collect()}
        assert all(text.startswith("[1970-01-01 00:00:00") and "+00" in text for text in shown)
        assert {name: spark.conf.get(name) for name in mine} == mine
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
        spark.catalog.setCurrentDatabase("default")
        spark.sql("DROP DATABASE ward CASCADE")


def test_the_command_line(spark: object, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.parquet"
    ended = ppdt(
        "anonymize", people, "--engine", "spark", "--qi", "age,smokes", "--keep", "rest", "--id",
        "person", "--k", 40, "--out", out, "--json",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert ended.json["k_measured"] >= 40 and out.is_dir()
    ended = ppdt("anonymize", people, "--engine", "spark", "--qi", "age", "--out", out,
                 "--threads", 2, "--memory-limit", "1GB")  # fmt: skip
    assert ended.code == 2 and "--threads" in ended.err and "--memory-limit" in ended.err
