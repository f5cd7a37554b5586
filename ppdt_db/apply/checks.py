"""Admission: whether new rows can be shown as a release would show them, and where they may go."""

from collections.abc import Sequence
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Row
from ppdt_db.families import family_of, told
from ppdt_db.inducer import SORTS
from ppdt_db.names import fold, nearest
from ppdt_db.pseudonym import key_check
from ppdt_db.recode import FORMS
from ppdt_db.request import (
    Request,
    overwritten_faults,
    place_faults,
    written_faults,
)
from ppdt_db.rules_head import About
from ppdt_db.source import Source

MADE = "rows shown by the rules of a release (ppdt apply)"


def admission_faults(
    engine: DuckEngine, about: About, rules: Path, found: Source, request: Request, key: str | None
) -> list[str]:
    """All that is wrong with a request to show new rows; nothing was touched."""
    faults: list[str] = []
    if engine.is_inside_transaction:
        faults.append("rules are not applied inside an open transaction. Commit it first.")
    columns = _column_faults(about, found)
    faults += columns
    faults += place_faults(engine, request, "the rows go", _standing_faults)
    faults += overwritten_faults(engine, found, request)
    if request.file is not None and request.file.resolve() == rules.resolve():
        faults.append(f"--out {request.file}: these are the rules. Take another file.")
    if request.file is not None and not columns and fold(request.file.suffix) in FORMS:
        faults += written_faults(renamed(about, found), about.roles, request)
    if about.key_check is not None and key is None:
        faults.append(
            "pseudonyms need the key of the release: set PPDT_PSEUDONYM_KEY, or name a file that "
            "holds it (--pseudonym-key-file)."
        )
    elif about.key_check is not None and key_check(str(key), about.salt) != about.key_check:
        faults.append("the pseudonym key is not the one that the release was made with.")
    if engine.count("encode/size", names={"source": found.relation}) == 0:
        faults.append("the source of the new rows has no rows.")
    return faults


def own_names(about: About, found: Source) -> dict[str, str]:
    """The columns that the release needs, and how the new rows spell them."""
    by_fold = {fold(column): column for column in found.columns}
    return {name: by_fold[fold(name)] for name in about.columns}


def renamed(about: About, found: Source) -> Source:
    """The new rows, their columns under the names of the release."""
    columns = {name: found.columns[own] for name, own in own_names(about, found).items()}
    return Source(kind="table", title=found.title, relation=found.relation, columns=columns)


def are_alike(one: str, other: str) -> bool:
    """Whether values of two types can be the same."""
    if one == other:
        return True
    families = [family_of(one), family_of(other)]
    if None in families:
        return False
    sorts = [SORTS.get(str(family)) for family in families]
    if sorts == [None, None]:
        return families[0] == families[1] or set(families) == {"text", "enum"}
    return sorts[0] == sorts[1]


def _column_faults(about: About, found: Source) -> list[str]:
    by_fold = {fold(column): column for column in found.columns}
    faults: list[str] = []
    for name, type_name in about.columns.items():
        own = by_fold.get(fold(name))
        if own is None:
            hint = nearest(name, found.columns)
            faults.append(f'"{name}": the new rows lack this column.{hint}')
        elif not are_alike(type_name, found.columns[own]):
            faults.append(
                f'"{name}": {told(type_name)} in the release, {told(found.columns[own])} in the '
                "new rows. Cast it in a view."
            )
    return faults


def _standing_faults(
    engine: DuckEngine, same: Sequence[Row], _: tuple[str, ...], request: Request
) -> list[str]:
    """Only rows that were shown by rules are replaced, and only when asked for."""
    noted = {tuple(map(str, row[:3])) for row in engine.rows("engine/commented") if row[3] == MADE}
    if any(tuple(map(str, row[:3])) not in noted for row in same):
        return [
            f'--into "{request.into}": a table or view of that name exists, and ppdt apply did not '
            "make it. Take another name, or remove it yourself."
        ]
    if not request.replace:
        return [f'--into "{request.into}": this table exists. Add --replace, or drop it first.']
    return []
