"""Privacy-preserving anonymization, written as SQL, run inside DuckDB."""

from ppdt_db.anonymize import anonymize
from ppdt_db.audit import Audit, Finding
from ppdt_db.auditing import audit
from ppdt_db.errors import EngineError, GuaranteeError, PpdtError, RequestError
from ppdt_db.estimate import Plan
from ppdt_db.evaluate import evaluate
from ppdt_db.learn import C45, ID3, KNN, Kadet, Logistic, NaiveBayes, Part, learn, verify_tree
from ppdt_db.manage import drop, migrate, releases
from ppdt_db.methods import (
    Erp,
    Kactus,
    Mdav,
    Mdav2k,
    Microaggregate,
    Mict,
    Mondrian,
    Tdr,
    Tds,
    Univariate,
    Vmdav,
)
from ppdt_db.newcomers import Applied, Rules, load_rules
from ppdt_db.plan import plan
from ppdt_db.policy import Attribute
from ppdt_db.profile import Profile, profile
from ppdt_db.publish import Release
from ppdt_db.report import report
from ppdt_db.tree_risk import TreeRisk, tree_risk
from ppdt_db.version import __version__

__all__ = [
    "C45",
    "ID3",
    "KNN",
    "Applied",
    "Attribute",
    "Audit",
    "EngineError",
    "Erp",
    "Finding",
    "GuaranteeError",
    "Kactus",
    "Kadet",
    "Logistic",
    "Mdav",
    "Mdav2k",
    "Microaggregate",
    "Mict",
    "Mondrian",
    "NaiveBayes",
    "Part",
    "Plan",
    "PpdtError",
    "Profile",
    "Release",
    "RequestError",
    "Rules",
    "Tdr",
    "Tds",
    "TreeRisk",
    "Univariate",
    "Vmdav",
    "__version__",
    "anonymize",
    "audit",
    "drop",
    "evaluate",
    "learn",
    "load_rules",
    "migrate",
    "plan",
    "profile",
    "releases",
    "report",
    "tree_risk",
    "verify_tree",
]
