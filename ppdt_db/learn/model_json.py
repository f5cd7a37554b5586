"""Read models that `as_json` wrote: trees, naive Bayes, rule lists."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ppdt_db.errors import RequestError
from ppdt_db.learn.arrays import Condition
from ppdt_db.learn.bayes_model import FORMAT as BAYES
from ppdt_db.learn.bayes_model import BayesModel, Chance, Normal
from ppdt_db.learn.feature_types import Trait
from ppdt_db.learn.part.rule_list import FORMAT as RULES
from ppdt_db.learn.part.rule_list import FORMER_FORMAT, PartModel, Rule
from ppdt_db.learn.trees.thresholds import read_number
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.sqltext.json_text import from_json
from ppdt_db.tree.tree import FORMAT as TREE
from ppdt_db.tree.tree import Tree
from ppdt_db.tree.tree_json import read_tree

FORMATS = (TREE, BAYES, RULES, FORMER_FORMAT)


def is_model(text: str) -> bool:
    """Return whether a text has the mark of a model, whatever else is in it."""
    return _format_of(text) in FORMATS


def read_model(text: str) -> Tree | BayesModel | PartModel:
    """Read a model that `as_json` wrote."""
    kind = _format_of(text)
    if kind == TREE:
        return read_tree(text)
    if kind not in FORMATS:
        raise RequestError(
            f'not a model of ppdt: expected a JSON object with "format": "{TREE}", "{BAYES}" or '
            f'"{RULES}", as `ppdt learn --json` writes it.'
        )
    found = from_json(text)
    try:
        model = _bayes(found) if kind == BAYES else _rules(found)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
        raise RequestError(
            f'the model has format "{kind}", but parts of it are missing or malformed. Write it '
            "again with `ppdt learn --json`."
        ) from None
    faults = [
        (f'feature "{trait.name}": type {trait.type_name} is not supported. Learn the model again.')
        for trait in model.traits
        if family_of(trait.type_name) is None
    ]
    if faults:
        raise RequestError(*faults)
    return model


def _format_of(text: str) -> object:
    try:
        return from_json(text)["format"]
    except (ValueError, KeyError, TypeError):
        return None


def _bayes(found: Mapping[str, Any]) -> BayesModel:
    classes = tuple(str(one["name"]) for one in found["classes"])
    normals: list[Normal] = []
    chances: list[Chance] = []
    traits = []
    for place, entry in enumerate(found["features"]):
        is_ordered = "curves" in entry
        traits.append(_trait(entry, "ordered" if is_ordered else "nominal"))
        if is_ordered:
            normals += _normals(place, entry["curves"], len(classes))
        else:
            chances += _chances(place, entry, len(classes))
    return BayesModel(
        target=str(found["target"]), classes=classes, traits=tuple(traits),
        priors=_above_zero([one["share"] for one in found["classes"]]),
        normals=tuple(normals), chances=tuple(chances),
    )  # fmt: skip


def _normals(place: int, curves: Sequence[Mapping[str, Any]], n_classes: int) -> list[Normal]:
    """Return one curve for each class, or none at all."""
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


def _chances(place: int, entry: Mapping[str, Any], n_classes: int) -> list[Chance]:
    """Return one probability per class for every member, and one for those never seen."""
    shares: dict[str | None, Sequence[float]] = {str(m): s for m, s in entry["chances"].items()}
    if entry["unseen"] or shares:
        shares[None] = entry["unseen"]
    if any(len(one) != n_classes for one in shares.values()):
        raise ValueError
    return [
        Chance(attribute_id=place, class_id=class_id, member=member, chance=chance)
        for member, one in shares.items()
        for class_id, chance in enumerate(_above_zero(one))
    ]


def _rules(found: Mapping[str, Any]) -> PartModel:
    classes = tuple(str(name) for name in found["classes"])
    traits = tuple(_trait(entry, entry["kind"]) for entry in found["features"])
    members = tuple(tuple(str(m) for m in entry["members"]) for entry in found["features"])
    place_of = {trait.name: place for place, trait in enumerate(traits)}
    rules = []
    for entry in found["rules"]:
        counts = tuple(_number(weight) for weight in entry["weights"])
        if len(counts) != len(classes) or min(counts) < 0:
            raise ValueError
        conditions = tuple(
            _condition(one, place_of[one["feature"]], traits, members)
            for one in entry["conditions"]
        )
        rules.append(Rule(conditions=conditions, counts=counts))
    if not rules or not classes:
        raise ValueError
    return PartModel(
        target=str(found["target"]), classes=classes, traits=traits, members=members,
        rules=tuple(rules),
    )  # fmt: skip


def _condition(
    entry: Mapping[str, Any],
    place: int,
    traits: Sequence[Trait],
    members: Sequence[Sequence[str]],
) -> Condition:
    share = _number(entry["share_of_missing"])
    if traits[place].kind == "nominal":
        if entry["test"] != "=":
            raise ValueError
        return Condition(feature=place, branch=members[place].index(entry["value"]), share=share)
    branch = {"<=": 0, ">": 1}[entry["test"]]
    value = entry["value"]
    exact = read_number(value) if isinstance(value, str) and traits[place].origin else None
    return Condition(
        feature=place, branch=branch, share=share,
        threshold=_number(value) if exact is None else exact,
    )  # fmt: skip


def _trait(entry: Mapping[str, Any], kind: Any) -> Trait:
    if kind not in ("ordered", "nominal"):
        raise ValueError
    origin = str(entry.get("origin", ""))
    if origin:
        read_number(origin)
    return Trait(name=str(entry["name"]), kind=kind, type_name=str(entry["type"]), origin=origin)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError
    return float(value)


def _above_zero(values: Sequence[Any]) -> tuple[float, ...]:
    found = tuple(_number(value) for value in values)
    if any(value <= 0 for value in found):
        raise ValueError
    return found
