"""Runs on the demo's patients that together use every step, for `ppdt show` and the manifest."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from ppdt_db.anonymize import anonymize
from ppdt_db.audit.api import audit
from ppdt_db.demo import PATIENTS, make_patients
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.atomic_file import PART
from ppdt_db.engine.script import MadeUp
from ppdt_db.evaluate import compare
from ppdt_db.evaluate.discretize import discretize
from ppdt_db.hierarchy import build_hierarchy, check_hierarchy
from ppdt_db.learn import (
    C45,
    ID3,
    KNN,
    Kadet,
    NaiveBayes,
    Part,
    SetID3,
    confusion_matrix,
    learn,
    predict_into,
)  # fmt: skip
from ppdt_db.learn.model import Learner, Model
from ppdt_db.methods import METHODS, Kactus, Method, Mondrian
from ppdt_db.methods.examples import SHAPED
from ppdt_db.methods.kadet_table import Spans
from ppdt_db.policy.hierarchy_specs import prefixes
from ppdt_db.policy.roles import Attribute
from ppdt_db.recodings import RECODINGS
from ppdt_db.source.source import opened
from ppdt_db.tree_risk import tree_risk

RELEASE = "patients_anonymous"
RULES = "rules.duckdb"
FEATURES = ["age", "sex", "zip"]
SHARED: Mapping[str, object] = {
    "identifiers": ["patient_id", "name"],
    "quasi": ["age", "sex", "zip", "admitted"],
    "sensitive": ["diagnosis"],
    "target": "readmitted",
    "into": RELEASE,
    "seed": 1,
}


def showcases() -> dict[str, Callable[[int], str]]:
    """Return the runs by their titles; each returns its script for a k."""
    by_method = {
        f"anonymize by {name}{more}": partial(_anonymized, name, more)
        for name, method in METHODS.items()
        for more in method.examples(5)
    }
    return {
        **by_method,
        "anonymize and audit, with the original and a population": _audited,
        "anonymize along a given tree": _along_a_given_tree,
        "anonymize with rules, and apply them to new rows": _applied,
        "build a hierarchy, check it, anonymize and audit by it": _by_hierarchies,
        "anonymize into a CSV file, and audit it": _as_csv,
        "learn trees, predict, and measure what trees reveal": _trees,
        "learn k-anonymous trees, and publish the table of one": _k_anonymous_trees,
        "cross-validate, and test on rows held out": _evaluated,
        "learn other models from a release": _other_models,
        "discretize": _discretized,
    }


@contextmanager
def _patients() -> Iterator[tuple[duckdb.DuckDBPyConnection, MadeUp]]:
    """Yield a database with the patients, and the log of what is done to them."""
    with duckdb.connect() as con:
        log = MadeUp()
        make_patients(con, 500, log)
        yield con, log


def _anonymized(name: str, more: str, k: int) -> str:
    """Return the script of an example of a method."""
    run = METHODS[name].examples(k)[more]
    with _patients() as (con, log):
        anonymize(con, PATIENTS, sql_log=log, **{**SHARED, **run})  # type: ignore[arg-type]
        if run.get("quasi") is SHAPED:
            _learn_from_release(con, log)
        return "\n" + log.getvalue()


def _audited(k: int) -> str:
    """Return the script of an audit with an original and a population."""
    with _patients() as (con, log):
        of_ages = [r.name for r in RECODINGS.values() if r.needs == "order" and r.is_one_column]
        for recode in of_ages:
            quasi: list[str | Attribute] = [
                Attribute("age", recode, bins="quantiles:4" if recode == "bins" else None),
                "sex",
                "zip",
                Attribute("admitted", "bounds"),
            ]
            anonymize(
                con, PATIENTS, identifiers=["patient_id", "name"], quasi=quasi,
                sensitive=["diagnosis", "readmitted"], method=Mondrian(k=k), into=f"by_{recode}",
                seed=1, sql_log=log,
            )  # fmt: skip
            audit(
                con, f"by_{recode}", sensitive=["diagnosis", "readmitted"], original=PATIENTS,
                quasi=["age", "sex", "zip", "admitted_lo", "admitted_hi"], population=PATIENTS,
                require="kk=1", explained=True, sql_log=log,
            )  # fmt: skip
        return "\n" + log.getvalue()


def _by_hierarchies(k: int) -> str:
    """Return the script of a hierarchy: built, read, and used by a release and its audit."""
    with _patients() as (con, log), TemporaryDirectory() as folder:
        path = Path(folder) / "zip.csv"
        build_hierarchy(con, PATIENTS, "zip", prefixes(4, 3), path, sql_log=log)
        check_hierarchy(con, PATIENTS, "zip", path, sql_log=log)
        anonymize(
            con, PATIENTS, identifiers=["patient_id", "name"], target="diagnosis", keep="rest",
            quasi=[Attribute("zip", hierarchy=path), "age"], method=Mondrian(k=k), into=RELEASE,
            seed=1, sql_log=log,
        )  # fmt: skip
        hierarchies = {"zip": path}
        audit(
            con, RELEASE, quasi=["zip", "age"], original=PATIENTS, hierarchies=hierarchies,
            sql_log=log,
        )  # fmt: skip
        return "\n" + _placed(log.getvalue(), path.name)


def _placed(script: str, name: str) -> str:
    """Return the script with the path of a temporary file replaced by its name."""
    return re.sub(rf"'[^'\n]*(?:{PART}|{name})'", f"'{name}'", script)


def _as_csv(k: int) -> str:
    """Return the script of a release that is written as CSV and read again."""
    with _patients() as (con, log), TemporaryDirectory() as folder:
        path = Path(folder) / "patients.csv"
        quasi: list[str | Attribute] = ["sex", Attribute("zip", "set"), "age"]
        anonymize(
            con, PATIENTS, identifiers=["patient_id", "name"], target="diagnosis", keep="rest",
            quasi=quasi, method=Mondrian(k=k), out=path, seed=1, sql_log=log,
        )  # fmt: skip
        audit(con, path, quasi=["sex", "zip", "age"], csv="types=age:VARCHAR", sql_log=log)
        audit(con, path, quasi=["sex"], csv="types=readmitted:BOOLEAN", sql_log=log)
        return "\n" + _placed(log.getvalue(), path.name)


def _along_a_given_tree(k: int) -> str:
    """Return the script of a suppression along an existing tree."""
    with _patients() as (con, log):
        quasi = ["age", "sex", "zip"]
        tree = learn(
            con, PATIENTS, target="diagnosis", features=quasi, learner=C45(missing="branch")
        )
        anonymize(
            con, PATIENTS, identifiers=["patient_id", "name"], quasi=quasi, target="diagnosis",
            keep="rest", method=Kactus(k=k, tree=tree), into=RELEASE, seed=1, sql_log=log,
        )  # fmt: skip
        return "\n" + log.getvalue()


def _applied(k: int) -> str:
    """Return the script of releases with rules, and of applying them to the patients."""
    with _patients() as (con, log):
        methods: tuple[Method, ...] = (Mondrian(k=k), Kactus(k=k, refine=True, plain=True))
        for method in methods:
            own = MadeUp()
            with TemporaryDirectory() as folder:
                made = anonymize(
                    con, PATIENTS, quasi=["age", "sex", "zip", "admitted"], identifiers=["name"],
                    target="diagnosis", keep="rest", method=method, into=RELEASE, replace=True,
                    rules=Path(folder, RULES), seed=1, sql_log=own,
                )  # fmt: skip
                assert made.rules is not None
                made.rules.apply(con, PATIENTS, into="patients_again", replace=True, sql_log=own)
            # The file was renamed after it was written, which is not in the script.
            place = f"'patients_by_{method.name}.duckdb'"
            log.write(re.sub(rf"'[^'\n]*(?:{PART}|{RULES})'", place, own.getvalue()))
        return "\n" + log.getvalue()


def _trees(k: int) -> str:
    """Return the script of trees that are learnt, used, and measured."""
    with _patients() as (con, log):
        for learner in (C45(), ID3(), SetID3()):
            tree = learn(
                con, PATIENTS, target="readmitted", features=FEATURES, learner=learner, sql_log=log
            )
            predict_into(con, tree, PATIENTS, into=f"by_{type(learner).__name__}", sql_log=log)
        for features in (["age", "sex", "admitted"], ["sex", "zip", "admitted"]):
            # With and without missing values, rows are routed differently.
            learn(con, PATIENTS, target="diagnosis", features=features, sql_log=log)
        tree_risk(con, PATIENTS, quasi=features, target="readmitted", sql_log=log)
        return "\n" + log.getvalue()


def _k_anonymous_trees(k: int) -> str:
    """Return the script of k-anonymous trees with all options, and of the table of one."""
    kadets = [
        Kadet(k=k, public=["sex", "zip"], private=["age"], public_class=True, form="id3"),
        Kadet(k=k, l=1.1, public=["age", "sex"], private=["zip", "admitted"]),
        Kadet(k=k, public=[], private=["age", "zip"]),
        Kadet(k=k, public=["age", "sex"], hierarchies={"sex": "prefixes:1"}),
    ]
    with _patients() as (con, log):
        for learner in kadets:
            found = learn(con, PATIENTS, target="readmitted", learner=learner, sql_log=log)
        anonymize(
            con, PATIENTS, identifiers=["patient_id", "name"], quasi=["age", "sex"], keep="rest",
            method=Spans(k=k, tree=found.tree), into="by_spans", seed=1, sql_log=log,
        )  # fmt: skip
        return "\n" + log.getvalue()


def _evaluated(k: int) -> str:
    """Return the script of two ways to test a learner."""
    with _patients() as (con, log):
        for cv in ("2", f"holdout={PATIENTS}"):
            compare(
                con, PATIENTS, cv=cv, target="readmitted", features=["sex", "zip", "admitted"],
                learners={"c45": C45()}, sql_log=log,
            )  # fmt: skip
        return "\n" + log.getvalue()


def _other_models(k: int) -> str:
    """Return the script of models other than trees, learnt from a release."""
    features = ["sex", "zip", "admitted"]
    with _patients() as (con, log):
        anonymize(
            con, PATIENTS, identifiers=["patient_id", "name"], quasi=FEATURES, keep="rest",
            target="readmitted", method=Mondrian(k=k), into=RELEASE, seed=1, sql_log=log,
        )  # fmt: skip
        others: list[Learner[Model]] = [NaiveBayes(), KNN(), Part()]
        for other in others:
            model = learn(
                con, RELEASE, target="readmitted", features=features, learner=other, sql_log=log
            )
            confusion_matrix(con, model, RELEASE, target="readmitted", sql_log=log)
            predict_into(con, model, RELEASE, into=f"by_{type(other).__name__}", sql_log=log)
        return "\n" + log.getvalue()


def _discretized(k: int) -> str:
    """Return the script of the bins of the patients' numbers."""
    with _patients() as (con, log):
        engine = DuckEngine(con, log)
        with opened(engine, PATIENTS) as read:
            discretize(engine, read, "readmitted")
        return "\n" + log.getvalue()


def _learn_from_release(con: duckdb.DuckDBPyConnection, log: MadeUp) -> None:
    """Learn from bounds and sets, and predict the release itself."""
    release = "patients_anonymous"
    features = ["age", "sex", "zip", "admitted"]
    learner = C45(unpruned=True)
    tree = learn(con, release, target="readmitted", features=features, learner=learner, sql_log=log)
    predict_into(con, tree, release, into="by_release", sql_log=log)
