"""kACTUS: the paper's worked example, bad input, what a release must keep."""

import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from support import bag, faults, make_database, ppdt, read

import ppdt_db
from ppdt_db import Attribute, Kactus, Mondrian
from ppdt_db.tree_file import read_tree

# Figure 1 of the paper: every line but those that only test is a leaf, with its rows.
FIGURE_1 = [
    ("Married-civ-spouse", "11th", None, None, None, None, 271),
    ("Married-civ-spouse", "Masters", None, None, None, None, 713),
    ("Married-civ-spouse", "9th", None, None, None, None, 158),
    ("Married-civ-spouse", "HS-grad", None, None, None, None, 3436),
    ("Married-civ-spouse", "Some-college", "Handlers-cleaners", None, None, None, 69),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Private", "Black", None, 6),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Private", "White", None, 190),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Private", "Asian", None, 3),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Private", "Other", None, 1),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Private", "Indian", None, 2),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Self-emp", None, None, 39),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "State-gov", None, None, 8),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Federal-gov", None, None, 16),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Local-gov", None, None, 23),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Self-emp-inc", None, "Male", 42),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Self-emp-inc", None, "Female", 4),
    ("Married-civ-spouse", "Some-college", "Exec-managerial", "Without-pay", None, None, 0),
    ("Married-AF-spouse", None, None, None, None, None, 16),
]
ADULT = ["marital_status", "education", "occupation", "workclass", "race", "sex"]
# In which of the six attributes a line goes on, after its first three.
PATHS = {"race": (0, 1, 2, 3, 4), "sex": (0, 1, 2, 3, 5)}


def equals(attribute: str, **children: int) -> dict:
    branches = [{"test": "=", "value": v, "node": n} for v, n in children.items()]
    return {"weights": [0], "attribute": attribute, "branches": branches}


def tree_of(attributes: dict[str, str], nodes: list[dict], **changes: object) -> str:
    named = [{"name": name, "type": type_name} for name, type_name in attributes.items()]
    return json.dumps(
        {
            "format": "ppdt tree 1", "target": "y", "classes": ["a"], "missing": "branch",
            "attributes": named, "nodes": nodes, **changes,
        }
    )  # fmt: skip


def figure_1() -> str:
    """The tree of the leaves, node by node."""
    nodes: list[dict] = [{}]
    number: dict[tuple, int] = {(): 0}
    for *values, _ in FIGURE_1:
        path: tuple = ()
        for attribute, value in zip(ADULT, values, strict=True):
            if value is None:
                continue
            step = (*path, (attribute, value))
            if step not in number:
                number[step] = len(nodes)
                nodes.append({})
                parent = nodes[number[path]]
                parent.setdefault("attribute", attribute)
                branch = {"test": "=", "value": value, "node": number[step]}
                parent.setdefault("branches", []).append(branch)
            path = step
    nodes = [{"weights": [0], **node} for node in nodes]
    return tree_of(dict.fromkeys(ADULT, "VARCHAR"), nodes)


@pytest.fixture
def adult(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    columns = ", ".join(f"{name} VARCHAR" for name in ADULT)
    con.execute(f"CREATE TABLE leaf ({columns}, n INTEGER)")
    con.executemany("INSERT INTO leaf VALUES (?, ?, ?, ?, ?, ?, ?)", FIGURE_1)
    # What a leaf's path does not test varies, and must not show.
    loose = ", ".join(f"coalesce({name}, 'any' || i % 3) AS {name}" for name in ADULT)
    con.execute(
        f"CREATE TABLE adult AS SELECT {loose}, row_number() OVER () AS number, i % 2 = 0 AS y "
        "FROM leaf, LATERAL (SELECT unnest(range(n)) AS i)"
    )
    return con


def shown(values: tuple) -> dict[str, str]:
    return {name: v for name, v in zip(ADULT, values, strict=True) if v is not None}


def test_the_papers_worked_example(adult: duckdb.DuckDBPyConnection) -> None:
    tree = read_tree(figure_1())
    release = ppdt_db.anonymize(
        adult, "adult", quasi=ADULT, target="y", keep=["number"],
        method=Kactus(k=100, tree=tree), into="o",
    )  # fmt: skip
    married = {"marital_status": "Married-civ-spouse"}
    college = {**married, "education": "Some-college"}
    manager = {**college, "occupation": "Exec-managerial"}
    private = {**manager, "workclass": "Private"}
    found = {json.dumps(shown(v)): n for v, n in bag(adult, "o", ADULT).items()}
    expected = [
        ({**private, "race": "White"}, 102),  # figure 2: 88 of 190 complete node 9
        (private, 100),  # figure 4: node 9 is released
        (manager, 101),  # node 8 keeps 132; 31 of them complete node 6
        (college, 100),
        *(({**married, "education": e}, n) for *_, e, n in [(e[1], e[6]) for e in FIGURE_1[:4]]),
    ]
    assert found == {json.dumps(values): n for values, n in expected}
    assert release.certificate["rows_dropped"] == 16, "the root keeps 16, fewer than k"
    # Only the White lent to node 9, and only node 8's rows to node 6.
    of_number = dict(read(adult, "adult", ["number", "race"]))
    at_private = [n for *v, n in read(adult, "o", [*ADULT, "number"]) if shown(tuple(v)) == private]
    assert Counter(of_number[n] for n in at_private) == {
        "White": 88, "Black": 6, "Asian": 3, "Other": 1, "Indian": 2
    }  # fmt: skip
