"""The commands of kADET: a limit of certainty, cross-validation, and the equivalent table."""

from pathlib import Path

import click
import duckdb
import pytest
from support import every, ppdt

from ppdt_db import Kadet, RequestError, learn, publish_spans
from ppdt_db.cli.main import ppdt as whole
from ppdt_db.cli.resource_options import OPTIONS as LIMITS
from ppdt_db.evaluate import evaluate
from ppdt_db.learn.kadet.certainty import least_l

CLAIMS = """
    SELECT i % 40 AS age, CASE WHEN i % 3 = 0 THEN 'a' ELSE 'b' END AS town, i % 7 AS visits,
        CASE WHEN i % 40 > 20 AND i % 11 > 1 THEN 'yes' ELSE 'no' END AS claims
    FROM range(400) AS r (i)
"""
OF_LEARNER = {
    "c45": [], "id3": [], "bayes": [], "part": [],
    "kadet": ["--public", "age,town", "--k", 5],
}  # fmt: skip
VALUES = {
    "threads": "1", "memory_limit": "1GB", "temp_directory": "spill", "encrypt_temp": None,
    "db_key_file": "key",
}  # fmt: skip


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("claims") / "claims.parquet"
    with duckdb.connect() as con:
        con.execute(f"COPY ({CLAIMS}) TO '{file}'")
    return file


def limit_names() -> list[str]:
    """The resource options that the help of every long-running command lists."""
    names = {parameter.name for parameter in ppdt_command("learn").params}
    return [name for name in VALUES if name in names]


def ppdt_command(name: str) -> click.Command:
    command = whole.get_command(click.Context(whole), name)
    assert command is not None
    return command


def test_no_resource_option_is_left_out() -> None:
    assert len(limit_names()) == len(VALUES) == len(LIMITS)
    learners = ppdt_command("learn").params
    (chosen,) = [p for p in learners if p.name == "learner"]
    assert set(chosen.type.choices) == set(OF_LEARNER)


@pytest.mark.parametrize("option", every(3, VALUES))
@pytest.mark.parametrize("learner", OF_LEARNER)
def test_every_learner_takes_every_resource_option(
    claims: Path, tmp_path: Path, learner: str, option: str
) -> None:
    value = VALUES[option]
    given = [f"--{option.replace('_', '-')}"]
    if value is not None:
        path = tmp_path / value
        path.mkdir() if option == "temp_directory" else None
        given.append(str(path) if option in ("temp_directory", "db_key_file") else value)
    ended = ppdt("learn", learner, claims, "--target", "claims", *OF_LEARNER[learner], *given)
    assert "does not apply" not in ended.err
    if option == "db_key_file":
        assert ended.code == 2 and "--db" in ended.err
    elif option != "encrypt_temp" or "httpfs" not in ended.err:
        assert ended.code == 0, ended.err


# -- a limit of certainty -------------------------------------------------------------------------


def test_the_limit_is_the_l_of_its_entropy(claims: Path) -> None:
    with duckdb.connect() as con:
        asked = {"k": 5, "public": ["age", "town"]}
        limited = learn(con, str(claims), target="claims", learner=Kadet(limit=90, **asked))
        diverse = learn(con, str(claims), target="claims", learner=Kadet(l=least_l(90), **asked))
    assert limited.tree == diverse.tree
    assert limited.certificate["parameters"]["limit"] == 90
    assert limited.certificate["l_measured"] >= round(least_l(90), 6)
    ended = ppdt("learn", "kadet", claims, "--target", "claims", "--public", "age,town", "--k", 5,
                 "--limit", 90)  # fmt: skip
    assert ended.code == 0 and ended.out.strip() == limited.as_text().strip()


def test_of_more_classes_the_limit_asks_for_more() -> None:
    """86 : 7 : 7 has more entropy than 85 : 15, and its first class is above 85 %."""
    three = "SELECT [0, 1, 2][1 + (i % 100 >= 86)::INT + (i % 100 >= 93)::INT] AS y, 1 AS x"
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE t AS {three} FROM range(200) AS r (i)")
        with pytest.raises(Exception, match="diverse"):
            learn(con, "t", target="y", learner=Kadet(k=2, limit=85, public=["x"]))
        assert learn(con, "t", target="y", learner=Kadet(k=2, limit=86, public=["x"])).size == 1
        with pytest.raises(RequestError, match=r"33\.3"):
            learn(con, "t", target="y", learner=Kadet(k=2, limit=30, public=["x"]))
    assert "limit" in Kadet(k=2, limit=101, public=["x"]).faults[0]
    assert "limit" in Kadet(k=2, limit=85, public=["x"], public_class=True).faults[0]


# -- cross-validation -----------------------------------------------------------------------------


@pytest.mark.slow
def test_it_is_evaluated_as_any_learner(claims: Path) -> None:
    shared = ["evaluate", claims, "--target", "claims", "--cv", "2", "--learner"]
    ended = ppdt(*shared, "kadet", "--k", 5, "--public", "age,town", "--json")
    assert ended.code == 0, ended.err
    with duckdb.connect() as con:
        one = evaluate(con, str(claims), target="claims", cv="2",
                       learner=Kadet(k=5, public=["age", "town"]))  # fmt: skip
    assert ended.json["accuracy_mean"] == pytest.approx(one.accuracy_mean, abs=1e-6)
    several = ppdt(*shared, "c45,kadet", "--k", "5,20", "--public", "age,town")
    assert several.code == 0, several.err
    assert all(name in several.out for name in ("c45", "kadet k=5", "kadet k=20"))


def test_what_cannot_be_evaluated_is_said(claims: Path) -> None:
    shared = ["evaluate", claims, "--target", "claims", "--cv", "2"]
    ended = ppdt(*shared, "--public", "age")
    assert ended.code == 2 and "--learner kadet" in ended.err
    ended = ppdt(*shared, "--learner", "kadet", "--public", "age", "--method", "mondrian")
    assert ended.code == 2 and "--method" in ended.err and "--k" in ended.err


# -- the equivalent table -------------------------------------------------------------------------


def test_the_table_is_written_to_a_file_too(claims: Path, tmp_path: Path) -> None:
    out, own = tmp_path / "spans.parquet", tmp_path / "own.parquet"
    asked = ["learn", "kadet", claims, "--target", "claims", "--public", "age,town", "--private",
             "visits", "--k", 20]  # fmt: skip
    ended = ppdt(*asked, "--publish-table", out)
    assert ended.code == 0 and "k measured" in ended.err, ended.err
    learner = Kadet(k=20, public=["age", "town"], private=["visits"])
    with duckdb.connect() as con:
        model = learn(con, str(claims), target="claims", learner=learner)
        release = publish_spans(con, str(claims), learner, model.tree, out=own)
        both = [con.execute(f"FROM '{file}' ORDER BY ALL").fetchall() for file in (out, own)]
    assert both[0] == both[1] and len(both[0]) == 400
    assert release.certificate["k_measured"] >= 20
    refused = ppdt(*asked, "--publish-table", "spans")
    assert refused.code == 2 and ".parquet" in refused.err
