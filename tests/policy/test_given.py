"""What Python hands over: names for lists and methods, numbers of numpy; JSON for anybody."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pytest
from support import PATIENTS, every

import ppdt_db
from ppdt_db import RequestError
from ppdt_db.audit import Finding
from ppdt_db.evaluate import Privacy, compare
from ppdt_db.sqltext.json_text import as_json

PACKAGE = Path(ppdt_db.__file__).parent
ROLES = {"identifiers": ["name", "number"], "sensitive": ["diagnosis"], "keep": ["readmitted"]}


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(PATIENTS)
    return con


def run(con: duckdb.DuckDBPyConnection, **more: object) -> ppdt_db.Release:
    asked = {"quasi": ["age", "sex", "zip"], **ROLES, "into": "safe", **more}
    return ppdt_db.anonymize(con, "patients", **asked)  # type: ignore[arg-type]


ASKING: dict[str, Callable[..., object]] = {
    "anonymize": run,
    "plan": lambda con, **more: ppdt_db.plan(
        con, "patients", **{"quasi": ["age", "sex", "zip"], **ROLES, **more}
    ),
}


@pytest.mark.parametrize("command", ASKING)
@pytest.mark.parametrize("role", ["quasi", "identifiers", "sensitive", "pseudonymize", "keep"])
def test_a_name_for_a_list(con: duckdb.DuckDBPyConnection, command: str, role: str) -> None:
    with pytest.raises(RequestError, match=f'{role}="age".*one name.*{role}=\\["age"\\]'):
        ASKING[command](con, **{role: "age"})
    for wrong in (5, {"age": 1}, None):
        with pytest.raises(RequestError, match=f"{role}: pass a list of names"):
            ASKING[command](con, **{role: wrong})
    with pytest.raises(RequestError, match=f"{role}: column names must be text, not int"):
        ASKING[command](con, **{role: [5]})
    with pytest.raises(RequestError, match="target: pass one name"):
        ASKING[command](con, target=["age"])


def test_all_of_it_at_once(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(RequestError) as caught:
        run(con, quasi="age", sensitive="diagnosis", accept="x", entity=["a"], method="mondrain")
    for word in ('quasi="age"', "sensitive=", "accept=", "entity:", "mondrain"):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda con: ppdt_db.audit(con, "patients", quasi="age"), "quasi"),
        (lambda con: ppdt_db.audit(con, "patients", quasi=["age"], sensitive="sex"), "sensitive"),
        (lambda con: ppdt_db.learn(con, "patients", target="sex", features="age"), "features"),
        (lambda con: ppdt_db.evaluate(con, "patients", target="sex", features="age"), "features"),
        (lambda con: ppdt_db.tree_risk(con, "patients", target="sex", quasi="age"), "quasi"),
        (
            lambda con: ppdt_db.learn(
                con, "patients", target="sex", learner=ppdt_db.Kadet(k=2, public="age")
            ),
            "public",
        ),
        (
            lambda con: ppdt_db.verify_tree(
                con, ppdt_db.learn(con, "patients", target="sex"), "patients", public="age", k=2
            ),
            "public",
        ),
        (
            lambda con: compare(
                con, "patients", target="sex", learners={"": ppdt_db.C45()},
                privacies=[Privacy(method=ppdt_db.Mondrian(), quasi="age")],
            ),
            "quasi",
        ),
    ],
)  # fmt: skip
def test_a_name_for_a_list_elsewhere(
    con: duckdb.DuckDBPyConnection, ask: Callable[[object], object], name: str
) -> None:
    with pytest.raises(RequestError, match=f'{name}=".*one name.*{name}=\\["'):
        ask(con)


@pytest.mark.parametrize("name", ["mondrian", "Mondrian", "MDAV"])
def test_a_method_by_its_name(con: duckdb.DuckDBPyConnection, name: str) -> None:
    made = run(con, method=name)
    assert made.certificate["method"] == name.lower()
    assert ppdt_db.plan(con, "patients", quasi=["age"], keep="rest", method=name).rows == 200


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("mondrain", "choose one of mondrian.*Did you mean"),
        (ppdt_db.Mondrian, r"Mondrian\(k=10\)"),
        (5, r"a int is not a method.*mondrian.*Mondrian\(k=10\)"),
        (ppdt_db.Mondrian(k="10"), "k: pass a whole number, not a str"),
        (ppdt_db.Mondrian(k=10.5), "k: pass a whole number, not a float"),
        (ppdt_db.Mondrian(k=None), "k: pass a whole number"),
        (ppdt_db.Mondrian(t="a"), "t: pass a number"),
        (ppdt_db.Mondrian(recursive=3), "recursive: pass a number and a whole number"),
        (ppdt_db.Mondrian(relaxed="no"), "relaxed: pass True or False"),
        (ppdt_db.Mdav(k=True), "k: pass a whole number"),
    ],
)
def test_what_is_no_method(con: duckdb.DuckDBPyConnection, wrong: object, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        run(con, method=wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [("c45", "pass an object"), (ppdt_db.C45, r"C45\(\)"), (ppdt_db.C45(min_rows="2"), "min_rows")],
)
def test_what_is_no_learner(con: duckdb.DuckDBPyConnection, wrong: object, words: str) -> None:
    for ask in (ppdt_db.learn, ppdt_db.evaluate):
        with pytest.raises(RequestError, match=f"(?i){words}"):
            ask(con, "patients", target="sex", learner=wrong)  # type: ignore[operator]


NUMBERS = [
    ppdt_db.Mondrian(k=np.int64(5), l=np.uint8(2)),
    ppdt_db.Mondrian(k=np.int32(5), t=np.float32(0.75), entropy=np.float64(1.2)),
    ppdt_db.Mondrian(k=np.int64(5), recursive=(np.float64(9), np.int64(2)), alpha=np.float64(0.9)),
    ppdt_db.Mondrian(k=np.int64(5), relaxed=np.bool_(True)),
    ppdt_db.Mdav(k=np.int64(5)),
    ppdt_db.Vmdav(k=np.int64(5), gain=np.float32(0.5)),
    ppdt_db.Microaggregate(k=np.int64(5), part_rows=np.int64(100), gamma=np.float64(0.5)),
]


@pytest.mark.parametrize("method", every(4, NUMBERS), ids=str)
def test_numbers_of_numpy(con: duckdb.DuckDBPyConnection, method: ppdt_db.Mondrian) -> None:
    made = run(con, method=method, seed=np.int64(3))
    assert made.certificate["parameters"]["k"] == 5
    text = json.dumps(made.certificate, allow_nan=False)
    assert json.loads(text) == json.loads(as_json(made.certificate)) == made.certificate


def test_numbers_of_numpy_elsewhere(con: duckdb.DuckDBPyConnection) -> None:
    k = np.int64(5)
    assert ppdt_db.audit(
        con, "patients", quasi=["sex"], require={"k": k}, sampling=np.float64(0.5)
    ).passed
    tree = ppdt_db.learn(
        con, "patients", target="sex", features=np.array(["age", "zip"]),
        learner=ppdt_db.C45(min_rows=k, confidence=np.float64(0.2)),
    )  # fmt: skip
    assert tree.as_json()
    kadet = ppdt_db.Kadet(k=k, public=["sex"], private=["age"], l=np.float64(1.01))
    found = ppdt_db.learn(con, "patients", target="readmitted", learner=kadet)
    json.dumps(found.certificate, allow_nan=False)
    ppdt_db.verify_tree(con, tree, "patients", public=["age"], k=k)
    ppdt_db.tree_risk(con, "patients", target="sex", quasi=["age"], min_rows=k)
    told = ppdt_db.evaluate(
        con, "patients", target="sex", features=["age", "zip"], seed=np.int64(2), cv="2",
        learner=ppdt_db.KNN(k=k),
    )  # fmt: skip
    assert 0 <= told.accuracy_mean <= 1


def test_every_certificate_is_json(con: duckdb.DuckDBPyConnection) -> None:
    """A class of one sensitive value has an infinite recursive c, and its delta is infinite."""
    con.execute("CREATE TABLE flat AS SELECT i // 10 AS age, i // 10 AS ill FROM range(100) r(i)")
    made = ppdt_db.anonymize(
        con, "flat", quasi=["age"], sensitive=["ill"], method=ppdt_db.Mondrian(k=5), into="flat_5"
    )
    text = json.dumps(made.certificate, allow_nan=False)
    assert "Infinity" in text, "the case must have an infinite measure"
    assert json.loads(text) == made.certificate
    assert ppdt_db.releases(con)[0].certificate == made.certificate


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_no_number_that_is_none(number: float) -> None:
    finding = Finding(name="a", required=1.0, measured=number, passed=False, relation="<=")
    text = as_json({"a": [finding.measured, (np.float64(number),)], "n": np.int64(3)})
    assert json.loads(text, parse_constant=pytest.fail)["n"] == 3


def test_all_json_is_written_strictly() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        for call in re.findall(r"json\.dumps?\((?:[^()]|\([^()]*\))*\)", text):
            assert "allow_nan=False" in call, (path.name, call)
