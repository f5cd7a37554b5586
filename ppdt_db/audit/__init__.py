"""Measure a released relation, and check what was promised, from the relation alone.

This package shares no code with the methods. It groups the release as an attacker would, measures
the groups, and compares them with what was promised.
"""

from ppdt_db.audit.explain import explain
from ppdt_db.audit.finding import Audit, Finding, c_avg
from ppdt_db.audit.kept_columns import AsIs, KeptShare, Rows, measure_kept
from ppdt_db.audit.linkage import find_parts, with_axes
from ppdt_db.audit.measure import RISK_THRESHOLD, MeasureOptions, make_classes, measure
from ppdt_db.audit.paths import path_faults
from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import (
    AuditedRelation,
    Nodes,
    Shape,
    ShownColumn,
    find_shown,
)
from ppdt_db.audit.requirements import Requirement, check_requirements, parse_required, requirement
from ppdt_db.audit.sensitive import Hierarchy

__all__ = [
    "RISK_THRESHOLD",
    "AsIs",
    "Audit",
    "AuditedRelation",
    "Finding",
    "Hierarchy",
    "KeptShare",
    "MeasureOptions",
    "Nodes",
    "Requirement",
    "Rows",
    "Shape",
    "ShownColumn",
    "axis_of",
    "c_avg",
    "check_requirements",
    "explain",
    "find_parts",
    "find_shown",
    "make_classes",
    "measure",
    "measure_kept",
    "parse_required",
    "path_faults",
    "requirement",
    "with_axes",
]
