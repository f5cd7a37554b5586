"""V-MDAV and MDAV2k, naively."""

from oracle.micro import Space, mdav


def grown(space: Space, ids: list[int], seed: int, k: int, gain: float) -> list[int]:
    """The k rows nearest to a seed, and up to k - 1 more that lie nearer to them than to others."""
    cluster = space.order(ids, space.rows[seed], seed)[:k]
    while len(cluster) < 2 * k - 1:
        outside = [r for r in ids if r not in cluster]
        if len(outside) < 2:
            break
        gap = {r: min(space.gap(space.rows[r], space.rows[c]) for c in cluster) for r in outside}
        near = min(outside, key=lambda r: (gap[r], r))
        others = (space.gap(space.rows[near], space.rows[r]) for r in outside if r != near)
        if not gap[near] < gain * min(others):
            break
        cluster.append(near)
    return cluster


def housed(space: Space, classes: list[list[int]], left: list[int], k: int) -> list[list[int]]:
    """Fewer than k rows left over join the class whose centre is nearest; those of 2k divide."""
    classes = sorted(classes, key=lambda ids: ids[0])
    centres = [space.centre(ids) for ids in classes]
    joined = [list(ids) for ids in classes]
    for r in left:
        gaps = [space.gap(space.rows[r], centre) for centre in centres]
        joined[gaps.index(min(gaps))].append(r)
    return [
        part
        for ids in joined
        for part in (mdav(space, sorted(ids), k) if len(ids) >= 2 * k else [ids])
    ]


def vmdav(space: Space, ids: list[int], k: int, gain: float) -> list[list[int]]:
    origin, found = space.centre(ids), []
    while len(ids) >= k:
        found.append(grown(space, ids, space.order(ids, origin)[-1], k, gain))
        ids = [r for r in ids if r not in found[-1]]
    return housed(space, found, ids, k)


def mdav2k(space: Space, ids: list[int], k: int, gain: float) -> list[list[int]]:
    found: list[list[int]] = []
    while len(ids) >= 3 * k:
        seed = space.order(ids, space.centre(ids))[-1]
        for is_second in (False, True):
            other = space.order(ids, space.rows[seed])[-1] if is_second else seed
            found.append(grown(space, ids, other, k, gain))
            ids = [r for r in ids if r not in found[-1]]
    if len(ids) >= k:
        return [*found, *mdav(space, ids, k)]
    return housed(space, found, ids, k)
