"""The page of a report: one HTML file, with charts that need no scripts and no network."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ppdt_db.figures import amount, one_in
from ppdt_db.recodings import RECODINGS
from ppdt_db.release.catalog import CatalogEntry
from ppdt_db.report.tree_diagram import DiagramNode
from ppdt_db.sqltext.json_text import as_json

# A role with more columns than these is one row of the table.
MANY_COLUMNS = 12


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar, or a pair of bars."""

    label: str
    after: float
    before: float | None = None


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart of horizontal bars, and its table."""

    title: str
    text: str
    unit: str
    heading: str
    bars: Sequence[Bar]
    is_compared: bool = False
    whole: float | None = None
    hidden: str = ""

    @property
    def most(self) -> float:
        """The value of a bar of full width."""
        found = [max(bar.after, bar.before or 0) for bar in self.bars]
        return self.whole or max([*found, 1e-9])


@dataclass(frozen=True, kw_only=True)
class RoleSection:
    """The columns of one role, and how they are released."""

    name: str
    columns: Sequence[str]
    shown: str

    @property
    def is_long(self) -> bool:
        """Return whether the columns share one row: nobody looks for one of many dropped ones."""
        return len(self.columns) > MANY_COLUMNS


def roles(certificate: Mapping[str, object]) -> list[RoleSection]:
    """Return the role of every column of the source."""
    policy = certificate["policy"]
    assert isinstance(policy, dict)
    trees = policy["hierarchies"]
    found = [
        RoleSection(
            name="quasi-identifier", columns=[name], shown=_shape(str(shape), trees.get(name))
        )
        for name, shape in policy["quasi_identifiers"].items()
    ]
    listed = {
        "sensitive": (policy["sensitive"], "unchanged"),
        "target": ([policy["target"]] if policy.get("target") else [], "unchanged"),
        "kept": (policy["kept"], "unchanged"),
        "pseudonymized": (policy.get("pseudonymized", []), "a keyed pseudonym"),
        "identifier": (policy.get("identifiers_dropped", []), "not released"),
        "entity": ([policy["entity"]] if policy.get("entity") else [], "counted, not released"),
    }
    found += [
        RoleSection(name=name, columns=columns, shown=shown)
        for name, (columns, shown) in listed.items()
        if columns
    ]
    return found


def _shape(shape: str, tree: str | None) -> str:
    words = RECODINGS[shape].plural if shape in RECODINGS else shape
    return f"{words}{f' ({tree})' if tree else ''}"


def breakable(name: object) -> Markup:
    """Return a name that may be broken between its words, and nowhere else."""
    return Markup(re.sub(r"([_.,:/-])(?=[^\W\d])", r"\1<wbr>", str(escape(name))))


def page(entry: CatalogEntry, charts: Sequence[Chart], tree: DiagramNode | None = None) -> str:
    """Return the whole page."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"amount": amount, "one_in": one_in, "breakable": breakable}
    # The tree's thresholds are values of the source: the page shows its diagram, not its JSON.
    without_tree = {name: value for name, value in entry.certificate.items() if name != "tree"}
    return environment.get_template("page.html").render(
        entry=entry,
        proof=entry.certificate,
        charts=charts,
        tree=tree,
        text=as_json(without_tree),
        roles=roles(entry.certificate),
    )
