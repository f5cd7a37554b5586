"""Declared: what there is to run, read from the methods, the guard and the recodings themselves.

Nothing is listed here that the package lists. A parameter of a kind that is not known here, or a
term of the guard that `brute` cannot judge, is an error: so neither can be forgotten.
"""

import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import product
from random import Random

from ppdt_db.methods import METHODS, Method, options_of
from ppdt_db.methods.guard import GuardTerms
from ppdt_db.recodings import RECODINGS
from ppdt_db.release.recode import FORMS
from ppdt_db.tree.tree import Tree

from .brute import BOUNDS

Params = dict[str, object]

__all__ = ["FORMS", "METHODS", "Method"]
RECODES: list[str | None] = [None, *RECODINGS]
OF_ORDERED = [name for name, kind in RECODINGS.items() if kind.needs == "order"]
OF_ROWS = [name for name, kind in RECODINGS.items() if kind.made_of == "rows"]
KEEPING = [name for name, kind in RECODINGS.items() if kind.keeps_values]
OF_NUMBERS = [name for name, kind in RECODINGS.items() if kind.holds == "numbers"]
SINGLE = [name for name, kind in RECODINGS.items() if kind.is_single]
PLACES: list[str] = ["snapshot", "live", *FORMS.values()]
CONSTRAINTS: list[str | None] = [
    None,
    *(term.name for term in fields(GuardTerms) if term.name != "k"),
]
# What a run must say by name before it is done; methods name theirs themselves.
ACCEPT_LIVE = ("state-by-state", "reader-side-channels")


def own_parameters(name: str) -> Mapping[str, object]:
    """The parameters of a method beside the guard's terms, with their types."""
    method = METHODS[name]
    assert is_dataclass(method)
    hints = typing.get_type_hints(method)
    terms = {term.name for term in fields(GuardTerms)}
    return {f.name: hints[f.name] for f in fields(method) if f.name not in terms}


def choices(name: str) -> dict[str, list[object]]:
    """The parameters of a method that are one of a few words, with all of these."""
    found: dict[str, list[object]] = {}
    for parameter, hint in own_parameters(name).items():
        if hint is bool:
            found[parameter] = [False, True]
        elif words := _words(hint):
            found[parameter] = words
    return found


def variants(name: str) -> Iterator[Params]:
    """Every way to ask for a method by its words."""
    of = choices(name)
    for words in product(*of.values()):
        yield dict(zip(of, words, strict=True))


def numbers(name: str, rng: Random, quasi: list[str]) -> Params:
    """The other parameters of a method, drawn; most of them as they are by default."""
    drawn: Params = {}
    for parameter, hint in own_parameters(name).items():
        if hint is bool or _words(hint) or hint == Tree | None:
            # A tree is grown by the run; trees that are given have their own tests.
            continue
        wish: object
        if hint is float:
            is_fit = options_of(METHODS[name])[parameter].faults
            wish = rng.choice([share for share in (0.0, 0.2, 1.1, 3.0) if not is_fit(share)])
        elif hint is int and parameter == "part_rows":
            wish = rng.choice([40, 80, 500])
        elif hint in (int, int | None):
            wish = rng.choice([1, 2, 3, 8])
        elif typing.get_origin(hint) is not None and issubclass(typing.get_origin(hint), Mapping):
            wish = {column: rng.choice([0.0, 0.5, 2.0]) for column in quasi[:1]}
        else:
            raise AssertionError(f"{name}.{parameter}: {hint} is of no kind that is known here")
        if rng.random() < 0.3:
            drawn[parameter] = wish
    return drawn


def bound(term: str, rng: Random) -> object:
    """What may be asked of one term of the guard."""
    return BOUNDS[term](rng)


def _words(hint: object) -> list[object]:
    """The words of a Literal, and None where it is optional."""
    if typing.get_origin(hint) is typing.Literal:
        return list(typing.get_args(hint))
    parts = typing.get_args(hint)
    if type(None) in parts and len(parts) == 2:
        inner = next(part for part in parts if part is not type(None))
        if words := _words(inner):
            return [None, *words]
    return []
