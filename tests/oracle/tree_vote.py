"""What a tree makes of one row, naively, by fractions.

A row gives, for each attribute, the list of what its value may be: of text its members, of numbers
a pair of ends or None. A range may be in any of the intervals between the tree's thresholds that it
reaches.
"""

from bisect import bisect_left
from fractions import Fraction


def thresholds(tree, name):
    found = {b.value for n in tree.nodes if n.attribute == name for b in n.branches}
    return sorted(float(value) for value in found if value is not None)


def ways(tree, name, may_be):
    """The options of an attribute in the tree's terms; a number is an interval's place."""
    if not tree.tested(name).is_ordered:
        return list(may_be)
    cuts, found = thresholds(tree, name), []
    for ends in may_be:
        if ends is None:
            found.append(None)
        else:
            first, last = (bisect_left(cuts, end) for end in ends)
            found += range(first, last + 1)
    return found


def branch_of(tree, node, option):
    """The branch that an option takes; None where there is none."""
    for branch in node.branches:
        if branch.test == "missing" or option is None:
            fits = branch.test == "missing" and option is None
        elif branch.test == "=":
            fits = branch.value == option
        else:
            place = thresholds(tree, node.attribute).index(float(branch.value))
            fits = (option <= place) == (branch.test == "<=")
        if fits:
            return branch.child
    return None


def votes(tree, row):
    """The share of every class."""
    start = {one.name: ways(tree, one.name, row[one.name]) for one in tree.attributes}
    found = [Fraction(0)] * len(tree.classes)
    waiting = [(0, 0, start, Fraction(1))]
    while waiting:
        number, above, left, share = waiting.pop()
        node = tree.nodes[number]
        counts = node.counts if node.total else tree.nodes[above].counts
        dealt = {}
        for option in left[node.attribute] if node.branches else ():
            part = share / len(left[node.attribute])
            if option is None and tree.missing == "fractional":
                for branch in node.branches:
                    part_of = Fraction(tree.nodes[branch.child].total, node.total)
                    ahead = {**left, node.attribute: [None]}
                    waiting.append((branch.child, number, ahead, part * part_of))
            else:
                child = branch_of(tree, node, option)
                dealt.setdefault(child, []).append((option, part))
        for child, taken in dealt.items():
            weight = sum(part for _, part in taken)
            if child is not None:
                ahead = {**left, node.attribute: [option for option, _ in taken]}
                waiting.append((child, number, ahead, weight))
            else:
                found = [
                    f + weight * Fraction(c, sum(counts))
                    for f, c in zip(found, counts, strict=True)
                ]
        if not node.branches:
            found = [
                f + share * Fraction(c, sum(counts)) for f, c in zip(found, counts, strict=True)
            ]
    return found
