"""Tiers: inside a group that pruning made, rows show what their own leaf holds.

Every leaf of the tree before pruning is a part; a part of fewer than k rows borrows the nearest
rows of the smallest branch around it. A row shows the union of all parts that it is in.

ppdt_leaf, ppdt_above, ppdt_outcome ──▶ ppdt_borrowed ──▶ ppdt_member + ppdt_label (+ ppdt_hint)
"""

from collections.abc import Mapping, Sequence

from ppdt_db.accept import KK
from ppdt_db.axis import Measure, drop_axes, make_axes
from ppdt_db.guard import Guard
from ppdt_db.label import describe_extents, label_columns
from ppdt_db.methods.contract import LabelColumn, Task
from ppdt_db.names import ident
from ppdt_db.policy import Roles

# Pairs of a part and a cell that are compared in one pool; beyond, parts see a draw of the cells.
MOST_PAIRS = 50_000_000
LEAST_CELLS = 2_000
GUARANTEE = "(k,k)-anonymity"
WEAKER: Mapping[str, str] = {
    KK: "tiered labels keep no plain k-anonymity: a reader who compares values finds, "
    "for each person, at least k released rows that agree, and for each released row at least k "
    "original rows, but classes may hold a single row. A reader who uses the algorithm can learn "
    "more, since the labels show which rows were lent from one leaf to another, and nothing is "
    "promised against that."
}


def tier_faults(guard: Guard, roles: Roles) -> list[str]:
    """What tiered generalization cannot do, each with what to ask for instead."""
    faults = [
        f'recode "{a.name}": tiered generalization shows ranges, bounds and sets; nothing agrees '
        f"with a {a.recode}. Leave it out, or leave --tiered out."
        for a in roles.quasi
        if a.recode in ("mean", "mode")
    ]
    asked = [*(["l"] if guard.l > 1 else []), *guard.models]
    faults += [
        f"{name.replace('_', '-')}: tiered generalization keeps k alone: its classes are "
        "smaller than k. Leave it out, or leave --tiered out."
        for name in asked
    ]
    if roles.entity is not None:
        faults.append(
            f'entity "{roles.entity}": tiered generalization counts rows. Leave it out, or leave '
            "--tiered out."
        )
    return faults


def make_tiers(task: Task, k: int, measure: Measure | None = None) -> Sequence[LabelColumn]:
    """Lend, and describe every class; leaves member, label and the hint for the proof behind.

    Reads the leaf of every cell (`ppdt_leaf`), the node to which every leaf was pruned
    (`ppdt_outcome`) and, for every node, itself and all nodes above it (`ppdt_above`).
    """
    engine = task.engine
    task.progress("tiers", 0.0)
    _lend(task, k, measure or Measure())
    engine.make("tiers/lender")
    engine.make("tiers/shared")
    engine.make("tiers/member")
    engine.make("tiers/held")
    engine.drop("ppdt_lender", "ppdt_shared")
    engine.make("tiers/part")
    names = {"attributes": task.encoded.attributes}
    engine.make("label/extent", names=names, to="ppdt_tier")
    engine.make("tiers/extent", names=names)
    engine.make("tiers/hint", {"k": k})
    engine.drop("ppdt_tier", "ppdt_held", "ppdt_part", "ppdt_borrowed", "ppdt_leaf")
    engine.drop("ppdt_above", "ppdt_outcome")
    describe_extents(engine, task.encoded)
    return label_columns(task.encoded.attributes)


def _lend(task: Task, k: int, measure: Measure) -> None:
    """Find the rows that every small part borrows."""
    engine, only_k = task.engine, {"k": k}
    axes = make_axes(engine, task.encoded, measure)
    names = {"axes": axes}
    engine.make("tiers/node_rows")
    engine.make("tiers/needy", only_k)
    engine.make("tiers/point", names=names)
    engine.make("tiers/tally", names=names)
    engine.make("micro/centre", names=names)
    engine.make("tiers/crowded", {"k": k, "most": MOST_PAIRS, "least": LEAST_CELLS})
    engine.make("tiers/near", only_k, names)
    engine.make("tiers/borrowed", only_k)
    n_parts, n_lent = engine.row("tiers/lent")
    n_crowded = engine.count("encode/size", names={"source": ident("ppdt_crowded")})
    task.figures.update(
        {"parts_that_borrow": n_parts, "rows_lent": n_lent, "pools_seen_in_part": n_crowded}
    )
    drop_axes(engine, axes)
    engine.drop(
        "ppdt_node_rows", "ppdt_needy", "ppdt_point", "ppdt_tally", "ppdt_centre", "ppdt_near",
        "ppdt_crowded",
    )  # fmt: skip
