"""How a split deals units to branches, naively; units are (values, class, weight in millionths).

A generalized value is the tuple of what it may be, in order, None first: each counts the same, the
last takes what does not divide.
"""

from math import log2


def xlog(w):
    return w / 1e6 * log2(w / 1e6) if w else 0.0


def total(units):
    return sum(w for *_, w in units)


def counted(units, plan):
    return [sum(w for _, c, w in units if c == k) for k in range(plan.n_classes)]


def mess(units, plan):
    return xlog(total(units)) - sum(map(xlog, counted(units, plan)))


def options(value):
    return value if isinstance(value, tuple) else (value,)


def merged(units, a):
    """The units of one class with one value of an attribute as one unit of that value alone."""
    return united(((values[a],), c, w) for values, c, w in units)


def pieces(unit, a, kind, at):
    """The unit divided: for each branch, what its value may still be there."""
    (values, c, weight), ways = unit, {}
    each = weight // len(may_be := options(values[a]))
    for option in may_be:
        branch = None if option is None else option if kind == "text" else int(option > at)
        ways.setdefault(branch, []).append(option)
    for branch, left in ways.items():
        part = each * len(left)
        if left[-1] == may_be[-1]:
            part += weight - each * len(may_be)
        value = tuple(left) if len(left) > 1 else left[0]
        yield branch, ((*values[:a], value, *values[a + 1 :]), c, part)


def united(units):
    """Units that are equal in all values and class as one."""
    found = {}
    for values, c, w in units:
        found[values, c] = found.get((values, c), 0) + w
    return [(values, c, w) for (values, c), w in found.items()]


def bags(units, a, kind, at):
    """The pieces of all units by branch; None is the missing value's."""
    found = {}
    for unit in units:
        for branch, piece in pieces(unit, a, kind, at):
            found.setdefault(branch, []).append(piece)
    return {b: united(found[b]) for b in sorted(found, key=lambda b: (b is not None, b))}


def spread(units, a, at, plan):
    """The units by branch; a missing value's weight is shared out, with sums kept exact."""
    kind = plan.kinds[a]
    dealt, alone = bags(units, a, kind, at), bags(merged(units, a), 0, kind, at)
    if plan.missing == "fractional":
        loose = dealt.pop(None, [])
        weights = {branch: total(bag) for branch, bag in alone.items() if branch is not None}
        for values, c, w in loose:
            before, known = 0, sum(weights.values())
            for branch, weight in weights.items():
                part = w * (before + weight) // known - w * before // known
                before += weight
                dealt[branch].append((values, c, part))
    return {branch: [unit for unit in bag if unit[2]] for branch, bag in dealt.items()}
