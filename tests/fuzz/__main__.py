"""Draw, run and judge the cases of many seeds: `python -m tests.fuzz --seeds 0:5000 --jobs 2`."""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from .cases import drawn
from .trials import Found, tried


def main() -> int:
    """Print what is wrong as it is found, and the counts in the end; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seeds", default="0:200", help="FIRST:LAST (not included), or one seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--skip", action="append", default=[], help="a place to leave out")
    parser.add_argument("--show", action="store_true", help="print the cases themselves")
    asked = parser.parse_args()
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
