"""A release on Spark: what is refused there before any work, and where it may go."""

import re

from ppdt_db.coded import BITS_OF_WORD
from ppdt_db.families import family_of
from ppdt_db.folder_spark import overlaps, place_faults, roots
from ppdt_db.ground_spark import STORED, SparkGround, quoted
from ppdt_db.methods.contract import Method
from ppdt_db.names import fold, is_reserved
from ppdt_db.policy import Policy, Roles
from ppdt_db.publish import Order, Publisher
from ppdt_db.publish_spark import MADE, SparkPublisher
from ppdt_db.request import Request, checked, new_column_faults
from ppdt_db.source import Source

# What Spark can put into no order, or into no Parquet.
UNORDERED = re.compile(r"\b(MAP(?=<)|(?:VARIANT|INTERVAL(?! )|GEOMETRY|GEOGRAPHY)(?!:)|TIME(?=\())")
DAYS = ("date", "timestamp", "timestamptz")
# Families whose values read the same on both engines and in every time zone.
PSEUDONYMS = ("text", "integer", "decimal", "huge", "boolean", "date", "timestamp")

METHODS = {"mondrian": ("balanced", "median", "ncp"), "kactus": ()}


class SparkSite(SparkGround):
    """A Spark session of the caller's, that a release is made in."""

    def placed(self, request: Request) -> Request:
        """The request as it is: Spark's own names have no other."""
        return request

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""

        def own_faults(roles: Roles) -> list[str]:
            faults = [*_method_faults(method, roles), *_request_faults(request)]
            faults += _type_faults(source, roles)
            faults += new_column_faults(policy, roles, request)
            with self.engine.translating("checking the request"):
                return [
                    *faults,
                    *self._day_faults(source, roles),
                    *self._place_faults(source, request),
                ]

        return checked(self.engine, source, policy, method, request, own_faults)

    def _day_faults(self, source: Source, roles: Roles) -> list[str]:
        """Days and times that Spark counts or writes otherwise: before Christ, infinite."""
        others = [*roles.sensitive, roles.target, roles.entity]
        coded = {*(attribute.name for attribute in roles.quasi), *filter(None, others)}
        days = [n for n, kind in source.columns.items() if n in coded and family_of(kind) in DAYS]
        if not days:
            return []
        names = {"source": source.relation, "columns": days}
        counts = self.engine.row("engine/spark_beyond", names=names)
        return [
            f'"{column}": {count:,} values lie outside the years 1 to 9999, or are infinite, which '
            "Spark cannot code. Set them to NULL in a view."
            for column, count in zip(days, counts, strict=True)
            if count
        ]

    def _place_faults(self, source: Source, request: Request) -> list[str]:
        if (request.into is None) == (request.address is None):
            return ["say where the release goes: either --into TABLE or --out PATH.parquet."]
        if request.into is not None:
            return self._table_faults(source, request.into, replace=request.replace)
        session, place = self.engine.session, request.address or ""
        if not fold(place).endswith(".parquet"):
            return [f"--out {place}: Spark writes Parquet here; let the path end in .parquet."]
        if faults := place_faults(session, place, replace=request.replace):
            return faults
        if overlaps(session, self._roots, place):
            return [
                f"--out {place}: this is the source, or holds it, or lies in it. Take another path."
            ]
        return []

    def _table_faults(self, source: Source, name: str, *, replace: bool) -> list[str]:
        caller, path = self.engine.caller, tuple(name.split("."))
        if not re.fullmatch(r"(\w+\.)?\w+", name, re.ASCII) or is_reserved(path[-1]):
            return [
                f'--into "{name}": write NAME or SCHEMA.NAME in letters, digits and _, and not '
                "ppdt_..."
            ]
        if len(path) == 2 and not caller.catalog.databaseExists(quoted(path[:1])):
            return [f'--into "{name}": there is no schema "{path[0]}". Make it first.']
        if not caller.catalog.tableExists(quoted(path)):
            return []
        table = caller.catalog.getTable(quoted(path))
        is_stored = table.tableType in STORED
        held = roots(caller, caller.table(quoted(path))) if is_stored else []
        is_same = source.kind == "table" and fold(source.title) == fold(name)
        if is_same or any(overlaps(caller, self._roots, place) for place in held):
            return [f'--into "{name}": the source is made from this table. Take another name.']
        if not is_stored or table.description != MADE:
            return [
                f'--into "{name}": a table or view of that name exists, and ppdt did not make it. '
                "Take another name, or remove it yourself."
            ]
        if not replace:
            return [f'--into "{name}": this release exists. Add --replace, or drop it first.']
        return []

    @property
    def _roots(self) -> list[str]:
        assert self._read is not None
        return roots(self.engine.caller, self._read)

    def publisher(self, order: Order) -> Publisher:
        """What publishes a table, or Parquet."""
        return SparkPublisher(self.engine, order)


def _method_faults(method: Method, roles: Roles) -> list[str]:
    """What a method cannot do on Spark, by name."""
    if method.name not in METHODS:
        return [f"method {method.name} does not run on Spark; {' and '.join(METHODS)} do."]
    faults: list[str] = []
    parameters = method.parameters
    if parameters.get("relaxed"):
        faults.append("--relaxed does not run on Spark. Leave it out.")
    if parameters.get("refine"):
        faults.append("--refine does not run on Spark. Leave it out.")
    criterion = parameters.get("criterion")
    if criterion is not None and criterion not in METHODS[method.name]:
        able = ", ".join(METHODS[method.name])
        faults.append(f"criterion {criterion} does not run on Spark; {able} do.")
    if any(attribute.hierarchy is not None for attribute in roles.quasi) or roles.hierarchies:
        faults.append("hierarchies do not run on Spark. Leave --hierarchy out.")
    most = BITS_OF_WORD["BIGINT"]
    if len(roles.quasi) > most:
        faults.append(f"{len(roles.quasi)} quasi-identifiers are too many on Spark (most: {most}).")
    return faults


def _type_faults(source: Source, roles: Roles) -> list[str]:
    """Columns whose types Spark cannot release."""
    shown = {*roles.shown, *([roles.entity] if roles.entity else [])}
    types = {name: kind for name, kind in source.columns.items() if name in shown}
    faults = [
        f'"{name}": Spark has no order for type {found.group()}, or cannot write it. Cast the '
        "column in a view, or give it as an identifier."
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
        faults.append("--live does not run on Spark: there a release is a table or Parquet.")
    if request.rules is not None:
        faults.append("--rules does not run on Spark. Leave it out.")
    return faults
