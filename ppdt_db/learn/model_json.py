"""Reads back what `as_json` wrote: a tree, naive Bayes or a list of rules."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ppdt_db.errors import RequestError
from ppdt_db.families import family_of
from ppdt_db.json_text import from_json
from ppdt_db.learn.arrays import Condition
from ppdt_db.learn.bayes_model import FORMAT as BAYES
from ppdt_db.learn.bayes_model import BayesModel, Chance, Normal
from ppdt_db.learn.reading import Trait
from ppdt_db.learn.rules import FORMAT as RULES
from ppdt_db.learn.rules import PartModel, Rule
from ppdt_db.learn.thresholds import read_number
from ppdt_db.tree import FORMAT as TREE
from ppdt_db.tree import Tree
from ppdt_db.tree_file import read_tree


def read_model(text: str) -> Tree | BayesModel | PartModel:
    """Read a model that `as_json` wrote."""
    try:
        found = from_json(text)
        kind = found["format"]
    except (ValueError, KeyError, TypeError):
        kind = None
    if kind == TREE:
        return read_tree(text)
    if kind not in (BAYES, RULES):
        raise RequestError(
            f'this is no model of ours: expected a JSON object with "format": "{TREE}", "{BAYES}" '
            f'or "{RULES}", as `ppdt learn --json` writes it.'
        )
    try:
        model = _bayes(found) if kind == BAYES else _rules(found)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
        raise RequestError(
            f'this model says "{kind}", but parts of it are missing or of a wrong form. Write it '
            "again with `ppdt learn --json`."
        ) from None
    faults = [
        f'feature "{trait.name}": type {trait.type_name} cannot be learnt from.'
        for trait in model.traits
        if family_of(trait.type_name) is None
    ]
    if faults:
        raise RequestError(*faults)
    return model


def _bayes(found: Mapping[str, Any]) -> BayesModel:
    classes = tuple(str(one["name"]) for one in found["classes"])
    normals: list[Normal] = []
    chances: list[Chance] = []
    traits = []
    for place, told in enumerate(found["features"]):
        is_ordered = "curves" in told
        traits.append(_trait(told, "ordered" if is_ordered else "nominal"))
        if is_ordered:
            normals += _normals(place, told["curves"], len(classes))
        else:
            chances += _chances(place, told, len(classes))
    return BayesModel(
        target=str(found["target"]), classes=classes, traits=tuple(traits),
        priors=_above_zero([one["share"] for one in found["classes"]]),
        normals=tuple(normals), chances=tuple(chances),
    )  # fmt: skip


def _normals(place: int, curves: Sequence[Mapping[str, Any]], n_classes: int) -> list[Normal]:
    """One curve for each class, or none at all."""
    if len(curves) not in (0, n_classes):
        raise ValueError
    return [
        Normal(
            attribute_id=place,
            class_id=class_id,
            mean=_number(curve["mean"]),
            deviation=_above_zero([curve["deviation"]])[0],
            precision=_above_zero([curve["precision"]])[0],
        )
        for class_id, curve in enumerate(curves)
    ]


def _chances(place: int, told: Mapping[str, Any], n_classes: int) -> list[Chance]:
    """One chance for each class, of every member and of those never seen."""
    shares: dict[str | None, Sequence[float]] = {str(m): s for m, s in told["chances"].items()}
    if told["unseen"] or shares:
        shares[None] = told["unseen"]
    if any(len(one) != n_classes for one in shares.values()):
        raise ValueError
    return [
        Chance(attribute_id=place, class_id=class_id, member=member, chance=chance)
        for member, one in shares.items()
        for class_id, chance in enumerate(_above_zero(one))
    ]


def _rules(found: Mapping[str, Any]) -> PartModel:
    classes = tuple(str(name) for name in found["classes"])
    traits = tuple(_trait(told, told["kind"]) for told in found["features"])
    members = tuple(tuple(str(m) for m in told["members"]) for told in found["features"])
    place_of = {trait.name: place for place, trait in enumerate(traits)}
    rules = []
    for told in found["rules"]:
        counts = tuple(_number(weight) for weight in told["weights"])
        if len(counts) != len(classes) or min(counts) < 0:
            raise ValueError
        conditions = tuple(
            _condition(one, place_of[one["feature"]], traits, members) for one in told["conditions"]
        )
        rules.append(Rule(conditions=conditions, counts=counts))
    if not rules or not classes:
        raise ValueError
    return PartModel(
        target=str(found["target"]), classes=classes, traits=traits, members=members,
        rules=tuple(rules),
    )  # fmt: skip


def _condition(
    told: Mapping[str, Any],
    place: int,
    traits: Sequence[Trait],
    members: Sequence[Sequence[str]],
) -> Condition:
    share = _number(told["share_of_missing"])
    if traits[place].kind == "nominal":
        if told["test"] != "=":
            raise ValueError
        return Condition(feature=place, branch=members[place].index(told["value"]), share=share)
    branch = {"<=": 0, ">": 1}[told["test"]]
    value = told["value"]
    exact = read_number(value) if isinstance(value, str) and traits[place].origin else None
    return Condition(
        feature=place, branch=branch, share=share,
        threshold=_number(value) if exact is None else exact,
    )  # fmt: skip


def _trait(told: Mapping[str, Any], kind: Any) -> Trait:
    if kind not in ("ordered", "nominal"):
        raise ValueError
    origin = str(told.get("origin", ""))
    if origin:
        read_number(origin)
    return Trait(name=str(told["name"]), kind=kind, type_name=str(told["type"]), origin=origin)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError
    return float(value)


def _above_zero(values: Sequence[Any]) -> tuple[float, ...]:
    found = tuple(_number(value) for value in values)
    if any(value <= 0 for value in found):
        raise ValueError
    return found
