"""The command line: `ppdt`."""

from ppdt_db.cli.main import main

__all__ = ["main"]
