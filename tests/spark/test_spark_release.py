"""One result: on the same input, Spark makes the release that DuckDB makes."""

from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import pytest
from support import ppdt

import ppdt_db
from ppdt_db import C45, Attribute, GuaranteeError, Kactus, Mondrian, RequestError
from ppdt_db.audit import Finding
from ppdt_db.prove import Prover

HOSTILE = 'ill "x` y'
# Every type that both have; NULLs, ties, dates, a name with quotes of both kinds.
PEOPLE = f"""
    CREATE TABLE people AS
    SELECT
        (i * 7919) % 60 AS age,
        ['m', 'f', NULL, 'x''y', ''][1 + (i * 31) % 5] AS sex,
        CASE WHEN i % 11 <> 0 THEN DATE '2000-01-01' + CAST((i * 13) % 40 AS INTEGER) END AS born,
        CASE (i * 17) % 9 WHEN 0 THEN 'nan' WHEN 1 THEN 'inf' WHEN 2 THEN '-0.0' WHEN 3 THEN '1e-7'
            WHEN 4 THEN '123456789.25' WHEN 5 THEN '1e20' ELSE CAST(((i * 37) % 11) / 7 AS VARCHAR)
        END::DOUBLE AS weight,
        CAST((i * 41) % 23 AS DECIMAL(8, 2)) / 4 AS cost,
        TIMESTAMP '2020-01-01 00:00:00.5' + to_hours((i * 53) % 31) AS seen,
        CAST('2020-06-01 12:00:00+00' AS TIMESTAMPTZ) + to_days((i * 7) % 5) AS told,
        i % 3 = 0 AS smokes,
        ['flu', 'cold', 'gout', NULL][1 + (i * i * 3 + i) % 4] AS "{HOSTILE.replace('"', '""')}",
        concat('person ', i // 2) AS person,
        i % 13 AS kept
    FROM range(400) AS r (i)
"""
ALL = ["age", "sex", "born", "weight", "cost", "seen", "told", "smokes"]


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
    for name in ("k_measured", "l_measured", "classes", "gcp", "rows_out", "findings"):
        assert on_spark.certificate[name] == here.certificate[name], name
    assert sorted(p.name for p in out.parent.iterdir()) == [out.name]
    return dict(on_spark.certificate)


def test_every_type(spark: object, people: Path, tmp_path: Path) -> None:
    made = both(
        spark, people, tmp_path / "o.parquet", quasi=ALL, sensitive=[HOSTILE], keep="rest",
        identifiers=["person"], method=Mondrian(k=7),
    )  # fmt: skip
    assert "spark" in made["versions"]  # type: ignore[operator]


def test_loss_and_diversity_and_people(spark: object, people: Path, tmp_path: Path) -> None:
    both(
        spark, people, tmp_path / "o.parquet", sensitive=[HOSTILE], entity="person",
        quasi=[Attribute("age", "bounds"), Attribute("sex", order=["", "f", "m", "x'y"]),
               Attribute("born", "mean"), Attribute("smokes", "mode")],
        keep=["kept", "weight", "cost", "seen", "told"],
        method=Mondrian(k=4, l=2, t=0.6, criterion="ncp"),
    )  # fmt: skip


def test_along_a_tree(spark: object, people: Path, tmp_path: Path) -> None:
    both(
        spark, people, tmp_path / "o.parquet", quasi=["age", "sex", "born", "smokes"],
        target=HOSTILE, identifiers=["person", "weight", "cost", "seen", "told"], keep="rest",
        method=Kactus(k=20, min_rows=4),
    )  # fmt: skip


def test_the_same_tree(spark: object, people: Path) -> None:
    given: dict[str, Any] = {
        "target": HOSTILE,
        "features": ["age", "sex", "born", "cost", "smokes"],
        "learner": C45(min_rows=6),
    }
    tree = ppdt_db.learn(spark, str(people), **given)
    with duckdb.connect() as con:
        assert tree == ppdt_db.learn(con, people, **given)
    assert len(tree.nodes) > 3


SMALL: dict[str, Any] = {
    "quasi": ["age", "smokes"],
    "keep": "rest",
    "identifiers": ["person"],
    "method": Mondrian(k=40),
}


def test_sources_and_tables(spark: Any, people: Path) -> None:
    frame = spark.read.parquet(str(people))
    frame.createOrReplaceTempView("people_view")
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
    found = {table.name for table in spark.catalog.listTables()}
    assert found == {"people_view", "people_k", "people_2"}
    assert before == (
        dict(spark.sparkContext.getConf().getAll()), spark.conf.get("spark.sql.ansi.enabled")
    )  # fmt: skip


def test_nothing_is_seen_where_the_audit_fails(spark: Any, people: Path, tmp_path: Path) -> None:
    bad = [Finding(name="columns kept", required=1, measured=0, passed=False)]
    with mock.patch.object(Prover, "_conserved", lambda *_: bad):
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
    ppdt_db.anonymize(spark, str(people), out=str(out), **SMALL)
    first = spark.read.parquet(str(out)).count()
    with pytest.raises(RequestError, match="--replace"):
        ppdt_db.anonymize(spark, str(people), out=str(out), **SMALL)
    with pytest.raises(RequestError, match="source itself"):
        ppdt_db.anonymize(spark, str(people), out=str(people), replace=True, **SMALL)
    ppdt_db.anonymize(spark, str(people), out=str(out), replace=True, **SMALL)
    assert spark.read.parquet(str(out)).count() == first
    # What another machine left is not ours to remove.
    assert sorted(path.name for path in tmp_path.iterdir()) == [left.name, "o.parquet"]


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
        ({"method": ppdt_db.Mdav(k=5)}, "method mdav does not run on Spark"),
        ({"method": Mondrian(k=5, relaxed=True)}, "--relaxed does not run on Spark"),
        ({"method": Mondrian(k=5, criterion="infogain")}, "criterion infogain does not run"),
        ({"method": Kactus(k=5, refine=True), "target": "smokes"}, "--refine does not run"),
        ({"live": True}, "--live does not run on Spark"),
        ({"rules": "r.duckdb"}, "--rules does not run on Spark"),
        ({"out": "a.csv"}, "let the path end in .parquet"),
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
    with pytest.raises(ppdt_db.EngineError) as raised:
        ppdt_db.anonymize(spark, broken, quasi=["age"], keep="rest", method=Mondrian(k=5),
                          out=str(tmp_path / "o.parquet"))  # fmt: skip
    said = capfd.readouterr()
    assert "Zebedee" not in said.out + said.err
    assert "Zebedee" not in str(raised.value) and "Nothing was released" in str(raised.value)
    assert raised.value.__cause__ is None and list(tmp_path.iterdir()) == []


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
