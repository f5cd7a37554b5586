"""A hierarchy's tree, read naively: nested sets of values, nothing of the product's codes."""

from collections.abc import Sequence
from itertools import pairwise

Path = tuple[str, ...]


def inner_paths(rows: Sequence[Sequence[str | None]], values: Sequence[object]) -> dict:
    """For every value the words above it, from the root; a NULL without a row has only the root."""
    root = rows[0][-1]
    found: dict[object, list[str]] = {value: [root] for value in values if value is None}
    for leaf, *words in rows:
        told = [word for word in reversed(words) if word is not None]
        plain = [word for i, word in enumerate(told) if i == 0 or told[i - 1] != word]
        if leaf in values:
            found[leaf] = plain
    return found


def node_sets(rows: Sequence[Sequence[str | None]], values: Sequence[object]) -> dict:
    """Every set of values that is a node, with the words of its lowest node."""
    paths = inner_paths(rows, values)
    depths: dict[str, int] = {}
    members: dict[str, set[object]] = {}
    for value, words in paths.items():
        for depth, word in enumerate(words):
            depths[word] = depth
            members.setdefault(word, set()).add(value)
    nodes: dict[frozenset, tuple[int, str | None]] = {}
    for word, held in members.items():
        key = frozenset(held)
        if key not in nodes or nodes[key][0] < depths[word]:
            nodes[key] = (depths[word], word)
    for value in paths:
        nodes[frozenset([value])] = (len(depths), value if value is None else str(value))
    return {held: words for held, (_, words) in nodes.items()}


def lowest_common(nodes: dict, values: Sequence[object]) -> str | None:
    """The words of the smallest node that holds all of some values."""
    wanted = frozenset(values)
    return nodes[min((held for held in nodes if wanted <= held), key=len)]


def faults(rows: Sequence[Sequence[str | None]], values: Sequence[object]) -> set[str]:
    """The kinds of faults."""
    found: set[str] = set()
    paths: dict[object, set[Path]] = {}
    parents: dict[str, set[str]] = {}
    roots: set[str] = set()
    for leaf, *words in {tuple(row) for row in rows}:
        told = [word for word in reversed(words) if word is not None]
        plain = [word for i, word in enumerate(told) if i == 0 or told[i - 1] != word]
        paths.setdefault(leaf, set()).add(tuple(words))
        roots.update(plain[:1])
        if len(set(plain)) < len(plain):
            found.add("torn")
        for parent, child in pairwise(plain):
            parents.setdefault(child, set()).add(parent)
    found |= {"missing"} if {v for v in values if v is not None} - paths.keys() else set()
    found |= {"twice"} if any(len(several) > 1 for several in paths.values()) else set()
    found |= {"torn"} if any(len(several) > 1 for several in parents.values()) else set()
    return found | ({"roots"} if len(roots) != 1 else set())
