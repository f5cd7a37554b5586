"""The Spark session of a run: its settings, and its types in DuckDB's names."""

import re
from typing import TYPE_CHECKING
from warnings import catch_warnings, simplefilter

from ppdt_db.errors import RequestError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    # Overflow and bad casts are errors, as they are in DuckDB.
    "spark.sql.ansi.enabled": "true",
    # DECIMAL(38, 12) plus DECIMAL(38, 12) keeps its twelve digits.
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    # The checkpoint of a union fails on the constraints of its parts.
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "false",
    "spark.sql.ansi.enforceReservedKeywords": "false",
    # Names and texts in a statement are read literally.
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.parquet.inferTimestampNTZ.enabled": "true",
    # Other readers do not read Spark's default type as a timestamp.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # Dates before 1582 are written unchanged.
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}

# Spark's names of types, and DuckDB's.
TYPES = {
    "tinyint": "TINYINT", "smallint": "SMALLINT", "int": "INTEGER", "bigint": "BIGINT",
    "float": "FLOAT", "double": "DOUBLE", "string": "VARCHAR", "boolean": "BOOLEAN",
    "date": "DATE", "timestamp": "TIMESTAMP WITH TIME ZONE", "timestamp_ntz": "TIMESTAMP",
    "binary": "BLOB",
}  # fmt: skip


def duck_type(name: str) -> str:
    """Return a Spark type under DuckDB's name, where both have it.

    >>> duck_type("array<string>"), duck_type("decimal(10,2)")
    ('VARCHAR[]', 'DECIMAL(10,2)')
    """
    if found := re.fullmatch(r"array<(.+)>", name):
        return duck_type(found.group(1)) + "[]"
    if name.startswith("decimal("):
        return name.upper()
    if name.startswith("string collate"):
        return "VARCHAR"
    return TYPES.get(name, name.upper())


def spark_session() -> "SparkSession":
    """Return the active session, or start one on this machine."""
    with catch_warnings():
        # Spark warns of unsupported pandas versions; pandas is not used here.
        simplefilter("ignore", FutureWarning)
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise RequestError(
                "--engine spark needs pyspark and Java. Run pip install 'ppdt-db[spark]'."
            ) from None
        # Spark's progress bars would mix with ours.
        named = SparkSession.builder.appName("ppdt").config("spark.ui.showConsoleProgress", "false")
        return named.getOrCreate()


def session_beside(caller: "SparkSession") -> "SparkSession":
    """Return a new session beside the caller's, with our settings and the same namespace."""
    session = caller.newSession()
    session.catalog.setCurrentCatalog(caller.catalog.currentCatalog())
    session.catalog.setCurrentDatabase(caller.catalog.currentDatabase())
    for name, value in SETTINGS.items():
        if session.conf.get(name) != value:
            session.conf.set(name, value)
    if "spark.sql.shuffle.partitions" not in dict(caller.sparkContext.getConf().getAll()):
        n_parts = max(4, 2 * caller.sparkContext.defaultParallelism)
        session.conf.set("spark.sql.shuffle.partitions", str(n_parts))
    return session
