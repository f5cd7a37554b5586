"""Evaluate a learner: learn from one part of a table, test on another, as the plan says.

The anonymization of a training part depends on that part alone.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TextIO

import duckdb

from ppdt_db.arguments import list_faults, name_faults, plain, type_faults
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.learners import AnyLearner, readings
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.evaluate.plan import EvaluationPlan, read_plan
from ppdt_db.evaluate.result import Comparison, Evaluation, Fold
from ppdt_db.evaluate.rounds import Rounds
from ppdt_db.learn.api import as_learner
from ppdt_db.learn.trees.learners import C45
from ppdt_db.learn.trees.predict import free_place
from ppdt_db.learn.trees.training_set import find_columns
from ppdt_db.methods import as_method, method_faults
from ppdt_db.policy.roles import Attribute, raise_all
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import SourceLike, opened, stage


def evaluate(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    *,
    target: str,
    features: Sequence[str] | None = None,
    learner: AnyLearner | None = None,
    cv: str = "5x2",
    stratified: bool = False,
    privacy: Privacy | None = None,
    seed: int = 1,
    progress: Progress = no_progress,
    csv: CsvOptions = None,
) -> Evaluation:
    """Cross-validate a learner, on the original or on an anonymization of it.

    >>> con = duckdb.connect()
    >>> days = con.sql("SELECT i % 2 AS rain, i % 2 = 1 AS umbrella FROM range(40) r(i)")
    >>> evaluate(con, days, target="umbrella", cv="2").accuracy_mean
    1.0
    """
    found = compare(
        con,
        source,
        target=target,
        features=features,
        learners={"": learner or C45()},
        cv=cv,
        stratified=stratified,
        privacies=[privacy] if privacy else [],
        seed=seed,
        progress=progress,
        csv=csv,
    )
    return found.evaluations[0]


def compare(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    *,
    target: str,
    learners: Mapping[str, AnyLearner],
    features: Sequence[str] | None = None,
    cv: str = "5x2",
    stratified: bool = False,
    privacies: Sequence[Privacy] = (),
    seed: int = 1,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> Comparison:
    """Evaluate several learners, or one at several k, over the same rounds."""
    plan = read_plan(cv)
    engine = DuckEngine(con, sql_log)
    learners = {name: as_learner(learner) for name, learner in learners.items()}
    raise_all(_wrong_types(target, features, seed, learners, privacies))
    privacies = [replace(privacy, method=as_method(privacy.method)) for privacy in privacies]
    _check(engine, learners, privacies)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())
        read = stage(engine, stack.enter_context(opened(engine, with_csv(source, csv))))
        columns = find_columns(read, target, features, None)
        extra = [name for p in privacies for name in [*_quasi(p), *p.sensitive_names]]
        has_number = any(privacy.maps_tests for privacy in privacies)
        rounds = Rounds(engine, read, columns, extra, seed, has_number=has_number)
        rounds.deal(plan, stratified=stratified)
        if plan.test is not None:
            test = stack.enter_context(opened(engine, with_csv(plan.test, csv)))
            with_all = any(privacy.protocol[1] == "P" for privacy in privacies)
            rounds.hold_out(test, with_all=with_all)
        return _run(rounds, plan, learners, privacies, progress)


def _run(
    rounds: Rounds,
    plan: EvaluationPlan,
    learners: Mapping[str, AnyLearner],
    privacies: Sequence[Privacy],
    progress: Progress,
) -> Comparison:
    """Run every learner in every round, on the original and on every release."""
    runs = [(name, privacy) for name in learners for privacy in (None, *privacies)]
    found: dict[tuple[str, int], list[Fold]] = {}
    n_done, n_all = 0, len(runs) * len(plan.rounds)
    for repeat, fold in plan.rounds:
        rounds.part(repeat, fold)
        for number, (name, privacy) in enumerate(runs):
            report = _part_of(progress, n_done, n_all)
            report("evaluate", 0.0)
            place = number % (1 + len(privacies))
            result = rounds.round(repeat, fold, learners[name], privacy, report)
            found.setdefault((name, place), []).append(result)
            n_done += 1
    evaluations = [Evaluation(folds=found[name, 0], learner=name) for name in learners]
    if privacies:
        evaluations = [
            Evaluation(
                folds=found[name, place],
                originals=found[name, 0],
                learner=name,
                k=privacy.method.guard.k,
            )
            for name in learners
            for place, privacy in enumerate(privacies, start=1)
        ]
    return Comparison(evaluations=evaluations)


def _part_of(progress: Progress, n_done: int, n_all: int) -> Progress:
    """Return the progress of one run as a part of all runs."""
    return lambda _, part: progress("evaluate", (n_done + part) / n_all)


def store_rounds(con: duckdb.DuckDBPyConnection, found: Comparison, *, into: str) -> None:
    """Write every round to a table of the database."""
    engine = DuckEngine(con)
    engine.make_table("tools/evaluate/round", free_place(engine, into), found.as_columns())


def check_place(con: duckdb.DuckDBPyConnection, into: str) -> None:
    """Raise if the rounds could not be written at the end."""
    free_place(DuckEngine(con), into)


def _quasi(privacy: Privacy) -> list[str]:
    return [attribute.name for attribute in privacy.attributes]


def _wrong_types(
    target: str,
    features: Sequence[str] | None,
    seed: int,
    learners: Mapping[str, AnyLearner],
    privacies: Sequence[Privacy],
) -> list[str]:
    """Return the faults of arguments of the wrong type."""
    faults = name_faults(target=target)
    faults += list_faults(features=features) if features is not None else []
    faults += [fault for learner in learners.values() for fault in type_faults(learner)]
    for one in privacies:
        faults += list_faults((str, Attribute), quasi=one.quasi, sensitive=one.sensitive)
        faults += [*list_faults(accept=one.accept), *method_faults(one.method)]
    if not isinstance(plain(seed), int):
        faults.append(f"seed: pass a whole number, not a {type(seed).__name__}.")
    return list(dict.fromkeys(faults))


def _check(
    engine: DuckEngine, learners: Mapping[str, AnyLearner], privacies: Sequence[Privacy]
) -> None:
    with engine.transaction():
        is_inside = engine.is_inside_transaction
    faults = [fault for learner in learners.values() for fault in learner.faults]
    faults += [fault for privacy in privacies for fault in privacy.faults]
    faults += [
        f"--recode {privacy.reading}: not supported by {name or 'this learner'}, which reads a "
        f"release as {' or '.join(readings(learner))}."
        for privacy in privacies
        for name, learner in learners.items()
        if privacy.reading is not None and privacy.reading not in readings(learner)
    ]
    if privacies and is_inside:
        faults.append(
            "evaluating a release is not possible inside an open transaction. Commit it first."
        )
    if not learners:
        faults.append("no learner: name at least one (--learner).")
    if faults:
        raise RequestError(*dict.fromkeys(faults))
