"""Checks a request as a whole, before any work: all faults at once, nothing touched."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ppdt_db.accept import ACCEPTABLE
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.methods.contract import Method
from ppdt_db.names import nearest
from ppdt_db.policy import Policy, Roles, raise_all, resolve
from ppdt_db.request.columns import (
    hierarchy_faults,
    nested_faults,
    open_faults,
    order_faults,
    quasi_faults,
    released_faults,
)
from ppdt_db.request.databases import database_faults
from ppdt_db.request.new_columns import last_runs, new_column_faults
from ppdt_db.request.place import (
    live_faults,
    overwritten_faults,
    release_faults,
    written_faults,
)
from ppdt_db.request.request import Request
from ppdt_db.rules import rules_faults
from ppdt_db.source import Source


def check_request(
    engine: DuckEngine, source: Source, policy: Policy, method: Method, request: Request
) -> tuple[Roles, int]:
    """The roles and the number of rows of a run in DuckDB, or one error with all faults."""

    def own_faults(roles: Roles) -> list[str]:
        faults = database_faults(engine, request)
        faults += hierarchy_faults(engine, source, roles, method)
        faults += release_faults(engine, request)
        faults += live_faults(engine, source, roles, method, request)
        if policy.keep == "rest":
            known = last_runs(engine, source, request)
            faults += new_column_faults(policy, roles, request, known)
        faults += written_faults(source, roles, request)
        faults += nested_faults(source, roles)
        faults += overwritten_faults(engine, source, request)
        if request.rules is not None:
            faults += rules_faults(engine, method, roles, request.rules, replace=request.replace)
            if request.file is not None and request.file.resolve() == request.rules.resolve():
                faults.append("--out and --rules: two things cannot be written to one file.")
        return faults

    return checked(engine, source, policy, method, request, own_faults)


def accept_faults(request: Request) -> list[str]:
    """Return what is accepted under a name that nothing has."""
    return [
        f"--accept {name}: nothing has this name.{nearest(name, ACCEPTABLE)} Names: "
        f"{', '.join(ACCEPTABLE)}."
        for name in sorted(request.accept)
        if name not in ACCEPTABLE
    ]


def checked(
    engine: Engine,
    source: Source,
    policy: Policy,
    method: Method,
    request: Request,
    own_faults: Callable[[Roles], Sequence[str]],
) -> tuple[Roles, int]:
    """The roles and the number of rows, or one error with all faults, some of an engine's own."""
    roles, faults, open_columns = resolve(policy, source.columns)
    faults += own_faults(roles)
    faults += request.bounds.faults
    faults += open_faults(engine, source, open_columns)
    faults += quasi_faults(source, roles)
    faults += order_faults(engine, source, roles)
    # A target that is misspelt is missing for another reason than one that was not named.
    named = replace(roles, target=roles.target or policy.target)
    faults += method.faults(named, source.columns)
    faults += [
        f"{why} Say that you accept it: --accept {name}."
        for name, why in method.weaker.items()
        if name not in request.accept
    ]
    faults += accept_faults(request)
    faults += released_faults(source, roles)
    if policy.pseudonymize:
        faults += request.key_faults
    n_rows = engine.count("encode/size", names={"source": source.relation})
    faults += method.guard.faults(roles, n_rows)
    if n_rows == 0:
        faults.append("the source has no rows.")
    raise_all(faults)
    return roles, n_rows
