"""The table that is equivalent to a k-anonymous tree, as an ordinary release."""

from pathlib import Path

import duckdb

from ppdt_db.anonymize import anonymize
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.learn import Kadet
from ppdt_db.methods.kadet_table import Spans
from ppdt_db.release.publish import Release
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import SourceLike, opened
from ppdt_db.sqltext.quoting import normalize_name
from ppdt_db.tree.tree import Tree


def publish_spans(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    learner: Kadet,
    tree: Tree,
    *,
    into: str | None = None,
    out: str | Path | None = None,
    csv: CsvOptions = None,
) -> Release:
    """Release the rows that a tree of kADET was learnt from, with the public values of their spans.

    The table says as much as the tree does. It goes `into` the database or `out` to a file, passes
    the ordinary audit, and leaves out the columns that the tree did not use.
    """
    if learner.public_class:
        raise RequestError(
            "the table shows the class, so the class must be private. Learn without public_class."
        )
    read = with_csv(source, csv)
    with opened(DuckEngine(con), read) as data:
        columns = list(data.columns)
    shown = {normalize_name(name) for name in (*learner.public, *learner.private, tree.target)}
    return anonymize(
        con, read, quasi=learner.public, sensitive=learner.private, target=tree.target,
        identifiers=[column for column in columns if normalize_name(column) not in shown],
        method=Spans(k=learner.k, tree=tree), into=into, out=out,
    )  # fmt: skip
