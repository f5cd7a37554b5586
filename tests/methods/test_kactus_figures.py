"""kACTUS: the worked example of the paper's figures 1 to 4, step by step."""

import json
from collections import Counter
from collections.abc import Iterable

import duckdb
import pytest
from support import bag, read
from test_kactus import tree_of

import ppdt_db
from ppdt_db import Kactus
from ppdt_db.methods.algorithms.suppress import LeafPool, Suppression
from ppdt_db.tree.tree_json import read_tree

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
# What is left to do in each figure: the lines of the paper's tree that are leaves, with their rows.
UNTOUCHED = {2: 271, 3: 713, 4: 158, 5: 3436, 7: 69, 23: 16}
BESIDE_9 = {15: 39, 16: 8, 17: 16, 18: 23, 22: 0}
AFTER = {
    "figure 1": UNTOUCHED | BESIDE_9 | {10: 6, 11: 190, 12: 3, 13: 1, 14: 2, 20: 42, 21: 4},
    "figure 2": UNTOUCHED | BESIDE_9 | {9: 100, 20: 42, 21: 4},
    "figure 3": UNTOUCHED | BESIDE_9 | {9: 100, 19: 46},
    "figure 4": UNTOUCHED | {8: 132},
    # The paper stops here; the rest follows from its text.
    "after 6": {2: 271, 3: 713, 4: 158, 5: 3436, 6: 100, 23: 16},
    "after 1": {1: 0, 23: 16},
    "the root": {0: 16},
}
RELEASED = {
    "figure 1": {},
    "figure 2": {11: 102},
    "figure 3": {11: 102},
    "figure 4": {11: 102, 9: 100},
    "after 6": {11: 102, 9: 100, 8: 101},
    "after 1": {11: 102, 9: 100, 8: 101, 2: 271, 3: 713, 4: 158, 5: 3436, 6: 100},
}
RELEASED["the root"] = RELEASED["after 1"]
LENT = {
    "figure 1": {},
    "figure 2": {(11, 9): 88},
    "figure 3": {(11, 9): 88},
    "figure 4": {(11, 9): 88},
    "after 6": {(11, 9): 88, (8, 6): 31},
}
LENT["after 1"] = LENT["the root"] = LENT["after 6"]
STEPS = dict(zip(list(AFTER)[1:], (9, 19, 8, 6, 1, 0), strict=True))
ADULT = ["marital_status", "education", "occupation", "workclass", "race", "sex"]


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


class Watched(Suppression):
    """Takes the paper's nodes one by one, and notes the state of the tree after each."""

    seen: dict[str, tuple[dict, dict, dict]]

    def levels(self) -> Iterable[list[int]]:
        Watched.seen = {}
        self._note("figure 1")
        for figure, node in STEPS.items():
            yield [node]
            self._note(figure)

    def _note(self, figure: str) -> None:
        lent = self.engine.con.execute(
            "SELECT from_id, to_id, count(*) FROM ppdt_lent GROUP BY ALL"
        ).fetchall()
        moved = {(a, b): n for a, b, n in lent}
        Watched.seen[figure] = (
            self._counted(self.open.values()), self._counted(self.released), moved
        )  # fmt: skip

    def _counted(self, pools: Iterable[LeafPool]) -> dict[int, int]:
        """The rows of every pool, as it says and as they lie in the relations."""
        rows = self.engine.con.execute(
            "SELECT leaf_id, to_id, count(*) FROM ppdt_row INNER JOIN ppdt_leaf USING (cell_id) "
            "LEFT JOIN ppdt_lent USING (row_id) GROUP BY ALL"
        ).fetchall()
        found = {}
        for pool in pools:
            own = [n for leaf, _, n in rows if leaf in pool.leaves]
            away = [n for leaf, to, n in rows if leaf in pool.leaves and to is not None]
            here = [n for _, to, n in rows if to == pool.node_id]
            found[pool.node_id] = sum(own) - sum(away) + sum(here)
            assert found[pool.node_id] == pool.n_rows
        return found


@pytest.fixture
def steps(
    adult: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> dict[str, tuple[dict, dict, dict]]:
    monkeypatch.setattr("ppdt_db.methods.kactus.Suppression", Watched)
    method = Kactus(k=100, tree=read_tree(figure_1()))
    ppdt_db.anonymize(adult, "adult", quasi=ADULT, target="y", method=method, into="o", keep="rest")
    return Watched.seen


def test_every_state_of_the_papers_tree(steps: dict[str, tuple[dict, dict, dict]]) -> None:
    assert list(steps) == list(AFTER)
    for figure, (is_open, released, lent) in steps.items():
        assert is_open == AFTER[figure], figure
        assert released == RELEASED[figure], figure
        assert lent == LENT[figure], figure


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
        *(({**married, "education": line[1]}, line[6]) for line in FIGURE_1[:4]),
    ]
    assert found == {json.dumps(values): n for values, n in expected}
    assert release.certificate["rows_dropped"] == 16, "the root keeps 16, fewer than k"
    # Only the White lent to node 9, and only node 8's rows to node 6.
    of_number = dict(read(adult, "adult", ["number", "race"]))
    at_private = [n for *v, n in read(adult, "o", [*ADULT, "number"]) if shown(tuple(v)) == private]
    assert Counter(of_number[n] for n in at_private) == {
        "White": 88, "Black": 6, "Asian": 3, "Other": 1, "Indian": 2
    }  # fmt: skip
