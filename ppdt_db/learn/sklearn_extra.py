"""The optional extra: scikit-learn, imported where it is used and nowhere else."""

from importlib import import_module
from typing import Any

from ppdt_db.errors import RequestError


def sklearn_module(name: str) -> Any:
    """A module of scikit-learn, or an error that names the extra."""
    try:
        return import_module(f"sklearn.{name}")
    except ImportError:
        raise RequestError(
            "this needs scikit-learn, which is not installed. Install the extra: "
            "pip install 'ppdt-db[sklearn]'."
        ) from None
