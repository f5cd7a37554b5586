"""The command as spark-submit runs it: a certificate alone on stdout, exit codes, and no value."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ppdt_db.cli import spark_submit

SECRET = "Zebedee-4711"
CONF = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
}


def submit(place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """`spark-submit ppdt.py anonymize people.parquet --engine spark ...`."""
    pyspark = pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, and there is no `java` here")
    # As it is installed: away from the modules beside which it lies here.
    script = shutil.copy(spark_submit.__file__, place / "ppdt.py")
    conf = [f"--conf={name}={value}" for name, value in CONF.items()]
    home = Path(pyspark.__file__).parent
    return subprocess.run(
        [home / "bin" / "spark-submit", "--master", "local[1]", *conf, script,
         "anonymize", "people.parquet", "--engine", "spark", *arguments],
        cwd=place, capture_output=True, text=True, check=False,
        env={**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable},
    )  # fmt: skip


def test_a_run_that_is_submitted(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        con.execute(
            f"COPY (SELECT i % 4 AS age, '{SECRET}' AS name FROM range(40) AS r (i)) "
            f"TO '{tmp_path}/people.parquet'"
        )
    asked = ["--qi", "age", "--k", "5", "--out", "o.parquet", "--json"]
    ended = submit(tmp_path, *asked, "--id", "name")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["k_measured"] >= 5
    assert SECRET not in ended.stdout + ended.stderr
    assert not list(tmp_path.glob(".ppdt-*"))
    ended = submit(tmp_path, *asked)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert 'ppdt: "name": no role.' in ended.stderr and SECRET not in ended.stderr
