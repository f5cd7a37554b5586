"""kADET: a decision tree that is k-anonymous for the rows that it was learnt from.

Friedman, Schuster, Wolff (2006). The tree itself is the release, and has a certificate.

units ──grow within the spans──▶ tree ──prune──▶ tree ──verify, by its own reading──▶ certificate
"""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import duckdb

from ppdt_db.arguments import list_faults
from ppdt_db.encode.bins import ColumnBins, highest_source
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError, RequestError
from ppdt_db.learn.kadet.bins import figures_of, learn_edges, with_edges
from ppdt_db.learn.kadet.certainty import least_l
from ppdt_db.learn.kadet.hierarchy_levels import (
    LevelAttribute,
    hierarchy_faults,
    in_values,
    make_levels,
)
from ppdt_db.learn.kadet.notes import notes_of
from ppdt_db.learn.kadet.promise import Promise, private_numbers
from ppdt_db.learn.kadet.span_growth import growth_of
from ppdt_db.learn.kadet.thresholds import with_midpoints
from ppdt_db.learn.kadet.verify import TreeVerdict, read_verdict
from ppdt_db.learn.model import TreeModel
from ppdt_db.learn.trees.decode import finish
from ppdt_db.learn.trees.prune import Pruning
from ppdt_db.learn.trees.training_set import (
    Columns,
    TrainingSet,
    find_columns,
    growth_faults,
    prepare,
)
from ppdt_db.policy.bins import Bins, BinsSpec, as_bins
from ppdt_db.policy.hierarchy_specs import HierarchySpec
from ppdt_db.progress import no_progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.json_text import as_json
from ppdt_db.tree.tree import Tree
from ppdt_db.version import __version__

TreeForm = Literal["c45", "id3"]
GUARANTEE = "k-anonymity of the model"


@dataclass(frozen=True, kw_only=True)
class KadetTree(TreeModel):
    """A tree with a guarantee, and its certificate."""

    certificate: Mapping[str, object]

    def as_text(self) -> str:
        """Return the tree as J48 prints it."""
        return self.tree.as_text()

    def as_json(self) -> str:
        """Return the tree as JSON, which `ppdt predict` reads."""
        return self.tree.as_json()

    def as_sql(self) -> str:
        """Return the tree as one CASE expression over its columns."""
        return self.tree.as_sql()

    def certificate_json(self) -> str:
        """Return the certificate as JSON."""
        return as_json(self.certificate)


@dataclass(frozen=True, kw_only=True)
class Kadet:
    """kADET: C4.5 or ID3 without splits that would link fewer than k rows to anything private.

    `public` are the columns that an attacker may know, `private` the other columns to learn from.

    >>> Kadet(k=10, public=["age", "sex"]).faults
    []
    """

    k: int
    public: Sequence[str]
    private: Sequence[str] = ()
    public_class: bool = False
    l: float | None = None  # noqa: E741
    limit: float | None = None
    """How certain, in percent, anybody may become of a class: l as the classes need it."""
    form: TreeForm = "c45"
    hierarchies: Mapping[str, HierarchySpec] = field(default_factory=dict)
    """For public columns that are not numbers: generalizations of values that are too rare."""
    bins: BinsSpec | None = None
    """The rule by which numbers and dates are cut first: only the edges of bins are tested."""
    min_rows: int | None = None
    confidence: float = 0.25

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        if wrong := list_faults(public=self.public, private=self.private):
            return wrong
        found = [] if self.k >= 1 else [f"k={self.k}: must be at least 1."]
        if self.l is not None and self.l < 1:
            found.append(f"l={self.l}: must be at least 1, as entropy l-diversity.")
        if self.limit is not None and not 0 < self.limit <= 100:
            found.append(f"limit={self.limit}: must be a percentage, such as 85.")
        found += [
            f"{name} does not apply to a public class: everybody knows the class already, so "
            f"there is nothing to keep diverse. Remove {name}, or make the class private."
            for name in ("l", "limit")
            if getattr(self, name) is not None and self.public_class
        ]
        if self.form not in ("c45", "id3"):
            found.append(f"form {self.form}: choose c45 or id3.")
        found += growth_faults(self.min_rows, self.confidence)
        try:
            self._rule()
        except RequestError as error:
            found += error.faults
        if not self.public and not self.private:
            found.append("no attributes: name public columns, private columns, or both.")
        return found

    def fit(self, engine: Engine, source: Source, columns: Columns) -> KadetTree:
        """Learn inside the engine's database."""
        own = find_columns(source, columns.target, [*self.public, *self.private], None)
        if columns.weight is not None:
            raise RequestError("kadet does not support weights. Remove --weight.")
        with engine.transaction():
            bins = self._bins(engine, source, own)
            read = highest_source(engine, source, bins) if bins else source
            lesson = prepare(engine, read, own)
        n_public = len(self.public)
        public = [a.position for a in lesson.attributes if a.position < n_public]
        self._check(lesson, public)
        with engine.transaction():
            lesson, levels = make_levels(engine, read, lesson, self.hierarchies)
        if bins:
            engine.drop("ppdt_highest")
        public += [level.attribute.position for level in levels]
        diversity = self._least_l(lesson)
        promise = Promise(k=self.k, l=diversity, public=public, is_class_public=self.public_class)
        tree = self._grow(engine, lesson, levels, promise, bins)
        verdict = read_verdict(
            engine,
            tree,
            source,
            public=self.public,
            is_class_public=self.public_class,
            least_rows=self.k,
        )
        failed = verdict.failures(self.k, diversity)
        if failed:
            raise GuaranteeError("\n".join(failed))
        return KadetTree(tree=tree, certificate=self._certificate(tree, verdict, bins))

    def _rule(self) -> Bins | None:
        """Return the rule for bins, if there is one."""
        return None if self.bins is None else as_bins(self.bins)

    def _bins(self, engine: Engine, source: Source, columns: Columns) -> list[ColumnBins]:
        """Return the bins of the features that are cut."""
        rule = self._rule()
        return [] if rule is None else learn_edges(engine, source, columns, rule, self.k)

    def _least_l(self, lesson: TrainingSet) -> float | None:
        """Return the entropy l-diversity asked for: the larger of l and what the limit needs."""
        if self.limit is None:
            return self.l
        return max(self.l or 1.0, least_l(self.limit, len(lesson.classes)))

    def _check(self, lesson: TrainingSet, public: Sequence[int]) -> None:
        """Raise if the training data show faults of the request."""
        n_classes = len(lesson.classes)
        faults = [
            f"limit={self.limit}: with {n_classes} classes everybody is {100 / n_classes:.1f} % "
            "certain at the least. Give a higher limit."
            for _ in range(self.limit is not None and self.limit * n_classes < 100)
        ]
        faults += [
            (
                f'"{a.name}" holds ranges or sets, which kadet does not support. Learn from the '
                "source, which has single values."
            )
            for a in lesson.attributes
            if a.spread
        ]
        faults += [
            f'private "{a.name}": thresholds on values of type {a.type_name} are not supported. '
            "Cast it to BIGINT or DOUBLE in a view."
            for a in lesson.attributes
            if a.family == "huge" and a.position not in public
        ]
        faults += hierarchy_faults(self.hierarchies, lesson, public)
        if faults:
            raise RequestError(*faults)

    def _grow(
        self,
        engine: Engine,
        lesson: TrainingSet,
        levels: Sequence[LevelAttribute],
        promise: Promise,
        bins: Sequence[ColumnBins],
    ) -> Tree:
        is_c45 = self.form == "c45"
        min_rows = self.min_rows if self.min_rows is not None else 2 if is_c45 else 1
        growth = growth_of(promise, lesson)(
            engine, lesson, promise, "ratio" if is_c45 else "gain", min_rows, no_progress
        )
        _check_start(engine, promise)
        root = growth.grow()
        if is_c45:
            Pruning(growth, self.confidence, raising=False).prune(root)
        nodes = list(root.walk())
        tree = finish(engine, lesson, root, "branch")
        tree = in_values(engine, levels, tree, nodes)
        engine.drop("ppdt_finer", "ppdt_level", "ppdt_unit")
        binned = {one.name for one in bins}
        private = private_numbers(lesson, promise)
        tree = with_midpoints(engine, [a for a in private if a.name not in binned], tree, nodes)
        return with_edges(lesson, bins, [a.name for a in private], tree, nodes)

    def _certificate(
        self, tree: Tree, verdict: TreeVerdict, bins: Sequence[ColumnBins]
    ) -> dict[str, object]:
        rule = self._rule()
        return {
            "guarantee": GUARANTEE,
            "method": "kadet",
            "parameters": {
                "k": self.k,
                "l": self.l,
                "limit": self.limit,
                "form": self.form,
                "min_rows": self.min_rows,
                "confidence": self.confidence if self.form == "c45" else None,
                "bins": None if rule is None else rule.title,
            },
            "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "public": list(self.public),
            "hierarchies_of": sorted(self.hierarchies),
            **({} if rule is None else {"bins": figures_of(rule, bins)}),
            "private": list(self.private),
            "target": tree.target,
            "class": "public" if self.public_class else "private",
            "nodes": len(tree.nodes),
            "leaves": tree.n_leaves,
            **verdict.as_dict(),
            "verified": True,
            "notes": notes_of(tree, self.private),
            "versions": {
                "ppdt_db": __version__,
                "duckdb": duckdb.__version__,
                "python": platform.python_version(),
            },
        }


def _check_start(engine: Engine, promise: Promise) -> None:
    """Raise if not even a tree of one leaf keeps the guarantee."""
    params = {"least_rows": promise.k, "has_classes": promise.is_class_public}
    n_small, least = engine.row("learn/kadet/start", params)
    if n_small and promise.is_class_public:
        raise GuaranteeError(
            f"k={promise.k}, but {n_small} of the classes, which are public, have fewer rows "
            f"(the smallest: {least}). No tree keeps that guarantee: lower k, or group the "
            "classes."
        )
    if n_small:
        raise GuaranteeError(
            f"k={promise.k}, but the source has {least} rows with a class. Lower k."
        )
