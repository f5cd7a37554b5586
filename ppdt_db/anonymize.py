"""Anonymize a source: the driver, from the source to an audited release, top to bottom.

source ──encode──▶ cell ──method──▶ member + label ──recode──▶ release ──audit──▶ certificate
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from dataclasses import replace as with_field
from pathlib import Path
from typing import Literal, TextIO, TypeAlias

import duckdb

from ppdt_db.apply.api import OwnFolder, Rules
from ppdt_db.arguments import list_faults
from ppdt_db.encode.pseudonyms import key_faults
from ppdt_db.engine.interrupt import ignore_late_interrupts
from ppdt_db.errors import RequestError
from ppdt_db.methods import Method, as_method, method_faults
from ppdt_db.plan.api import PlanRecorder
from ppdt_db.plan.estimate import Plan
from ppdt_db.policy.bins import BinsSpec
from ppdt_db.policy.roles import Attribute, Policy, raise_all
from ppdt_db.progress import Progress, no_progress
from ppdt_db.release.backend import ReleaseBackend, release_backend_of
from ppdt_db.release.prove import prove
from ppdt_db.release.publish import Publisher, Release
from ppdt_db.release.request import Bounds, Keys, Order, Request
from ppdt_db.release.rules_file import read_about, written_rules
from ppdt_db.release.stages import Run, arrange, encode, form_classes, label
from ppdt_db.source.csv.dialect import CsvOptions, unread_faults, with_csv
from ppdt_db.source.source import Source, SourceLike
from ppdt_db.sqltext.quoting import Sql

Stage: TypeAlias = Callable[["Anonymization"], None]


def anonymize(
    con: object,
    source: SourceLike,
    *,
    quasi: Iterable[str | Attribute],
    identifiers: Sequence[str] | Literal["rest"] = (),
    sensitive: Iterable[str | Attribute] = (),
    target: str | None = None,
    entity: str | None = None,
    pseudonymize: Sequence[str] = (),
    keep: Sequence[str] | Literal["rest"] = (),
    bins: BinsSpec | None = None,
    method: Method | str | None = None,
    into: str | None = None,
    out: str | Path | None = None,
    live: bool = False,
    replace: bool = False,
    accept: Collection[str] = (),
    seed: int | None = None,
    pseudonym_key: str | None = None,
    link_pseudonyms: bool = False,
    max_kept_uniqueness: float | None = None,
    max_loss: float | None = None,
    policy_name: str | None = None,
    previous: Mapping[str, object] | str | Path | None = None,
    record: bool = True,
    source_name: str | None = None,
    rules: str | Path | bool = False,
    plan: bool | Plan = False,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvOptions = None,
) -> Release:
    """Anonymize a source into a view of the database or a file, and prove it.

    `con` is a DuckDB connection or a SparkSession. With a SparkSession, Spark reads the source, and
    the release is a table or a folder of Parquet; engine="spark" with None for `con` uses the
    session of this process. `source_name` names a frame or a relation in the record.

    `identifiers` are dropped; identifiers="rest" drops every column that has no other role.
    With keep="rest", a column that the last run to the same destination did not keep is a fault,
    unless accept=["new-columns"]; `previous` is that run's certificate (or its file) if no catalog
    has it, `policy_name` the name that runs to different destinations share.

    >>> from ppdt_db import Mondrian
    >>> con = duckdb.connect()
    >>> people = con.sql("SELECT i % 7 AS age, 'cold' AS illness FROM range(50) r(i)")
    >>> release = anonymize(con, people, quasi=["age"], sensitive=["illness"],
    ...                     method=Mondrian(k=5), into="people_k5")
    >>> release.certificate["k_measured"] >= 5
    True
    """
    policy = Policy.of(
        quasi=quasi,
        sensitive=sensitive,
        target=target,
        identifiers=identifiers,
        pseudonymize=pseudonymize,
        entity=entity,
        keep=keep,
        bins=bins,
        more_faults=[*method_faults(method), *list_faults(accept=accept)],
    )
    folder = OwnFolder() if rules is True else None
    rules_file = _rules_path(rules, folder)
    request = Request(
        into=into,
        out=out,
        live=live,
        replace=replace,
        accept=frozenset(accept),
        key_faults=key_faults(pseudonym_key),
        links_pseudonyms=link_pseudonyms,
        record=record,
        rules=rules_file,
        bounds=Bounds(max_kept_uniqueness=max_kept_uniqueness, max_loss=max_loss),
        policy_name=policy_name,
        previous=Path(previous) if isinstance(previous, str) else previous,
    )
    method = as_method(method)
    backend = release_backend_of(con, engine, sql_log)
    backend.engine.aftermath = "Nothing was released."
    with ExitStack() as stack:
        stack.enter_context(backend.entered())
        found = stack.enter_context(backend.opened(with_csv(source, csv)))
        raise_all(unread_faults(csv, found.kind))
        order = Order(
            policy=policy,
            method=method,
            request=backend.placed(request),
            keys=Keys.of(seed, pseudonym_key, links=link_pseudonyms),
            seed=seed,
        )
        recorder = PlanRecorder(backend.engine, plan, progress)
        run = Anonymization(
            order=order,
            engine=backend.engine,
            source=_with_title(found, source_name),
            progress=stack.enter_context(recorder.watched()),
            backend=backend,
            recorder=recorder,
            stack=stack,
        )
        # Publisher and run know each other; the caller's connection must close when it is let go.
        stack.callback(vars(run).pop, "publisher", None)
        run.through_stages()
    release = with_field(run.release, tree=next(iter(run.task.pruned), None))
    if rules_file is None:
        return release
    saved = Rules(path=rules_file, about=read_about(rules_file), folder=folder)
    assert isinstance(con, duckdb.DuckDBPyConnection)
    return with_field(release, rules=saved, con=con)


@dataclass(kw_only=True)
class Anonymization(Run):
    """A run that ends in a release."""

    backend: ReleaseBackend
    recorder: PlanRecorder
    stack: ExitStack
    """The contexts that end with the run, whether it succeeds or not."""
    publisher: Publisher = field(init=False)
    publication: ExitStack = field(init=False)
    """The contexts that end when the release becomes visible."""
    hidden: Sql = field(init=False)
    release: Release = field(init=False)

    def through_stages(self) -> None:
        """Take the run through all stages."""
        with self.engine.unordered():
            self.recorder.estimate(self.source, self.order)
            # One transaction for reading, so that both reads see the same rows. What follows uses
            # temporary tables only, whose dead versions would pile up inside a transaction.
            with self.engine.transaction():
                self._through(READING)
            self._through(FORMING)
        self._through(RELEASING)

    def _through(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            stage(self)


def read(run: Anonymization) -> None:
    """Read the source once, where a second reading could return other rows."""
    run.progress("read", 0.0)
    run.staged = run.backend.stage(run.source)


def check(run: Anonymization) -> None:
    """Check the whole request before any work; raise one error that lists every fault."""
    run.roles, run.n_rows = run.backend.check(run.staged, run.order)
    run.recorder.confirm()
    run.record = run.backend.record(run.order)


def recode(run: Anonymization) -> None:
    """Fill the release out of sight."""
    arrange(run)
    if run.order.request.rules is not None:
        run.stack.enter_context(written_rules(run, run.order.request.rules))
    run.publisher = run.backend.publisher(run)
    run.publication = run.stack.enter_context(ExitStack())
    run.hidden = run.publication.enter_context(run.publisher.hidden())


def audit(run: Anonymization) -> None:
    """Prove that the release keeps its guarantee, and certify it."""
    run.progress("audit", 0.0)
    evidence = prove(run, run.hidden)
    run.figures = run.recorder.figures(run.encoded)
    run.publisher.certify(evidence)


def publish(run: Anonymization) -> None:
    """Make the release visible, with its record."""
    run.publication.close()
    ignore_late_interrupts()
    run.release = run.publisher.released()


READING = (read, check, encode)
FORMING = (form_classes, label)
RELEASING = (recode, audit, publish)
STAGES = (*READING, *FORMING, *RELEASING)


def _with_title(source: Source, name: str | None) -> Source:
    """Return the source under the name given by the caller; a frame has no name of its own."""
    if name is None:
        return source
    if not isinstance(name, str) or not name.strip():
        raise RequestError("source_name: give a non-empty text, such as 'patients'.")
    return with_field(source, title=name, is_named=True)


def _rules_path(rules: str | Path | bool, folder: OwnFolder | None) -> Path | None:
    """Return the path of the rules file: the one named, or one in a temporary folder."""
    if folder is not None:
        return folder.path / "rules.duckdb"
    return None if isinstance(rules, bool) else Path(rules)
