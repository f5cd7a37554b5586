"""Learn decision trees inside the database, and apply them there."""

from ppdt_db.learn.api import C45, ID3, learn
from ppdt_db.learn.apply import predict_into, store
from ppdt_db.learn.sets import SetID3

__all__ = ["C45", "ID3", "SetID3", "learn", "predict_into", "store"]
