#!/usr/bin/env python3
"""`ppdt` for spark-submit, which needs a file that ends in .py, installed beside the command.

It is installed with the scripts: run from here, Python would import our `profile` as its own.
"""

import atexit
import io
import os
import sys
from typing import Any

from ppdt_db.cli import main


class JavaErrors(io.RawIOBase):
    """The stderr of spark-submit; Python's own stderr ends up in stdout there."""

    def __init__(self, java: Any) -> None:
        self._java = java

    def writable(self) -> bool:
        """Return True, as files for writing do."""
        return True

    def write(self, text: Any) -> int:
        """Write to Java's stderr, or to our own if Java has ended."""
        try:
            self._java.write(bytes(text))
            self._java.flush()
        except Exception:
            os.write(2, text)
        return len(text)


def hush() -> None:
    """Close stderr when Python ends, so that no library prints to stdout after the JSON."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


if __name__ == "__main__":
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        from pyspark import SparkContext

        SparkContext._ensure_initialized()
        assert SparkContext._jvm is not None
        errors = JavaErrors(SparkContext._jvm.System.err)
        sys.stderr = io.TextIOWrapper(errors, "utf-8", write_through=True)
        atexit.register(hush)
    main()
