"""Columns that a release shows as they are: how many rows they single out, alone and together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db.audit.released import Column
from ppdt_db.engine import Engine
from ppdt_db.names import Sql

DIGITS = 12
# Planning a statement of many parts takes DuckDB 1 longer than the parts.
AT_ONCE = 100


@dataclass(frozen=True, kw_only=True)
class AsIs:
    """The columns that a release shows as they are.

    Whoever knows what is kept, and the target, may find a row by it: these count together.
    Pseudonyms count by themselves alone: nobody knows them beforehand. Sensitive columns are taken
    to be unknown, as l and t take them; what they would add is measured apart.
    """

    together: Sequence[str] = ()
    pseudonymized: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    quasi: Sequence[str] = ()
    """Not as they are, but released, and known to an outsider."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The share of rows that are alone in what they show; None where nothing is shown as it is."""

    together: Sequence[str] = ()
    by_column: Mapping[str, float] = field(default_factory=dict)
    uniqueness: float | None = None
    with_quasi: float | None = None
    with_sensitive: float | None = None


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows that are counted, with their people where there are any."""

    relation: Sql
    columns: Mapping[str, str]
    entity: str | None = None


def measure_kept(engine: Engine, rows: Rows, shown: AsIs) -> Kept:
    """Measure every set of columns, many in one statement."""
    kept, quasi = list(shown.together), list(shown.quasi)
    single = [*kept, *shown.pseudonymized]
    sets = [[column] for column in single]
    if kept:
        sets += [kept, [*kept, *quasi]]
    if shown.sensitive:
        sets.append([*kept, *shown.sensitive])
    if not sets:
        return Kept()
    found: dict[int, float] = {}
    for first in range(0, len(sets), AT_ONCE):
        names = {
            "release": rows.relation,
            "sets": [_columns(rows, columns) for columns in sets[first : first + AT_ONCE]],
            "entity": rows.entity,
        }
        found |= {
            first + int(str(number)): round(int(str(n_alone)) / max(1, int(str(n_rows))), DIGITS)
            for number, n_rows, n_alone in engine.rows("audit/alone", names=names)
        }
    at = len(single)
    return Kept(
        together=kept,
        by_column={column: found[place] for place, column in enumerate(single)},
        uniqueness=found[at] if kept else None,
        with_quasi=found[at + 1] if kept else None,
        with_sensitive=found[len(sets) - 1] if shown.sensitive else None,
    )


def _columns(rows: Rows, names: Sequence[str]) -> list[Column]:
    return [
        Column(name=name, type_name=rows.columns[name], group=f"g{place}")
        for place, name in enumerate(names)
    ]
