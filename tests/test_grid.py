"""Every method, with its words, under every constraint, recoding and form, with an entity and not.

What there is to combine is read from the methods, the guard and the recodings. Each combination
ends in a release that plain Python finds as promised, the same in every form, or is refused for a
reason that is true. A seeded part of the grid runs at every run of the suite; all of it by hand:

    python -m pytest -m by_hand tests/test_grid.py -s
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import duckdb
import pytest
from fuzz import declared
from fuzz.trials import Point, at, points
from support import mostly_slow

import ppdt_db

SEED = 11
POINTS = list(points())
OF_METHOD = {name: [point for point in POINTS if point.method == name] for name in declared.METHODS}


def test_the_grid_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is declared is in it, once."""
    assert len(POINTS) == len({(p.method, p.variant, p.constraint, p.recode, p.has_entity)
                               for p in POINTS})  # fmt: skip
    assert {p.constraint for p in POINTS} == set(declared.CONSTRAINTS)
    assert {p.recode for p in POINTS} == set(declared.RECODES)
    with capsys.disabled():
        print(f" {len(POINTS) * len(declared.PLACES):,} combinations in the grid ", end="")


def seeded(name: str) -> Iterator[tuple[Point, Sequence[str]]]:
    """A method under every constraint, the forms and recodings in turn; one point in all forms."""
    rng = Random(f"{SEED} {name}")
    turn = rng.randrange(len(declared.PLACES))
    for number, constraint in enumerate(declared.CONSTRAINTS):
        chosen = [p for p in OF_METHOD[name] if p.constraint == constraint and _is_good(p)]
        yield rng.choice(chosen), [declared.PLACES[(turn + number) % len(declared.PLACES)]]
    yield rng.choice([p for p in OF_METHOD[name] if _is_good(p)]), declared.PLACES


def _is_good(point: Point) -> bool:
    """Whether the request can be met, as far as method and recoding tell."""
    method = declared.METHODS[point.method](**dict(point.variant))  # type: ignore[arg-type]
    return not (method.controls_recoding and point.recode is not None)


@pytest.mark.parametrize("name", mostly_slow(declared.METHODS, "mondrian"))
def test_a_part_of_the_grid(name: str) -> None:
    faults = [fault for point, places in seeded(name) for fault in at(point, places)[1]]
    assert not faults, "\n".join(faults)


@pytest.mark.by_hand
@pytest.mark.parametrize("name", declared.METHODS)
def test_all_of_the_grid(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ended: Counter[str] = Counter()
    faults: list[str] = []
    for point in OF_METHOD[name]:
        outcomes, found = at(point)
        ended.update(outcome.kind for outcome in outcomes.values())
        faults += found
    with capsys.disabled():
        print(f"\n{name}: {ended.total():,} combinations, {dict(ended)}, {len(faults)} faults")
    assert not faults, "\n".join(faults[:50])


# -- minimal cases of what the grid and the fuzzer found where parts meet --------------------------


@pytest.mark.parametrize(
    ("type_name", "values", "shown"),
    [
        ("DOUBLE", "NULL, '0.5', 'nan'", '[null,"nan",0.5]'),
        ("DECIMAL(4,4)", "0.0007, -0.9", "[-0.9000,0.0007]"),
    ],
)
def test_sets_in_csv_are_json(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, type_name: str, values: str, shown: str
) -> None:
    con.execute(f"CREATE TABLE t AS SELECT unnest([{values}]::{type_name}[]) AS x FROM range(2)")
    ppdt_db.anonymize(
        con, "t", quasi=[ppdt_db.Attribute("x", "set")], method=ppdt_db.Mondrian(k=4),
        out=tmp_path / "o.csv",
    )  # fmt: skip
    assert shown.replace('"', '""') in (tmp_path / "o.csv").read_text()


def test_trees_test_decimals_of_many_digits(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE t AS SELECT 12345678901234567890.5 + i AS x, i < 10 AS goal "
        "FROM range(20) AS r (i)"
    )
    ppdt_db.anonymize(con, "t", quasi=["x"], target="goal", method=ppdt_db.Erp(k=3), into="o")
    assert con.sql("SELECT count(DISTINCT x) FROM o").fetchall() == [(2,)]
