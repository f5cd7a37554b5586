"""Learn classifiers inside the database, and apply them there."""

from ppdt_db.learn.api import confusion_matrix, learn
from ppdt_db.learn.bayes import NaiveBayes
from ppdt_db.learn.distribution import distribution, read_distribution, write_distribution
from ppdt_db.learn.kadet.kadet import Kadet, KadetTree
from ppdt_db.learn.kadet.verify import TreeVerdict, verify_tree
from ppdt_db.learn.knn import KNN
from ppdt_db.learn.logistic import Logistic
from ppdt_db.learn.model import predict_into
from ppdt_db.learn.model_json import read_model
from ppdt_db.learn.part.part import Part
from ppdt_db.learn.trees.from_sklearn import tree_from_sklearn
from ppdt_db.learn.trees.learners import C45, ID3
from ppdt_db.learn.trees.predict import store
from ppdt_db.learn.trees.set_id3 import SetID3

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
    "TreeVerdict",
    "confusion_matrix",
    "distribution",
    "learn",
    "predict_into",
    "read_distribution",
    "read_model",
    "store",
    "tree_from_sklearn",
    "verify_tree",
    "write_distribution",
]
