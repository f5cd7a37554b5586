"""Which axis holds the ends of some labels, and the values that they are compared with."""

from collections.abc import Sequence

from ppdt_db.engine import Engine
from ppdt_db.exact import Exact, Reach, exact_of
from ppdt_db.names import Sql


def axis_of(
    engine: Engine, relation: Sql, columns: Sequence[str], types: Sequence[str]
) -> Exact | None:
    """The axis for the labels in some columns of a relation, and for values of these types."""
    names = {"relation": relation, "columns": columns}
    counts = [int(str(count)) for count in engine.row("audit/reach", names=names)]
    return exact_of(types, Reach(**dict(zip(Reach.__dataclass_fields__, counts, strict=True))))
