"""A million rows of a census on two cores: Spark's release is DuckDB's, row for row."""

from pathlib import Path

import duckdb

import ppdt_db
from ppdt_db import Mondrian
from ppdt_db.cli.bench.command import QUASI
from ppdt_db.engine import DuckEngine


def test_the_same_release_of_a_million_rows(spark: object, tmp_path: Path) -> None:
    source, here, there = (tmp_path / f"{name}.parquet" for name in ("census", "here", "there"))
    given = {"quasi": QUASI, "sensitive": ["diagnosis"], "method": Mondrian(k=20), "seed": 1}
    with duckdb.connect() as con:
        DuckEngine(con).copy("tools/bench/census", source, "parquet", names={"rows": 1_000_000})
        wanted = ppdt_db.anonymize(con, source, out=here, **given)  # type: ignore[arg-type]
    found = ppdt_db.anonymize(spark, str(source), out=str(there), **given)  # type: ignore[arg-type]
    with duckdb.connect() as con:
        one, other = f"FROM '{here}'", f"FROM '{there}/*.parquet'"
        differing = con.execute(
            f"SELECT count(*) FROM (({one} EXCEPT ALL {other}) UNION ALL "
            f"({other} EXCEPT ALL {one}))"
        ).fetchone()
    assert differing == (0,)
    for name in ("rows_out", "classes", "k_measured", "gcp"):
        assert found.certificate[name] == wanted.certificate[name]
