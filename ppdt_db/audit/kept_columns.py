"""Measure how many rows the unchanged columns of a release make unique, alone and together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db.audit.released import ReleasedColumn
from ppdt_db.engine import Engine
from ppdt_db.sqltext.quoting import Sql

DIGITS = 12
# DuckDB 1 plans a statement with many parts more slowly than the single parts.
AT_ONCE = 100


@dataclass(frozen=True, kw_only=True)
class AsIs:
    """The columns that are released unchanged.

    An attacker who knows the kept columns and the target may find a row by them: these count
    together. Pseudonyms count one by one, as nobody knows them beforehand. Sensitive columns are
    assumed unknown, as in l-diversity and t-closeness; their effect is measured separately.
    """

    together: Sequence[str] = ()
    pseudonymized: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    quasi: Sequence[str] = ()
    """Columns that are generalized, but known to an attacker."""


@dataclass(frozen=True, kw_only=True)
class KeptShare:
    """The share of rows that unchanged columns make unique; None if there are none."""

    together: Sequence[str] = ()
    by_column: Mapping[str, float] = field(default_factory=dict)
    uniqueness: float | None = None
    with_quasi: float | None = None
    with_sensitive: float | None = None


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows to count, and their entity column if there is one."""

    relation: Sql
    columns: Mapping[str, str]
    entity: str | None = None


def measure_kept(engine: Engine, rows: Rows, shown: AsIs) -> KeptShare:
    """Measure every set of columns, many in one statement."""
    kept, quasi = list(shown.together), list(shown.quasi)
    single = [*kept, *shown.pseudonymized]
    sets = [[column] for column in single]
    if kept:
        sets += [kept, [*kept, *quasi]]
    if shown.sensitive:
        sets.append([*kept, *shown.sensitive])
    if not sets:
        return KeptShare()
    uniqueness: dict[int, float] = {}
    for first in range(0, len(sets), AT_ONCE):
        names = {
            "release": rows.relation,
            "sets": [_columns(rows, columns) for columns in sets[first : first + AT_ONCE]],
            "entity": rows.entity,
        }
        uniqueness |= {
            first + int(str(number)): round(int(str(n_alone)) / max(1, int(str(n_rows))), DIGITS)
            for number, n_rows, n_alone in engine.rows("audit/alone", names=names)
        }
    at = len(single)
    return KeptShare(
        together=kept,
        by_column={column: uniqueness[place] for place, column in enumerate(single)},
        uniqueness=uniqueness[at] if kept else None,
        with_quasi=uniqueness[at + 1] if kept else None,
        with_sensitive=uniqueness[len(sets) - 1] if shown.sensitive else None,
    )


def _columns(rows: Rows, names: Sequence[str]) -> list[ReleasedColumn]:
    return [
        ReleasedColumn(name=name, type_name=rows.columns[name], group=f"g{place}")
        for place, name in enumerate(names)
    ]
