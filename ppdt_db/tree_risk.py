"""Measure what every node of a tree reveals about the people in it: `tree_risk`."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TextIO

import duckdb

from ppdt_db.arguments import in_plain_numbers, list_faults, name_faults, type_faults
from ppdt_db.encode.columns import EncodedTable, EncodeOptions
from ppdt_db.encode.encode import check_kept_every_row, encode
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.learn.trees.learners import C45
from ppdt_db.methods.algorithms.node_risk import ONE_BIT, measure
from ppdt_db.methods.algorithms.tree_partition import fill_leaves, find_tree, tree_faults
from ppdt_db.methods.base import Task
from ppdt_db.policy.roles import Policy, raise_all, resolve
from ppdt_db.progress import Progress, no_progress
from ppdt_db.release.request import quasi_faults
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened, stage
from ppdt_db.tree.tree import Tree

DEFAULT_MIN_ROWS = 2


@dataclass(frozen=True, kw_only=True)
class BranchRisk:
    """A node and the branch below it; risks are in bits, and lower is better.

    `icr` is None for a node without rows, `omega` if pruning adds no error.
    """

    node: int
    n_rows: int
    n_wrong: int
    big: float
    icr: float | None
    risk: float | None
    branch_risk: float | None
    branch_wrong: int
    omega: float | None


@dataclass(frozen=True, kw_only=True)
class TreeRisk:
    """A tree, and the risks of its nodes in their order."""

    tree: Tree
    nodes: tuple[BranchRisk, ...]


def tree_risk(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    *,
    quasi: Iterable[str],
    target: str,
    tree: Tree | None = None,
    min_rows: int | None = None,
    entity: str | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> TreeRisk:
    """Measure the nodes of a tree over quasi-identifiers: the tree given, or unpruned C4.5.

    With `entity`, ICR counts people, not rows.

    >>> con = duckdb.connect()
    >>> people = con.sql("SELECT i % 2 AS sex, i % 2 = 1 AND i % 3 > 0 AS ill FROM range(12) r(i)")
    >>> root, *_ = tree_risk(con, people, quasi=["sex"], target="ill").nodes
    >>> root.n_rows, root.n_wrong, root.branch_wrong, root.branch_risk
    (12, 4, 2, 2.584962500721)
    """
    learner = C45(
        min_rows=DEFAULT_MIN_ROWS if min_rows is None else min_rows,
        unpruned=True,
        missing="branch",
    )
    raise_all(
        [
            *list_faults(quasi=quasi),
            *name_faults(target=target, entity=entity),
            *type_faults(learner),
        ]
    )
    learner = in_plain_numbers(learner)
    engine = DuckEngine(con, sql_log)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())
        found = stack.enter_context(opened(engine, with_csv(source, csv)))
        stack.enter_context(engine.unordered())
        progress("read", 0.0)
        with engine.transaction():
            read = stage(engine, found)
            policy = Policy.of(quasi=quasi, target=target, entity=entity, keep="rest")
            faults = [] if tree is None or min_rows is None else [ONE_TREE]
            encoded = _encode_source(engine, read, policy, tree, [*learner.faults, *faults])
        task = Task(engine=engine, encoded=encoded, run_key="", progress=progress)
        induced = find_tree(task, tree, learner)
        fill_leaves(task, induced)
        measure(engine, encoded, induced.tree)
        rows = engine.rows("methods/node_risk/branch_risk")
        return TreeRisk(tree=induced.tree, nodes=tuple(map(_branch_risk, rows)))


ONE_TREE = "--min-rows applies only when a tree is grown, not to a given one; remove it."


def _encode_source(
    engine: DuckEngine, source: Source, policy: Policy, tree: Tree | None, faults: list[str]
) -> EncodedTable:
    """Return the encoded source; raise one error with every fault of the request."""
    roles, more, _ = resolve(policy, source.columns)
    faults = [*faults, *more, *quasi_faults(source, roles)]
    if tree is not None:
        faults += tree_faults(tree, [a.name for a in roles.quasi], source.columns)
    n_rows = engine.count("encode/size", names={"source": source.relation})
    if n_rows == 0:
        faults.append("the source has no rows.")
    raise_all(faults)
    # Nothing is released, so no other column has to be read.
    encoded = encode(engine, source, replace(roles, kept=()), EncodeOptions(target=True), {})
    check_kept_every_row(encoded, n_rows)
    return encoded


def _branch_risk(row: tuple[object, ...]) -> BranchRisk:
    node, n_rows, n_wrong, big, icr, risk, branch_risk, branch_wrong, omega = map(_number, row)
    assert node is not None and n_rows is not None and n_wrong is not None
    assert big is not None and branch_wrong is not None
    return BranchRisk(
        node=node,
        n_rows=n_rows,
        n_wrong=n_wrong,
        big=big / ONE_BIT,
        icr=_bits(icr),
        risk=_bits(risk),
        branch_risk=_bits(branch_risk),
        branch_wrong=branch_wrong,
        omega=_bits(omega),
    )


def _number(value: object) -> int | None:
    assert value is None or isinstance(value, int)
    return value


def _bits(trillionths: int | None) -> float | None:
    return None if trillionths is None else trillionths / ONE_BIT
