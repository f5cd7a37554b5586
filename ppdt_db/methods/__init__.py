"""One module for each method; they share the phases, never each other's rooms."""

from ppdt_db.guard import Guard
from ppdt_db.methods.contract import Method
from ppdt_db.methods.mondrian import Mondrian

METHODS: dict[str, type[Mondrian]] = {"mondrian": Mondrian}

__all__ = ["METHODS", "Guard", "Method", "Mondrian"]
