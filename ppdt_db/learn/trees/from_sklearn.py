"""Convert a fitted decision tree of scikit-learn to a tree of ppdt_db."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ppdt_db.errors import RequestError
from ppdt_db.learn.sklearn_extra import sklearn_module
from ppdt_db.tree.node import Branch, Node
from ppdt_db.tree.tree import ONE_ROW, Tested, Tree

NO_CHILD = -1
MAX_NODES = 100_000


def tree_from_sklearn(
    fitted: object, features: Sequence[str], target: str, *, missing: bool = False
) -> Tree:
    """Convert a fitted DecisionTreeClassifier; name its columns in their order.

    scikit-learn compares numbers as 32-bit floats; thresholds are moved to the boundary between the
    64-bit numbers that it sends left and right, so that every row takes the same path. With
    `missing`, missing values take the path of scikit-learn; otherwise they are shared out as in
    C4.5.
    """
    known: Any = fitted
    kind = sklearn_module("tree").DecisionTreeClassifier
    if not isinstance(known, kind) or not hasattr(known, "tree_"):
        raise RequestError("not a fitted DecisionTreeClassifier of scikit-learn. Fit it first.")
    faults = []
    if known.n_outputs_ != 1:
        faults.append(f"the tree has {known.n_outputs_} targets. Fit one tree for each.")
    if len(features) != known.n_features_in_ or len(set(features)) != len(features):
        faults.append(
            f"the tree was fitted on {known.n_features_in_} columns, but {len(set(features))} "
            "different names are given. Name each column once, in the order of fitting."
        )
    if missing and not hasattr(known.tree_, "missing_go_to_left"):
        faults.append(
            "this version of scikit-learn does not support missing values. Use 1.3 or later."
        )
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
    """Return a class as the database writes it."""
    return str(name).lower() if isinstance(name, bool) else str(name)


def _nodes(grown: Any, features: Sequence[str], *, missing: bool) -> tuple[Node, ...]:
    """Return the nodes, parents before children.

    Branches cannot share a child here, so missing values get a copy of the subtree that they enter;
    the copy does not test the feature again, nor can it be missing below a branch where it was not.
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
                "convert it without missing values."
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
    """Return the weight of each class in a node."""
    shares = grown.value[at][0]
    total = float(grown.weighted_n_node_samples[at])
    # Older versions of scikit-learn store weights, newer ones shares.
    counts = [round(float(weight) * ONE_ROW) for weight in shares / shares.sum() * total]
    _keep_order(counts, shares)
    return tuple(counts)


def _keep_order(counts: list[int], shares: Any) -> None:
    """Keep the majority class when rounding: it must not lose to or tie with an earlier one."""
    chosen = int(np.argmax(shares))
    most = max(counts)
    if counts.index(most) != chosen:
        counts[chosen] = most + 1


def last_left(threshold: float) -> float:
    """Return the largest 64-bit number that is not above a threshold as a 32-bit number.

    >>> last_left(0.5) > 0.5
    True
    """
    single = np.float32(threshold)
    if float(single) > threshold:
        single = np.nextafter(single, np.float32(-np.inf))
    above = np.nextafter(single, np.float32(np.inf))
    if not np.isfinite(above):
        return float(np.finfo(np.float64).max)
    # Numbers below the midpoint round to `single`, the midpoint itself to the even neighbour.
    middle = (float(single) + float(above)) / 2
    return (
        middle if float(np.float32(middle)) <= threshold else float(np.nextafter(middle, -np.inf))
    )
