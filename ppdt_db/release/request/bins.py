"""Faults of the bins that a request asks for."""

from ppdt_db.encode.bin_faults import column_faults
from ppdt_db.engine import Engine
from ppdt_db.methods.base import Method
from ppdt_db.policy.roles import Policy, Roles
from ppdt_db.source.source import Source


def bin_faults(
    engine: Engine, source: Source, policy: Policy, roles: Roles, method: Method
) -> list[str]:
    """Return the faults of bins: of methods without them, of types, of targets, of edges."""
    asked = [attribute for attribute in roles.quasi if attribute.recode == "bins"]
    faults: list[str] = []
    if policy.bins is not None and not asked:
        faults.append(
            "--bins: no quasi-identifier is a number, date or time without a recoding of its own"
            + (", and named by an edge" if policy.bins.rule == "edges" else "")
            + ". Remove it."
        )
    if asked and not method.uses_bins:
        faults.append(
            f"bins: method {method.name} does not support them. Use mondrian, kactus, erp, tds or "
            "tdr, or remove --bins and --recode COLUMN=bins."
        )
    for attribute in asked:
        faults += column_faults(engine, source, attribute, has_target=roles.target is not None)
    for attribute in roles.quasi:
        if attribute.bins is not None and attribute.recode != "bins":
            faults.append(
                f'bins "{attribute.name}": the column is shown as {attribute.recode}. Remove its '
                "bins, or its recoding."
            )
    return faults
