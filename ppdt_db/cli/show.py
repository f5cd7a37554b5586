"""`ppdt show`: the SQL of a step, as it runs on the demo's patients."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import duckdb

from ppdt_db.anonymize import anonymize
from ppdt_db.auditing import audit
from ppdt_db.cli.command import Command
from ppdt_db.demo import PATIENTS, make_patients
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.script import MadeUp, heading
from ppdt_db.errors import RequestError
from ppdt_db.evaluate import compare
from ppdt_db.evaluate.discretize import discretize
from ppdt_db.hierarchies import grouping, prefixes, quantiles
from ppdt_db.hierarchy import build_hierarchy, check_hierarchy
from ppdt_db.learn import (
    C45,
    ID3,
    KNN,
    Kadet,
    NaiveBayes,
    Part,
    SetID3,
    judge,
    learn,
    predict_into,
)  # fmt: skip
from ppdt_db.learn.api import Learns
from ppdt_db.learn.model import Model
from ppdt_db.methods import (
    Erp,
    Kactus,
    Mdav,
    Mdav2k,
    Method,
    Microaggregate,
    Mict,
    Mondrian,
    Tdr,
    Tds,
    Univariate,
    Vmdav,
)
from ppdt_db.methods.spans import Spans
from ppdt_db.names import nearest
from ppdt_db.policy import Attribute, Recoding
from ppdt_db.source import opened
from ppdt_db.template import steps
from ppdt_db.tree_risk import tree_risk
from ppdt_db.whole_file import PART

SHAPED = [
    Attribute("age", "mean"), Attribute("sex", "mode"), "zip", Attribute("admitted", "bounds"),
]  # fmt: skip
NODES = [
    Attribute("age", hierarchy=quantiles(8, 2)),
    Attribute("sex", hierarchy=grouping({"all": ["female", "male"]})),
    Attribute("zip", hierarchy=prefixes(4, 3)),
    "admitted",
]
SECRET = [Attribute("diagnosis", hierarchy={"letter": "left(diagnosis, 1)"})]
RELEASE = "patients_anonymous"
RULES = "rules.duckdb"
DIAGNOSED: dict[str, object] = {
    "identifiers": ["name"], "keep": ["patient_id"], "target": "diagnosis",
    "sensitive": ["readmitted"],
}  # fmt: skip
ROOMS_WITHOUT_STEPS = ("engine/", "form/")


@click.command(cls=Command)
@click.argument("step", required=False)
@click.option("--k", type=int, default=5, show_default=True)
@click.option("--script", is_flag=True, help="Everything up to the step, ready for the shell.")
def show(step: str | None, k: int, script: bool) -> None:
    """Print the SQL of STEP (such as mondrian/candidate) as it runs on the demo's patients."""
    known = [name for name in steps() if not name.startswith(ROOMS_WITHOUT_STEPS)]
    if step is None:
        click.echo("\n".join(known))
        return
    if step not in known:
        raise RequestError(
            f'there is no step "{step}".{nearest(step, known)} `ppdt show` lists them all.'
        )
    parts = _up_to(step, k)
    if not parts:
        raise RequestError(f"step {step} takes part in no run on the demo's patients.")
    told = [part for part in (parts if script else parts[-1:]) if part]
    text = "\n-- ".join(["", *told]).strip()
    click.echo(heading(text, is_made_up=True) + text if script else text)


def _up_to(step: str, k: int) -> list[str]:
    """A script up to a step by itself; failing that, up to a step that it is a part of."""
    around: list[str] = []
    for text in _scripts(k):
        parts = text.split("\n-- ")
        for number, part in enumerate(parts, 1):
            if part.partition("\n")[0] == step:
                return parts[:number]
            if not around and f"/* {step} */" in part:
                around = parts[:number]
    return around


def _audited(k: int) -> str:
    """The script of an audit with all that it may be given: the original, and people."""
    with duckdb.connect() as con:
        log = MadeUp()
        make_patients(con, 500, log)
        recodings: tuple[Recoding, ...] = ("range", "mean")
        for recode in recodings:
            quasi: list[str | Attribute] = [
                Attribute("age", recode),
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
    """The script of a hierarchy that is made, read again, and used by a release and its audit."""
    with duckdb.connect() as con, TemporaryDirectory() as folder:
        log = MadeUp()
        make_patients(con, 500, log)
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
    """Return the script with its file where it is run: the folder of the first run is gone."""
    return re.sub(rf"'[^'\n]*(?:{PART}|{name})'", f"'{name}'", script)


def _as_csv(k: int) -> str:
    """The script of a release that is written as CSV, and read again."""
    with duckdb.connect() as con, TemporaryDirectory() as folder:
        log = MadeUp()
        make_patients(con, 500, log)
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
    """The script of suppressing along a tree that was learnt beforehand."""
    with duckdb.connect() as con:
        log = MadeUp()
        make_patients(con, 500, log)
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
    """The script of releases that are kept with their rules, and applied to the patients again."""
    with duckdb.connect() as con:
        log = MadeUp()
        make_patients(con, 500, log)
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
            # The file was written aside and renamed, which no statement says.
            place = f"'patients_by_{method.name}.duckdb'"
            log.write(re.sub(rf"'[^'\n]*(?:{PART}|{RULES})'", place, own.getvalue()))
        return "\n" + log.getvalue()


def _scripts(k: int) -> Iterator[str]:
    """The scripts of runs that between them use every room."""
    runs: list[dict[str, object]] = [
        {"method": Mondrian(k=k, l=2)},
        {"method": Mondrian(k=k, criterion="ncp"), "plan": True},
        {"method": Mondrian(k=k, criterion="foresight")},
        {"method": Mondrian(k=k, criterion="infogain")},
        {"method": Mondrian(k=k, l=2, relaxed=True)},
        {"method": Mondrian(k=k), "quasi": SHAPED, "entity": "patient_id", "identifiers": ["name"]},
        {"method": Mondrian(k=k, t=0.5), "quasi": NODES, "sensitive": SECRET},
        {"method": Mondrian(k=k, criterion="foresight"), "quasi": NODES},
        {
            "method": Mondrian(k=k),
            "live": True,
            "accept": ["state-by-state", "reader-side-channels"],
        },
        {"method": Kactus(k=k, l=2, t=0.5), **DIAGNOSED},
        {
            "method": Kactus(k=k, refine=True, plain=True),
            "entity": "patient_id",
            **DIAGNOSED,
            "keep": [],
        },
        {"method": Erp(k=k, l=2), **DIAGNOSED},
        {"method": Erp(k=k, tiered=True), "accept": ["kk-anonymity"], **DIAGNOSED},
        {"method": Tds(k=k, l=2), "quasi": NODES},
        {"method": Tds(k=k)},
        {"method": Tdr(k=k), **DIAGNOSED},
        {"method": Mdav(k=k, l=3)},
        {"method": Vmdav(k=k, gain=1.1)},
        {"method": Mdav2k(k=k, gain=1.1)},
        {"method": Microaggregate(k=k, part_rows=10 * k)},
        {"method": Univariate(k=k), "quasi": ["age"], "keep": "rest"},
        {"method": Mict(k=k)},
        {"method": Mict(k=3 * k, mode="paper"), "accept": ["leaf-anonymity"]},
    ]
    for run in runs:
        with duckdb.connect() as con:
            log = MadeUp()
            make_patients(con, 500, log)
            settings: dict[str, object] = {
                "identifiers": ["patient_id", "name"],
                "quasi": ["age", "sex", "zip", "admitted"],
                "sensitive": ["diagnosis"],
                "target": "readmitted",
                "into": "patients_anonymous",
                "seed": 1,
                **run,
            }
            anonymize(con, PATIENTS, sql_log=log, **settings)  # type: ignore[arg-type]
            if run.get("quasi") is SHAPED:
                _learn_from_release(con, log)
            yield "\n" + log.getvalue()
    yield _audited(k)
    yield _along_a_given_tree(k)
    yield _applied(k)
    yield _by_hierarchies(k)
    yield _as_csv(k)
    with duckdb.connect() as con:
        log = MadeUp()
        make_patients(con, 500, log)
        features = ["age", "sex", "zip"]
        for learner in (C45(), ID3(), SetID3()):
            tree = learn(
                con, PATIENTS, target="readmitted", features=features, learner=learner, sql_log=log
            )
            predict_into(con, tree, PATIENTS, into=f"by_{type(learner).__name__}", sql_log=log)
        for features in (["age", "sex", "admitted"], ["sex", "zip", "admitted"]):
            # With missing values and without: rows walk down in another way.
            learn(con, PATIENTS, target="diagnosis", features=features, sql_log=log)
        tree_risk(con, PATIENTS, quasi=features, target="readmitted", sql_log=log)
        _k_anonymous_trees(con, k, log)
        wishes = {"target": "readmitted", "features": features, "learners": {"c45": C45()}}
        for cv in ("2", f"holdout={PATIENTS}"):
            compare(con, PATIENTS, cv=cv, sql_log=log, **wishes)  # type: ignore[arg-type]
        anonymize(
            con,
            PATIENTS,
            identifiers=["patient_id", "name"],
            quasi=["age", "sex", "zip"],
            target="readmitted",
            method=Mondrian(k=k),
            into=RELEASE,
            seed=1,
            keep="rest",
            sql_log=log,
        )
        others: list[Learns[Model]] = [NaiveBayes(), KNN(), Part()]
        for other in others:
            model = learn(
                con, RELEASE, target="readmitted", features=features, learner=other, sql_log=log
            )
            judge(con, model, RELEASE, target="readmitted", sql_log=log)
            predict_into(con, model, RELEASE, into=f"by_{type(other).__name__}", sql_log=log)
        engine = DuckEngine(con, log)
        with opened(engine, PATIENTS) as read:
            discretize(engine, read, "readmitted")
        yield "\n" + log.getvalue()


def _k_anonymous_trees(con: duckdb.DuckDBPyConnection, k: int, log: MadeUp) -> None:
    """Learn trees that are k-anonymous themselves, in every way, and publish the table of one."""
    kadets = [
        Kadet(k=k, public=["sex", "zip"], private=["age"], public_class=True, form="id3"),
        Kadet(k=k, l=1.1, public=["age", "sex"], private=["zip", "admitted"]),
        Kadet(k=k, public=[], private=["age", "zip"]),
        Kadet(k=k, public=["age", "sex"], hierarchies={"sex": "prefixes:1"}),
    ]
    for learner in kadets:
        found = learn(con, PATIENTS, target="readmitted", learner=learner, sql_log=log)
    anonymize(
        con, PATIENTS, identifiers=["patient_id", "name"], quasi=["age", "sex"], keep="rest",
        method=Spans(k=k, tree=found.tree), into="by_spans", seed=1, sql_log=log,
    )  # fmt: skip


def _learn_from_release(con: duckdb.DuckDBPyConnection, log: MadeUp) -> None:
    """Learn from bounds and sets, and ask the release itself."""
    release = "patients_anonymous"
    features = ["age", "sex", "zip", "admitted"]
    learner = C45(unpruned=True)
    tree = learn(con, release, target="readmitted", features=features, learner=learner, sql_log=log)
    predict_into(con, tree, release, into="by_release", sql_log=log)
