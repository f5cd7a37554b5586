"""Measures of what the classes disclose about sensitive columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ppdt_db.audit.released import AuditedRelation, ReleasedColumn
from ppdt_db.engine import Engine
from ppdt_db.errors import EngineError
from ppdt_db.sqltext.quoting import ident

MODELS = (
    "distinct_l", "entropy_l", "recursive_c", "alpha", "t_equal", "basic_beta", "enhanced_beta",
    "enhanced_beta_unsatisfiable", "delta_disclosure", "delta_disclosure_ignoring_absent",
)  # fmt: skip
INSIDE = (
    "ppdt_class_value",
    "ppdt_class_total",
    "ppdt_class_total",
    "ppdt_sensitive_value",
    "ppdt_portion",
    "ppdt_segment",
    "ppdt_crossing",
)


@dataclass(frozen=True, kw_only=True)
class Hierarchy:
    """A value hierarchy for the audit: a relation, and its columns from leaf to root."""

    relation: object
    levels: Sequence[str]


class SensitiveRequest(Protocol):
    """The part of the request that the measures of sensitive columns need."""

    @property
    def recursive_l(self) -> int | None: ...

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]: ...

    @property
    def with_others(self) -> bool | None: ...


def of_sensitive(
    engine: Engine, released: AuditedRelation, request: SensitiveRequest
) -> dict[str, object]:
    """Return the measures of every sensitive column: alone, and with the others known."""
    columns = released.sensitive_columns
    if not columns:
        return {}
    names = {"release": released.relation, "quasi": released.quasi, "sensitive": columns}
    class_rows = engine.make("audit/class_row", names=names)
    n_rows, n_placed = (
        engine.count("encode/size", names={"source": relation})
        for relation in (released.relation, ident(class_rows))
    )
    if n_rows != n_placed:
        raise EngineError("the release returned other rows on its second reading.")
    by_column: dict[str, object] = {}
    for column in columns:
        measures = _of_column(engine, column, (), request)
        others = [other for other in columns if other is not column]
        if others:
            known = _of_column(engine, column, others, request) if request.with_others else None
            quasi = {"quasi": [other.name for other in others]}
            measures["with_others"] = None if known is None else {**quasi, **known}
        by_column[column.name] = measures
    engine.drop("ppdt_class_row")
    return by_column


def _of_column(
    engine: Engine,
    column: ReleasedColumn,
    others: Sequence[ReleasedColumn],
    request: SensitiveRequest,
) -> dict[str, object]:
    """Return all measures of one column; keep those of each class in `ppdt_<model>_<tag>`."""
    tag = f"known_{column.group}" if others else column.group
    classes = f"ppdt_model_{tag}"
    names: dict[str, object] = {"sensitive": column, "others": others}
    engine.make("audit/class_value", names=names)
    engine.make("audit/sensitive_value", names=names)
    engine.make("audit/class_total")
    n_values, n_total, whole_below, distinct_l = engine.row("audit/sensitive_whole")
    # The l of recursive (c, l): as requested, else the distinct l of the release; at least 2.
    level = request.recursive_l or max(2, int(str(distinct_l or 0)))
    params = {"n_values": n_values, "n_total": n_total, "whole_below": whole_below}
    engine.make("audit/portion")
    engine.make("audit/model", params, {"n_top": level - 1}, to=classes)
    values = engine.row("audit/models", names={"classes": classes})
    measures: dict[str, object] = dict(zip(MODELS, values, strict=True))
    measures |= {
        "recursive_l": level, "values": n_values, "t_ordered": None, "t_hierarchical": None
    }  # fmt: skip
    if column.is_ordered:
        engine.make("audit/segment", params)
        engine.make("audit/crossing", params)
        engine.make("audit/ordered", params, to=f"ppdt_ordered_{tag}")
        measures["t_ordered"] = _highest(engine, f"ppdt_ordered_{tag}", "t_ordered")
    hierarchy = request.hierarchies.get(column.name)
    if hierarchy is not None:
        names = {
            "hierarchy": hierarchy.relation, "levels": hierarchy.levels,
            "type_name": column.type_name,
        }  # fmt: skip
        engine.make("audit/hierarchy_node", names=names)
        engine.make("audit/hierarchical", params, names, to=f"ppdt_hierarchical_{tag}")
        measures["t_hierarchical"] = _highest(engine, f"ppdt_hierarchical_{tag}", "t_hierarchical")
    engine.drop(*INSIDE)
    if measures["t_hierarchical"] is not None:
        measures["t"] = measures["t_hierarchical"]
    else:
        measures["t"] = measures["t_ordered" if column.is_ordered else "t_equal"]
    return measures


def _highest(engine: Engine, relation: str, measure: str) -> object:
    return engine.row("audit/highest", names={"relation": relation, "measure": measure})[0]
