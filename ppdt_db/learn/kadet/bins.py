"""Bins for a tree: numbers and dates are tested at the edges of their bins only.

rows with a class ─▶ bins, k rows each ─▶ the highest value of each bin ─▶ tree ─▶ edges
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from ppdt_db.encode.bin_faults import column_faults
from ppdt_db.encode.bins import ColumnBins, learn_bins
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.kadet.thresholds import has_middle, middle, retested
from ppdt_db.learn.trees.node import GrowingNode
from ppdt_db.learn.trees.thresholds import limits
from ppdt_db.learn.trees.training_set import Columns, TrainingSet
from ppdt_db.policy.bins import Bins
from ppdt_db.policy.roles import Attribute
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import ident
from ppdt_db.tree.tree import Tree


def learn_edges(
    engine: Engine, source: Source, columns: Columns, rule: Bins, k: int
) -> list[ColumnBins]:
    """Learn the bins of the features that are numbers, dates or times; raise one error for all."""
    asked = [
        Attribute(name, "bins", bins=rule)
        for name in columns.features
        if family_of(source.columns.get(name, "")) in ORDERED
        and (rule.rule != "edges" or rule.edges_of(name) is not None)
    ]
    named = " named by an edge" if rule.rule == "edges" else ""
    faults = [] if asked else [f"--bins: no feature is a number, date or time{named}. Remove it."]
    for attribute in asked:
        faults += column_faults(engine, source, attribute, has_target=True)
    if faults:
        raise RequestError(*faults)
    names = {
        "source": source.relation, "columns": list(source.columns), "class_column": columns.target,
    }  # fmt: skip
    engine.make("learn/kadet/classed", names=names)
    classed = Source(
        kind="table", title=source.title, relation=ident("ppdt_classed"), columns=source.columns
    )
    found = learn_bins(engine, classed, asked, k=k, target=columns.target)
    engine.drop("ppdt_classed")
    return found


def with_edges(
    lesson: TrainingSet,
    bins: Sequence[ColumnBins],
    private: Sequence[str],
    tree: Tree,
    grown: Sequence[GrowingNode],
) -> Tree:
    """Return the tree with the edge above each highest value of a bin that it tests."""
    own = {one.name: one for one in bins}
    attribute_of = {a.position: a for a in lesson.attributes if a.name in own}
    text: dict[int, str] = {}
    finer: dict[str, str] = {}
    for number, node in enumerate(grown):
        attribute = attribute_of.get(-1 if node.attribute is None else node.attribute)
        if attribute is None or node.at_code is None:
            continue
        name, place = attribute.name, node.at_code - attribute.n_special
        text[number], type_name = _edge(own[name], place, is_private=name in private)
        if type_name != attribute.type_name:
            finer[name] = type_name
    return retested(tree, text, finer)


def _edge(bins: ColumnBins, place: int, *, is_private: bool) -> tuple[str, str]:
    """Return the upper end of a bin, and the type that holds it.

    On a private number it is nobody's value: between the end and the next bin's start.
    """
    high, type_name = bins.highs[place], bins.type_name
    if type_name == "FLOAT":
        return high, "DOUBLE"
    if not is_private or family_of(type_name) == "float" or not has_middle(type_name):
        return high, type_name
    _, _, point = limits(type_name)
    low_step, high_step = (int(Decimal(end).scaleb(point)) for end in (high, bins.lows[place]))
    return middle(low_step, high_step, type_name)


def figures_of(rule: Bins, bins: Sequence[ColumnBins]) -> Mapping[str, object]:
    """Return the rule and the number of bins of every column, for the certificate."""
    return {one.name: {"rule": rule.title, "bins": len(one.words)} for one in bins}
