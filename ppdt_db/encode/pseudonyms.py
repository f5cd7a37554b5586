"""Pseudonyms: HMAC-SHA256 of an identifier, with a key that is never logged or stored."""

import hashlib
import hmac
from collections.abc import Mapping

from ppdt_db.sqltext.quoting import Private

FEWEST_BYTES = 16


def key_faults(key: str | None) -> list[str]:
    """Return a fault if the key is missing, or short enough for brute force."""
    if not key:
        return [
            "pseudonyms need a key: set PPDT_PSEUDONYM_KEY, or give a file with it "
            "(--pseudonym-key-file)."
        ]
    if len(key.encode()) >= FEWEST_BYTES:
        return []
    return [
        f"the pseudonym key is shorter than {FEWEST_BYTES} bytes: an attacker could find it by "
        "brute force and reverse every pseudonym. Create a longer one: openssl rand -hex 32 > FILE."
    ]


def pseudonym_params(key: str | None, salt: str) -> Mapping[str, object]:
    """Return the HMAC-SHA256 pads for one release's pseudonyms, as bound parameters.

    With a salt, pseudonyms cannot be linked to other releases, or across columns. Without one, the
    same value has the same pseudonym in every linked release and column.
    """
    if key is None:
        return {}
    release_key = _release_key(key, salt)
    if len(release_key) > 64:
        release_key = hashlib.sha256(release_key).digest()
    block = release_key.ljust(64, b"\0")
    return {
        "by_column": bool(salt),
        "inner_pad": Private(bytes(b ^ 0x36 for b in block).hex()),
        "outer_pad": Private(bytes(b ^ 0x5C for b in block).hex()),
    }


def key_check(key: str, salt: str) -> str:
    """Return a check value that tells whether a key is the one of a release."""
    return hmac.new(_release_key(key, salt), b"ppdt rules", hashlib.sha256).hexdigest()


def _release_key(key: str, salt: str) -> bytes:
    """Return the key of one release."""
    return hmac.new(key.encode(), salt.encode(), hashlib.sha256).digest() if salt else key.encode()
