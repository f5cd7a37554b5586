"""The script of a run along a tree: the DuckDB shell can run it, and it holds no tested value."""

import io
import re

import duckdb
import pytest
from support import mostly_slow, read

import ppdt_db
from ppdt_db import Kactus
from ppdt_db.demo import make_patients
from ppdt_db.learn import C45, learn
from ppdt_db.methods import Mict
from ppdt_db.tree.tree import Tree

QUASI = ["age", "sex", "zip", "admitted"]
KINDS: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "plain": ({}, {}),
    "guarded": ({"l": 2, "t": 0.5}, {}),
    "refined": ({"refine": True}, {}),
    "singles": ({"refine": True, "plain": True}, {}),
    "people": ({}, {"entity": "patient_id", "keep": []}),
}


def known_tree() -> Tree:
    """A tree that was learnt from the demo's patients beforehand."""
    with duckdb.connect() as con:
        make_patients(con, 500)
        c45 = C45(missing="branch")
        return learn(con, "patients", target="diagnosis", features=QUASI, learner=c45)


def released(con: duckdb.DuckDBPyConnection, method: object, **roles: object) -> str:
    """Release the demo's patients; returns the script, which begins with making them."""
    log = io.StringIO()
    make_patients(con, 500, log)
    asked: dict[str, object] = {
        "identifiers": ["name"], "keep": ["patient_id"], "quasi": QUASI, "target": "diagnosis",
        "sensitive": ["readmitted"], "into": "o", "seed": 1, **roles,
    }  # fmt: skip
    ppdt_db.anonymize(con, "patients", method=method, sql_log=log, **asked)  # type: ignore[arg-type]
    return log.getvalue()


def check(method: object, variables: set[str], **roles: object) -> str:
    """Run it again by its script alone."""
    with duckdb.connect() as con:
        script = released(con, method, **roles)
        wanted = read(con, "o")
        (run_key,) = con.execute("SELECT run_key FROM ppdt.run").fetchall()[0]
    assert set(re.findall(r"getvariable\('ppdt_(\w+)'\)", script)) == variables
    with duckdb.connect() as con:
        con.execute(f"SET VARIABLE ppdt_run_key = '{run_key}'")
        con.execute("SET VARIABLE ppdt_digest_key = 'another'; SET VARIABLE ppdt_values = ['']")
        con.execute("SET VARIABLE ppdt_places = ['']")
        con.execute(script)
        assert len(wanted) > 490 and read(con, "o") == wanted
    return script


@pytest.mark.parametrize("kind", mostly_slow(KINDS, "people"))
def test_the_script_replays_to_the_same_release(kind: str) -> None:
    wishes, roles = KINDS[kind]
    script = check(Kactus(k=5, **wishes), {"run_key", "digest_key"}, **roles)  # type: ignore[arg-type]
    assert "-- methods/kactus/drawn_row" in script, "rows were lent"


def test_that_of_a_given_tree_asks_for_a_list_and_takes_any() -> None:
    check(Kactus(k=5, tree=known_tree()), {"run_key", "digest_key", "values", "places"})


@pytest.mark.slow
def test_so_does_that_of_mict() -> None:
    check(Mict(k=5), {"run_key", "digest_key"})


def test_it_holds_no_value_that_the_tree_tests() -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE t AS SELECT 7654321987654 + i AS x, 'Zebedee ' || (i // 10) AS z, "
            "i // 10 AS y FROM range(40) AS r (i)"
        )
        log = io.StringIO()
        release = ppdt_db.anonymize(
            con, "t", quasi=["x", "z"], target="y", into="o", method=Kactus(k=5), sql_log=log
        )
        assert release.certificate["classes"] == 4
    assert "ppdt_inner" in log.getvalue()
    for value in ("765432198", "Zebedee"):
        assert value not in log.getvalue()
