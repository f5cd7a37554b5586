"""Faults of the columns of a request: types, recodings, orders, hierarchies and names."""

from collections import Counter
from collections.abc import Sequence

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.encode.hierarchy import UnreadableError
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.errors import RequestError
from ppdt_db.methods.base import Method
from ppdt_db.policy.roles import Attribute, Roles
from ppdt_db.recodings import RECODINGS
from ppdt_db.source.distinct import n_different
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import ORDERED, display_type, family_of
from ppdt_db.sqltext.quoting import MOST_TOLD, normalize_name, shorten_faults


def open_faults(engine: Engine, source: Source, columns: Sequence[str]) -> list[str]:
    """Return the faults of columns without a role; only the first ones of many."""
    if not columns:
        return []
    n_rows, n_values = n_different(engine, source.relation, columns[:MOST_TOLD])
    return [
        *shorten_faults(
            columns,
            lambda column: (
                f'"{column}": no role. It has {n_values[column]:,} distinct values in {n_rows:,} '
                "rows."
            ),
            "columns without a role",
        ),
        "Give each column a role (--qi, --sensitive, --target, --id, --entity), drop all others "
        "(--id rest), or keep them on purpose (--keep NAMES, --keep rest).",
    ]


def quasi_faults(source: Source, roles: Roles) -> list[str]:
    """Return the faults of quasi-identifiers whose type or recoding is not supported."""
    faults: list[str] = []
    for attribute in roles.quasi:
        type_name = source.columns[attribute.name]
        family = family_of(type_name)
        if family is None:
            shown = display_type(type_name)
            shown = shown if len(shown) < 40 else shown.partition("(")[0]
            faults.append(
                f'quasi-identifier "{attribute.name}": type {shown} is not supported, since its '
                "values have no order. Split it up in a view, or give it another role."
            )
            continue
        coded = EncodedColumn(
            position=0, name=attribute.name, type_name=type_name, family=family,
            dictionary="", dictionary_alias="", has_hierarchy=attribute.hierarchy is not None,
        )  # fmt: skip
        faults += _recode_faults(attribute, coded)
    return faults


def _recode_faults(attribute: Attribute, coded: EncodedColumn) -> list[str]:
    name, recode = attribute.name, attribute.recode
    faults: list[str] = []
    needs = attribute.recoding.needs if attribute.recoding is not None else "nothing"
    if recode is not None and attribute.recoding is None:
        faults.append(f'recode "{name}": {recode} is not one of {", ".join(RECODINGS)}.')
    elif needs == "hierarchy" and not coded.has_hierarchy:
        faults.append(f'recode "{name}": {recode} needs a hierarchy (--hierarchy {name}=FILE).')
    elif needs == "order" and coded.has_hierarchy:
        faults.append(
            f'recode "{name}": {recode} does not apply to a column with a hierarchy. Use node, '
            "set or mode."
        )
    elif needs == "order" and coded.kind == "categorical":
        faults.append(
            f'recode "{name}": {recode} needs numbers, dates or times; the column is '
            f"{coded.family}. Use set or mode."
        )
    if attribute.order is not None and coded.family in ORDERED:
        faults.append(
            f'order "{name}": a column of type {coded.family} has its own order. Remove the order.'
        )
    return faults


def order_faults(engine: Engine, source: Source, roles: Roles) -> list[str]:
    """Return the faults of orders that name a value twice, or lack one."""
    faults: list[str] = []
    dictionaries = Dictionaries(engine, source)
    for attribute in roles.quasi:
        if attribute.order is None or family_of(source.columns[attribute.name]) is None:
            continue
        twice = sum(count > 1 for count in Counter(attribute.order).values())
        if twice:
            faults.append(
                f'order "{attribute.name}": {twice} values are named twice. Name each once.'
            )
        missing = dictionaries.missing_from_order(attribute)
        if missing:
            faults.append(
                f'order "{attribute.name}": {missing} values of the column are missing from it. '
                "Add them."
            )
    return faults


def hierarchy_faults(engine: DuckEngine, source: Source, roles: Roles, method: Method) -> list[str]:
    """Return the faults of hierarchies; they count values and name none."""
    faults: list[str] = []
    dictionaries = Dictionaries(engine, source)
    sensitive = [
        Attribute(name, hierarchy=hierarchy) for name, hierarchy in roles.hierarchies.items()
    ]
    for attribute in [*roles.quasi, *sensitive]:
        if attribute.hierarchy is None or family_of(source.columns[attribute.name]) is None:
            continue
        if attribute in roles.quasi and not method.uses_hierarchies:
            faults.append(
                f'hierarchy "{attribute.name}": method {method.name} does not support '
                "hierarchies. Remove the hierarchy."
            )
        try:
            faults += dictionaries.hierarchy_faults(attribute)
        except UnreadableError as error:
            raise RequestError(*faults, *error.faults) from None
        except RequestError as error:
            faults += [f'hierarchy "{attribute.name}": {fault}' for fault in error.faults]
    return faults


def nested_faults(source: Source, roles: Roles) -> list[str]:
    """Return the faults of nested types with an ENUM: it would list the source's values."""
    return [
        f'"{column}": its type contains an ENUM, which lists values that the release may not '
        "contain. Cast it in a view."
        for column, type_name in source.columns.items()
        if column in roles.shown and column not in roles.pseudonymized
        and "ENUM" in display_type(type_name) and family_of(type_name) != "enum"
    ]  # fmt: skip


def released_faults(source: Source, roles: Roles) -> list[str]:
    """Return the faults of released names that clash, such as bounds of one column with another."""
    own = {attribute.name for attribute in roles.quasi}
    # One column in two roles is another fault, reported elsewhere.
    released: list[str] = [c for c in source.columns if c in roles.shown and c not in own]
    for attribute in roles.quasi:
        recoding = attribute.recoding
        endings = recoding.all_endings if recoding is not None else ("",)
        released += [attribute.name + ending for ending in endings]
    twice = [name for name, count in Counter(map(normalize_name, released)).items() if count > 1]
    return [
        f'"{name}": two released columns would have this name. Rename one in a view.'
        for name in twice
    ]
