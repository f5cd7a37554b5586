"""All measures of the audit, under their names in the certificate."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ppdt_db.audit.disclosure import disclosures
from ppdt_db.audit.finding import number
from ppdt_db.audit.linkage import of_original, of_population
from ppdt_db.audit.loss import losses, share_labels
from ppdt_db.audit.paths import of_paths
from ppdt_db.audit.released import AuditedRelation
from ppdt_db.audit.sensitive import Hierarchy, of_sensitive
from ppdt_db.audit.utility import utilities
from ppdt_db.engine import Engine
from ppdt_db.errors import EngineError
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.tree.tree import Tree

RISK_THRESHOLD = 0.2
# With other sensitive columns known there are nearly as many classes as rows: much more work.
MOST_ROWS_WITH_OTHERS = 2_000_000


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """Options of the measures besides the release itself."""

    recursive_l: int | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    with_others: bool | None = None
    population: Sql | None = None
    population_columns: Mapping[str, str] = field(default_factory=dict)
    sampling: float | None = None
    with_fit: bool = False
    with_utility: bool = False
    tree: Tree | None = None
    """The tree down which the released rows are sent, to see what they share on their paths."""


def measure(
    engine: Engine,
    released: AuditedRelation,
    *,
    centres: Mapping[str, str] | None = None,
    options: MeasureOptions | None = None,
) -> dict[str, object]:
    """Group the release once, and measure the groups.

    `centres` names the relations (`audit/share_centre`) of quasi-identifiers that show a class by
    a single value, such as its mean.
    """
    options = options or MeasureOptions()
    make_classes(engine, released)
    measures = _sizes(engine, released, options)
    if options.with_others is None:
        is_small = number(measures["rows"]) <= MOST_ROWS_WITH_OTHERS
        options = replace(options, with_others=is_small)
    measures["sensitive"] = of_sensitive(engine, released, options)
    shares = share_labels(engine, released, centres or {})
    measures |= losses(engine, released, shares)
    if released.original is not None:
        measures |= disclosures(engine, released, shares)
    engine.drop(*(name for share in shares for name in (share.relation, share.domain)))
    if options.tree is not None:
        measures |= of_paths(engine, released, options.tree)
    if options.population is not None:
        measures |= of_population(
            engine, released, options.population, options.population_columns, RISK_THRESHOLD
        )
    if options.with_utility:
        measures |= utilities(engine, released)
    if options.with_fit:
        measures |= of_original(engine, released)
    return measures


def make_classes(engine: Engine, released: AuditedRelation) -> None:
    """Make the classes, numbered in the order of their labels."""
    engine.make("audit/class", names={"release": released.relation, "quasi": released.quasi})


def _sizes(engine: Engine, released: AuditedRelation, options: MeasureOptions) -> dict[str, object]:
    params = {"risk_threshold": RISK_THRESHOLD, "sampling": options.sampling}
    has_entity = released.entity is not None
    if has_entity:
        names = {"release": released.entities, "quasi": released.quasi, "entity": released.entity}
        engine.make("audit/entity", names=names, to="ppdt_sized")
        if engine.count("audit/entity_gap", names=names):
            raise EngineError(
                "the entities counted are not those of the released classes. This is a fault of "
                "ppdt_db, not of your data: please report it."
            )
    else:
        engine.make("audit/sized")
    (k, k_rows, k_shown, classes, classes_shown, n_rows, n_subjects, suppressed, largest, unique,
     at_risk, discernibility, discernibility_all, population_uniqueness) = engine.row(
         "audit/size", params
     )  # fmt: skip
    subjects, n_classes = _whole(n_subjects), _whole(classes)
    return {
        "k": k or 0,
        "k_rows": k_rows or 0,
        "k_without_suppressed": k_shown,
        "classes": n_classes,
        "rows": n_rows,
        "rows_suppressed": suppressed,
        "class_size_max": largest or 0,
        "class_size_mean": _ratio(_whole(n_rows), n_classes),
        "rows_unique": unique,
        "sample_uniqueness": _ratio(_whole(unique), subjects),
        "population_uniqueness": population_uniqueness,
        "prosecutor_risk_max": _ratio(1, _whole(k)),
        "prosecutor_risk_mean": _ratio(n_classes, subjects),
        "rows_at_risk": at_risk,
        "rows_at_risk_ratio": _ratio(_whole(at_risk), subjects),
        "rows_at_risk_threshold": RISK_THRESHOLD,
        "marketer_risk": _ratio(n_classes, subjects),
        "discernibility": discernibility,
        "discernibility_with_suppressed": discernibility_all,
        "classes_without_suppressed": classes_shown,
        "risk_counts": "distinct entities" if has_entity else "rows",
    }


def _whole(value: object) -> int:
    return int(str(value or 0))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
