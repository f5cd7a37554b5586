"""A few seeds of the fuzzer at every run, and the fuzzer itself: that it finds what is wrong."""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from random import Random

import duckdb
import pytest
from fuzz import brute, cases, declared, refusals, runs, trials
from fuzz.brute import Label, Sense
from fuzz.cases import Wish, drawn, to_order
from fuzz.runs import run
from fuzz.values import DRAWN, Tree, exact, is_ordered
from oracle import audit
from support import every, mostly_slow

from ppdt_db import GuaranteeError, RequestError
from ppdt_db.engine import DuckEngine
from ppdt_db.methods.guard import GuardTerms
from ppdt_db.release import recode

SEEDS = 24


@pytest.mark.parametrize("seed", mostly_slow(range(SEEDS), *range(3)))
def test_a_seed(seed: int) -> None:
    found = trials.tried(seed)
    assert not found.faults, f"{found.what}: python -m tests.fuzz --seeds {seed} --show"


@pytest.mark.parametrize("place", every(4, declared.FORMS.values()))
@pytest.mark.parametrize("shape", mostly_slow([None, "mean", "mode", "bounds", "set"], "bounds"))
def test_people_are_counted_in_the_classes_that_are_read_back(
    tmp_path: Path, place: str, shape: str | None
) -> None:
    """Columns of every type at once: none is read back as something else."""
    wish = Wish(
        method="mdav" if shape is None else "mondrian", variant={}, constraint=None,
        recode=None, place=place, has_entity=True,
    )  # fmt: skip
    case = to_order(wish)
    rng = Random(f"people {shape}")
    types = [t for t in DRAWN if place != "parquet" or t not in refusals.LARGE]
    quasi = tuple(
        replace(
            cases.column(rng, f"q{number}", type_name, case.n_rows, few=9),
            recode=shape if is_ordered(type_name) or shape != "bounds" else "set",
        )
        for number, type_name in enumerate(types)
        if is_ordered(type_name) or shape != "mean"
    )
    outcome = run(replace(case, quasi=quasi, sensitive=(), others=()), tmp_path)
    assert (outcome.kind, list(outcome.faults)) == ("released", []), outcome.message


def test_a_seed_is_one_case() -> None:
    assert drawn(5) == drawn(5) != drawn(6)


def test_every_term_of_the_guard_can_be_judged() -> None:
    terms = {term.name for term in fields(GuardTerms)} - {"k"}
    assert terms == set(brute.KEEPS) == set(brute.BOUNDS) == set(cases.MILD)


def test_every_parameter_is_drawn_or_a_word() -> None:
    for name in declared.METHODS:
        for seed in range(20):
            declared.numbers(name, Random(seed), ["x"])


@pytest.mark.parametrize("type_name", DRAWN)
def test_values_are_read_as_the_engine_writes_them(
    con: duckdb.DuckDBPyConnection, type_name: str
) -> None:
    """Two texts mean one value where the engine says so; order is its order."""
    con.execute("SET TimeZone = 'UTC'")
    con.execute(f"CREATE TABLE t (x {type_name})")
    rng = Random(type_name)
    for _ in range(40):
        con.execute("INSERT INTO t VALUES (?)", [DRAWN[type_name](rng)])
    found = con.execute(
        "SELECT CAST(a.x AS VARCHAR), CAST(b.x AS VARCHAR), a.x = b.x, a.x < b.x FROM t a, t b"
    ).fetchall()
    for one, other, is_same, is_less in found:
        values = exact(type_name, one), exact(type_name, other)
        assert (values[0] == values[1]) == is_same
        if all(isinstance(value, Fraction) for value in values):
            assert (values[0] < values[1]) == is_less  # type: ignore[operator]


def test_distances_are_those_of_the_oracle() -> None:
    whole, part = [1, 1, 2, 3, 5, 5], [1, 5, 5]
    domain = sorted(set(whole))
    shares = audit.shares(part, domain), audit.shares(whole, domain)
    ordered = brute.distance(part, whole, Sense(ordered=domain))
    assert float(ordered) == pytest.approx(audit.t_ordered(*shares))
    assert float(brute.distance(part, whole, Sense())) == pytest.approx(audit.t_equal(*shares))
    paths = {1: (1, "a"), 2: (2, "a"), 3: (3, "b"), 5: (5, "b")}
    full = [(*paths[value], "*") for value in domain]
    assert float(brute.distance(part, whole, Sense(paths=paths))) == pytest.approx(
        audit.t_hierarchical(*shares, full)
    )


@pytest.mark.parametrize(
    ("label", "text", "is_in"),
    [
        ("[9007199254740993, 9007199254740995]", "9007199254740992", False),
        ("[9007199254740993, 9007199254740995]", "9007199254740993", True),
        ("7 or NULL", None, True),
        ("[1, 7]", None, False),
        (None, None, True),
        (None, "1", False),
    ],
)
def test_ranges_hold_values_exactly(label: str | None, text: str | None, is_in: bool) -> None:
    read = brute.label_of("range", "BIGINT", [label], is_csv=False)
    assert brute.holds(read, "BIGINT", text, None) == is_in


def test_nodes_hold_what_lies_below_them() -> None:
    tree = Tree("paths", {"a": ("g", "*"), "b": ("h", "*")})
    node = Label("node", single="g")
    assert brute.holds(node, "VARCHAR", "a", tree) and not brute.holds(node, "VARCHAR", "b", tree)


# -- what is broken on purpose is found ------------------------------------------------------------


WISH = Wish(
    method="mondrian", variant={"criterion": "balanced", "relaxed": False}, constraint="l",
    recode=None, place="snapshot", has_entity=False,
)  # fmt: skip


@contextlib.contextmanager
def tampered(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[DuckEngine, str], None]
) -> Iterator[None]:
    """Change a release after its audit, when it is shown."""
    show = recode.show

    def changed(
        engine: DuckEngine, hidden: recode.StagedRelease, *args: object, **wishes: object
    ) -> None:
        show(engine, hidden, *args, **wishes)  # type: ignore[arg-type]
        change(engine, ".".join(hidden.relation))

    with monkeypatch.context() as patch:
        patch.setattr(recode, "show", changed)
        yield


BROKEN = {
    "a row is lost": ("DELETE FROM {t} WHERE rid = 1", "dropped of"),
    "a row is doubled": ("INSERT INTO {t} FROM {t} WHERE rid = 1", "dropped of"),
    "a kept value changed": ("UPDATE {t} SET goal = 'other' WHERE rid = 1", "as they were"),
    "a label is another row's": (
        'UPDATE {t} SET "q 0" = (SELECT max("q 0") FROM {t}) WHERE rid = '
        '(SELECT arg_min(rid, "q 0") FROM {t})',
        "not kept|untrue",
    ),
    "a label is narrower": ("UPDATE {t} SET \"q 0\" = '0'", "untrue"),
}


@pytest.mark.parametrize("name", every(3, BROKEN))
def test_what_is_broken_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    case = replace(to_order(WISH), quasi=to_order(WISH).quasi[:1])
    assert run(case, tmp_path).faults == []
    statement, words = BROKEN[name]
    with tampered(monkeypatch, lambda engine, t: engine.con.execute(statement.format(t=t))):  # type: ignore[arg-type, return-value]
        found = run(case, tmp_path).faults
    assert any(re.search(words, fault) for fault in found), found


def test_a_refusal_without_a_cause_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for error, words in (
        (GuaranteeError("k=3, but no"), "all rows as one class"),
        (RequestError("k=3: a class of one row protects nobody."), "untrue"),
        (RequestError("because"), "not known"),
        (ValueError("oh"), "ValueError"),
    ):

        def ask(*_: object, error: Exception = error) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(runs, "ask", ask)
            assert any(words in fault for fault in run(to_order(WISH), tmp_path).faults)
