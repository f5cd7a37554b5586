"""Releases that stand in a database: list them, drop them, bring their catalog up to date."""

from collections.abc import Mapping, Sequence

import duckdb

from ppdt_db import recode
from ppdt_db.audit import (
    Audit,
    Released,
    check_columns,
    find_shown,
    judge,
    measure,
    parse_required,
)
from ppdt_db.catalog import Catalog, Entry
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.names import fold
from ppdt_db.source import Given, opened


def releases(con: duckdb.DuckDBPyConnection) -> list[Entry]:
    """All releases on record, newest first."""
    return Catalog(DuckEngine(con)).releases()


def drop(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Remove a release and all that belongs to it from the database."""
    engine = DuckEngine(con)
    catalog = Catalog(engine)
    with engine.transaction():
        catalog.check()
        entry = catalog.find(name)
        recode.drop_parts(engine, entry.run_id, recode.view_path(name))
        catalog.end(entry)


def migrate(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Bring an existing catalog, or a new one, up to this version; returns what was applied."""
    engine = DuckEngine(con)
    with engine.transaction():
        return Catalog(engine).migrate()


def audit(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    original: Given | None = None,
    require: str | Mapping[str, float] = "",
) -> Audit:
    """Measure any table that says it is anonymous, whoever made it."""
    required = parse_required(require) if isinstance(require, str) else dict(require)
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, source) as found:
        faults = check_columns(found.columns, {"quasi-identifier": quasi, "sensitive": sensitive})
        if not quasi:
            faults.append("no quasi-identifier: name the columns that an outsider may know (--qi).")
        if "l" in required and not sensitive:
            faults.append("requirement l needs a sensitive column (--sensitive).")
        if faults:
            raise RequestError(*faults)
        spelled = {fold(column): column for column in found.columns}
        names = [spelled[fold(name)] for name in quasi]
        released = Released(
            relation=found.relation,
            columns=found.columns,
            shown=find_shown(engine, found.relation, found.columns, names),
            sensitive=[spelled[fold(name)] for name in sensitive],
        )
        measures = measure(engine, released)
        return Audit(measures=measures, findings=judge(measures, required))
