"""Levels of hierarchies as attributes: each shows less than the attribute that it comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.node import MISSING_BRANCH, GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.policy.hierarchy_specs import HierarchySpec
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import did_you_mean, normalize_name
from ppdt_db.tree.node import Branch
from ppdt_db.tree.tree import Tree

# The level below each level of a hierarchy; the values themselves below the first.
FINER = {"attribute_id": "INTEGER", "finer_id": "INTEGER"}


@dataclass(frozen=True, kw_only=True)
class LevelAttribute:
    """One level of an attribute's hierarchy, coded as a separate attribute."""

    attribute: EncodedColumn
    base: EncodedColumn
    hierarchy: str
    word: str
    finer: int
    """The position of the next finer level, or of the attribute itself."""


def make_levels(
    engine: Engine, source: Source, lesson: TrainingSet, specs: Mapping[str, HierarchySpec]
) -> tuple[TrainingSet, list[LevelAttribute]]:
    """Add the levels of the hierarchies to the units; raise one error that lists every fault."""
    levels: list[LevelAttribute] = []
    dictionaries = Dictionaries(engine, source)
    by_name = {normalize_name(name): spec for name, spec in specs.items()}
    position = len(lesson.attributes)
    faults: list[str] = []
    for base in lesson.attributes:
        spec = by_name.get(normalize_name(base.name))
        if spec is None:
            continue
        try:
            hierarchy = dictionaries.value_words(base.name, base.position, spec)
        except RequestError as error:
            faults += error.faults
            continue
        finer = base.position
        for word in hierarchy.levels[1:]:
            coded = replace(
                base,
                position=position,
                dictionary=f"ppdt_code_{position}",
                dictionary_alias=f"code_{position}",
            )
            levels.append(
                LevelAttribute(
                    attribute=coded, base=base, hierarchy=hierarchy.relation, word=word, finer=finer
                )
            )
            finer, position = position, position + 1
    if faults:
        raise RequestError(*faults)
    finer_ids = [(level.attribute.position, level.finer) for level in levels]
    engine.load("ppdt_finer", FINER, finer_ids, is_logged=True)
    if not levels:
        return lesson, levels
    names = {"levels": levels, "attributes": lesson.attributes}
    engine.make("learn/kadet/level", names=names)
    engine.make("learn/kadet/leveled", names=names)
    engine.rename("ppdt_leveled", "ppdt_unit")
    for level in levels:
        at = {"level_id": level.attribute.position}
        engine.make("learn/kadet/level_code", at, to=str(level.attribute.dictionary))
    engine.drop(*{level.hierarchy for level in levels})
    added = [level.attribute for level in levels]
    return replace(lesson, attributes=[*lesson.attributes, *added]), levels


def hierarchy_faults(
    specs: Mapping[str, HierarchySpec], lesson: TrainingSet, public: Sequence[int]
) -> list[str]:
    """Return the faults of the hierarchies requested."""
    by_name = {normalize_name(attribute.name): attribute for attribute in lesson.attributes}
    faults = []
    for name in specs:
        attribute = by_name.get(normalize_name(name))
        if attribute is None:
            hint = did_you_mean(name, [a.name for a in lesson.attributes])
            faults.append(f'hierarchy "{name}": not a column that the tree learns from.{hint}')
        elif attribute.position not in public:
            faults.append(
                f'hierarchy "{name}": the column is private, so its values need no '
                "generalization. Remove the hierarchy."
            )
        elif attribute.kind == "ordered":
            faults.append(
                f'hierarchy "{name}": numbers are generalized by thresholds already. Remove the '
                "hierarchy, or cast the column to text in a view."
            )
    return faults


def in_values(
    engine: Engine, levels: Sequence[LevelAttribute], tree: Tree, nodes: Sequence[GrowingNode]
) -> Tree:
    """Return the tree with every value below a hierarchy node as a branch to the same child."""
    if not levels:
        return tree
    members: dict[tuple[int, int], list[str]] = {}
    for level_id, up_code, value in engine.rows("learn/kadet/member_value"):
        members.setdefault((as_int(level_id), as_int(up_code)), []).append(str(value))
    ids = {level.attribute.position for level in levels}
    made = list(tree.nodes)
    for number, grown in enumerate(nodes):
        if grown.attribute not in ids:
            continue
        branches: list[Branch] = []
        for code, branch in zip(sorted(grown.children), made[number].branches, strict=True):
            if code == MISSING_BRANCH:
                branches.append(branch)
            else:
                branches += [
                    replace(branch, value=v) for v in members[as_int(grown.attribute), code]
                ]
        made[number] = replace(made[number], branches=tuple(branches))
    tested = {attribute.name: attribute for attribute in tree.attributes}
    return replace(tree, nodes=tuple(made), attributes=tuple(tested.values()))
