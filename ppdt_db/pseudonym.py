"""Pseudonyms: HMAC-SHA256 of an identifier, under a key that never reaches a log or the catalog."""

import hashlib
import hmac
from collections.abc import Mapping

from ppdt_db.names import Private


def pseudonym_params(key: str | None, salt: str) -> Mapping[str, object]:
    """The two pads of HMAC-SHA256 for one release's pseudonyms, as the statements bind them."""
    if key is None:
        return {}
    own = hmac.new(key.encode(), salt.encode(), hashlib.sha256).digest() if salt else key.encode()
    if len(own) > 64:
        own = hashlib.sha256(own).digest()
    block = own.ljust(64, b"\0")
    return {
        "inner_pad": Private(bytes(b ^ 0x36 for b in block).hex()),
        "outer_pad": Private(bytes(b ^ 0x5C for b in block).hex()),
    }
