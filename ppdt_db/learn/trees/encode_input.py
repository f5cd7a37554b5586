"""What a tree is asked of, in the codes of the tree: a relation of single values or a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppdt_db.coded import Coded, Word, packed
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.features import find_features
from ppdt_db.learn.finish import make_inner
from ppdt_db.learn.grown import Grown, whole
from ppdt_db.learn.reading import Feature, Trait, in_text
from ppdt_db.learn.spread import code_feature, spread_names, with_ranges
from ppdt_db.learn.thresholds import in_type
from ppdt_db.learn.walk import make_leads
from ppdt_db.names import Sql, fold
from ppdt_db.source import Source
from ppdt_db.tree import Node, Tested, Tree

MISSING = -1
FIRST_VALUE = 2


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A relation in a tree's codes: combinations in `ppdt_asked`, rows in `ppdt_coded`."""

    attributes: Sequence[Coded]
    words: Sequence[Word]
    names: Mapping[str, object]

    @property
    def is_spread(self) -> bool:
        """Whether a column holds ranges or sets."""
        return any(attribute.spread for attribute in self.attributes)


def code_asked(engine: Engine, tree: Tree, source: Source, truth: str | None) -> Asked:
    """Code the columns that a tree tests, in whatever form the source has them."""
    features = find_tested(engine, tree, source, truth)
    tested = list(tree.attributes)
    if not tested:
        # A tree of one leaf asks nothing; any column serves to count the rows.
        tested, features = _any_column(source)
    source, features = with_ranges(engine, source, features)
    attributes = [
        _dictionary(engine, tree, of_tree, feature, source)
        if feature.form == "value"
        else code_feature(engine, source, feature, _in_type(tree, of_tree, feature)[0])
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
    engine.make("tree/asked", names=names)
    return Asked(attributes=attributes, words=words, names=names)


def find_tested(engine: Engine, tree: Tree, source: Source, truth: str | None) -> list[Feature]:
    """The columns that a tree tests, as the source has them; lists every fault at once."""
    faults: list[str] = []
    if truth is not None and fold(truth) not in {fold(column) for column in source.columns}:
        faults.append(f'target "{truth}": the source has no such column.')
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


def _dictionary(
    engine: Engine, tree: Tree, tested: Tested, feature: Feature, source: Source
) -> Coded:
    """The codes of a column's values; `family` says how the tree tests them."""
    family, position = feature.family, feature.position
    if not tested.is_ordered and family != "text":
        family = "enum"
    values, type_name = _in_type(tree, tested, feature)
    coded = Coded(
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
    engine.make("tree/code", {"values": values}, names, to=f"ppdt_code_{position}")
    engine.drop("ppdt_value")
    return coded


def values_of(tree: Tree, tested: Tested) -> list[str]:
    """The values that a tree tests on a column, each once."""
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
    """What a tree tests on a column, and of which type: numbers in that of the column's own."""
    try:
        return in_type(values_of(tree, tested), tested, feature.shown_type)
    except ValueError:
        raise RequestError(
            f'"{tested.name}": the tree knows it as {tested.type_name}, but a threshold is no '
            "number. Learn the tree again."
        ) from None


def describe_tree(engine: Engine, tree: Tree, asked: Asked) -> None:
    """The tree as relations in the codes of the relation that is asked of."""
    position_of = {tested.name: number for number, tested in enumerate(tree.attributes)}
    places = {tested.name: places_of(engine, tree, tested) for tested in tree.attributes}
    grown = [Grown(number, node.counts) for number, node in enumerate(tree.nodes)]
    for node, of_tree in zip(grown, tree.nodes, strict=True):
        if of_tree.attribute is None:
            continue
        node.attribute = position_of[of_tree.attribute]
        for branch in of_tree.branches:
            place = places[of_tree.attribute].get(branch.value or "", MISSING)
            if branch.test in SIDES:
                node.at_code = place
            node.children[SIDES.get(branch.test, place)] = grown[branch.child]
    inner = [node for node in grown if not node.is_leaf]
    make_inner(engine, inner)
    make_leads(engine, inner, {node.node_id: node.total for node in grown})
    engine.make("tree/frozen", to="ppdt_share")
    beliefs = [
        (number, place, count / node.total)
        for number, node in enumerate(_filled(tree))
        for place, count in enumerate(node.counts)
        if count
    ]
    params = {
        "node_ids": [row[0] for row in beliefs],
        "classes": [row[1] for row in beliefs],
        "probabilities": [row[2] for row in beliefs],
    }
    engine.make("tree/belief", params)


SIDES = {"<=": 0, ">": 1, "missing": MISSING}


def places_of(engine: Engine, tree: Tree, tested: Tested) -> dict[str, int]:
    """The code of every value that is tested on a column."""
    values = values_of(tree, tested)
    if not tested.is_ordered:
        return {value: FIRST_VALUE + number for number, value in enumerate(values)}
    names = {"type_name": Sql(tested.type_name)}
    rows = engine.rows("tree/place", {"values": values}, names)
    return {str(value): 1 + whole(n_below) for value, n_below in rows}


def _filled(tree: Tree) -> list[Node]:
    """The nodes; where no row was ever seen, with the counts of the node above."""
    nodes = list(tree.nodes)
    for node in nodes:
        for branch in node.branches:
            if not nodes[branch.child].total:
                nodes[branch.child] = replace(nodes[branch.child], counts=node.counts)
    return nodes
