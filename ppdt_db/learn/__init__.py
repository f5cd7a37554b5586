"""Learn classifiers inside the database."""

from ppdt_db.learn.api import C45, ID3, learn

__all__ = ["C45", "ID3", "learn"]
