"""Learn classifiers inside the database, and apply them there."""

from ppdt_db.learn.api import judge, learn
from ppdt_db.learn.apply import store
from ppdt_db.learn.bayes import NaiveBayes
from ppdt_db.learn.kadet import Kadet, KadetTree
from ppdt_db.learn.knn import KNN
from ppdt_db.learn.logistic import Logistic
from ppdt_db.learn.model import predict_into
from ppdt_db.learn.model_file import read_model
from ppdt_db.learn.part import Part
from ppdt_db.learn.sets import SetID3
from ppdt_db.learn.sklearn_tree import tree_from_sklearn
from ppdt_db.learn.trees import C45, ID3
from ppdt_db.learn.verify import Verdict, verify_tree

__all__ = [
    "C45",
    "ID3",
    "KNN",
    "Kadet",
    "KadetTree",
    "Logistic",
    "NaiveBayes",
    "Part",
    "SetID3",
    "Verdict",
    "judge",
    "learn",
    "predict_into",
    "read_model",
    "store",
    "tree_from_sklearn",
    "verify_tree",
]
