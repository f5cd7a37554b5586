"""Check a request as a whole before any work: report all faults at once, change nothing."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.methods.options import value_faults
from ppdt_db.policy.accept import ACCEPTABLE
from ppdt_db.policy.roles import Roles, raise_all, resolve
from ppdt_db.release.request.bins import bin_faults
from ppdt_db.release.request.columns import (
    hierarchy_faults,
    nested_faults,
    open_faults,
    order_faults,
    quasi_faults,
    released_faults,
)
from ppdt_db.release.request.databases import database_faults
from ppdt_db.release.request.destination import (
    live_faults,
    overwritten_faults,
    release_faults,
    written_faults,
)
from ppdt_db.release.request.new_columns import last_runs, new_column_faults
from ppdt_db.release.request.order import Order
from ppdt_db.release.request.request import Request
from ppdt_db.release.request.rules import rules_faults
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import did_you_mean


def check_request(engine: DuckEngine, source: Source, order: Order) -> tuple[Roles, int]:
    """Return the roles and the number of rows of a DuckDB run; raise one error with every fault."""
    policy, method, request = order.policy, order.method, order.request

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
                faults.append(
                    "--out and --rules: two outputs cannot share one file. Name "
                    "another file for one of them."
                )
        return faults

    return checked(engine, source, order, own_faults)


def accept_faults(request: Request) -> list[str]:
    """Return the faults of --accept names that do not exist."""
    return [
        f"--accept {name}: unknown name.{did_you_mean(name, ACCEPTABLE)} Names: "
        f"{', '.join(ACCEPTABLE)}."
        for name in sorted(request.accept)
        if name not in ACCEPTABLE
    ]


def checked(
    engine: Engine,
    source: Source,
    order: Order,
    own_faults: Callable[[Roles], Sequence[str]],
) -> tuple[Roles, int]:
    """Return the roles and the number of rows; raise one error that lists every fault."""
    policy, method, request = order.policy, order.method, order.request
    roles, faults, open_columns = resolve(policy, source.columns)
    faults += own_faults(roles)
    faults += request.bounds.faults
    faults += open_faults(engine, source, open_columns)
    faults += quasi_faults(source, roles)
    faults += order_faults(engine, source, roles)
    faults += bin_faults(engine, source, policy, roles, method)
    # A misspelt target is reported as unknown, not as missing too.
    named = replace(roles, target=roles.target or policy.target)
    faults += value_faults(method)
    faults += method.faults(named, source.columns)
    faults += [
        f"{why} To accept this, add --accept {name}."
        for name, why in method.requires_accept.items()
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
