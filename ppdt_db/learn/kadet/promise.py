"""The guarantee of a k-anonymous tree, and the thresholds that it may show."""

from collections.abc import Sequence
from dataclasses import dataclass

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.learn.trees.training_set import TrainingSet


@dataclass(frozen=True, kw_only=True)
class Promise:
    """The guarantee of every span, and the public knowledge."""

    k: int
    l: float | None  # noqa: E741
    public: Sequence[int]
    """Positions of the public attributes."""
    is_class_public: bool

    def is_apart(self, lesson: TrainingSet) -> bool:
        """Return whether the only span of a node is its own rows: all is public but the class."""
        has_all = len(self.public) == len(lesson.attributes)
        return has_all and self.l is None and not self.is_class_public


def private_numbers(lesson: TrainingSet, promise: Promise) -> list[EncodedColumn]:
    """Return the private attributes that are tested by thresholds."""
    return [
        attribute
        for attribute in lesson.attributes
        if attribute.position not in promise.public and attribute.kind == "ordered"
    ]


def borders_of(rows_of_codes: Sequence[tuple[int, int]], k: int) -> list[int]:
    """Return the last code of each group of at least k rows, except the last group.

    >>> borders_of([(1, 2), (2, 1), (3, 4), (4, 2)], 3)
    [2]
    """
    found: list[int] = []
    n_rows = 0
    for code, n_more in rows_of_codes:
        n_rows += n_more
        if n_rows >= k:
            found.append(code)
            n_rows = 0
    return found[:-1]
