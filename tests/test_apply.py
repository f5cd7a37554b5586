"""A release applied to new rows: against an oracle, on the rows it was made from, and asked badly."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.applied import applied
from support import PATIENTS, make_database, objects, plain, ppdt, read, temporaries
from tables import POOLS, Column, Table, tables

import ppdt_db
from ppdt_db import Attribute, Kactus, Mondrian, RequestError, anonymize, load_rules
from ppdt_db.methods import METHODS
from ppdt_db.methods.contract import Task
from ppdt_db.suppress import Suppression

TYPES = ["INTEGER", "VARCHAR", "DOUBLE", "BOOLEAN"]
REASONS = ["no branch", "no released class", "outside the label"]


def taught(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    """A table with a class that follows from its first column, so that trees have branches."""
    table.make(con)
    texts = [text or "" for text in table.columns[0].texts]
    order = sorted(set(texts))
    classes = [order.index(text) % 2 for text in texts]
    con.execute(f"CREATE TABLE source AS SELECT *, {classes}[rid + 1] = 1 AS y FROM t")


def released(
    con: duckdb.DuckDBPyConnection, table: Table, method: object, **options: object
) -> ppdt_db.Release:
    return anonymize(
        con, "source", quasi=table.names, target="y", keep=["rid"], method=method,  # type: ignore[arg-type]
        **{"into": "o", "rules": True, "seed": 1, **options},
    )  # fmt: skip


@contextmanager
def noting() -> Iterator[dict[str, set[int]]]:
    """Rows that are lent, and rows of leaves that lend, as a run of kACTUS inside has them."""
    found: dict[str, set[int]] = {}
    settle = Kactus._settle

    def noted(self: Kactus, task: Task, suppression: Suppression) -> object:
        con, rid = task.engine.con, task.encoded.released["rid"]
        placed = f"SELECT r.{rid}, f.leaf_id FROM ppdt_row r JOIN ppdt_leaf f USING (cell_id)"
        lent = con.execute(f"{placed} JOIN ppdt_lent USING (row_id)").fetchall()
        leaves = {leaf for _, leaf in lent}
        found["rows"] = {number for number, _ in lent}
        found["leaves"] = {n for n, leaf in con.execute(placed).fetchall() if leaf in leaves}
        return settle(self, task, suppression)

    with mock.patch.object(Kactus, "_settle", noted):
        yield found


def drawn(data: st.DataObject, table: Table) -> Table:
    """The rows of a table, and some of other values."""
    columns = []
    for column in table.columns:
        known: list[str | None] = [*POOLS[column.type], None]
        more = data.draw(st.lists(st.sampled_from(known), min_size=6, max_size=6))
        columns.append(Column(column.name, column.type, (*column.texts, *more)))
    return Table(tuple(columns))


@given(table=tables(types=TYPES), data=st.data())
def test_rows_show_what_the_oracle_says(table: Table, data: st.DataObject) -> None:
    method = data.draw(
        st.sampled_from([Kactus(k=2), Kactus(k=3, refine=True), Mondrian(k=2), Mondrian(k=4)])
    )
    with duckdb.connect() as con:
        taught(con, table)
        made = released(con, table, method)
        assert made.rules is not None
        drawn(data, table).make(con, "fresh_rows")
        con.execute("CREATE VIEW fresh AS SELECT *, rid % 2 = 0 AS y FROM fresh_rows")
        done = made.apply("fresh", into="shown")
        rows = [
            dict(zip(table.names, row, strict=True)) | {"rid": rid}
            for *row, rid in con.execute("SELECT * FROM fresh_rows").fetchall()
        ]
        about = made.rules.about
        shapes = {label.attribute: label.shape for label in about.labels}
        with duckdb.connect(str(made.rules.path), read_only=True) as file:
            places = file.execute("SELECT leaf_id, class_id, n_rows FROM place").fetchall()
            labels = {number: label for number, *label in file.execute("FROM label").fetchall()}
        tree = json.loads(about.tree.as_json()) if about.tree else None
        wanted = {row["rid"]: applied(tree, places, labels, shapes, row) for row in rows}
        shown = {rid: tuple(label) for *label, rid in read(con, "shown", [*table.names, "rid"])}
        for rid, label in wanted.items():
            expected = None if isinstance(label, str) else plain(label)
            assert shown.get(rid) == expected
        counted = Counter(label for label in wanted.values() if isinstance(label, str))
        assert done.withheld == {reason: counted[reason] for reason in REASONS}
        assert (done.rows_in, done.rows_shown) == (len(rows), len(shown))
        assert temporaries(con) == []


@given(table=tables(types=TYPES), data=st.data())
def test_the_rows_it_was_made_from_show_what_they_showed(table: Table, data: st.DataObject) -> None:
    refine, is_plain = data.draw(st.sampled_from([(False, False), (True, False), (True, True)]))
    k = data.draw(st.sampled_from([2, 3, 5]))
    with duckdb.connect() as con, noting() as found:
        taught(con, table)
        made = released(con, table, Kactus(k=k, refine=refine, plain=is_plain))
        assert made.apply("source", into="again").rows_in == table.n_rows
        names = [*table.names, "y", "rid"]
        before = {row[-1]: row for row in read(con, "o", names)}
        after = {row[-1]: row for row in read(con, "again", names)}
        loose = found["leaves"] if refine else found["rows"]
        for rid in set(range(table.n_rows)) - loose:
            assert after.get(rid) == before.get(rid)


@given(table=tables(types=TYPES))
def test_boxes_of_mondrian_hold_their_own_rows(table: Table) -> None:
    with duckdb.connect() as con:
        taught(con, table)
        made = released(con, table, Mondrian(k=3))
        again = made.apply("source", out=Path(made.rules.path.parent, "again.parquet"))  # type: ignore[union-attr]
        assert again.rows_shown == table.n_rows
        path = Path(made.rules.path.parent, "again.parquet")  # type: ignore[union-attr]
        names = [*table.names, "y", "rid"]
        assert read(con, "o", names) == read(con, f"read_parquet('{path}')", names)
