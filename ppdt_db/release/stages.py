"""The stages between the source and a release that a run and its plan's trials have in common.

read ──encode──▶ cells ──form_classes──▶ members ──label──▶ labels ──arrange──▶ sorted rows
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ppdt_db.encode.bins import ColumnBins, binned_source, in_order, learn_bins
from ppdt_db.encode.columns import EncodedTable
from ppdt_db.encode.encode import check_kept_every_row
from ppdt_db.encode.encode import encode as encode_source
from ppdt_db.engine import Engine
from ppdt_db.methods.base import LabelColumn, Task
from ppdt_db.methods.guard import check_feasible
from ppdt_db.policy.roles import Roles
from ppdt_db.progress import Progress, no_progress
from ppdt_db.release.arrange import ReleaseInputs, release_columns, sort_rows
from ppdt_db.release.record import Record
from ppdt_db.release.request import Order
from ppdt_db.source.source import Source


@dataclass(kw_only=True)
class Run:
    """One run: its order, what it executes on, and what its stages have left so far."""

    order: Order
    engine: Engine
    source: Source
    progress: Progress = no_progress
    staged: Source = field(init=False)
    """The source, or the copy of it that was read once."""
    roles: Roles = field(init=False)
    n_rows: int = field(init=False)
    record: Record = field(init=False)
    bins: Sequence[ColumnBins] = ()
    """The bins that numbers and dates were cut into before they were encoded."""
    task: Task = field(init=False)
    formed: object = None
    """The method's own account of its classes, for their labels."""
    labels: Sequence[LabelColumn] = field(init=False)
    inputs: ReleaseInputs = field(init=False)
    figures: dict[str, object] = field(default_factory=dict)
    """Figures of the run for the certificate, known when it is written."""
    notes: list[str] = field(default_factory=list)
    """Notes for the certificate about the form of the release."""

    @property
    def encoded(self) -> EncodedTable:
        """The encoded source."""
        return self.task.encoded


def encode(run: Run) -> None:
    """Encode the source into cells of codes, and take its fingerprint."""
    engine, method, keys = run.engine, run.order.method, run.order.keys
    wanted = method.wants(run.roles)
    source, roles = _binned(run)
    encoded = encode_source(engine, source, roles, wanted, keys.params, run.progress)
    if run.bins:
        engine.drop("ppdt_binned")
    check_kept_every_row(encoded, run.n_rows)
    run.record.identify(run.staged)
    run.task = Task(
        engine=engine,
        encoded=encoded,
        run_key=keys.run,
        progress=run.progress,
        wants_rules=run.order.request.rules is not None,
    )


def _binned(run: Run) -> tuple[Source, Roles]:
    """Return the source with bins in place of numbers and dates, and the order of the bins."""
    asked = [attribute for attribute in run.roles.quasi if attribute.recode == "bins"]
    if not asked:
        return run.staged, run.roles
    run.bins = learn_bins(
        run.engine,
        run.staged,
        asked,
        k=run.order.method.guard.k,
        target=run.roles.target,
        entity=run.roles.entity,
    )
    quasi = [in_order(attribute, run.bins) for attribute in run.roles.quasi]
    return binned_source(run.engine, run.staged, run.bins), replace(run.roles, quasi=quasi)


def form_classes(run: Run) -> None:
    """Form classes that keep the guard."""
    check_feasible(run.engine, run.encoded, run.order.method.guard, run.roles)
    run.formed = run.order.method.form_classes(run.task)


def label(run: Run) -> None:
    """Label every class: what its rows show."""
    run.labels = run.order.method.label(run.task, run.formed)
    if run.bins:
        run.task.figures["bins"] = _shown_bins(run)


def _shown_bins(run: Run) -> dict[str, object]:
    """Return the rule of every column's bins, and the ends of bins that the release shows."""
    found: dict[str, object] = {}
    for bins in run.bins:
        label = next(label for label in run.labels if label.attribute == bins.name)
        shown = {str(end) for (end,) in run.engine.rows("label/end", names={"label": label})}
        rule = next(a.rule for a in run.roles.quasi if a.name == bins.name)
        found[bins.name] = {
            "rule": rule.title,
            "bins": len(bins.words),
            "lower_ends_shown": [
                low for low, high in zip(bins.lows, bins.highs, strict=True) if shown & {low, high}
            ],
        }
    return found


def arrange(run: Run) -> None:
    """Sort the rows by what they will show."""
    run.progress("recode", 0.0)
    run.inputs = ReleaseInputs(
        source=run.source,
        encoded=run.encoded,
        labels=run.labels,
        columns=release_columns(run.staged, run.encoded, run.labels),
        grain=run.order.method.grain,
    )
    sort_rows(run.engine, run.inputs)
