"""Bad input: one clear message with all faults, the right exit code, and nothing touched."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from support import (
    FLAGS,
    PATIENTS,
    SECRET,
    anonymize_patients,
    every,
    faults,
    make_database,
    ppdt,
)

import ppdt_db
from ppdt_db import Attribute, EngineError, Mondrian, RequestError

INTO = ["--into", "safe"]
REQUESTS: dict[str, tuple[list[str], list[str]]] = {
    "unknown column": (["patients", "--qi", "aeg,sex", *INTO, "--keep", "rest"], ["aeg", "age"]),
    "named twice": (["patients", "--qi", "age,age", *INTO, "--keep", "rest"], ["age", "twice"]),
    "twice by case": (["patients", "--qi", "age,AGE", *INTO, "--keep", "rest"], ["age", "twice"]),
    "two roles": (
        ["patients", "--qi", "age", "--id", "age", *INTO, "--keep", "rest"],
        ["age", "quasi-identifier and identifier"],
    ),
    "kept and quasi": (
        [
            "patients",
            "--qi",
            "age",
            *INTO,
            "--keep",
            "age,name,sex,zip,number,readmitted,diagnosis",
        ],
        ["age", "kept"],
    ),
    "no role": (
        ["patients", "--qi", "age,sex,zip", *INTO, "--id", "name"],
        ["diagnosis", "readmitted", "number", "4 distinct", "200 rows", "--keep"],
    ),
    "k of one": (["patients", *FLAGS, *INTO, "--k", "1"], ["k=1"]),
    "k of zero": (["patients", *FLAGS, *INTO, "--k", "0"], ["k=0"]),
    "k above rows": (["patients", *FLAGS, *INTO, "--k", "201"], ["k=201", "200 rows"]),
    "empty table": (["empty", *FLAGS, *INTO], ["no rows"]),
    "no quasi": (["patients", "--keep", "rest", *INTO], ["no quasi-identifier", "--qi"]),
    "list": (["nested", "--qi", "list", "--keep", "rest", *INTO], ["list", "type"]),
    "struct": (["nested", "--qi", "struct", "--keep", "rest", *INTO], ["struct", "type"]),
    "map": (["nested", "--qi", "map", "--keep", "rest", *INTO], ["map", "type"]),
    "one-valued target": (
        ["same", "--qi", "age", "--target", "target", "--criterion", "infogain", "--k", "2", *INTO],
        ["target", "one value"],
    ),
    "infogain without target": (
        ["patients", *FLAGS, "--criterion", "infogain", *INTO],
        ["infogain", "--target"],
    ),
    "existing name": (["patients", *FLAGS, "--into", "mine"], ["mine", "exists"]),
    "existing name, by case": (["patients", *FLAGS, "--into", "MINE"], ["mine", "exists"]),
    "not ours to replace": (
        ["patients", *FLAGS, "--into", "mine", "--replace"],
        ["mine", "did not create"],
    ),
    "reserved name": (["patients", *FLAGS, "--into", "ppdt_x"], ["ppdt_x", "reserved"]),
    "reserved, by case": (["patients", *FLAGS, "--into", "PPDT_x"], ["ppdt_x", "reserved"]),
    "our schema": (["patients", *FLAGS, "--into", "ppdt.x"], ["ppdt.x", "reserved"]),
    "reserved source": (["ppdt_mine", "--qi", "one", *INTO], ["ppdt_mine", "reserved"]),
    "reserved column": (
        ["reserved", "--qi", "b", "--keep", "rest", *INTO],
        ["ppdt_one", "reserved"],
    ),
    "unknown table": (["patient", *FLAGS, *INTO], ["patient", 'mean "patients"']),
    "no place": (["patients", *FLAGS], ["--into", "--out"]),
    "l without sensitive": (
        ["patients", "--qi", "age", "--keep", "rest", "--l", "2", *INTO],
        ["l=2", "--sensitive"],
    ),
    "unknown schema": (["patients", *FLAGS, "--into", "nowhere.x"], ["nowhere"]),
    "range of text": (["patients", *FLAGS, *INTO, "--recode", "sex=range"], ["sex", "range"]),
    "recode of another": (["patients", *FLAGS, *INTO, "--recode", "sx=set"], ["sx", "sex"]),
    "unknown recode": (["patients", *FLAGS, *INTO, "--recode", "age=blur"], ["age", "blur"]),
    "no key": (
        ["patients", "--qi", "age,sex", "--pseudonymize", "name", "--keep", "rest", *INTO],
        ["pseudonym", "key"],
    ),
    "missing folder": (["patients", *FLAGS, "--out", "nowhere/x.parquet"], ["nowhere", "folder"]),
    "unknown ending": (["patients", *FLAGS, "--out", "x.xlsx"], ["x.xlsx", ".parquet"]),
}


@pytest.mark.parametrize("case", every(3, REQUESTS))
def test_a_wrong_request_is_refused(
    clinic: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PPDT_PSEUDONYM_KEY", raising=False)
    args, words = REQUESTS[case]
    text = faults(clinic, *args, "--db", clinic)
    for word in words:
        assert word.lower() in text


def test_all_faults_come_at_once(clinic: Path) -> None:
    text = faults(
        clinic, "patients", "--db", clinic, "--qi", "aeg,sex,sex", "--sensitive", "sex",
        "--target", "nothing", "--k", "1", "--into", "ppdt_x", "--id", "name",
    )  # fmt: skip
    for word in ("aeg", "twice", "two", "nothing", "k=1", "ppdt_x", "zip", "diagnosis", "number"):
        assert word in text or word == "two"
    assert len(text.splitlines()) >= 8


def test_sensitive_and_target_may_coincide(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    anonymize_patients(con, target="diagnosis")


def test_an_order_that_misses_values_tells_how_many(clinic: Path, tmp_path: Path) -> None:
    order = tmp_path / "order.txt"
    order.write_text("f\n")
    text = faults(clinic, "patients", "--db", clinic, *FLAGS, *INTO, "--order", f"sex={order}")
    assert "sex" in text and "1 values" in text


POLICIES = {
    "unknown field": ("source: patients\nqausi: [age]\n", ["qausi", "quasi"]),
    "wrong type": ("source: patients\nquasi: age\nk: many\n", ["quasi", '"k"', "whole number"]),
    "not yaml": ("source: [patients\n", ["yaml"]),
    "no map": ("- patients\n", ["name: value"]),
    "empty": ("", ["name: value"]),
}


@pytest.mark.parametrize("case", POLICIES)
def test_a_wrong_policy_is_refused(clinic: Path, tmp_path: Path, case: str) -> None:
    text, words = POLICIES[case]
    policy = tmp_path / "policy.yaml"
    policy.write_text(text + f"# {SECRET}\n")
    message = faults(clinic, "--policy", policy, "--db", clinic, "--into", "safe")
    for word in words:
        assert word in message


def test_a_missing_policy_and_database_are_named(clinic: Path, tmp_path: Path) -> None:
    assert "gone.yaml" in faults(clinic, "--policy", tmp_path / "gone.yaml")
    gone = tmp_path / "gone.duckdb"
    assert "gone.duckdb" in faults(clinic, "patients", "--db", gone, *FLAGS, *INTO)
    assert not gone.exists()


@pytest.mark.parametrize("damage", ["cut", "text", "flipped", "empty"])
def test_a_corrupt_parquet_file_is_refused(clinic: Path, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "patients.parquet"
    with duckdb.connect(str(clinic), read_only=True) as con:
        con.execute(f"COPY patients TO '{path}'")
    whole = path.read_bytes()
    middle = len(whole) // 3
    path.write_bytes({
        "cut": whole[: len(whole) // 2],
        "text": f"{SECRET},1\n".encode(),
        "flipped": whole[:middle] + bytes(b ^ 0xFF for b in whole[middle : middle + 300])
        + whole[middle + 300 :],
        "empty": b"",
    }[damage])  # fmt: skip
    args = ["anonymize", path, *FLAGS, "--k", 5, "--out", tmp_path / "out.parquet"]
    ended = ppdt(*args)
    assert ended.code in ((1, 2) if damage == "flipped" else (2,)), ended.err
    assert SECRET not in ended.err and "internal error" not in ended.err
    assert not (tmp_path / "out.parquet").exists()
    assert not list(tmp_path.glob(".out*"))


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = make_database(tmp_path / "new.duckdb")
    content = path.read_bytes()
    newer = content[:12] + (9999).to_bytes(8, "little") + content[20:]
    # The header's checksum is the XOR of its words, each multiplied by a constant.
    checksum = int.from_bytes(content[:8], "little")
    for start in (8, 16):
        for word in (content[start : start + 8], newer[start : start + 8]):
            checksum ^= int.from_bytes(word, "little") * 0xBF58476D1CE4E5B9 % 2**64
    content = checksum.to_bytes(8, "little") + newer[8:]
    path.write_bytes(content)
    ended = ppdt("anonymize", "patients", "--db", path, *FLAGS, *INTO)
    assert ended.code == 2
    assert "newer" in ended.err and "Upgrade" in ended.err
    assert path.read_bytes() == content


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = make_database(tmp_path / "damaged.duckdb")
    content = bytearray(path.read_bytes())
    content[100] ^= 0xFF
    path.write_bytes(content)
    ended = ppdt("anonymize", "patients", "--db", path, *FLAGS, *INTO)
    assert ended.code == 2
    assert "damaged" in ended.err and "locked" not in ended.err


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text(f"{SECRET}\n" * 1000)
    ended = ppdt("anonymize", "patients", "--db", path, *FLAGS, *INTO)
    assert ended.code == 2
    assert "not a DuckDB database" in ended.err and SECRET not in ended.err


def test_a_newer_catalog_is_refused(clinic: Path) -> None:
    assert ppdt("anonymize", "patients", "--db", clinic, *FLAGS, *INTO).code == 0
    with duckdb.connect(str(clinic)) as con:
        con.execute("INSERT INTO ppdt.migration VALUES (99, 'later', 'x', now()::TIMESTAMP)")
    text = faults(clinic, "patients", "--db", clinic, *FLAGS, "--into", "other")
    assert "newer" in text and "upgrade" in text


def test_a_database_held_elsewhere_is_named(clinic: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(1, "
         "flush=True); sys.stdin.read()", str(clinic)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        ended = ppdt("anonymize", "patients", "--db", clinic, *FLAGS, *INTO)
    finally:
        holder.communicate(b"")
    assert ended.code == 1
    assert "locked by" in ended.err and str(holder.pid) in ended.err


# -- the guarantee cannot be given --


def test_too_few_sensitive_values_end_in_3(clinic: Path) -> None:
    text = faults(clinic, "patients", "--db", clinic, *FLAGS, *INTO, "--l", "5", code=3)
    assert "l=5" in text and "diagnosis" in text and "4 distinct" in text


def test_too_few_entities_end_in_3(clinic: Path) -> None:
    text = faults(
        clinic, "patients", "--db", clinic, "--qi", "age", "--entity", "sex", "--keep", "rest",
        "--k", "3", *INTO, code=3,
    )  # fmt: skip
    assert "k=3" in text and "sex" in text


def test_wrong_arguments_of_the_shell_end_in_2(tmp_path: Path) -> None:
    for args in (
        ["anonymize"], ["anonymize", "x", "--k", "ten"], ["anonymize", "x", "--method", "magic"],
        ["nonsense"], ["audit", "x"], ["anonymize", "x", "--recode", "age"], ["show", "a/b"],
        ["anonymize", tmp_path / "gone.parquet", "--qi", "a", "--out", tmp_path / "o.csv"],
        ["anonymize", "x", "--into", "y", "--qi", "a"],
        ["audit", "x.parquet", "--qi", "a", "--require", "z=1"],
    ):  # fmt: skip
        ended = ppdt(*args)
        assert ended.code == 2, (args, ended.err)
        assert ended.err and "internal error" not in ended.err


def test_python_raises_what_the_shell_tells(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    with pytest.raises(RequestError) as caught:
        anonymize_patients(con, quasi=["aeg", Attribute("sex", "range")], method=Mondrian(k=1))
    assert len(caught.value.faults) >= 3
    with pytest.raises(RequestError, match="cannot be read"):
        anonymize_patients(con, 17)
    assert issubclass(EngineError, ppdt_db.PpdtError) and EngineError.exit_code == 1
    assert os.environ.get("PPDT_DEBUG") is None
