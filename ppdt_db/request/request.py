"""What is asked beside the policy and the method."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ppdt_db.recode import Form, form_of


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked beside the policy and the method: where the release goes, and how."""

    into: str | None = None
    out: str | Path | None = None
    live: bool = False
    replace: bool = False
    accept: frozenset[str] = frozenset()
    has_pseudonym_key: bool = False
    record: bool = True
    rules: Path | None = None

    @property
    def file(self) -> Path | None:
        """The file that a release of DuckDB goes to, if not into the database."""
        return None if self.out is None else Path(self.out)

    @property
    def address(self) -> str | None:
        """Where a release of Spark goes, if not into a table: a path, or an address of a store."""
        return None if self.out is None else str(self.out)

    @property
    def form(self) -> Literal["snapshot", "live", "file"]:
        """What becomes of the release."""
        return "live" if self.live else "snapshot" if self.into else "file"

    @property
    def file_form(self) -> Form | None:
        """The kind of file, where one is written."""
        return form_of(self.file) if self.file else None
