"""ID3 on set-generalized tables: a released set may stand for any of its members.

After Shao and Beckford: `scoring` says how a set counts when attributes are scored, `conversion`
which of its members represents a row once the attribute is chosen, or that the set stays whole.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.grow import Growth, GrowthOptions
from ppdt_db.learn.trees.node import as_int
from ppdt_db.learn.trees.set_values import prepare_set_values
from ppdt_db.learn.trees.training_set import Columns, TrainingSet, check_classes, growth_faults
from ppdt_db.progress import Progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import display_type, element_type, family_of, is_list
from ppdt_db.sqltext.quoting import ident, normalize_name
from ppdt_db.tree.tree import Missing, Ties

Scoring = Literal["fractional", "own_value", "random_first", "each_member"]
Conversion = Literal["random", "most_frequent", "original_distribution", "own_value"]
SCORINGS: tuple[str, ...] = get_args(Scoring)
CONVERSIONS: tuple[str, ...] = get_args(Conversion)


@dataclass(frozen=True, kw_only=True)
class SetID3:
    """ID3 on categorical columns and on LIST columns of releases.

    >>> SetID3(scoring="own_value").conversion
    'random'
    """

    scoring: Scoring = "fractional"
    conversion: Conversion = "random"
    seed: int = 1
    min_rows: int = 1
    """Rows that two branches must hold; 0 lets parts of a row make a branch, as the paper does."""
    ties: Ties = "first"
    distribution: Mapping[str, Mapping[str | None, int]] = field(default_factory=dict)

    criterion = "gain"
    unpruned = True
    raising = False
    confidence = 0.25
    missing: Missing = "branch"

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        found = growth_faults(self.min_rows, least=0)
        if self.scoring not in SCORINGS:
            found.append(f"scoring {self.scoring}: choose one of {', '.join(SCORINGS)}.")
        if self.conversion not in CONVERSIONS:
            found.append(f"conversion {self.conversion}: choose one of {', '.join(CONVERSIONS)}.")
        if self.conversion == "original_distribution" and not self.distribution:
            found.append(
                "conversion original_distribution needs the distribution of the original "
                "values, which a release does not contain: pass it (--original-distribution), or "
                "choose random or most_frequent."
            )
        if self.keeps_sets and self.scoring != "own_value":
            found.append(
                "conversion own_value gives a set a branch of its own, so it must count as a value "
                "of its own, too: add scoring own_value (--scoring own_value), or choose another "
                "conversion."
            )
        return found

    @property
    def keeps_sets(self) -> bool:
        """Return whether a set is a branch of its own, and no member is drawn."""
        return self.conversion == "own_value"


def prepare_sets(engine: Engine, source: Source, columns: Columns, learner: SetID3) -> TrainingSet:
    """Encode a source for ID3 on sets."""
    if lacking := [column for column in columns.features if column not in source.columns]:
        raise RequestError(
            *(f'"{column}": ID3 on sets does not support bounds. Use C4.5.' for column in lacking)
        )
    if learner.keeps_sets:
        return prepare_set_values(engine, source, columns)
    return _prepare_members(engine, source, columns, learner)


def _prepare_members(
    engine: Engine, source: Source, columns: Columns, learner: SetID3
) -> "SetTrainingSet":
    """Encode members and sets, and draw the member that represents each row."""
    _check_distribution(source, columns, learner)
    target = Dictionaries(engine, source).make(columns.target, 0, "extra")
    first_class = int(target.has_null)
    check_classes(target, target.n_codes - first_class)
    attributes = [
        _members(engine, source, column, position, learner)
        for position, column in enumerate(columns.features)
    ]
    key = hashlib.sha256(f"ppdt seed {learner.seed}".encode()).hexdigest()
    names = {"source": source.relation, "attributes": attributes, "target": target}
    engine.make("learn/set_id3/combination", {"first_class": first_class}, names)
    engine.make("learn/set_id3/unit", {"run_key": key}, names)
    engine.make("learn/set_id3/share", names=names, to="ppdt_set_share")
    engine.drop("ppdt_combination")
    rows = engine.rows("learn/trees/class", {"first_class": first_class}, {"target": target})
    bits = max(1, (1 + engine.count("learn/set_id3/most")).bit_length())
    return SetTrainingSet(
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
class SetTrainingSet(TrainingSet):
    """A training set whose units have the sets beside the members drawn for them."""

    sets: Sequence[EncodedColumn]


class SetGrowth(Growth):
    """The state of a growth that scores by sets, and splits by the members drawn."""

    def __init__(
        self,
        engine: Engine,
        lesson: SetTrainingSet,
        learner: SetID3,
        rules: GrowthOptions,
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
            self.engine.make("learn/trees/class_count", names=members)
            return
        self.engine.make("learn/trees/class_count", names=members, to="ppdt_member_count")
        names = {**self.names, "attributes": self.sets}
        self.engine.make("learn/trees/class_count", names=names, to="ppdt_set_count")
        scores = {"scoring": self.learner.scoring, "n_features": len(self.sets)}
        self.engine.make("learn/set_id3/class_count", names=scores)

    def root_histogram(self) -> Mapping[int, Mapping[int, int]]:
        """Return, for every value of a single column, the weights of its classes at the root."""
        for step in ("growing", "count", "splittable"):
            self.engine.make(f"learn/trees/{step}", self.params, self.names)
        self.fill_histogram()
        found: dict[int, dict[int, int]] = {}
        for row in self.engine.rows("learn/set_id3/root"):
            _, code, target, weight = map(as_int, row)
            found.setdefault(code, {})[target] = weight
        return found

    def fill_branches(self) -> None:
        """Number the branches that the drawn members take."""
        if self.learner.scoring != "random_first":
            self.engine.rename("ppdt_member_count", "ppdt_class_count")
        super().fill_branches()


def _check_distribution(source: Source, columns: Columns, learner: SetID3) -> None:
    """Raise if the distribution of a column of sets is asked for, but not there."""
    if learner.conversion != "original_distribution":
        return
    known = {normalize_name(name) for name in learner.distribution}
    lacking = [
        column
        for column in columns.features
        if is_list(source.columns[column]) and normalize_name(column) not in known
    ]
    if lacking:
        raise RequestError(
            *(
                f'"{column}": its values are sets, and the original distribution does not have it. '
                "Count it too, or choose another conversion."
                for column in lacking
            )
        )


def _members(
    engine: Engine, source: Source, column: str, position: int, learner: SetID3
) -> EncodedColumn:
    """Create the codes of a column's members, and the table of its sets."""
    type_name = source.columns[column]
    element = element_type(type_name)
    if family_of(element) is None:
        raise RequestError(
            f'"{column}": sets of type {display_type(type_name)} are not supported. Remove the '
            "feature, or cast it in a view."
        )
    names: dict[str, object] = {
        "source": source.relation,
        "column": column,
        "is_list": element != type_name,
    }
    engine.make("learn/set_id3/member", names=names, to="ppdt_member_value")
    alone = replace(source, relation=ident("ppdt_member_value"), columns={column: element})
    coded = Dictionaries(engine, alone).make(column, position, "code")
    # Members are names here, whatever their type: each has a branch of its own.
    coded = replace(coded, family="enum", n_special=int(coded.has_null))
    names |= {"attribute": coded, "conversion": learner.conversion}
    engine.make("learn/set_id3/content", names=names)
    if learner.conversion == "most_frequent":
        _rank_members(engine)
    given = {normalize_name(name): held for name, held in learner.distribution.items()}
    distribution = dict(given.get(normalize_name(column), {}))
    columns = {"shown": "VARCHAR", "n_rows": "BIGINT"}
    engine.load("ppdt_original_value", columns, distribution.items())
    engine.make("learn/set_id3/conversion", names=names)
    engine.make("learn/set_id3/listed", to=f"ppdt_listed_{position}")
    engine.drop(*WORKING)
    return coded


def _rank_members(engine: Engine) -> None:
    """Rank the members of a column by how often they occur; of equals the first comes first.

    Sets of r members count 1/r, summed as whole numbers over a common denominator: no type of the
    engine holds that of many sizes, and rounded parts would decide ties.
    """
    rows = engine.rows("learn/set_id3/frequency")
    common = math.lcm(*(as_int(n_members) for _, n_members, _ in rows))
    found: dict[int, int] = {}
    for code, n_members, n_rows in rows:
        part = as_int(n_rows) * (common // as_int(n_members))
        found[as_int(code)] = found.get(as_int(code), 0) + part
    ranked = sorted(found, key=lambda code: (-found[code], code))
    columns = {"code": "INTEGER", "place": "INTEGER"}
    places = [(code, place) for place, code in enumerate(ranked)]
    engine.load("ppdt_frequent", columns, places, is_logged=True)


WORKING = (
    "ppdt_member_value", "ppdt_content", "ppdt_original_value", "ppdt_conversion", "ppdt_frequent",
)  # fmt: skip
