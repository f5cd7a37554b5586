"""Audit a release before it becomes visible: against its guarantee and against its source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ppdt_db.audit import (
    AsIs,
    Audit,
    AuditedRelation,
    Finding,
    Hierarchy,
    KeptShare,
    MeasureOptions,
    Nodes,
    Rows,
    ShownColumn,
    check_requirements,
    measure,
    measure_kept,
    requirement,
)
from ppdt_db.encode.columns import SensitiveHierarchy
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.methods.labels import make_extents
from ppdt_db.policy.roles import Roles
from ppdt_db.recodings import RECODINGS
from ppdt_db.release.arrange import ReleaseInputs
from ppdt_db.release.prove_kk import KK, prove_kk
from ppdt_db.release.request import Bounds
from ppdt_db.release.stages import Run
from ppdt_db.source.fingerprint import Fingerprint, fingerprint
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import Sql, ident, list_names


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The results of the audit of a relation that keeps its guarantee."""

    audit: Audit
    fingerprint: Fingerprint
    kept: KeptShare


def prove(run: Run, relation: Sql) -> Evidence:
    """Return the evidence that a relation keeps its guarantee; raise if it does not."""
    engine, roles, inputs = run.engine, run.roles, run.inputs
    columns = dict(engine.describe(relation))
    expected = [column.released for column in inputs.columns]
    if list(columns) != expected:
        raise GuaranteeError(
            "audit failed: the columns of the release are not the expected ones. Nothing was "
            "released."
        )
    released = AuditedRelation(
        relation=relation,
        columns=columns,
        shown=_shown_columns(inputs),
        sensitive=roles.sensitive,
        original=run.staged.relation,
        original_columns=run.staged.columns,
        entities=_with_entities(run),
        entity="ppdt_entity" if roles.entity else None,
        original_entity=roles.entity,
    )
    promised = run.order.method.required
    required = [requirement(*entry) for entry in promised.items() if entry[0] != KK]
    level = next((entry.level for entry in required if entry.level is not None), None)
    measures = measure(
        engine,
        released,
        centres=_share_centres(engine, inputs),
        options=MeasureOptions(
            recursive_l=level,
            with_others=False,
            hierarchies=_hierarchies(inputs.encoded.sensitive_hierarchies),
            tree=next(iter(run.task.walked), None),
        ),
    )
    findings = check_requirements(measures, required)
    if KK in promised:
        findings.append(prove_kk(engine, released, inputs, float(promised[KK])))
    shown = fingerprint(engine, relation, columns, run.record.key)
    n_placed = engine.count("encode/size", names={"source": ident("ppdt_sorted")})
    is_whole = shown.n_rows == n_placed
    findings.append(Finding(name="rows", required=n_placed, measured=shown.n_rows, passed=is_whole))
    findings += _kept_columns_findings(run, relation, columns)
    kept = _kept_uniqueness(engine, roles, released)
    findings += _bound_findings(run.order.request.bounds, kept, measures["gcp"])
    result = Audit(measures=measures, findings=findings)
    if not result.passed:
        failed = [line for f in findings if not f.passed for line in _failure_lines(f, kept)]
        raise GuaranteeError("\n".join(["audit failed, nothing was released:", *failed]))
    return Evidence(audit=result, fingerprint=shown, kept=kept)


def _kept_columns_findings(
    run: Run, relation: Sql, columns: Mapping[str, str]
) -> Sequence[Finding]:
    """Check that every column but the quasi-identifiers holds its original values, row by row.

    A CSV file holds nested values as text only, so these cannot be checked.
    """
    engine, placed = run.engine, ident("ppdt_sorted")
    held = dict(engine.describe(placed))
    kept = [
        column
        for column in run.inputs.columns
        if column.table == "sorted"
        and (columns[column.released] != "VARCHAR" or family_of(held[column.inside]))
    ]
    if not kept:
        return []
    inside = {column.inside: held[column.inside] for column in kept}
    outside = {column.released: columns[column.released] for column in kept}
    key = run.record.key
    is_same = fingerprint(engine, placed, inside, key) == fingerprint(
        engine, relation, outside, key
    )
    return [Finding(name="columns kept", required=1, measured=float(is_same), passed=is_same)]


def _shown_columns(inputs: ReleaseInputs) -> list[ShownColumn]:
    shown: list[ShownColumn] = []
    for attribute in inputs.encoded.attributes:
        labels = [label for label in inputs.labels if label.attribute == attribute.name]
        columns = [label.released for label in labels]
        shape = RECODINGS[labels[0].shape].read_as
        nodes = None
        if shape == "node" and attribute.has_hierarchy:
            is_ordered = attribute.family in ORDERED
            nodes = Nodes(node=attribute.node, dictionary=attribute.table, is_ordered=is_ordered)
        shown.append(
            ShownColumn(
                name=attribute.name,
                columns=columns,
                shape=shape,
                original=attribute.name,
                nodes=nodes,
            )
        )
    return shown


def _share_centres(engine: Engine, inputs: ReleaseInputs) -> dict[str, str]:
    """Measure classes that show a single value by the extent of their rows, never released.

    Return the relation of each such quasi-identifier.
    """
    attributes = {a.name: (place, a) for place, a in enumerate(inputs.encoded.attributes)}
    labels = [label for label in inputs.labels if RECODINGS[label.shape].is_single]
    if labels:
        make_extents(engine, inputs.encoded, inputs.grain)
    centres: dict[str, str] = {}
    for label in labels:
        place, attribute = attributes[label.attribute]
        names = {"attribute": attribute, "label": label}
        centres[label.attribute] = engine.make(
            "audit/share_centre", names=names, to=f"ppdt_share_{place}"
        )
    return centres


def _with_entities(run: Run) -> Sql | None:
    """Return the release with the entity of every row, which only the audit sees."""
    if run.roles.entity is None:
        return None
    return ident(run.engine.make("recode/with_entity", names=run.inputs.names))


def _kept_uniqueness(engine: Engine, roles: Roles, released: AuditedRelation) -> KeptShare:
    """Return the share of rows, or entities, that are unique in the kept columns."""
    relation, columns = released.relation, released.columns
    if released.entities is not None:
        relation, columns = released.entities, dict(engine.describe(released.entities))
    target = [roles.target] if roles.target and roles.target not in roles.sensitive else []
    shown = AsIs(
        together=[*roles.kept, *target],
        pseudonymized=roles.pseudonymized,
        sensitive=roles.sensitive,
        quasi=[column.name for column in released.quasi],
    )
    rows = Rows(relation=relation, columns=columns, entity=released.entity)
    return measure_kept(engine, rows, shown)


def _bound_findings(bounds: Bounds, kept: KeptShare, gcp: object) -> Iterator[Finding]:
    """Compare uniqueness and loss with their bounds; if no column is kept, no row is unique."""
    most = bounds.max_kept_uniqueness
    if most is not None:
        yield _at_most("kept_uniqueness", most, kept.uniqueness or 0.0)
        yield _at_most("kept_with_quasi_uniqueness", most, kept.with_quasi or 0.0)
    if bounds.max_loss is not None:
        yield _at_most("gcp", bounds.max_loss, gcp)


def _failure_lines(finding: Finding, kept: KeptShare) -> Iterator[str]:
    """Yield a finding that failed, and what to do about it."""
    yield finding.line
    if finding.name.startswith("kept_"):
        yield (
            f"  {list_names(kept.together)}: drop some (--id), make them coarser in a view, "
            "make them quasi-identifiers (--qi), or raise --max-kept-uniqueness."
        )
    elif finding.name == "gcp":
        yield (
            "  Weaken the guarantee (such as a smaller --k), choose other "
            "quasi-identifiers, or raise --max-loss."
        )


def _at_most(name: str, bound: float, measured: object) -> Finding:
    value = measured if isinstance(measured, float) else None
    is_kept = value is not None and round(value, 12) <= round(bound, 12)
    return Finding(name=name, required=bound, measured=value, passed=is_kept, relation="<=")


def _hierarchies(hierarchies: Mapping[str, SensitiveHierarchy]) -> dict[str, Hierarchy]:
    """Return the hierarchies of sensitive columns in the form that the audit reads."""
    return {
        column: Hierarchy(relation=ident(hierarchy.relation), levels=hierarchy.levels)
        for column, hierarchy in hierarchies.items()
    }
