"""Check the target of a run, and decide how information about it is measured."""

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.learn.trees.training_set import check_classes
from ppdt_db.sqltext.column_types import family_of

MAX_INTEGER_CLASSES = 20
NO_GAIN = (
    "one value in the whole table, so no cut can gain information. Choose another target or "
    "criterion."
)


def check_target(target: EncodedColumn | None) -> None:
    """Raise if the target has only one value, or too many class labels to count."""
    if target is not None and not (is_numeric(target) and target.n_codes > 1):
        check_classes(target, target.n_codes, NO_GAIN)


def is_numeric(target: EncodedColumn | None) -> bool:
    """Return whether the target's variance counts; integers with few values are class labels."""
    assert target is not None
    family = family_of(target.type_name)
    if family == "integer":
        return target.n_codes > MAX_INTEGER_CLASSES
    return family in ("float", "decimal", "huge")
