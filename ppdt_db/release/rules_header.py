"""The header of a rules file, and the tables that follow from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdt_db.encode.bins import ColumnBins
from ppdt_db.methods.base import LabelColumn
from ppdt_db.policy.roles import Attribute, Roles
from ppdt_db.recodings import ENDINGS, RECODINGS
from ppdt_db.source.foreign import Tables
from ppdt_db.sqltext.column_types import FAMILIES, ORDERED, family_of
from ppdt_db.tree.tree import Tree
from ppdt_db.tree.tree_json import read_tree

IDS = ("INTEGER", "BIGINT")
HEAD: Tables = {"rules": [("format", ["VARCHAR"]), ("about", ["VARCHAR"])]}
DECIMALS = [f"DECIMAL({width},{scale})" for width in range(1, 39) for scale in range(width + 1)]
NUMBERS = (*FAMILIES, *DECIMALS)
LABEL = re.compile(rf"q([0-9]+)({'|'.join(ENDINGS)})?")


@dataclass(frozen=True, kw_only=True)
class About:
    """The header of a rules file: the policy, the tree, the columns of the labels."""

    method: str
    columns: Mapping[str, str]
    roles: Roles
    labels: Sequence[LabelColumn]
    tree: Tree | None
    has_boxes: bool
    salt: str
    key_check: str | None
    bins: Sequence[ColumnBins] = ()
    """The bins of numbers and dates, which new rows are shown by."""
    shows_reach: bool = True
    """False if labels do not tell how far a class reaches, whatever their shape."""


def about_of(found: Mapping[str, object]) -> About:
    """Return the header of a rules file; let Python's own errors through if it is malformed."""
    head: dict[str, Any] = dict(found)
    columns = {_text(name): _text(of) for name, of in head["columns"]}
    quasi = _texts(head["quasi"])
    labels = [LabelColumn(**label) for label in head["labels"]]
    if any(family_of(columns[name]) is None for name in quasi) or not quasi:
        raise ValueError
    if any(not _is_label(label, quasi) for label in labels) or not isinstance(
        head["has_boxes"], bool
    ):
        raise ValueError
    return About(
        method=_text(head["method"]),
        columns=columns,
        roles=Roles(
            quasi=[Attribute(name) for name in quasi],
            sensitive=_texts(head["sensitive"]),
            target=None if head["target"] is None else _text(head["target"]),
            dropped=(),
            pseudonymized=_texts(head["pseudonymized"]),
            entity=None,
            kept=_texts(head["kept"]),
        ),
        labels=labels,
        tree=read_tree(_text(head["tree"])) if head["tree"] else None,
        has_boxes=head["has_boxes"],
        salt=_text(head["salt"]),
        key_check=None if head["key_check"] is None else _text(head["key_check"]),
        bins=[_bins(entry, columns) for entry in head.get("bins", [])],
        shows_reach=head.get("shows_reach", True) is not False,
    )


def rules_tables(about: About) -> Tables:
    """Return the tables of a rules file, with the types that their columns may have."""
    extent: list[tuple[str, Sequence[str]]] = [("class_id", IDS)]
    shapes = {label.attribute: label.shape for label in about.labels}
    types = {**about.columns, **{one.name: "VARCHAR" for one in about.bins}}
    for number, attribute in enumerate(about.roles.quasi):
        own = _kept_type(types[attribute.name])
        family = family_of(types[attribute.name])
        if family not in ORDERED or RECODINGS[shapes[attribute.name]].lists_values:
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
    held = {"text": ["VARCHAR"], "lists": [f"{own}[]"], "numbers": [own, *NUMBERS]}
    return held.get(RECODINGS[label.shape].holds, [own])


def _kept_type(type_name: str) -> str:
    """Return the type in which values are stored: an enum's own would list values of the source."""
    return "VARCHAR" if family_of(type_name) == "enum" else type_name


def _bins(found: object, columns: Mapping[str, str]) -> ColumnBins:
    """Return the bins of a column; raise if they are none."""
    if not isinstance(found, dict) or set(found) != {"name", "lows", "highs"}:
        raise TypeError
    name, lows, highs = _text(found["name"]), _texts(found["lows"]), _texts(found["highs"])
    if len(lows) != len(highs) or family_of(columns[name]) not in ORDERED:
        raise ValueError
    return ColumnBins(name=name, type_name=columns[name], lows=lows, highs=highs)


def _is_label(label: LabelColumn, quasi: Sequence[str]) -> bool:
    named = LABEL.fullmatch(_text(label.name))
    return (
        named is not None
        and int(named.group(1)) == quasi.index(label.attribute)
        and label.shape in RECODINGS
        and RECODINGS[label.shape].is_kept_in_rules
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
