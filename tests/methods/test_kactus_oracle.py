"""kACTUS against naive Python: random tables, random trees, random guards."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from unittest import mock

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.kactus import DROPPED, JOINED, Oracle
from oracle.kactus_tree import ABOVE, MISSING, NOT_ABOVE, Node, attributes_above
from support import examples
from tables import POOLS, Table, tables

import ppdt_db
from ppdt_db import Kactus
from ppdt_db.engine import DuckEngine
from ppdt_db.tree import tree as trees
from ppdt_db.tree.node import Branch
from ppdt_db.tree.node import Node as Leaf

TYPES = {
    "TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE",
    "DECIMAL(5, 2)": "DECIMAL(5,2)",
    "DECIMAL(38, 10)": "DECIMAL(38,10)",
}


@dataclass(frozen=True)
class Case:
    """A table, a tree over its columns that every row finds a way down, and the same for us."""

    table: Table
    nodes: list[Node]
    tree: trees.Tree

    @property
    def rows(self) -> list[tuple]:
        return list(zip(*(column.keys() for column in self.table.columns), strict=True))


@st.composite
def cases(draw: st.DrawFn, max_rows: int = 30) -> Case:
    table = draw(tables(max_rows=max_rows))
    rows = list(zip(*(column.keys() for column in table.columns), strict=True))
    nodes, ours = [Node()], [Leaf(counts=(0,))]
    waiting = [(0, set(range(table.n_rows)), 0)]
    while waiting:
        number, here, depth = waiting.pop(0)
        if depth == 3 or (depth > 0 and draw(st.integers(0, 2)) == 0):
            continue
        attribute = draw(st.integers(0, len(table.columns) - 1))
        column = table.columns[attribute]
        node = Node(attribute)
        text_of = dict(zip(column.keys(), column.texts, strict=True))
        if column.is_ordered:
            finite = {key: text for key, text in text_of.items() if key[0] == 4}
            known = [t for t in POOLS[column.type] if t not in ("nan", "inf", "-inf", "infinity")]
            known = [t for t in known if t != "-infinity"]
            text = draw(st.sampled_from([*finite.values(), *known]))
            node.at = type(column)(column.name, column.type, (text,)).keys()[0]
            branches = [("<=", text, NOT_ABOVE), (">", text, ABOVE)]
        else:
            used = {rows[r][attribute] for r in here} | set(
                draw(st.sets(st.sampled_from(list(text_of))))
            )
            branches = [("=", text_of[key], key) for key in sorted(used) if key[0] == 4]
        if any(rows[r][attribute][0] < 4 for r in here) or not branches or draw(st.booleans()):
            branches.append(("missing", None, MISSING))
        made = []
        below: dict[int, set[int]] = {}
        for test, text, branch in branches:
            # Several values may lead to one child, but not both sides of a threshold.
            child = draw(st.sampled_from([None, None, *below])) if test != ">" else None
            if child is None:
                child = len(nodes)
                nodes.append(Node())
                ours.append(Leaf(counts=(0,)))
            node.children[branch] = child
            made.append(Branch(test=test, value=text, child=child))
            below.setdefault(child, set()).update(r for r in here if node.branch(rows[r]) == branch)
        waiting += [(child, of_child, depth + 1) for child, of_child in below.items()]
        nodes[number] = node
        ours[number] = Leaf(counts=(0,), attribute=column.name, branches=tuple(made))
    tested = tuple(
        trees.Tested(name=c.name, type_name=TYPES.get(c.type, c.type)) for c in table.columns
    )
    tree = trees.Tree(
        target="y", classes=("a",), attributes=tested, nodes=tuple(ours), missing="branch"
    )
    return Case(table, nodes, tree)


@contextmanager
def watched(places: dict[int, object]) -> Iterator[None]:
    """Notes for every row the node that it is released at."""
    make = DuckEngine.make
    outcome: dict[int, list[int]] = {}

    def noting(
        self: DuckEngine, step: str, params: Mapping = {}, *args: object, **more: object
    ) -> str:
        name = make(self, step, params, *args, **more)  # type: ignore[arg-type]
        if name == "ppdt_outcome":
            for pool, of_class in zip(params["pool_id"], params["class_id"], strict=True):
                outcome.setdefault(of_class, []).append(pool)
        if step == "methods/kactus/member":
            for rid, of_class in self.con.execute(
                "SELECT c0, class_id FROM ppdt_row INNER JOIN ppdt_member USING (row_id)"
            ).fetchall():
                pools = outcome[of_class]
                places[rid] = JOINED if len(pools) > 1 else pools[0]
        return name

    with mock.patch.object(DuckEngine, "make", noting):
        yield


def run(case: Case, method: Kactus, extra: Mapping[str, list] | None = None, **roles: object):
    """The place of every row, the released rows by number, and the certificate."""
    names = case.table.names
    places: dict[int, object] = dict.fromkeys(range(case.table.n_rows), DROPPED)
    with duckdb.connect() as con:
        case.table.make(con)
        for name, values in (extra or {}).items():
            con.execute(f"ALTER TABLE t ADD COLUMN {name} VARCHAR")
            con.executemany(
                f"UPDATE t SET {name} = ? WHERE rid = ?", [[v, i] for i, v in enumerate(values)]
            )
        with watched(places):
            release = ppdt_db.anonymize(
                con, "t", quasi=names, keep=["rid"], method=method, into="o", **roles
            )
        listed = [
            (NUMBERED.get(c.type, "{}")).format('"' + c.name.replace('"', '""') + '"')
            for c in case.table.columns
        ]
        found = con.execute(f"SELECT rid, {', '.join(listed)} FROM o").fetchall()
    return places, {row[0]: row[1:] for row in found}, release.certificate


def check_labels(case: Case, places: Mapping[int, object], shown: Mapping[int, tuple]) -> None:
    """NULL where the way down tested nothing, the value where it did by equality, else the mean."""
    assert shown.keys() == {row for row, place in places.items() if place != DROPPED}
    for row, values in shown.items():
        place = places[row]
        tested = attributes_above(case.nodes, place) if isinstance(place, int) else set()
        with_it = [other for other, where in places.items() if where == place]
        for number, (column, value) in enumerate(zip(case.table.columns, values, strict=True)):
            keys = column.keys()
            known = [keys[other] for other in with_it if keys[other][0] == 4]
            if number not in tested or not known:
                assert value is None
            elif not column.is_ordered:
                # Where several values lead to one child, the most frequent, the first of equals.
                mode = min(known, key=lambda key: (-known.count(key), key))
                assert as_text(value) == column.texts[keys.index(mode)]
            else:
                finite = [key[1] for key in known]
                largest = float(max(abs(key[1]) for key in keys if key[0] == 4))
                check_mean(column.type, value, sum(finite, Fraction()) / len(finite), largest)


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


NUMBERED = {
    "DATE": "date_diff('day', DATE '0001-01-01', {}) + 1",
    "TIME": "epoch_us({})",
    "TIMESTAMP": "epoch_us({})",
    "TIMESTAMPTZ": "epoch_us({})",
}
STEPS = {"DATE": Fraction(1, 2), "DECIMAL(5, 2)": Fraction(1, 2000)}
ROUGH = ("DOUBLE", "FLOAT", "HUGEINT", "DECIMAL(38, 10)")


def check_mean(type_name: str, value: float, exact: Fraction, largest: float) -> None:
    """A mean to one digit beyond the step; days and microseconds are shown whole."""
    if type_name.startswith("TIME"):
        assert abs(Fraction(value, 10**6) - exact) <= Fraction(1, 10**5)
    elif type_name in ROUGH:
        # These have twelve digits of the column's largest magnitude.
        assert float(value) == pytest.approx(float(exact), rel=1e-11, abs=1e-11 * largest)
    else:
        off = abs(Fraction(value) - exact)
        assert off <= STEPS.get(type_name, Fraction(1, 20)) + abs(exact) / 10**13
        assert type_name == "DATE" or round(value, 3 if "5, 2" in type_name else 1) == value


@examples(8)
@given(case=cases(), k=st.integers(2, 6))
def test_rows_go_where_the_oracle_says(case: Case, k: int) -> None:
    k = min(k, case.table.n_rows)
    places, shown, certificate = run(case, Kactus(k=k, tree=case.tree))
    oracle = Oracle(k, lambda rows: len(rows) >= k)
    assert places == oracle.places(case.nodes, case.rows, places)
    check_labels(case, places, shown)
    n_dropped = sum(place == DROPPED for place in places.values())
    assert certificate["rows_dropped"] == n_dropped < k
    assert certificate["k_measured"] >= k or not shown


def shares(values: list[object]) -> dict[object, float]:
    return {value: values.count(value) / len(values) for value in values}


def guards(values: list[object]) -> dict[str, Callable[[list[object], float], bool]]:
    """What each model asks of the sensitive values of a group."""
    whole = shares(values)

    def distance(found: list[object], _: float) -> float:
        own = shares(found)
        return sum(abs(own.get(value, 0) - share) for value, share in whole.items()) / 2

    return {
        "l": lambda found, least: len(set(found)) >= least,
        "entropy": lambda found, least: (
            round(exp(-sum(p * log(p) for p in shares(found).values())), 12) >= least
        ),
        "t": lambda found, most: round(distance(found, most), 12) <= most,
        "alpha": lambda found, most: round(max(shares(found).values()), 12) <= most,
    }


@pytest.mark.parametrize("term", [{"l": 2}, {"entropy": 1.5}, {"t": 0.3}, {"alpha": 0.7}])
@examples(8)
@given(case=cases(), k=st.integers(2, 5), data=st.data())
def test_what_is_asked_of_sensitive_columns_counts_like_k(
    case: Case, term: dict[str, float], k: int, data: st.DataObject
) -> None:
    n_rows = case.table.n_rows
    k = min(k, n_rows)
    letters = st.sampled_from(["a", "b", "c", None])
    values = data.draw(st.lists(letters, min_size=n_rows, max_size=n_rows))
    ((name, bound),) = term.items()
    asks = guards(values)[name]
    method = Kactus(k=k, tree=case.tree, **term)
    extra = {"s": values}
    if not asks(values, bound):
        with pytest.raises(ppdt_db.GuaranteeError):
            run(case, method, extra, sensitive=["s"])
        return

    def keeps(rows: set[int]) -> bool:
        return len(rows) >= k and asks([values[r] for r in sorted(rows)], bound)

    places, shown, certificate = run(case, method, extra, sensitive=["s"])
    oracle = Oracle(k, keeps, is_only_k=False, drops=name != "t")
    assert places == oracle.places(case.nodes, case.rows, places)
    check_labels(case, places, shown)
    assert certificate["rows_dropped"] == sum(p == DROPPED for p in places.values()) < k


@examples(8)
@given(case=cases(), k=st.integers(2, 4), data=st.data())
def test_entities_are_counted_in_the_place_of_rows(case: Case, k: int, data: st.DataObject) -> None:
    n_rows = case.table.n_rows
    people = st.sampled_from([*map(str, range(12)), None])
    of_row = data.draw(st.lists(people, min_size=n_rows, max_size=n_rows))
    k = min(k, len(set(of_row)))
    if k < 2:
        return

    def count(rows: Iterable[int]) -> int:
        return len({of_row[r] for r in rows})

    method = Kactus(k=k, tree=case.tree)
    places, shown, certificate = run(case, method, {"person": of_row}, entity="person")
    oracle = Oracle(k, lambda rows: count(rows) >= k, count, is_only_k=False)
    assert places == oracle.places(case.nodes, case.rows, places)
    check_labels(case, places, shown)
    assert certificate["rows_dropped"] == sum(p == DROPPED for p in places.values()) < k
