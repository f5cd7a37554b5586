"""The optional extra scikit-learn, imported only where it is used."""

from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

from ppdt_db.errors import RequestError


def sklearn_module(name: str) -> Any:
    """Return a module of scikit-learn; raise an error that names the extra if it is missing."""
    try:
        return import_module(f"sklearn.{name}")
    except ImportError:
        raise RequestError(
            "scikit-learn is not installed. Install the extra: pip install 'ppdt-db[sklearn]'."
        ) from None


def one_thread() -> AbstractContextManager[object]:
    """Let the linear algebra of a block take one thread.

    Its sums are then the same on every machine, and many small steps are ten times as fast:
    threads of BLAS wait for each other longer than they work.
    """
    limits: AbstractContextManager[object] = import_module("threadpoolctl").threadpool_limits(1)
    return limits
