"""Profile a source before anonymizing it, and suggest a policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import duckdb
import yaml

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.csv.dialect import CsvOptions, unread_faults, with_csv
from ppdt_db.source.source import Source, SourceLike, opened
from ppdt_db.sqltext.column_types import family_of

SuggestedRole = Literal["identifier", "quasi-identifier", "constant", "no quasi-identifier"]
# A column that makes most rows unique identifies people as a name does.
NEARLY_UNIQUE = 0.9
FEW_ROWS = 20
LARGEST_SET = 3
PAIRED = 10
WORST = 5


@dataclass(frozen=True, kw_only=True)
class ColumnProfile:
    """One column: its type, its values, and the share of rows that it alone makes unique."""

    name: str
    type_name: str
    n_values: int
    n_nulls: int
    uniqueness: float
    likely: SuggestedRole

    @property
    def is_text(self) -> bool:
        """Return whether values are compared by their bytes."""
        return self.type_name == "VARCHAR"


@dataclass(frozen=True, kw_only=True)
class SetProfile:
    """A set of columns, and the share of rows that it makes unique."""

    columns: Sequence[str]
    uniqueness: float
    n_smallest: int


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The counts of a source, and a suggested `policy` in YAML."""

    n_rows: int
    columns: Sequence[ColumnProfile]
    worst_sets: Sequence[SetProfile]
    policy: str


def profile(
    con: duckdb.DuckDBPyConnection, source: SourceLike, *, csv: CsvOptions = None
) -> Profile:
    """Count values and unique rows, for each column and for the worst small sets of columns.

    >>> con = duckdb.connect()
    >>> found = profile(con, con.sql("SELECT i AS number, i % 5 AS age FROM range(50) r(i)"))
    >>> [(column.name, column.likely) for column in found.columns]
    [('number', 'identifier'), ('age', 'quasi-identifier')]
    """
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, with_csv(source, csv)) as data:
        raise_all(unread_faults(csv, data.kind))
        columns: list[ColumnProfile] = []
        n_rows = 0
        for name, type_name in data.columns.items():
            column = {"name": name, "is_text": type_name == "VARCHAR"}
            names = {"source": data.relation, "column": column}
            n_rows, n_values, n_nulls, n_unique, _ = _whole(engine, "tools/profile/column", names)
            columns.append(
                ColumnProfile(
                    name=name,
                    type_name=type_name,
                    n_values=n_values,
                    n_nulls=n_nulls,
                    uniqueness=round(n_unique / n_rows, 6) if n_rows else 0.0,
                    likely=_likely(type_name, n_values, n_rows),
                )
            )
        return Profile(
            n_rows=n_rows,
            columns=columns,
            worst_sets=_worst_sets(engine, data, columns, n_rows),
            policy=_policy(data.path or data.title, columns),
        )


def _likely(type_name: str, n_values: int, n_rows: int) -> SuggestedRole:
    if n_values <= 1:
        return "constant"
    family = family_of(type_name)
    # A few rows are nearly always different, and so are measurements: neither are identifiers.
    is_name = family in ("integer", "huge", "text", "uuid", None)
    if is_name and n_rows >= FEW_ROWS and n_values >= NEARLY_UNIQUE * n_rows:
        return "identifier"
    return "quasi-identifier" if family else "no quasi-identifier"


def _worst_sets(
    engine: DuckEngine, source: Source, columns: Sequence[ColumnProfile], n_rows: int
) -> list[SetProfile]:
    """Return the sets of two and three columns that make most rows unique.

    Tries all pairs of the columns with most values, then the worst pairs with a third column.
    """
    quasi = [column for column in columns if column.likely == "quasi-identifier"]
    quasi.sort(key=lambda column: (-column.n_values, column.name))
    by_name = {column.name: column for column in quasi[:PAIRED]}
    profiles: dict[tuple[str, ...], SetProfile] = {}
    candidates = [tuple(sorted(pair)) for pair in combinations(by_name, 2)]
    for size in range(2, LARGEST_SET + 1):
        for names in dict.fromkeys(candidates):
            _, n_unique, n_smallest = _whole(
                engine,
                "tools/profile/set",
                {"source": source.relation, "columns": [by_name[name] for name in names]},
            )
            share = round(n_unique / n_rows, 6) if n_rows else 0.0
            profiles[names] = SetProfile(columns=names, uniqueness=share, n_smallest=n_smallest)
        of_size = [names for names in profiles if len(names) == size]
        of_size.sort(key=lambda names: (-profiles[names].uniqueness, names))
        candidates = [
            tuple(sorted((*names, more)))
            for names in of_size[:WORST]
            for more in by_name
            if more not in names
        ]
    ranked = sorted(
        profiles.values(), key=lambda one: (-one.uniqueness, len(one.columns), one.columns)
    )
    return ranked[:WORST]


def _policy(source: str, columns: Sequence[ColumnProfile]) -> str:
    """Return a suggested policy file, as `ppdt anonymize --policy` reads it."""
    of: Mapping[str, list[str]] = {
        role: [column.name for column in columns if column.likely == role]
        for role in ("identifier", "quasi-identifier", "constant", "no quasi-identifier")
    }
    fields: dict[str, object] = {
        "source": source,
        "identifiers": [*of["identifier"], *of["no quasi-identifier"]],
        "quasi": of["quasi-identifier"],
        "sensitive": [],
        "keep": of["constant"],
        "k": 10,
    }
    body = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)
    return (
        "# Suggested from counts alone. Move columns that must not be inferable to `sensitive`,\n"
        "# and columns that an attacker cannot know to `keep`. Add `into` or `out`.\n" + body
    )


def _whole(engine: DuckEngine, step: str, names: Mapping[str, object]) -> list[int]:
    return [int(str(value)) for value in engine.row(step, names=names)]
