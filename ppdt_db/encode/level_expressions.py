"""Check user expressions for the levels of a hierarchy: they may depend on one column alone.

text ──sqlglot──▶ over `base.value` ──DuckDB's own parser──▶ a tree, each node of which is allowed
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import Dialect, exp

from ppdt_db.encode.allowed_functions import CLASSES, FUNCTIONS, OPERATORS, TYPES
from ppdt_db.engine import Engine
from ppdt_db.sqltext.quoting import Sql, normalize_name

BASE = "base"


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A checked expression, or why it is refused."""

    text: Sql | None = None
    fault: str = ""


def over_column(
    engine: Engine, expressions: Sequence[str], column: str, value: str = "value"
) -> list[Judged]:
    """Return each expression over `column` as one over `base.<value>`, or its fault."""
    written = [_rewritten(text, column, value) for text in expressions]
    texts = [str(judged.text) for judged in written if judged.text is not None]
    if not texts:
        return written
    known = {normalize_name(str(row[0])) for row in engine.rows("lib/engine/plain_functions")}
    allowed = FUNCTIONS & known
    trees = engine.rows("encode/hierarchy/parsed", {"expressions": texts})
    faults = iter([_fault(json.loads(str(tree)), value, allowed) for _, tree in trees])
    return [
        Judged(text=judged.text if not (fault := next(faults)) else None, fault=fault)
        if judged.text is not None
        else judged
        for judged in written
    ]


def _rewritten(expression: str, column: str, value: str) -> Judged:
    """Return an expression with its column replaced; checks only that it is one expression."""
    try:
        trees = sqlglot.parse(expression, read="duckdb")
    except sqlglot.errors.SqlglotError:
        return Judged(fault="it is not a SQL expression")
    except RecursionError:
        return Judged(fault="it is nested too deeply")
    if len(trees) != 1 or not isinstance(trees[0], exp.Expression):
        return Judged(fault="it is not a single SQL expression")
    tree = exp.paren(trees[0].copy())
    columns = [found for found in tree.find_all(exp.Column) if not _is_bound(found)]
    if not columns:
        return Judged(fault="it does not use the column")
    if any(
        normalize_name(found.name) != normalize_name(column) or found.table for found in columns
    ):
        return Judged(fault="it uses another column")
    if any(isinstance(dot.expression, exp.Func) for dot in tree.find_all(exp.Dot)):
        return Judged(fault="it calls a function by a qualified name")
    own = exp.column(value, table=BASE, quoted=True)
    for found in columns:
        found.replace(own.copy())
    return Judged(text=Sql(Dialect.get_or_raise("duckdb").generate(tree, comments=False)))


def _is_bound(column: exp.Column) -> bool:
    """Return whether a name is the variable of an enclosing comprehension."""
    around = column.find_ancestor(exp.Comprehension)
    return around is not None and not column.table and around.args["expression"].name == column.name


def _fault(found: Mapping, value: str, allowed: frozenset[str]) -> str:  # type: ignore[type-arg]
    """Return what in DuckDB's parse of an expression does not depend on the value alone."""
    if found["error"]:
        return "DuckDB cannot parse it as an expression"
    (statement,) = found["statements"]
    select = statement["node"]
    if select["type"] != "SELECT_NODE" or select["from_table"]["type"] != "EMPTY":
        return "it is more than an expression"
    if len(select["select_list"]) != 1 or select["modifiers"] or select["where_clause"]:
        return "it is more than an expression"
    variables = {
        tuple(name["column_names"])
        for node in _nodes(select["select_list"])
        if node.get("class") == "LAMBDA"
        for name in _nodes(node["lhs"])
        if name.get("class") == "COLUMN_REF"
    }
    names = {(BASE, value), *variables}
    nodes = _nodes(select["select_list"])
    return next(filter(None, (_node_fault(node, names, allowed) for node in nodes)), "")


def _nodes(tree: object) -> Iterator[Mapping]:  # type: ignore[type-arg]
    """Yield all maps of a JSON tree, without recursion: its depth is not limited."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node


def _node_fault(node: Mapping, names: set[tuple[str, ...]], allowed: frozenset[str]) -> str:  # type: ignore[type-arg]
    """Return the fault of one node of DuckDB's parse tree; maps without a class are none."""
    kind = node.get("class")
    if kind is None:
        return ""
    if kind not in CLASSES:
        return f"it contains a {str(kind).lower().replace('_', ' ')}"
    if kind == "COLUMN_REF" and tuple(node["column_names"]) not in names:
        return f"{' '.join(node['column_names'])} is not the column's value"
    if kind == "OPERATOR" and node["type"] not in OPERATORS:
        return f"it contains a {str(node['type']).lower().replace('_', ' ')}"
    if kind == "CAST" and "cast_type" in node:
        return _type_fault([_type_name(of) for of in _nodes(node["cast_type"]) if "id" in of])
    if kind == "TYPE":
        return _type_fault(["?" if node["schema"] or node["catalog"] else node["type_name"]])
    return _call_fault(node, allowed) if kind == "FUNCTION" else ""


def _type_name(found: Mapping) -> str:  # type: ignore[type-arg]
    """Return the name of a type in the parse tree of DuckDB 1, bound or not."""
    return str(found["type_info"]["name"] if found["id"] == "UNBOUND" else found["id"])


def _type_fault(names: Sequence[str]) -> str:
    strange = [name for name in names if name.upper() not in TYPES]
    return f"it casts to type {strange[0]}, which is not allowed" if strange else ""


def _call_fault(node: Mapping, allowed: frozenset[str]) -> str:  # type: ignore[type-arg]
    name = str(node["function_name"])
    if node["catalog"] or node["schema"] not in ("", "main"):
        return "it calls a function by a qualified name"
    if normalize_name(name) not in allowed:
        return (
            f"{name}() is not among the allowed functions, whose result depends on the value alone"
        )
    is_plain = not (node["distinct"] or node["filter"] or node["order_bys"]["orders"])
    return "" if is_plain else f"{name}() is called like an aggregate"
