"""What is asked, and all that is wrong with it: found before any work, told at once."""

from ppdt_db.request.check import check_request, checked
from ppdt_db.request.columns import hierarchy_faults, quasi_faults
from ppdt_db.request.new_columns import new_column_faults
from ppdt_db.request.place import overwritten_faults, place_faults, written_faults
from ppdt_db.request.request import Bounds, Request

__all__ = [
    "Bounds", "Request", "check_request", "checked", "hierarchy_faults",
    "new_column_faults", "overwritten_faults", "place_faults",
    "quasi_faults", "written_faults",
]  # fmt: skip
