"""One module for each method; they share the phases, never each other's rooms."""

from dataclasses import fields, is_dataclass

from ppdt_db.errors import RequestError
from ppdt_db.given import in_plain_numbers, type_faults
from ppdt_db.guard import Guard
from ppdt_db.methods.contract import Method
from ppdt_db.methods.erp import Erp
from ppdt_db.methods.kactus import Kactus
from ppdt_db.methods.microaggregation import Mdav, Mdav2k, Microaggregate, Univariate, Vmdav
from ppdt_db.methods.mict import Mict
from ppdt_db.methods.mondrian import Mondrian
from ppdt_db.methods.specialization import Tdr, Tds
from ppdt_db.names import nearest

METHODS: dict[
    str,
    type[Mondrian]
    | type[Kactus]
    | type[Erp]
    | type[Mdav]
    | type[Univariate]
    | type[Mict]
    | type[Tds],
] = {
    "mondrian": Mondrian,
    "kactus": Kactus,
    "mdav": Mdav,
    "vmdav": Vmdav,
    "mdav2k": Mdav2k,
    "microaggregate": Microaggregate,
    "univariate": Univariate,
    "mict": Mict,
    "erp": Erp,
    "tds": Tds,
    "tdr": Tdr,
}


def as_method(given: Method | str | None) -> Method:
    """Return the method that is meant: an object, or a name for one with its defaults.

    >>> as_method("Mondrian").name
    'mondrian'
    """
    if given is None:
        return Mondrian()
    if isinstance(given, str):
        return METHODS[known_method(given)]()
    if isinstance(given, type):
        raise RequestError(
            f"method: {given.__name__} is a class. Pass an object of it, such as "
            f"{given.__name__}(k=10)."
        )
    if not isinstance(getattr(given, "guard", None), Guard):
        listed = ", ".join(f"{method.__name__}(k=10)" for method in METHODS.values())
        raise RequestError(
            f"method: a {type(given).__name__} is none. Pass a name ({', '.join(METHODS)}) or an "
            f"object of ppdt_db: {listed}."
        )
    return in_plain_numbers(given)


def method_faults(given: object) -> list[str]:
    """Return what keeps a method from being one, or from being asked for anything."""
    try:
        return type_faults(as_method(given))  # type: ignore[arg-type]
    except RequestError as error:
        return list(error.faults)


def known_method(name: str) -> str:
    """Return the name of a method, however it is written."""
    words = name.casefold().replace("-", "").replace("_", "")
    if words not in METHODS:
        raise RequestError(
            f"method {name}: choose one of {', '.join(METHODS)}.{nearest(words, METHODS)}"
        )
    return words


def parameters_of(name: str) -> list[str]:
    """The parameters that a method takes."""
    method = METHODS[name]
    assert is_dataclass(method)
    return [parameter.name for parameter in fields(method)]


__all__ = [
    "METHODS", "Erp", "Guard", "Kactus", "Mdav", "Mdav2k", "Method", "Microaggregate", "Mict",
    "Mondrian", "Tdr", "Tds", "Univariate", "Vmdav", "as_method", "known_method", "method_faults",
    "parameters_of",
]  # fmt: skip
