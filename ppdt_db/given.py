"""What Python hands over: a name where a list is wanted, numbers of numpy, a class for an object.

Everything is looked at before any work, so that what is wrong is said in the caller's own words.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Thing = TypeVar("Thing")
WORDS: Mapping[type, str] = {
    bool: "True or False", int: "a whole number", float: "a number", str: "a text",
}  # fmt: skip


def plain(value: object) -> object:
    """Return a number of numpy as Python's own, and everything else as it is."""
    if (
        type(value).__module__ == "numpy"
        and hasattr(value, "item")
        and not getattr(value, "shape", ())
    ):
        found: object = value.item()
        return found
    if type(value) is tuple:
        return tuple(map(plain, value))
    return value


def in_plain_numbers(thing: Thing) -> Thing:
    """Return a method or a learner whose numbers are Python's own."""
    if not is_dataclass(thing) or isinstance(thing, type):
        return thing
    given = {one.name: getattr(thing, one.name) for one in fields(thing) if one.init}
    new = {name: plain(value) for name, value in given.items()}
    return replace(thing, **{name: new[name] for name in new if new[name] is not given[name]})


def list_faults(kinds: tuple[type, ...] = (str,), **lists: object) -> list[str]:
    """Return what is no list of names."""
    faults: list[str] = []
    for name, given in lists.items():
        if isinstance(given, str):
            faults.append(
                f'{name}="{given}": this is one name, and a list is wanted. Write '
                f'{name}=["{given}"].'
            )
        elif isinstance(given, (Mapping, bytes, *kinds)) or not isinstance(given, Iterable):
            faults.append(f"{name}: pass a list of names, not a {type(given).__name__}.")
        elif isinstance(given, Collection):
            wrong = sorted({type(one).__name__ for one in given if not isinstance(one, kinds)})
            faults += [f"{name}: names of columns are texts, not of type {kind}." for kind in wrong]
    return faults


def name_faults(**names: object) -> list[str]:
    """Return what is no single name."""
    return [
        f"{name}: pass one name as a text, not a {type(given).__name__}."
        for name, given in names.items()
        if given is not None and not isinstance(given, str)
    ]


def type_faults(thing: object) -> list[str]:
    """Return the parameters of a method or a learner that are of no type that it takes."""
    if not is_dataclass(thing):
        return []
    hints = get_type_hints(type(thing))
    faults: list[str] = []
    for one in fields(thing):
        given = plain(getattr(thing, one.name))
        wanted = _scalars(hints[one.name])
        if wanted and not _is_one_of(given, wanted):
            words = " or ".join(WORDS[kind] for kind in wanted if kind in WORDS)
            faults.append(f"{one.name}: pass {words}, not a {type(given).__name__}.")
        elif hints[one.name] == tuple[float, int] | None and not _is_pair(given):
            faults.append(f"{one.name}: pass a number and a whole number, such as (2.0, 3).")
    return faults


def _scalars(hint: Any) -> list[type]:
    """Return the single values that a parameter may be; nothing where it may be something else."""
    if get_origin(hint) in (Union, UnionType):
        parts = [_scalars(one) for one in get_args(hint)]
        return [kind for part in parts for kind in part] if all(parts) else []
    if get_origin(hint) is Literal:
        return [str]
    return [hint] if hint in WORDS or hint is type(None) else []


def _is_one_of(given: object, wanted: Iterable[type]) -> bool:
    for kind in wanted:
        if isinstance(given, bool):
            if kind is bool:
                return True
        elif isinstance(given, kind) or (kind is float and isinstance(given, int)):
            return True
    return False


def _is_pair(given: object) -> bool:
    if given is None:
        return True
    if not isinstance(given, tuple | list) or len(given) != 2:
        return False
    c, level = map(plain, given)
    return _is_one_of(c, [float]) and _is_one_of(level, [int])
