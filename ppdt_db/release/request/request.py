"""The request of a run beside its policy and its method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Literal

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.release.recode import FileForm, form_of
from ppdt_db.source.resolve import place_of
from ppdt_db.sqltext.quoting import join_path


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits on uniqueness and loss, beyond what the method guarantees."""

    max_kept_uniqueness: float | None = None
    max_loss: float | None = None

    @property
    def named(self) -> Mapping[str, float]:
        """The bounds given, by their options."""
        named = {"--max-kept-uniqueness": self.max_kept_uniqueness, "--max-loss": self.max_loss}
        return {option: bound for option, bound in named.items() if bound is not None}

    @property
    def faults(self) -> list[str]:
        """The faults of bounds that are not between 0 and 1."""
        return [
            f"{option}: give a share from 0 to 1, such as 0.05."
            for option, bound in self.named.items()
            if not isinstance(bound, int | float) or not isfinite(bound) or not 0 <= bound <= 1
        ]


@dataclass(frozen=True, kw_only=True)
class Request:
    """The request beside the policy and the method: destination and form of the release."""

    into: str | None = None
    out: str | Path | None = None
    live: bool = False
    replace: bool = False
    accept: frozenset[str] = frozenset()
    key_faults: Sequence[str] = ()
    """The faults of the pseudonym key."""
    links_pseudonyms: bool = False
    record: bool = True
    rules: Path | None = None
    bounds: Bounds = field(default_factory=Bounds)
    policy_name: str | None = None
    """The name that the runs of one policy share, whatever their destination."""
    previous: Mapping[str, object] | Path | None = None
    """The certificate of the last run, or the file that holds it if there was one."""
    path: tuple[str, ...] = ()
    """The full name in the database, once the engine has resolved it."""
    path_faults: tuple[str, ...] = ()

    def placed(self, engine: DuckEngine) -> "Request":
        """Return the request with the full name of its destination; keep a fault for later."""
        if self.into is None:
            return self
        try:
            return replace(self, path=place_of(engine, self.into))
        except RequestError as error:
            return replace(self, path_faults=tuple(f"--into {fault}" for fault in error.faults))

    @property
    def title(self) -> str:
        """The full name of the release for the record; of a file, its own name."""
        if self.path:
            return join_path(self.path)
        return (
            str(self.into) if self.address is None else self.address.rstrip("/").rpartition("/")[2]
        )

    @property
    def file(self) -> Path | None:
        """The file that DuckDB writes the release to, if it goes to a file."""
        return None if self.out is None else Path(self.out)

    @property
    def address(self) -> str | None:
        """The path or URI that Spark writes the release to, if it does not go to a table."""
        return None if self.out is None else str(self.out)

    @property
    def form(self) -> Literal["snapshot", "live", "file"]:
        """The form of the release."""
        return "live" if self.live else "snapshot" if self.into else "file"

    @property
    def file_form(self) -> FileForm | None:
        """The format of the file, if one is written."""
        return form_of(self.file) if self.file else None
