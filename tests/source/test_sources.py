"""What releases are made from: every kind of source, policies, pseudonyms."""

import dataclasses
import hashlib
import hmac
from pathlib import Path

import duckdb
import pandas
import polars
import pytest
from support import (
    FLAGS,
    PATIENTS,
    anonymize_patients,
    bag,
    make_database,
    mostly_slow,
    objects,
    ppdt,
    read,
    smallest,
    temporaries,
)

import ppdt_db
from ppdt_db import Attribute, Mondrian, RequestError
from ppdt_db.cli.job import Job
from ppdt_db.methods import OPTIONS, options_of

QUASI = ["age", "sex", "zip"]


@pytest.fixture(autouse=True)
def patients(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)


# -- sources --


KINDS = [
    "table", "view", "view of parquet", "view of csv", "temp table", "parquet", "glob", "csv",
    "relation", "arrow", "pandas", "polars", "attached",
]  # fmt: skip


@pytest.mark.parametrize("kind", mostly_slow(KINDS, "view of csv", "pandas", "attached"))
def test_every_kind_of_source(con: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str) -> None:
    anonymize_patients(con, into="wanted", seed=1)
    given: object = kind
    if kind == "table":
        given = "patients"
    elif kind == "view":
        con.execute("CREATE VIEW view AS FROM patients")
    elif kind.startswith("view of"):
        path = tmp_path / f"patients.{kind.split()[-1]}"
        con.execute(f"COPY patients TO '{path}'")
        con.execute(f"CREATE VIEW filed AS FROM '{path}'")
        given = "filed"
    elif kind == "temp table":
        con.execute("CREATE TEMP TABLE gone AS FROM patients")
        given = "gone"
    elif kind in ("parquet", "csv"):
        given = tmp_path / f"patients.{kind}"
        con.execute(f"COPY patients TO '{given}'")
    elif kind == "glob":
        for part in (0, 1):
            con.execute(
                f"COPY (FROM patients WHERE number % 2 = {part}) TO '{tmp_path}/p{part}.parquet'"
            )
        given = f"{tmp_path}/p*.parquet"
    elif kind == "attached":
        make_database(tmp_path / "other.duckdb")
        con.execute(f"ATTACH '{tmp_path}/other.duckdb' AS other (READ_ONLY)")
        given = "other.main.patients"
    else:
        relation = con.sql("FROM patients")
        given = {
            "relation": lambda: relation,
            "arrow": lambda: relation.to_arrow_table(),
            "pandas": lambda: relation.df(),
            "polars": lambda: relation.pl(),
        }[kind]()
    anonymize_patients(con, given, into="found", seed=1)
    # Frames of pandas know a missing whole number only as a float.
    quasi = ["sex", "zip"] if kind == "pandas" else QUASI
    assert bag(con, "found", quasi) == bag(con, "wanted", quasi)
    assert smallest(con, "found", QUASI) >= 5
    assert temporaries(con) == []


def test_frames_with_case_twins_or_odd_names_are_refused_or_kept(
    con: duckdb.DuckDBPyConnection,
) -> None:
    for frame in (
        pandas.DataFrame({"Age": [1, 2] * 9, "age": [3, 4] * 9}),
        polars.DataFrame({"Age": [1, 2] * 9, "age": [3, 4] * 9}),
    ):
        try:
            ppdt_db.anonymize(
                con, frame, quasi=["Age"], keep="rest", method=Mondrian(k=3), into="o"
            )
        except RequestError:
            continue
        assert len(con.execute("DESCRIBE o").fetchall()) == 2
        assert smallest(con, "o", ["Age"]) >= 3
        ppdt_db.drop(con, "o")


# -- policies and pseudonyms --


def test_a_policy_does_what_the_options_do(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "source: patients\nquasi: [age, sex, zip]\nsensitive: [diagnosis]\nidentifiers: [name]\n"
        "keep: rest\nk: 6\nl: 2\ncriterion: ncp\nrecode: {age: bounds, sex: mode}\n"
        "order: {sex: [m, f]}\ninto: by_policy\nseed: 4\n"
    )
    assert ppdt("anonymize", "--policy", policy, "--db", path, "--quiet").code == 0
    order = tmp_path / "order.txt"
    order.write_text("m\nf\n")
    ended = ppdt(
        "anonymize", "patients", "--db", path, *FLAGS, "--k", 6, "--l", 2, "--criterion", "ncp",
        "--recode", "age=bounds", "--recode", "sex=mode", "--order", f"sex={order}", "--seed", 4,
        "--into", "by_options", "--quiet",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    with duckdb.connect(str(path)) as con:
        assert read(con, "by_policy") == read(con, "by_options")
        assert smallest(con, "by_policy", ["age_lo", "age_hi", "age_has_null", "sex", "zip"]) >= 6
        ended = ppdt_db.releases(con)[0].certificate
        assert ended["policy"]["ordered_by_user"] == ["sex"]


def test_lists_and_maps_of_a_policy_and_of_the_command_line_add_up(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    policy = tmp_path / "clinic.yaml"
    policy.write_text(
        f"source: patients\ndb: {path}\nquasi: [age]\nidentifiers: [name]\nkeep: rest\nk: 5\n"
        "recode: {age: bounds}\ninto: safe\n"
    )
    args = ["--policy", policy, "--id", "number", "--qi", "zip", "--recode", "zip=set"]
    ended = ppdt("anonymize", *args, "--json")
    assert ended.code == 0, ended.err
    said = ended.json["policy"]
    assert said["identifiers_dropped"] == ["name", "number"]
    assert said["quasi_identifiers"] == {"age": "bounds", "zip": "set"}
    assert ended.json["parameters"]["k"] == 5
    # What is kept by its name takes the place of all the rest: less goes out, never more.
    args = ["--policy", policy, "--replace", "--keep", "diagnosis"]
    ended = ppdt("anonymize", *args)
    assert ended.code == 2 and '"readmitted": no role' in ended.err
    ended = ppdt("anonymize", "--policy", policy, "--replace", "--qi", "name")
    assert ended.code == 2 and "quasi-identifier and identifier" in ended.err


def test_a_policy_may_hold_every_field(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    key, out = tmp_path / "key", tmp_path / "safe.parquet"
    key.write_text("a key of 16 bytes")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"source: patients\nengine: duckdb\ndb: {path}\nquasi: [age, sex, zip]\n"
        "sensitive: [diagnosis]\n"
        f"target: readmitted\npseudonymize: [name]\npseudonym_key_file: {key}\n"
        f"link_pseudonyms: true\nkeep: [number]\nidentifiers: []\nentity: null\n"
        f"method: mondrian\nk: 5\nl: 2\nrelaxed: true\ncriterion: balanced\n"
        f"recode: {{age: mean}}\norder: {{sex: [m, f]}}\nout: {out}\nlive: false\naccept: []\n"
        f"replace: true\ncertificate: {tmp_path}/c.json\nseed: 1\nthreads: 1\n"
        f"memory_limit: 1GB\ninto: null\nt: 0.9\nalpha: 1.0\nbeta: 99\nenhanced_beta: 99\n"
        f"delta: 99\nhierarchy: {{}}\nrules: {tmp_path}/r.duckdb\n"
        f"csv: null\ntemp_directory: {tmp_path}\nencrypt_temp: false\ndb_key_file: null\n"
        f"max_kept_uniqueness: 1\nmax_loss: 1\nbins: null\ntree_out: null\n"
    )
    ended = ppdt("anonymize", "--policy", policy, "--quiet")
    assert ended.code == 0, ended.err
    assert out.exists() and (tmp_path / "c.json").exists() and (tmp_path / "r.duckdb").exists()
    fields = {line.partition(":")[0] for line in policy.read_text().splitlines()}
    of_others = OPTIONS.keys() - options_of(Mondrian).keys()
    own = {field.name for field in dataclasses.fields(Job)} - {"options"}
    assert fields | of_others == own | OPTIONS.keys()


PSEUDO = {"identifiers": [], "pseudonymize": ["name"], "pseudonym_key": "a key of 16 bytes"}


def test_pseudonyms_are_keyed_and_linked_only_on_purpose(con: duckdb.DuckDBPyConnection) -> None:
    names = [(name,) for name, *_ in read(con, "patients", ["name"])]
    columns = ["number", "name"]
    for name in ("one", "two"):
        anonymize_patients(con, into=name, **PSEUDO)
    for name in ("three", "four"):
        anonymize_patients(con, into=name, link_pseudonyms=True, **PSEUDO)
    one, two, three, four = (dict(read(con, n, columns)) for n in ("one", "two", "three", "four"))
    assert len(set(one.values())) == len(set(names)) == 200
    assert not set(one.values()) & set(two.values())
    assert three == four
    expected = hmac.new(b"a key of 16 bytes", b"name 7", hashlib.sha256).hexdigest()
    assert three[7] == expected
    assert not any("name" in str(value) for value in one.values())
    assert "a key of 16 bytes" not in str(objects(con))


def test_the_key_of_the_pseudonyms_comes_from_file_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    key = tmp_path / "key"
    key.write_text("a key of 16 bytes\n")
    args = ["patients", "--db", path, "--qi", "age,sex,zip", "--pseudonymize", "name", "--keep",
            "rest", "--link-pseudonyms", "--quiet"]  # fmt: skip
    monkeypatch.setenv("PPDT_PSEUDONYM_KEY", "a key of 16 bytes")
    assert ppdt("anonymize", *args, "--into", "one").code == 0
    monkeypatch.delenv("PPDT_PSEUDONYM_KEY")
    assert ppdt("anonymize", *args, "--pseudonym-key-file", key, "--into", "two").code == 0
    with duckdb.connect(str(path)) as con:
        assert dict(read(con, "one", ["number", "name"])) == dict(
            read(con, "two", ["number", "name"])
        )


def test_the_seed_repeats_a_relaxed_run(con: duckdb.DuckDBPyConnection) -> None:
    method = Mondrian(k=5, relaxed=True)
    quasi = ["zip", Attribute("age", "mean")]
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        anonymize_patients(
            con, into=name, quasi=quasi, identifiers=["name", "sex"], method=method, seed=seed
        )
    assert read(con, "one") == read(con, "two")
    assert read(con, "one") != read(con, "three")


def test_engine_and_connection_agree(con: duckdb.DuckDBPyConnection) -> None:
    for given, engine, words in (
        (con, "oracle", "choose one of"),
        (con, "spark", "DuckDBPyConnection"),
        (object(), "duckdb", "expected a DuckDB connection"),
        (None, None, "NoneType"),
    ):
        with pytest.raises(ppdt_db.RequestError, match=words):
            ppdt_db.anonymize(given, "patients", quasi=["age"], into="r", engine=engine)
        with pytest.raises(ppdt_db.RequestError, match=words):
            ppdt_db.learn(given, "patients", target="readmitted", engine=engine)
