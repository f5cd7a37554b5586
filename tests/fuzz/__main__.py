"""Run and judge the cases of many seeds, or points of the grid.

python -m tests.fuzz --seeds 0:5000 --jobs 2
python -m tests.fuzz --grid : --jobs 2
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from .cases import drawn
from .trials import Found, at, points, tried


def main() -> int:
    """Print what is wrong as it is found, and the counts in the end; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--grid", help="points of the grid in a fixed shuffled order, FIRST:LAST, instead of seeds"
    )
    parser.add_argument("--seeds", default="0:200", help="FIRST:LAST (not included), or one seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--skip", action="append", default=[], help="a place to leave out")
    parser.add_argument("--show", action="store_true", help="print the cases themselves")
    asked = parser.parse_args()
    if asked.grid is not None:
        return grid(asked.grid, asked.jobs)
    first, sign, last = asked.seeds.partition(":")
    seeds = range(int(first), int(last) if sign else int(first) + 1)
    if asked.show:
        for seed in seeds:
            print(drawn(seed))
    try_ = partial(tried, skipped=tuple(asked.skip))
    if asked.jobs == 1:
        return report(map(try_, seeds))
    with ProcessPoolExecutor(asked.jobs) as pool:
        return report(pool.map(try_, seeds, chunksize=4))


def grid(asked: str, jobs: int) -> int:
    """Run points of the grid in every form; print what is wrong and how they ended."""
    first, _, last = asked.partition(":")
    # Neighbours are alike: in another order any part of the grid tells of all methods.
    shuffled = list(points())
    Random("grid").shuffle(shuffled)
    chosen = shuffled[int(first or 0) : int(last) if last else None]
    ended: Counter[str] = Counter()
    n_faults = 0
    began = time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        for number, (point, (outcomes, faults)) in enumerate(
            zip(chosen, pool.map(at, chosen, chunksize=4), strict=True), 1
        ):
            ended.update(outcome.kind for outcome in outcomes.values())
            n_faults += len(faults)
            for fault in faults:
                print(f"point {point.number}: {fault}", flush=True)
            if number % 100 == 0 or number == len(chosen):
                print(
                    f"{number} of {len(chosen)} points, {ended.total():,} combinations in "
                    f"{time.monotonic() - began:.0f} s: {dict(ended)}, {n_faults} faults",
                    flush=True,
                )
    return int(bool(n_faults))


def report(found: Iterable[Found]) -> int:
    """Print faults as they come, then the counts."""
    ended: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    wrong: list[int] = []
    began = time.monotonic()
    for one in found:
        ended[one.kind] += 1
        for fault in one.faults:
            print(f"seed {one.seed} ({one.what}): {fault}", flush=True)
        if one.faults:
            wrong.append(one.seed)
        if ended.total() % 100 == 0:
            print(f"{ended.total()} runs: {dict(ended)}", file=sys.stderr, flush=True)
        lines.update(re.sub(r'"[^"]*"|\d[\d,.]*', "#", line) for line in one.message.splitlines())
    n_runs = sum(ended.values())
    print(
        f"{n_runs} runs in {time.monotonic() - began:.0f} s: {ended['released']} released, "
        f"{ended['refused']} refused as wrong requests, {ended['forbidden']} forbidden by the "
        f"data, {ended['error']} errors; {len(wrong)} seeds with faults {wrong[:40]}"
    )
    for line, n in lines.most_common(60):
        print(f"{n:6}  {line[:150]}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
