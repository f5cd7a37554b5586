"""Samples: how much a source is of, and parts of it that are as dense as the whole.

A sample takes whole cells: rows alike stay together, so it has as many rows in a cell as
its source.
"""

from ppdt_db.coded import Coded
from ppdt_db.engine import DuckEngine
from ppdt_db.families import family_of
from ppdt_db.names import Sql, ident
from ppdt_db.policy import Roles
from ppdt_db.source import Source

# The rows of the largest sample: nearly two whole groups of rows of a table (122,880), since a
# group that is not full takes more bytes for each of its rows.
LARGEST_ROWS = 235_000
# Samples are taken from a part of the rows, the first ones: to look at all takes a tenth of a run.
LOOKED_AT_LEAST, LOOKED_AT_MOST, LOOKED_AT_SHARE = 100_000, 2_000_000, 1 / 20
EXACT_ROWS = 100_000
LARGEST, SAMPLE = "ppdt_largest", "ppdt_sample"
CHANCES = 2**32


def counted(
    engine: DuckEngine, read: Source, roles: Roles, n_rows: int
) -> tuple[int, dict[str, int]]:
    """The cells of a source, and the values of each quasi-identifier; about, where it is large."""
    attributes = [
        Coded(
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
    _, *counts = (int(str(count)) for count in engine.row("plan/counted", names=names))
    n_cells, *n_values = (min(n_rows, count) for count in counts)
    return n_cells, dict(zip([a.name for a in attributes], n_values, strict=True))


def looked_at_of(n_rows: int) -> int:
    """How many rows of a source samples are taken from.

    >>> [looked_at_of(n) for n in (1000, 10**6, 10**7, 10**9)]
    [1000, 100000, 500000, 2000000]
    """
    wanted = max(LOOKED_AT_LEAST, min(LOOKED_AT_MOST, round(n_rows * LOOKED_AT_SHARE)))
    return min(n_rows, wanted)


class Samples:
    """Parts of one source; keeps `ppdt_largest` and `ppdt_sample`."""

    def __init__(self, engine: DuckEngine, read: Source, roles: Roles, *, least: int) -> None:
        self.engine = engine
        self.read = read
        self.quasi = {a.name: read.columns[a.name] for a in roles.quasi}
        self.least = least
        self.share = 1.0

    def begin(self, n_rows: int, n_wanted: int) -> int:
        """Draw the largest sample, which the others are parts of; returns how many rows it has."""
        looked_at = looked_at_of(n_rows)
        n_looked_at = looked_at if looked_at < n_rows else None
        n_kept = 0
        for share in (min(1.0, n_wanted / looked_at), 1.0):
            self.share = share
            # Few cells with many rows each: all or none of them may fall into a sample.
            n_kept = self._keep(self.read.relation, LARGEST, share, n_looked_at)
            if n_kept >= self.least:
                break
        return n_kept

    def draw(self, part: float) -> int:
        """Draw a part of the largest sample; returns how many rows it has."""
        return self._keep(ident(LARGEST), SAMPLE, part * self.share)

    def end(self) -> None:
        """Forget all samples."""
        self.engine.drop(LARGEST, SAMPLE)

    def _keep(self, source: Sql, to: str, share: float, n_looked_at: int | None = None) -> int:
        """Keep the rows of a share of the cells."""
        names = {
            "source": source, "columns": self.read.columns, "quasi": self.quasi,
            "n_looked_at": n_looked_at,
        }  # fmt: skip
        self.engine.make("plan/sample", {"below": int(share * CHANCES)}, names, to=to)
        return self.engine.count("encode/size", names={"source": ident(to)})
