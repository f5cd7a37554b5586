"""Learn classifiers inside the database, and apply them there."""

from ppdt_db.learn.api import C45, ID3, judge, learn, learn_model
from ppdt_db.learn.apply import predict_into, store
from ppdt_db.learn.bayes import NaiveBayes
from ppdt_db.learn.knn import KNN
from ppdt_db.learn.logistic import Logistic
from ppdt_db.learn.part import Part
from ppdt_db.learn.sets import SetID3
from ppdt_db.learn.sklearn_tree import tree_from_sklearn

__all__ = [
    "C45",
    "ID3",
    "KNN",
    "Logistic",
    "NaiveBayes",
    "Part",
    "SetID3",
    "judge",
    "learn",
    "learn_model",
    "predict_into",
    "store",
    "tree_from_sklearn",
]
