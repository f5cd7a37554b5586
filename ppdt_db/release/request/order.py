"""The order of a run: all that was requested, fixed before any work and passed whole."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from ppdt_db.encode.pseudonyms import key_check, pseudonym_params
from ppdt_db.methods.base import Method
from ppdt_db.policy.roles import Policy
from ppdt_db.release.request.request import Request
from ppdt_db.sqltext.quoting import Private


@dataclass(frozen=True, kw_only=True)
class Keys:
    """The secrets of one run; none of them is logged or released."""

    run: Private = field(repr=False)
    """The key of every random draw."""
    pseudonym: str | None = field(default=None, repr=False)
    salt: str = field(default="", repr=False)

    @classmethod
    def of(cls, seed: int | None, pseudonym: str | None, *, links: bool) -> "Keys":
        """Return the keys: the one for draws is derived from the seed, or 128 random bits."""
        run = secrets.token_hex(16) if seed is None else _digest_of(seed)
        # Independent of the run's key: two releases with one seed must not be linkable.
        salt = "" if links else secrets.token_hex(16)
        return cls(run=Private(run), pseudonym=pseudonym, salt=salt)

    @property
    def params(self) -> Mapping[str, object]:
        """The parameters of the statements that encode the source."""
        return {"run_key": self.run, **pseudonym_params(self.pseudonym, self.salt)}

    @property
    def check(self) -> str | None:
        """The value that tells whether a pseudonym key is that of this run."""
        return key_check(self.pseudonym, self.salt) if self.pseudonym else None


@dataclass(frozen=True, kw_only=True)
class Order:
    """All that was requested of one run."""

    policy: Policy
    method: Method
    request: Request
    keys: Keys = field(repr=False)
    seed: int | None = None


def _digest_of(seed: int) -> str:
    return hashlib.sha256(f"ppdt seed {seed}".encode()).hexdigest()
