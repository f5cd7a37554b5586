"""What a run is said to take: counts, laws, and the estimate beside the fact."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import (
    FLAGS,
    PATIENTS,
    SECRET,
    anonymize_patients,
    make_database,
    mostly_slow,
    objects,
    ppdt,
    read,
    temporaries,
)

import ppdt_db
from ppdt_db import Mondrian, RequestError, Univariate
from ppdt_db.cost.effort import AFTER, BEFORE, corrected, guessed
from ppdt_db.cost.monitor import EngineBytes, ResourceMonitor, used
from ppdt_db.cost.scaling import (
    BY_CELLS,
    BY_LEVELS,
    BY_PAIRS,
    Size,
    Trial,
    held_of,
    levels_of,
    off_by,
    seconds_of,
    work_of,
)
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import deadline
from ppdt_db.methods import METHODS
from ppdt_db.plan import allowance, trials
from ppdt_db.plan.allowance import MOST_SECONDS, Allowance, TooLongError
from ppdt_db.plan.api import _room, bytes_of
from ppdt_db.plan.estimate import Room, extrapolate
from ppdt_db.progress import no_progress
from ppdt_db.sqltext.quoting import ident
from ppdt_db.sqltext.templates import Statement

QUASI = ["age", "sex", "zip"]
ROLES = {"identifiers": ["name"], "quasi": QUASI, "sensitive": ["diagnosis"], "keep": "rest"}


@pytest.fixture
def patients(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(PATIENTS.replace("range(200)", "range(3000)").replace("'name '", f"'{SECRET} '"))
    return con


@pytest.fixture
def generous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the plan of a short run take what only that of a long one may: there are trials."""
    monkeypatch.setattr(allowance, "SHARE", 1000.0)


def test_a_plan_counts_exactly_and_leaves_nothing(patients: duckdb.DuckDBPyConnection) -> None:
    before = objects(patients)
    found = ppdt_db.plan(patients, "patients", method=Mondrian(k=5), **ROLES)
    rows = read(patients, "patients", QUASI)
    assert found.rows == 3000 and found.cells == len(set(rows))
    assert found.values == {
        name: len({row[place] for row in rows}) for place, name in enumerate(QUASI)
    }
    assert set(found.seconds) == {"encode", "partition", "recode", "audit"}
    assert found.memory_bytes > 0 and found.disk_bytes == 0
    assert 1 <= found.levels <= 2 * math.log2(3000)
    assert SECRET not in str(found)
    assert objects(patients) == before and temporaries(patients) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "models", [{"t": 0.9}, {"alpha": 0.9}, {"delta": 9.0}, {"l": 2, "entropy": 1.1}]
)
def test_models_beside_k_have_a_plan(
    patients: duckdb.DuckDBPyConnection, models: dict, generous: None
) -> None:
    wish = {**ROLES, "method": Mondrian(k=5, **models)}
    found = ppdt_db.plan(patients, "patients", **wish)
    assert found.levels > 1 and found.how["tried_rows"]
    release = ppdt_db.anonymize(patients, "patients", **wish, into="safe", plan=True)
    assert release.certificate["plan"]


def test_the_estimate_stands_beside_the_fact(patients: duckdb.DuckDBPyConnection) -> None:
    release = anonymize_patients(patients, plan=True)
    made = release.certificate["plan"]
    assert isinstance(made, dict)
    estimate, fact = made["estimate"], made["fact"]
    assert estimate["rows"] == fact["rows"] == 3000
    assert estimate["cells"] == fact["cells"]
    assert abs(estimate["levels"] - fact["levels"]) <= 2
    assert set(fact) == set(estimate)
    assert {"encode", "partition", "recode", "audit"} <= set(fact["seconds"])
    assert SECRET not in json.dumps(made)
    again = anonymize_patients(patients, into="again")
    assert "plan" not in again.certificate
    assert (
        read(patients, "again", QUASI)
        and again.certificate["k_measured"] == (release.certificate["k_measured"])
    )


def test_the_plan_changes_nothing_of_the_release(patients: duckdb.DuckDBPyConnection) -> None:
    for name, plan in (("with_plan", True), ("without", False)):
        anonymize_patients(patients, into=name, plan=plan, seed=1)
    assert Counter(read(patients, "with_plan")) == Counter(read(patients, "without"))


MANY_COLUMNS = [name for name in METHODS if name != "univariate"]


@pytest.mark.parametrize("is_tried", mostly_slow([True, False], True))
@pytest.mark.parametrize("name", mostly_slow(MANY_COLUMNS, "mondrian", "tds"))
def test_every_method_has_a_plan(
    patients: duckdb.DuckDBPyConnection, name: str, is_tried: bool, request: pytest.FixtureRequest
) -> None:
    if is_tried:
        request.getfixturevalue("generous")
    before = objects(patients)
    method = METHODS[name](k=60)
    roles = {"identifiers": ["name"], "quasi": QUASI, "target": "diagnosis", "keep": "rest"}
    found = ppdt_db.plan(patients, "patients", method=method, **roles)
    assert {"encode", "recode", "audit"} < set(found.seconds)
    assert bool(found.how["tried_rows"]) == is_tried
    assert bool(found.levels) == bool({"partition", "grow"} & set(found.seconds))
    assert objects(patients) == before and temporaries(patients) == []
    release = ppdt_db.anonymize(patients, "patients", method=method, into="r", plan=found, **roles)
    checked = release.certificate["plan"]
    assert set(checked["estimate"]["seconds"]) == set(checked["fact"]["seconds"]) - {"read", "show"}


def test_one_number_has_a_plan(patients: duckdb.DuckDBPyConnection) -> None:
    roles = {"quasi": ["age"], "keep": "rest"}
    found = ppdt_db.plan(patients, "patients", method=Univariate(k=5), **roles)
    assert found.seconds["cluster"] > 0 and found.levels == 0


def test_all_faults_come_at_once(patients: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(RequestError) as error:
        ppdt_db.plan(patients, "patients", quasi=["age", "seks"], method=Mondrian(k=9999))
    text = str(error.value)
    for word in ("seks", "9,999" if "9,999" in text else "9999", '"zip": no role', "Lower k"):
        assert word in text
    assert SECRET not in text


def test_the_command_line(tmp_path: Path) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    args = ["patients", "--db", path, *FLAGS, "--k", 5]
    found = ppdt("plan", *args, "--json").json
    assert found["rows"] == 200 and set(found["values"]) == set(QUASI)
    assert found["advice"] and found["how"]["counts"] == "exact"
    shown = ppdt("plan", *args)
    assert shown.code == 0 and "levels" in shown.out and "memory" in shown.out
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"source: patients\ndb: {path}\nquasi: [age, sex, zip]\nkeep: rest\nk: 5\n")
    assert ppdt("plan", "--policy", policy, "--json").json["cells"] == found["cells"]
    refused = ppdt("plan", *args, "--method", "tds")
    assert refused.code == 2 and "needs a target" in refused.err
    assert ppdt("plan", *args, "--t", 0.9, "--recode", "zip=set", "--json").json["cells"]
    order = tmp_path / "order.txt"
    order.write_text("f\n")
    refused = ppdt("plan", *args, "--order", f"sex={order}")
    assert refused.code == 2 and 'order "sex": 1 values' in refused.err
    policy.write_text(policy.read_text() + "engine: spark\n")
    refused = ppdt("plan", "--policy", policy)
    assert refused.code == 2 and "Spark" in refused.err
    ended = ppdt("anonymize", *args, "--into", "safe", "--plan")
    assert ended.code == 0, ended.err
    assert "estimate" in ended.out and "measured" in ended.out
    assert "plan" in ppdt("anonymize", *args, "--into", "two", "--plan", "--json").json


def test_without_a_place_for_temporary_files_there_is_no_room(tmp_path: Path) -> None:
    for place in ("", str(tmp_path), str(tmp_path / "not" / "yet")):
        with duckdb.connect(config={"temp_directory": place}) as con:
            assert (_room(DuckEngine(con)).disk_free > 0) == bool(place)


@pytest.mark.slow
def test_a_part_too_small_for_the_guarantee_is_passed_over(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, generous: None
) -> None:
    # Few rows hold few different words: only the larger samples have what each class must have.
    con.execute("CREATE TABLE t AS SELECT i AS a, (i * 7919) % 400 AS word FROM range(60000) r (i)")
    roles = {"quasi": ["a"], "sensitive": ["word"]}
    easy = ppdt_db.plan(con, "t", method=Mondrian(k=5), **roles)
    hard = ppdt_db.plan(con, "t", method=Mondrian(k=5, entropy=300.0), **roles)
    assert len(hard.how["tried_rows"]) < len(easy.how["tried_rows"])
    monkeypatch.setattr(trials, "LARGEST_ROWS", 1200)
    none = ppdt_db.plan(con, "t", method=Mondrian(k=5, entropy=399.0), **roles)
    assert none.how["tried_rows"] == [] and none.seconds_total > 0
    assert temporaries(con) == []


@pytest.mark.parametrize("k", [2, 60, 150])
def test_small_sources_have_a_plan_too(con: duckdb.DuckDBPyConnection, k: int) -> None:
    con.execute(PATIENTS)
    assert ppdt_db.plan(con, "patients", method=Mondrian(k=k), **ROLES).rows == 200


def test_few_cells_are_looked_at_as_a_whole(con: duckdb.DuckDBPyConnection, generous: None) -> None:
    con.execute("CREATE TABLE one AS SELECT 1 AS a, 2 AS b FROM range(5000)")
    found = ppdt_db.plan(con, "one", quasi=["a", "b"], method=Mondrian(k=10))
    assert (found.rows, found.cells) == (5000, 1) and found.how["tried_rows"] == [5000]


values = st.one_of(st.none(), st.sampled_from(["", "a", "A", "'", '"', "é", "a|b", "1:a"]))


@given(st.lists(st.tuples(values, values), min_size=1, max_size=40))
def test_cells_and_samples_go_by_values(rows: list[tuple]) -> None:
    with duckdb.connect() as con:
        con.execute('CREATE TABLE t ("a ""b" VARCHAR, "select" VARCHAR)')
        con.executemany("INSERT INTO t VALUES (?, ?)", rows)
        quasi = ['a "b', "select"]
        found = ppdt_db.plan(con, "t", quasi=quasi, method=Mondrian(k=2)) if len(rows) > 1 else None
        if found is not None:
            assert found.cells == len(set(rows))
        engine = DuckEngine(con)
        columns = dict.fromkeys(quasi, "VARCHAR")
        names = {
            "source": ident("t"), "columns": columns, "quasi": columns, "n_looked_at": None,
        }  # fmt: skip
        for below in (2**31, 2**28):
            engine.make("tools/plan/sample", {"below": below}, names)
            sample = Counter(read(con, "ppdt_sample", quasi))
            whole = Counter(rows)
            # A cell is in the sample with all of its rows, or not at all.
            assert all(sample[cell] == whole[cell] for cell in sample)


LAWS = {"grow": BY_CELLS, "cluster": BY_PAIRS, "partition": BY_LEVELS}


def sized(n_rows: int, n_cells: int) -> Size:
    return Size(n_rows=n_rows, n_cells=n_cells, laws=LAWS)


def trial(n: int, n_levels: int, *, pace: float = 1e-6, width: int = 100) -> Trial:
    """A trial on a machine that keeps to the laws."""
    work = {
        "encode": 0.1 + pace * n, "grow": 0.2 + pace * n**1.5, "cluster": pace * n * (1 + n / 1000),
        "partition": n_levels * (0.05 + pace * n), "recode": 0.1 + pace * n,
        "audit": 0.2 + 2 * pace * n,
    }  # fmt: skip
    held = {stage: EngineBytes(tables=width * n, others=10**7) for stage in work}
    return Trial(
        size=sized(n_rows=n, n_cells=n), n_levels=n_levels, row_bytes=0, seconds=work,
        work_seconds=work, held_bytes=held, own_bytes=10**8,
    )  # fmt: skip


TRIALS = [trial(20_000, 9), trial(80_000, 12), trial(320_000, 14)]


def test_the_laws_find_what_keeps_to_them() -> None:
    n = 5_120_000
    whole = sized(n_rows=n, n_cells=n)
    levels = levels_of(TRIALS[-1], whole, 10)
    assert levels == 18
    work = work_of(TRIALS, whole, levels)
    for stage, seconds in trial(n, levels).work_seconds.items():
        assert work[stage] == pytest.approx(seconds, rel=0.02)
    assert seconds_of(work, TRIALS[-1], whole, 1) == pytest.approx(work)
    # Rows stand beside cells in the stages that are not of cells.
    assert held_of(TRIALS, whole, 2) == pytest.approx(100 * n + 10**7)


@pytest.mark.parametrize("n_trials", [1, 2, 3])
def test_what_does_not_grow_stays(n_trials: int) -> None:
    same = [replace(one, work_seconds=dict.fromkeys(one.work_seconds, 1.0)) for one in TRIALS]
    whole = sized(n_rows=10**8, n_cells=10**8)
    work = work_of(same[:n_trials], whole, same[n_trials - 1].n_levels)
    assert all(seconds <= 1.5 for seconds in work.values())


def test_nothing_falls_or_is_negative_where_trials_say_so() -> None:
    falling = [replace(one, work_seconds=back.work_seconds) for one, back in
               zip(TRIALS, reversed(TRIALS), strict=True)]  # fmt: skip
    work = work_of(falling, sized(n_rows=10**7, n_cells=10**7), 20)
    assert all(seconds >= 0 for seconds in work.values())


def test_levels_end_with_the_cells() -> None:
    large = trial(1000, 9)
    few, many = (Size(n_rows=n, n_cells=1000) for n in (1000, 10**9))
    more = levels_of(large, many, 10) - levels_of(large, few, 10)
    assert more == round(math.log2(1000 / 100))
    assert levels_of(replace(large, n_levels=0), many, 10) == 0


def test_a_plan_may_take_a_tenth_of_the_run_and_never_more_than_the_most() -> None:
    budget = Allowance()
    for run_seconds in (0.0, 1.0, 30.0, 100.0, 149.0, 10_000.0):
        allowed = budget.allowed(run_seconds)
        assert allowed <= run_seconds / 10 and allowed <= MOST_SECONDS <= 15


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many statements ran in each stage; `now` is to be told the stage."""
    counts: Counter[str] = Counter()
    execute = DuckEngine._execute

    def counting(engine: DuckEngine, *args: object) -> list:
        counts[STAGE[0]] += 1
        return execute(engine, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckEngine, "_execute", counting)
    return counts


STAGE = [""]


def now(stage: str, share: float) -> None:
    STAGE[0] = stage


@pytest.mark.parametrize("k", mostly_slow([5, 60], 60))
@pytest.mark.parametrize("name", mostly_slow(METHODS, "mondrian", "mdav"))
def test_the_effort_of_a_method_is_counted(
    patients: duckdb.DuckDBPyConnection, name: str, k: int, statements: Counter[str]
) -> None:
    quasi = ["age"] if name == "univariate" else QUASI
    roles = {"identifiers": ["name"], "quasi": quasi, "target": "diagnosis", "keep": "rest"}
    method = METHODS[name](k=k)
    now("plan", 0.0)
    found = ppdt_db.plan(patients, "patients", method=method, **roles)
    now("", 0.0)
    ppdt_db.anonymize(patients, "patients", method=method, into="r", progress=now, **roles)
    size = Size(n_rows=3000, n_cells=found.cells)
    stages = {**BEFORE, **method.effort, **AFTER}
    told = {stage: effort.statements(size, k, len(quasi)) for stage, effort in stages.items()}
    # A plan is to take a tenth of the run, so it cannot run more statements than that.
    run = {stage: n for stage, n in statements.items() if stage != "plan"}
    assert statements["plan"] <= sum(run.values()) / 10
    assert set(told) <= set(run) <= {*told, "", "read", "show"}
    # How deep a tree grows, and how often a value is specialized, is up to the data.
    driven = {"grow", "prune", "suppress", "specialize", "cluster" if name == "mict" else ""}
    for stage in told.keys() - driven:
        assert 1 / 2 <= (told[stage] + 20) / (statements[stage] + 20) <= 2, (stage, told, run)
    assert 1 / 3 <= sum(told.values()) / sum(statements[stage] for stage in told) <= 3


def test_one_trial_corrects_what_counts_tell() -> None:
    small, whole = Size(n_rows=1000, n_cells=1000), Size(n_rows=10**6, n_cells=10**6)

    def guess(size: Size) -> Trial:
        return guessed(Mondrian().effort, size, k=10, n_attributes=3, n_columns=5)

    twice = replace(
        guess(small),
        work_seconds={stage: 2 * spent for stage, spent in guess(small).work_seconds.items()},
        n_levels=guess(small).n_levels + 1,
    )
    found = corrected(guess(whole), guess(small), twice)
    assert found.n_levels == guess(whole).n_levels + 1
    assert found.size == whole
    for stage, spent in guess(whole).work_seconds.items():
        assert found.work_seconds[stage] == pytest.approx(2 * spent)


@pytest.fixture
def many(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(PATIENTS.replace("range(200)", "range(40000)"))
    return con


def test_trials_end_before_one_that_the_plan_may_not_take(
    many: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, generous: None
) -> None:
    wish = {**ROLES, "method": Mondrian(k=5)}
    n_all = len(ppdt_db.plan(many, "patients", **wish).how["tried_rows"])
    monkeypatch.setattr(allowance, "SHARE", 0.0)
    found = ppdt_db.plan(many, "patients", **wish)
    assert len(found.how["tried_rows"]) == 0 < 2 <= n_all
    assert found.how["off_by"] is None and found.seconds_total > 0


def test_a_trial_that_takes_too_long_is_given_up(
    patients: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, generous: None
) -> None:
    before = objects(patients)
    begun = []

    def allowed(self: Allowance, run_seconds: float) -> float:
        begun.append(self.spent)
        # All before the trial begins; once it runs, nothing.
        return 1000.0 if len(begun) < 3 else begun[-1]

    monkeypatch.setattr(Allowance, "allowed", allowed)
    found = ppdt_db.plan(patients, "patients", method=Mondrian(k=5), **ROLES)
    assert len(begun) == 3 and found.how["tried_rows"] == []
    assert objects(patients) == before and temporaries(patients) == []


def test_a_deadline_ends_a_long_statement(con: duckdb.DuckDBPyConnection) -> None:
    engine = DuckEngine(con)
    endless = Statement(
        step="test", header="", params=frozenset(),
        text="SELECT count(*) FROM range(10000000) a (i), range(10000000) b (j) WHERE i < 2 * j",
    )  # fmt: skip
    with pytest.raises(TooLongError), deadline(con, lambda: True, TooLongError):
        engine._execute(endless, {})
    assert engine.count("lib/engine/transaction") >= 0
    with deadline(con, lambda: False, TooLongError):
        assert engine.count("lib/engine/transaction") >= 0


def test_a_plan_says_how_far_it_is(patients: duckdb.DuckDBPyConnection, generous: None) -> None:
    told: list[tuple[str, float]] = []
    ppdt_db.plan(
        patients, "patients", method=Mondrian(k=5), **ROLES,
        progress=lambda stage, share: told.append((stage, share)),
    )  # fmt: skip
    assert {stage for stage, _ in told} == {"plan"} and len(told) > 10
    shares = [share for _, share in told]
    assert shares == sorted(shares) and 0 < shares[-1] <= 0.99


def test_trials_tell_how_far_off_they_may_be() -> None:
    whole = sized(n_rows=10**7, n_cells=10**7)
    assert off_by(TRIALS[:2], whole) is None
    keeps_to_laws = off_by(TRIALS, whole)
    odd = replace(TRIALS[-1], work_seconds={k: 9 * v for k, v in TRIALS[-1].work_seconds.items()})
    does_not = off_by([*TRIALS[:2], odd], whole)
    assert keeps_to_laws is not None and does_not is not None
    assert 1.2 <= keeps_to_laws < does_not


@pytest.mark.parametrize("limit", [10**8, 10**11])
def test_lines_on_memory_agree(limit: int) -> None:
    room = Room(threads=2, memory_limit=limit, disk_free=10**12)
    whole = sized(n_rows=10**7, n_cells=10**7)
    found = extrapolate(TRIALS, whole, values={}, k=10, room=room, how={})
    words = r"(?:needs about|uses all of the) ([0-9,]+) MB .* about ([0-9,]+) MB for the process"
    engine, beside = re.search(words, found.advice[0]).groups()  # type: ignore[union-attr]
    parts = sum(int(number.replace(",", "")) for number in (engine, beside))
    assert abs(parts - found.memory_bytes // 2**20) <= 1


@pytest.mark.parametrize("disk_free, word", [(10**12, "--memory-limit"), (1, "--temp-directory")])
def test_what_does_not_fit_is_said(disk_free: int, word: str) -> None:
    room = Room(threads=2, memory_limit=10**8, disk_free=disk_free)
    whole = sized(n_rows=10**7, n_cells=10**7)
    found = extrapolate(TRIALS, whole, values={}, k=10, room=room, how={})
    assert found.memory_wanted_bytes == 10**9 + 10**7
    assert 0 < found.disk_bytes <= found.memory_wanted_bytes - 0.95 * 10**8
    assert found.memory_bytes == 2 * 10**8
    assert word in " ".join(found.advice)


@pytest.mark.parametrize(
    "text, n_bytes", [("18.8 GiB", int(18.8 * 2**30)), ("512 bytes", 512), ("1.5MB", 1_500_000)]
)
def test_sizes_are_read(text: str, n_bytes: int) -> None:
    assert bytes_of(text) == n_bytes


def test_a_size_of_no_known_form_is_refused() -> None:
    with pytest.raises(RequestError, match="memory limit"):
        bytes_of("much")


def test_the_gauge_sees_what_comes_and_goes(tmp_path: Path) -> None:
    (tmp_path / "before").write_bytes(bytes(5_000_000))
    with ResourceMonitor(no_progress, tmp_path) as gauge:
        gauge("one", 0.0)
        (tmp_path / "meanwhile").write_bytes(b"x" * 3_000_000)
        gauge._look()
        (tmp_path / "meanwhile").unlink()
        gauge("partition", 0.0)
        gauge("partition", 0.5)
    taken = gauge.taken
    assert 3_000_000 <= taken.disk_bytes < 5_000_000
    assert list(taken.seconds) == ["one", "partition"]
    assert taken.turns == {"one": 1, "partition": 2} and taken.levels == 2
    assert taken.memory_bytes > 10_000_000
    assert used(tmp_path / "nothing") == 0


def test_a_plan_does_not_hide_the_other_faults(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    with pytest.raises(RequestError) as error:
        ppdt_db.anonymize(
            patients, "patients", quasi=["age", "seks"], out=tmp_path / "no" / "o.parquet",
            method=Mondrian(k=5), plan=True,
        )  # fmt: skip
    text = str(error.value)
    assert "seks" in text and "the folder does not exist" in text and "no role" in text
    path = make_database(tmp_path / "clinic.duckdb")
    args = ["patients", "--db", path, "--qi", "age,seks", "--out", tmp_path / "no" / "o.csv"]
    ended = ppdt("anonymize", *args, "--plan")
    assert ended.code == 2 and "seks" in ended.err and "the folder does not exist" in ended.err


def test_a_plan_inside_a_transaction_and_of_other_sources(
    patients: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    patients.execute(f"COPY patients TO '{tmp_path}/p.csv'")
    found = ppdt_db.plan(patients, tmp_path / "p.csv", method=Mondrian(k=5), **ROLES)
    table = ppdt_db.plan(patients, "patients", method=Mondrian(k=5), **ROLES)
    assert (found.rows, found.cells) == (table.rows, table.cells)
    frame = patients.sql("SELECT * FROM patients").arrow().read_all()
    release = anonymize_patients(patients, frame, plan=True)
    assert release.certificate["plan"]["fact"]["cells"] == table.cells
    patients.begin()
    anonymize_patients(patients, into="inside", plan=True)
    patients.commit()
    assert len(read(patients, "inside")) == 3000 and temporaries(patients) == []
