"""Made-up patients for the demo, the examples and the scripts of `ppdt show`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Row
from ppdt_db.sqltext.quoting import ident

PATIENTS = "patients"
RELEASE = "patients_anonymous"
ROLES: Mapping[str, list[str]] = {
    "identifiers": ["patient_id", "name"],
    "quasi": ["age", "sex", "zip", "admitted"],
    "sensitive": ["diagnosis"],
}
TARGET = "readmitted"


@dataclass(frozen=True, kw_only=True)
class Look:
    """A few rows of a relation, as text."""

    columns: list[str]
    rows: list[Row]


def make_patients(
    con: duckdb.DuckDBPyConnection, n_rows: int, sql_log: TextIO | None = None
) -> None:
    """Make the table of patients."""
    DuckEngine(con, sql_log).make_table("tools/demo/patients", (PATIENTS,), {"rows": n_rows})


def write_patients(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Write the patients to a Parquet file."""
    names = {"relation": ident(PATIENTS)}
    DuckEngine(con).copy("tools/demo/everyone", path, "parquet", names=names)


def look(con: duckdb.DuckDBPyConnection, name: str, n_rows: int) -> Look:
    """Return the first rows of a table or view."""
    engine = DuckEngine(con)
    relation = ident(name)
    columns = [column for column, _ in engine.describe(relation)]
    names = {"relation": relation, "columns": columns}
    return Look(columns=columns, rows=engine.rows("tools/demo/look", {"rows": n_rows}, names))
