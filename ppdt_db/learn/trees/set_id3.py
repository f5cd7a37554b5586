"""ID3 on set-generalized tables: a released set may stand for any of its members.

Shao and Beckford: how a set counts when attributes are scored, and which of its members a row goes
by once the attribute is chosen, are two questions.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from ppdt_db.coded import Coded
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.families import family_of, told
from ppdt_db.learn.grow import Growth, Rules
from ppdt_db.learn.lesson import Columns, Lesson, check_classes
from ppdt_db.learn.reading import element_type
from ppdt_db.methods.contract import Progress
from ppdt_db.names import ident
from ppdt_db.source import Source
from ppdt_db.tree import Missing, Ties

Scoring = Literal["fractional", "own_value", "random_first", "each_member"]
Conversion = Literal["random", "most_frequent", "original_distribution"]
SCORINGS: tuple[str, ...] = get_args(Scoring)
CONVERSIONS: tuple[str, ...] = get_args(Conversion)


@dataclass(frozen=True, kw_only=True)
class SetID3:
    """ID3 on categorical columns and on LIST columns as releases have them.

    >>> SetID3(scoring="own_value").conversion
    'random'
    """

    scoring: Scoring = "fractional"
    conversion: Conversion = "random"
    seed: int = 1
    min_rows: int = 1
    ties: Ties = "first"
    distribution: Mapping[str, Mapping[str | None, int]] = field(default_factory=dict)

    criterion = "gain"
    unpruned = True
    raising = False
    confidence = 0.25
    missing: Missing = "branch"

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        found = [] if self.min_rows >= 1 else [f"min_rows={self.min_rows}: take at least 1."]
        if self.scoring not in SCORINGS:
            found.append(f"scoring {self.scoring}: choose one of {', '.join(SCORINGS)}.")
        if self.conversion not in CONVERSIONS:
            found.append(f"conversion {self.conversion}: choose one of {', '.join(CONVERSIONS)}.")
        if self.conversion == "original_distribution" and not self.distribution:
            found.append(
                "conversion original_distribution needs the distribution of the original values, "
                "which a release does not hold: give it, or choose random or most_frequent."
            )
        return found


def prepare_sets(engine: Engine, source: Source, columns: Columns, learner: SetID3) -> "SetLesson":
    """Give members and sets their codes, and draw the member that each row goes by."""
    if lacking := [column for column in columns.features if column not in source.columns]:
        raise RequestError(
            *(f'"{column}": ID3 on sets reads no bounds. Choose C4.5.' for column in lacking)
        )
    target = Dictionaries(engine, source).make(columns.target, 0, "extra")
    first_class = int(target.has_null)
    check_classes(target, target.n_codes - first_class)
    attributes = [
        _members(engine, source, column, position, learner)
        for position, column in enumerate(columns.features)
    ]
    key = hashlib.sha256(f"ppdt seed {learner.seed}".encode()).hexdigest()
    names = {"source": source.relation, "attributes": attributes, "target": target}
    engine.make("sets/combination", {"first_class": first_class}, names)
    engine.make("sets/unit", {"run_key": key}, names)
    engine.make("sets/share", names=names, to="ppdt_set_share")
    engine.drop("ppdt_combination")
    rows = engine.rows("tree/class", {"first_class": first_class}, {"target": target})
    bits = max(1, (1 + engine.count("sets/most")).bit_length())
    return SetLesson(
        attributes=attributes,
        target=target,
        classes=tuple(str(value) for _, value in rows),
        n_rows=engine.count("encode/size", names={"source": source.relation}),
        sets=[
            replace(attribute, position=attribute.position + len(attributes), bits=bits)
            for attribute in attributes
        ],
    )


@dataclass(frozen=True, kw_only=True)
class SetLesson(Lesson):
    """A lesson whose units carry the sets beside the members that they are converted to."""

    sets: Sequence[Coded]


class SetGrowth(Growth):
    """Growth that scores by sets, and splits by the members that they are converted to."""

    def __init__(
        self,
        engine: Engine,
        lesson: SetLesson,
        learner: SetID3,
        rules: Rules,
        progress: Progress,
    ) -> None:
        both = replace(lesson, attributes=[*lesson.attributes, *lesson.sets])
        super().__init__(engine, both, rules, progress)
        self.learner = learner
        self.lesson = lesson
        self.sets = lesson.sets

    def fill_histogram(self) -> None:
        """Count sets, and let each count for its members."""
        members = {**self.names, "attributes": self.lesson.attributes}
        if self.learner.scoring == "random_first":
            self.engine.make("tree/histogram", names=members)
            return
        self.engine.make("tree/histogram", names=members, to="ppdt_member_count")
        names = {**self.names, "attributes": self.sets}
        self.engine.make("tree/histogram", names=names, to="ppdt_set_count")
        scores = {"scoring": self.learner.scoring, "n_features": len(self.sets)}
        self.engine.make("sets/histogram", names=scores)

    def fill_branches(self) -> None:
        """The branches that the converted members take."""
        if self.learner.scoring != "random_first":
            self.engine.rename("ppdt_member_count", "ppdt_histogram")
        super().fill_branches()


def _members(engine: Engine, source: Source, column: str, position: int, learner: SetID3) -> Coded:
    """The codes of a column's members, and the table of its sets."""
    type_name = source.columns[column]
    element = element_type(type_name)
    if family_of(element) is None:
        raise RequestError(f'"{column}": sets of type {told(type_name)} cannot be learnt from.')
    names: dict[str, object] = {
        "source": source.relation,
        "column": column,
        "is_list": element != type_name,
    }
    engine.make("sets/member", names=names, to="ppdt_member_value")
    alone = replace(source, relation=ident("ppdt_member_value"), columns={column: element})
    coded = Dictionaries(engine, alone).make(column, position, "code")
    # Members are names here, whatever their type: every member has a branch of its own.
    coded = replace(coded, family="enum", n_special=int(coded.has_null))
    names |= {"attribute": coded, "conversion": learner.conversion}
    engine.make("sets/content", names=names)
    given = dict(learner.distribution.get(column, {}))
    counts = {"values": list(given), "counts": list(given.values())}
    engine.make("sets/given", counts)
    engine.make("sets/chance", names=names)
    engine.make("sets/listed", to=f"ppdt_set_{position}")
    engine.drop("ppdt_member_value", "ppdt_content", "ppdt_given", "ppdt_chance")
    return coded
