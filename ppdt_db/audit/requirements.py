"""The requirements that an audit can check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from ppdt_db.audit.finding import Finding, Relation
from ppdt_db.errors import RequestError
from ppdt_db.sqltext.quoting import did_you_mean


@dataclass(frozen=True, kw_only=True)
class AuditMeasure:
    """A measure that may be required, and the direction of its bound."""

    measure: str
    relation: Relation
    of_sensitive: bool = False


# By definition, recursive (c, l)-diversity and delta-disclosure require strictly less.
MODELS: dict[str, AuditMeasure] = {
    "k": AuditMeasure(measure="k", relation=">="),
    "k_without_suppressed": AuditMeasure(measure="k_without_suppressed", relation=">="),
    "kk": AuditMeasure(measure="kk", relation=">="),
    "path": AuditMeasure(measure="path", relation=">="),
    "leaf": AuditMeasure(measure="leaf", relation=">="),
    "l": AuditMeasure(measure="distinct_l", relation=">=", of_sensitive=True),
    "distinct_l": AuditMeasure(measure="distinct_l", relation=">=", of_sensitive=True),
    "entropy": AuditMeasure(measure="entropy_l", relation=">=", of_sensitive=True),
    "entropy_l": AuditMeasure(measure="entropy_l", relation=">=", of_sensitive=True),
    "recursive": AuditMeasure(measure="recursive_c", relation="<", of_sensitive=True),
    "t": AuditMeasure(measure="t", relation="<=", of_sensitive=True),
    "t_ordered": AuditMeasure(measure="t_ordered", relation="<=", of_sensitive=True),
    "t_equal": AuditMeasure(measure="t_equal", relation="<=", of_sensitive=True),
    "t_hierarchical": AuditMeasure(measure="t_hierarchical", relation="<=", of_sensitive=True),
    "alpha": AuditMeasure(measure="alpha", relation="<=", of_sensitive=True),
    "beta": AuditMeasure(measure="basic_beta", relation="<=", of_sensitive=True),
    "basic_beta": AuditMeasure(measure="basic_beta", relation="<=", of_sensitive=True),
    "enhanced_beta": AuditMeasure(measure="enhanced_beta", relation="<=", of_sensitive=True),
    "delta": AuditMeasure(measure="delta_disclosure", relation="<", of_sensitive=True),
    "delta_disclosure": AuditMeasure(measure="delta_disclosure", relation="<", of_sensitive=True),
    "delta_disclosure_ignoring_absent": AuditMeasure(
        measure="delta_disclosure_ignoring_absent", relation="<", of_sensitive=True
    ),
    "delta_presence_min": AuditMeasure(measure="delta_presence_min", relation=">="),
    "delta_presence_max": AuditMeasure(measure="delta_presence_max", relation="<="),
    "prosecutor_risk_max": AuditMeasure(measure="prosecutor_risk_max", relation="<="),
    "prosecutor_risk_mean": AuditMeasure(measure="prosecutor_risk_mean", relation="<="),
    "journalist_risk_max": AuditMeasure(measure="journalist_risk_max", relation="<="),
    "journalist_risk_mean": AuditMeasure(measure="journalist_risk_mean", relation="<="),
    "marketer_risk": AuditMeasure(measure="marketer_risk", relation="<="),
    "sample_uniqueness": AuditMeasure(measure="sample_uniqueness", relation="<="),
    "population_uniqueness": AuditMeasure(measure="population_uniqueness", relation="<="),
    "tidi": AuditMeasure(measure="tidi", relation=">="),
    "gcp": AuditMeasure(measure="gcp", relation="<="),
}
WITH_OTHERS = "_with_others"


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One requirement: a name of MODELS, a bound, and the l of recursive (c, l)-diversity."""

    name: str
    bound: float
    level: int | None = None

    @property
    def model(self) -> AuditMeasure:
        """The measure that it is about."""
        return MODELS[self.name.removesuffix(WITH_OTHERS)]

    @property
    def with_others(self) -> bool:
        """Return whether the other sensitive columns count among the quasi-identifiers."""
        return self.name.endswith(WITH_OTHERS)

    @property
    def title(self) -> str:
        """The name for people."""
        return self.name if self.level is None else f"recursive (c, {self.level}): c"


def parse_required(text: str) -> list[Requirement]:
    """Parse `k=10,l=2,recursive=3:2`; raise all faults at once."""
    found: list[Requirement] = []
    faults: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition("=")
        try:
            found.append(requirement(name.strip(), value.strip()))
        except RequestError as error:
            faults += error.faults
    names = [entry.name for entry in found]
    faults += [
        f"requirement {n}: given twice. Give it once."
        for n in dict.fromkeys(names)
        if names.count(n) > 1
    ]
    if faults:
        raise RequestError(*faults)
    return found


def requirement(name: str, value: object) -> Requirement:
    """Return one requirement from its name and its bound."""
    stem = name.removesuffix(WITH_OTHERS)
    if stem not in MODELS or (name != stem and not MODELS[stem].of_sensitive):
        raise RequestError(
            f'requirement "{name}": unknown. Use one of {", ".join(MODELS)}.'
            f"{did_you_mean(stem, MODELS)}"
        )
    text, _, level = str(value).partition(":")
    is_recursive = stem == "recursive"
    try:
        bound = float(text)
        at = int(level) if is_recursive else None
    except ValueError:
        wanted = "C:L, such as 3:2" if is_recursive else "NUMBER"
        raise RequestError(f'requirement "{name}": write {name}={wanted}.') from None
    if not isfinite(bound) or bound < 0 or (level and not is_recursive):
        raise RequestError(f'requirement "{name}": the bound must be a number of at least 0.')
    if at is not None and at < 2:
        raise RequestError(f'requirement "{name}": l must be at least 2.')
    return Requirement(name=name, bound=bound, level=at)


def check_requirements(
    measures: Mapping[str, object], required: Sequence[Requirement]
) -> list[Finding]:
    """Compare the measures with the requirements."""
    findings: list[Finding] = []
    for entry in required:
        if not entry.model.of_sensitive:
            findings.append(_finding(entry, entry.title, measures))
            continue
        sensitive = measures["sensitive"]
        assert isinstance(sensitive, dict)
        for column, of_column in sensitive.items():
            found = (of_column.get("with_others") or {}) if entry.with_others else of_column
            findings.append(_finding(entry, f"{entry.title} of {column}", found))
    return findings


def _finding(entry: Requirement, name: str, measures: Mapping[str, object]) -> Finding:
    measured = measures.get(entry.model.measure)
    value = float(measured) if isinstance(measured, int | float) else None
    return Finding(
        name=name,
        required=entry.bound,
        measured=value,
        passed=value is not None and _holds(value, entry.model.relation, entry.bound),
        relation=entry.model.relation,
    )


def _holds(value: float, relation: Relation, bound: float) -> bool:
    """Return whether a measure meets its bound; both are rounded to 12 digits."""
    value, bound = round(value, 12), round(bound, 12)
    if relation == ">=":
        return value >= bound
    return value < bound if relation == "<" else value <= bound
