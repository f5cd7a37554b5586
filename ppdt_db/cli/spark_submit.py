#!/usr/bin/env python3
"""`ppdt` as spark-submit takes it: a file that ends in .py, installed beside the command.

It is run from among the scripts: in this folder Python would take our `profile` for its own.
"""

import atexit
import io
import os
import sys
from typing import Any

from ppdt_db.cli import main


class JavaErrors(io.RawIOBase):
    """The stderr of spark-submit; what a Python program writes to its own lands on stdout there."""

    def __init__(self, java: Any) -> None:
        self._java = java

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, text: Any) -> int:
        """Say something; where Java is gone, as it can be said."""
        try:
            self._java.write(bytes(text))
            self._java.flush()
        except Exception:
            os.write(2, text)
        return len(text)


def hush() -> None:
    """Let no library have the last word, when Python ends: on stdout, behind the JSON."""
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
