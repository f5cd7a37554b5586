"""What is published of the original for ID3 on sets: counts of k rows or more, and no other."""

import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ppdt
from tables import SIMPLE, Table, tables

from ppdt_db.errors import RequestError
from ppdt_db.learn import SetID3, distribution, learn, read_distribution, write_distribution

VALUES = st.lists(
    st.sampled_from(["a", "b", "B", "NULL", "", None, "x'y"]), min_size=1, max_size=40
)


@given(values=VALUES, k=st.integers(2, 6))
def test_what_is_told_and_what_is_not(values: list[str | None], k: int) -> None:
    with duckdb.connect() as con:
        con.execute('CREATE TABLE t AS SELECT unnest(?::VARCHAR[]) AS "v ""1"', [values])
        told = distribution(con, "t", columns=['v "1'], k=k)['v "1']
    true = Counter(values)
    assert all(true[value] == n_rows >= k for value, n_rows in told.items())
    untold = [n_rows for value, n_rows in true.items() if value not in told]
    assert not untold or sum(untold) >= k or not told
    # No more is kept back than must be: without the last of them, fewer than k would be left.
    if told and untold and max(untold) >= k:
        assert sum(untold) - max(untold) < k
    assert read_distribution(write_distribution({"v": told}, k)) == {"v": told}


@given(table=tables(types=SIMPLE))
def test_any_table(table: Table) -> None:
    with duckdb.connect() as con:
        table.make(con)
        told = distribution(con, "t", columns=table.names, k=2)
    assert list(told) == list(table.names)
    for column in table.columns:
        assert sum(told[column.name].values()) <= table.n_rows
        assert len(told[column.name]) <= len(set(column.keys()))


def test_the_command_and_what_reads_it(tmp_path: Path) -> None:
    rows, sets, out = (tmp_path / name for name in ("rows.parquet", "sets.parquet", "told.json"))
    with duckdb.connect() as con:
        con.execute(f"COPY (SELECT CASE WHEN i < 30 THEN 'M' WHEN i < 39 THEN 'F' ELSE 'X' END "
                    f"AS sex FROM range(40) r(i)) TO '{rows}'")  # fmt: skip
        con.execute(f"COPY (SELECT ['F', 'X', 'M'] AS sex, i % 2 AS y FROM range(200) r(i)) "
                    f"TO '{sets}'")  # fmt: skip
    done = ppdt("distribution", rows, "--columns", "sex", "--k", 5, "--out", out)
    assert done.code == 0, done.err
    # X has one row; with F it stays untold, or the number of rows would tell it.
    assert json.loads(out.read_text("utf-8")) == {
        "format": "ppdt distribution 1", "k": 5, "columns": {"sex": [["M", 30]]}
    }  # fmt: skip
    assert ppdt("distribution", rows, "--columns", "sex", "--k", 5, "--out", out).code == 2
    asked = ("--target", "y", "--original-distribution", out)
    tree = ppdt("learn", "id3", sets, *asked, "--json")
    assert tree.code == 0, tree.err
    assert len(tree.json["nodes"]) == 1  # every set becomes M
    judged = ppdt("evaluate", sets, *asked, "--learner", "sets", "--cv", "1x2", "--json")
    assert judged.code == 0, judged.err
    wrong = ppdt("learn", "id3", sets, *asked, "--conversion", "random")
    assert wrong.code == 2 and "--conversion random" in wrong.err
    assert ppdt("learn", "c45", sets, *asked).code == 2


def test_wishes_that_cannot_be_granted(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT [i, i + 1] AS x, i % 2 AS y FROM range(9) r(i)")
        for columns, k in ((["x"], 2), (["z"], 2), (["y"], 1), ([], 2)):
            with pytest.raises(RequestError):
                distribution(con, "t", columns=columns, k=k)
        learner = SetID3(conversion="original_distribution", distribution={"z": {"a": 2}})
        with pytest.raises(RequestError, match="original distribution does not have it"):
            learn(con, "t", target="y", learner=learner)
    for text in ("", "{}", '{"format": "ppdt distribution 1", "columns": {"x": [[1, 2]]}}',
                 '{"format": "ppdt distribution 1", "columns": {"x": [["a", 0]]}}'):  # fmt: skip
        with pytest.raises(RequestError, match="not a distribution"):
            read_distribution(text)
