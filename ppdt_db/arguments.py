"""Check and normalize Python arguments: lists of names, numpy numbers, parameter types.

Everything is checked before any work, so that errors name the caller's own arguments.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Argument = TypeVar("Argument")
WORDS: Mapping[type, str] = {
    bool: "True or False", int: "a whole number", float: "a number", str: "text",
}  # fmt: skip


def plain(value: object) -> object:
    """Return a numpy number as Python's own, and everything else unchanged."""
    if (
        type(value).__module__ == "numpy"
        and hasattr(value, "item")
        and not getattr(value, "shape", ())
    ):
        item: object = value.item()
        return item
    if type(value) is tuple:
        return tuple(map(plain, value))
    return value


def in_plain_numbers(options: Argument) -> Argument:
    """Return a method or learner with numpy numbers converted to Python's own."""
    if not is_dataclass(options) or isinstance(options, type):
        return options
    old = {field.name: getattr(options, field.name) for field in fields(options) if field.init}
    new = {name: plain(value) for name, value in old.items()}
    return replace(options, **{name: new[name] for name in new if new[name] is not old[name]})


def list_faults(kinds: tuple[type, ...] = (str,), **lists: object) -> list[str]:
    """Return a fault for every argument that is not a list of names."""
    faults: list[str] = []
    for name, value in lists.items():
        if isinstance(value, str):
            faults.append(
                f'{name}="{value}": expected a list of names, got one name. Write '
                f'{name}=["{value}"].'
            )
        elif isinstance(value, (Mapping, bytes, *kinds)) or not isinstance(value, Iterable):
            faults.append(f"{name}: pass a list of names, not a {type(value).__name__}.")
        elif isinstance(value, Collection):
            wrong = sorted({type(item).__name__ for item in value if not isinstance(item, kinds)})
            faults += [f"{name}: column names must be text, not {kind}." for kind in wrong]
    return faults


def name_faults(**names: object) -> list[str]:
    """Return a fault for every argument that is not a single name."""
    return [
        f"{name}: pass one name as text, not a {type(value).__name__}."
        for name, value in names.items()
        if value is not None and not isinstance(value, str)
    ]


def type_faults(options: object) -> list[str]:
    """Return a fault for every parameter of a method or learner that has a wrong type."""
    if not is_dataclass(options):
        return []
    hints = get_type_hints(type(options))
    faults: list[str] = []
    for field in fields(options):
        value = plain(getattr(options, field.name))
        accepted = scalars(hints[field.name])
        if accepted and not _is_one_of(value, accepted):
            words = " or ".join(WORDS[kind] for kind in accepted if kind in WORDS)
            faults.append(f"{field.name}: pass {words}, not a {type(value).__name__}.")
        elif hints[field.name] == tuple[float, int] | None and not _is_pair(value):
            faults.append(f"{field.name}: pass a number and a whole number, such as (2.0, 3).")
    return faults


def scalars(hint: Any) -> list[type]:
    """Return the scalar types that a parameter accepts; none where it accepts others too."""
    if get_origin(hint) in (Union, UnionType):
        parts = [scalars(one) for one in get_args(hint)]
        return [kind for part in parts for kind in part] if all(parts) else []
    if get_origin(hint) is Literal:
        return [str]
    return [hint] if hint in WORDS or hint is type(None) else []


def _is_one_of(value: object, accepted: Iterable[type]) -> bool:
    for kind in accepted:
        if isinstance(value, bool):
            if kind is bool:
                return True
        elif isinstance(value, kind) or (kind is float and isinstance(value, int)):
            return True
    return False


def _is_pair(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    c, level = map(plain, value)
    return _is_one_of(c, [float]) and _is_one_of(level, [int])
