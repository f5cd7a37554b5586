"""A release applied to new rows: against an oracle, on its own rows, and asked badly."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle.applied import applied
from support import (
    PATIENTS,
    bag,
    examples,
    make_database,
    mostly_slow,
    objects,
    plain,
    ppdt,
    read,
    temporaries,
)
from tables import POOLS, Column, Table, tables

import ppdt_db
from ppdt_db import Attribute, Erp, Kactus, Mondrian, RequestError, anonymize, load_rules
from ppdt_db.methods import METHODS
from ppdt_db.methods.algorithms.suppress import Suppression
from ppdt_db.methods.base import Method, Task
from ppdt_db.release.publish_duckdb import DuckPublisher
from ppdt_db.tree.tree_json import read_tree

TYPES = ["INTEGER", "VARCHAR", "DOUBLE", "BOOLEAN"]
REASONS = ["no branch", "no released class", "outside the label"]


def taught(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    """A table with a class that follows from its first column, so that trees have branches."""
    table.make(con)
    texts = [text or "" for text in table.columns[0].texts]
    order = sorted(set(texts))
    classes = [order.index(text) % 2 for text in texts]
    assume(len(set(classes)) == 2)
    con.execute(f"CREATE TABLE source AS SELECT *, {classes}[rid + 1] = 1 AS y FROM t")


def released(
    con: duckdb.DuckDBPyConnection, table: Table, method: Method, **options: object
) -> ppdt_db.Release:
    return anonymize(
        con, "source", quasi=table.names, target="y", keep=["rid"], method=method,  # type: ignore[arg-type]
        **{"into": "o", "rules": True, "seed": 1, "accept": [*method.requires_accept], **options},
    )  # fmt: skip


@contextmanager
def noting() -> Iterator[dict[str, set[int]]]:
    """Rows that are lent, and rows of leaves that lend, as a run of kACTUS inside has them."""
    found: dict[str, set[int]] = {}
    settle = Kactus._settle

    def noted(self: Kactus, task: Task, suppression: Suppression) -> object:
        con, rid = task.engine.con, task.encoded.released["rid"]
        placed = f"SELECT r.{rid}, f.leaf_id FROM ppdt_row r JOIN ppdt_leaf f USING (cell_id)"
        lent = con.execute(f"{placed} JOIN ppdt_lent USING (row_id)").fetchall()
        leaves = {leaf for _, leaf in lent}
        found["rows"] = {number for number, _ in lent}
        found["leaves"] = {n for n, leaf in con.execute(placed).fetchall() if leaf in leaves}
        return settle(self, task, suppression)

    with mock.patch.object(Kactus, "_settle", noted):
        yield found


def drawn(data: st.DataObject, table: Table) -> Table:
    """The rows of a table, and some of other values."""
    columns = []
    for column in table.columns:
        known: list[str | None] = [*POOLS[column.type], None]
        more = data.draw(st.lists(st.sampled_from(known), min_size=6, max_size=6))
        columns.append(Column(column.name, column.type, (*column.texts, *more)))
    return Table(tuple(columns))


@examples(8)
@given(table=tables(types=TYPES), data=st.data())
def test_rows_show_what_the_oracle_says(table: Table, data: st.DataObject) -> None:
    method = data.draw(
        st.sampled_from(
            [Kactus(k=2), Kactus(k=3, refine=True), Mondrian(k=2), Erp(k=2), Erp(k=3, tiered=True)]
        )
    )
    with duckdb.connect() as con:
        taught(con, table)
        made = released(con, table, method)
        assert made.rules is not None
        drawn(data, table).make(con, "fresh_rows")
        con.execute("CREATE VIEW fresh AS SELECT *, rid % 2 = 0 AS y FROM fresh_rows")
        done = made.apply("fresh", into="shown")
        rows = [
            dict(zip(table.names, row, strict=True)) | {"rid": rid}
            for *row, rid in con.execute("SELECT * FROM fresh_rows").fetchall()
        ]
        about = made.rules.about
        shapes = {label.attribute: label.shape for label in about.labels}
        with duckdb.connect(str(made.rules.path), read_only=True) as file:
            places = file.execute("SELECT leaf_id, class_id, n_rows FROM place").fetchall()
            labels = {number: label for number, *label in file.execute("FROM label").fetchall()}
        tree = json.loads(about.tree.as_json()) if about.tree else None
        wanted = {row["rid"]: applied(tree, places, labels, shapes, row) for row in rows}
        shown = {rid: tuple(label) for *label, rid in read(con, "shown", [*table.names, "rid"])}
        for rid, label in wanted.items():
            expected = None if isinstance(label, str) else plain(label)
            assert shown.get(rid) == expected
        counted = Counter(label for label in wanted.values() if isinstance(label, str))
        assert done.withheld == {reason: counted[reason] for reason in REASONS}
        assert (done.rows_in, done.rows_shown) == (len(rows), len(shown))
        assert temporaries(con) == []


@examples(8)
@given(table=tables(types=TYPES), data=st.data())
def test_the_rows_it_was_made_from_show_what_they_showed(table: Table, data: st.DataObject) -> None:
    refine, is_plain = data.draw(st.sampled_from([(False, False), (True, False), (True, True)]))
    k = data.draw(st.sampled_from([2, 3]))
    with duckdb.connect() as con, noting() as found:
        taught(con, table)
        made = released(con, table, Kactus(k=k, refine=refine, plain=is_plain))
        assert made.apply("source", into="again").rows_in == table.n_rows
        names = [*table.names, "y", "rid"]
        before = {row[-1]: row for row in read(con, "o", names)}
        after = {row[-1]: row for row in read(con, "again", names)}
        loose = found["leaves"] if refine else found["rows"]
        for rid in set(range(table.n_rows)) - loose:
            assert after.get(rid) == before.get(rid)


@examples(8)
@given(table=tables(types=TYPES), is_tiered=st.booleans())
def test_leaves_of_error_risk_pruning_show_their_own_rows(table: Table, is_tiered: bool) -> None:
    with duckdb.connect() as con:
        taught(con, table)
        accept = ["kk-anonymity"] if is_tiered else []
        made = released(con, table, Erp(k=2, tiered=is_tiered), accept=accept)
        assert made.apply("source", into="again").rows_shown == table.n_rows
        before, after = (read(con, name, [*table.names, "y", "rid"]) for name in ("o", "again"))
        if is_tiered:
            labels = {row[:-2] for row in before}
            assert {row[:-2] for row in after} <= labels
        else:
            assert sorted(before, key=repr) == sorted(after, key=repr)


@examples(8)
@given(table=tables(types=TYPES))
def test_boxes_of_mondrian_hold_their_own_rows(table: Table) -> None:
    with duckdb.connect() as con:
        taught(con, table)
        made = released(con, table, Mondrian(k=3))
        again = made.apply("source", out=Path(made.rules.path.parent, "again.parquet"))  # type: ignore[union-attr]
        assert again.rows_shown == table.n_rows
        path = Path(made.rules.path.parent, "again.parquet")  # type: ignore[union-attr]
        names = [*table.names, "y", "rid"]
        assert read(con, "o", names) == read(con, f"read_parquet('{path}')", names)


# -- on the patients -----------------------------------------------------------------------------

NEW = """
    CREATE TABLE fresh AS
    SELECT * REPLACE (number + 1000 AS number) FROM patients WHERE number < 20
    UNION ALL BY NAME
    SELECT 'x' AS name, 500 AS age, 'f' AS sex, 80001 AS zip, 'flu' AS diagnosis,
        TRUE AS readmitted, 2000 AS number
    UNION ALL BY NAME
    SELECT 'y' AS name, 30 AS age, 'z' AS sex, 80001 AS zip, 'flu' AS diagnosis,
        TRUE AS readmitted, 2001 AS number
"""
ASKED = {
    "quasi": ["age", "sex", "zip"], "target": "diagnosis", "identifiers": ["name"],
    "keep": ["readmitted", "number"], "seed": 1,
}  # fmt: skip


@pytest.fixture
def patients(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(PATIENTS)
    con.execute(NEW)
    con.execute("CREATE TABLE mine AS SELECT 1 AS one")
    return con


def by_sex(con: duckdb.DuckDBPyConnection, **options: object) -> ppdt_db.Release:
    """A release along a tree that tests the sex, then the age."""
    tree = {
        "format": "ppdt tree 1", "target": "diagnosis", "classes": ["a", "b"], "missing": "branch",
        "attributes": [{"name": "SEX", "type": "VARCHAR"}, {"name": "age", "type": "INTEGER"}],
        "nodes": [
            {"weights": [1, 1], "attribute": "SEX", "branches": [
                {"test": "=", "value": "f", "node": 1}, {"test": "=", "value": "m", "node": 2},
            ]},
            {"weights": [1, 1], "attribute": "age", "branches": [
                {"test": "<=", "value": "40", "node": 3}, {"test": ">", "value": "40", "node": 4},
                {"test": "missing", "value": None, "node": 5},
            ]},
            {"weights": [1, 1]}, {"weights": [1, 1]}, {"weights": [1, 1]}, {"weights": [1, 1]},
        ],
    }  # fmt: skip
    method = Kactus(k=4, refine=True, tree=read_tree(json.dumps(tree)))
    return anonymize(
        con, "patients", method=method, into="o", **{"rules": True, **ASKED, **options}
    )  # type: ignore[arg-type]


def test_withheld_rows_are_counted_by_their_reason(patients: duckdb.DuckDBPyConnection) -> None:
    done = by_sex(patients).apply("fresh", into="shown")
    assert done.withheld == {"no branch": 1, "no released class": 0, "outside the label": 1}
    assert (done.rows_in, done.rows_shown) == (22, 20)
    assert done.summary["rows_withheld"] == done.withheld
    assert "not count into k" in str(done.summary["note"])
    columns = [row[0] for row in patients.execute("DESCRIBE shown").fetchall()]
    assert columns == [row[0] for row in patients.execute("DESCRIBE o").fetchall()]


def test_a_leaf_whose_rows_were_dropped_has_no_class(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE source AS SELECT CASE WHEN i < 40 THEN i % 2 ELSE 2 + i % 4 END AS a, "
        "i AS rid, CASE WHEN i < 40 THEN i % 2 = 0 ELSE i % 4 < 2 END AS y FROM range(43) r (i)"
    )
    tree = {
        "format": "ppdt tree 1", "target": "y", "classes": ["a"], "missing": "branch",
        "attributes": [{"name": "a", "type": "BIGINT"}],
        "nodes": [
            {"weights": [1], "attribute": "a", "branches": [
                {"test": "<=", "value": "1", "node": 1}, {"test": ">", "value": "1", "node": 2},
            ]},
            {"weights": [1]}, {"weights": [1]},
        ],
    }  # fmt: skip
    method = Kactus(k=40, tree=read_tree(json.dumps(tree)))
    made = anonymize(
        con, "source", quasi=["a"], target="y", keep=["rid"], method=method, into="o", rules=True,
    )  # fmt: skip
    assert made.certificate["rows_dropped"] == 3
    done = made.apply("source", into="shown")
    assert done.withheld == {"no branch": 0, "no released class": 3, "outside the label": 0}


@pytest.mark.parametrize("form", mostly_slow(["parquet", "csv", "duckdb"], "csv"))
def test_sources_and_files_of_every_form(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path, form: str
) -> None:
    made = by_sex(patients)
    made.apply("fresh", into="shown")
    patients.execute(f"COPY fresh TO '{tmp_path}/new.csv'")
    patients.execute(f"COPY fresh TO '{tmp_path}/new.parquet'")
    patients.execute("CREATE VIEW seen AS SELECT * FROM fresh")
    out = tmp_path / f"out.{form}"
    for new in (
        str(tmp_path / "new.csv"),
        tmp_path / "new.parquet",
        "seen",
        patients.table("seen"),
    ):
        assert made.apply(new, out=out, replace=True).rows_shown == 20
    with pytest.raises(RequestError, match="the file exists"):
        made.apply("fresh", out=out)
    if form == "parquet":
        assert bag(patients, f"'{out}'") == bag(patients, "shown")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "new.csv", "new.parquet", out.name
    ]  # fmt: skip


def test_all_faults_at_once_and_nothing_is_left(patients: duckdb.DuckDBPyConnection) -> None:
    made = by_sex(patients)
    patients.execute("CREATE TABLE bad AS SELECT sex, 'old' AS age, number FROM fresh")
    before = objects(patients)
    with pytest.raises(RequestError) as caught:
        made.apply("bad", into="mine", replace=True)
    text = str(caught.value)
    assert '"age": BIGINT in the release, but VARCHAR' in text
    for missing in ("zip", "diagnosis", "readmitted"):
        assert f'"{missing}": missing from the new rows' in text
    assert "that ppdt apply did not create" in text
    with pytest.raises(RequestError, match="has no rows"):
        made.apply(patients.sql("FROM fresh LIMIT 0"), into="nothing")
    with pytest.raises(RequestError, match="either --into NAME or --out FILE"):
        made.apply("fresh")
    with pytest.raises(RequestError, match="open transaction"):
        patients.begin()
        made.apply("fresh", into="nothing")
    patients.rollback()
    assert objects(patients) == before
    assert temporaries(patients) == []


def test_what_apply_made_can_be_replaced(patients: duckdb.DuckDBPyConnection) -> None:
    made = by_sex(patients)
    made.apply("fresh", into="shown")
    with pytest.raises(RequestError, match="this table exists"):
        made.apply("fresh", into="SHOWN")
    before = bag(patients, "shown")
    made.apply("fresh", into="shown", replace=True)
    assert bag(patients, "shown") == before


@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("mondrian", "kactus")])
def test_methods_that_cannot_be_applied_are_refused(
    patients: duckdb.DuckDBPyConnection, method: str
) -> None:
    made = METHODS[method](k=5)
    if not made.why_not_applicable:
        pytest.skip("it can")
    with pytest.raises(RequestError, match=f"method {method} cannot be applied to new rows: "):
        anonymize(patients, "patients", method=made, into="o", rules=True, **ASKED)  # type: ignore[arg-type]


def test_nodes_of_a_hierarchy_cannot_be_asked_again(patients: duckdb.DuckDBPyConnection) -> None:
    by_prefix = {**ASKED, "quasi": ["age", Attribute("sex", hierarchy={"any": "'*'"})]}
    with pytest.raises(RequestError, match='"sex" has a hierarchy, which a rules file cannot hold'):
        anonymize(patients, "patients", method=Mondrian(k=5), into="o", rules=True, **by_prefix)  # type: ignore[arg-type]


def test_pseudonyms_are_those_of_the_release(patients: duckdb.DuckDBPyConnection) -> None:
    asked = {**ASKED, "keep": ["readmitted"], "pseudonymize": ["number"], "pseudonym_key": "a" * 16}
    made = anonymize(patients, "patients", method=Mondrian(k=5), into="o", rules=True, **asked)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="pseudonyms need the key"):
        made.apply("patients", into="shown")
    with pytest.raises(RequestError, match="not the one of the release"):
        made.apply("patients", into="shown", pseudonym_key="b" * 16)
    made.apply("patients", into="shown", pseudonym_key="a" * 16)
    assert read(patients, "shown") == read(patients, "o")


def test_a_release_without_rules_says_so(patients: duckdb.DuckDBPyConnection) -> None:
    made = anonymize(patients, "patients", method=Mondrian(k=5), into="o", **ASKED)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="made without rules"):
        made.apply("fresh", into="shown")


def test_shapes_without_extent_withhold_nothing(patients: duckdb.DuckDBPyConnection) -> None:
    quasi = [Attribute("age", "bounds"), Attribute("sex", "mode"), Attribute("zip", "mean")]
    made = anonymize(
        patients,
        "patients",
        method=Mondrian(k=5),
        into="o",
        rules=True,
        **{**ASKED, "quasi": quasi},
    )  # type: ignore[arg-type]
    made.apply("patients", into="again")
    assert read(patients, "again") == read(patients, "o")
    done = made.apply("fresh", into="shown")
    assert done.withheld["outside the label"] == 1, "the age alone has an extent"


# -- files of rules, and the command --------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    clinic = make_database(tmp_path / "clinic.duckdb", PATIENTS, NEW)
    rules = tmp_path / "rules.duckdb"
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"rules: {rules}\nquasi: [age, sex, zip]\nidentifiers: [name]\n")
    asked = ("anonymize", "patients", "--db", clinic, "--policy", policy, "--target", "diagnosis",
             "--keep", "rest", "--k", 4, "--method", "kactus", "--refine")  # fmt: skip
    assert ppdt(*asked, "--into", "o").code == 0
    assert rules.stat().st_mode & 0o077 == 0
    ended = ppdt(*asked, "--into", "p")
    assert ended.code == 2 and "the file exists" in ended.err
    done = ppdt("apply", rules, "patients", "--db", clinic, "--into", "again", "--json")
    assert done.code == 0, done.err
    assert done.json["rows_in"] == 200 and done.json["method"] == "kactus"
    out = tmp_path / "out.csv"
    shown = ppdt("apply", rules, "fresh", "--db", clinic, "--out", out)
    assert shown.code == 0 and "withheld: outside the label" in shown.out and out.exists()
    for args, words in (
        ((rules, "fresh", "--into", "again"), "give its file with --db"),
        ((rules, "fresh", "--db", clinic, "--into", "o", "--replace"), "did not create"),
        ((clinic, "fresh", "--db", clinic, "--into", "x"), "not a rules file"),
        ((tmp_path / "none.duckdb", "fresh", "--db", clinic, "--into", "x"), "no such file"),
        ((policy, "fresh", "--db", clinic, "--into", "x"), "not a DuckDB database"),
    ):
        ended = ppdt("apply", *args)
        assert ended.code == 2 and words in ended.err, ended.err


def test_a_file_of_another_version_is_refused(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.duckdb"
    by_sex(patients, rules=rules)
    assert load_rules(rules).apply(patients, "fresh", into="shown").rows_shown == 20
    with duckdb.connect(str(rules)) as con:
        con.execute("UPDATE rules SET format = 'ppdt rules 99'")
    reads = 'but this ppdt reads "ppdt release rules 2"'
    with pytest.raises(RequestError, match=f'"ppdt rules 99", {reads}'):
        load_rules(rules)
    with duckdb.connect(str(rules)) as con:
        con.execute("UPDATE rules SET format = 'ppdt release rules 3'")
    with pytest.raises(RequestError, match=f'"ppdt release rules 3", {reads}'):
        load_rules(rules)
    with duckdb.connect(str(rules)) as con:
        con.execute("UPDATE rules SET format = 'ppdt release rules 2', about = '{}'")
    with pytest.raises(RequestError, match="damaged"):
        load_rules(rules)


def test_a_file_with_the_former_mark_is_read(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rules, former = tmp_path / "rules.duckdb", tmp_path / "former.duckdb"
    by_sex(patients, rules=rules)
    former.write_bytes(rules.read_bytes())
    with duckdb.connect(str(former)) as con:
        found = con.execute("SELECT format FROM rules").fetchall()
        con.execute("UPDATE rules SET format = 'ppdt rules 2'")
    assert found == [("ppdt release rules 2",)]
    load_rules(rules).apply(patients, "fresh", into="shown")
    load_rules(former).apply(patients, "fresh", into="formerly")
    assert patients.execute("FROM shown EXCEPT ALL FROM formerly").fetchall() == []
    assert patients.execute("FROM formerly EXCEPT ALL FROM shown").fetchall() == []


@pytest.mark.parametrize("learner", [ppdt_db.C45(), ppdt_db.NaiveBayes(), ppdt_db.Part()])
def test_a_model_is_not_a_file_of_rules(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path, learner: object
) -> None:
    model = ppdt_db.learn(patients, "patients", target="sex", learner=learner)  # type: ignore[call-overload]
    path = tmp_path / "model.json"
    path.write_text(model.as_json(), "utf-8")
    with pytest.raises(RequestError, match="this is a model of `ppdt learn`, not a rules file"):
        load_rules(path)


def test_a_file_of_rules_is_not_a_model(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rules, db = tmp_path / "rules.duckdb", tmp_path / "clinic.duckdb"
    by_sex(patients, rules=rules)
    duckdb.connect(str(db)).close()
    ended = ppdt("predict", rules, "patients", "--db", db, "--into", "told")
    assert ended.code == 2
    assert "this is a DuckDB file, not a model or a tree" in ended.err, ended.err
    assert "ppdt apply" in ended.err


def test_a_failed_release_leaves_no_rules(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    broken = mock.patch.object(DuckPublisher, "certify", side_effect=ppdt_db.GuaranteeError("no"))
    with pytest.raises(ppdt_db.GuaranteeError), broken:
        by_sex(patients, rules=tmp_path / "rules.duckdb")
    assert list(tmp_path.iterdir()) == []


def test_no_value_stands_in_a_log(patients: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    log = io.StringIO()
    made = by_sex(patients, sql_log=log)
    assert made.rules is not None
    made.rules.apply(patients, "fresh", into="shown", sql_log=log)
    assert "mumps" not in log.getvalue() and "'f'" not in log.getvalue()
