"""The diagram of a tree in a report: nested, in words, with counts, without source values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

DEEPEST = 12
TESTS = {
    "<=": "lower values", ">": "higher values", "missing": "missing", "=": "one of its values",
    "in": "several of its values",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DiagramNode:
    """One node: how it is reached, its rows, the column that it tests, and the nodes below."""

    title: str
    rows: str
    share: float
    tests: str | None = None
    below: Sequence["DiagramNode"] = field(default_factory=list)
    n_hidden: int = 0


def diagram_of(tree: Mapping[str, object], shown: Mapping[str, set[str]], k: int) -> DiagramNode:
    """Return the diagram of a recorded tree (`Tree.as_dict`), with values of the release.

    Thresholds are values of the source: a side is called lower or higher, and a category is named
    only if the release shows it. A step with fewer than k rows on some side is not drawn, since the
    other counts would reveal that one.
    """
    nodes = tree["nodes"]
    assert isinstance(nodes, list)
    return _node(nodes, 0, "all rows", shown, k, 0)


def _node(
    nodes: Sequence[Mapping[str, object]],
    number: int,
    title: str,
    shown: Mapping[str, set[str]],
    k: int,
    depth: int,
) -> DiagramNode:
    node = nodes[number]
    whole, n_rows = _rows(nodes[0]), _rows(node)
    attribute = str(node["attribute"]) if "attribute" in node else None
    branches = _branches(node)
    below: list[DiagramNode] = []
    children = [int(str(branch["node"])) for branch in branches]
    is_shown = all(_rows(nodes[child]) >= k for child in children)
    if attribute is not None and depth < DEEPEST and is_shown:
        for branch in branches:
            words = _words(attribute, branch, shown)
            below.append(_node(nodes, int(str(branch["node"])), words, shown, k, depth + 1))
    return DiagramNode(
        title=title,
        rows=f"{n_rows:,.0f} rows" if n_rows >= k else f"fewer than {k} rows",
        share=n_rows / whole if n_rows >= k else 0.0,
        tests=attribute if below else None,
        below=below,
        n_hidden=0 if below else _n_below(nodes, number),
    )


def _words(attribute: str, branch: Mapping[str, object], shown: Mapping[str, set[str]]) -> str:
    test, *missing = str(branch["test"]).split(" or ")
    words = TESTS[test]
    if branch["value"] is not None and test == "=":
        value = str(branch["value"])
        words = value if value in shown.get(attribute, ()) else "another value"
    return f"{attribute}: {' or '.join([words, *missing])}"


def _rows(node: Mapping[str, object]) -> float:
    weights = node["weights"]
    assert isinstance(weights, list)
    return float(sum(weights))


def _branches(node: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    branches = node.get("branches", [])
    assert isinstance(branches, list)
    return branches


def _n_below(nodes: Sequence[Mapping[str, object]], number: int) -> int:
    """Return the number of nodes below the deepest node drawn."""
    waiting, found = [number], -1
    while waiting:
        found += 1
        waiting += [int(str(branch["node"])) for branch in _branches(nodes[waiting.pop()])]
    return found
