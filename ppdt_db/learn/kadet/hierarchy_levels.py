"""Levels of hierarchies: each stands beside its attribute as one that shows less."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppdt_db.coded import Coded
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.hierarchies import Wish
from ppdt_db.learn.grown import MISSING_BRANCH, Grown, whole
from ppdt_db.learn.lesson import Lesson
from ppdt_db.names import fold, listed, nearest
from ppdt_db.source import Source
from ppdt_db.tree import Branch, Tree


@dataclass(frozen=True, kw_only=True)
class Level:
    """One level of an attribute's hierarchy, coded as an attribute of its own."""

    attribute: Coded
    base: Coded
    ladder: str
    word: str
    finer: int
    """The position of the next finer level, or of the attribute itself."""


def make_levels(
    engine: Engine, source: Source, lesson: Lesson, wishes: Mapping[str, Wish]
) -> tuple[Lesson, list[Level]]:
    """Add the levels of the hierarchies to the units; lists every fault at once."""
    levels: list[Level] = []
    dictionaries = Dictionaries(engine, source)
    by_name = {fold(name): wish for name, wish in wishes.items()}
    position = len(lesson.attributes)
    faults: list[str] = []
    for base in lesson.attributes:
        wish = by_name.get(fold(base.name))
        if wish is None:
            continue
        try:
            ladder = dictionaries.ladder(base.name, base.position, wish)
        except RequestError as error:
            faults += error.faults
            continue
        finer = base.position
        for word in ladder.levels[1:]:
            coded = replace(
                base,
                position=position,
                dictionary=f"ppdt_code_{position}",
                dictionary_alias=f"code_{position}",
            )
            levels.append(
                Level(attribute=coded, base=base, ladder=ladder.relation, word=word, finer=finer)
            )
            finer, position = position, position + 1
    if faults:
        raise RequestError(*faults)
    params = {
        "attribute_ids": [level.attribute.position for level in levels],
        "finer_ids": [level.finer for level in levels],
    }
    engine.make("kadet/finer", listed(params))
    if not levels:
        return lesson, levels
    names = {"levels": levels, "attributes": lesson.attributes}
    engine.make("kadet/level", names=names)
    engine.make("kadet/leveled", names=names)
    engine.rename("ppdt_leveled", "ppdt_unit")
    for level in levels:
        at = {"level_id": level.attribute.position}
        engine.make("kadet/level_code", at, to=str(level.attribute.dictionary))
    engine.drop(*{level.ladder for level in levels})
    added = [level.attribute for level in levels]
    return replace(lesson, attributes=[*lesson.attributes, *added]), levels


def wish_faults(wishes: Mapping[str, Wish], lesson: Lesson, public: Sequence[int]) -> list[str]:
    """What is wrong with the hierarchies that are asked for."""
    by_name = {fold(attribute.name): attribute for attribute in lesson.attributes}
    faults = []
    for name in wishes:
        attribute = by_name.get(fold(name))
        if attribute is None:
            hint = nearest(name, [a.name for a in lesson.attributes])
            faults.append(f'hierarchy "{name}": the tree does not learn from such a column.{hint}')
        elif attribute.position not in public:
            faults.append(
                f'hierarchy "{name}": the column is private, so nothing forbids its values. '
                "Leave the hierarchy out."
            )
        elif attribute.kind == "ordered":
            faults.append(
                f'hierarchy "{name}": thresholds generalize numbers by themselves. '
                "Leave the hierarchy out, or cast the column to text in a view."
            )
    return faults


def in_values(engine: Engine, levels: Sequence[Level], tree: Tree, nodes: Sequence[Grown]) -> Tree:
    """The tree with every value of a node of a hierarchy as a way to the same child."""
    if not levels:
        return tree
    members: dict[tuple[int, int], list[str]] = {}
    for level_id, up_code, value in engine.rows("kadet/member_value"):
        members.setdefault((whole(level_id), whole(up_code)), []).append(str(value))
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
                    replace(branch, value=v) for v in members[whole(grown.attribute), code]
                ]
        made[number] = replace(made[number], branches=tuple(branches))
    tested = {attribute.name: attribute for attribute in tree.attributes}
    return replace(tree, nodes=tuple(made), attributes=tuple(tested.values()))
