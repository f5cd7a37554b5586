"""The options of methods: each is declared once, where a method takes it as a parameter.

The command line, the fields of policy files, their reference and the checks of values follow.
"""

import types
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from math import inf
from typing import Literal, Union, get_args, get_origin, get_type_hints

from ppdt_db.arguments import scalars

HELD = "option"


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option of a method: `--name` on the command line, `name` in a policy file.

    Several methods may share one. Name, kind and words follow from the parameter.
    """

    help: str
    least: float = -inf
    """The lowest value of a number."""
    below: float = inf
    """The bound that a number must stay below."""
    kind: str = ""
    """The type in a policy file, as annotated; `path` for a file."""
    name: str = ""
    words: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def bounds(self) -> str:
        """The bounds in words."""
        return f"at least {self.least:g}" + (
            "" if self.below == inf else f" and below {self.below:g}"
        )

    def faults(self, value: object) -> list[str]:
        """Return the fault of a value that is none of the words, or out of bounds."""
        if self.words and value is not None and value not in self.words:
            return [f"{self.name} {value}: choose one of {', '.join(self.words)}."]
        is_bounded = (self.least, self.below) != (-inf, inf) and isinstance(value, int | float)
        if is_bounded and not (self.least <= value < self.below):  # type: ignore[operator]
            return [f"{self.name}={value:g}: must be {self.bounds}."]
        return []


def option(
    *, help: str, least: float = -inf, below: float = inf, kind: str = ""
) -> Mapping[str, Option]:
    """Return an option as the metadata of the parameters that have it.

    >>> str(option(help="Maximum rows.")["option"].help)
    'Maximum rows.'
    """
    return {HELD: Option(help=help, least=least, below=below, kind=kind)}


def options_of(method: type) -> Mapping[str, Option]:
    """Return the options of a method by name, in their order."""
    hints = get_type_hints(method) if is_dataclass(method) else {}
    return {
        parameter.name: replace(
            parameter.metadata[HELD],
            name=parameter.name,
            kind=parameter.metadata[HELD].kind or _kind_of(hints[parameter.name]),
            words=_words_of(hints[parameter.name]),
        )
        for parameter in (fields(method) if is_dataclass(method) else ())
        if HELD in parameter.metadata
    }


def value_faults(method: object) -> list[str]:
    """Return the faults of the values of a method's options."""
    return [
        fault
        for name, option in options_of(type(method)).items()
        for fault in option.faults(getattr(method, name))
    ]


def _kind_of(hint: object) -> str:
    """Return what a policy file must hold for a parameter of a type."""
    if get_origin(hint) is not None and issubclass(_class_of(hint), Mapping):
        return "dict[str, float | str]"
    kinds = [kind.__name__ for kind in scalars(hint) if kind is not type(None)]
    return f"{kinds[0] if kinds else 'path'} | None"


def _class_of(hint: object) -> type:
    origin = get_origin(hint)
    return origin if isinstance(origin, type) else type(None)


def _words_of(hint: object) -> tuple[str, ...]:
    """Return the words of a Literal, which may be optional."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(word for part in get_args(hint) for word in _words_of(part))
    return ()
