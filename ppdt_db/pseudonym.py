"""Pseudonyms: HMAC-SHA256 of an identifier, under a key that never reaches a log or the catalog."""

import hashlib
import hmac
from collections.abc import Mapping

from ppdt_db.names import Private


def pseudonym_params(key: str | None, salt: str) -> Mapping[str, object]:
    """The two pads of HMAC-SHA256 for one release's pseudonyms, as the statements bind them."""
    if key is None:
        return {}
    own = _own(key, salt)
    if len(own) > 64:
        own = hashlib.sha256(own).digest()
    block = own.ljust(64, b"\0")
    return {
        "inner_pad": Private(bytes(b ^ 0x36 for b in block).hex()),
        "outer_pad": Private(bytes(b ^ 0x5C for b in block).hex()),
    }


def key_check(key: str, salt: str) -> str:
    """What tells whether a key is the one that a release was made with."""
    return hmac.new(_own(key, salt), b"ppdt rules", hashlib.sha256).hexdigest()


def _own(key: str, salt: str) -> bytes:
    """The key of one release."""
    return hmac.new(key.encode(), salt.encode(), hashlib.sha256).digest() if salt else key.encode()
