"""Is a given tree k-anonymous for a table? Read from the definitions, without the learner's spans.

Whoever knows a person's public values only cannot pass a private test by one branch: the bins where
the person may end are the span, and the persons of one span are its population.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import TextIO

import duckdb

from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.given import list_faults, plain
from ppdt_db.learn.asked import code_asked, places_of
from ppdt_db.learn.grown import whole
from ppdt_db.names import fold, listed, nearest
from ppdt_db.policy import raise_all
from ppdt_db.source import Given, Source, opened, stage
from ppdt_db.tree import Branch, Tree


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the spans of a tree over a table amount to; no value of the table."""

    k: int | None
    """The rows of the smallest populated span; None where the table has no row with a class."""
    spans: int
    rows: int
    spans_below_k: int
    rows_below_k: int
    rows_exposed: int | None
    """Rows in spans whose rows all share one class; None where the class is public."""
    entropy: float | None

    @property
    def l(self) -> float | None:  # noqa: E743
        """The entropy l-diversity of the class that holds in every populated span."""
        return None if self.entropy is None else round(2.0**self.entropy, 6)

    def as_dict(self) -> dict[str, object]:
        """The figures, as certificates have them."""
        return {
            "rows": self.rows,
            "spans": self.spans,
            "k_measured": self.k,
            "spans_below_k": self.spans_below_k,
            "rows_below_k": self.rows_below_k,
            "rows_exposed": self.rows_exposed,
            "l_measured": self.l,
        }

    def failures(self, k: int, least_l: float | None = None) -> list[str]:
        """What a promise of k, and of l, fails by."""
        found = []
        if self.k is not None and self.k < k:
            found.append(
                f"the tree is not {k}-anonymous for this table: {self.spans_below_k:,} of "
                f"{self.spans:,} spans hold fewer than {k} rows, the smallest {self.k}. Learn it "
                "with `ppdt learn kadet`, or make fewer attributes public."
            )
        wanted = 0.0 if least_l is None else round(log2(least_l), 12)
        if self.entropy is not None and self.entropy < wanted:
            found.append(
                f"the tree is not entropy {least_l}-diverse for this table: the classes of some "
                f"span come to {self.l} only. Lower l."
            )
        return found


def verify_tree(
    con: duckdb.DuckDBPyConnection,
    tree: Tree,
    source: Given,
    *,
    public: Sequence[str],
    k: int,
    public_class: bool = False,
    sql_log: TextIO | None = None,
    csv: CsvWish = None,
) -> Verdict:
    """Measure the spans of any tree over a table; an outsider knows the `public` columns."""
    k_given = plain(k)
    faults = list_faults(public=public)
    if not isinstance(k_given, int) or k_given < 1:
        faults.append(f"k={k}: take a whole number of at least 1.")
    if not isinstance(tree, Tree):
        faults.append(f"tree: pass a tree of ppdt_db, not a {type(tree).__name__}.")
    raise_all(faults)
    engine = DuckEngine(con, sql_log)
    with (
        interruptible(con),
        engine.cleared(),
        opened(engine, with_csv(source, csv)) as found,
        engine.unordered(),
    ):
        read = stage(engine, found)
        return read_verdict(
            engine, tree, read, public=public, is_class_public=public_class, least_rows=k
        )


def read_verdict(
    engine: Engine,
    tree: Tree,
    source: Source,
    *,
    public: Sequence[str],
    is_class_public: bool,
    least_rows: int,
) -> Verdict:
    """Measure the spans inside the engine's database."""
    by_fold = {fold(column): column for column in source.columns}
    faults = [
        f'public "{name}": the source has no such column.{nearest(name, source.columns)}'
        for name in public
        if fold(name) not in by_fold
    ]
    if fold(tree.target) not in by_fold:
        faults.append(f'target "{tree.target}": the source has no such column.')
    if faults:
        raise RequestError(*faults)
    asked = code_asked(engine, tree, source, by_fold[fold(tree.target)])
    if asked.is_spread:
        raise RequestError(
            "the source holds ranges or sets. Verify a tree over the rows that it was learnt from."
        )
    known = {fold(name) for name in public}
    names: dict[str, object] = {
        "public": [] if not tree.attributes else
        [a for a in asked.attributes if fold(tree.attributes[a.position].name) in known],
        "is_class_public": is_class_public,
        "is_shared_out": tree.missing == "fractional",
    }  # fmt: skip
    engine.make("verify/person", names=names)
    _describe(engine, tree, known)
    walk_all(engine, names)
    engine.make("verify/span", names=names, to="ppdt_span_class")
    figures = engine.row("verify/verdict", {"least_rows": least_rows})
    engine.drop(*WORKING, *(a.dictionary for a in asked.attributes))  # type: ignore[arg-type]
    spans, rows, least, small, rows_small, exposed, entropy = figures
    assert entropy is None or isinstance(entropy, float)
    return Verdict(
        k=None if least is None else whole(least),
        spans=whole(spans),
        rows=whole(rows),
        spans_below_k=whole(small),
        rows_below_k=whole(rows_small),
        rows_exposed=None if is_class_public else whole(exposed),
        entropy=None if is_class_public else entropy,
    )


WORKING = (
    "ppdt_coded", "ppdt_asked", "ppdt_person", "ppdt_inner", "ppdt_leads", "ppdt_at",
    "ppdt_reached", "ppdt_span_class",
)  # fmt: skip


def walk_all(engine: Engine, names: Mapping[str, object]) -> None:
    """Let everybody go wherever the public values allow."""
    engine.make("verify/entered", names=names, to="ppdt_at")
    engine.make("verify/reached", names=names)
    engine.make("verify/stepped", names=names)
    engine.rename("ppdt_stepped", "ppdt_at")
    while engine.count("verify/remaining"):
        engine.append("verify/reached", "ppdt_reached", names=names)
        engine.make("verify/stepped", names=names)
        engine.rename("ppdt_stepped", "ppdt_at")


def _describe(engine: Engine, tree: Tree, known: set[str]) -> None:
    """The tests and the branches that somebody can take, as relations."""
    position_of = {tested.name: number for number, tested in enumerate(tree.attributes)}
    places = {tested.name: places_of(engine, tree, tested) for tested in tree.attributes}
    tests: list[tuple[int, int | None, int | None]] = []
    ways: list[tuple[int, int, int]] = []
    privately: dict[int, _Possible] = {0: _Possible()}
    for number, node in enumerate(tree.nodes):
        if not node.branches or number not in privately:
            continue
        name = str(node.attribute)
        is_public = fold(name) in known
        at = next(
            (places[name][b.value] for b in node.branches if b.test == "<=" and b.value), None
        )
        n_ways = len(ways)
        for branch in node.branches:
            place = (
                SIDE_OF.get(branch.test)
                if branch.test in SIDE_OF
                else places[name][str(branch.value)]
            )
            assert place is not None
            possible = privately[number]
            if not is_public and tree.missing == "branch":
                possible = possible.after(name, branch, place if branch.test == "=" else at)
                if possible.is_empty(name):
                    continue
            privately[branch.child] = possible
            ways.append((number, place, branch.child))
        if len(ways) > n_ways:
            # Else whoever comes here stays: the path contradicts all that could be next.
            tests.append((number, position_of[name] if is_public else None, at))
    params: dict[str, list[object]] = {
        "node_ids": [row[0] for row in tests],
        "attribute_ids": [row[1] for row in tests],
        "at_codes": [row[2] for row in tests],
        "next_codes": [None] * len(tests),
    }
    engine.make("tree/inner", listed(params))
    params = {
        "node_ids": [row[0] for row in ways],
        "branches": [row[1] for row in ways],
        "child_ids": [row[2] for row in ways],
        "weights": [0] * len(ways),
    }
    engine.make("tree/leads", listed(params))


SIDE_OF = {"<=": 0, ">": 1, "missing": -1}


@dataclass(frozen=True)
class _Possible:
    """What private values may still be on a path: nobody takes one that contradicts itself."""

    above: Mapping[str, float] = field(default_factory=dict)
    upto: Mapping[str, float] = field(default_factory=dict)
    only: Mapping[str, frozenset[object]] = field(default_factory=dict)
    """The single values, or what stands for a missing or a present one, that were asked for."""

    def after(self, name: str, branch: Branch, place: int | None) -> "_Possible":
        """What may still be after a branch."""
        above, upto, only = dict(self.above), dict(self.upto), dict(self.only)
        kind: object = "missing" if branch.test == "missing" else "number"
        if branch.test == "=":
            kind = place
        only[name] = only.get(name, frozenset()) | {kind}
        if branch.test == "<=" and place is not None:
            upto[name] = min(upto.get(name, INFINITE), place)
        if branch.test == ">" and place is not None:
            above[name] = max(above.get(name, -INFINITE), place)
        return _Possible(above, upto, only)

    def is_empty(self, name: str) -> bool:
        """Whether nothing is left that the attribute may be."""
        if len(self.only.get(name, ())) > 1:
            return True
        return self.above.get(name, -INFINITE) >= self.upto.get(name, INFINITE)


INFINITE = float("inf")
