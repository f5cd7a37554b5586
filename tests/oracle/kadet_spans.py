"""Populations of spans by definitions 4 to 6, over a whole domain."""

from itertools import product


def ends(tree, person):
    """Where a person with all values known ends: a leaf, or a test without a way."""
    at = 0
    while branches := tree.nodes[at].branches:
        value, ways = person[tree.nodes[at].attribute], {b.test: b for b in branches}
        if value is None:
            way = ways.get("missing")
        elif "<=" in ways:
            way = ways["<=" if value <= float(ways["<="].value) else ">"]
        else:
            way = next((b for b in branches if b.test == "=" and b.value == value), None)
        if way is None:
            return at
        at = way.child
    return at


def spans(tree, people, public, domain, class_of, public_class):
    """Populations by definitions 4 and 5: people whose public values allow the same bins."""
    found = {}
    for person in people:
        known = {name: person[name] for name in public}
        hidden = [name for name in domain if name not in public]
        bins = frozenset(
            ends(tree, known | dict(zip(hidden, values, strict=True)))
            for values in product(*(domain[name] for name in hidden))
        )
        key = (bins, person[class_of] if public_class else None)
        found.setdefault(key, []).append(person[class_of])
    return found
