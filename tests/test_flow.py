"""The way through has no back and forth: what a step reads stands, each relation has one writer."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import duckdb
import pytest
import sqlglot
from sqlglot import exp
from support import PATIENTS, anonymize_patients

from ppdt_db import (
    Attribute,
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
from ppdt_db.engine.contract import Nothing, rendered
from ppdt_db.hierarchies import grouping, intervals
from ppdt_db.methods import METHODS, Method, Univariate
from ppdt_db.methods.contract import LabelColumn, Task
from ppdt_db.template import Statement

# Relations that a loop writes again from another step: what is open, what is left to try.
SEVERAL_WRITERS = {
    "ppdt_open": {
        "mondrian/open",
        "mondrian/grouped",
        "mondrian/split",
        "mondrian/split_deal",
        "tree/open",
        "tree/split",
    },
    "ppdt_node": {"mondrian/node", "mondrian/tried", "tree/node"},
    "ppdt_cut": {
        "mondrian/balanced",
        "mondrian/least_loss",
        "mondrian/most_gain",
        "tree/choose",
    },
    # kACTUS grows a tree first, and divides its groups later: one is gone before the other is.
    "ppdt_histogram": {"mondrian/histogram", "tree/histogram"},
    # Microaggregation cuts parts first, and judges its clusters later.
    "ppdt_share": {"guard/share", "guard/group_share"},
    "ppdt_walk": {"inducer/entered", "inducer/step", "tree/walk", "tree/moved"},
    "ppdt_place": {"tree/settled", "tree/rested"},
    "ppdt_lent": {"kactus/none_lent", "kactus/lent", "kactus/with_drawn"},
    "ppdt_parent": {"kactus/parent", "kactus/self_parent"},
    "ppdt_remaining": {"risk/none_remaining", "risk/left_values", "risk/left_steps"},
    "ppdt_pick": {"mondrian/widest", "mondrian/untried"},
    "ppdt_row": {"encode/placed", "encode/drawn"},
    # The points and the tally shrink; members come cluster by cluster.
    "ppdt_point": {"micro/point", "micro/left"},
    "ppdt_tally": {"micro/tally", "micro/spent", "micro/balance"},
    "ppdt_taken": {"micro/taken", "micro/pair", "micro/joining", "micro/rest"},
    "ppdt_member": {
        "micro/none",
        "micro/member",
        "micro/housed",
        "micro/merged",
        "mict/kept",
        "line/settled",
        "line/missing",
        "mondrian/settled",
    },
    # What a step divides is written again; openings differ by the kind of the attribute.
    "ppdt_touched": {"specialize/state", "specialize/touched"},
    "ppdt_state": {"specialize/state", "specialize/touched", "specialize/moved"},
    "ppdt_fork": {
        "specialize/no_fork",
        "specialize/fork",
        "specialize/flat_fork",
        "specialize/cut_fork",
    },
    "ppdt_child_<i>": {"specialize/child", "specialize/child_value"},
    # The record measures tight boxes again where single values are shown.
    "ppdt_extent": {"label/extent", "specialize/extent"},
    "ppdt_lot_<i>": {"specialize/lot", "specialize/hidden_lot"},
    "ppdt_candidate": {"mondrian/candidate", "mondrian/child_candidate"},
    # An attribute has a hierarchy or none.
    "ppdt_code_<i>": {"encode/dictionary", "hierarchy/dictionary"},
    # The parts of a tree, with what does not comply in one; as published, that one alone.
    "ppdt_coarse": {"mict/leaf_row", "mict/pooled", "mict/only_pooled"},
    # One for each level of blocks, upwards from the legs, and back down from the goal.
    "ppdt_stop": {"line/goal", "line/stop"},
    "ppdt_way_<i>": {"line/leg", "line/way"},
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
        if wishes.get("once"):
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
        if wrapper in ("engine/make_temp", "engine/append") and isinstance(name, str):
            record.writing(name, statement.step)
            record.made[name] = statement.step

    def recorded_execute(self: DuckEngine, statement: Statement, params: object) -> object:
        if re.match(r"SELECT|WITH", statement.text) and not statement.step.startswith("engine/"):
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

    def recorded_run(self: Method, task: Task) -> Sequence[LabelColumn]:
        before = set(record.alive)
        labels = runs[type(self)](self, task)
        record.robbed |= before - record.alive
        return labels

    runs = {method: method.run for method in METHODS.values()}
    for method in METHODS.values():
        monkeypatch.setattr(method, "run", recorded_run)
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
        "accept": ["leaf-anonymity"],
        **CHOSEN,
    },
}


@pytest.mark.parametrize("run", RUNS)
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
