"""Publish a release: fill it out of sight, audit it there, and only then make it visible.

This module has what every destination needs: the proof, the certificate, the warnings. The
destinations themselves are in `publish_duckdb` and `publish_spark`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import duckdb

from ppdt_db.errors import RequestError
from ppdt_db.policy.accept import SEVERAL
from ppdt_db.release.certificate import certificate
from ppdt_db.release.lints import Facts, find_lints, without_solvable
from ppdt_db.release.prove import Evidence
from ppdt_db.release.saved_rules import ApplyResult, SavedRules
from ppdt_db.release.stages import Run
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.source.source import SourceLike
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.tree.tree import Tree


@dataclass(frozen=True, kw_only=True)
class Release:
    """A published release and its certificate."""

    name: str
    form: Literal["snapshot", "live", "file"]
    certificate: Mapping[str, object]
    warnings: Sequence[str]
    rules: SavedRules | None = field(default=None, repr=False)
    tree: Tree | None = field(default=None, repr=False)
    """The pruned tree whose leaves are the classes, where the method prunes one; not published."""
    con: duckdb.DuckDBPyConnection | None = field(default=None, repr=False)
    figures: Mapping[str, object] = field(default_factory=dict, repr=False)
    """Measurements of the method about its own work; not all of them may be published."""

    def apply(
        self,
        new: SourceLike,
        *,
        into: str | None = None,
        out: str | Path | None = None,
        replace: bool = False,
        pseudonym_key: str | None = None,
        csv: CsvOptions = None,
    ) -> ApplyResult:
        """Recode new rows by the rules of this release; it must have been made with them."""
        if self.rules is None or self.con is None:
            raise RequestError(
                "this release was made without rules. Anonymize with anonymize(..., rules=True) "
                "or rules=PATH."
            )
        return self.rules.apply(
            self.con,
            new,
            into=into,
            out=out,
            replace=replace,
            pseudonym_key=pseudonym_key,
            csv=csv,
        )


class Publisher(ABC):
    """The publisher of one release."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.request = run.order.request

    @abstractmethod
    def hidden(self) -> AbstractContextManager[Sql]:
        """Fill the release out of sight; make it visible when the block ends, or nothing."""

    def certify(self, evidence: Evidence) -> None:
        """Write the certificate of the release that the evidence is about."""
        self.evidence = evidence
        measured = {**self.run.task.figures, **self.run.figures}
        figures = without_solvable(measured, evidence.audit.measures)
        lints = find_lints(_facts(self.run, evidence, left_out=figures != measured))
        self.certificate = certificate(self.run, evidence, figures, lints)
        self.warnings = [lint.says for lint in lints if lint.warns] + self._more_warnings()

    def released(self) -> Release:
        """Return the release, once it is visible."""
        return Release(
            name=self.name,
            form=self.request.form,
            certificate=self.certificate,
            warnings=self.warnings,
            figures=self.run.task.figures,
        )

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the release for people."""

    def _more_warnings(self) -> list[str]:
        """Return the warnings that no lint of the release gives."""
        earlier = self.run.record.earlier
        if not earlier or SEVERAL in self.request.accept:
            return []
        listed = {one.entry.name: one.description for one in reversed(earlier)}
        return [
            f"this source, or rows of it, were released before ({'; '.join(listed.values())}). "
            "Whoever has two releases of one source can compare them and may learn more "
            "than either shows. Keep only one of them (`ppdt drop`, or --replace); for a "
            f"job that releases repeatedly, add --accept {SEVERAL}."
        ]


def _facts(run: Run, evidence: Evidence, *, left_out: bool) -> Facts:
    encoded = run.encoded
    return Facts(
        method=run.order.method,
        roles=run.roles,
        labels=run.inputs.labels,
        measures=evidence.audit.measures,
        kept=evidence.kept,
        values_per_row={a.name: a.n_codes / encoded.n_rows for a in encoded.attributes},
        left_out=left_out,
        linked=run.order.request.links_pseudonyms,
    )
