"""PART: a decision list, each rule of which is a leaf of a partial C4.5 tree."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdt_db.engine import DuckEngine
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.grown import whole
from ppdt_db.learn.lesson import Columns
from ppdt_db.learn.partial import (
    SMALL,
    Column,
    Condition,
    Grower,
    Nominal,
    Ordered,
    Subset,
    Table,
    fractions,
)  # fmt: skip
from ppdt_db.learn.reading import Feature, Trait
from ppdt_db.learn.taught import Codes, Held, Numbers, ask, hold, teach
from ppdt_db.names import Sql
from ppdt_db.source import Source
from ppdt_db.template import render


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule: all conditions must hold; the weight of each class that it covered in turn."""

    conditions: tuple[Condition, ...]
    counts: tuple[float, ...]

    @property
    def majority(self) -> int:
        """The heaviest class; of equals the first."""
        return max(range(len(self.counts)), key=lambda i: (round(self.counts[i], 9), -i))


@dataclass(frozen=True, kw_only=True)
class PartModel:
    """A decision list: the first rule that a row meets decides."""

    target: str
    classes: tuple[str, ...]
    traits: tuple[Trait, ...]
    members: tuple[tuple[str, ...], ...]
    rules: tuple[Rule, ...]

    @property
    def size(self) -> int:
        """The number of rules."""
        return len(self.rules)

    def confusion(self, engine: DuckEngine, source: Source, truth: str) -> Confusion:
        """How often which class was taken for which."""
        features = ask(engine, source, self.traits, truth)
        held = hold(engine, features, "truth")
        columns = make_columns(features, held, self.members)
        taken: dict[tuple[str | None, str], int] = {}
        for true, place, n_rows in zip(
            held.answers, self.vote(columns, held.size), held.n_rows, strict=True
        ):
            key = (None if true is None else str(true)), self.classes[place]
            taken[key] = taken.get(key, 0) + int(n_rows)
        return taken

    def vote(self, columns: Sequence[Column], n_rows: int) -> Codes:
        """The class of every row; a row that meets a rule in part goes on with the rest."""
        votes = np.zeros((n_rows, len(self.classes)))
        rows, weights = np.arange(n_rows), np.ones(n_rows)
        for rule in self.rules:
            covered = cover(columns, rule.conditions, rows)
            is_met = covered > SMALL
            shares = np.array(rule.counts) / max(sum(rule.counts), SMALL)
            votes[rows[is_met]] += (weights * covered)[is_met][:, None] * shares
            weights = weights * (1 - covered)
            is_left = weights > SMALL
            rows, weights = rows[is_left], weights[is_left]
            if not len(rows):
                break
        found: Codes = np.round(votes, 9).argmax(axis=1)
        return found

    # -- written down ----------------------------------------------------------------------------

    def as_text(self) -> str:
        """The rules in their order."""
        lines = []
        for rule in self.rules:
            shown = " AND\n".join(self._shown(c) for c in rule.conditions)
            wrong = round(sum(rule.counts) - max(rule.counts), 2)
            beside = f"/{wrong}" if wrong else ""
            label = self.classes[rule.majority]
            lines += [f"{shown}: {label} ({round(sum(rule.counts), 2)}{beside})", ""]
        return "\n".join([*lines, f"Number of Rules  : \t{self.size}"])

    def as_dict(self) -> dict[str, object]:
        """Everything, for JSON."""
        return {
            "format": "ppdt rules 1",
            "target": self.target,
            "classes": list(self.classes),
            "rules": [
                {
                    "conditions": [
                        {
                            "feature": self.traits[c.feature].name,
                            "test": self._sign(c),
                            "value": self._value(c),
                            "share_of_missing": c.share,
                        }
                        for c in rule.conditions
                    ],
                    "weights": list(rule.counts),
                }
                for rule in self.rules
            ],
        }

    def as_json(self) -> str:
        """The rules as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1)

    def as_sql(self) -> str:
        """The rules as one CASE expression; a missing value meets no condition."""
        rules = [
            {"label": self.classes[r.majority], "tests": [self._test(c) for c in r.conditions]}
            for r in self.rules
            if r.conditions
        ]
        last = self.rules[-1] if not self.rules[-1].conditions else self._heaviest
        names = {"rules": rules, "label": self.classes[last.majority]}
        return str(render("form/rules", names).text)

    @cached_property
    def _heaviest(self) -> Rule:
        return max(self.rules, key=lambda rule: sum(rule.counts))

    def _sign(self, condition: Condition) -> str:
        if condition.threshold is None:
            return "="
        return ">" if condition.branch else "<="

    def _value(self, condition: Condition) -> str | float:
        if condition.threshold is None:
            return self.members[condition.feature][condition.branch]
        return condition.threshold

    def _shown(self, condition: Condition) -> str:
        name = self.traits[condition.feature].name
        value = self._value(condition)
        return f"{name} {self._sign(condition)} {value if isinstance(value, str) else f'{value:g}'}"

    def _test(self, condition: Condition) -> dict[str, object]:
        trait = self.traits[condition.feature]
        return {
            "column": trait.name,
            "as_text": trait.kind == "nominal" and trait.type_name != "VARCHAR",
            "as_seconds": trait.kind == "ordered" and trait.axis != "number",
            "sign": Sql(self._sign(condition)),
            "value": self._value(condition),
        }


@dataclass(frozen=True, kw_only=True)
class Part:
    """PART: rules from partial C4.5 trees.

    >>> Part(min_rows=0).faults
    ['min_rows=0: take at least 1.']
    """

    min_rows: int = 2
    confidence: float = 0.25

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        found = [] if self.min_rows >= 1 else [f"min_rows={self.min_rows}: take at least 1."]
        if not 0 < self.confidence <= 0.5:
            found.append(f"confidence={self.confidence}: it must be above 0, and at most 0.5.")
        return found

    def fit(self, engine: DuckEngine, source: Source, columns: Columns) -> PartModel:
        """Learn from rows that are fetched into memory."""
        with engine.transaction():
            taught = teach(engine, source, columns)
            held = hold(engine, taught.features, "target")
        classes = np.array([whole(code) for code in held.answers]) - taught.first_class
        members = tuple(members_of(held, feature) for feature in taught.features)
        table = Table(
            columns=make_columns(taught.features, held, members),
            classes=classes,
            n_classes=len(taught.classes),
        )
        grower = Grower(table, self.min_rows, self.confidence)
        return PartModel(
            target=taught.target,
            classes=taught.classes,
            traits=taught.traits,
            members=members,
            rules=tuple(find_rules(grower, classes, held.n_rows)),
        )


def find_rules(grower: Grower, classes: Codes, n_rows: Numbers) -> Iterable[Rule]:
    """Rule after rule, each from what the ones before left over."""
    rows = np.flatnonzero(classes >= 0)
    weights = n_rows[rows]
    while weights.sum() > SMALL:
        end = grower.rule(Subset(rows=rows, weights=weights))
        yield Rule(conditions=end.path, counts=tuple(round(float(c), 9) for c in end.counts))
        weights = weights * (1 - cover(grower.table.columns, end.path, rows))
        is_left = weights > SMALL
        rows, weights = rows[is_left], weights[is_left]


def cover(columns: Sequence[Column], conditions: Sequence[Condition], rows: Codes) -> Numbers:
    """How much of each row meets all conditions."""
    covered = np.ones(len(rows))
    left = np.arange(len(rows))
    for condition in conditions:
        covered[left] *= fractions(columns, condition, rows[left])
        left = left[covered[left] > 1e-9]
    return np.where(covered > 1e-9, covered, 0.0)


def members_of(held: Held, feature: Feature) -> tuple[str, ...]:
    """The members of a nominal feature, in order."""
    if feature.kind == "ordered":
        return ()
    return tuple(sorted({m for s in held.sets[feature.position] if s for m in s}))


def make_columns(
    features: Sequence[Feature], held: Held, members: Sequence[Sequence[str]]
) -> list[Column]:
    """Held rows as codes; members that the model does not know count as missing."""
    made: list[Column] = []
    for feature in features:
        place = feature.position
        if feature.kind == "ordered":
            lows, highs = held.lows[place], held.highs[place]
            middles = (lows + highs) / 2
            is_known = ~np.isnan(middles)
            values, codes = np.unique(middles[is_known], return_inverse=True)
            all_codes = np.full(len(lows), -1)
            all_codes[is_known] = codes
            has_width = bool((highs[is_known] > lows[is_known]).any())
            made.append(
                Ordered(codes=all_codes, values=values, lows=lows, highs=highs, has_width=has_width)
            )
        else:
            made.append(_nominal(held.sets[place], members[place]))
    return made


def _nominal(sets: Sequence[tuple[str, ...] | None], members: Sequence[str]) -> Nominal:
    place_of = {member: place for place, member in enumerate(members)}
    forms: dict[tuple[int, ...], int] = {}
    codes = []
    for shown in sets:
        places = tuple(place_of[m] for m in shown or () if m in place_of)
        codes.append(forms.setdefault(places, len(forms)) if places else -1)
    shares = np.zeros((len(forms), len(members)))
    for places, form in forms.items():
        shares[form, list(places)] = 1 / len(places)
    return Nominal(codes=np.array(codes, dtype=np.int64), members=tuple(members), shares=shares)
