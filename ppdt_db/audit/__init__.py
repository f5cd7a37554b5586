"""Audit: what a released relation proves, from the relation itself.

This package shares no code with the methods. It groups the release as an outsider would, measures,
and compares with what was promised.
"""

from ppdt_db.audit.explain import explain
from ppdt_db.audit.finding import Audit, Finding, c_avg
from ppdt_db.audit.kept import AsIs, Kept, Rows, measure_kept
from ppdt_db.audit.measure import RISK_THRESHOLD, Wish, make_classes, measure
from ppdt_db.audit.others import find_parts, with_axes
from ppdt_db.audit.reach import axis_of
from ppdt_db.audit.released import Nodes, Released, Shape, Shown, check_columns, find_shown
from ppdt_db.audit.require import Requirement, judge, parse_required, requirement
from ppdt_db.audit.sensitive import Hierarchy

__all__ = [
    "RISK_THRESHOLD",
    "AsIs",
    "Audit",
    "Finding",
    "Hierarchy",
    "Kept",
    "Nodes",
    "Released",
    "Requirement",
    "Rows",
    "Shape",
    "Shown",
    "Wish",
    "axis_of",
    "c_avg",
    "check_columns",
    "explain",
    "find_parts",
    "find_shown",
    "judge",
    "make_classes",
    "measure",
    "measure_kept",
    "parse_required",
    "requirement",
    "with_axes",
]
