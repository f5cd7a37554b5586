"""Encode the input of a tree in its own codes: a relation of single values, or a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppdt_db.encode.columns import EncodedColumn, Word, packed
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.feature_types import Feature, Trait, in_text
from ppdt_db.learn.features import find_features
from ppdt_db.learn.trees.decode import make_inner
from ppdt_db.learn.trees.generalized import code_feature, spread_names, with_ranges
from ppdt_db.learn.trees.node import FIRST_VALUE, MISSING_BRANCH, SIDES, GrowingNode, as_int
from ppdt_db.learn.trees.reclassify import make_leads
from ppdt_db.learn.trees.set_values import code_set_values
from ppdt_db.learn.trees.thresholds import in_type
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.sqltext.quoting import Sql, unknown_columns
from ppdt_db.tree.node import Node
from ppdt_db.tree.tree import Tested, Tree


@dataclass(frozen=True, kw_only=True)
class EncodedInput:
    """A relation in a tree's codes: combinations in `ppdt_query`, rows in `ppdt_coded`."""

    attributes: Sequence[EncodedColumn]
    words: Sequence[Word]
    names: Mapping[str, object]

    @property
    def is_spread(self) -> bool:
        """Return whether a column holds ranges or sets."""
        return any(attribute.spread for attribute in self.attributes)


def encode_input(engine: Engine, tree: Tree, source: Source, truth: str | None) -> EncodedInput:
    """Encode the columns that a tree tests, in whatever form the source has them."""
    features = find_tested(engine, tree, source, truth)
    tested = list(tree.attributes)
    if not tested:
        # A tree of one leaf tests nothing; any column will do to count the rows.
        tested, features = _any_column(source)
    source, features = with_ranges(engine, source, features)
    attributes = [
        _coded(engine, tree, of_tree, feature, source)
        for of_tree, feature in zip(tested, features, strict=True)
    ]
    words = packed(attributes)
    attributes = sorted((a for word in words for a in word.attributes), key=lambda a: a.position)
    others = [] if truth is None else [in_text(source, "truth", truth)]
    names: dict[str, object] = {
        "source": source.relation,
        "attributes": attributes,
        "words": words,
        "others": others,
        "dictionaries": attributes,
        "is_live": False,
        "has_branch": tree.missing == "branch",
        "has_fractions": tree.missing == "fractional",
        **spread_names(attributes, is_walk=True),
    }
    engine.make("encode/row", names=names, to="ppdt_coded")
    engine.make("learn/trees/query", names=names)
    return EncodedInput(attributes=attributes, words=words, names=names)


def find_tested(engine: Engine, tree: Tree, source: Source, truth: str | None) -> list[Feature]:
    """Return the columns that a tree tests, in the source; raise one error with every fault."""
    faults = unknown_columns({"target": [truth] if truth is not None else []}, source.columns)
    traits = [
        Trait(
            name=tested.name,
            kind="ordered" if tested.is_ordered else "nominal",
            type_name=tested.type_name,
        )
        for tested in tree.attributes
    ]
    found: list[Feature] = []
    try:
        found = find_features(engine, source, [trait.name for trait in traits], traits)
    except RequestError as error:
        faults += error.faults
    if faults:
        raise RequestError(*faults)
    return found


def _any_column(source: Source) -> tuple[list[Tested], list[Feature]]:
    name, held = next(iter(source.columns.items()))
    trait = Trait(name=name, kind="nominal", type_name="VARCHAR")
    feature = Feature(position=0, trait=trait, form="value", column=name, type_name=held)
    return [Tested(name=name, type_name="VARCHAR")], [feature]


def _coded(
    engine: Engine, tree: Tree, tested: Tested, feature: Feature, source: Source
) -> EncodedColumn:
    """Return the codes of what a column shows."""
    if tested.is_set:
        return code_set_values(engine, source, feature, values_of(tree, tested))
    if feature.form == "value":
        return _dictionary(engine, tree, tested, feature, source)
    return code_feature(engine, source, feature, _in_type(tree, tested, feature)[0])


def _dictionary(
    engine: Engine, tree: Tree, tested: Tested, feature: Feature, source: Source
) -> EncodedColumn:
    """Return the codes of a column's values; `family` says how the tree tests them."""
    position = feature.position
    # A tree of one leaf may stand beside a column of any type, which no text is made of.
    family = family_of(feature.type_name) or "enum"
    if not tested.is_ordered and family != "text":
        family = "enum"
    values, type_name = _in_type(tree, tested, feature)
    coded = EncodedColumn(
        position=position,
        name=feature.column,
        type_name=feature.type_name,
        family=family,
        dictionary=f"ppdt_code_{position}",
        dictionary_alias=f"code_{position}",
        n_special=1,
        bits=max(1, (FIRST_VALUE + len(values)).bit_length()),
    )
    engine.make("encode/value", names={"source": source.relation, "attribute": coded})
    names = {"attribute": coded, "type_name": type_name}
    engine.make("learn/trees/code", {"values": values}, names, to=f"ppdt_code_{position}")
    engine.drop("ppdt_value")
    return coded


def values_of(tree: Tree, tested: Tested) -> list[str]:
    """Return the distinct values that a tree tests on a column."""
    return list(
        dict.fromkeys(
            branch.value
            for node in tree.nodes
            if node.attribute == tested.name
            for branch in node.branches
            if branch.value is not None
        )
    )


def _in_type(tree: Tree, tested: Tested, feature: Feature) -> tuple[Sequence[str | None], Sql]:
    """Return the values that a tree tests on a column, and the type to compare them in."""
    try:
        return in_type(values_of(tree, tested), tested, feature.shown_type)
    except ValueError:
        raise RequestError(
            f'"{tested.name}": the tree has it as {tested.type_name}, but a threshold is not a '
            "number. Learn the tree again."
        ) from None


def describe_tree(engine: Engine, tree: Tree, encoded: EncodedInput) -> None:
    """Store the tree as relations in the codes of its input."""
    position_of = {tested.name: number for number, tested in enumerate(tree.attributes)}
    places = {tested.name: places_of(engine, tree, tested) for tested in tree.attributes}
    grown = [GrowingNode(number, node.counts) for number, node in enumerate(tree.nodes)]
    for node, of_tree in zip(grown, tree.nodes, strict=True):
        if of_tree.attribute is None:
            continue
        node.attribute = position_of[of_tree.attribute]
        for branch in of_tree.branches:
            place = places[of_tree.attribute].get(branch.value or "", MISSING_BRANCH)
            if branch.test in ("<=", ">"):
                node.at_code = place
            node.children[SIDES.get(branch.test, place)] = grown[branch.child]
    inner = [node for node in grown if not node.is_leaf]
    make_inner(engine, inner)
    make_leads(engine, inner, {node.node_id: node.total for node in grown})
    engine.make("learn/trees/frozen", to="ppdt_branch_share")
    beliefs = [
        (number, place, count / node.total)
        for number, node in enumerate(_with_inherited_counts(tree))
        for place, count in enumerate(node.counts)
        if count
    ]
    columns = {"node_id": "INTEGER", "class": "INTEGER", "probability": "DECIMAL(13, 12)"}
    engine.load("ppdt_belief", columns, beliefs)


def places_of(engine: Engine, tree: Tree, tested: Tested) -> dict[str, int]:
    """Return the code of every value that is tested on a column."""
    values = values_of(tree, tested)
    if not tested.is_ordered:
        return {value: FIRST_VALUE + number for number, value in enumerate(values)}
    names = {"type_name": Sql(tested.type_name)}
    rows = engine.rows("learn/trees/place", {"values": values}, names)
    return {str(value): 1 + as_int(n_below) for value, n_below in rows}


def _with_inherited_counts(tree: Tree) -> list[Node]:
    """Return the nodes; those without rows have the counts of the node above."""
    nodes = list(tree.nodes)
    for node in nodes:
        for child in node.children:
            if not nodes[child].total:
                nodes[child] = replace(nodes[child], counts=node.counts)
    return nodes
