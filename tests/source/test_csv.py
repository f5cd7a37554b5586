"""CSV: one dialect, types from all rows, nothing swallowed; what is written comes back."""

import csv as csv_module
import gzip
import io
import json
import random
import re
from pathlib import Path

import duckdb
import pytest
from support import (
    SECRET,
    bag,
    every,
    make_database,
    mostly_slow,
    ppdt,
    read,
    read_in_order,
    smallest,
)

import ppdt_db
from ppdt_db import Attribute, Mondrian, RequestError
from ppdt_db.engine import DuckEngine
from ppdt_db.source.csv.dialect import Dialect, as_dialect, with_csv
from ppdt_db.source.csv.scan import CsvFile
from ppdt_db.source.source import opened

HOSTILE = [
    "'", '"', '""', "a\nb", "a\r\nb", "\r", ";", "|", "\t", " lead", "trail ", "NULL", "null", "NA",
    "17", "007", "1e5", "-", "\\", '\\"', "é漢😀", "[17, 18]", "true", "2020-01-01", "#x", "a,b",
    "10:00", "nan", "(empty)", "'quoted'", "x" * 300,
]  # fmt: skip


def types(con: duckdb.DuckDBPyConnection, path: Path | str, csv: object = None) -> dict[str, str]:
    with opened(DuckEngine(con), with_csv(path, csv)) as found:
        return dict(found.columns)


def rows(con: duckdb.DuckDBPyConnection, path: Path | str, csv: object = None) -> list[tuple]:
    with opened(DuckEngine(con), with_csv(path, csv)) as found:
        return read_in_order(con, str(found.relation))


def written(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# -- reading --


def test_a_lone_quote_of_another_kind_swallows_no_rows(tmp_path: Path) -> None:
    lines = [f"{20 + i % 2},{mark},name {i}" for i, mark in enumerate("x'yzu'vw")]
    path = written(tmp_path, "\n".join(["age,mark,note", *lines]) + "\n")
    out = tmp_path / "o.parquet"
    ended = ppdt("anonymize", path, "--qi", "age", "--keep", "mark,note", "--k", 2, "--out", out,
                 "--json")  # fmt: skip
    assert ended.code == 0, ended.err
    assert ended.json["rows_in"] == ended.json["rows_out"] == 8
    assert any('read as CSV, delim=,,quote=",' in note for note in ended.json["notes"])
    with duckdb.connect() as con:
        assert sorted(read(con, f"'{out}'", ["note"])) == [(f"name {i}",) for i in range(8)]


FAULTS = {
    "ragged": ("a,b\n1,2\n1\n", "line 3, column 2"),
    "long": ("a,b\n1,2\n1,2,3\n", "line 3, column 6"),
    "trailing comma": ("a,b\n1,2\n1,2,\n", "line 3, column 5"),
    "both": ("a,b\n1,2,\n1\n", "line 2, column 5"),
    "open": (f'a,b\n1,2\n"{SECRET},4\n5,6\n', "line 3, column 1"),
    "inside": (f'a,b\n1,{SECRET}"x\n', f"line 2, column {3 + len(SECRET)}"),
    "after": ('a,b\n1,"x"y\n', "line 2, column 6"),
    "blank before a quote": ('a,b\n1, "x"\n', "line 2, column 4"),
    "latin-1": (f"a,b\n1,{SECRET}é\n".encode("latin-1"), f"line 2, column {3 + len(SECRET)}"),
    "NUL": (b"a,b\n1,x\x00y\n", "line 2, column 4"),
    "utf-16": ("a,b\n1,2\n".encode("utf-16"), "line 1, column 1"),
    "CR alone": ("a,b\n1,2\r3,4\n", "line 2, column 4"),
    "mixed ends": ("a,b\r\n1,2\n3,4\r\n", "line 2, column 4"),
    "no byte": ("", "line 1, column 1"),
    "case twins": ("a,A\n1,2\n", "columns 1 and 2"),
    "same names": ("a,b,a\n1,2,3\n", "columns 1 and 3"),
    "semicolons": ("a;b\n1;2\n", "--csv delim=;"),
    "line end in a name": ('a,"b\nc"\r\n1,2\r\n', "column 2 contains a line break"),
    "carriage return in a name": ('a,"b\rc"\n1,2\n', "column 2 contains a line break"),
    "too long": (f'a,b\n1,"{"x" * 2_100_000}"\n', "line 2"),
}


@pytest.mark.parametrize("name", every(3, FAULTS))
def test_a_file_that_does_not_parse_whole_is_refused_by_place(tmp_path: Path, name: str) -> None:
    content, words = FAULTS[name]
    path = written(tmp_path, content)
    for command in (
        ("anonymize", path, "--qi", "a", "--keep", "rest", "--k", 1, "--out", tmp_path / "o.csv"),
        ("profile", path),
        ("audit", path, "--qi", "a"),
    ):
        ended = ppdt(*command)
        assert ended.code == 2, ended.err
        assert words in ended.err and "t.csv" in ended.err and SECRET not in ended.err
        assert ended.out == ""
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


WHOLE = {
    "LF": ("a,b\n1,2\n3,4\n", 2),
    "CRLF": ('a,b\r\n1,"x\r\ny"\r\n3,4\r\n', 2),
    "no last end": ("a,b\n1,2\n3,4", 2),
    "empty lines": ("a,b\n\n1,2\n\n\n3,4\n\n", 2),
    "empty lines, CRLF": ("a,b\r\n1,2\r\n\r\n3,4\r\n\r\n", 2),
    "byte order mark": (b"\xef\xbb\xbfa,b\n1,2\n", 1),
    "line feeds inside": ('a,b\n"x\n\ny",2\n"\n",4\n', 2),
    "quotes doubled": ('a,b\n"x ""y"" z",""""\n', 1),
    "header alone": ("a,b\n", 0),
    "header without end": ("a,b", 0),
    "one column": ("a\n1\n\n2\n", 3),
    "line feed in a name": ('a,"b\nc"\n1,2\n', 1),
    "quoted header": ('"a","b,"\n1,2\n', 1),
}


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_whole_is_read_whole(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, name: str
) -> None:
    content, n_rows = WHOLE[name]
    path = written(tmp_path, content)
    found = rows(con, path)
    assert len(found) == n_rows
    text = (content if isinstance(content, str) else content.decode("utf-8-sig")).replace("\r", "")
    by_others = [
        line for line in csv_module.reader(io.StringIO(text)) if line or name == "one column"
    ]
    assert [tuple("" if v is None else str(v).replace("\r", "") for v in row) for row in found] == [
        tuple(line or [""]) for line in by_others[1:]
    ]


@pytest.mark.slow
def test_types_hold_for_every_row(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    columns = {
        "BIGINT": ["17", "-3", "", "0"],
        "HUGEINT": ["17", "123456789012345678901", "", "0"],
        "DOUBLE": ["1.5", "-2", "nan", "1e300"],
        "BOOLEAN": ["true", "FALSE", "", "True"],
        "DATE": ["2020-01-31", "", "1999-12-01", "2000-02-29"],
        "TIMESTAMP": ["2020-01-31 10:00:00", "2020-01-31T10:00:00.5", "", "2020-01-31"],
        "TIMESTAMP WITH TIME ZONE": ["2020-01-31 10:00:00+01", "2020-01-31T10:00:00Z", "", ""],
        "TIME": ["10:00:00", "23:59:59.25", "", ""],
        "BIGINT[]": ["[1,2]", "[3]", "", "[null]"],
        "VARCHAR[]": ['["a, b"]', '["[x]","y"]', "[]", ""],
        "DOUBLE[]": ["[0.5]", '["nan",2]', "", "[]"],
        "VARCHAR": ["01234", "12345", "", "7"],
    }
    texts = [
        ["17", "[17, 18]", "", ""], ["1", "2", "3", "x"], ["+1", "2", "3", "4"],
        [" 1", "2", "3", "4"], ["12345678901234567890.5", "1", "2", "3"],
        ["9007199254740993", "0.5", "1", "2"], ["2020-02-30", "2020-01-01", "", ""],
        ["1/2/2020", "", "", ""], ["t", "f", "t", "f"], ["", "", "", ""], ["nan", "nan", "", ""],
        ["[1, 2]", "[3, 4]", "", ""], ["1_000", "1", "2", "3"], ["0x1F", "1", "", ""],
        ["9" * 40, "1", "", ""],
    ]  # fmt: skip
    kinds = [*columns, *["VARCHAR"] * len(texts)]
    values = [*columns.values(), *texts]
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv_module.writer(file, lineterminator="\n")
        writer.writerow([f"c{i}" for i in range(len(values))])
        # What decides comes after as many rows as a sample holds.
        for place in [0] * 21_000 + [1, 2, 3]:
            writer.writerow([column[place] for column in values])
    assert list(types(con, path).values()) == kinds
    with opened(DuckEngine(con), path) as found:
        assert read(con, f"(SELECT count(*) FROM {found.relation})") == [(21_003,)]


def test_an_empty_text_is_no_null(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = written(tmp_path, 'text,number\n,\n"",""\nx,5\n')
    assert rows(con, path) == [(None, None), ("", None), ("x", 5)]
    path = written(tmp_path, 'text,number\nNA,NA\n"NA",""\n,5\n')
    assert rows(con, path, "null=NA") == [(None, None), ("NA", None), ("", 5)]


def test_dialects(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    semicolons = written(tmp_path, "zip;name\n01234;'é;x'\n".encode("latin-1"))
    wish = "delim=;,quote=',encoding=latin-1"
    assert rows(con, semicolons, wish) == [("01234", "é;x")]
    assert rows(con, semicolons, {"delim": ";", "quote": "'", "encoding": "latin-1"}) == [
        ("01234", "é;x")
    ]
    assert rows(con, semicolons, f"{wish},types=zip:INTEGER") == [(1234, "é;x")]
    bare = written(tmp_path, '1,5" pipe\n2,x\n', "bare.csv")
    assert rows(con, bare, "header=no,quote=none") == [(1, '5" pipe'), (2, "x")]
    assert list(types(con, bare, "header=no,quote=none")) == ["column0", "column1"]
    tabs = written(tmp_path, "a\tb\n1\t2\n", "t.tsv")
    assert rows(con, tabs) == [(1, 2)]
    packed = written(tmp_path, gzip.compress(b"a,b\n1,2\n"), "t.csv.gz")
    assert rows(con, packed) == [(1, 2)]
    wide = written(tmp_path, "a,b\n1,é\n".encode("utf-16"), "u.csv")
    assert rows(con, wide, "encoding=utf-16") == [(1, "é")]
    text = written(tmp_path, "a,b\n1,2020-01-01\n", "x.csv")
    assert rows(con, text, "types=text") == [("1", "2020-01-01")]
    assert types(con, text, 'types="a":DECIMAL(4,2),b:VARCHAR') == {
        "a": "DECIMAL(4,2)", "b": "VARCHAR",
    }  # fmt: skip
    assert as_dialect('delim=,,quote=",null=a,b').null == "a,b"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("semicolon", "write delim=;,quote="), ("delim=;;", "one ASCII character"),
        ("delim=;,delim=,", "twice"),
        ("header=maybe", "yes or no"), ("encoding=klingon", "encoding must be one of"),
        ("quote=,", "two different"), ("types=a", "column:TYPE"),
        ("types=a:x';DROP", "needs a type name"),
        ("types=zz:DATE", 'no such column'), ("types=b:DATE", "1 values are not of type DATE"),
        ("types=a:NOTYPE", "not all of these are DuckDB types"),
        ({"dlim": ";"}, 'Did you mean "delim"'),
    ],
)  # fmt: skip
def test_wrong_wishes_are_told(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, wish: object, words: str
) -> None:
    path = written(tmp_path, f"a,b\n1,{SECRET}\n")
    with pytest.raises(RequestError, match=re.escape(words)) as told:
        types(con, path, wish)
    assert SECRET not in str(told.value)


def test_a_sniffed_dialect_is_shown_and_kept_to(tmp_path: Path) -> None:
    path = written(tmp_path, f"age;name\n{'31;x' + SECRET}\n32;'y;{SECRET}'\n")
    ended = ppdt("profile", path, "--csv", "sniff", "--json")
    assert ended.code == 0, ended.err
    assert """--csv "delim=;,quote=',header=yes,encoding=utf-8,types=age:BIGINT,""" in ended.err
    assert SECRET not in ended.err and ended.json["n_rows"] == 2
    wish = re.search(r'--csv "(.*)"', ended.err)
    assert wish is not None
    again = ppdt("profile", path, "--csv", wish.group(1), "--json")
    assert again.out == ended.out
    latin = written(tmp_path, "a;b\n1;é\n".encode("latin-1"), "l.csv")
    ended = ppdt("profile", latin, "--csv", "sniff")
    assert ended.code == 0 and "delim=;" in ended.err and "latin-1" in ended.err
    ragged = written(tmp_path, "a;b\n1;2\n3\n4;5\n" * 3, "r.csv")
    assert ppdt("profile", ragged, "--csv", "sniff").code == 2


def test_files_of_a_glob_must_have_the_same_columns(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    written(tmp_path, "a,b\n1,2\n", "p1.csv")
    written(tmp_path, "a,b\n3,4\n5,6\n", "p2.csv")
    assert len(rows(con, f"{tmp_path}/p*.csv")) == 3
    for name, header in (("p3", "a,c"), ("p3", "b,a"), ("p3", "a,b,c")):
        written(tmp_path, f"{header}\n{'1,' * header.count(',')}1\n", f"{name}.csv")
        with pytest.raises(
            RequestError, match=r"p3\.csv: its columns differ from those of p1"
        ) as told:
            rows(con, f"{tmp_path}/p*.csv")
        assert not re.search(r"\bc\b", str(told.value)), "a file without a header would tell values"
    con.execute(f"COPY (SELECT 1 AS a, 'x' AS b) TO '{tmp_path}/q1.parquet'")
    con.execute(f"COPY (SELECT 2 AS a, 'y' AS b) TO '{tmp_path}/q2.parquet'")
    assert len(rows(con, f"{tmp_path}/q*.parquet")) == 2
    for select in ("1 AS a, 'x' AS c", "1 AS a, 'x' AS b, 2 AS d", "'z' AS a, 'x' AS b"):
        con.execute(f"COPY (SELECT {select}) TO '{tmp_path}/q3.parquet'")
        with pytest.raises(RequestError, match=r"q3\.parquet: its columns differ from those of"):
            rows(con, f"{tmp_path}/q*.parquet")


def test_a_miscount_stops_the_run(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "a,b\n1,2\n3,4\n")
    count = CsvFile.count
    monkeypatch.setattr(CsvFile, "count", lambda self, n: count(self, n) + 1)
    with pytest.raises(
        RequestError, match=r"DuckDB reads 2 rows, but an independent count finds 3"
    ):
        rows(con, path)


def test_a_file_that_changes_meanwhile_stops_the_run(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "a,b\n" + "1,2\n" * 10)

    def grow(stage: str, _: float) -> None:
        if stage == "read":
            written(tmp_path, "a,b\n" + "1,2\n" * 11)

    with pytest.raises(RequestError, match="10 rows were counted, then 11"):
        ppdt_db.anonymize(
            con, path, quasi=["a"], keep="rest", method=Mondrian(k=2), out=tmp_path / "o.csv",
            progress=grow,
        )  # fmt: skip
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("seed", mostly_slow(range(40), *range(3)))
def test_both_counts_agree_with_a_third(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    monkeypatch.setattr("ppdt_db.source.csv.bytes.BLOCK", draw.choice([1, 7, 64, 1 << 20]))
    n_columns = draw.randint(1, 4)
    table = [
        [draw.choice([*HOSTILE[:20], "plain", ""]) for _ in range(n_columns)]
        for _ in range(draw.randint(0, 60))
    ]
    file = io.StringIO(newline="")
    quoting = draw.choice([csv_module.QUOTE_ALL, csv_module.QUOTE_MINIMAL])
    if quoting == csv_module.QUOTE_MINIMAL:
        # The csv module leaves these without quotes.
        table = [[value.replace("\r", "") for value in row] for row in table]
    end = draw.choice(["\n", "\r\n"])
    writer = csv_module.writer(file, lineterminator=end, quoting=quoting)
    writer.writerows([[f"c{i}" for i in range(n_columns)], *table])
    path = written(tmp_path, file.getvalue())
    found = rows(con, path, "types=text")
    assert [["" if value is None else value for value in row] for row in found] == table
    # Strike or add a sign somewhere: both ways of reading agree, or the file is refused.
    text = file.getvalue()
    for _ in range(15):
        place = draw.randrange(len(text))
        sign = draw.choice(['"', ",", "\n", "\r", "x", ""])
        path = written(tmp_path, text[:place] + sign + text[place + 1 :])
        try:
            rows(con, path, "types=text")
        except RequestError as error:
            assert "please report" not in str(error), text[:place] + sign + text[place + 1 :]


# -- writing --


def test_what_is_written_comes_back(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute(
        "CREATE TABLE t (age INTEGER, town VARCHAR, note VARCHAR, other VARCHAR, big HUGEINT)"
    )
    for place, text in enumerate(HOSTILE * 12):
        con.execute(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?)",
            [20 + place % 13, HOSTILE[place % 4], text, None if place % 5 else text,
             10**25 if place == 300 else place],
        )  # fmt: skip
    path = tmp_path / "o.csv"
    ppdt_db.anonymize(
        con, "t", quasi=["age", "town"], keep="rest", method=Mondrian(k=5), into="o", seed=1
    )
    ppdt_db.anonymize(
        con, "t", quasi=["age", "town"], keep="rest", method=Mondrian(k=5), out=path, seed=1
    )
    # What shows numbers alone is read as numbers: texts are compared.
    columns = ", ".join(f"CAST({name} AS VARCHAR)" for name in ("age", "note", "other", "big"))
    wanted = bag(con, f"(SELECT {columns} FROM o)")
    with opened(DuckEngine(con), path) as found:
        assert bag(con, f"(SELECT {columns} FROM {found.relation})") == wanted
        sets = bag(con, f"(SELECT list_sort(town) FROM {found.relation})")
        assert sets == bag(con, "(SELECT list_sort(town) FROM o)")
    # A reader that guesses may take integers of 128 bits for DOUBLE.
    columns = columns.replace("CAST(big AS VARCHAR)", "CAST(big AS DOUBLE)")
    assert bag(con, f"(SELECT {columns} FROM read_csv('{path}'))") == bag(
        con, f"(SELECT {columns} FROM o)"
    )


def test_a_reader_that_guesses_guesses_text_where_text_follows(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT i // 100 % 300 AS age, "
        "CASE WHEN i = 39999 THEN 'x''' ELSE '5' END "
        "AS code, (CASE WHEN i > 39000 THEN 10::HUGEINT ** 25 ELSE i END)::HUGEINT AS big "
        "FROM range(40000) r(i) UNION ALL SELECT 400, '7', 8 FROM range(3) "
        "UNION ALL SELECT 401, '7', 8 FROM range(3)"
    )
    path = tmp_path / "o.csv"
    for form in ({"out": path}, {"into": "o"}):
        ppdt_db.anonymize(con, "t", quasi=["age"], keep="rest", method=Mondrian(k=5), **form)
    plain = bag(con, f"(SELECT age, code, big::HUGEINT FROM read_csv('{path}'))")
    assert plain == bag(con, "(SELECT age, code, big FROM o)")
    assert {"17", "[400, 401]"} <= {row[0] for row in plain}


def test_a_release_of_one_column_keeps_its_nulls(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 3 = 0 THEN i % 2 END AS a FROM range(60) r(i)"
    )
    path = tmp_path / "o.csv"
    ppdt_db.anonymize(con, "t", quasi=["a"], method=Mondrian(k=5), out=path)
    assert len(rows(con, path)) == 60


@pytest.mark.slow
def test_our_own_release_can_be_audited_profiled_and_learnt_from(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "clinic.duckdb")
    for form in ("csv", "parquet"):
        ended = ppdt(
            "anonymize", "patients", "--db", clinic, "--id", "name", "--qi", "age,sex,zip,number",
            "--sensitive", "diagnosis", "--target", "readmitted", "--recode", "number=bounds",
            "--k", 5, "--recode", "zip=set", "--seed", 1, "--quiet",
            "--out", tmp_path / f"o.{form}",
        )  # fmt: skip
        assert ended.code == 0, ended.err
    with duckdb.connect(str(clinic)) as con:
        con.execute(f"COPY patients TO '{tmp_path}/patients.csv'")
    quasi = "age,sex,zip,number_lo,number_hi"
    found = {}
    for form in ("csv", "parquet"):
        ended = ppdt(
            "audit", tmp_path / f"o.{form}", "--qi", quasi, "--sensitive", "diagnosis",
            "--original", tmp_path / "patients.csv", "--require", "kk=2", "--json",
            "--population", tmp_path / "patients.csv",
        )  # fmt: skip
        assert ended.code == 0, ended.err
        found[form] = ended.json
    assert found["csv"] == found["parquet"]
    for args in (
        ("profile", tmp_path / "o.csv"),
        ("learn", "c45", tmp_path / "o.csv", "--target", "readmitted"),
        ("evaluate", tmp_path / "o.csv", "--target", "readmitted", "--cv", "2"),
    ):
        ended = ppdt(*args)
        assert ended.code == 0, ended.err
    trees = [
        ppdt("learn", "c45", tmp_path / f"o.{form}", "--target", "readmitted").out
        for form in ("csv", "parquet")
    ]
    assert trees[0] == trees[1]


# -- every command --


@pytest.mark.slow
def test_every_command_takes_the_dialect(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "clinic.duckdb")
    path, csv = tmp_path / "p.csv", ("--csv", "delim=;")
    with duckdb.connect(str(clinic)) as con:
        con.execute(f"COPY patients TO '{path}' (DELIM ';')")
    tree, rules, order = tmp_path / "tree.json", tmp_path / "r.duckdb", tmp_path / "order"
    order.write_bytes(b"\xef\xbb\xbff\r\nm\r\n")
    wish = ("--qi", "age,sex,zip", "--id", "name", "--keep", "rest")
    commands = [
        ("anonymize", path, *wish, "--target", "readmitted", "--rules", rules, "--k", 5,
         "--order", f"sex={order}", "--out", tmp_path / "o.csv", "--quiet"),
        ("plan", path, *wish),
        ("profile", path),
        ("audit", path, "--qi", "age", "--original", path, "--population", path),
        ("learn", "c45", path, "--target", "readmitted", "--features", "age,sex,zip"),
        ("evaluate", path, "--target", "readmitted", "--features", "age,sex,zip", "--cv",
         f"holdout={path}"),
        ("apply", rules, path, "--out", tmp_path / "new.parquet"),
        ("hierarchy", "build", path, "intervals", "10", "--column", "age", "--out",
         tmp_path / "age.csv"),
        ("hierarchy", "check", path, "--column", "age", "--hierarchy", tmp_path / "age.csv"),
        ("risk", "tree", path, "--qi", "age,sex", "--target", "readmitted"),
        ("predict", tree, path, "--db", clinic, "--into", "predicted"),
        ("verify", tree, path, "--public", "sex", "--k", 1),
    ]  # fmt: skip
    for command in commands:
        ended = ppdt(*command, *csv)
        assert ended.code == 0, (command, ended.err)
        if command[0] == "learn":
            tree.write_text(ppdt(*command, *csv, "--json").out, "utf-8")
    # The release is RFC 4180, its original is not.
    ended = ppdt("audit", tmp_path / "o.csv", "--qi", "age,sex,zip", "--original", path,
                 "--csv", f"{path}:delim=;", "--json")  # fmt: skip
    assert ended.code == 0 and ended.json["k"] >= 5, ended.err


def test_a_policy_says_the_dialect(tmp_path: Path) -> None:
    path = written(tmp_path, "age;sex\n" + "".join(f"{i % 3};x\n" for i in range(30)))
    policy, out = tmp_path / "policy.yaml", tmp_path / "o.parquet"
    for said in ('"delim=;"', '{delim: ";", header: yes, null: NA}', '["delim=;"]'):
        policy.write_text(
            f"source: {path}\nquasi: [age, sex]\nk: 3\nout: {out}\nreplace: true\ncsv: {said}\n"
        )
        ended = ppdt("anonymize", "--policy", policy, "--quiet")
        assert ended.code == 0, ended.err
    policy.write_text(f"source: {path}\nquasi: [age, sex]\nout: {out}\ncsv: 5\n")
    assert ppdt("anonymize", "--policy", policy).code == 2


def test_hierarchies_and_orders_are_read_as_strictly(tmp_path: Path) -> None:
    path = written(tmp_path, "age,sex\n" + "".join(f"{i % 3},x\n" for i in range(30)))
    bad = {
        "ragged": "0,all\n1,all\n2\n", "quote": "leaf,root\n0,'\n1,\"all\n2,all\n",
        "header twice": "a,a\n0,all\n1,all\n2,all\n",
    }  # fmt: skip
    for name, text in bad.items():
        tree = written(tmp_path, text, "tree.csv")
        for command in (
            ("anonymize", path, "--qi", "age,sex", "--k", 3, "--out", tmp_path / "o.csv"),
            ("hierarchy", "check", path, "--column", "age"),
            ("audit", path, "--qi", "age,sex"),
        ):
            place = tree if command[0] == "hierarchy" else f"age={tree}"
            ended = ppdt(*command, "--hierarchy", place)
            assert ended.code == 2 and "tree.csv, line" in ended.err, (name, ended.err)


def test_a_short_branch_of_a_hierarchy_may_be_empty_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, "age,sex\n" + "".join(f"{i % 3},x\n" for i in range(30)))
    trees = (
        "leaf,low,root\n0,low,all\n1,low,all\n2,,all\n",
        '"leaf","low","root"\n"0","low","all"\n"1","low","all"\n"2","","all"\n',
    )
    shown = []
    for text in trees:
        tree = written(tmp_path, text, "tree.csv")
        shown.append(ppdt("hierarchy", "show", tree, "--source", path, "--column", "age"))
    assert shown[0] == shown[1] and shown[0].code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [(f"a\n{SECRET}é\n".encode("latin-1"), "line 2"), (f"a\n{SECRET}\rb\n".encode(), "line 2"),
     (b"\xff\xfea\x00", "line 1")],
)  # fmt: skip
def test_an_order_file_is_read_whole(tmp_path: Path, content: bytes, words: str) -> None:
    path = written(tmp_path, "age,sex\n" + "".join(f"{i % 3},x\n" for i in range(30)))
    order = written(tmp_path, content, "order")
    ended = ppdt("anonymize", path, "--qi", "age,sex", "--order", f"sex={order}", "--out",
                 tmp_path / "o.csv")  # fmt: skip
    assert ended.code == 2 and words in ended.err and SECRET not in ended.err


# -- the same figures as with Parquet --

PEOPLE = """
    CREATE TABLE people AS
    SELECT
        i // 3 AS person, 18 + (i * 37) % 41 AS age,
        CASE WHEN i % 17 = 0 THEN NULL ELSE ((i * 13) % 50) / 4.0 END::DECIMAL(20, 4) AS cost,
        CASE WHEN i % 31 = 0 THEN 'nan'::FLOAT ELSE ((i * 7) % 10 / 10)::FLOAT END AS dose,
        i % 3 = 0 AS smoker, DATE '2020-01-01' + (i % 40)::INTEGER AS day,
        TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_hours(i % 30) AS seen,
        ['x', 'y, z', '"', '', NULL][1 + i % 5] AS town, (i * 11) % 7 AS severity,
        ['flu', 'cold', 'gout'][1 + i % 3] AS diagnosis, i % 2 = 0 AS readmitted,
        (18 + (i * 37) % 41) > 38 + i % 4 AND (i * 13) % 50 > 9 AS ill
    FROM range(300) r(i)
"""
RUNS: dict[str, dict] = {
    "ranges": {"quasi": ["age", "day"]},
    "ordered t": {"quasi": ["age", "smoker"], "method": Mondrian(k=5, t=0.4)},
    "floats as sets": {"quasi": [Attribute("dose", "set"), "smoker"]},
    "decimals as sets": {"quasi": [Attribute("cost", "set"), "age"]},
    "instants": {"quasi": [Attribute("seen", "set"), Attribute("day", "set")]},
    "instants as bounds": {"quasi": [Attribute("seen", "bounds"), Attribute("day", "bounds")]},
    "bounds": {"quasi": [Attribute(name, "bounds") for name in ("age", "cost", "dose", "day")]},
    "means": {"quasi": [Attribute(name, "mean") for name in ("age", "cost", "dose")]},
    "modes": {"quasi": [Attribute("smoker", "mode"), Attribute("town", "mode"), "age"]},
    "towns": {"quasi": ["town", "smoker"]},
    "mdav": {"quasi": ["age", "smoker", "dose"], "method": ppdt_db.Mdav(k=5)},
    "kactus": {"quasi": ["age", "smoker", "cost"], "target": "ill",
               "method": ppdt_db.Kactus(k=5)},
    "tiered": {"quasi": [Attribute("cost", "set"), "age"], "target": "ill",
               "method": ppdt_db.Erp(k=5, tiered=True), "accept": ["kk-anonymity"]},
}  # fmt: skip
OWN = {"created_at", "source_fingerprint", "release_fingerprint", "digest_key", "seed_digest",
       "seconds", "release", "form", "runs", "run", "place", "findings"}  # fmt: skip


@pytest.mark.parametrize("entity", mostly_slow([None, "person"], None))
@pytest.mark.parametrize(
    "name",
    mostly_slow(RUNS, "floats as sets", "tiered"),
)
def test_csv_is_measured_as_parquet_is(tmp_path: Path, name: str, entity: str | None) -> None:
    run = dict(RUNS[name])
    if entity and name in ("tiered", "mdav"):
        pytest.skip("this method counts rows")
    found = {}
    with duckdb.connect() as con:
        con.execute(PEOPLE)
        columns = [c[0] for c in con.execute("DESCRIBE people").fetchall()]
        used = {q if isinstance(q, str) else q.name for q in run["quasi"]}
        used |= {"severity", run.get("target"), entity}
        for form in ("csv", "parquet"):
            release = ppdt_db.anonymize(
                con, "people", **{"method": Mondrian(k=5), **run}, sensitive=["severity"],
                entity=entity, identifiers=[c for c in columns if c not in used and c != "town"],
                keep=[] if "town" in used else ["town"], seed=1, out=tmp_path / f"o.{form}",
            )  # fmt: skip
            found[form] = json.loads(json.dumps(release.certificate, default=str))
        measured = {
            form: {key: value for key, value in one.items() if key not in OWN}
            for form, one in found.items()
        }
        assert measured["csv"] == measured["parquet"]
        assert [f["name"] for f in found["csv"]["findings"]] == [
            f["name"] for f in found["parquet"]["findings"]
        ]
        assert [f["measured"] for f in found["csv"]["findings"]] == [
            f["measured"] for f in found["parquet"]["findings"]
        ]


def test_json_holds_what_json_can(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute(PEOPLE)
    path = tmp_path / "o.csv"
    ppdt_db.anonymize(
        con, "people", quasi=[Attribute("dose", "set"), Attribute("cost", "set")],
        identifiers=["person", "age", "smoker", "day", "seen", "town", "severity", "diagnosis",
                     "readmitted", "ill"],
        method=Mondrian(k=5), out=path,
    )  # fmt: skip
    with path.open(newline="") as file:
        lines = list(csv_module.DictReader(file))
    doses = [json.loads(line["dose"], parse_constant=pytest.fail) for line in lines]
    assert {str(v) for found in doses for v in found} <= {*(f"0.{i}" for i in range(10)), "nan"}
    assert "nan" in {v for found in doses for v in found}
    costs = [json.loads(line["cost"]) for line in lines]
    assert {type(v) for found in costs for v in found} <= {str, type(None)}
    assert types(con, path) == {"cost": "DOUBLE[]", "dose": "DOUBLE[]"}
    assert smallest(con, f"read_csv('{path}')", ["dose", "cost"]) >= 5


def test_the_scan_is_linear(tmp_path: Path) -> None:
    line = '17,"x ""y"" z",2020-01-01,0.5\n'
    path = written(tmp_path, "a,b,c,d\n" + line * 200_000)
    assert CsvFile(path, Dialect()).count(4) == 200_000
