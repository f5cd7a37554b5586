"""Choose the exact type in which labels and values are compared."""

from collections.abc import Sequence

from ppdt_db.engine import Engine
from ppdt_db.sqltext.exact import Exact, Precision, exact_of
from ppdt_db.sqltext.quoting import Sql


def axis_of(
    engine: Engine, relation: Sql, columns: Sequence[str], types: Sequence[str]
) -> Exact | None:
    """Return the type for the labels in some columns of a relation, and values of these types."""
    names = {"relation": relation, "columns": columns}
    counts = [int(str(count)) for count in engine.row("audit/reach", names=names)]
    return exact_of(
        types, Precision(**dict(zip(Precision.__dataclass_fields__, counts, strict=True)))
    )
