"""The type of progress callbacks, and one that does nothing."""

from collections.abc import Callable

Progress = Callable[[str, float], None]


def no_progress(stage: str, share: float) -> None:
    """Ignore the report."""
