"""A release on Spark: what is refused there before any work, and where it may go."""

from ppdt_db.coded import BITS_OF_WORD
from ppdt_db.ground_spark import SparkGround, is_name
from ppdt_db.methods.contract import Method
from ppdt_db.names import fold, is_reserved
from ppdt_db.policy import Policy, Roles
from ppdt_db.publish import Order, Publisher
from ppdt_db.publish_spark import SparkPublisher, exists, is_inside
from ppdt_db.request import Request, checked
from ppdt_db.source import Source

METHODS = {"mondrian": ("balanced", "median", "ncp"), "kactus": ()}


class SparkSite(SparkGround):
    """A Spark session of the caller's, that a release is made in."""

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""

        def own_faults(roles: Roles) -> list[str]:
            faults = [*_method_faults(method, roles), *_request_faults(request)]
            with self.engine.translating("checking the place"):
                return [*faults, *self._place_faults(request)]

        return checked(self.engine, source, policy, method, request, own_faults)

    def _place_faults(self, request: Request) -> list[str]:
        if (request.into is None) == (request.address is None):
            return ["say where the release goes: either --into TABLE or --out PATH.parquet."]
        session = self.engine.session
        if request.into is not None:
            if not is_name(request.into) or is_reserved(request.into.rpartition(".")[2]):
                return [f'--into "{request.into}": write NAME or SCHEMA.NAME, and not ppdt_...']
            if session.catalog.tableExists(request.into) and not request.replace:
                return [f'--into "{request.into}": a table of that name exists. Add --replace.']
            return []
        place = request.address or ""
        if not fold(place).endswith(".parquet"):
            return [f"--out {place}: Spark writes Parquet here; let the path end in .parquet."]
        assert self._read is not None
        if any(is_inside(read, place) for read in self._read.inputFiles()):
            return [f"--out {place}: this holds the source itself. Take another path."]
        if exists(session, place) and not request.replace:
            return [f"--out {place}: this exists. Add --replace, or remove it first."]
        return []

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


def _request_faults(request: Request) -> list[str]:
    faults: list[str] = []
    if request.live:
        faults.append("--live does not run on Spark: there a release is a table or Parquet.")
    if request.rules is not None:
        faults.append("--rules does not run on Spark. Leave it out.")
    return faults
