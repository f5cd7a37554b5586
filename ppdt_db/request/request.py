"""What is asked beside the policy and the method."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.names import spelled
from ppdt_db.recode import Form, form_of
from ppdt_db.resolve import place_of


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
    path: tuple[str, ...] = ()
    """The full name where DuckDB makes what goes into a database, once it was asked."""
    path_faults: tuple[str, ...] = ()

    def placed(self, engine: DuckEngine) -> "Request":
        """The request with the full name of its place; a fault waits to be told with all others."""
        if self.into is None:
            return self
        try:
            return replace(self, path=place_of(engine, self.into))
        except RequestError as error:
            return replace(self, path_faults=tuple(f"--into {fault}" for fault in error.faults))

    @property
    def title(self) -> str:
        """The full name of what is made, for the record; of a file, its own name."""
        if self.path:
            return spelled(self.path)
        return (
            str(self.into) if self.address is None else self.address.rstrip("/").rpartition("/")[2]
        )

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
