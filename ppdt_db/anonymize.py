"""The driver: from a source to an audited release, top to bottom.

source ──encode──▶ cell ──method──▶ member + label ──recode──▶ release ──audit──▶ certificate
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace as with_field
from pathlib import Path
from typing import Literal, TextIO

import duckdb

from ppdt_db.csv_dialect import CsvWish, unread_faults, with_csv
from ppdt_db.encode import check_kept_every_row, encode
from ppdt_db.engine.interrupt import too_late
from ppdt_db.errors import RequestError
from ppdt_db.estimate import Plan
from ppdt_db.given import list_faults
from ppdt_db.guard import check_feasible
from ppdt_db.methods import Method, as_method, method_faults
from ppdt_db.methods.contract import Progress, Task, no_progress
from ppdt_db.names import Private
from ppdt_db.newcomers import OwnFolder, Rules
from ppdt_db.plan import Foresight
from ppdt_db.policy import Attribute, Policy, raise_all
from ppdt_db.pseudonym import key_check, key_faults, pseudonym_params
from ppdt_db.publish import Order, Release
from ppdt_db.recode import Parts, arrange, sort_rows
from ppdt_db.request import Bounds, Request
from ppdt_db.rules import read_about, written_rules
from ppdt_db.site import site_of
from ppdt_db.source import Given, Source


def anonymize(
    con: object,
    source: Given,
    *,
    quasi: Iterable[str | Attribute],
    identifiers: Sequence[str] | Literal["rest"] = (),
    sensitive: Iterable[str | Attribute] = (),
    target: str | None = None,
    entity: str | None = None,
    pseudonymize: Sequence[str] = (),
    keep: Sequence[str] | Literal["rest"] = (),
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
    csv: CsvWish = None,
) -> Release:
    """Anonymize a source into a view of the database or a file, and prove it.

    `con` is a DuckDB connection, or a SparkSession: then the source is what Spark reads, and the
    release is a table or a folder of Parquet. With engine="spark" and None for `con` it is the
    session of this process. `source_name` names a frame or a relation in the record.

    `identifiers` are dropped; identifiers="rest" drops every column that has no other role.
    With keep="rest", a column that the last run into the same place did not keep is a fault, unless
    accept=["new-columns"]; `previous` is that run's certificate (or its file) where no catalog
    knows it, `policy_name` what runs into different places have in common.

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
        more_faults=[*method_faults(method), *list_faults(accept=accept)],
    )
    method = as_method(method)
    folder = OwnFolder() if rules is True else None
    kept = _kept(rules, folder)
    site = site_of(con, engine, sql_log)
    steps = site.engine
    steps.aftermath = "Nothing was released."
    request = Request(
        into=into,
        out=out,
        live=live,
        replace=replace,
        accept=frozenset(accept),
        key_faults=key_faults(pseudonym_key),
        links_pseudonyms=link_pseudonyms,
        record=record,
        rules=kept,
        bounds=Bounds(max_kept_uniqueness=max_kept_uniqueness, max_loss=max_loss),
        policy_name=policy_name,
        previous=Path(previous) if isinstance(previous, str) else previous,
    )
    run_key = _run_key(seed)
    # Not the run's key: one seed for two releases must not link them.
    salt = "" if link_pseudonyms else secrets.token_hex(16)
    with ExitStack() as stack:
        stack.enter_context(site.entered())
        found = stack.enter_context(site.opened(with_csv(source, csv)))
        raise_all(unread_faults(csv, found.kind))
        found, request = _named(found, source_name), site.placed(request)
        foresight = Foresight(steps, plan, progress)
        progress = stack.enter_context(foresight.watched())
        with steps.unordered():
            foresight.estimate(found, policy, method)
            # Reading is one transaction, so that both readings see the same rows. What follows
            # works on temporary tables alone, and would only pile up their dead versions in one.
            with steps.transaction():
                progress("read", 0.0)
                read = site.stage(found)
                roles, n_rows = site.check(read, policy, method, request)
                foresight.confirm()
                order = Order(
                    method=method, request=request, roles=roles, source=found, read=read, seed=seed
                )
                publisher = site.publisher(order)
                params = {"run_key": run_key, **pseudonym_params(pseudonym_key, salt)}
                encoded = encode(steps, read, roles, method.wants(roles), params, progress)
                check_kept_every_row(encoded, n_rows)
                publisher.fingerprint_source()
            check_feasible(steps, encoded, method.guard, roles)
            task = Task(
                engine=steps,
                encoded=encoded,
                run_key=run_key,
                progress=progress,
                wants_rules=kept is not None,
            )
            labels = method.run(task)
        progress("recode", 0.0)
        columns = arrange(read, encoded, labels)
        parts = Parts(
            source=found, encoded=encoded, labels=labels, columns=columns, grain=method.grain
        )
        sort_rows(steps, parts)
        if kept is not None:
            check = key_check(pseudonym_key, salt) if pseudonymize and pseudonym_key else None
            stack.enter_context(written_rules(task, parts, roles, method, kept, salt, check))
        release = publisher.publish(
            parts, run_key, progress, task.figures, lambda: foresight.figures(encoded)
        )
        too_late()
    if kept is None:
        return release
    known = Rules(path=kept, about=read_about(kept), folder=folder)
    assert isinstance(con, duckdb.DuckDBPyConnection)
    return with_field(release, rules=known, con=con)


def _named(source: Source, name: str | None) -> Source:
    """The source under the name that the caller gives it: a frame has none of its own."""
    if name is None:
        return source
    if not isinstance(name, str) or not name.strip():
        raise RequestError("source_name: give a text that is not empty, such as 'patients'.")
    return with_field(source, title=name, is_named=True)


def _kept(rules: str | Path | bool, folder: OwnFolder | None) -> Path | None:
    """The file of the rules: one that was named, or one in a folder of their own."""
    if folder is not None:
        return folder.path / "rules.duckdb"
    return None if isinstance(rules, bool) else Path(rules)


def _run_key(seed: int | None) -> str:
    """The key of every random draw: from the seed, or 128 random bits."""
    if seed is None:
        return Private(secrets.token_hex(16))
    return Private(hashlib.sha256(f"ppdt seed {seed}".encode()).hexdigest())
