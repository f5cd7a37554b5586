"""Check a request on Spark before any work: features, columns and destinations."""

import re

from ppdt_db.encode.columns import BITS_OF_WORD
from ppdt_db.engine.spark.folders import overlaps, place_faults, roots
from ppdt_db.methods import METHODS
from ppdt_db.methods.base import Method
from ppdt_db.policy.roles import Roles
from ppdt_db.release.publish import Publisher
from ppdt_db.release.publish_spark import MADE, SparkPublisher
from ppdt_db.release.record import Record
from ppdt_db.release.request import Order, Request, checked, new_column_faults
from ppdt_db.release.stages import Run
from ppdt_db.source.source import Source
from ppdt_db.source.spark import STORED, SparkBackend, quoted
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.sqltext.quoting import is_reserved, normalize_name

# Types that Spark cannot sort, or cannot write to Parquet.
UNORDERED = re.compile(r"\b(MAP(?=<)|(?:VARIANT|INTERVAL(?! )|GEOMETRY|GEOGRAPHY)(?!:)|TIME(?=\())")
DAYS = ("date", "timestamp", "timestamptz")
# Families whose values have the same text on both engines and in every time zone.
PSEUDONYMS = ("text", "integer", "decimal", "huge", "boolean", "date", "timestamp")


class SparkReleaseBackend(SparkBackend):
    """The caller's Spark session as a backend."""

    def placed(self, request: Request) -> Request:
        """Return the request unchanged: Spark resolves names by itself."""
        return request

    def check(self, source: Source, order: Order) -> tuple[Roles, int]:
        """Return the roles and the number of rows; raise one error that lists every fault."""
        request = order.request

        def own_faults(roles: Roles) -> list[str]:
            faults = [*_method_faults(order.method, roles), *_request_faults(request)]
            faults += _type_faults(source, roles)
            faults += new_column_faults(order.policy, roles, request)
            with self.engine.translating("checking the request"):
                return [
                    *faults,
                    *self._day_faults(source, roles),
                    *self._place_faults(source, request),
                ]

        return checked(self.engine, source, order, own_faults)

    def _day_faults(self, source: Source, roles: Roles) -> list[str]:
        """Return the faults of dates and times outside the years 1 to 9999."""
        others = [*roles.sensitive, roles.target, roles.entity]
        coded = {*(attribute.name for attribute in roles.quasi), *filter(None, others)}
        days = [n for n, kind in source.columns.items() if n in coded and family_of(kind) in DAYS]
        if not days:
            return []
        names = {"source": source.relation, "columns": days}
        counts = self.engine.row("lib/engine/spark_beyond", names=names)
        return [
            f'"{column}": {count:,} values are infinite or outside the years 1 to 9999, which is '
            "not supported on Spark. Set them to NULL in a view."
            for column, count in zip(days, counts, strict=True)
            if count
        ]

    def _place_faults(self, source: Source, request: Request) -> list[str]:
        if (request.into is None) == (request.address is None):
            return [
                ("no destination for the release: give either --into TABLE or --out PATH.parquet.")
            ]
        if request.into is not None:
            return self._table_faults(source, request.into, replace=request.replace)
        session, place = self.engine.session, request.address or ""
        if not normalize_name(place).endswith(".parquet"):
            return [f"--out {place}: Spark writes Parquet only; end the path in .parquet."]
        if faults := place_faults(session, place, replace=request.replace):
            return faults
        if overlaps(session, self._roots, place):
            return [
                (
                    f"--out {place}: this is the source, contains it, or lies inside it. Choose "
                    "another path."
                )
            ]
        return []

    def _table_faults(self, source: Source, name: str, *, replace: bool) -> list[str]:
        caller, path = self.engine.caller, tuple(name.split("."))
        if not re.fullmatch(r"(\w+\.)?\w+", name, re.ASCII) or is_reserved(path[-1]):
            return [
                f'--into "{name}": write NAME or SCHEMA.NAME in letters, digits and _; names '
                "that start with ppdt_ are reserved."
            ]
        if len(path) == 2 and not caller.catalog.databaseExists(quoted(path[:1])):
            return [f'--into "{name}": there is no schema "{path[0]}". Create it first.']
        if not caller.catalog.tableExists(quoted(path)):
            return []
        table = caller.catalog.getTable(quoted(path))
        is_stored = table.tableType in STORED
        held = roots(caller, caller.table(quoted(path))) if is_stored else []
        is_same = source.kind == "table" and normalize_name(source.title) == normalize_name(name)
        if is_same or any(overlaps(caller, self._roots, place) for place in held):
            return [f'--into "{name}": the source is made from this table. Choose another name.']
        if not is_stored or table.description != MADE:
            return [
                f'--into "{name}": a table or view of that name exists that ppdt did not create. '
                "Choose another name, or drop it yourself."
            ]
        if not replace:
            return [f'--into "{name}": this release exists. Add --replace, or drop it first.']
        return []

    @property
    def _roots(self) -> list[str]:
        assert self._read is not None
        return roots(self.engine.caller, self._read)

    def record(self, order: Order) -> Record:
        """Return the record of a run: Spark has no catalog of releases."""
        return Record(self.engine)

    def publisher(self, run: Run) -> Publisher:
        """Return the publisher of a table or of Parquet."""
        return SparkPublisher(self.engine, run)


def _method_faults(method: Method, roles: Roles) -> list[str]:
    """Return the faults of a method and its parameters on Spark."""
    if not method.runs_on_spark:
        able = " or ".join(name for name, known in METHODS.items() if known.runs_on_spark)
        return [f"method {method.name} is not supported on Spark; use {able}, or DuckDB."]
    faults = list(method.spark_faults)
    if any(attribute.hierarchy is not None for attribute in roles.quasi) or roles.hierarchies:
        faults.append("hierarchies are not supported on Spark; remove --hierarchy or use DuckDB.")
    if any(attribute.recode == "bins" for attribute in roles.quasi):
        faults.append("bins are not supported on Spark; remove --bins or use DuckDB.")
    most = BITS_OF_WORD["BIGINT"]
    if len(roles.quasi) > most:
        faults.append(
            f"{len(roles.quasi)} quasi-identifiers are too many on Spark (at most {most})."
        )
    return faults


def _type_faults(source: Source, roles: Roles) -> list[str]:
    """Return the faults of columns whose types Spark cannot release."""
    shown = {*roles.shown, *([roles.entity] if roles.entity else [])}
    types = {name: kind for name, kind in source.columns.items() if name in shown}
    faults = [
        f'"{name}": type {found.group()} is not supported on Spark. Cast the column in a view, '
        "or drop it (--id)."
        for name, kind in types.items()
        if (found := UNORDERED.search(kind))
    ]
    return faults + [
        f'pseudonym "{name}": type {source.columns[name].partition("<")[0]} has no text that is '
        "the same everywhere. Cast it to text in a view."
        for name in roles.pseudonymized
        if family_of(source.columns[name]) not in PSEUDONYMS and not UNORDERED.search(types[name])
    ]


def _request_faults(request: Request) -> list[str]:
    faults: list[str] = []
    if request.live:
        faults.append("--live is not supported on Spark; remove it or use DuckDB.")
    if request.rules is not None:
        faults.append("--rules is not supported on Spark; remove it or use DuckDB.")
    return faults
