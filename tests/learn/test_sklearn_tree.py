"""A tree taken over from scikit-learn sends every row where scikit-learn sends it."""

import duckdb
import numpy as np
import pytest

from ppdt_db import RequestError
from ppdt_db.learn import predict_into, tree_from_sklearn

tree = pytest.importorskip("sklearn.tree")
NAMES = ["a", 'b "', "c"]


def numbers(seed, *, with_missing=False):
    """Numbers that 32 bits hold only nearly, many of them next to each other."""
    made = np.random.default_rng(seed)
    base = made.integers(0, 40, size=(400, 3)) / 10
    base[:, 1] = 16777216 + made.integers(-3, 4, size=400) + made.integers(0, 3, size=400) / 2
    base[::3, 0] = np.nextafter(base[::3, 0], 9)
    if with_missing:
        base[made.random(base.shape) < 0.2] = np.nan
    known = np.nan_to_num(base)
    return base, (known[:, 0] + (known[:, 1] % 2) + (known[:, 2] > 2) > 3.2).astype(int)


@pytest.mark.parametrize("with_missing", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_row_for_row(seed, with_missing):
    rows, labels = numbers(seed, with_missing=with_missing)
    fitted = tree.DecisionTreeClassifier(max_depth=5, random_state=seed).fit(
        rows[:300], labels[:300]
    )
    ours = tree_from_sklearn(fitted, NAMES, "y", missing=with_missing)
    with duckdb.connect() as con:
        con.execute('CREATE TABLE t (a DOUBLE, "b """ DOUBLE, c DOUBLE, place INTEGER)')
        con.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?)",
            [
                [None if np.isnan(v) else v for v in row] + [i]
                for i, row in enumerate(rows.tolist())
            ],
        )
        predict_into(con, ours, "t", into="found")
        found = con.execute("SELECT predicted_y FROM found ORDER BY place").fetchall()
    assert [int(label) for (label,) in found] == fitted.predict(rows).tolist()


def test_refusals():
    rows, labels = numbers(1)
    with pytest.raises(RequestError, match="not a fitted"):
        tree_from_sklearn(tree.DecisionTreeClassifier(), NAMES, "y")
    fitted = tree.DecisionTreeClassifier(max_depth=2).fit(rows, labels)
    with pytest.raises(RequestError, match="3 columns"):
        tree_from_sklearn(fitted, NAMES[:2], "y")
