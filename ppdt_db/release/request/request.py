"""What is asked beside the policy and the method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Literal

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.names import spelled
from ppdt_db.recode import Form, form_of
from ppdt_db.resolve import place_of


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What a release may tell and lose at most, beyond what its method promises."""

    max_kept_uniqueness: float | None = None
    max_loss: float | None = None

    @property
    def given(self) -> Mapping[str, float]:
        """The bounds that are asked for, by their options."""
        named = {"--max-kept-uniqueness": self.max_kept_uniqueness, "--max-loss": self.max_loss}
        return {option: bound for option, bound in named.items() if bound is not None}

    @property
    def faults(self) -> list[str]:
        """Bounds that are no shares."""
        return [
            f"{option}: take a share from 0 to 1, such as 0.05."
            for option, bound in self.given.items()
            if not isinstance(bound, int | float) or not isfinite(bound) or not 0 <= bound <= 1
        ]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked beside the policy and the method: where the release goes, and how."""

    into: str | None = None
    out: str | Path | None = None
    live: bool = False
    replace: bool = False
    accept: frozenset[str] = frozenset()
    key_faults: Sequence[str] = ()
    """What is wrong with the key of pseudonyms, should there be any."""
    links_pseudonyms: bool = False
    record: bool = True
    rules: Path | None = None
    bounds: Bounds = field(default_factory=Bounds)
    policy_name: str | None = None
    """What runs of one policy have in common, whatever place they release to."""
    previous: Mapping[str, object] | Path | None = None
    """The certificate of the run before, where it is known, or where it stands if there was one."""
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
