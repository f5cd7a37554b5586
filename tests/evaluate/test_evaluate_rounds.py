"""Evaluation on a table held out, of several learners and ks, and through a global recoding."""

from collections import Counter
from dataclasses import dataclass

import duckdb
import pytest
from support import Ended, objects, ppdt, temporaries

from ppdt_db.encode.columns import EncodeOptions
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.evaluate import Privacy, compare, evaluate
from ppdt_db.learn import C45, ID3, SetID3, learn, predict_into
from ppdt_db.methods import Mondrian
from ppdt_db.methods.base import LabelColumn, Method
from ppdt_db.policy.roles import Attribute

TABLE = """
    CREATE TABLE {} AS SELECT
        i % 40 AS a, chr(97 + CAST(i % 3 AS INTEGER)) AS "B b", (i * 7) % 5 AS c,
        i % 7 AS s,
        CASE WHEN i % 11 = 0 THEN 'z' WHEN i % 40 > 20 THEN 'x' WHEN i % 3 = 0 THEN 'y' ELSE 'z' END
        AS y
    FROM range({}, {}) AS r (i)
"""


@pytest.fixture
def con(tmp_path):
    with duckdb.connect() as connection:
        connection.execute(TABLE.format("t", 0, 300))
        connection.execute(TABLE.format("held", 300, 400))
        yield connection


def run(con, tmp_path, *args: object) -> Ended:
    path = tmp_path / "t.parquet"
    con.execute(f"COPY t TO '{path}'")
    return ppdt("evaluate", path, "--target", "y", *args)


def test_a_table_held_out_is_tested_on_and_all_of_the_source_learnt_from(con):
    found = evaluate(con, "t", target="y", cv="holdout=held")
    assert [fold.n_rows for fold in found.folds] == [100]
    # An attacker's count: learn on t, ask every row of held.
    predict_into(con, learn(con, "t", target="y"), "held", into="told")
    right = con.execute("SELECT count(*) FROM told WHERE y = predicted_y").fetchone()[0]
    assert found.folds[0].n_right == right
    assert temporaries(con) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ALTER TABLE held DROP a", '"a": missing from the table to test on'),
        ("ALTER TABLE held ALTER a TYPE VARCHAR", '"a": of type BIGINT in the table to learn'),
        ("ALTER TABLE held ALTER y TYPE BLOB", '"y": of type VARCHAR'),
        ("DELETE FROM held", "no row with a class"),
        ("UPDATE held SET y = NULL", "no row with a class"),
    ],
)
def test_tables_that_cannot_be_tested_on(con, change, message):
    con.execute(change)
    with pytest.raises(RequestError, match=message):
        evaluate(con, "t", target="y", cv="holdout=held")


def test_all_faults_of_a_test_table_at_once(con):
    con.execute("ALTER TABLE held DROP a")
    con.execute('ALTER TABLE held DROP "B b"')
    con.execute('ALTER TABLE held ADD "b B" DATE')
    con.execute('ALTER TABLE held RENAME "b B" TO "b b"')
    with pytest.raises(RequestError) as error:
        evaluate(con, "t", target="y", cv="holdout=held")
    assert '"a"' in str(error.value) and '"B b"' in str(error.value)


def test_a_missing_test_file(con):
    with pytest.raises(RequestError, match="no such file"):
        evaluate(con, "t", target="y", cv="holdout=nowhere.csv")


@pytest.mark.parametrize("learner", [C45(), ID3(), SetID3()])
def test_unseen_values_take_the_majority_of_where_they_are_stuck(con, learner):
    con.execute("UPDATE held SET \"B b\" = 'new', c = 99, a = -5, s = NULL")
    found = evaluate(con, "t", target="y", cv="holdout=held", learner=learner)
    assert found.folds[0].n_rows == 100
    assert 0 < found.accuracy_mean < 1


def test_qis_that_are_no_features_need_not_be_in_the_test_table(con):
    con.execute("ALTER TABLE held DROP s")
    privacy = Privacy(method=Mondrian(k=5), quasi=["s", "a"])
    wishes = {"target": "y", "features": ["a", "c"], "cv": "holdout=held"}
    assert evaluate(con, "t", privacy=privacy, **wishes).gcp
    released = Privacy(method=Mondrian(k=5), quasi=["s", "a"], protocol="PP")
    with pytest.raises(RequestError, match='"s"'):
        evaluate(con, "t", privacy=released, **wishes)


@pytest.mark.slow
def test_several_learners_and_ks_over_the_same_rounds(con):
    privacies = [Privacy(method=Mondrian(k=k), quasi=["a", "B b"]) for k in (2, 20)]
    learners = {"c45": C45(), "sets": SetID3()}
    wishes = {"target": "y", "features": ["a", "B b"], "cv": "2x2"}
    found = compare(con, "t", learners=learners, privacies=privacies, **wishes)
    assert [(e.learner, e.k) for e in found.evaluations] == [
        ("c45", 2), ("c45", 20), ("sets", 2), ("sets", 20),
    ]  # fmt: skip
    for one in found.evaluations:
        learner, privacy = learners[one.learner], privacies[one.k == 20]
        alone = evaluate(con, "t", learner=learner, privacy=privacy, **wishes)
        assert (alone.folds, alone.originals) == (one.folds, one.originals)
    assert list(found.rivals)[:2] == ["c45 original", "sets original"]
    assert len(found.rivals) == 6 and len(found.scores) == 4
    assert found.friedman is not None and 0 <= found.friedman.p_value <= 1
    assert sum(rival.mean_rank for rival in found.ranking) == pytest.approx(6 * 7 / 2)


@pytest.mark.slow
def test_a_frame_as_the_source(con):
    privacy = Privacy(method=Mondrian(k=20), quasi=["a", "c"])
    wishes = {"target": "y", "features": ["a", "c"], "cv": "2", "privacy": privacy}
    found = evaluate(con, con.sql("FROM t"), **wishes)
    assert found.folds == evaluate(con, "t", **wishes).folds
    assert temporaries(con) == []


@pytest.mark.slow
def test_a_release_for_a_round_leaves_no_record(tmp_path):
    with duckdb.connect(str(tmp_path / "d.duckdb")) as con:
        con.execute(TABLE.format("t", 0, 100))
        before = objects(con)
        evaluate(con, "t", target="y", cv="2", privacy=Privacy(method=Mondrian(), quasi=["a"]))
        assert objects(con) == before


@dataclass(frozen=True, kw_only=True)
class Tens(Method):
    """A global recoding: ages by tens, letters as they are or all in one."""

    k: int = 5
    is_torn: bool = False
    name = "tens"
    grain = "cell"
    is_global = True
    controls_recoding = False
    effort = {}  # noqa: RUF012

    def faults(self, roles, columns):
        return []

    def wants(self, roles):
        return EncodeOptions()

    def form_classes(self, task):
        con = task.engine.con
        torn = "|| q1" if self.is_torn else ""
        con.execute(
            f"CREATE TEMP TABLE ppdt_cells AS SELECT cell_id, 'ten ' || (q0 // 10) {torn} AS ten "
            "FROM ppdt_cell"
        )
        con.execute(
            "CREATE OR REPLACE TEMP TABLE ppdt_member AS SELECT cell_id, "
            "dense_rank() OVER (ORDER BY ten) AS class_id FROM ppdt_cells"
        )
        con.execute(
            "CREATE OR REPLACE TEMP TABLE ppdt_label AS SELECT DISTINCT "
            "dense_rank() OVER (ORDER BY ten) AS class_id, ten AS q0, '*' AS q1 FROM ppdt_cells"
        )
        con.execute("DROP TABLE ppdt_cells")

    def label(self, task, _):
        return [
            LabelColumn(name="q0", released="a", attribute="a", shape="node"),
            LabelColumn(name="q1", released="B b", attribute="B b", shape="node"),
        ]


def by_tens(con, **wishes):
    privacy = Privacy(method=Tens(), quasi=["a", "B b"], **wishes)
    return evaluate(con, "t", target="y", cv="holdout=held", privacy=privacy, learner=ID3())


@pytest.mark.slow
def test_test_rows_are_mapped_through_a_global_recoding(con):
    con.execute("UPDATE held SET a = 77 WHERE c = 0")  # Never seen: no label, so unknown.
    found = by_tens(con)
    # By hand: both tables in tens, the unseen age as NULL, the letters all alike.
    for table in ("t", "held"):
        con.execute(
            f"CREATE TABLE {table}_tens AS SELECT CASE WHEN a < 40 THEN 'ten ' || (a // 10) END "
            f"AS a, '*' AS \"B b\", c, s, y FROM {table}"
        )
    alone = evaluate(con, "t_tens", target="y", cv="holdout=held_tens", learner=ID3())
    assert found.folds[0].n_right == alone.folds[0].n_right
    assert found.folds[0].size == alone.folds[0].size
    as_they_are = by_tens(con, is_mapped=False)
    assert as_they_are.folds[0].size == found.folds[0].size
    assert as_they_are.folds[0].n_right < found.folds[0].n_right


@pytest.mark.slow
def test_mapping_in_cross_validation_and_with_a_column_of_the_numbers_name(con):
    con.execute("ALTER TABLE t ADD COLUMN row_number INTEGER DEFAULT 1")
    privacy = Privacy(method=Tens(), quasi=["a", "B b"])
    found = evaluate(con, "t", target="y", cv="2", privacy=privacy)
    assert sum(fold.n_rows for fold in found.folds) == 300


def test_only_what_is_global_is_mapped(con):
    with pytest.raises(EngineError, match="two labels"):
        privacy = Privacy(method=Tens(is_torn=True), quasi=["a", "B b"])
        evaluate(con, "t", target="y", cv="holdout=held", privacy=privacy)
    for wishes, message in (
        ({"method": Mondrian(), "is_mapped": True}, "in different classes"),
        ({"method": Tens(), "is_mapped": True, "protocol": "PP"}, "protocol PO"),
        ({"method": Mondrian(), "protocol": "XX"}, "protocol XX"),
    ):
        with pytest.raises(RequestError, match=message):
            evaluate(con, "t", target="y", cv="2", privacy=Privacy(quasi=["a"], **wishes))


def test_what_a_learner_cannot_read(con):
    for wishes, message in (
        ({"reading": "released"}, "--recode released: not supported by this learner, which reads"),
        ({"quasi": [Attribute("a", "bounds")]}, "bounds"),
        ({"quasi": []}, "no quasi-identifier"),
    ):
        privacy = Privacy(**{"method": Mondrian(), "quasi": ["a"], **wishes})
        with pytest.raises(RequestError, match=message):
            evaluate(con, "t", target="y", cv="2", privacy=privacy, learner=SetID3())


@pytest.mark.slow
def test_rounds_as_a_relation(con, tmp_path):
    path = tmp_path / "d.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(TABLE.format("t", 0, 300))
    args = (
        "t", "--db", path, "--target", "y", "--features", "a", "--cv", "2", "--learner", "c45,id3",
        "--method", "mondrian", "--qi", "a", "--k", "2,10", "--into", "rounds", "--json",
    )  # fmt: skip
    ended = ppdt("evaluate", *args)
    assert ended.code == 0, ended.err
    assert len(ended.json["evaluations"]) == 4 and "friedman_p" in ended.json
    with duckdb.connect(str(path)) as con:
        rows = con.execute("SELECT learner, data, k, gcp IS NULL FROM rounds").fetchall()
        before = objects(con)
    assert Counter(rows) == {
        (learner, *kind): 2
        for learner in ("c45", "id3")
        for kind in (("original", None, True), ("released", 2, False), ("released", 10, False))
    }
    again = ppdt("evaluate", *args)
    assert again.code == 2 and "rounds" in again.err and not again.out
    with duckdb.connect(str(path)) as con:
        assert objects(con) == before


@pytest.mark.slow
def test_other_constraints_of_the_guard(con, tmp_path):
    args = ("--cv", "2", "--method", "mondrian", "--qi", "a", "--k", "2", "--l", "3", "--json")
    assert "sensitive" in run(con, tmp_path, *args).err
    ended = run(con, tmp_path, *args, "--sensitive", "s", "--criterion", "ncp")
    loose = run(con, tmp_path, *(a for a in args if a not in ("--l", "3")))
    assert ended.code == 0, ended.err
    assert ended.json["gcp"] > loose.json["gcp"]


@pytest.mark.slow
def test_plot(con, tmp_path):
    args = ("--cv", "2", "--features", "c", "--method", "mondrian", "--qi", "a", "--k", "2,10,40")
    ended = run(con, tmp_path, *args, "--plot", tmp_path / "p.svg", "--learner", "c45,id3")
    assert ended.code == 0, ended.err
    text = (tmp_path / "p.svg").read_text("utf-8")
    assert text.count("<circle") == 2 * 3 * 2 + 2 and "prefers-color-scheme: dark" in text
    one = run(con, tmp_path, *args[:-1], "5", "--plot", tmp_path / "q.svg")
    assert one.code == 0, one.err


def test_plots_that_cannot_be_drawn(con, tmp_path):
    args = ("--cv", "2", "--plot")
    assert ".svg or .png" in run(con, tmp_path, *args, "p.gif").err
    assert "folder" in run(con, tmp_path, *args, tmp_path / "no" / "p.svg").err
    assert "--method" in run(con, tmp_path, *args, tmp_path / "p.svg").err


def test_requests_that_make_no_sense(con, tmp_path):
    for args, message in (
        (("--learner", "c45,oracle"), "--learner oracle"),
        (("--k", "5"), "--method"),
        (("--method", "mondrian", "--qi", "a", "--k", "2,x"), "--k 2,x"),
        (("--method", "mondrian", "--qi", "a", "--k", "1"), "k=1"),
        (("--method", "mondrian", "--qi", "a", "--recode", "b=mean"), "recode"),
        (("--method", "mondrian", "--qi", "nothing"), "nothing"),
        (("--into", "x"), "--db"),
    ):
        ended = run(con, tmp_path, "--cv", "2", *args)
        assert ended.code == 2 and message in ended.err, ended
