"""Check that rules of a release can be applied to new rows, and that the destination is free."""

from collections.abc import Sequence
from pathlib import Path

from ppdt_db.encode.pseudonyms import key_check
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Row
from ppdt_db.methods.algorithms.tree_partition import SORTS
from ppdt_db.release.recode import FORMS
from ppdt_db.release.request import Request, overwritten_faults, place_faults, written_faults
from ppdt_db.release.rules_header import About
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import display_type, family_of
from ppdt_db.sqltext.quoting import by_normal_name, did_you_mean, normalize_name

MADE = "rows shown by the rules of a release (ppdt apply)"


def admission_faults(
    engine: DuckEngine, about: About, rules: Path, found: Source, request: Request, key: str | None
) -> list[str]:
    """Return every fault of a request to apply rules, without changing anything."""
    faults: list[str] = []
    if engine.is_inside_transaction:
        faults.append("rules cannot be applied inside an open transaction. Commit it first.")
    columns = _column_faults(about, found)
    faults += columns
    faults += place_faults(engine, request, "the rows", _existing_table_faults)
    faults += overwritten_faults(engine, found, request)
    if request.file is not None and request.file.resolve() == rules.resolve():
        faults.append(f"--out {request.file}: this is the rules file. Choose another file.")
    if request.file is not None and not columns and normalize_name(request.file.suffix) in FORMS:
        faults += written_faults(renamed(about, found), about.roles, request)
    if about.key_check is not None and key is None:
        faults.append(
            "pseudonyms need the key of the release: set PPDT_PSEUDONYM_KEY, or name a file "
            "that holds it (--pseudonym-key-file)."
        )
    elif about.key_check is not None and key_check(str(key), about.salt) != about.key_check:
        faults.append(
            "the pseudonym key is not the one of the release. Use the key that the "
            "release was made with."
        )
    if engine.count("encode/size", names={"source": found.relation}) == 0:
        faults.append("the source of the new rows has no rows.")
    return faults


def own_names(about: About, found: Source) -> dict[str, str]:
    """Return the columns that the release needs, with their spelling in the new rows."""
    by_fold = by_normal_name(found.columns)
    return {name: by_fold[normalize_name(name)] for name in about.columns}


def renamed(about: About, found: Source) -> Source:
    """Return the new rows with their columns under the names of the release."""
    columns = {name: found.columns[own] for name, own in own_names(about, found).items()}
    return Source(kind="table", title=found.title, relation=found.relation, columns=columns)


def are_alike(one: str, other: str) -> bool:
    """Return whether values of two types can be equal."""
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
    by_fold = by_normal_name(found.columns)
    faults: list[str] = []
    for name, type_name in about.columns.items():
        own = by_fold.get(normalize_name(name))
        if own is None:
            hint = did_you_mean(name, found.columns)
            faults.append(f'"{name}": missing from the new rows. Add it.{hint}')
        elif not are_alike(type_name, found.columns[own]):
            faults.append(
                f'"{name}": {display_type(type_name)} in the release, but '
                f"{display_type(found.columns[own])} in the new rows. Cast it in a view."
            )
    return faults


def _existing_table_faults(
    engine: DuckEngine, same: Sequence[Row], _: tuple[str, ...], request: Request
) -> list[str]:
    """Return faults unless the table was made by ppdt apply and --replace was given."""
    noted = {
        tuple(map(str, row[:3])) for row in engine.rows("lib/engine/commented") if row[3] == MADE
    }
    if any(tuple(map(str, row[:3])) not in noted for row in same):
        return [
            f'--into "{request.into}": a table or view of that name exists that ppdt apply did '
            "not create. Choose another name, or drop it yourself."
        ]
    if not request.replace:
        return [f'--into "{request.into}": this table exists. Add --replace, or drop it first.']
    return []
