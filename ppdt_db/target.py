"""Target: what a column must be for cuts to gain information about it, and how that is measured."""

from ppdt_db.coded import Coded
from ppdt_db.errors import RequestError
from ppdt_db.families import family_of

MAX_TARGET_CLASSES = 1000
MAX_INTEGER_CLASSES = 20


def check_target(target: Coded | None) -> None:
    """Refuse a target of one value, and one of more class labels than can be counted."""
    if target is None:
        return
    if target.n_codes == 1:
        raise RequestError(
            f'target "{target.name}": it has one value in the whole table, so no cut can gain '
            "information. Choose another target or criterion."
        )
    if not is_numeric(target) and target.n_codes > MAX_TARGET_CLASSES:
        raise RequestError(
            f'target "{target.name}": {target.n_codes:,} different values are too many classes '
            f"(at most {MAX_TARGET_CLASSES:,}). Group them first."
        )


def is_numeric(target: Coded | None) -> bool:
    """Whether the target's variance counts; whole numbers of few values are class labels."""
    assert target is not None
    family = family_of(target.type_name)
    if family == "integer":
        return target.n_codes > MAX_INTEGER_CLASSES
    return family in ("float", "decimal", "huge")
