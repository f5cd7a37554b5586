"""One module for each method; they share the phases, never each other's rooms."""

from dataclasses import fields, is_dataclass

from ppdt_db.guard import Guard
from ppdt_db.methods.contract import Method
from ppdt_db.methods.erp import Erp
from ppdt_db.methods.kactus import Kactus
from ppdt_db.methods.microaggregation import Mdav, Mdav2k, Microaggregate, Vmdav
from ppdt_db.methods.mict import Mict
from ppdt_db.methods.mondrian import Mondrian
from ppdt_db.methods.specialization import Tdr, Tds

METHODS: dict[
    str, type[Mondrian] | type[Kactus] | type[Erp] | type[Mdav] | type[Mict] | type[Tds]
] = {
    "mondrian": Mondrian,
    "kactus": Kactus,
    "mdav": Mdav,
    "vmdav": Vmdav,
    "mdav2k": Mdav2k,
    "microaggregate": Microaggregate,
    "mict": Mict,
    "erp": Erp,
    "tds": Tds,
    "tdr": Tdr,
}


def parameters_of(name: str) -> list[str]:
    """The parameters that a method takes."""
    method = METHODS[name]
    assert is_dataclass(method)
    return [parameter.name for parameter in fields(method)]


__all__ = [
    "METHODS", "Erp", "Guard", "Kactus", "Mdav", "Mdav2k", "Method", "Microaggregate", "Mict",
    "Mondrian", "Tdr", "Tds", "Vmdav", "parameters_of",
]  # fmt: skip
