"""Privacy-preserving anonymization, written as SQL, run inside DuckDB."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from ppdt_db.version import __version__

if TYPE_CHECKING:
    from ppdt_db.anonymize import anonymize
    from ppdt_db.apply.api import Rules, load_rules
    from ppdt_db.audit import Audit, Finding
    from ppdt_db.audit.api import audit
    from ppdt_db.errors import EngineError, GuaranteeError, PpdtError, RequestError
    from ppdt_db.evaluate import evaluate
    from ppdt_db.learn import C45, ID3, KNN, Kadet, Logistic, NaiveBayes, Part, learn, verify_tree
    from ppdt_db.methods import (
        Datafly,
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
    from ppdt_db.plan.api import plan
    from ppdt_db.plan.estimate import Plan
    from ppdt_db.policy.roles import Attribute
    from ppdt_db.profile import Profile, profile
    from ppdt_db.release.manage import drop, migrate, releases
    from ppdt_db.release.publish import Release
    from ppdt_db.release.saved_rules import ApplyResult
    from ppdt_db.report.report import report
    from ppdt_db.span_table import publish_spans
    from ppdt_db.tree_risk import TreeRisk, tree_risk

# Where each public name is found once somebody asks for it: what is not used is not loaded.
_HOMES = {
    "anonymize": ["anonymize"],
    "apply.api": ["Rules", "load_rules"],
    "audit": ["Audit", "Finding"],
    "audit.api": ["audit"],
    "errors": ["EngineError", "GuaranteeError", "PpdtError", "RequestError"],
    "evaluate": ["evaluate"],
    "learn": [
        "C45", "ID3", "KNN", "Kadet", "Logistic", "NaiveBayes", "Part", "learn", "verify_tree",
    ],
    "methods": [
        "Datafly", "Erp", "Kactus", "Mdav", "Mdav2k", "Microaggregate", "Mict", "Mondrian", "Tdr",
        "Tds", "Univariate", "Vmdav",
    ],
    "plan.api": ["plan"],
    "plan.estimate": ["Plan"],
    "policy.roles": ["Attribute"],
    "profile": ["Profile", "profile"],
    "release.manage": ["drop", "migrate", "releases"],
    "release.publish": ["Release"],
    "release.saved_rules": ["ApplyResult"],
    "report.report": ["report"],
    "span_table": ["publish_spans"],
    "tree_risk": ["TreeRisk", "tree_risk"],
}  # fmt: skip
_HOME = {name: f"ppdt_db.{module}" for module, names in _HOMES.items() for name in names}

__all__ = [
    "C45",
    "ID3",
    "KNN",
    "ApplyResult",
    "Attribute",
    "Audit",
    "Datafly",
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
    "publish_spans",
    "releases",
    "report",
    "tree_risk",
    "verify_tree",
]


class _Lazy(ModuleType):
    """A package that loads a public name when it is asked for.

    Some public functions are named like the package that they live in. Loading that package sets it
    as an attribute of this one; the function keeps the name.
    """

    def __getattr__(self, name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found: object = getattr(import_module(_HOME[name]), name)
        setattr(self, name, found)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Lazy
