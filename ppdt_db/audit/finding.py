"""What an audit answers: measures by name, and a finding for everything that was required."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Relation = Literal[">=", "<=", "<", ">"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One answer of the audit: what was required, what was measured."""

    name: str
    required: float
    measured: float | None
    passed: bool
    relation: Relation = ">="

    @property
    def line(self) -> str:
        """One line for people."""
        word = "passed" if self.passed else "FAILED"
        measured = "not measured" if self.measured is None else f"{self.measured:g}"
        return f"{word}  {self.name} {self.relation} {self.required:g}  (measured {measured})"


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What an audit measured and found; `worst` names the weakest classes, where asked for."""

    measures: Mapping[str, object]
    findings: Sequence[Finding]
    worst: Sequence[Mapping[str, object]] = ()

    @property
    def passed(self) -> bool:
        """Whether every finding passed."""
        return all(finding.passed for finding in self.findings)


def c_avg(
    measures: Mapping[str, object], k: float, *, with_suppressed: bool = False
) -> float | None:
    """(rows / classes) / k, without the suppressed rows unless they are asked for."""
    rows, classes = number(measures["rows"]), number(measures["classes_without_suppressed"])
    if with_suppressed:
        classes = number(measures["classes"])
    else:
        rows -= number(measures["rows_suppressed"])
    return rows / (classes * k) if classes and k else None


def number(value: object) -> float:
    """A count as the engine gave it."""
    assert isinstance(value, int | float)
    return value
