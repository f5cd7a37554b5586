"""A fitted decision tree of scikit-learn as one of ours."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ppdt_db.errors import RequestError
from ppdt_db.learn.extra import sklearn_module
from ppdt_db.tree import ONE_ROW, Branch, Node, Tested, Tree

NO_CHILD = -1
MAX_NODES = 100_000


def tree_from_sklearn(
    fitted: object, features: Sequence[str], target: str, *, missing: bool = False
) -> Tree:
    """Take over a fitted DecisionTreeClassifier, whose columns are named in their order.

    scikit-learn compares numbers as 32-bit floats; the thresholds are moved to where the numbers
    of 64 bits part that it sends left and right, so that every row goes the same way. With
    `missing` a missing value goes the way that it goes there; else it is shared out, as in C4.5.
    """
    known: Any = fitted
    kind = sklearn_module("tree").DecisionTreeClassifier
    if not isinstance(known, kind) or not hasattr(known, "tree_"):
        raise RequestError("this is no fitted DecisionTreeClassifier of scikit-learn. Fit one.")
    faults = []
    if known.n_outputs_ != 1:
        faults.append(f"the tree has {known.n_outputs_} targets. Fit one for each.")
    if len(features) != known.n_features_in_ or len(set(features)) != len(features):
        faults.append(
            f"the tree was fitted on {known.n_features_in_} columns, {len(set(features))} "
            "different names were given. Name each column once, in the order of fitting."
        )
    if missing and not hasattr(known.tree_, "missing_go_to_left"):
        faults.append("this version of scikit-learn knows no missing values. Take 1.3 or later.")
    if faults:
        raise RequestError(*faults)
    nodes = _nodes(known.tree_, features, missing=missing)
    tested = {node.attribute for node in nodes}
    return Tree(
        target=target,
        classes=tuple(_as_text(name) for name in known.classes_.tolist()),
        attributes=tuple(
            Tested(name=name, type_name="DOUBLE") for name in features if name in tested
        ),
        nodes=nodes,
        missing="branch" if missing else "fractional",
    )


def _as_text(name: object) -> str:
    """A class as the database writes it."""
    return str(name).lower() if isinstance(name, bool) else str(name)


def _nodes(grown: Any, features: Sequence[str], *, missing: bool) -> tuple[Node, ...]:
    """The nodes, parents before children.

    Our branches share no child, so what is missing has a copy of the subtree that it enters; in
    there the feature is not tested again, nor is it missing below a branch where it was not.
    """
    made: list[Node] = []
    waiting: list[tuple[int, dict[int, bool], Branch | None, int]] = [(0, {}, None, -1)]
    while waiting:
        at, is_missing, branch, parent = waiting.pop()
        feature = int(grown.feature[at])
        while grown.children_left[at] != NO_CHILD and is_missing.get(feature):
            at = _way_of_missing(grown, at)
            feature = int(grown.feature[at])
        place = len(made)
        if branch is not None:
            above = made[parent]
            made[parent] = replace(above, branches=(*above.branches, replace(branch, child=place)))
        is_leaf = grown.children_left[at] == NO_CHILD
        made.append(
            Node(counts=_counts(grown, at), attribute=None if is_leaf else features[feature])
        )
        if len(made) > MAX_NODES:
            raise RequestError(
                f"with missing values the tree has more than {MAX_NODES:,} nodes. Prune it, or "
                "take it over without missing values."
            )
        if is_leaf:
            continue
        value = repr(last_left(float(grown.threshold[at])))
        ways = [
            (int(grown.children_left[at]), False, Branch(test="<=", value=value, child=0)),
            (int(grown.children_right[at]), False, Branch(test=">", value=value, child=0)),
        ]
        if missing and feature not in is_missing:
            way = Branch(test="missing", value=None, child=0)
            ways.insert(0, (_way_of_missing(grown, at), True, way))
        waiting += [
            (child, {**is_missing, feature: lost}, way, place)
            for child, lost, way in reversed(ways)
        ]
    return tuple(made)


def _way_of_missing(grown: Any, at: int) -> int:
    is_left = bool(grown.missing_go_to_left[at])
    return int(grown.children_left[at] if is_left else grown.children_right[at])


def _counts(grown: Any, at: int) -> tuple[int, ...]:
    """The weight of each class in a node."""
    shares = grown.value[at][0]
    total = float(grown.weighted_n_node_samples[at])
    # Older versions keep weights, newer ones shares.
    counts = [round(float(weight) * ONE_ROW) for weight in shares / shares.sum() * total]
    _keep_order(counts, shares)
    return tuple(counts)


def _keep_order(counts: list[int], shares: Any) -> None:
    """Rounding must not make the class that scikit-learn takes lose or tie with an earlier one."""
    chosen = int(np.argmax(shares))
    most = max(counts)
    if counts.index(most) != chosen:
        counts[chosen] = most + 1


def last_left(threshold: float) -> float:
    """The largest 64-bit number that is not above a threshold once it is a 32-bit one.

    >>> last_left(0.5) > 0.5
    True
    """
    single = np.float32(threshold)
    if float(single) > threshold:
        single = np.nextafter(single, np.float32(-np.inf))
    above = np.nextafter(single, np.float32(np.inf))
    if not np.isfinite(above):
        return float(np.finfo(np.float64).max)
    # Numbers up to the middle go to `single`; the middle itself to the one whose last bit is even.
    middle = (float(single) + float(above)) / 2
    return (
        middle if float(np.float32(middle)) <= threshold else float(np.nextafter(middle, -np.inf))
    )
