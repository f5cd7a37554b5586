"""The request of a run, and its faults: all found before any work and reported together."""

from ppdt_db.release.request.check import check_request, checked
from ppdt_db.release.request.columns import hierarchy_faults, quasi_faults
from ppdt_db.release.request.destination import overwritten_faults, place_faults, written_faults
from ppdt_db.release.request.new_columns import new_column_faults
from ppdt_db.release.request.order import Keys, Order
from ppdt_db.release.request.request import Bounds, Request

__all__ = [
    "Bounds", "Keys", "Order", "Request", "check_request", "checked", "hierarchy_faults",
    "new_column_faults", "overwritten_faults", "place_faults",
    "quasi_faults", "written_faults",
]  # fmt: skip
