"""Verify the k-anonymity of a given tree over a table, from the definitions alone.

Whoever knows only a person's public values cannot tell which branch of a private test the person
takes: the bins that the person may reach are the span, and the persons of one span its population.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Literal, TextIO

import duckdb

from ppdt_db.arguments import list_faults, plain
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.decode import INNER
from ppdt_db.learn.trees.encode_input import encode_input, places_of
from ppdt_db.learn.trees.node import SIDES, as_int
from ppdt_db.learn.trees.reclassify import LEADS
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened, stage
from ppdt_db.sqltext.column_types import display_type
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name, unknown_columns
from ppdt_db.tree.node import Way
from ppdt_db.tree.tree import Tree

Null = Literal["known"]
KNOWN: Null = "known"


@dataclass(frozen=True, kw_only=True)
class TreeVerdict:
    """The figures of the spans of a tree over a table; they contain no value of the table."""

    k: int | None
    """The rows of the smallest populated span; None if the table has no row with a class."""
    spans: int
    rows: int
    spans_below_k: int
    rows_below_k: int
    rows_exposed: int | None
    """Rows in spans whose rows all share one class; None if the class is public."""
    entropy: float | None

    @property
    def l(self) -> float | None:  # noqa: E743
        """The entropy l-diversity of the class that holds in every populated span."""
        return None if self.entropy is None else round(2.0**self.entropy, 6)

    def as_dict(self) -> dict[str, object]:
        """Return the figures in the form of certificates."""
        return {
            "null": KNOWN,
            "rows": self.rows,
            "spans": self.spans,
            "k_measured": self.k,
            "spans_below_k": self.spans_below_k,
            "rows_below_k": self.rows_below_k,
            "rows_exposed": self.rows_exposed,
            "l_measured": self.l,
        }

    def failures(self, k: int, least_l: float | None = None) -> list[str]:
        """Return why the tree fails a guarantee of k, and of l."""
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
                f"the tree is not entropy {least_l}-diverse for this table: in some span the "
                f"classes only reach {self.l}. Lower l."
            )
        return found


def verify_tree(
    con: duckdb.DuckDBPyConnection,
    tree: Tree,
    source: SourceLike,
    *,
    public: Sequence[str],
    k: int,
    public_class: bool = False,
    null: Null = KNOWN,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> TreeVerdict:
    """Measure the spans of any tree over a table; an attacker knows the `public` columns.

    `null` says what he knows of missing public values: that they are missing.
    """
    k_given = plain(k)
    faults = list_faults(public=public)
    if not isinstance(k_given, int) or k_given < 1:
        faults.append(f"k={k}: must be a whole number of at least 1.")
    if null != KNOWN:
        faults.append(
            f"null={null}: an attacker is taken to know which public values are missing (known). "
            "This also covers those who do not know."
        )
    if not isinstance(tree, Tree):
        faults.append(f"tree: a {type(tree).__name__} is not a tree of ppdt_db. Pass a Tree.")
    else:
        faults += [
            f'tree: it tests "{tested.name}" by whole sets ({display_type(tested.type_name)}), of '
            "which a person has no single one. Verify a tree that was learnt from single values."
            for tested in tree.attributes
            if tested.is_set
        ]
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
) -> TreeVerdict:
    """Measure the spans inside the engine's database."""
    raise_all(unknown_columns({"public": public, "target": [tree.target]}, source.columns))
    target = by_normal_name(source.columns)[normalize_name(tree.target)]
    encoded = encode_input(engine, tree, source, target)
    if encoded.is_spread:
        raise RequestError(
            "the source holds ranges or sets. Verify a tree over the rows that it was learnt from."
        )
    public_names = {normalize_name(name) for name in public}
    names: dict[str, object] = {
        "public": [] if not tree.attributes else
        [
            a for a in encoded.attributes
            if normalize_name(tree.attributes[a.position].name) in public_names
        ],
        "is_class_public": is_class_public,
        "is_shared_out": tree.missing == "fractional",
    }  # fmt: skip
    engine.make("learn/verify/known_person", names=names)
    _describe(engine, tree, public_names)
    walk_all(engine, names)
    engine.make("learn/verify/span", names=names, to="ppdt_span_class")
    figures = engine.row("learn/verify/verdict", {"least_rows": least_rows})
    engine.drop(*WORKING, *(a.dictionary for a in encoded.attributes))  # type: ignore[arg-type]
    spans, rows, least, small, rows_small, exposed, entropy = figures
    assert entropy is None or isinstance(entropy, float)
    return TreeVerdict(
        k=None if least is None else as_int(least),
        spans=as_int(spans),
        rows=as_int(rows),
        spans_below_k=as_int(small),
        rows_below_k=as_int(rows_small),
        rows_exposed=None if is_class_public else as_int(exposed),
        entropy=None if is_class_public else entropy,
    )


WORKING = (
    "ppdt_coded", "ppdt_query", "ppdt_known_person", "ppdt_inner", "ppdt_leads", "ppdt_at",
    "ppdt_reached_bin", "ppdt_span_class",
)  # fmt: skip


def walk_all(engine: Engine, names: Mapping[str, object]) -> None:
    """Let every row take each path that its public values allow."""
    engine.make("learn/verify/entered", names=names, to="ppdt_at")
    engine.make("learn/verify/reached_bin", names=names)
    engine.make("learn/verify/stepped", names=names)
    engine.rename("ppdt_stepped", "ppdt_at")
    while engine.count("learn/verify/remaining"):
        engine.append("learn/verify/reached_bin", "ppdt_reached_bin", names=names)
        engine.make("learn/verify/stepped", names=names)
        engine.rename("ppdt_stepped", "ppdt_at")


def _describe(engine: Engine, tree: Tree, public_names: set[str]) -> None:
    """Store the tests and the branches that rows can take as relations."""
    position_of = {tested.name: number for number, tested in enumerate(tree.attributes)}
    places = {tested.name: places_of(engine, tree, tested) for tested in tree.attributes}
    tests: list[tuple[int, int | None, int | None]] = []
    ways: list[tuple[int, int, int]] = []
    privately: dict[int, _PrivateValues] = {0: _PrivateValues()}
    for number, node in enumerate(tree.nodes):
        if not node.branches or number not in privately:
            continue
        name = str(node.attribute)
        is_public = normalize_name(name) in public_names
        at = next(
            (places[name][b.value] for b in node.branches if b.test == "<=" and b.value), None
        )
        n_ways = len(ways)
        for way in node.ways:
            places_taken = [
                SIDES[b.test] if b.test in SIDES else places[name][str(b.value)]
                for b in way.branches
            ]
            possible = privately[number]
            if not is_public and tree.missing == "branch":
                possible = possible.after(name, way, frozenset(places_taken), at)
                if possible.is_empty(name):
                    continue
            privately[way.child] = possible
            ways += [(number, place, way.child) for place in places_taken]
        if len(ways) > n_ways:
            # Otherwise rows that come here stay: the path contradicts every branch.
            tests.append((number, position_of[name] if is_public else None, at))
    engine.load("ppdt_inner", INNER, [(*test, None) for test in tests], is_logged=True)
    engine.load("ppdt_leads", LEADS, [(*way, 0) for way in ways], is_logged=True)


@dataclass(frozen=True)
class _PrivateValues:
    """The private values possible on a path; a path that contradicts itself has none."""

    above: Mapping[str, float] = field(default_factory=dict)
    upto: Mapping[str, float] = field(default_factory=dict)
    only: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The values that pass all tests so far; of a column with thresholds, NUMBER and missing."""

    def after(self, name: str, way: Way, taken: frozenset[int], at: int | None) -> "_PrivateValues":
        """Return what is possible after a test, whose threshold stands at a place."""
        above, upto, only = dict(self.above), dict(self.upto), dict(self.only)
        side = way.side
        if side is not None:
            taken = taken - {SIDES[side.test]} | {NUMBER}
        only[name] = only[name] & taken if name in only else taken
        if side is not None and at is not None:
            if side.test == "<=":
                upto[name] = min(upto.get(name, INFINITE), at)
            else:
                above[name] = max(above.get(name, -INFINITE), at)
        return _PrivateValues(above, upto, only)

    def is_empty(self, name: str) -> bool:
        """Return whether no value of the attribute is possible."""
        possible = self.only.get(name)
        if self.above.get(name, -INFINITE) >= self.upto.get(name, INFINITE):
            possible = None if possible is None else possible - {NUMBER}
        return possible is not None and not possible


NUMBER = -2
INFINITE = float("inf")
