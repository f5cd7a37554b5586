"""Expressions that a user writes: what may stand in a statement of ours, and what may not."""

import sqlglot
from sqlglot import Dialect, exp

from ppdt_db.names import Sql, fold

# Functions whose answer is another one tomorrow, or for another reader.
VOLATILE = {
    "random", "setseed", "uuid", "gen_random_uuid", "uuidv4", "uuidv7", "now", "today", "getenv",
    "get_current_timestamp", "get_current_time", "transaction_timestamp", "getvariable",
    "nextval", "currval", "txid_current", "current_setting", "version", "age",
}  # fmt: skip
REFUSED = (
    exp.Query, exp.Subquery, exp.AggFunc, exp.Window, exp.Star, exp.Placeholder, exp.Parameter,
    exp.Rand, exp.Randn,
)  # fmt: skip


def over_column(expression: str, column: str) -> Sql | None:
    """An expression over one column as a statement may hold it, or None where it is more."""
    try:
        trees = sqlglot.parse(expression, read="duckdb")
    except sqlglot.errors.SqlglotError:
        return None
    if len(trees) != 1 or not isinstance(trees[0], exp.Condition):
        return None
    tree = trees[0].copy()
    columns = list(tree.find_all(exp.Column))
    is_own = all(fold(found.name) == fold(column) and not found.table for found in columns)
    if not columns or not is_own or any(map(_is_refused, tree.walk())):
        return None
    value = exp.column("value", table="base", quoted=True)
    tree = tree.transform(lambda node: value.copy() if isinstance(node, exp.Column) else node)
    return Sql(Dialect.get_or_raise("duckdb").generate(tree, comments=False))


def _is_refused(node: object) -> bool:
    if isinstance(node, REFUSED) or type(node).__name__.startswith("Current"):
        return True
    name = node.name if isinstance(node, exp.Anonymous) else getattr(node, "sql_name", str)()
    return isinstance(node, exp.Func) and name.lower() in VOLATILE
