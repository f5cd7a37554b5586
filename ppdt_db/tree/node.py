"""The nodes of a decision tree, and the ways from a node to its children.

Several branches may lead to one child: all towns of one region, or low values and missing ones.
Whoever counts or visits children goes by ways; only a value's own path goes by branches.
"""

import json
from dataclasses import dataclass
from typing import Literal

Test = Literal["<=", ">", "=", "missing"]


@dataclass(frozen=True, kw_only=True)
class Branch:
    """One branch of a node; values are text, whatever their type."""

    test: Test
    value: str | None
    child: int


@dataclass(frozen=True, kw_only=True)
class Way:
    """All branches of a node that lead to one child."""

    child: int
    branches: tuple[Branch, ...]

    @property
    def values(self) -> list[str]:
        """The values that are compared by equality."""
        return [b.value for b in self.branches if b.test == "=" and b.value is not None]

    @property
    def side(self) -> Branch | None:
        """The branch of a threshold, if there is one."""
        return next((b for b in self.branches if b.test in ("<=", ">")), None)

    @property
    def takes_missing(self) -> bool:
        """Return whether missing values go this way."""
        return any(branch.test == "missing" for branch in self.branches)

    @property
    def test(self) -> str:
        """The test in a word: `<=`, `>`, `=`, `in`, and `missing` alone or beside one of them."""
        found = [] if self.side is None else [str(self.side.test)]
        if self.values:
            found = ["=" if len(self.values) == 1 else "in"]
        return " or ".join([*found, *(["missing"] if self.takes_missing else [])])

    @property
    def value(self) -> str | None:
        """The value that it tests; several as a JSON list."""
        if self.side is not None:
            return self.side.value
        if len(self.values) > 1:
            return json.dumps(self.values, ensure_ascii=False, allow_nan=False)
        return self.values[0] if self.values else None

    def condition(self, attribute: str) -> str:
        """Return the test in words, as in `town in {Lyon, Nice} or missing`."""
        found = []
        if self.side is not None:
            found = [f"{attribute} {self.side.test} {self.side.value}"]
        elif len(self.values) > 1:
            found = [f"{attribute} in {{{', '.join(self.values)}}}"]
        elif self.values:
            found = [f"{attribute} = {self.values[0]}"]
        if not self.takes_missing:
            return found[0]
        return f"{found[0]} or missing" if found else f"{attribute} is missing"


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node: the weight of each class in it, in millionths of a row, and its branches."""

    counts: tuple[int, ...]
    attribute: str | None = None
    branches: tuple[Branch, ...] = ()

    @property
    def total(self) -> int:
        """The weight of all classes."""
        return sum(self.counts)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The branches by child, in the order of each child's first branch."""
        found: dict[int, list[Branch]] = {}
        for branch in self.branches:
            found.setdefault(branch.child, []).append(branch)
        return tuple(Way(child=c, branches=tuple(branches)) for c, branches in found.items())

    @property
    def children(self) -> tuple[int, ...]:
        """The children, each once, in the order of their first branches."""
        return tuple(dict.fromkeys(branch.child for branch in self.branches))

    @property
    def majority(self) -> int:
        """The heaviest class; the first of equal ones."""
        return self.counts.index(max(self.counts))
