"""Tiered labels: inside a group that pruning made, rows show what their own leaf holds.

Every leaf of the tree before pruning is a part; a part of fewer than k rows borrows the nearest
rows of the smallest branch around it. A row shows the union of all parts that it is in.

ppdt_leaf, ppdt_above, ppdt_outcome ──▶ ppdt_borrowed ──▶ ppdt_member + ppdt_label (+ ppdt_hint)
"""

from collections.abc import Mapping, Sequence

from ppdt_db.methods.algorithms.distance import DistanceMeasure, drop_axes, make_axes
from ppdt_db.methods.base import LabelColumn, Task
from ppdt_db.methods.guard import Guard
from ppdt_db.methods.labels import describe_extents, label_columns
from ppdt_db.policy.accept import KK
from ppdt_db.policy.roles import Roles
from ppdt_db.sqltext.quoting import ident

# At most this many pairs of a part and a cell are compared in one pool; beyond that, a sample.
MOST_PAIRS = 50_000_000
LEAST_CELLS = 2_000
GUARANTEE = "(k,k)-anonymity"
WEAKER: Mapping[str, str] = {
    KK: "tiered labels do not give plain k-anonymity: a reader who compares values finds, for "
    "each person, at least k released rows that match, and for each released row at least k "
    "original rows, but classes may hold a single row. A reader who knows the algorithm can "
    "learn more, since the labels show which rows were lent from one leaf to another; "
    "nothing is guaranteed against that."
}


def tier_faults(guard: Guard, roles: Roles) -> list[str]:
    """Return the faults of a request that tiered generalization does not support."""
    faults = [
        f'recode "{a.name}": {a.recode} is not supported with tiered generalization, which shows '
        "ranges, bounds and sets. Remove it, or remove --tiered."
        for a in roles.quasi
        if a.recoding is not None and (a.recoding.is_single or a.recode == "bins")
    ]
    conditions = [*(["l"] if guard.l > 1 else []), *guard.models]
    faults += [
        f"{name.replace('_', '-')}: not supported with tiered generalization, whose classes are "
        "smaller than k. Remove it, or remove --tiered."
        for name in conditions
    ]
    if roles.entity is not None:
        faults.append(
            f'entity "{roles.entity}": not supported with tiered generalization, which counts '
            "rows. Remove it, or remove --tiered."
        )
    return faults


def make_tiers(task: Task, k: int, measure: DistanceMeasure | None = None) -> None:
    """Lend rows to small parts; leave members, extents and the hint for the proof behind.

    Reads the leaf of every cell (`ppdt_leaf`), the node to which every leaf was pruned
    (`ppdt_outcome`) and, for every node, itself and all nodes above it (`ppdt_above`).
    """
    engine = task.engine
    task.progress("tiers", 0.0)
    _lend(task, k, measure or DistanceMeasure())
    engine.make("methods/tiers/lender")
    engine.make("methods/tiers/shared")
    engine.make("methods/tiers/member")
    engine.make("methods/tiers/class_part")
    engine.drop("ppdt_lender", "ppdt_shared")
    engine.make("methods/tiers/part")
    names = {"attributes": task.encoded.attributes}
    engine.make("label/extent", names=names, to="ppdt_tier")
    engine.make("methods/tiers/extent", names=names)
    engine.make("methods/tiers/hint", {"k": k})
    engine.drop("ppdt_tier", "ppdt_class_part", "ppdt_part", "ppdt_borrowed", "ppdt_leaf")
    engine.drop("ppdt_above", "ppdt_outcome")


def label_tiers(task: Task) -> Sequence[LabelColumn]:
    """Label every class by the box of its own rows and of those that it borrows."""
    describe_extents(task.engine, task.encoded)
    return label_columns(task.encoded.attributes)


def _lend(task: Task, k: int, measure: DistanceMeasure) -> None:
    """Find the rows that every small part borrows."""
    engine, only_k = task.engine, {"k": k}
    axes = make_axes(engine, task.encoded, measure)
    names = {"axes": axes}
    engine.make("methods/tiers/node_rows")
    engine.make("methods/tiers/needy", only_k)
    engine.make("methods/tiers/point", names=names)
    engine.make("methods/tiers/tally", names=names)
    engine.make("methods/microaggregate/centre", names=names)
    engine.make("methods/tiers/crowded", {"k": k, "most": MOST_PAIRS, "least": LEAST_CELLS})
    engine.make("methods/tiers/near", only_k, names)
    engine.make("methods/tiers/borrowed", only_k)
    n_parts, n_lent = engine.row("methods/tiers/lent")
    n_crowded = engine.count("encode/size", names={"source": ident("ppdt_crowded")})
    task.figures.update(
        {"parts_that_borrow": n_parts, "rows_lent": n_lent, "pools_seen_in_part": n_crowded}
    )
    drop_axes(engine, axes)
    engine.drop(
        "ppdt_node_rows", "ppdt_needy", "ppdt_point", "ppdt_tally", "ppdt_centre", "ppdt_near",
        "ppdt_crowded",
    )  # fmt: skip
