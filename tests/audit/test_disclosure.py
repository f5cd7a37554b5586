"""The bits that an attacker lacks, in every form of a label, equal the naive definitions."""

from collections.abc import Hashable, Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.disclosure import disclosure
from support import PATIENTS, every, mostly_slow, ppdt

import ppdt_db
from ppdt_db import Erp, Kactus, Mondrian
from ppdt_db.methods import Method

people = st.lists(
    st.tuples(
        st.sampled_from([None, 0, 1, 2, 5, 8, 10]),
        st.sampled_from([None, "a", "A", "", "b"]),
        st.sampled_from([None, "p", "q", "r"]),
    ),
    min_size=2,
    max_size=24,
)
FORMS = {
    "range": "x VARCHAR", "bounds": "x_lo INTEGER, x_hi INTEGER", "set": "x INTEGER[]",
    "value": "x INTEGER",
}  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(PATIENTS)
        yield connection


def number_label(drawn: list[int | None], form: str, *, is_gone: bool) -> Hashable:
    if form == "set":
        return frozenset(drawn)
    numbers = [n for n in drawn if n is not None]
    if not numbers or is_gone:
        return None
    return (min(numbers),) * 2 if form == "value" else (min(numbers), max(numbers))


def written(label: Hashable, form: str) -> list[object]:
    if label is None:
        return [None] * (2 if form == "bounds" else 1)
    if isinstance(label, frozenset):
        return [sorted(label, key=str)]
    assert isinstance(label, tuple)
    lo, hi = label
    if form == "range":
        return [str(lo) if lo == hi else f"[{lo}, {hi}]"]
    return [lo, hi] if form == "bounds" else [lo]


@given(
    drawn=people, size=st.integers(1, 6), form=st.sampled_from(list(FORMS)),
    gone=st.sets(st.integers(0, 12)), by_entity=st.booleans(),
)  # fmt: skip
def test_every_form_of_a_label(
    con: duckdb.DuckDBPyConnection,
    drawn: list[tuple[int | None, str | None, str | None]],
    size: int,
    form: str,
    gone: set[int],
    by_entity: bool,
) -> None:
    labels: list[list[Hashable]] = []
    rows: list[list[object]] = []
    for start in range(0, len(drawn), size):
        group = drawn[start : start + size]
        label = number_label([n for n, _, _ in group], form, is_gone=start in gone)
        # Sets of words hold NULL as a member.
        members = frozenset(word for _, word, _ in group)
        for _, _, person in group:
            labels.append([label, members])
            rows.append([*written(label, form), sorted(members, key=str), person])
    if form == "range" and not any(str(row[0]).startswith("[") for row in rows):
        return
    con.execute("CREATE OR REPLACE TABLE original (x INTEGER, w VARCHAR, person VARCHAR)")
    con.executemany("INSERT INTO original VALUES (?, ?, ?)", [list(row) for row in drawn])
    con.execute(f"CREATE OR REPLACE TABLE release ({FORMS[form]}, w VARCHAR[], person VARCHAR)")
    marks = ", ".join("?" * len(rows[0]))
    con.executemany(f"INSERT INTO release VALUES ({marks})", rows)
    quasi = [row[0] for row in con.sql("DESCRIBE release").fetchall() if row[0] != "person"]
    entity = "person" if by_entity else None
    found = ppdt_db.audit(con, "release", quasi=quasi, original="original", entity=entity)
    who: list[Hashable] = [row[2] if by_entity else i for i, row in enumerate(drawn)]
    before, after = disclosure([row[:2] for row in drawn], labels, who)
    measured = found.measures["disclosure"]
    assert measured == {
        "before": pytest.approx(before, abs=1e-9),
        "after": pytest.approx(after, abs=1e-9),
    }
    assert found.measures["tidi"] == pytest.approx(after["tidi_least"], abs=1e-9)


METHODS: list[Method] = [Mondrian(k=5), Kactus(k=5), Erp(k=5, binary=True)]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
@pytest.mark.parametrize("suffix", mostly_slow([".parquet", ".csv"], ".parquet"))
def test_the_certificate_has_what_an_audit_from_outside_finds(
    tmp_path: Path, method: Method, suffix: str
) -> None:
    with duckdb.connect() as con:
        con.execute(PATIENTS)
        quasi = ["age", "sex", "zip"]
        made = ppdt_db.anonymize(
            con, "patients", quasi=quasi, identifiers="rest", target="readmitted", method=method,
            out=tmp_path / f"release{suffix}",
        )  # fmt: skip
        measured = made.certificate["measures"]["disclosure"]
        assert measured["before"]["tidi_least"] > measured["after"]["tidi_least"] > 0
        if method.name == "kactus":
            # Its numbers are means, which an audit from outside takes for values.
            return
        outside = ppdt_db.audit(
            con, str(tmp_path / f"release{suffix}"), quasi=quasi, original="patients"
        )
        assert outside.measures["disclosure"] == measured


def test_people_not_rows(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """One person's eight rows cannot hide her: ICR counts people."""
    con.execute(
        "CREATE OR REPLACE TABLE visit AS "
        "SELECT if(i % 2 = 0, 'cold', 'flu') AS ill, i // 8 AS person FROM range(64) r(i)"
    )
    for suffix in (".parquet", ".csv"):
        made = ppdt_db.anonymize(
            con, "visit", quasi=["ill"], entity="person", method=Mondrian(k=4),
            out=tmp_path / f"visit{suffix}", accept=["several-releases"],
        )  # fmt: skip
        after = made.certificate["measures"]["disclosure"]["after"]
        assert after == {"big": 1.0, "icr": 3.0, "tidi": 4.0, "tidi_least": 4.0}


def test_a_weak_group_can_be_refused(tmp_path: Path) -> None:
    """The command shows the figures, and `--require tidi` is a gate."""
    db = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(db)) as con:
        con.execute("CREATE TABLE original AS SELECT i % 4 AS age FROM range(16) r(i)")
        con.execute(
            "CREATE TABLE release AS SELECT if(age < 2, '[0, 1]', '[2, 3]') AS age FROM original"
        )
    common = ["audit", "release", "--db", db, "--qi", "age"]
    # Of width 3, each range covers a third: log2(3) bits, and 8 people.
    passed = ppdt(*common, "--original", "original", "--require", "tidi=4.5", "--json")
    assert passed.code == 0
    assert passed.json["disclosure"]["after"]["tidi"] == pytest.approx(4.584962500721)
    failed = ppdt(*common, "--original", "original", "--require", "tidi=4.6")
    assert failed.code == 3
    assert "both (TIDI), weakest group" in failed.out
    without = ppdt(*common, "--require", "tidi=4.6")
    assert without.code == 2
    assert "requirement tidi needs the original (--original)." in without.err


def test_what_cannot_be_measured_is_null() -> None:
    """Labels that are no ranges of numbers, and people whom the original does not name."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE original AS SELECT i AS age FROM range(4) r(i)")
        con.execute(
            "CREATE TABLE release AS SELECT '[low, high]' AS age, i AS who FROM range(4) r(i)"
        )
        found = ppdt_db.audit(con, "release", quasi=["age"], entity="who", original="original")
    assert found.measures["disclosure"] == {"before": None, "after": None}
    assert found.measures["tidi"] is None
    assert found.measures["k"] == 4


ENDS = {
    "DOUBLE": ["-1.7e308", "1.7e308", "0", "nan", "inf", "5e-324", None],
    "FLOAT": ["3e38", "-3e38", "nan"],
    "HUGEINT": [str(1 - 2**127), str(2**127 - 1), "0"],
    "UHUGEINT": ["0", str(2**128 - 1)],
    "DECIMAL(38, 10)": ["-9999999999999999999999999999.9", "9999999999999999999999999999.9"],
    "DATE": ["infinity", "-infinity", "290000-01-01", "1000-01-01"],
    "TIMESTAMP": ["infinity", "290000-01-01", "1970-01-01"],
    "TIMESTAMP_NS": ["1700-01-01", "2200-01-01"],
    "TIME": ["00:00:00", "23:59:59.999999"],
}


@pytest.mark.parametrize(("type_name", "values"), every(3, ENDS.items()), ids=ENDS)
def test_values_at_the_ends_of_their_type(type_name: str, values: list[str | None]) -> None:
    """No width overflows: whatever is released is measured."""
    with duckdb.connect() as con:
        for n in range(1, len(values) + 1):
            con.execute(f"CREATE OR REPLACE TABLE t (v {type_name})")
            con.executemany("INSERT INTO t VALUES (?)", [[v] for v in values[:n] for _ in range(6)])
            for k in [6] + [7] * (n > 1):
                made = ppdt_db.anonymize(
                    con, "t", quasi=["v"], method=Mondrian(k=k), into="o", replace=True,
                    record=False,
                )  # fmt: skip
                measures = made.certificate["measures"]
                assert 0 <= measures["gcp"] <= 1
                before, after = (measures["disclosure"][side] for side in ("before", "after"))
                assert before["big"] >= after["big"] >= 0
                assert after["icr"] >= before["icr"]
