"""Spark on two worker processes of this machine: a release there is the one that DuckDB makes, and
a run that loses a worker ends with a clear message and releases nothing.

`python tests/spark/standalone.py ROWS` needs pyspark and Java; it starts a master and two workers,
and stops them.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyspark

from ppdt_db.cli.bench.command import QUASI
from ppdt_db.engine import DuckEngine

HOME = Path(pyspark.__file__).parent
MASTER, WORKER = (f"org.apache.spark.deploy.{n}" for n in ("master.Master", "worker.Worker"))
COLUMNS = ",".join(QUASI)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def started(place: Path, *command: str) -> subprocess.Popen[bytes]:
    """A daemon of Spark's, with its log in a file."""
    log = (place / f"{command[0].rpartition('.')[2]}-{time.monotonic_ns()}.log").open("wb")
    surroundings = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
    return subprocess.Popen(
        [str(HOME / "bin" / "spark-class"), *command],
        stdout=log, stderr=log, env=surroundings, start_new_session=True,
    )  # fmt: skip


@contextmanager
def cluster(place: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A master and two workers with a core each."""
    port, page = free_port(), free_port()
    master = f"spark://127.0.0.1:{port}"
    running = [
        started(
            place, MASTER, "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(page)
        )
    ]
    try:
        wait_for(port)
        for number in range(2):
            work = str(place / f"worker{number}")
            page = str(free_port())
            own = ["--cores", "1", "--memory", "2g", "--host", "127.0.0.1"]
            running.append(started(place, WORKER, *own, "--webui-port", page, "-d", work, master))
        yield master, running[1:]
    finally:
        for process in running:
            process.terminate()
            process.wait(30)


def wait_for(port: int) -> None:
    """Until somebody listens on a port."""
    for _ in range(300):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the master did not start")


def submitted(master: str, source: Path, out: Path) -> subprocess.Popen[str]:
    """`ppdt anonymize --engine spark`, as it would be submitted to a cluster."""
    arguments = (
        f"--master {master} --executor-memory 1g --executor-cores 1 "
        "--conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 "
        "--conf spark.log.level=ERROR pyspark-shell"
    )
    return subprocess.Popen(
        [sys.executable, "-c", "from ppdt_db.cli import main; main()", "anonymize", str(source),
         "--engine", "spark", "--qi", COLUMNS, "--sensitive", "diagnosis", "--k", "20", "--seed",
         "1", "--out", str(out), "--json"],
        env={**os.environ, "PYSPARK_SUBMIT_ARGS": arguments},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def executors() -> list[int]:
    """The processes that the workers started."""
    found = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True,
                           text=True, check=False)  # fmt: skip
    return [int(pid) for pid in found.stdout.split()]


def main(n_rows: int) -> None:
    """Run both, and print what was found."""
    with tempfile.TemporaryDirectory() as place, cluster(Path(place)) as (master, workers):
        source, out = Path(place, "census.parquet"), Path(place, "out.parquet")
        with duckdb.connect() as con:
            DuckEngine(con).copy("tools/bench/census", source, "parquet", names={"rows": n_rows})
        began = time.perf_counter()
        run = submitted(master, source, out)
        text, errors = run.communicate()
        assert run.returncode == 0, errors
        seconds, made = time.perf_counter() - began, json.loads(text)
        here = Path(place, "here.parquet")
        subprocess.run(
            [sys.executable, "-c", "from ppdt_db.cli import main; main()", "anonymize", str(source),
             "--qi", COLUMNS, "--sensitive", "diagnosis", "--k", "20", "--seed", "1", "--out",
             str(here), "--quiet"],
            check=True,
        )  # fmt: skip
        with duckdb.connect() as con:
            one, other = f"FROM '{out}/*.parquet'", f"FROM '{here}'"
            differing = con.execute(
                f"SELECT count(*) FROM (({one} EXCEPT ALL {other}) UNION ALL "
                f"({other} EXCEPT ALL {one}))"
            ).fetchone()
        lost = Path(place, "lost.parquet")
        run = submitted(master, source, lost)
        said: list[str] = []
        assert run.stderr is not None
        for line in run.stderr:
            said.append(line)
            # A worker would start its executor anew: both go, as they would with their machine.
            if "partitioning" in line and workers[0].poll() is None:
                workers[0].kill()
                os.kill(executors()[0], 9)
        run.wait()
        result = {
            "rows": n_rows,
            "classes": made["classes"],
            "seconds": round(seconds, 1),
            "rows_that_differ_from_duckdb": differing[0] if differing else None,
            "exit_after_a_lost_executor": run.returncode,
            "message": [line for line in said if "Nothing was released" in line],
            "released": lost.exists(),
            "left_behind": sorted(p.name for p in Path(place).glob(".ppdt-*")),
        }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]))
