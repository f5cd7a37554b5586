"""Naive Bayes, nearest neighbours, rules and regression: against naive oracles, and on releases."""

import json

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.learners import bayes_scores, neighbours
from support import examples, ppdt

from ppdt_db import KNN, Logistic, NaiveBayes, Part, RequestError
from ppdt_db.learn import confusion_matrix, learn

KINDS = ("ordered", "nominal")
HOSTILE = 'so""me; DROP TABLE'
interval = st.one_of(
    st.none(),
    st.tuples(st.integers(0, 6), st.integers(0, 3)).map(
        lambda v: (float(v[0]), float(v[0] + v[1]))
    ),
)
members = st.one_of(st.none(), st.sets(st.sampled_from("ab'"), min_size=1).map(sorted))
rows_of = st.lists(
    st.tuples(st.tuples(interval, members), st.sampled_from(["no", "yes"])), min_size=4, max_size=14
).filter(lambda rows: len({label for _, label in rows}) == 2)


def table(con, name, rows):
    """A table as releases are: bounds and lists."""
    con.execute(f'CREATE TABLE {name} (x_lo DOUBLE, x_hi DOUBLE, "{HOSTILE}" VARCHAR[], y VARCHAR)')
    for (ordered, nominal), label in rows:
        low, high = ordered or (None, None)
        con.execute(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", [low, high, nominal, label])


def predictions(learner, rows, asked):
    """The class of every row asked, one by one."""
    with duckdb.connect() as con:
        table(con, "known", rows)
        view = (
            f'SELECT struct_pack(lo := x_lo, hi := x_hi) IS NULL AS none, "{HOSTILE}", y FROM known'
        )
        assert view
        con.execute(
            f"CREATE VIEW seen AS SELECT CASE WHEN x_lo IS NOT NULL THEN "
            f"concat('[', x_lo, ', ', x_hi, ']') END AS x, \"{HOSTILE}\", y FROM known"
        )
        model = learn(con, "seen", target="y", learner=learner)
        found = []
        for number, row in enumerate(asked):
            table(con, f"asked_{number}", [(row, "?")])
            con.execute(
                f"CREATE VIEW one_{number} AS SELECT CASE WHEN x_lo IS NOT NULL THEN "
                f"concat('[', x_lo, ', ', x_hi, ']') END AS x, \"{HOSTILE}\", y "
                f"FROM asked_{number}"
            )
            ((_, label),) = confusion_matrix(con, model, f"one_{number}", target="y")
            found.append(label)
    return found


def is_told(rows):
    """Whether the table shows of what kind its columns are."""
    return any(row[0] is not None for row, _ in rows)


@examples(25)
@given(rows_of.filter(is_told), st.lists(st.tuples(interval, members), min_size=1, max_size=3))
def test_bayes_is_the_oracles(rows, asked):
    found = predictions(NaiveBayes(), rows, asked)
    for row, label in zip(asked, found, strict=True):
        no, yes = bayes_scores(rows, ["no", "yes"], KINDS, row)
        if abs(no - yes) > 1e-4:
            assert label == ("no" if no > yes else "yes")


@examples(25)
@given(
    rows_of.filter(is_told),
    st.lists(st.tuples(interval, members), min_size=1, max_size=3),
    st.integers(1, 5),
)
def test_neighbours_are_the_oracles(rows, asked, k):
    found = predictions(KNN(k=k), rows, asked)
    assert found == [neighbours(rows, ["no", "yes"], KINDS, k, row) for row in asked]


MANY = """
    CREATE TABLE many AS
    SELECT (i * 7919) % 101 AS a, ['p', 'q', 'r'][1 + (i * 31) % 3] AS b,
        CASE WHEN (i * 7919) % 101 > 40 AND (i * 31) % 3 = 1 OR i % 17 = 0 THEN 'x'
            ELSE 'z' END AS y
    FROM range(600) r (i)
"""


@pytest.mark.parametrize("learner", [NaiveBayes(), KNN(), Part()])
def test_same_for_any_order_and_threads(learner):
    found = []
    for threads, order in ((1, "a"), (2, "b DESC, a DESC")):
        with duckdb.connect() as con:
            con.execute(MANY)
            con.execute(f"SET threads = {threads}")
            con.execute(f"CREATE TABLE turned AS SELECT a, b, y FROM many ORDER BY {order}")
            model = learn(con, "turned", target="y", learner=learner)
            found.append((model.size, confusion_matrix(con, model, "turned", target="y")))
    assert found[0] == found[1]


def test_rules_in_the_database_are_those_in_memory():
    with duckdb.connect() as con:
        con.execute(MANY)
        model = learn(con, "many", target="y", learner=Part())
        taken = confusion_matrix(con, model, "many", target="y")
        query = f"SELECT y, {model.as_sql()}, count(*) FROM many GROUP BY ALL"
        assert {(true, found): n for true, found, n in con.execute(query).fetchall()} == taken
        assert sum(n for (true, found), n in taken.items() if true == found) > 550
        assert json.loads(model.as_json())["rules"]
        assert "Number of Rules" in model.as_text()


def test_rules_of_weather():
    # Overcast days are pure and come first, then rain, which is a leaf, then sun, which is none:
    # of the leaves rain covers most. Then the same with what rain left over.
    days = """
        sunny 85 no|sunny 90 no|overcast 86 yes|rainy 96 yes|rainy 80 yes|rainy 70 no
        |overcast 65 yes|sunny 95 no|sunny 70 yes|rainy 80 yes|sunny 70 yes|overcast 90 yes
        |overcast 75 yes|rainy 91 no
    """
    with duckdb.connect() as con:
        con.execute("CREATE TABLE days (outlook VARCHAR, humidity INTEGER, play VARCHAR)")
        con.executemany("INSERT INTO days VALUES (?, ?, ?)", [d.split() for d in days.split("|")])
        model = learn(con, "days", target="play", learner=Part())
    assert model.as_text().startswith(
        "outlook = rainy: yes (5.0/2.0)\n\noutlook = overcast: yes (4.0)\n\nhumidity > 75: no (3.0)"
    )


@pytest.mark.parametrize(
    "learner", [KNN(k=0), Part(min_rows=0, confidence=2.0), Logistic(penalty=-1.0)]
)
def test_bad_parameters(learner):
    with duckdb.connect() as con, pytest.raises(RequestError):
        learn(con, "many", target="y", learner=learner)


@pytest.mark.parametrize("learner", [NaiveBayes(), KNN(), Part()])
def test_bad_input(learner):
    with duckdb.connect() as con:
        con.execute(MANY)
        con.execute("CREATE VIEW short AS SELECT a, y FROM many")
        con.execute("CREATE VIEW dull AS SELECT a, b, 'x' AS y FROM many")
        con.execute(
            "CREATE VIEW unknown AS SELECT NULL::INTEGER AS a, NULL::VARCHAR AS b, y FROM many"
        )
        con.execute("CREATE VIEW unseen AS SELECT 10 * a AS a, 'new' AS b, y FROM many")
        model = learn(con, "many", target="y", learner=learner)
        with pytest.raises(RequestError, match='"b"'):
            confusion_matrix(con, model, "short", target="y")
        with pytest.raises(RequestError, match="only one value"):
            learn(con, "dull", target="y", learner=learner)
        for odd in ("unknown", "unseen"):
            assert sum(confusion_matrix(con, model, odd, target="y").values()) == 600
            blind = learn(con, odd, target="y", learner=learner)
            assert sum(confusion_matrix(con, blind, "many", target="y").values()) == 600


def test_logistic():
    pytest.importorskip("sklearn")
    with duckdb.connect() as con:
        con.execute(MANY)
        model = learn(con, "many", target="y", learner=Logistic())
        taken = confusion_matrix(con, model, "many", target="y")
    assert sum(n for (true, found), n in taken.items() if true == found) > 480


def test_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn.linear_model", None)
    with duckdb.connect() as con:
        con.execute(MANY)
        with pytest.raises(RequestError, match=r"ppdt-db\[sklearn\]"):
            learn(con, "many", target="y", learner=Logistic())


def test_command_line(tmp_path):
    path = tmp_path / "many.parquet"
    with duckdb.connect() as con:
        con.execute(MANY)
        con.table("many").write_parquet(str(path))
    assert json.loads(ppdt("learn", "bayes", path, "--target", "y", "--json").out)["features"]
    assert "deviation" in ppdt("learn", "bayes", path, "--target", "y").out
    assert ppdt("learn", "bayes", path, "--target", "y", "--sql").code == 2
    assert ppdt("learn", "part", path, "--target", "y", "--sql").out.startswith("CASE")
    refused = ppdt("learn", "bayes", path, "--target", "y", "--unpruned", "--min-rows", 3)
    assert refused.code == 2
    assert "--unpruned" in refused.err and "--min-rows" in refused.err
