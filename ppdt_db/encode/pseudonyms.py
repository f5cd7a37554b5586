"""Pseudonyms: HMAC-SHA256 of an identifier, under a key that never reaches a log or the catalog."""

import hashlib
import hmac
from collections.abc import Mapping

from ppdt_db.names import Private

FEWEST_BYTES = 16


def key_faults(key: str | None) -> list[str]:
    """A key that is missing, or so short that it can be tried out."""
    if not key:
        return [
            "pseudonyms need a key: set PPDT_PSEUDONYM_KEY, or name a file that holds it "
            "(--pseudonym-key-file)."
        ]
    if len(key.encode()) >= FEWEST_BYTES:
        return []
    return [
        f"the pseudonym key is shorter than {FEWEST_BYTES} bytes: who tries all such keys learns "
        "what every pseudonym stands for. Make a longer one: openssl rand -hex 32 > FILE."
    ]


def pseudonym_params(key: str | None, salt: str) -> Mapping[str, object]:
    """Return the pads of HMAC-SHA256 for one release's pseudonyms, as the statements bind them.

    A release with a salt is linked with no other, and its columns with none of each other. Linked
    releases share one domain: the same value has one pseudonym, in whatever column it stands.
    """
    if key is None:
        return {}
    own = _own(key, salt)
    if len(own) > 64:
        own = hashlib.sha256(own).digest()
    block = own.ljust(64, b"\0")
    return {
        "by_column": bool(salt),
        "inner_pad": Private(bytes(b ^ 0x36 for b in block).hex()),
        "outer_pad": Private(bytes(b ^ 0x5C for b in block).hex()),
    }


def key_check(key: str, salt: str) -> str:
    """What tells whether a key is the one that a release was made with."""
    return hmac.new(_own(key, salt), b"ppdt rules", hashlib.sha256).hexdigest()


def _own(key: str, salt: str) -> bytes:
    """The key of one release."""
    return hmac.new(key.encode(), salt.encode(), hashlib.sha256).digest() if salt else key.encode()
