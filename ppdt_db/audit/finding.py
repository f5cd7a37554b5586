"""The result of an audit: measures by name, and a finding for every requirement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Relation = Literal[">=", "<=", "<", ">"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One requirement, and whether the measured value meets it."""

    name: str
    required: float
    measured: float | None
    passed: bool
    relation: Relation = ">="

    @property
    def line(self) -> str:
        """The finding in one line for people."""
        word = "passed" if self.passed else "FAILED"
        measured = "not measured" if self.measured is None else f"{self.measured:g}"
        return f"{word}  {self.name} {self.relation} {self.required:g}  (measured {measured})"


@dataclass(frozen=True, kw_only=True)
class Audit:
    """The measures and findings of an audit; `worst` lists the weakest classes on request."""

    measures: Mapping[str, object]
    findings: Sequence[Finding]
    worst: Sequence[Mapping[str, object]] = ()

    @property
    def passed(self) -> bool:
        """Return whether every finding passed."""
        return all(finding.passed for finding in self.findings)


def c_avg(
    measures: Mapping[str, object], k: float, *, with_suppressed: bool = False
) -> float | None:
    """Return (rows / classes) / k, by default without the suppressed rows."""
    rows, classes = number(measures["rows"]), number(measures["classes_without_suppressed"])
    if with_suppressed:
        classes = number(measures["classes"])
    else:
        rows -= number(measures["rows_suppressed"])
    return rows / (classes * k) if classes and k else None


def number(value: object) -> float:
    """Return a count as a number."""
    assert isinstance(value, int | float)
    return value
