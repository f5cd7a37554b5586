"""Transpile the statements of `sql/` from DuckDB's dialect to Spark's.

sqlglot does most of it; the rules here cover what it misses, mostly functions of the same name that
differ in meaning.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, TypeAlias

import sqlglot
from sqlglot import exp

from ppdt_db.sqltext.templates import render

# A part of a parsed statement; sqlglot's own name for it differs between its versions.
Node: TypeAlias = Any

DOUBLE = exp.DataType.build("DOUBLE")
LONG = exp.DataType.build("BIGINT")
WHOLE = exp.DataType.build("DECIMAL(38, 0)", dialect="spark")
NO_ZONE = exp.DataType.build("TIMESTAMP_NTZ", dialect="spark")


@lru_cache(maxsize=4096)
def to_spark(
    text: str,
    lists: frozenset[str] = frozenset(),
    small: frozenset[str] = frozenset(),
    secret: frozenset[str] = frozenset(),
) -> str:
    """Return a statement in Spark's dialect.

    `lists` are the parameters that hold lists, passed as JSON. `small` are the relations to
    broadcast. `secret` are the parameters passed as relations of one value.
    """
    tree = sqlglot.parse_one(text, read="duckdb")
    for rule in RULES:
        # Innermost nodes first: a rule's replacement keeps the already translated parts of a node.
        for node in reversed(list(tree.bfs())):
            if (new := rule(node)) is not node:
                node.replace(new)
    _read_lists(tree, lists)
    _read_secrets(tree, secret)
    for select in list(tree.find_all(exp.Select)):
        _zip_lists(select)
        _look_behind(select)
        _send_small(select, small)
    return tree.sql(dialect="spark")


# -- values ------------------------------------------------------------------------------------


def _quotient(node: Node) -> Node:
    """Divide as DOUBLE, as DuckDB does for every type."""
    if type(node) is exp.Div:
        return exp.Div(this=_cast(node.this, DOUBLE), expression=_cast(node.expression, DOUBLE))
    return node


def _whole_quotient(node: Node) -> Node:
    """Divide whole decimals without Spark's DIV, which returns a BIGINT and wraps around."""
    if not isinstance(node, exp.IntDiv) or not any(c.to == WHOLE for c in node.find_all(exp.Cast)):
        return node
    one, other = exp.paren(node.this.copy()), exp.paren(node.expression.copy())
    multiple = exp.paren(exp.Sub(this=one, expression=exp.Mod(this=one.copy(), expression=other)))
    return _cast(exp.Div(this=multiple, expression=other.copy()), WHOLE)


def _type(node: Node) -> Node:
    """Replace types that Spark lacks: 128-bit integers by decimals, unsigned ones by wider ones."""
    if not isinstance(node, exp.Cast):
        return node
    to = TYPES.get(node.to.this)
    if node.to.this == exp.DataType.Type.INT128:
        to = LONG if isinstance(node.this, exp.Literal) else WHOLE
    if to is None:
        return node
    # A copy keeps TRY_CAST as it is.
    cast = node.copy()
    cast.set("to", to.copy())
    return cast


def _text(node: Node) -> Node:
    """Cast some numbers to text as DuckDB does; `lib/fragments/text.sql` says where."""
    if isinstance(node, exp.Cast) and node.to.this in exp.DataType.TEXT_TYPES:
        inside = node.this
        if isinstance(inside, exp.Cast) and _is_fraction(inside.to):
            # DuckDB writes no 0 before the decimal point of a type whose values stay below 1.
            start, short = exp.Literal.string("^(-?)0[.]"), exp.Literal.string("$1.")
            return _call("regexp_replace", _as_text(inside), start, short)
        if isinstance(inside, exp.Cast) and inside.to.this in exp.DataType.REAL_TYPES:
            return _expand("lib/engine/spark_text", inside)
    return node


def _is_fraction(kind: Node) -> bool:
    """Return whether a decimal type has all of its digits after the decimal point."""
    digits = [parameter.name for parameter in kind.expressions]
    return kind.this == exp.DataType.Type.DECIMAL and len(digits) == 2 and digits[0] == digits[1]


def _joined(node: Node) -> Node:
    """Concatenate as DuckDB does: skip NULL, accept values of any type."""
    if type(node) is not exp.Concat:
        return node
    parts = [p if isinstance(p, exp.Literal) else _as_text(p) for p in node.expressions]
    return _call("concat_ws", exp.Literal.string(""), *parts)


def _function(node: Node) -> Node:
    """Replace functions that only DuckDB has."""
    if isinstance(node, exp.Anonymous) and (made := FUNCTIONS.get(node.name.lower())):
        return made(*node.expressions)
    return node


def _hex(node: Node) -> Node:
    """Translate `CAST('0x' || digits AS BIGINT)`, which reads hexadecimal digits."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.DPipe):
        start, digits = node.this.this, node.this.expression
        if isinstance(start, exp.Literal) and start.name == "0x":
            return _cast(_call("conv", digits, _number(16), _number(10)), node.to)
    return node


def _epoch(node: Node) -> Node:
    """Translate epoch functions with fractions of a second and timestamps without a zone."""
    million = _number(1_000_000)
    if isinstance(node, exp.TimeToUnix):
        return exp.Div(this=_cast(_micros(node.this), DOUBLE), expression=_cast(million, DOUBLE))
    if isinstance(node, exp.UnixToTime) and node.args.get("scale"):
        return _cast(_call("timestamp_micros", node.this), NO_ZONE)
    if isinstance(node, exp.UnixToTime):
        micros = exp.Mul(this=exp.paren(node.this.copy()), expression=million)
        return _call("timestamp_micros", _cast(_call("round", micros), LONG))
    return node


def _aggregate(node: Node) -> Node:
    """Translate ordered and distinct list aggregates."""
    if isinstance(node, exp.ArraySort):
        inside = node.this
        if isinstance(inside, exp.ArrayAgg) and isinstance(inside.this, exp.Distinct):
            return _call("array_sort", _call("collect_set", inside.this.expressions[0]))
        return node
    if isinstance(node, exp.ArrayAgg) and isinstance(node.this, exp.Order):
        value, key = node.this.this, node.this.expressions[0].this
        pairs = _call("struct", exp.alias_(key, "place"), exp.alias_(value, "item"))
        item = exp.Lambda(
            this=exp.column("item", table="pair"), expressions=[exp.to_identifier("pair")]
        )
        return _call("transform", _call("array_sort", _call("collect_list", pairs)), item)
    return node


def _binary(node: Node) -> Node:
    """Replace a collation by Spark's binary one."""
    if isinstance(node, exp.Collate):
        node.set("expression", exp.to_identifier("UTF8_BINARY"))
    return node


def _length(node: Node) -> Node:
    if isinstance(node, exp.ArraySize):
        return _call("size", node.this)
    return node


def _single_argument(node: Node) -> Node:
    """Replace greatest() and least() of one value, which Spark refuses, by that value."""
    is_alone = isinstance(node, exp.Greatest | exp.Least) and not node.expressions
    return node.this.copy() if is_alone else node


def _window(node: Node) -> Node:
    """Put a named window in parentheses: Spark misreads `OVER name - x`."""
    return exp.paren(node) if isinstance(node, exp.Window) and node.alias else node


# Spark has no unsigned integers: the next larger type holds them. It has no nanoseconds either.
TYPES = {
    exp.DataType.Type.UTINYINT: exp.DataType.build("SMALLINT"),
    exp.DataType.Type.USMALLINT: exp.DataType.build("INT"),
    exp.DataType.Type.UINT: LONG,
    exp.DataType.Type.UBIGINT: WHOLE,
    exp.DataType.Type.UINT128: WHOLE,
    exp.DataType.Type.TIMESTAMP_NS: NO_ZONE,
}

# Later rules see the replacements of earlier ones: `_joined` comes before `_text`, whose output is
# Spark's dialect already.
RULES: tuple[Callable[[Node], Node], ...] = (
    _hex, _joined, _text, _type, _quotient, _whole_quotient, _function, _epoch, _aggregate, _binary,
    _length, _single_argument, _window,
)  # fmt: skip


def _cast(value: Node, to: Node) -> Node:
    return exp.Cast(this=value.copy(), to=to.copy())


def _call(name: str, *arguments: Node) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[value.copy() for value in arguments])


def _number(value: int) -> Node:
    return exp.Literal.number(value)


def _as_text(value: Node) -> Node:
    return _cast(value, exp.DataType.build("STRING", dialect="spark"))


def _is_finite(value: Node) -> Node:
    words = [exp.Literal.string(word) for word in ("NaN", "Infinity", "-Infinity")]
    return exp.paren(exp.not_(exp.In(this=_as_text(value), expressions=words)))


def _micros(value: Node) -> Node:
    return _call("unix_micros", _cast(value, exp.DataType.build("TIMESTAMP", dialect="spark")))


def _element(items: Node, place: Node) -> Node:
    """Index a list: Spark needs an INT, and fails at 0 and past the end where DuckDB gives NULL."""
    whole = _cast(place, exp.DataType.build("INT"))
    return _call("try_element_at", items, _call("nullif", whole, _number(0)))


def _sum_of_largest(items: Node) -> Node:
    """Translate `list_sum(max(x, n))`, the sum of the n largest."""
    counts = [items.args.get("count"), *items.expressions] if isinstance(items, exp.Max) else []
    n_largest = next(filter(None, counts), None)
    if n_largest is None:
        return _call("list_sum", items)
    ranked = _call("sort_array", _call("collect_list", items.this), exp.false())
    largest = _call("slice", ranked, _number(1), n_largest)
    names = [exp.to_identifier(name) for name in ("total", "item")]
    added = exp.Lambda(
        this=exp.Add(this=exp.column("total"), expression=exp.column("item")), expressions=names
    )
    return _call("aggregate", largest, _cast(_number(0), LONG), added)


FUNCTIONS: Mapping[str, Callable[..., Node]] = {
    "hash": lambda *arguments: _call("xxhash64", *arguments),
    "isfinite": _is_finite,
    "epoch_us": _micros,
    "signbit": lambda value: _call("startswith", _as_text(value), exp.Literal.string("-")),
    "list_extract": _element,
    "list_position": lambda items, value: _call("array_position", items, value),
    "list_sum": _sum_of_largest,
    # Our sessions are always in UTC.
    "create_sort_key": lambda value, _: _as_text(value),
    "decode": lambda value: _call("decode", value, exp.Literal.string("UTF-8")),
    "encode": lambda value: _call("encode", value, exp.Literal.string("UTF-8")),
}  # fmt: skip


@cache
def _form(step: str) -> Node:
    select = sqlglot.parse_one(render(step).text, read="spark")
    assert isinstance(select, exp.Select)
    return select.selects[0].this


def _expand(step: str, value: Node) -> Node:
    """Return an expression of `lib/engine` with a value in place of its `x`."""

    def fill(node: Node) -> Node:
        return value.copy() if isinstance(node, exp.Column) and node.name == "x" else node

    return _form(step).copy().transform(fill)


# -- relations ---------------------------------------------------------------------------------


def _read_lists(tree: Node, lists: frozenset[str]) -> None:
    """Read list parameters from JSON: one literal of any length."""
    for place in list(tree.find_all(exp.Placeholder)):
        if place.name not in lists:
            continue
        outer = place.parent
        cast = outer if isinstance(outer, exp.Cast) else None
        kind = cast.to.sql(dialect="spark") if cast else "ARRAY<STRING>"
        read = _call("from_json", place, exp.Literal.string(kind))
        (cast or place).replace(read)


def secret_view(name: str) -> str:
    """Return the name of the relation that holds a secret parameter."""
    return f"ppdt_secret_{name}"


def _read_secrets(tree: Node, secret: frozenset[str]) -> None:
    """Read secret parameters from relations."""
    for place in list(tree.find_all(exp.Placeholder)):
        if place.name in secret:
            value = exp.select(_call("max", exp.column("value"))).from_(secret_view(place.name))
            place.replace(value.subquery())


def _zip_lists(select: exp.Select) -> None:
    """Unnest several lists of one SELECT together: Spark unnests only one."""
    unfolded = [item for item in select.selects if isinstance(item.unalias(), exp.Explode)]
    if len(unfolded) < 2:
        return
    zipped = _call("inline", _call("arrays_zip", *(item.unalias().this for item in unfolded)))
    names = [exp.to_identifier(item.alias, quoted=True) for item in unfolded]
    others = [item for item in select.selects if item not in unfolded]
    select.set("expressions", [exp.Aliases(this=zipped, expressions=names), *others])


def _look_behind(select: exp.Select) -> None:
    """Translate `ASOF LEFT JOIN r ON x > r.y`: the last row of r before x."""
    for join in select.args.get("joins") or []:
        if join.method != "ASOF":
            continue
        after = join.args["on"]
        assert isinstance(after, exp.GT) and isinstance(join.this, exp.Table)
        mark, name = after.expression, join.this.alias_or_name
        following = exp.Window(
            this=_call("lead", exp.column(mark.name)),
            order=exp.Order(expressions=[exp.Ordered(this=exp.column(mark.name))]),
        )
        inside = exp.select("*", exp.alias_(following, "ppdt_next")).from_(join.this.name)
        join.set("this", inside.subquery(name))
        join.set("method", None)
        upto = exp.column("ppdt_next", table=name)
        is_last = exp.or_(upto.is_(exp.null()), exp.LTE(this=after.this.copy(), expression=upto))
        join.set("on", exp.and_(after.copy(), is_last))


def _send_small(select: exp.Select, small: frozenset[str]) -> None:
    """Broadcast the small relations that are joined."""
    tables = [join.this for join in select.args.get("joins") or []]
    chosen = [t for t in tables if isinstance(t, exp.Table) and t.name in small]
    if chosen:
        names = [exp.to_identifier(t.alias_or_name, quoted=True) for t in chosen]
        select.set("hint", exp.Hint(expressions=[_call("BROADCAST", *names)]))
