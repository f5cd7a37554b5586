"""Writes a statement of `sql/`, which is in DuckDB's dialect, as Spark understands it.

sqlglot does most of it; here is what it cannot know: where the two give one word two meanings.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, TypeAlias

import sqlglot
from sqlglot import exp

from ppdt_db.template import render

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
    """A statement in Spark's dialect.

    `lists` are the parameters that hold lists: they come as JSON. `small` are the relations that
    are small enough for every worker to have a copy. `secret` are the parameters that come as
    relations of one value.
    """
    tree = sqlglot.parse_one(text, read="duckdb")
    for rule in RULES:
        # The innermost first: what a rule puts in the place of a node holds its parts as they are.
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
    """DuckDB divides to a DOUBLE, whatever it divides."""
    if type(node) is exp.Div:
        return exp.Div(this=_cast(node.this, DOUBLE), expression=_cast(node.expression, DOUBLE))
    return node


def _whole_quotient(node: Node) -> Node:
    """Spark's DIV gives a BIGINT and wraps around; what is cast to a whole decimal stays one."""
    if not isinstance(node, exp.IntDiv) or not any(c.to == WHOLE for c in node.find_all(exp.Cast)):
        return node
    one, other = exp.paren(node.this.copy()), exp.paren(node.expression.copy())
    multiple = exp.paren(exp.Sub(this=one, expression=exp.Mod(this=one.copy(), expression=other)))
    return _cast(exp.Div(this=multiple, expression=other.copy()), WHOLE)


def _type(node: Node) -> Node:
    """Spark has no integers of 128 bits: whole decimals; flags and bits fit into 64."""
    if not isinstance(node, exp.Cast):
        return node
    to = HELD.get(node.to.this)
    if node.to.this == exp.DataType.Type.INT128:
        to = LONG if isinstance(node.this, exp.Literal) else WHOLE
    if to is None:
        return node
    # What may be no value of the one type may be none of the other.
    cast = node.copy()
    cast.set("to", to.copy())
    return cast


def _text(node: Node) -> Node:
    """Some numbers' texts differ between the two; `form/text.sql` says where one is written."""
    if isinstance(node, exp.Cast) and node.to.this in exp.DataType.TEXT_TYPES:
        inside = node.this
        if isinstance(inside, exp.Cast) and _is_fraction(inside.to):
            # DuckDB writes no 0 before the point of a decimal that cannot reach 1.
            start, short = exp.Literal.string("^(-?)0[.]"), exp.Literal.string("$1.")
            return _call("regexp_replace", _as_text(inside), start, short)
        if isinstance(inside, exp.Cast) and inside.to.this in exp.DataType.REAL_TYPES:
            return _filled("engine/spark_text", inside)
    return node


def _is_fraction(kind: Node) -> bool:
    """Whether a decimal type has all of its digits behind the point."""
    digits = [parameter.name for parameter in kind.expressions]
    return kind.this == exp.DataType.Type.DECIMAL and len(digits) == 2 and digits[0] == digits[1]


def _joined(node: Node) -> Node:
    """DuckDB's concat passes over NULL, and takes values of any type."""
    if type(node) is not exp.Concat:
        return node
    parts = [p if isinstance(p, exp.Literal) else _as_text(p) for p in node.expressions]
    return _call("concat_ws", exp.Literal.string(""), *parts)


def _function(node: Node) -> Node:
    """Functions that only DuckDB has."""
    if isinstance(node, exp.Anonymous) and (made := FUNCTIONS.get(node.name.lower())):
        return made(*node.expressions)
    return node


def _hex(node: Node) -> Node:
    """`CAST('0x' || digits AS BIGINT)` reads hexadecimal digits."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.DPipe):
        start, digits = node.this.this, node.this.expression
        if isinstance(start, exp.Literal) and start.name == "0x":
            return _cast(_call("conv", digits, _number(16), _number(10)), node.to)
    return node


def _epoch(node: Node) -> Node:
    """Seconds with their fractions, and times without a zone: Spark's own words know neither."""
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
    """A list in an order of its own."""
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
    """The collation that goes by bytes."""
    if isinstance(node, exp.Collate):
        node.set("expression", exp.to_identifier("UTF8_BINARY"))
    return node


def _length(node: Node) -> Node:
    if isinstance(node, exp.ArraySize):
        return _call("size", node.this)
    return node


def _alone(node: Node) -> Node:
    """The greatest of one value is that value: Spark wants two of them at least."""
    is_alone = isinstance(node, exp.Greatest | exp.Least) and not node.expressions
    return node.this.copy() if is_alone else node


def _window(node: Node) -> Node:
    """`OVER name - x`: Spark reads `name - x` as one name that is spelled wrong."""
    return exp.paren(node) if isinstance(node, exp.Window) and node.alias else node


# Spark's integers have signs: the next larger one holds an unsigned one.
# Its moments have no nanoseconds.
HELD = {
    exp.DataType.Type.UTINYINT: exp.DataType.build("SMALLINT"),
    exp.DataType.Type.USMALLINT: exp.DataType.build("INT"),
    exp.DataType.Type.UINT: LONG,
    exp.DataType.Type.UBIGINT: WHOLE,
    exp.DataType.Type.UINT128: WHOLE,
    exp.DataType.Type.TIMESTAMP_NS: NO_ZONE,
}

# What a rule puts in the place of a node, the rules after it see: `_joined` comes before `_text`,
# whose own words are Spark's already.
RULES: tuple[Callable[[Node], Node], ...] = (
    _hex, _joined, _text, _type, _quotient, _whole_quotient, _function, _epoch, _aggregate, _binary,
    _length, _alone, _window,
)  # fmt: skip


def _cast(value: Node, to: Node) -> Node:
    return exp.Cast(this=value.copy(), to=to.copy())


def _call(name: str, *given: Node) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[value.copy() for value in given])


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
    """Spark counts places in INT, and fails where DuckDB gives NULL: at 0, and behind the end."""
    whole = _cast(place, exp.DataType.build("INT"))
    return _call("try_element_at", items, _call("nullif", whole, _number(0)))


def _sum_of_largest(items: Node) -> Node:
    """`list_sum(max(x, n))`: the sum of the n largest."""
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
    "hash": lambda *given: _call("xxhash64", *given),
    "isfinite": _is_finite,
    "epoch_us": _micros,
    "signbit": lambda value: _call("startswith", _as_text(value), exp.Literal.string("-")),
    "list_extract": _element,
    "list_position": lambda items, value: _call("array_position", items, value),
    "list_sum": _sum_of_largest,
    # Every session of ours is in UTC.
    "create_sort_key": lambda value, _: _as_text(value),
    "decode": lambda value: _call("decode", value, exp.Literal.string("UTF-8")),
    "encode": lambda value: _call("encode", value, exp.Literal.string("UTF-8")),
}  # fmt: skip


@cache
def _form(step: str) -> Node:
    select = sqlglot.parse_one(render(step).text, read="spark")
    assert isinstance(select, exp.Select)
    return select.selects[0].this


def _filled(step: str, value: Node) -> Node:
    """An expression of the engine's own room, with a value in the place of its `x`."""

    def fill(node: Node) -> Node:
        return value.copy() if isinstance(node, exp.Column) and node.name == "x" else node

    return _form(step).copy().transform(fill)


# -- relations ---------------------------------------------------------------------------------


def _read_lists(tree: Node, lists: frozenset[str]) -> None:
    """A list comes as JSON: one literal, however long it is."""
    for place in list(tree.find_all(exp.Placeholder)):
        if place.name not in lists:
            continue
        outer = place.parent
        cast = outer if isinstance(outer, exp.Cast) else None
        kind = cast.to.sql(dialect="spark") if cast else "ARRAY<STRING>"
        read = _call("from_json", place, exp.Literal.string(kind))
        (cast or place).replace(read)


def secret_view(name: str) -> str:
    """The relation that holds a secret parameter."""
    return f"ppdt_secret_{name}"


def _read_secrets(tree: Node, secret: frozenset[str]) -> None:
    """A secret parameter is read from a relation."""
    for place in list(tree.find_all(exp.Placeholder)):
        if place.name in secret:
            value = exp.select(_call("max", exp.column("value"))).from_(secret_view(place.name))
            place.replace(value.subquery())


def _zip_lists(select: exp.Select) -> None:
    """Several lists side by side in one SELECT: Spark unfolds only one of them."""
    unfolded = [item for item in select.selects if isinstance(item.unalias(), exp.Explode)]
    if len(unfolded) < 2:
        return
    zipped = _call("inline", _call("arrays_zip", *(item.unalias().this for item in unfolded)))
    names = [exp.to_identifier(item.alias, quoted=True) for item in unfolded]
    others = [item for item in select.selects if item not in unfolded]
    select.set("expressions", [exp.Aliases(this=zipped, expressions=names), *others])


def _look_behind(select: exp.Select) -> None:
    """`ASOF LEFT JOIN r ON x > r.y`: the row of r that comes last before x."""
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
    """Let every worker have a copy of the small relations that are joined."""
    tables = [join.this for join in select.args.get("joins") or []]
    chosen = [t for t in tables if isinstance(t, exp.Table) and t.name in small]
    if chosen:
        names = [exp.to_identifier(t.alias_or_name, quoted=True) for t in chosen]
        select.set("hint", exp.Hint(expressions=[_call("BROADCAST", *names)]))
