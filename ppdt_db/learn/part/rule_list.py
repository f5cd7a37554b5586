"""A decision list: the first rule that a row meets decides."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.exact import own_axis
from ppdt_db.learn.arrays import Column, Condition, cover, make_columns
from ppdt_db.learn.known import Known, make_told
from ppdt_db.learn.reading import Feature
from ppdt_db.learn.splits import SMALL
from ppdt_db.learn.taught import Codes, hold
from ppdt_db.learn.thresholds import base_of, written
from ppdt_db.methods.contract import Progress
from ppdt_db.names import Sql, literal
from ppdt_db.template import render
from ppdt_db.tree import typed

FORMAT = "ppdt rules 1"


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
class PartModel(Known):
    """A decision list: the first rule that a row meets decides."""

    members: tuple[tuple[str, ...], ...]
    rules: tuple[Rule, ...]

    is_exact = True

    @property
    def size(self) -> int:
        """The number of rules."""
        return len(self.rules)

    def tell(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Make `ppdt_told` of `ppdt_reading`, in memory."""
        held = hold(engine, features, "truth", is_exact=True)
        columns = make_columns(features, held, self.members)
        votes = self.vote(columns, held.size)
        progress("predict", 1.0)
        make_told(engine, held, (self.classes[place] for place in votes.tolist()))

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
        """The rules as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1, allow_nan=False)

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
