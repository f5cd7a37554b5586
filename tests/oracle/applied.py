"""New rows under the rules of a release, naively: one row at a time, all classes looked at."""

import math
import re
from collections.abc import Mapping, Sequence

Value = object
Label = Sequence[object]


def number(value: Value) -> float:
    return float(str(value))


def written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def walk(tree: Mapping, row: Mapping[str, Value]) -> int | None:
    """The leaf of a row, or None where a tested value has no branch."""
    place = 0
    while tree["nodes"][place].get("branches"):
        node = tree["nodes"][place]
        value = row[node["attribute"]]
        is_odd = isinstance(value, float) and not math.isfinite(value)
        for branch in node["branches"]:
            test, tested = branch["test"], branch["value"]
            if value is None or is_odd:
                takes = test == "missing"
            elif test == "=":
                takes = written(value) == tested
            else:
                takes = test != "missing" and (number(value) <= number(tested)) == (test == "<=")
            if takes:
                place = branch["node"]
                break
        else:
            return None
    return place


def holds(shape: str, shown: object, value: Value) -> bool:
    """Whether what a class shows for one quasi-identifier holds a value."""
    if shape in ("mean", "mode"):
        return True
    if shape == "set":
        assert isinstance(shown, list)
        return value in shown
    words = "NULL" if shown is None else str(shown)
    found = re.fullmatch(r"\[(\S+), (\S+)\]( or .*)?", words)
    parts = words.split(" or ")
    if value is None:
        return "NULL" in parts
    if isinstance(value, float) and not math.isfinite(value):
        return str(value) in parts
    if found:
        return number(found[1]) <= number(value) <= number(found[2])
    return parts[0] not in ("NULL", "nan", "inf", "-inf") and number(parts[0]) == number(value)


def applied(
    tree: Mapping | None,
    places: Sequence[tuple[int, int, int]],
    labels: Mapping[int, Label],
    shapes: Mapping[str, str],
    row: Mapping[str, Value],
) -> Label | str:
    """What a row shows, or why it is withheld."""
    leaf = walk(tree, row) if tree else 0
    if leaf is None:
        return "no branch"
    known = [(-n_rows, number) for leaf_id, number, n_rows in places if leaf_id == leaf]
    if not known:
        return "no released class"
    for _, number_of in sorted(known):
        label = labels[number_of]
        cells = zip(shapes.items(), label, strict=True)
        if all(holds(shape, shown, row[name]) for (name, shape), shown in cells):
            return label
    return "outside the label"
