"""Different: how many different values columns have, whatever the number of columns."""

from collections.abc import Sequence

from ppdt_db.engine import Engine
from ppdt_db.names import Sql

# DuckDB takes far longer than proportionally for many of these counts in one statement: 0.06 s for
# 100 of them, 8 s for 600, and minutes for 1,500.
AT_ONCE = 25


def n_different(
    engine: Engine, relation: Sql, columns: Sequence[str]
) -> tuple[int, dict[str, int]]:
    """The number of rows, and of different values of every column, NULL apart."""
    n_rows = 0
    found: dict[str, int] = {}
    for first in range(0, len(columns), AT_ONCE):
        some = columns[first : first + AT_ONCE]
        names = {"source": relation, "columns": some}
        n_rows, *counts = (int(str(count)) for count in engine.row("encode/unique", names=names))
        found.update(zip(some, counts, strict=True))
    return n_rows, found
