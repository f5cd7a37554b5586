"""A partition depends neither on how codes are held, nor on how attributes are tried, nor on which
steps are kept."""

from dataclasses import replace

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import every, examples
from tables import SIMPLE, Table, tables

from ppdt_db.encode import columns as coded
from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.encode.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.methods.algorithms import partition
from ppdt_db.methods.algorithms.partition import Cutting, Partition
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard
from ppdt_db.policy.roles import Attribute, Policy, resolve
from ppdt_db.source.source import opened

CUTTINGS = {
    "balanced": Cutting(guard=Guard(k=2)),
    "median": Cutting(guard=Guard(k=2), criterion="median"),
    "median-left": Cutting(guard=Guard(k=2), criterion="median-left"),
    "ncp": Cutting(guard=Guard(k=2), criterion="ncp"),
    "foresight": Cutting(guard=Guard(k=2), criterion="foresight", by_row=True),
    "relaxed": Cutting(guard=Guard(k=2), relaxed=True),
    "distinct": Cutting(guard=Guard(k=2, l=2)),
    "models": Cutting(guard=Guard(k=2, alpha=0.7)),
}


def classes(task: Task, cutting: Cutting) -> set[frozenset[object]]:
    """The classes of a partition, as sets of units."""
    if cutting.guard.has_models:
        task.engine.make("guard/whole_share")
    Partition(cutting, task).grow()
    unit = "row_id" if cutting.relaxed or cutting.by_row else "cell_id"
    rows = task.engine.con.execute(f"SELECT list({unit}) FROM ppdt_member GROUP BY class_id")
    return {frozenset(row[0]) for row in rows.fetchall()}


MAKE = DuckEngine.make


def keeping(engine: DuckEngine, *given: object, inline: bool = False, **wishes: object) -> str:
    """Make a relation, and keep it even where a single step reads it."""
    return MAKE(engine, *given, **wishes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", every(2, CUTTINGS))
@examples(12)
@given(table=tables(types=SIMPLE), bits=st.integers(3, 5), n_tries=st.integers(1, 3))
def test_words_and_tries_and_keeping_make_no_difference(
    table: Table, name: str, bits: int, n_tries: int
) -> None:
    cutting = CUTTINGS[name]
    policy = Policy(quasi=[Attribute(n) for n in table.names], keep=["rid"], sensitive=["extra"])
    wants = EncodeOptions(
        sensitive=cutting.guard.asks_of_sensitive, row_ids=cutting.relaxed or cutting.by_row
    )
    with duckdb.connect() as con, pytest.MonkeyPatch.context() as patch:
        table.make(con)
        con.execute("CREATE VIEW s AS SELECT *, rid % 3 AS extra FROM t")
        engine = DuckEngine(con)
        with opened(engine, "s") as found:
            roles, _, _ = resolve(policy, found.columns)
            encoded = encode(engine, found, roles, wants, {"run_key": "key"})
            task = Task(engine=engine, encoded=encoded, run_key="key")
            as_ever = classes(task, cutting)
            # Words so short that the codes need several, none of which is the cell's id.
            patch.setattr(coded, "BITS_OF_WORD", {"BIGINT": bits})
            patch.setattr(partition, "FEW_CODES", 0)
            patch.setattr(DuckEngine, "tries", n_tries)
            patch.setattr(DuckEngine, "make", keeping)
            divided = replace(task, encoded=replace(encoded, words=[]))
            assert classes(divided, cutting) == as_ever
