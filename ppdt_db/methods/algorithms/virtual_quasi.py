"""Divide rows by the values that they share along their paths, level by level.

The attributes that a path tests are its virtual quasi-identifier. A group shares their values; a
group that breaks the guard leaves its path, and goes to the pool:

    root ─▶ deeper ─▶ (non-complying: pool) ─▶ deeper ─▶ ... ─▶ leaf: the group stays
"""

from ppdt_db.learn.trees.decode import make_inner
from ppdt_db.learn.trees.reclassify import make_leads
from ppdt_db.methods.algorithms.cluster import size_groups
from ppdt_db.methods.algorithms.tree_partition import TreePartition
from ppdt_db.methods.base import Task
from ppdt_db.methods.guard import Guard, judge_groups
from ppdt_db.sqltext.quoting import ident

ROOM = "methods/mict"


def divide_by_paths(task: Task, induced: TreePartition, guard: Guard) -> list[int]:
    """Place every row in `ppdt_coarse`: in its group, or in the pool, number -1.

    Return how many rows went to the pool at each level.
    """
    engine = task.engine
    names: dict[str, object] = {"attributes": task.encoded.attributes}
    inner = [node for node in induced.nodes if node.attribute is not None]
    make_inner(engine, inner)
    make_leads(engine, inner, {node.node_id: node.total for node in induced.nodes})
    engine.make(f"{ROOM}/path_group", names=names)
    engine.make(f"{ROOM}/arrived", to="ppdt_coarse")
    pooled: list[int] = []
    n_groups = 0
    for _ in range(max(induced.tree.depths)):
        engine.make(f"{ROOM}/deeper", {"last_group": n_groups}, names)
        engine.rename("ppdt_deeper", "ppdt_path_group")
        engine.make(f"{ROOM}/level_row")
        size_groups(task, "ppdt_level_row")
        n_groups += engine.count("encode/size", names={"source": ident("ppdt_group")})
        judge_groups(engine, task.encoded, guard)
        before = _n_pooled(task)
        engine.append(f"{ROOM}/non_complying", "ppdt_coarse")
        pooled.append(_n_pooled(task) - before)
        engine.make(f"{ROOM}/complying", names=names)
        engine.rename("ppdt_complying", "ppdt_path_group")
        engine.append(f"{ROOM}/arrived", "ppdt_coarse")
    engine.drop(
        "ppdt_path_group", "ppdt_level_row", "ppdt_broken", "ppdt_group", "ppdt_group_protected",
        "ppdt_inner", "ppdt_leads",
    )  # fmt: skip
    return pooled


def _n_pooled(task: Task) -> int:
    return task.engine.count("methods/mict/n_pooled")
