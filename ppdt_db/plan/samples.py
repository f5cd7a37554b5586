"""Count the cells of a source, and draw samples that are as dense as the whole.

A sample takes whole cells: equal rows stay together, so its cells have as many rows as in the
source.
"""

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import DuckEngine
from ppdt_db.policy.roles import Roles
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.sqltext.quoting import Sql, ident

# The rows of the largest sample: nearly two full row groups of a table (122,880 rows), since a row
# group that is not full takes more bytes per row.
LARGEST_ROWS = 235_000
# Samples are drawn from the first rows only: to read all of them takes a tenth of a run.
LOOKED_AT_LEAST, LOOKED_AT_MOST, LOOKED_AT_SHARE = 100_000, 2_000_000, 1 / 20
EXACT_ROWS = 100_000
LARGEST, SAMPLE = "ppdt_largest", "ppdt_sample"
CHANCES = 2**32


def count_cells(
    engine: DuckEngine, read: Source, roles: Roles, n_rows: int
) -> tuple[int, dict[str, int]]:
    """Return the number of cells, and of each quasi-identifier's values; approximate if large."""
    attributes = [
        EncodedColumn(
            position=position, name=attribute.name, type_name=read.columns[attribute.name],
            family=family_of(read.columns[attribute.name]) or "text",
            dictionary="", dictionary_alias="",
        )
        for position, attribute in enumerate(roles.quasi)
    ]  # fmt: skip
    names = {
        "source": read.relation, "attributes": attributes, "is_exact": n_rows <= EXACT_ROWS,
        "quasi": {attribute.name: attribute.type_name for attribute in attributes},
    }  # fmt: skip
    _, *counts = (int(str(count)) for count in engine.row("tools/plan/counted", names=names))
    n_cells, *n_values = (min(n_rows, count) for count in counts)
    return n_cells, dict(zip([a.name for a in attributes], n_values, strict=True))


def rows_to_read(n_rows: int) -> int:
    """Return the number of rows that samples are drawn from.

    >>> [rows_to_read(n) for n in (1000, 10**6, 10**7, 10**9)]
    [1000, 100000, 500000, 2000000]
    """
    wanted = max(LOOKED_AT_LEAST, min(LOOKED_AT_MOST, round(n_rows * LOOKED_AT_SHARE)))
    return min(n_rows, wanted)


class Samples:
    """Samples of one source; keeps `ppdt_largest` and `ppdt_sample`."""

    def __init__(self, engine: DuckEngine, read: Source, roles: Roles, *, least: int) -> None:
        self.engine = engine
        self.read = read
        self.quasi = {a.name: read.columns[a.name] for a in roles.quasi}
        self.least = least
        self.share = 1.0

    def begin(self, n_rows: int, n_wanted: int) -> int:
        """Draw the largest sample, which contains all others; return its number of rows."""
        looked_at = rows_to_read(n_rows)
        n_looked_at = looked_at if looked_at < n_rows else None
        n_kept = 0
        for share in (min(1.0, n_wanted / looked_at), 1.0):
            self.share = share
            # If there are few cells with many rows each, a sample may contain none of them.
            n_kept = self._draw_cells(self.read.relation, LARGEST, share, n_looked_at)
            if n_kept >= self.least:
                break
        return n_kept

    def draw(self, part: float) -> int:
        """Draw a part of the largest sample; return its number of rows."""
        return self._draw_cells(ident(LARGEST), SAMPLE, part * self.share)

    def end(self) -> None:
        """Drop all samples."""
        self.engine.drop(LARGEST, SAMPLE)

    def _draw_cells(
        self, source: Sql, to: str, share: float, n_looked_at: int | None = None
    ) -> int:
        """Keep the rows of a share of the cells; return their number."""
        names = {
            "source": source, "columns": self.read.columns, "quasi": self.quasi,
            "n_looked_at": n_looked_at,
        }  # fmt: skip
        self.engine.make("tools/plan/sample", {"below": int(share * CHANCES)}, names, to=to)
        return self.engine.count("encode/size", names={"source": ident(to)})
