"""Find earlier releases in the catalog whose source had the same name, or shares rows.

source ──▶ ppdt_sketch (the smallest keyed digests of its rows), compared with earlier runs' own
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdt_db.engine import DuckEngine
from ppdt_db.release.catalog import Catalog, CatalogEntry
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import Private, normalize_name, parts_of

# The number of digests kept per source: an overlap of 1 % is missed once in 28,000 times.
SIZE = 1024
# Of large sources only the rows with small digests are sorted: this many if all rows differ.
SORTED = 64 * SIZE
LAST = (1 << 60) - 1
# Two sources are related from this share of the smaller one's distinct rows on.
RELATED = 0.1


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """An earlier release, and how much its source has in common with the present one."""

    entry: CatalogEntry
    has_name: bool
    shared: float | None
    """The approximate share of the smaller source's distinct rows that both have, if known."""

    @property
    def description(self) -> str:
        """The name of the release, and why it is listed."""
        if self.shared is None:
            return f"{self.entry.name}: a source of the same name"
        share = "all" if self.shared == 1 else f"about {max(1, round(100 * self.shared))} % of the"
        return f"{self.entry.name}: {share} rows"


def make_sketch(engine: DuckEngine, read: Source, digest_key: Private, n_rows: int) -> None:
    """Create `ppdt_sketch`: the digests by which rows of this source are recognized later."""
    columns = dict(sorted(read.columns.items(), key=lambda column: normalize_name(column[0])))
    names = {"relation": read.relation, "columns": columns}
    column_list = "|".join(f"{len(name)}:{normalize_name(name)}" for name in columns)
    reach = LAST if n_rows <= SORTED else LAST * SORTED // n_rows
    params = {"digest_key": digest_key, "columns": column_list, "size": SIZE, "reach": reach}
    engine.make("encode/sketch", params, names)


def earlier_releases(
    catalog: Catalog, source: Source, fingerprint: str, *, has_sketch: bool
) -> list[Earlier]:
    """Return the releases in the catalog whose source had this name, or rows of this one."""
    entries = catalog.releases()
    shares = _shares(catalog) if entries and has_sketch else {}
    found = []
    for entry in entries:
        has_name = source.is_named and _is_same_name(entry.source, source.title)
        is_same = entry.source_fingerprint == fingerprint
        shared = 1.0 if is_same else shares.get(entry.run_id)
        if has_name or (shared is not None and shared >= RELATED):
            found.append(Earlier(entry=entry, has_name=has_name, shared=shared))
    return found


def _is_same_name(one: str, other: str) -> bool:
    """Return whether two names mean one source; a database may be attached under another name."""
    first, second = ([*map(normalize_name, parts_of(name))] for name in (one, other))
    return first == second or (len(first) == len(second) == 3 and first[1:] == second[1:])


def _shares(catalog: Catalog) -> Mapping[int, float]:
    rows: Sequence[tuple[object, ...]] = catalog.rows("lib/catalog/overlap")
    return {
        int(str(run_id)): int(str(n_common)) / int(str(n_compared))
        for run_id, n_common, n_compared in rows
    }
