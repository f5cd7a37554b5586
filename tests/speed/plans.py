"""What plans foresee, and take themselves, beside the runs: `python -m tests.speed.plans FILE K`.

FILE is Parquet or CSV; more arguments name methods. Seconds are those of all processors together.
"""

import sys
import time

import duckdb

import ppdt_db
from ppdt_db.methods import METHODS

TREES = ("kactus", "mict", "erp", "tds", "tdr")


def main(source: str, k: int, names: list[str]) -> None:
    """Print a line for each method."""
    with duckdb.connect() as con:
        read = f"read_{'parquet' if source.endswith('parquet') else 'csv'}"
        con.execute(f"CREATE TABLE t AS SELECT * FROM {read}(?)", [source])
        *quasi, last = (row[0] for row in con.execute("DESCRIBE t").fetchall())
        for name in names:
            told = {"target": last} if name in TREES else {"sensitive": [last]}
            roles: dict = {"quasi": quasi, **told}
            method = METHODS[name](k=k)
            begin = time.process_time()
            found = ppdt_db.plan(con, "t", method=method, **roles)
            planned = time.process_time()
            ppdt_db.anonymize(con, "t", method=method, into=f"r_{name}", **roles)
            spent = time.process_time() - planned
            print(
                f"{name:15} plan {planned - begin:6.2f}  foresees {found.work_seconds_total:7.1f}  "
                f"run {spent:7.1f}  share {(planned - begin) / spent:.3f}  "
                f"tried {found.how['tried_rows']}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] or [m for m in METHODS if m != "univariate"])
