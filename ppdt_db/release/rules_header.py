"""What a file of rules says in words, and the tables that follow from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdt_db.families import FAMILIES, ORDERED, family_of
from ppdt_db.foreign import Tables
from ppdt_db.methods.contract import LabelColumn
from ppdt_db.policy import Attribute, Roles
from ppdt_db.tree import Tree
from ppdt_db.tree_file import read_tree

SHAPES = ("range", "set", "bounds", "mean", "mode")
IDS = ("INTEGER", "BIGINT")
HEAD: Tables = {"rules": [("format", ["VARCHAR"]), ("about", ["VARCHAR"])]}
DECIMALS = [f"DECIMAL({width},{scale})" for width in range(1, 39) for scale in range(width + 1)]
MEANS = (*FAMILIES, *DECIMALS)
LABEL = re.compile(r"q([0-9]+)(_lo|_hi|_has_null|_has_nonfinite)?")


@dataclass(frozen=True, kw_only=True)
class About:
    """What a file of rules says in words: the policy, the tree, the labels' columns."""

    method: str
    columns: Mapping[str, str]
    roles: Roles
    labels: Sequence[LabelColumn]
    tree: Tree | None
    has_boxes: bool
    salt: str
    key_check: str | None


def about_of(found: Mapping[str, object]) -> About:
    """Return what the head of a file of rules says; raise what Python does where it cannot be."""
    given: dict[str, Any] = dict(found)
    columns = {_text(name): _text(of) for name, of in given["columns"]}
    quasi = _texts(given["quasi"])
    labels = [LabelColumn(**label) for label in given["labels"]]
    if any(family_of(columns[name]) is None for name in quasi) or not quasi:
        raise ValueError
    if any(not _is_label(label, quasi) for label in labels) or not isinstance(
        given["has_boxes"], bool
    ):
        raise ValueError
    return About(
        method=_text(given["method"]),
        columns=columns,
        roles=Roles(
            quasi=[Attribute(name) for name in quasi],
            sensitive=_texts(given["sensitive"]),
            target=None if given["target"] is None else _text(given["target"]),
            dropped=(),
            pseudonymized=_texts(given["pseudonymized"]),
            entity=None,
            kept=_texts(given["kept"]),
        ),
        labels=labels,
        tree=read_tree(_text(given["tree"])) if given["tree"] else None,
        has_boxes=given["has_boxes"],
        salt=_text(given["salt"]),
        key_check=None if given["key_check"] is None else _text(given["key_check"]),
    )


def rules_tables(about: About) -> Tables:
    """Return the tables of a file of rules, with the types that their columns may have."""
    extent: list[tuple[str, Sequence[str]]] = [("class_id", IDS)]
    shapes = {label.attribute: label.shape for label in about.labels}
    for number, attribute in enumerate(about.roles.quasi):
        own = _kept_type(about.columns[attribute.name])
        family = family_of(about.columns[attribute.name])
        if family not in ORDERED or shapes[attribute.name] == "set":
            extent.append((f"members_{number}", [f"{own}[]"]))
        else:
            extent += [(f"low_{number}", [own]), (f"high_{number}", [own])]
            extent.append((f"words_{number}", ["VARCHAR"]))
    label = [(label.name, _label_types(label, about.columns)) for label in about.labels]
    return {
        **HEAD,
        "place": [("leaf_id", IDS), ("class_id", IDS), ("n_rows", IDS)],
        "extent": extent,
        "label": [("class_id", IDS), *label],
    }


def _label_types(label: LabelColumn, columns: Mapping[str, str]) -> Sequence[str]:
    own = _kept_type(columns[label.attribute])
    if label.name.endswith(("_has_null", "_has_nonfinite")):
        return ["BOOLEAN"]
    if label.shape == "mean":
        return [own, *MEANS]
    return {"range": ["VARCHAR"], "set": [f"{own}[]"]}.get(label.shape, [own])


def _kept_type(type_name: str) -> str:
    """Return the type in which values are kept: an enum's own would name values of the source."""
    return "VARCHAR" if family_of(type_name) == "enum" else type_name


def _is_label(label: LabelColumn, quasi: Sequence[str]) -> bool:
    named = LABEL.fullmatch(_text(label.name))
    return (
        named is not None
        and int(named.group(1)) == quasi.index(label.attribute)
        and label.shape in SHAPES
        and bool(_text(label.released))
    )


def _texts(found: object) -> list[str]:
    if not isinstance(found, list):
        raise TypeError
    return [_text(item) for item in found]


def _text(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    return found
