"""BIG, ICR and TIDI of groups of people, naively: a label is (lo, hi), a frozenset, or None."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise
from math import log2

Figures = dict[str, float]


def value_bits(values: Sequence[object]) -> float:
    """How much finer a single value is than the whole column."""
    known = sorted({value for value in values if isinstance(value, int)})
    if not known:
        return log2(len(set(values)))
    gaps = [high - low for low, high in pairwise(known)]
    return log2((known[-1] - known[0]) / min(gaps)) if gaps else 0.0


def label_bits(label: object, values: Sequence[object], *, suppressed: bool) -> float:
    """The background that a label asks for."""
    finest = value_bits(values)
    if label is None:
        return 0.0 if suppressed else finest
    if isinstance(label, frozenset):
        return finest if len(label) == 1 else min(finest, log2(len(set(values)) / len(label)))
    assert isinstance(label, tuple)
    known = [value for value in values if isinstance(value, int)]
    width = label[1] - label[0]
    return finest if not width else min(finest, log2((max(known) - min(known)) / width))


def figures(groups: dict[Hashable, tuple[float, list[Hashable]]]) -> Figures:
    """Means over the rows, and the weakest group; each group has its BIG and its rows' people."""
    rows = [(big, log2(len(set(people)))) for big, people in groups.values() for _ in people]
    n_rows = len(rows)
    return {
        "big": sum(big for big, _ in rows) / n_rows,
        "icr": sum(icr for _, icr in rows) / n_rows,
        "tidi": sum(big + icr for big, icr in rows) / n_rows,
        "tidi_least": min(big + icr for big, icr in rows),
    }


def disclosure(
    originals: Sequence[Sequence[object]],
    labels: Sequence[Sequence[Hashable]],
    people: Sequence[Hashable],
) -> tuple[Figures, Figures]:
    """Before and after, from the columns of the original and the labels of each released row."""
    columns = list(zip(*originals, strict=True))
    shown = list(zip(*labels, strict=True))
    suppressed = [
        now.count(None) > before.count(None) for now, before in zip(shown, columns, strict=True)
    ]
    before: dict[Hashable, tuple[float, list[Hashable]]] = {}
    after: dict[Hashable, tuple[float, list[Hashable]]] = {}
    members: dict[Hashable, list[Hashable]] = defaultdict(list)
    everything = sum(value_bits(column) for column in columns)
    for row, label, person in zip(originals, labels, people, strict=True):
        members[("before", *row)].append(person)
        before[tuple(row)] = everything, members[("before", *row)]
        members[("after", *label)].append(person)
        big = sum(
            label_bits(one, column, suppressed=gone)
            for one, column, gone in zip(label, columns, suppressed, strict=True)
        )
        after[tuple(label)] = big, members[("after", *label)]
    return figures(before), figures(after)
