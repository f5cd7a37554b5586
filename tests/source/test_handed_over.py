"""Frames, relations, addresses: read as DuckDB reads them; each refusal says its own cause."""

import contextlib
import decimal
import functools
import http.server
import importlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
from support import PATIENTS, anonymize_patients, bag, mostly_slow, ppdt, smallest, temporaries

import ppdt_db
from ppdt_db import EngineError, PpdtError, RequestError


@pytest.fixture(autouse=True)
def patients(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)


FRAMES: dict[str, Callable[[duckdb.DuckDBPyRelation], object]] = {
    "arrow": lambda r: r.to_arrow_table(), "pandas": lambda r: r.df(), "polars": lambda r: r.pl(),
    "relation": lambda r: r,
}  # fmt: skip


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("is_begun", mostly_slow([False, True], True))
def test_a_result_that_nobody_fetched_is_no_hindrance(
    con: duckdb.DuckDBPyConnection, kind: str, *, is_begun: bool
) -> None:
    given = FRAMES[kind](con.sql("FROM patients"))
    pending = con.execute("SELECT * FROM range(1000000)")
    if is_begun:
        pending.fetchone()
    anonymize_patients(con, given, into="found")
    assert smallest(con, "found", ["sex", "zip"]) >= 5
    con.execute("SELECT * FROM range(1000000)")
    assert ppdt_db.profile(con, given).n_rows == 200
    assert temporaries(con) == []


def test_an_open_reader_is_told(con: duckdb.DuckDBPyConnection) -> None:
    given = con.sql("FROM patients").to_arrow_table()
    reader = con.sql("SELECT * FROM range(10000000)").to_arrow_reader()
    for source in (given, "patients"):
        try:
            anonymize_patients(con, source, into="found", replace=True)
        except PpdtError as error:
            assert "open result" in str(error)
    del reader
    anonymize_patients(con, given, into="found", replace=True)


@pytest.mark.parametrize("source", ["frame", "patients"])
def test_a_closed_connection_is_told(source: str) -> None:
    con = duckdb.connect()
    con.execute(PATIENTS)
    given = con.sql("FROM patients").to_arrow_table() if source == "frame" else source
    con.close()
    with pytest.raises((EngineError, RequestError), match="connection is closed"):
        anonymize_patients(con, given)


WHOLE = pyarrow.array([1, 2])
UNREADABLE = {
    "decimal256": (
        lambda: pyarrow.table({
            "ok": WHOLE,
            "wide": pyarrow.array([decimal.Decimal(10) ** 50] * 2, pyarrow.decimal256(60, 2)),
        }),
        ['"wide"', "decimal256(60, 2)"],
    ),
    "float16": (
        lambda: pyarrow.table({"ok": WHOLE, "half": pyarrow.array(numpy.array([1, 2], "float16"))}),
        ['"half"', "halffloat"],
    ),
    "period": (
        lambda: pandas.DataFrame(
            {"ok": [1, 2], "month": pandas.period_range("2020-01", periods=2, freq="M")}
        ),
        ['"month"', "period[M]"],
    ),
    "two of three": (
        lambda: pandas.DataFrame(
            {"a": [1j, 2j], "ok": [1, 2], "b": pandas.interval_range(0, 2)}
        ),
        ['"a"', "complex128", '"b"', "interval"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_type_that_duckdb_does_not_know_is_told_with_its_column(
    con: duckdb.DuckDBPyConnection, kind: str
) -> None:
    make, wanted = UNREADABLE[kind]
    with pytest.raises(RequestError) as raised:
        ppdt_db.profile(con, make())
    for word in wanted:
        assert word in str(raised.value)
    assert '"ok"' not in str(raised.value)
    assert temporaries(con) == []


def test_what_cannot_be_a_source_is_told(con: duckdb.DuckDBPyConnection) -> None:
    other = duckdb.connect()
    other.execute(PATIENTS)
    gone = con.sql("FROM patients")
    con.execute("ALTER TABLE patients RENAME TO moved")
    for given, words in (
        ([1, 2], "type list"), (None, "type NoneType"), (3.5, "type float"),
        (other.sql("FROM patients"), "another connection"),
        (gone, "no longer exists"),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            ppdt_db.profile(con, given)
    assert ppdt_db.profile(con, polars.DataFrame({"a": [1]}).lazy()).n_rows == 1


# -- addresses --


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def served(tmp_path: Path, con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """A folder that is served over HTTP, and what reads it."""
    with contextlib.suppress(ImportError, OSError):
        importlib.import_module("duckdb_extensions").import_extension("httpfs")
    try:
        con.execute("LOAD httpfs")
    except duckdb.Error:
        pytest.skip("DuckDB's extension httpfs is not installed here")
    con.execute("SET http_timeout = 1")
    con.execute("SET http_retries = 0")
    con.execute(f"COPY patients TO '{tmp_path}/p.parquet'")
    con.execute(f"COPY patients TO '{tmp_path}/p.csv'")
    handler = functools.partial(Quiet, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_an_address_is_read_by_duckdb(con: duckdb.DuckDBPyConnection, served: str) -> None:
    anonymize_patients(con, into="wanted", seed=1)
    release = anonymize_patients(con, f"{served}/p.parquet?key=secret", into="found", seed=1)
    assert bag(con, "found", ["age", "sex"]) == bag(con, "wanted", ["age", "sex"])
    assert release.certificate["source"] == "p.parquet"
    with pytest.raises(RequestError, match="Download it first") as raised:
        anonymize_patients(con, f"{served}/p.csv?key=secret", into="as_csv")
    assert "secret" not in str(raised.value)
    assert temporaries(con) == []


def test_why_an_address_cannot_be_read_is_told(con: duckdb.DuckDBPyConnection, served: str) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        for address, words in (
            (f"{served}/none.parquet?key=secret", "HTTP 404"),
            ("http://127.0.0.1:9/p.parquet", "the server cannot be reached"),
            (f"http://127.0.0.1:{mute.getsockname()[1]}/p.parquet", "in time"),
        ):
            with pytest.raises(RequestError, match=words) as raised:
                ppdt_db.profile(con, address)
            assert "secret" not in str(raised.value)
        with pytest.raises(RequestError, match="no such table"):
            ppdt_db.profile(con, f"{served}/p.json")


def test_a_relation_of_an_address_that_went_away_is_told(
    con: duckdb.DuckDBPyConnection, served: str, tmp_path: Path
) -> None:
    relation = con.sql(f"FROM read_csv('{served}/p.csv')")
    con.execute("SET enable_http_metadata_cache = false")
    (tmp_path / "p.csv").unlink()
    with pytest.raises((RequestError, EngineError), match=r"HTTP 404|in time"):
        ppdt_db.profile(con, relation)


ADDRESSES = ["s3://127.0.0.1.invalid/p", "http://127.0.0.1:9/p"]


@pytest.mark.slow
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_without_its_extension_says_so(address: str, tmp_path: Path) -> None:
    """Whether or not this machine has the extension, and whatever answers its download."""
    with duckdb.connect(config={"extension_directory": str(tmp_path)}) as con:
        for proxy in ("", "127.0.0.1:9"):
            con.execute(f"SET http_proxy = '{proxy}'")
            with pytest.raises(RequestError, match="INSTALL httpfs"):
                ppdt_db.profile(con, f"{address}.parquet")


def test_the_command_says_why_an_address_cannot_be_read() -> None:
    ended = ppdt("profile", "s3://127.0.0.1.invalid/p.parquet")
    assert ended.code == 2 and "no such file" not in ended.err, ended.err
    assert "extension" in ended.err or "host name" in ended.err
