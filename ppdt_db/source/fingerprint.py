"""Fingerprint rows: a keyed digest that does not depend on their order."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from ppdt_db.engine import Engine
from ppdt_db.sqltext.quoting import Private, Sql


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """The number of rows of a relation, and the digest of them all."""

    n_rows: int
    digest: str


def fingerprint(
    engine: Engine, relation: Sql, columns: Mapping[str, str], key: Private
) -> Fingerprint:
    """Return the fingerprint of a relation: who lacks the key can confirm no guess by it."""
    names = {"relation": relation, "columns": columns}
    n_rows, total = engine.row("encode/fingerprint", {"digest_key": key}, names)
    assert isinstance(n_rows, int)
    return Fingerprint(n_rows=n_rows, digest=digest(key, "rows", n_rows, total))


def digest(key: str, *parts: object) -> str:
    """Return a keyed digest: without the key, nobody can use it to confirm a guess."""
    text = "|".join(str(part) for part in parts)
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
