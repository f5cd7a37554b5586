"""The methods, one module each; they share the algorithms and do not import each other."""

from collections.abc import Mapping

from ppdt_db.arguments import in_plain_numbers, type_faults
from ppdt_db.errors import RequestError
from ppdt_db.methods.base import Method
from ppdt_db.methods.datafly import Datafly
from ppdt_db.methods.erp import Erp
from ppdt_db.methods.guard import Guard
from ppdt_db.methods.kactus import Kactus
from ppdt_db.methods.microaggregation import Mdav, Mdav2k, Microaggregate, Univariate, Vmdav
from ppdt_db.methods.mict import Mict
from ppdt_db.methods.mondrian import Mondrian
from ppdt_db.methods.options import Option, options_of
from ppdt_db.methods.specialization import Tdr, Tds
from ppdt_db.sqltext.quoting import did_you_mean

# The registry: the command line, policies, plans and `ppdt show` know methods from here alone.
METHODS: Mapping[str, type[Method]] = {
    method.name: method
    for method in (
        Mondrian, Kactus, Erp, Tds, Tdr, Datafly,
        Mdav, Vmdav, Mdav2k, Microaggregate, Univariate, Mict,
    )
}  # fmt: skip
# All options of all methods, in their order.
OPTIONS: Mapping[str, Option] = {
    name: option for method in METHODS.values() for name, option in options_of(method).items()
}


def as_method(method: Method | str | None) -> Method:
    """Return a method from an object, or from a name, with its defaults.

    >>> as_method("Mondrian").name
    'mondrian'
    """
    if method is None:
        return Mondrian()
    if isinstance(method, str):
        return METHODS[known_method(method)]()
    if isinstance(method, type):
        raise RequestError(
            f"method: {method.__name__} is a class. Pass an instance, such as "
            f"{method.__name__}(k=10)."
        )
    if not isinstance(method, Method):
        listed = ", ".join(f"{known.__name__}(k=10)" for known in METHODS.values())
        raise RequestError(
            f"method: a {type(method).__name__} is not a method. Pass a name "
            f"({', '.join(METHODS)}) or an object of ppdt_db: {listed}."
        )
    return in_plain_numbers(method)


def method_faults(method: object) -> list[str]:
    """Return the faults of a method argument: it is not a method, or its parameters are invalid."""
    try:
        return type_faults(as_method(method))  # type: ignore[arg-type]
    except RequestError as error:
        return list(error.faults)


def known_method(name: str) -> str:
    """Return the canonical name of a method, however it is spelled."""
    words = name.casefold().replace("-", "").replace("_", "")
    if words not in METHODS:
        raise RequestError(
            f"method {name}: choose one of {', '.join(METHODS)}.{did_you_mean(words, METHODS)}"
        )
    return words


__all__ = [
    "METHODS", "OPTIONS", "Datafly", "Erp", "Guard", "Kactus", "Mdav", "Mdav2k", "Method",
    "Microaggregate", "Mict", "Mondrian", "Tdr", "Tds", "Univariate", "Vmdav", "as_method",
    "known_method", "method_faults", "options_of",
]  # fmt: skip
