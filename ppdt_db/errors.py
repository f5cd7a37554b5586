"""The package's exceptions, and the exit code of each.

PpdtError
├── RequestError      2  the request is wrong, as the request and a row count show
├── GuaranteeError    3  the data's distribution forbids the guarantee, or the audit failed
└── EngineError       1  the database could not do its part

No message ever holds a value of the source.
"""

import os
from collections.abc import Sequence

# Show what the database said, and where; that may quote values of the source.
DEBUG = bool(os.environ.get("PPDT_DEBUG"))


class PpdtError(Exception):
    """Base class of every error that this package raises on purpose."""

    exit_code = 1


class RequestError(PpdtError):
    """A wrong request; nothing was touched. Lists all faults at once."""

    exit_code = 2

    def __init__(self, *faults: str) -> None:
        self.faults: Sequence[str] = faults
        super().__init__("\n".join(faults))


class GuaranteeError(PpdtError):
    """A guarantee that cannot be met, or a failed finding; nothing was released."""

    exit_code = 3


class EngineError(PpdtError):
    """A step that the database could not execute; nothing was released."""
