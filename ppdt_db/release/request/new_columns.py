"""New columns: what `keep: rest` would release today, and did not at the last run of its name.

A run is known by the place of its release, by its policy file together with its source, and by the
certificate that stands where its own goes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ppdt_db.accept import NEW_COLUMNS
from ppdt_db.catalog import Catalog, Entry
from ppdt_db.engine import DuckEngine
from ppdt_db.names import fold
from ppdt_db.policy import Policy, Roles
from ppdt_db.request.request import Request
from ppdt_db.source import Source


def new_column_faults(
    policy: Policy, roles: Roles, request: Request, last: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Columns that would go out by `keep: rest` alone, and that the last run did not keep."""
    if policy.keep != "rest" or NEW_COLUMNS in request.accept:
        return []
    known = dict(last or {})
    if isinstance(request.previous, Path):
        stands = request.previous.is_file() and request.previous.stat().st_size > 0
        found = _kept_by(_read(request.previous)) if stands else []
        if found is None:
            return [
                f"--certificate {request.previous}: what stands there is no certificate, so that "
                "nothing tells what the last run kept. Remove it, or take another file."
            ]
        known |= {str(request.previous): found} if stands else {}
    elif request.previous is not None:
        found = _kept_by(request.previous)
        if found is None:
            return ["previous: this is no certificate. Give release.certificate of the last run."]
        known["previous"] = found
    return [fault for of, names in known.items() for fault in _faults(roles, of, names)]


def last_runs(engine: DuckEngine, source: Source, request: Request) -> dict[str, Sequence[str]]:
    """What the last runs of this name kept, by what they are known by."""
    entries = Catalog(engine, request.path[0] if request.path else None).releases()
    by_place = (entry for entry in entries if _is_same_place(entry, request))
    by_policy = (
        entry
        for entry in entries
        if request.policy_name is not None
        and entry.certificate.get("policy_name") == request.policy_name
        and fold(entry.source) == fold(source.title)
    )
    place = request.into or str(request.out)
    found = {place: next(by_place, None), str(request.policy_name): next(by_policy, None)}
    kept = {of: _kept_by(entry.certificate) for of, entry in found.items() if entry is not None}
    return {of: names for of, names in kept.items() if names is not None}


def _is_same_place(entry: Entry, request: Request) -> bool:
    if request.file is not None:
        return entry.form == "file" and entry.place == str(request.file.absolute())
    into = [*map(fold, request.path[-2:])]
    return entry.form != "file" and [*map(fold, entry.view)] == into


def _faults(roles: Roles, of: str, names: Sequence[str]) -> Iterator[str]:
    before = {*map(fold, names)}
    new = [column for column in roles.kept if fold(column) not in before]
    if new:
        yield from (
            f'"{column}": "keep: rest" would release it, and the last run ({of}) did not.'
            for column in new
        )
        yield (
            "Give each a role, or keep it by its name (--keep NAMES); or say that you accept what "
            f"is new: --accept {NEW_COLUMNS}."
        )


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _kept_by(certificate: object) -> Sequence[str] | None:
    """The columns that a certificate says were kept; None where it is no certificate."""
    policy = certificate.get("policy") if isinstance(certificate, Mapping) else None
    kept = policy.get("kept") if isinstance(policy, Mapping) else None
    return kept if isinstance(kept, list) and all(isinstance(n, str) for n in kept) else None
