"""The way through has no back and forth: what a step reads stands, each relation has one writer."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import duckdb
import pytest
import sqlglot
from sqlglot import exp
from support import PATIENTS, anonymize_patients, mostly_slow

from ppdt_db import (
    Attribute,
    Datafly,
    Erp,
    Kactus,
    Mdav,
    Mdav2k,
    Microaggregate,
    Mict,
    Mondrian,
    Tdr,
    Tds,
    Vmdav,
)
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Nothing, rendered
from ppdt_db.methods import METHODS, Method, Univariate
from ppdt_db.methods.base import LabelColumn, Task
from ppdt_db.policy.hierarchy_specs import grouping, intervals
from ppdt_db.sqltext.templates import Statement

# Relations that a loop writes again from another step: what is open, what is left to try.
SEVERAL_WRITERS = {
    "ppdt_open": {
        "methods/mondrian/open",
        "methods/mondrian/grouped",
        "methods/mondrian/split",
        "methods/mondrian/split_deal",
    },
    "ppdt_growing": {"learn/trees/growing", "learn/trees/descended"},
    "ppdt_node": {"methods/mondrian/node", "methods/mondrian/tried"},
    "ppdt_cut": {
        "methods/mondrian/balanced",
        "methods/mondrian/least_loss",
        "methods/mondrian/most_gain",
    },
    # Microaggregation cuts parts first, and judges its clusters later.
    "ppdt_share": {"guard/share", "guard/group_share"},
    # One step for each form of a label.
    "ppdt_share_<i>": {
        "audit/share_bounds",
        "audit/share_centre",
        "audit/share_node",
        "audit/share_range",
        "audit/share_set",
        "audit/share_value",
    },
    "ppdt_descent": {"methods/tree_partition/entered", "methods/tree_partition/step"},
    "ppdt_walk": {"learn/trees/walk", "learn/trees/moved"},
    "ppdt_place": {"learn/trees/settled", "learn/trees/rested"},
    "ppdt_lent": {"methods/kactus/none_lent", "methods/kactus/lent", "methods/kactus/with_drawn"},
    "ppdt_parent": {"methods/kactus/parent", "methods/kactus/self_parent"},
    "ppdt_remaining": {
        "methods/node_risk/none_remaining",
        "methods/node_risk/left_values",
        "methods/node_risk/left_steps",
    },
    "ppdt_pick": {"methods/mondrian/widest", "methods/mondrian/untried"},
    "ppdt_row": {"encode/placed", "encode/drawn"},
    # The points and the tally shrink; members come cluster by cluster.
    "ppdt_point": {"methods/microaggregate/point", "methods/microaggregate/left"},
    "ppdt_tally": {
        "methods/microaggregate/tally",
        "methods/microaggregate/spent",
        "methods/microaggregate/net_tally",
    },
    "ppdt_taken": {
        "methods/microaggregate/taken",
        "methods/microaggregate/pair",
        "methods/microaggregate/joining",
        "methods/microaggregate/rest",
    },
    "ppdt_member": {
        "methods/microaggregate/none",
        "methods/microaggregate/member",
        "methods/microaggregate/housed",
        "methods/microaggregate/merged",
        "methods/mict/kept",
        "methods/univariate/settled",
        "methods/univariate/missing",
        "methods/mondrian/settled",
    },
    # What a step divides is written again; openings differ by the kind of the attribute.
    "ppdt_touched": {"methods/specialize/state", "methods/specialize/touched"},
    "ppdt_state": {
        "methods/specialize/state",
        "methods/specialize/touched",
        "methods/specialize/recoded",
    },
    "ppdt_fork": {
        "methods/specialize/no_fork",
        "methods/specialize/fork",
        "methods/specialize/flat_fork",
        "methods/specialize/cut_fork",
    },
    "ppdt_generalization": {
        "methods/datafly/no_generalization",
        "methods/datafly/generalization",
        "methods/datafly/flat_generalization",
    },
    "ppdt_generalized": {"methods/datafly/generalized", "methods/datafly/risen"},
    "ppdt_child_<i>": {"methods/specialize/child", "methods/specialize/child_value"},
    # The record measures tight boxes again where single values are shown.
    "ppdt_extent": {"label/extent", "methods/specialize/extent"},
    "ppdt_bucket_<i>": {"methods/specialize/bucket", "methods/specialize/hidden_bucket"},
    "ppdt_candidate": {"methods/mondrian/candidate", "methods/mondrian/child_candidate"},
    # An attribute has a hierarchy or none.
    "ppdt_code_<i>": {"encode/dictionary", "encode/hierarchy/dictionary"},
    # The parts of a tree, with what does not comply in one; as published, that one alone.
    "ppdt_coarse": {
        "methods/mict/leaf_row",
        "methods/mict/pooled",
        "methods/mict/only_pooled",
        "methods/mict/arrived",
        "methods/mict/non_complying",
    },
    # A level's groups, each from those of the level above it, without those that do not comply.
    "ppdt_path_group": {"methods/mict/path_group", "methods/mict/deeper", "methods/mict/complying"},
    # One step down the tree for each of its levels.
    "ppdt_on_path": {"audit/path_start", "audit/path_step"},
    # One for each level of blocks, upwards from the segments, and back down from the goal.
    "ppdt_boundary": {"methods/univariate/goal", "methods/univariate/boundary"},
    "ppdt_path_<i>": {"methods/univariate/segment", "methods/univariate/path"},
    # One for each attribute, by its recoding.
    "ppdt_centre_<i>": {"label/mean", "label/mode"},
}


@dataclass
class Recorder:
    """What the engine was asked to do."""

    alive: set[str] = field(default_factory=set)
    writers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    missing: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    made: dict[str, str] = field(default_factory=dict)
    before: set[str] = field(default_factory=set)
    """What stood when the method began."""
    robbed: set[str] = field(default_factory=set)

    def reading(self, statement: Statement) -> None:
        tree = sqlglot.parse_one(statement.text, read="duckdb")
        inside = {cte.alias for cte in tree.find_all(exp.CTE)}
        for table in tree.find_all(exp.Table):
            if table.name.startswith("ppdt_") and table.name not in inside:
                self.read.add(table.name)
                if table.name not in self.alive | {"ppdt_frame"}:
                    self.missing.append(f"{statement.step} reads {table.name}")

    def writing(self, name: str, step: str) -> None:
        self.alive.add(name)
        self.writers[re.sub(r"_\d+$", "_<i>", name)].add(step)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    record = Recorder()
    wrapped, execute = DuckEngine._wrapped, DuckEngine._execute
    make, rename, drop = DuckEngine.make, DuckEngine.rename, DuckEngine.drop

    def recorded_make(
        self: DuckEngine,
        step: str | Statement,
        params: Mapping = Nothing,
        names: Mapping = Nothing,
        **wishes,
    ) -> str:
        name = make(self, step, params, names, **wishes)
        if wishes.get("inline"):
            put_off = rendered(step, names)
            record.reading(put_off)
            record.writing(name, put_off.step)
            record.made[name] = put_off.step
        return name

    def recorded_wrapped(
        self: DuckEngine, wrapper: str, statement: Statement, params: object, names: Mapping
    ) -> None:
        record.reading(statement)
        wrapped(self, wrapper, statement, params, names)  # type: ignore[arg-type]
        name = names.get("name", "")
        if wrapper in ("lib/engine/make_temp", "lib/engine/append") and isinstance(name, str):
            record.writing(name, statement.step)
            record.made[name] = statement.step

    def recorded_execute(self: DuckEngine, statement: Statement, params: object) -> object:
        if re.match(r"SELECT|WITH", statement.text) and not statement.step.startswith(
            "lib/engine/"
        ):
            record.reading(statement)
        return execute(self, statement, params)  # type: ignore[arg-type]

    def recorded_rename(self: DuckEngine, name: str, to: str) -> None:
        rename(self, name, to)
        record.alive.discard(name)
        record.read.add(name)
        record.writers.pop(name, None)
        record.writing(to, record.made[name])

    def recorded_drop(self: DuckEngine, *names: str) -> None:
        drop(self, *names)
        record.alive.difference_update(names)

    def recorded_form(self: Method, task: Task) -> object:
        record.before = set(record.alive)
        return forms[type(self)](self, task)

    def recorded_label(self: Method, task: Task, formed: object) -> Sequence[LabelColumn]:
        labels = label_of[type(self)](self, task, formed)
        record.robbed |= record.before - record.alive
        return labels

    forms = {method: method.form_classes for method in METHODS.values()}
    label_of = {method: method.label for method in METHODS.values()}
    for method in METHODS.values():
        monkeypatch.setattr(method, "form_classes", recorded_form)
        monkeypatch.setattr(method, "label", recorded_label)
    monkeypatch.setattr(DuckEngine, "_wrapped", recorded_wrapped)
    monkeypatch.setattr(DuckEngine, "_execute", recorded_execute)
    monkeypatch.setattr(DuckEngine, "make", recorded_make)
    monkeypatch.setattr(DuckEngine, "rename", recorded_rename)
    monkeypatch.setattr(DuckEngine, "drop", recorded_drop)
    return record


CHOSEN = {"source": "chosen", "target": "readmitted"}
RUNS: dict[str, dict] = {
    "balanced": {"method": Mondrian(k=5)},
    "balanced with l": {"method": Mondrian(k=5, l=2)},
    "median": {"method": Mondrian(k=5, criterion="median")},
    "median-left": {"method": Mondrian(k=5, criterion="median-left")},
    "ncp": {"method": Mondrian(k=5, criterion="ncp")},
    "foresight": {"method": Mondrian(k=5, criterion="foresight")},
    "infogain": {"method": Mondrian(k=5, criterion="infogain"), "target": "readmitted"},
    "variance": {"method": Mondrian(k=5, criterion="infogain"), "target": "number"},
    "hierarchies": {
        "quasi": [
            Attribute("age", hierarchy="intervals:5,20"),
            Attribute("sex", hierarchy=grouping({"one": ["f"], "other": ["m"]})),
            Attribute("zip", hierarchy="trees"),
        ],
        "sensitive": [Attribute("diagnosis", hierarchy={"letter": "left(diagnosis, 1)"})],
        "method": Mondrian(k=5, t=0.5),
    },
    "hierarchies, ncp": {
        "quasi": [Attribute("age", hierarchy="intervals:5,20"), "sex", "zip"],
        "method": Mondrian(k=5, criterion="ncp"),
    },
    "quantiles": {"quasi": [Attribute("age", hierarchy="quantiles:8,2"), "sex", "zip"]},
    "relaxed": {"method": Mondrian(k=5, l=2, relaxed=True)},
    "live": {"live": True, "accept": ["state-by-state", "reader-side-channels"]},
    "shapes": {"quasi": [Attribute("age", "mean"), Attribute("sex", "mode"), "zip"]},
    "midpoints": {"quasi": [Attribute("age", "midpoint"), "sex", "zip"]},
    "entity": {"entity": "number"},
    "kactus": {"method": Kactus(k=5), **CHOSEN},
    "kactus with models": {"method": Kactus(k=5, l=2, t=0.4), **CHOSEN},
    "kactus with entity": {
        "method": Kactus(k=5, refine=True, plain=True),
        "entity": "number",
        **CHOSEN,
    },
    "kactus refined": {"method": Kactus(k=7, refine=True, criterion="infogain"), **CHOSEN},
    "erp": {"method": Erp(k=5), **CHOSEN},
    "erp with models": {"method": Erp(k=5, l=2, t=0.4), "entity": "number", **CHOSEN},
    "erp tiered": {
        "method": Erp(k=5, tiered=True),
        "accept": ["kk-anonymity"],
        **CHOSEN,
    },
    "tds": {
        "method": Tds(k=5),
        "quasi": ["age", "sex", Attribute("zip", hierarchy=intervals(4, 8))],
        **CHOSEN,
    },
    "tdr with models": {"method": Tdr(k=5, l=2, t=0.4), "entity": "number", **CHOSEN},
    "datafly": {"method": Datafly(k=5, suppress=0.1)},
    "datafly with models": {
        "method": Datafly(k=5, l=2, t=0.4, suppress=0),
        "quasi": ["age", "sex", Attribute("zip", hierarchy=intervals(4, 8))],
        "entity": "number",
        **CHOSEN,
    },
    "mdav": {"method": Mdav(k=5, l=3)},
    "vmdav": {"method": Vmdav(k=5, gain=1.1)},
    "mdav2k": {"method": Mdav2k(k=5, gain=1.1)},
    "univariate": {"method": Univariate(k=5, l=2), "quasi": ["age"], "keep": "rest"},
    "microaggregate": {"method": Microaggregate(k=5, part_rows=50)},
    "microaggregate with models": {
        "method": Microaggregate(k=5, part_rows=50, l=2, entropy=1.2, t=0.5)
    },
    "mict": {"method": Mict(k=5), **CHOSEN},
    "mict with a pool": {"method": Mict(k=30, l=3, gain=1.1), "entity": "number", **CHOSEN},
    "mict as published": {
        "method": Mict(k=5, mode="paper"),
        "accept": ["path-anonymity"],
        **CHOSEN,
    },
    "mict by leaves": {
        "method": Mict(k=5, mode="leaf"),
        "accept": ["leaf-anonymity"],
        **CHOSEN,
    },
}

RUNS |= {
    name: {"method": method(k=5), **CHOSEN}
    for name, method in METHODS.items()
    if not any(type(run.get("method")) is method for run in RUNS.values())
}


QUICK = (
    "balanced with l", "shapes", "kactus with entity", "mdav",
)  # fmt: skip


@pytest.mark.parametrize("run", mostly_slow(RUNS, *QUICK))
def test_what_is_read_was_made_and_every_relation_has_one_writer(
    con: duckdb.DuckDBPyConnection, recorder: Recorder, run: str
) -> None:
    con.execute(PATIENTS)
    con.execute(
        "CREATE TABLE chosen AS SELECT * REPLACE ("
        "zip % 7 < 2 AND (age > 50 OR sex = 'f') OR age IS NULL AS readmitted) FROM patients"
    )
    con.execute(
        "CREATE TABLE trees AS SELECT DISTINCT zip, zip // 4 AS area, '*' AS root FROM patients"
    )
    anonymize_patients(con, **RUNS[run])
    assert recorder.missing == []
    assert recorder.robbed == set(), "dropped by a method that did not make it"
    for name, steps in recorder.writers.items():
        if len(steps) > 1:
            assert steps <= SEVERAL_WRITERS.get(name, set()), f"{name}: {sorted(steps)}"
    unread = {name for name in recorder.made if name not in recorder.read}
    assert unread == set(), "made and never read"
    assert recorder.alive == set(), "left behind"
