"""The interface of a release to its saved rules: apply them to new rows, report the result."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

import duckdb

from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.source.source import SourceLike

NOT_COUNTED = (
    "New rows do not count into k: the guarantee is that of the release whose labels they show."
)


@dataclass(frozen=True, kw_only=True)
class ApplyResult:
    """The result of applying rules to new rows."""

    name: str
    method: str
    rows_in: int
    rows_shown: int
    withheld: Mapping[str, int]

    @property
    def summary(self) -> dict[str, object]:
        """The result in plain dictionaries."""
        return {
            "name": self.name,
            "method": self.method,
            "rows_in": self.rows_in,
            "rows_shown": self.rows_shown,
            "rows_withheld": dict(self.withheld),
            "note": NOT_COUNTED,
        }


class SavedRules(Protocol):
    """The saved rules of a release."""

    @property
    def path(self) -> Path:
        """The file that holds them."""
        ...

    def apply(
        self,
        con: duckdb.DuckDBPyConnection,
        new: SourceLike,
        *,
        into: str | None = None,
        out: str | Path | None = None,
        replace: bool = False,
        pseudonym_key: str | None = None,
        sql_log: TextIO | None = None,
        csv: CsvOptions = None,
    ) -> ApplyResult:
        """Recode new rows as the release would."""
        ...
