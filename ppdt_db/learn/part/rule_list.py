"""Decision lists: the first rule that a row meets decides."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.learn.arrays import Column, Condition, cover, make_columns
from ppdt_db.learn.dataset import Codes, fetch_rows
from ppdt_db.learn.feature_types import Feature
from ppdt_db.learn.memory_model import MemoryModel, make_predictions
from ppdt_db.learn.part.splits import SMALL
from ppdt_db.learn.trees.thresholds import base_of, written
from ppdt_db.progress import Progress
from ppdt_db.sqltext.exact import own_axis
from ppdt_db.sqltext.quoting import Sql, literal
from ppdt_db.sqltext.templates import render
from ppdt_db.tree.condition import typed

FORMAT = "ppdt rule list 1"
# The mark of the same format when the rules of releases had nearly the same one.
FORMER_FORMAT = "ppdt rules 1"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule: conditions that must all hold, and the weight of each class that it covered."""

    conditions: tuple[Condition, ...]
    counts: tuple[float, ...]

    @property
    def majority(self) -> int:
        """The heaviest class; the first of equal ones."""
        return max(range(len(self.counts)), key=lambda i: (round(self.counts[i], 9), -i))


@dataclass(frozen=True, kw_only=True)
class PartModel(MemoryModel):
    """A decision list: the first rule that a row meets decides."""

    members: tuple[tuple[str, ...], ...]
    rules: tuple[Rule, ...]

    is_exact = True

    @property
    def size(self) -> int:
        """The number of rules."""
        return len(self.rules)

    def predict_rows(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Create `ppdt_prediction` from `ppdt_reading`, in memory."""
        held = fetch_rows(engine, features, "truth", is_exact=True)
        columns = make_columns(features, held, self.members)
        votes = self.vote(columns, held.size)
        progress("predict", 1.0)
        make_predictions(engine, held, (self.classes[place] for place in votes.tolist()))

    def vote(self, columns: Sequence[Column], n_rows: int) -> Codes:
        """Return the class of every row; the rest of a row that meets a rule in part goes on."""
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
        """Return the rules in their order."""
        lines = []
        for rule in self.rules:
            shown = " AND\n".join(self._shown(c) for c in rule.conditions)
            wrong = round(sum(rule.counts) - max(rule.counts), 2)
            beside = f"/{wrong}" if wrong else ""
            label = self.classes[rule.majority]
            lines += [f"{shown}: {label} ({round(sum(rule.counts), 2)}{beside})", ""]
        return "\n".join([*lines, f"Number of Rules  : \t{self.size}"])

    def as_dict(self) -> dict[str, object]:
        """Return the rules in plain lists and dictionaries."""
        return {
            "format": FORMAT,
            "target": self.target,
            "classes": list(self.classes),
            "features": [
                {
                    "name": trait.name,
                    "type": trait.type_name,
                    "kind": trait.kind,
                    **trait.start,
                    "members": list(members),
                }
                for trait, members in zip(self.traits, self.members, strict=True)
            ],
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
        """Return the rules as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1, allow_nan=False)

    def as_sql(self) -> str:
        """Return the rules as one CASE expression; a missing value meets no condition."""
        rules = [
            {"label": self.classes[r.majority], "tests": [self._test(c) for c in r.conditions]}
            for r in self.rules
            if r.conditions
        ]
        last = self.rules[-1] if not self.rules[-1].conditions else self._heaviest
        names = {"rules": rules, "label": self.classes[last.majority]}
        return str(render("lib/fragments/rules", names).text)

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
        if isinstance(condition.threshold, Fraction):
            return written(condition.threshold)
        return condition.threshold

    def _shown(self, condition: Condition) -> str:
        name = self.traits[condition.feature].name
        value = self._value(condition)
        return f"{name} {self._sign(condition)} {value if isinstance(value, str) else f'{value:g}'}"

    def _test(self, condition: Condition) -> dict[str, object]:
        trait = self.traits[condition.feature]
        threshold = condition.threshold
        value = literal(self._value(condition))
        is_clock = trait.kind == "ordered" and trait.axis != "number"
        clock = "seconds" if is_clock else ""
        if isinstance(threshold, Fraction):
            axis = own_axis(trait.type_name)
            last = str(base_of(threshold * axis.per_second, axis.type_name))
            value = typed(last, axis.type_name)
            clock = {"number": "", "nanosecond": "nanoseconds"}.get(axis.kind, "microseconds")
        return {
            "column": trait.name,
            "as_text": trait.kind == "nominal" and trait.type_name != "VARCHAR",
            "clock": clock,
            "sign": Sql(self._sign(condition)),
            "value": value,
        }
