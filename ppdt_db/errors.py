"""What can go wrong, and the exit code that tells a script about it.

PpdtError
├── RequestError      2  the request is wrong, as the request and a row count show
├── GuaranteeError    3  the data's distribution forbids the guarantee, or the audit failed
└── EngineError       1  the database could not do its part

No message ever holds a value of the source.
"""

from collections.abc import Sequence


class PpdtError(Exception):
    """Base of every error that this package raises on purpose."""

    exit_code = 1


class RequestError(PpdtError):
    """The request is wrong; nothing was touched. Lists all faults at once."""

    exit_code = 2

    def __init__(self, *faults: str) -> None:
        self.faults: Sequence[str] = faults
        super().__init__("\n".join(faults))


class GuaranteeError(PpdtError):
    """The guarantee asked for cannot be given, or a finding failed; nothing was released."""

    exit_code = 3


class EngineError(PpdtError):
    """The database could not carry out a step; nothing was released."""
