"""Parts that the methods' examples share: how the demo's patients are shown, and their target.

`ppdt show` runs the examples; every step of a method occurs in one of them.
"""

from ppdt_db.policy.hierarchy_specs import grouping, prefixes, quantiles
from ppdt_db.policy.roles import Attribute

SHAPED = [
    Attribute("age", "mean"), Attribute("sex", "mode"), "zip", Attribute("admitted", "bounds"),
]  # fmt: skip
NODES = [
    Attribute("age", hierarchy=quantiles(8, 2)),
    Attribute("sex", hierarchy=grouping({"all": ["female", "male"]})),
    Attribute("zip", hierarchy=prefixes(4, 3)),
    "admitted",
]
BINNED = [
    Attribute("age", bins="widths:20"), "sex", "zip",
    Attribute("admitted", bins={"admitted": ["2024-04-01", "2024-07-01"]}),
]  # fmt: skip
SECRET = [Attribute("diagnosis", hierarchy={"letter": "left(diagnosis, 1)"})]
DIAGNOSED: dict[str, object] = {
    "identifiers": ["name"], "keep": ["patient_id"], "target": "diagnosis",
    "sensitive": ["readmitted"],
}  # fmt: skip
