"""What the columns of a source cannot be, or cannot be shown as."""

from collections import Counter
from collections.abc import Sequence

from ppdt_db.coded import Coded
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.different import n_different
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.errors import RequestError
from ppdt_db.families import ORDERED, family_of, told
from ppdt_db.methods.contract import Method
from ppdt_db.names import MOST_TOLD, fold, told_of
from ppdt_db.policy import RECODINGS, Attribute, Roles
from ppdt_db.source import Source
from ppdt_db.taxonomy import UnreadableError


def open_faults(engine: Engine, source: Source, columns: Sequence[str]) -> list[str]:
    """Columns without a role, each with its share of unique values; of many, the first ones."""
    if not columns:
        return []
    n_rows, n_values = n_different(engine, source.relation, columns[:MOST_TOLD])
    return [
        *told_of(
            columns,
            lambda column: (
                f'"{column}": no role. It has {n_values[column]:,} different values in '
                f"{n_rows:,} rows."
            ),
            "columns without a role",
        ),
        "Give each column a role (--qi, --sensitive, --target, --id, --entity), drop all others "
        "(--id rest), or keep them on purpose (--keep NAMES, --keep rest).",
    ]


def quasi_faults(source: Source, roles: Roles) -> list[str]:
    """Quasi-identifiers of types that cannot be cut, and wishes that do not fit them."""
    faults: list[str] = []
    for attribute in roles.quasi:
        type_name = source.columns[attribute.name]
        family = family_of(type_name)
        if family is None:
            shown = told(type_name)
            shown = shown if len(shown) < 40 else shown.partition("(")[0]
            faults.append(
                f'quasi-identifier "{attribute.name}": type {shown} has no order and equality to '
                "cut by. Take it apart in a view, or give it another role."
            )
            continue
        coded = Coded(
            position=0, name=attribute.name, type_name=type_name, family=family,
            dictionary="", dictionary_alias="", has_hierarchy=attribute.hierarchy is not None,
        )  # fmt: skip
        faults += _recode_faults(attribute, coded)
    return faults


def _recode_faults(attribute: Attribute, coded: Coded) -> list[str]:
    name, recode = attribute.name, attribute.recode
    faults: list[str] = []
    if recode is not None and recode not in RECODINGS:
        faults.append(f'recode "{name}": {recode} is none of {", ".join(RECODINGS)}.')
    elif recode == "node" and not coded.has_hierarchy:
        faults.append(f'recode "{name}": node needs a hierarchy (--hierarchy {name}=FILE).')
    elif recode in ("range", "bounds", "mean") and coded.has_hierarchy:
        faults.append(
            f'recode "{name}": {recode} has no meaning under a hierarchy. Take node, set or mode.'
        )
    elif recode in ("range", "bounds", "mean") and coded.kind == "categorical":
        faults.append(
            f'recode "{name}": {recode} needs numbers, dates or times; the column is '
            f"{coded.family}. Take set or mode."
        )
    if attribute.order is not None and coded.family in ORDERED:
        faults.append(f'order "{name}": a column of type {coded.family} has its own order.')
    return faults


def order_faults(engine: Engine, source: Source, roles: Roles) -> list[str]:
    """Orders that name a value twice, or lack one."""
    faults: list[str] = []
    dictionaries = Dictionaries(engine, source)
    for attribute in roles.quasi:
        if attribute.order is None or family_of(source.columns[attribute.name]) is None:
            continue
        twice = sum(count > 1 for count in Counter(attribute.order).values())
        if twice:
            faults.append(f'order "{attribute.name}": {twice} values are named twice.')
        missing = dictionaries.missing_from_order(attribute)
        if missing:
            faults.append(
                f'order "{attribute.name}": {missing} values of the column are missing from it. '
                "Add them."
            )
    return faults


def hierarchy_faults(engine: DuckEngine, source: Source, roles: Roles, method: Method) -> list[str]:
    """What is wrong with hierarchies, as counts."""
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
                f'hierarchy "{attribute.name}": method {method.name} does not go by hierarchies.'
            )
        try:
            faults += dictionaries.hierarchy_faults(attribute)
        except UnreadableError as error:
            raise RequestError(*faults, *error.faults) from None
        except RequestError as error:
            faults += [f'hierarchy "{attribute.name}": {fault}' for fault in error.faults]
    return faults


def nested_faults(source: Source, roles: Roles) -> list[str]:
    """An enum inside a nested type would take all of the source's values along in the type."""
    return [
        f'"{column}": it holds an ENUM inside, and the type names values that the release may not '
        "hold. Cast it in a view."
        for column, type_name in source.columns.items()
        if column in roles.shown and column not in roles.pseudonymized
        and "ENUM" in told(type_name) and family_of(type_name) != "enum"
    ]  # fmt: skip


def released_faults(source: Source, roles: Roles) -> list[str]:
    """Released names that would meet, such as the bounds of one column and another column."""
    own = {attribute.name for attribute in roles.quasi}
    # One column in two roles is a fault of another kind, and is told as that.
    released: list[str] = [c for c in source.columns if c in roles.shown and c not in own]
    for attribute in roles.quasi:
        endings = ("_lo", "_hi", "_has_null", "_has_nonfinite")
        names = [attribute.name + ending for ending in endings]
        released += names if attribute.recode == "bounds" else [attribute.name]
    twice = [name for name, count in Counter(map(fold, released)).items() if count > 1]
    return [
        f'"{name}": two released columns would have this name. Rename one in a view.'
        for name in twice
    ]
