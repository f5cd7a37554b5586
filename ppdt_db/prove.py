"""Prove: audit a relation that is not yet shown, against the promise and against what made it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db import audit
from ppdt_db.audit import AsIs, Audit, Finding, Kept, Nodes, Released, Rows, Shown
from ppdt_db.certificate import digest
from ppdt_db.coded import Ladder
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.families import ORDERED, family_of
from ppdt_db.label import make_extents
from ppdt_db.methods.contract import Method
from ppdt_db.names import Private, Sql, ident, in_words
from ppdt_db.policy import Roles
from ppdt_db.recode import Parts
from ppdt_db.request import Bounds
from ppdt_db.source import Source
from ppdt_db.witness import KK, prove_kk

SHAPES: dict[str, audit.Shape] = {
    "range": "range",
    "set": "set",
    "bounds": "bounds",
    "mean": "centre",
    "mode": "centre",
    "node": "node",
    "value": "value",
}


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What was found of a relation that keeps its promise."""

    audit: Audit
    rows_out: int
    fingerprint: str
    kept: Kept


@dataclass(frozen=True, kw_only=True)
class Prover:
    """Audits one release before anybody can see it."""

    engine: Engine
    method: Method
    roles: Roles
    read: Source
    digest_key: Private
    bounds: Bounds = field(default_factory=Bounds)

    def fingerprint(self, relation: Sql, columns: Mapping[str, str]) -> tuple[int, str]:
        """The number of rows, and a keyed digest that their order does not change."""
        names = {"relation": relation, "columns": columns}
        params = {"digest_key": self.digest_key}
        n_rows, total = self.engine.row("encode/fingerprint", params, names)
        assert isinstance(n_rows, int)
        return n_rows, digest(self.digest_key, "rows", n_rows, total)

    def prove(self, relation: Sql, parts: Parts) -> Evidence:
        """The evidence that a relation keeps what was promised; raises where it does not."""
        engine = self.engine
        columns = dict(engine.describe(relation))
        expected = [column.released for column in parts.columns]
        if list(columns) != expected:
            raise GuaranteeError("audit failed: the release does not have the columns agreed on.")
        released = Released(
            relation=relation,
            columns=columns,
            shown=self._shown(parts),
            sensitive=self.roles.sensitive,
            original=self.read.relation,
            original_columns=self.read.columns,
            entities=self._entities(parts),
            entity="ppdt_entity" if self.roles.entity else None,
        )
        asked = self.method.required
        required = [audit.requirement(*entry) for entry in asked.items() if entry[0] != KK]
        level = next((entry.level for entry in required if entry.level is not None), None)
        measures = audit.measure(
            engine,
            released,
            centres=self._centres(parts),
            wish=audit.Wish(
                recursive_l=level,
                with_others=False,
                hierarchies=_hierarchies(parts.encoded.ladders),
            ),
        )
        findings = audit.judge(measures, required)
        if KK in asked:
            kk = float(asked[KK])
            findings.append(prove_kk(engine, released, parts, kk))
        rows_out, fingerprint = self.fingerprint(relation, columns)
        findings.append(
            Finding(
                name="rows",
                required=self._rows_placed(),
                measured=rows_out,
                passed=rows_out == self._rows_placed(),
            )
        )
        findings += self._conserved(relation, columns, parts)
        kept = self._kept(released)
        findings += self._bounded(kept, measures["gcp"])
        result = Audit(measures=measures, findings=findings)
        if not result.passed:
            failed = [line for f in findings if not f.passed for line in self._told(f, kept)]
            raise GuaranteeError("\n".join(["audit failed, nothing was released:", *failed]))
        return Evidence(
            audit=result,
            rows_out=rows_out,
            fingerprint=fingerprint,
            kept=kept,
        )

    def _conserved(
        self, relation: Sql, columns: Mapping[str, str], parts: Parts
    ) -> Sequence[Finding]:
        """Whether the columns that are no quasi-identifiers hold, row by row, what they held.

        A CSV file holds nested values as text alone: of these it cannot be told.
        """
        held = dict(self.engine.describe(ident("ppdt_sorted")))
        kept = [
            column
            for column in parts.columns
            if column.table == "sorted"
            and (columns[column.released] != "VARCHAR" or family_of(held[column.inside]))
        ]
        if not kept:
            return []
        inside = {column.inside: held[column.inside] for column in kept}
        outside = {column.released: columns[column.released] for column in kept}
        is_same = self.fingerprint(ident("ppdt_sorted"), inside) == self.fingerprint(
            relation, outside
        )
        return [Finding(name="columns kept", required=1, measured=float(is_same), passed=is_same)]

    def _shown(self, parts: Parts) -> list[Shown]:
        shown: list[Shown] = []
        for attribute in parts.encoded.attributes:
            labels = [label for label in parts.labels if label.attribute == attribute.name]
            columns = [label.released for label in labels]
            shape = SHAPES[labels[0].shape]
            nodes = None
            if shape == "node" and attribute.has_hierarchy:
                is_ordered = attribute.family in ORDERED
                nodes = Nodes(
                    node=attribute.node, dictionary=attribute.table, is_ordered=is_ordered
                )
            shown.append(
                Shown(
                    name=attribute.name,
                    columns=columns,
                    shape=shape,
                    original=attribute.name,
                    nodes=nodes,
                )
            )
        return shown

    def _centres(self, parts: Parts) -> dict[str, float | None]:
        """What means and modes lose: the extent of their classes, which no release shows."""
        centres: dict[str, float | None] = {}
        labels = [label for label in parts.labels if label.shape in ("mean", "mode")]
        if labels:
            make_extents(self.engine, parts.encoded, parts.grain)
        for label in labels:
            by_name = {a.name: a for a in parts.encoded.attributes}
            names = {"attribute": by_name[label.attribute], "label": label}
            value = self.engine.row("audit/ncp_centre", names=names)[0]
            centres[label.attribute] = round(float(str(value)), 12)
        return centres

    def _entities(self, parts: Parts) -> Sql | None:
        """The release with the people behind its rows, which only the audit sees."""
        if self.roles.entity is None:
            return None
        return ident(self.engine.make("recode/with_entity", names=parts.names))

    def _rows_placed(self) -> int:
        return self.engine.count("encode/size", names={"source": ident("ppdt_sorted")})

    def _kept(self, released: Released) -> Kept:
        """How many rows are alone in what is shown as it is; of people where rows have them."""
        roles, relation, columns = self.roles, released.relation, released.columns
        if released.entities is not None:
            relation, columns = released.entities, dict(self.engine.describe(released.entities))
        target = [roles.target] if roles.target and roles.target not in roles.sensitive else []
        shown = AsIs(
            together=[*roles.kept, *target],
            pseudonymized=roles.pseudonymized,
            sensitive=roles.sensitive,
            quasi=[column.name for column in released.quasi],
        )
        rows = Rows(relation=relation, columns=columns, entity=released.entity)
        return audit.measure_kept(self.engine, rows, shown)

    def _bounded(self, kept: Kept, gcp: object) -> Iterator[Finding]:
        """Compare what is told and lost with its bounds; where nothing is kept, none is unique."""
        most = self.bounds.max_kept_uniqueness
        if most is not None:
            yield _at_most("kept_uniqueness", most, kept.uniqueness or 0.0)
            yield _at_most("kept_with_quasi_uniqueness", most, kept.with_quasi or 0.0)
        if self.bounds.max_loss is not None:
            yield _at_most("gcp", self.bounds.max_loss, gcp)

    def _told(self, finding: Finding, kept: Kept) -> Iterator[str]:
        """A finding that failed, and what to do about it."""
        yield finding.line
        if finding.name.startswith("kept_"):
            yield (
                f"  {in_words(kept.together)}: drop some (--id), make them coarser in a view, give "
                "them as quasi-identifiers (--qi), or raise --max-kept-uniqueness."
            )
        elif finding.name == "gcp":
            yield (
                "  Ask for less (such as a smaller --k), choose other quasi-identifiers, or raise "
                "--max-loss."
            )


def _at_most(name: str, bound: float, measured: object) -> Finding:
    value = measured if isinstance(measured, float) else None
    is_kept = value is not None and round(value, 12) <= round(bound, 12)
    return Finding(name=name, required=bound, measured=value, passed=is_kept, relation="<=")


def _hierarchies(ladders: Mapping[str, Ladder]) -> dict[str, audit.Hierarchy]:
    """The hierarchies of sensitive columns, as the audit reads them."""
    return {
        column: audit.Hierarchy(relation=ident(ladder.relation), levels=ladder.levels)
        for column, ladder in ladders.items()
    }
