"""Find columns that `keep: rest` would release today but did not at the last run of this name.

The last run is found by the destination of its release, by its policy file together with its
source, or by the certificate that the new one would overwrite.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.policy.accept import NEW_COLUMNS
from ppdt_db.policy.roles import Policy, Roles
from ppdt_db.release.catalog import Catalog, CatalogEntry
from ppdt_db.release.request.request import Request
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import normalize_name


def new_column_faults(
    policy: Policy, roles: Roles, request: Request, last: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Return the faults of columns that `keep: rest` releases and the last run did not."""
    if policy.keep != "rest" or NEW_COLUMNS in request.accept:
        return []
    known = dict(last or {})
    if isinstance(request.previous, Path):
        exists = request.previous.is_file() and request.previous.stat().st_size > 0
        found = _kept_columns(_read_json(request.previous)) if exists else []
        if found is None:
            return [
                f"--certificate {request.previous}: the existing file is not a certificate, so "
                "the columns that the last run kept are unknown. Delete it, or choose another "
                "file."
            ]
        known |= {str(request.previous): found} if exists else {}
    elif request.previous is not None:
        found = _kept_columns(request.previous)
        if found is None:
            return ["previous: not a certificate. Pass release.certificate of the last run."]
        known["previous"] = found
    return [fault for of, names in known.items() for fault in _faults(roles, of, names)]


def last_runs(engine: DuckEngine, source: Source, request: Request) -> dict[str, Sequence[str]]:
    """Return the columns that the last runs of this name kept, by the name of the run."""
    entries = Catalog(engine, request.path[0] if request.path else None).releases()
    by_place = (entry for entry in entries if _is_same_place(entry, request))
    by_policy = (
        entry
        for entry in entries
        if request.policy_name is not None
        and entry.certificate.get("policy_name") == request.policy_name
        and normalize_name(entry.source) == normalize_name(source.title)
    )
    place = request.into or str(request.out)
    found = {place: next(by_place, None), str(request.policy_name): next(by_policy, None)}
    kept = {
        of: _kept_columns(entry.certificate) for of, entry in found.items() if entry is not None
    }
    return {of: names for of, names in kept.items() if names is not None}


def _is_same_place(entry: CatalogEntry, request: Request) -> bool:
    if request.file is not None:
        return entry.form == "file" and entry.place == str(request.file.absolute())
    into = [*map(normalize_name, request.path[-2:])]
    return entry.form != "file" and [*map(normalize_name, entry.view)] == into


def _faults(roles: Roles, of: str, names: Sequence[str]) -> Iterator[str]:
    before = {*map(normalize_name, names)}
    new = [column for column in roles.kept if normalize_name(column) not in before]
    if new:
        yield from (
            f'"{column}": "keep: rest" would release it, but the last run ({of}) did not.'
            for column in new
        )
        yield (
            "Give each a role, or keep it by name (--keep NAMES); to accept all new columns, "
            f"add --accept {NEW_COLUMNS}."
        )


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _kept_columns(certificate: object) -> Sequence[str] | None:
    """Return the columns that a certificate says were kept; None if it is not a certificate."""
    policy = certificate.get("policy") if isinstance(certificate, Mapping) else None
    kept = policy.get("kept") if isinstance(policy, Mapping) else None
    return kept if isinstance(kept, list) and all(isinstance(n, str) for n in kept) else None
