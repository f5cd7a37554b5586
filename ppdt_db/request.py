"""Checks a request as a whole, before any work: all faults at once, nothing touched."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ppdt_db.catalog import SCHEMA, Catalog
from ppdt_db.coded import ORDERED, Coded, family_of, told
from ppdt_db.encode import Encoder
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.errors import RequestError
from ppdt_db.methods.contract import Method
from ppdt_db.names import fold, is_reserved, nearest, view_path
from ppdt_db.policy import RECODINGS, Attribute, Policy, Roles, raise_all, resolve
from ppdt_db.recode import Form, form_of, is_shown
from ppdt_db.rules import rules_faults
from ppdt_db.source import Source
from ppdt_db.taxonomy import UnreadableError

LOSSY = {
    "parquet": ("HUGEINT", "UHUGEINT", "TIME WITH TIME ZONE", "INTERVAL", "UNION("),
    "csv": ("BLOB",),
    "duckdb": (),
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked beside the policy and the method: where the release goes, and how."""

    into: str | None = None
    out: Path | None = None
    live: bool = False
    replace: bool = False
    accept: frozenset[str] = frozenset()
    has_pseudonym_key: bool = False
    record: bool = True
    rules: Path | None = None
    place: str | None = None
    """Where a release goes on Spark, if not into a table: a path or an address."""

    @property
    def form(self) -> Literal["snapshot", "live", "file"]:
        """What becomes of the release."""
        return "live" if self.live else "snapshot" if self.into else "file"

    @property
    def file_form(self) -> Form | None:
        """The kind of file, where one is written."""
        return form_of(self.out) if self.out else None


def check_request(
    engine: DuckEngine, source: Source, policy: Policy, method: Method, request: Request
) -> tuple[Roles, int]:
    """The roles and the number of rows, or one error with all faults."""
    roles, faults, open_columns = resolve(policy, source.columns)
    faults += unread_collation(engine)
    faults += hidden_functions(engine)
    faults += _database_faults(engine, request)
    faults += _hierarchy_faults(engine, source, roles, method)
    faults += _place_faults(engine, request)
    faults += _form_faults(source, roles, method, request)
    faults += _nested_faults(source, roles)
    faults += overwritten_faults(engine, source, request)
    if request.rules is not None:
        faults += rules_faults(engine, method, roles, request.rules, replace=request.replace)
        if request.out is not None and request.out.resolve() == request.rules.resolve():
            faults.append("--out and --rules: two things cannot be written to one file.")
    found, n_rows = common_faults(engine, source, policy, roles, open_columns, method, request)
    raise_all([*faults, *found])
    return roles, n_rows


def common_faults(
    engine: Engine,
    source: Source,
    policy: Policy,
    roles: Roles,
    open_columns: Sequence[str],
    method: Method,
    request: Request,
) -> tuple[list[str], int]:
    """What is wrong with a request on any engine, and the number of rows."""
    faults = _open_faults(engine, source, open_columns)
    faults += quasi_faults(source, roles)
    faults += _order_faults(engine, source, roles)
    # A target that is misspelt is missing for another reason than one that was not named.
    named = replace(roles, target=roles.target or policy.target)
    faults += method.faults(named, source.columns)
    faults += [
        f"{why} Say that you accept it: --accept {name}."
        for name, why in method.weaker.items()
        if name not in request.accept
    ]
    faults += _released_faults(source, roles)
    if policy.pseudonymize and not request.has_pseudonym_key:
        faults.append(
            "pseudonyms need a key: set PPDT_PSEUDONYM_KEY, or name a file that holds it "
            "(--pseudonym-key-file)."
        )
    n_rows = engine.count("encode/size", names={"source": source.relation})
    faults += method.guard.faults(roles, n_rows)
    if n_rows == 0:
        faults.append("the source has no rows.")
    return faults, n_rows


def unread_collation(engine: DuckEngine) -> list[str]:
    """A default collation of the connection, under which values would be taken for others."""
    if engine.row("engine/setting", {"name": "default_collation"})[0]:
        return [
            "this connection has a default_collation, under which different values count as one. "
            "RESET default_collation first."
        ]
    return []


def _database_faults(engine: DuckEngine, request: Request) -> list[str]:
    faults: list[str] = []
    if any(fold(str(row[0])) == SCHEMA for row in engine.rows("engine/database")):
        faults.append(
            f'a database is open under the name "{SCHEMA}", which is our schema\'s: DuckDB could '
            "not tell them apart. Open it under another name (copy the file, or ATTACH ... AS)."
        )
    is_database = request.out is not None and fold(request.out.suffix) == ".duckdb"
    if engine.is_inside_transaction and is_database:
        faults.append(
            "--out: a DuckDB file cannot be written inside an open transaction. Commit it first, "
            "or write Parquet."
        )
    return faults


def hidden_functions(engine: DuckEngine) -> list[str]:
    """Macros that would be called in the place of the engine's own functions."""
    made = {fold(str(row[0])): str(row[0]) for row in engine.rows("engine/macros")}
    if not made:
        return []
    own = {fold(str(row[0])) for row in engine.rows("engine/functions")}
    return [
        f'macro "{made[name]}": it hides the function of that name, which the run needs. '
        "Rename or drop it."
        for name in sorted(made.keys() & own)
    ]


def _open_faults(engine: Engine, source: Source, columns: Sequence[str]) -> list[str]:
    """Columns without a role, each with its share of unique values."""
    if not columns:
        return []
    names = {"source": source.relation, "columns": columns}
    n_rows, *counts = engine.row("encode/unique", names=names)
    assert isinstance(n_rows, int)
    lines = [
        f'"{column}": no role. It has {count:,} different values in {n_rows:,} rows.'
        for column, count in zip(columns, counts, strict=True)
    ]
    return [
        *lines,
        "Give each column a role (--qi, --sensitive, --target, --id, --entity), or keep it on "
        "purpose (--keep NAMES, --keep rest).",
    ]


def quasi_faults(source: Source, roles: Roles) -> list[str]:
    """Quasi-identifiers of types that cannot be cut, and wishes that do not fit them."""
    faults: list[str] = []
    for attribute in roles.quasi:
        type_name = source.columns[attribute.name]
        family = family_of(type_name)
        if family is None:
            shown = told(type_name)
            shown = shown if len(shown) < 40 else shown.partition("(")[0]
            faults.append(
                f'quasi-identifier "{attribute.name}": type {shown} has no order and equality to '
                "cut by. Take it apart in a view, or give it another role."
            )
            continue
        coded = Coded(
            position=0, name=attribute.name, type_name=type_name, family=family,
            dictionary="", dictionary_alias="", has_hierarchy=attribute.hierarchy is not None,
        )  # fmt: skip
        faults += _recode_faults(attribute, coded)
    return faults


def _recode_faults(attribute: Attribute, coded: Coded) -> list[str]:
    name, recode = attribute.name, attribute.recode
    faults: list[str] = []
    if recode is not None and recode not in RECODINGS:
        faults.append(f'recode "{name}": {recode} is none of {", ".join(RECODINGS)}.')
    elif recode == "node" and not coded.has_hierarchy:
        faults.append(f'recode "{name}": node needs a hierarchy (--hierarchy {name}=FILE).')
    elif recode in ("range", "bounds", "mean") and coded.has_hierarchy:
        faults.append(
            f'recode "{name}": {recode} has no meaning under a hierarchy. Take node, set or mode.'
        )
    elif recode in ("range", "bounds", "mean") and coded.kind == "categorical":
        faults.append(
            f'recode "{name}": {recode} needs numbers, dates or times; the column is '
            f"{coded.family}. Take set or mode."
        )
    if attribute.order is not None and coded.family in ORDERED:
        faults.append(f'order "{name}": a column of type {coded.family} has its own order.')
    return faults


def _order_faults(engine: Engine, source: Source, roles: Roles) -> list[str]:
    faults: list[str] = []
    encoder = Encoder(engine, source, roles)
    for attribute in roles.quasi:
        if attribute.order is None or family_of(source.columns[attribute.name]) is None:
            continue
        twice = sum(count > 1 for count in Counter(attribute.order).values())
        if twice:
            faults.append(f'order "{attribute.name}": {twice} values are named twice.')
        missing = encoder.missing_from_order(attribute)
        if missing:
            faults.append(
                f'order "{attribute.name}": {missing} values of the column are missing from it. '
                "Add them."
            )
    return faults


def _hierarchy_faults(
    engine: DuckEngine, source: Source, roles: Roles, method: Method
) -> list[str]:
    faults: list[str] = []
    encoder = Encoder(engine, source, roles)
    sensitive = [
        Attribute(name, hierarchy=hierarchy) for name, hierarchy in roles.hierarchies.items()
    ]
    for attribute in [*roles.quasi, *sensitive]:
        if attribute.hierarchy is None or family_of(source.columns[attribute.name]) is None:
            continue
        if attribute in roles.quasi and not method.uses_hierarchies:
            faults.append(
                f'hierarchy "{attribute.name}": method {method.name} does not go by hierarchies.'
            )
        try:
            faults += encoder.hierarchy_faults(attribute)
        except UnreadableError as error:
            raise RequestError(*faults, *error.faults) from None
        except RequestError as error:
            faults += [f'hierarchy "{attribute.name}": {fault}' for fault in error.faults]
    return faults


def _place_faults(engine: DuckEngine, request: Request) -> list[str]:
    if (request.into is None) == (request.out is None):
        return ["say where the release goes: either --into NAME or --out FILE."]
    if request.out is not None:
        return file_faults(request.out, request)
    assert request.into is not None
    path = view_path(request.into)
    if is_reserved(path[-1]) or fold(path[0]) == "ppdt":
        return [f'--into "{request.into}": this name is reserved. Take another.']
    if len(path) > 2 or not all(path):
        return [f'--into "{request.into}": write NAME or SCHEMA.NAME.']
    database = next(row for row in engine.rows("engine/database") if row[4])
    if database[2]:
        return ["--into: the database is open for reading only. Open it for writing, or use --out."]
    return _existing_faults(engine, path, request)


def _existing_faults(engine: DuckEngine, path: tuple[str, ...], request: Request) -> list[str]:
    current, schema = engine.database, path[0]
    schemas = [str(row[1]) for row in engine.rows("engine/schemas") if row[0] == current]
    if fold(schema) not in map(fold, schemas):
        hint = nearest(schema, schemas)
        return [f'--into "{request.into}": there is no schema "{schema}". Make it first.{hint}']
    same = [
        row for row in engine.rows("engine/tables")
        if row[0] in (current, "temp") and fold(str(row[2])) == fold(path[-1])
        and (row[0] == "temp" or fold(str(row[1])) == fold(schema))
    ]  # fmt: skip
    if not same:
        return []
    standing = Catalog(engine).standing(request.into or "")
    if standing is None or not is_shown(engine, standing.run_id, path):
        return [
            f'--into "{request.into}": a table or view of that name exists, and ppdt did not make '
            "it. Take another name, or remove it yourself."
        ]
    if not request.replace:
        return [f'--into "{request.into}": this release exists. Add --replace, or drop it first.']
    return []


def file_faults(path: Path, request: Request) -> list[str]:
    """What keeps a file from being written."""
    faults: list[str] = []
    try:
        form_of(path)
    except RequestError as error:
        faults += error.faults
    if not path.parent.is_dir():
        faults.append(f"--out {path}: the folder does not exist. Make it first.")
    elif not os.access(path.parent, os.W_OK):
        faults.append(f"--out {path}: the folder cannot be written to.")
    if path.exists() and not request.replace:
        faults.append(f"--out {path}: the file exists. Add --replace, or remove it first.")
    return faults


def _form_faults(source: Source, roles: Roles, method: Method, request: Request) -> list[str]:
    faults: list[str] = []
    if request.live:
        faults += _live_faults(source, roles, method, request)
    return [*faults, *written_faults(source, roles, request)]


def written_faults(source: Source, roles: Roles, request: Request) -> list[str]:
    """What the file that is asked for cannot hold."""
    faults: list[str] = []
    if request.out is not None and fold(request.out.suffix).removeprefix(".") in LOSSY:
        form = fold(request.out.suffix).removeprefix(".")
        shown = [c for c in source.columns if c in roles.shown or _is_plain(c, roles)]
        faults += [
            f'"{column}": a {form} file cannot hold type {told(source.columns[column])} without '
            "loss. Cast it in a view."
            for column in shown
            if any(lossy in told(source.columns[column]) for lossy in LOSSY[form])
        ]
    if request.out is not None and fold(request.out.suffix) == ".csv":
        faults += [
            f'"{column}": a CSV header loses the blanks around a name. Rename it in a view.'
            for column in source.columns
            if column != column.strip() and column not in {*roles.dropped, roles.entity}
        ]
    return faults


def _nested_faults(source: Source, roles: Roles) -> list[str]:
    """An enum inside a nested type would take all of the source's values along in the type."""
    return [
        f'"{column}": it holds an ENUM inside, and the type names values that the release may not '
        "hold. Cast it in a view."
        for column, type_name in source.columns.items()
        if column in roles.shown and column not in roles.pseudonymized
        and "ENUM" in told(type_name) and family_of(type_name) != "enum"
    ]  # fmt: skip


def overwritten_faults(engine: DuckEngine, source: Source, request: Request) -> list[str]:
    """A release must not take the place of what it is made from, under whatever name."""
    if request.out is None:
        return []
    out = request.out.resolve()
    if any(out == read.resolve() for read in source.files):
        return [f"--out {request.out}: this is the source itself. Take another file."]
    paths = [str(row[1]) for row in engine.rows("engine/database") if row[1] is not None]
    if any(out == Path(path).resolve() for path in paths):
        return [f"--out {request.out}: this is a database that is open. Take another file."]
    return []


def _is_plain(column: str, roles: Roles) -> bool:
    return any(a.name == column and a.recode in ("bounds", "mode", "set") for a in roles.quasi)


def _live_faults(source: Source, roles: Roles, method: Method, request: Request) -> list[str]:
    faults: list[str] = []
    if request.into is None:
        faults.append("--live makes a view in the database: give its name with --into.")
    if method.guard.has_models:
        faults.append(
            "--live keeps k and distinct l at every query; "
            f"{', '.join(method.guard.models)} would hold at first only. Make a snapshot."
        )
    if method.grain == "row":
        faults.append(
            f"--live goes by values alone; {method.name} as asked divides equal rows. "
            "Make a snapshot, or go by values (mondrian without --relaxed)."
        )
    if source.kind == "frame":
        faults.append("--live needs a source that stays: a table, a view or a file, not a frame.")
    if source.table is not None and source.table[0] == "temp":
        faults.append("--live needs a source that stays: this table is temporary.")
    if roles.pseudonymized:
        faults.append("--live cannot pseudonymize: the key would stand in the view.")
    if "state-by-state" not in request.accept:
        faults.append(
            "--live guards each state, not the difference of two: who sees the view before and "
            "after one change learns the changed row. Say that you accept it: "
            "--accept state-by-state."
        )
    return faults


def _released_faults(source: Source, roles: Roles) -> list[str]:
    """Released names that would meet, such as the bounds of one column and another column."""
    own = {attribute.name for attribute in roles.quasi}
    # One column in two roles is a fault of another kind, and is told as that.
    released: list[str] = [c for c in source.columns if c in roles.shown and c not in own]
    for attribute in roles.quasi:
        endings = ("_lo", "_hi", "_has_null", "_has_nonfinite")
        names = [attribute.name + ending for ending in endings]
        released += names if attribute.recode == "bounds" else [attribute.name]
    twice = [name for name, count in Counter(map(fold, released)).items() if count > 1]
    return [
        f'"{name}": two released columns would have this name. Rename one in a view.'
        for name in twice
    ]
