"""Microaggregation: what it loses, against a plain MDAV in numpy, and how long it takes.

python tests/speed/micro.py plain vehicle.csv waveform.csv    MDAV, and a plain loop
python tests/speed/micro.py clusters 3 5                      k; the forms on sets of clusters
python tests/speed/micro.py seconds adult.csv                 MDAV and the fast form
python tests/speed/micro.py growth 100000 300000 1000000      the fast form and `univariate`
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np

import ppdt_db
from ppdt_db.cli.bench.command import QUASI
from ppdt_db.engine import DuckEngine
from ppdt_db.methods import Mdav, Mdav2k, Method, Microaggregate, Univariate, Vmdav

Line = dict[str, object]


def released(con: duckdb.DuckDBPyConnection, source: object, quasi: list[str], by: Method) -> Line:
    """How long a release takes from end to end, and all cores together, and what it loses."""
    began, busy = time.perf_counter(), time.process_time()
    made = ppdt_db.anonymize(
        con, source, quasi=quasi, method=by, into="o", seed=1, replace=True, keep="rest"
    ).certificate
    seconds = round(time.perf_counter() - began, 2)
    return {
        "method": by.name,
        "k": made["parameters"]["k"],
        "seconds": seconds,
        "cpu_seconds": round(time.process_time() - busy, 2),
        "il": made["il"],
    }


def plain_mdav(points: np.ndarray, k: int) -> float:
    """The IL of MDAV after Domingo-Ferrer and Torra (2005), on standardized columns."""
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1)
    left, sse = points, 0.0

    def take(seed: np.ndarray) -> np.ndarray:
        """The k rows of those left that are nearest to a row; what remains."""
        nonlocal sse
        near = np.argsort(((left - seed) ** 2).sum(axis=1), kind="stable")
        cluster = left[near[:k]]
        sse += ((cluster - cluster.mean(axis=0)) ** 2).sum()
        return left[np.sort(near[k:])]

    while len(left) >= 2 * k:
        first = left[((left - left.mean(axis=0)) ** 2).sum(axis=1).argmax()]
        second = left[((left - first) ** 2).sum(axis=1).argmax()]
        is_pair = len(left) >= 3 * k
        left = take(first)
        if is_pair:
            left = take(second)
    sse += ((left - left.mean(axis=0)) ** 2).sum()
    return float(100 * sse / (points**2).sum())


def plain(*paths: str) -> Iterator[Line]:
    """The loss of MDAV beside that of the plain loop."""
    for path in paths:
        for k in (3, 4, 5, 10):
            with duckdb.connect() as con:
                con.execute("CREATE TABLE t AS FROM read_csv(?)", [path])
                types = con.execute("DESCRIBE t").fetchall()
                quasi = [name for name, kind, *_ in types if kind in ("BIGINT", "DOUBLE")]
                columns = con.execute("FROM t").fetchnumpy()
                found = released(con, "t", quasi, Mdav(k=k))
            il = plain_mdav(np.column_stack([columns[name] for name in quasi]).astype(float), k)
            yield {"file": Path(path).name, "columns": len(quasi), **found, "il_plain": il}


def clusters(*sizes: str) -> Iterator[Line]:
    """The mean loss over twenty sets of clusters of k to 2k - 1 rows, with the factor 1.1."""
    for k in map(int, sizes or ("3", "5")):
        losses: dict[str, list[float]] = {}
        for seed in range(20):
            chance = random.Random(seed)
            rows: list[tuple[int, int]] = []
            for _ in range(20):
                x, y = chance.uniform(0, 10_000), chance.uniform(0, 10_000)
                n_rows = chance.randint(k, 2 * k - 1)
                for _ in range(n_rows):
                    rows.append((round(chance.gauss(x, 90)), round(chance.gauss(y, 90))))
            with duckdb.connect() as con:
                con.execute("CREATE TABLE t (x INTEGER, y INTEGER)")
                con.executemany("INSERT INTO t VALUES (?, ?)", rows)
                for by in (Mdav(k=k), Vmdav(k=k, gain=1.1), Mdav2k(k=k, gain=1.1)):
                    found = released(con, "t", ["x", "y"], by)
                    losses.setdefault(by.name, []).append(float(str(found["il"])))
        yield {"k": k, **{name: round(float(np.mean(of)), 6) for name, of in losses.items()}}


def seconds(path: str) -> Iterator[Line]:
    """MDAV and the fast form on the complete rows of Adult, nine quasi-identifiers."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS FROM read_csv(?, nullstr = ['', '?'])", [path])
        complete = " AND ".join(f"{name} IS NOT NULL" for name in QUASI)
        con.execute(f"DELETE FROM t WHERE NOT ({complete})")
        n_rows = con.execute("SELECT count(*) FROM t").fetchall()[0][0]
        for by in (Microaggregate(k=10), Mdav(k=10)):
            yield {"rows": n_rows, **released(con, "t", QUASI, by)}


def growth(*sizes: str) -> Iterator[Line]:
    """The fast form, and the best division of one number, on more and more rows."""
    for n_rows in map(int, sizes):
        with tempfile.TemporaryDirectory() as place, duckdb.connect() as con:
            source = Path(place, "census.parquet")
            DuckEngine(con).copy("tools/bench/census", source, "parquet", names={"rows": n_rows})
            yield {"rows": n_rows, **released(con, source, QUASI, Microaggregate(k=10))}
            yield {"rows": n_rows, **released(con, source, ["age"], Univariate(k=10))}


PARTS: dict[str, Callable[..., Iterator[Line]]] = {
    "plain": plain, "clusters": clusters, "seconds": seconds, "growth": growth,
}  # fmt: skip

if __name__ == "__main__":
    for line in PARTS[sys.argv[1]](*sys.argv[2:]):
        print(json.dumps(line), flush=True)
