"""Everything that the audit measures, by its name in the certificate."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ppdt_db.audit.finding import number
from ppdt_db.audit.loss import losses
from ppdt_db.audit.others import of_original, of_population
from ppdt_db.audit.released import Released
from ppdt_db.audit.sensitive import Hierarchy, of_sensitive
from ppdt_db.audit.utility import utilities
from ppdt_db.engine import Engine
from ppdt_db.errors import EngineError
from ppdt_db.names import Sql

RISK_THRESHOLD = 0.2
# With other sensitive columns known, classes are nearly as many as rows: several times the work.
MOST_ROWS_WITH_OTHERS = 2_000_000


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What an audit is asked beyond the release itself."""

    recursive_l: int | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    with_others: bool | None = None
    population: Sql | None = None
    population_columns: Mapping[str, str] = field(default_factory=dict)
    sampling: float | None = None
    with_fit: bool = False
    with_utility: bool = False


def measure(
    engine: Engine,
    released: Released,
    *,
    centres: Mapping[str, float | None] | None = None,
    wish: Wish | None = None,
) -> dict[str, object]:
    """Group the release once, and measure the groups."""
    wish = wish or Wish()
    make_classes(engine, released)
    measures = _sizes(engine, released, wish)
    if wish.with_others is None:
        is_small = number(measures["rows"]) <= MOST_ROWS_WITH_OTHERS
        wish = replace(wish, with_others=is_small)
    measures["sensitive"] = of_sensitive(engine, released, wish)
    measures |= losses(engine, released, centres or {})
    if wish.population is not None:
        measures |= of_population(
            engine, released, wish.population, wish.population_columns, RISK_THRESHOLD
        )
    if wish.with_utility:
        measures |= utilities(engine, released)
    if wish.with_fit:
        measures |= of_original(engine, released)
    return measures


def make_classes(engine: Engine, released: Released) -> None:
    """Make the classes, numbered in the order of what they show."""
    engine.make("audit/class", names={"release": released.relation, "quasi": released.quasi})


def _sizes(engine: Engine, released: Released, wish: Wish) -> dict[str, object]:
    params = {"risk_threshold": RISK_THRESHOLD, "sampling": wish.sampling}
    has_entity = released.entity is not None
    if has_entity:
        names = {"release": released.entities, "quasi": released.quasi, "entity": released.entity}
        engine.make("audit/entity", names=names, to="ppdt_sized")
        if engine.count("audit/entity_gap", names=names):
            raise EngineError("people were not counted in the classes that are released.")
    else:
        engine.make("audit/sized")
    (k, k_rows, k_shown, classes, classes_shown, n_rows, n_things, suppressed, largest, unique,
     at_risk, discernibility, discernibility_all, population_uniqueness) = engine.row(
         "audit/size", params
     )  # fmt: skip
    things, n_classes = _whole(n_things), _whole(classes)
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
        "sample_uniqueness": _ratio(_whole(unique), things),
        "population_uniqueness": population_uniqueness,
        "prosecutor_risk_max": _ratio(1, _whole(k)),
        "prosecutor_risk_mean": _ratio(n_classes, things),
        "rows_at_risk": at_risk,
        "rows_at_risk_ratio": _ratio(_whole(at_risk), things),
        "rows_at_risk_threshold": RISK_THRESHOLD,
        "marketer_risk": _ratio(n_classes, things),
        "discernibility": discernibility,
        "discernibility_with_suppressed": discernibility_all,
        "classes_without_suppressed": classes_shown,
        "risk_counts": "distinct entities" if has_entity else "rows",
    }


def _whole(value: object) -> int:
    return int(str(value or 0))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
